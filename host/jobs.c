/*
 * A call's pieces stand in one word: the call's number above, how many pieces
 * nobody has taken below. Who takes one off by compare-and-swap owns it, and as
 * the call cannot end before every piece is done, what the call is about may be
 * read from then on; a helper that comes too late finds none and has touched
 * nothing.
 */
#define _GNU_SOURCE /* syscall */
#include "float_control.h"
#include "jobs_private.h"

/* More pieces than threads, so that one which is held up delays little. */
#define PIECES_A_THREAD 4

/* ---- pieces ---- */

/* Takes a piece of the call under way: its index, or UINT32_MAX: none left. */
static uint32_t
take_piece(struct jobs *j)
{
    uint64_t ticket = atomic_load_explicit(&j->ticket, memory_order_acquire);

    do
        if ((uint32_t)ticket == 0)
            return UINT32_MAX;
    while (!atomic_compare_exchange_weak_explicit(
        &j->ticket, &ticket, ticket - 1, memory_order_acq_rel,
        memory_order_acquire));
    return j->pieces - (uint32_t)ticket;
}

static void
run_piece(const struct jobs *j, uint32_t piece, uint32_t pieces)
{
    uint32_t first = (uint32_t)((uint64_t)j->count * piece / pieces);
    uint32_t end = (uint32_t)((uint64_t)j->count * (piece + 1) / pieces);

    if (first < end)
        j->run(j->context, first, end);
}

/* Does pieces until there are none; returns how many. */
static uint32_t
run_pieces(struct jobs *j)
{
    uint32_t piece, done = 0;

    while ((piece = take_piece(j)) != UINT32_MAX) {
        run_piece(j, piece, j->pieces);
        done++;
    }
    return done;
}

/* Whoever does the last piece wakes the caller; after that the call may be
 * over, so nothing of it is read any more. */
static void
settle(struct jobs *j, uint32_t done)
{
    uint32_t before =
        atomic_fetch_sub_explicit(&j->undone, done, memory_order_acq_rel);

    if (before == (done | JOBS_CALLER_SLEEPS))
        jobs_futex_wake(&j->undone, 1);
}

/* Under the name of the call that it helps, as a fault may be in there. */
void
jobs_help(struct jobs *j)
{
    struct fault_mark *mark;
    uint32_t first = take_piece(j), done;

    if (first == UINT32_MAX)
        return;
    mark = fault_enter();
    if (mark != NULL && j->has_mark)
        *mark = j->mark;
    float_control_set(j->float_control);
    run_piece(j, first, j->pieces);
    done = 1 + run_pieces(j);
    fault_leave();
    settle(j, done);
}

void
jobs_call_helpers(struct jobs *j, int count)
{
    atomic_fetch_add(&j->calls, 1);
    if (atomic_load(&j->sleepers) > 0)
        jobs_futex_wake(&j->calls, count);
}

/* ---- a call ---- */

static uint32_t
pieces_of(const struct jobs *j, uint32_t count, uint32_t grain)
{
    uint32_t most = count / (grain == 0 ? 1 : grain);
    uint32_t wanted = j->threads * PIECES_A_THREAD;

    return most < wanted ? most : wanted;
}

static void
describe(struct jobs *j, jobs_piece *run, void *context, uint32_t count)
{
    const struct fault_mark *mark = fault_newest();

    j->run = run;
    j->context = context;
    j->count = count;
    j->has_mark = mark != NULL;
    if (mark != NULL)
        j->mark = *mark;
    j->float_control = float_control();
}

/* Spins first: a helper is in the midst of its last piece. */
static void
wait_for_helpers(struct jobs *j)
{
    uint32_t undone = atomic_load_explicit(&j->undone, memory_order_acquire);
    int i;

    for (i = 0; i < JOBS_SPINS && undone != 0; i++) {
        jobs_relax();
        undone = atomic_load_explicit(&j->undone, memory_order_acquire);
    }
    if (undone == 0)
        return;
    undone =
        atomic_fetch_or(&j->undone, JOBS_CALLER_SLEEPS) | JOBS_CALLER_SLEEPS;
    while (undone != JOBS_CALLER_SLEEPS) {
        jobs_futex_wait(&j->undone, undone);
        undone = atomic_load_explicit(&j->undone, memory_order_acquire);
    }
}

static void
run_with_helpers(struct jobs *j, uint32_t pieces)
{
    uint64_t number = (uint64_t)(atomic_load(&j->calls) + 1) << 32;
    uint32_t most = pieces - 1;

    j->pieces = pieces;
    atomic_store_explicit(&j->undone, pieces, memory_order_relaxed);
    atomic_store_explicit(&j->ticket, number | pieces, memory_order_release);
    jobs_call_helpers(j,
                      (int)(most < j->helper_count ? most : j->helper_count));
    settle(j, run_pieces(j));
    wait_for_helpers(j);
}

static uint32_t
common_divisor(uint32_t a, uint32_t b)
{
    uint32_t rest;

    while (b != 0) {
        rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Pieces of any number, each once, by a stride that shares no divisor. */
static void
run_shuffled(struct jobs *j)
{
    uint32_t pieces, stride, i, at;

    j->chance = j->chance * 6364136223846793005u + 1442695040888963407u;
    pieces = 1 + (uint32_t)(j->chance >> 33) % j->count;
    at = (uint32_t)(j->chance >> 40) % pieces;
    stride = 1 + (uint32_t)(j->chance >> 36) % pieces;
    while (common_divisor(stride, pieces) != 1)
        stride++;
    for (i = 0; i < pieces; i++) {
        run_piece(j, at, pieces);
        at = (uint32_t)(((uint64_t)at + stride) % pieces);
    }
}

void
jobs_run(struct jobs *j, jobs_piece *run, void *context, uint32_t count,
         uint32_t grain)
{
    uint32_t pieces = j != NULL ? pieces_of(j, count, grain) : 0;

    if (count == 0)
        return;
    if (j == NULL || (!j->shuffled && (j->helper_count == 0 || pieces < 2)) ||
        atomic_exchange(&j->busy, 1)) {
        run(context, 0, count);
        return;
    }
    describe(j, run, context, count);
    if (j->shuffled)
        run_shuffled(j);
    else
        run_with_helpers(j, pieces);
    atomic_store(&j->busy, 0);
}
