/*
 * The host's jobs call: threads that help a tick. A call is cut into pieces;
 * the tick's own thread and its helpers each take the next one until none is
 * left, and the call returns when all are done. Between calls a helper sleeps
 * on a futex. No lock, no allocation in a call.
 */
#ifndef JOBS_H
#define JOBS_H

#include <stdint.h>

struct clock;
struct jobs;

/* Does what lies in first .. end-1. */
typedef void jobs_piece(void *context, uint32_t first, uint32_t end);

#define JOBS_THREADS_MAX 64

/*
 * [main] Starts `threads` - 1 helpers, of which each calls `begin` first (NULL:
 * nothing to do): a tick's own thread is the first of the `threads`. They have
 * no place on the clock, so a virtual one waits for them as it does for any
 * computation. -ENOMEM, -EAGAIN.
 */
int jobs_create(struct jobs **out, struct clock *clock, uint32_t threads,
                void (*begin)(void *context), void *context);
/* [main] For tests of plugins: no helpers, but many pieces, in an order that
 * follows from `seed` and differs from call to call. -ENOMEM. */
int jobs_create_shuffled(struct jobs **out, uint64_t seed);
/* [main] Ends the helpers; no call is under way. Accepts NULL. */
void jobs_destroy(struct jobs *j);

/*
 * [any] As hp_host.jobs. In one piece on the caller's thread when `j` is NULL,
 * when `count` is less than two grains, or while another call is under way: so
 * in a call within a piece. A helper bears the caller's mark (fault.h) and its
 * floating-point control state.
 */
void jobs_run(struct jobs *j, jobs_piece *run, void *context, uint32_t count,
              uint32_t grain);

/* [any] 1 and more. */
uint32_t jobs_threads(const struct jobs *j);

#endif
