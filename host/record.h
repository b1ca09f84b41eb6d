/*
 * Recording what the server's world is made of, so that `hardpoint replay` can
 * make it again: joins, leaves and frozen inputs as the sim got them, and what
 * came of each tick. The tick only copies into a ring; a thread of its own
 * makes digests, packs and writes. When that cannot keep up, the recording ends
 * there and says so: a tick never waits for a disk.
 */
#ifndef RECORD_H
#define RECORD_H

#include "clock.h"
#include "record_code.h"

struct record;

struct record_moment {
    uint64_t tick;
    uint64_t hash;
    const struct hp_client_input *inputs;
    uint32_t input_count;
    const struct hp_view *view;
};

struct record_report {
    uint64_t ticks, bytes; /* that are in the file */
    uint64_t lost;         /* ticks that are not */
    uint64_t ring_bytes;   /* most that ever waited */
    int err;               /* of the file, 0: none */
};

/*
 * [main] Opens `path` and writes the header, which is taken over, emptied.
 * -errno: told by the caller.
 */
int record_create(struct record **out, struct clock *clock, const char *path,
                  struct record_header *header);
/* [main] Starts the writer. What clock_thread_launch returned. */
int record_start(struct record *r);
/* [main] After the last tick: writes what is left, closes. Accepts NULL. */
void record_stop(struct record *r, struct clock_waiter *of_caller);
/* [main] Accepts NULL. */
void record_destroy(struct record *r);
/* [main] After record_stop. */
void record_report(const struct record *r, struct record_report *out);
const char *record_path(const struct record *r);

/* All [tick], of one thread; each accepts NULL and does nothing then. */
void record_join(struct record *r, uint32_t client, int result,
                 const char *options);
void record_leave(struct record *r, uint32_t client);
/*
 * Takes a tick, and returns where the own states belong: own_bytes for each
 * input in their order, zeroed. record_commit follows. NULL: nothing to fill or
 * to commit.
 */
uint8_t *record_tick(struct record *r, const struct record_moment *m);
void record_commit(struct record *r);
/* [main] The sim reads its live parameters again. */
void record_reload(struct record *r);

#endif
