/* Acknowledgements and events: what is told again until it is known. */
#include "ack_window.h"
#include "event_queue.h"
#include "tap.h"
#include <stdlib.h>

static void
each_tick_is_marked_once(void)
{
    struct ack_window w;

    ack_window_reset(&w);
    ok_int(ack_window_has(&w, 0), 0);
    ok_int(ack_window_mark(&w, 1000), 1);
    ok_int(ack_window_mark(&w, 1000), 0);
    ok_int(ack_window_mark(&w, 990), 1);
    ok_int(ack_window_mark(&w, 990), 0);
    ok_int(ack_window_has(&w, 990), 1);
    ok_int(ack_window_has(&w, 991), 0);
    ok_int(ack_window_has(&w, 1001), 0);
    ok_int(w.count, 11);
}

static void
a_window_agrees_with_a_plain_array(void)
{
    enum {
        TICKS = 6000
    };
    static char plain[TICKS];
    struct ack_window w;
    uint64_t newest = 0, tick, t;
    int i, wrong = 0;

    srand(7);
    memset(plain, 0, sizeof(plain));
    ack_window_reset(&w);
    for (i = 0; i < 3000; i++) {
        tick = newest + (uint64_t)(rand() % 140) - (newest > 70 ? 70 : 0);
        if (i % 500 == 499)
            tick = newest + 1100; /* all before it is forgotten */
        if (tick >= TICKS)
            break;
        ack_window_mark(&w, tick);
        plain[tick] = 1;
        newest = tick > newest ? tick : newest;
        for (t = newest < 1023 ? 0 : newest - 1023; t <= newest; t++)
            wrong += ack_window_has(&w, t) != plain[t];
    }
    ok(newest > 3000);
    ok_int(wrong, 0);
}

static void
a_jump_over_the_window_forgets_all(void)
{
    struct ack_window w;

    ack_window_reset(&w);
    ack_window_mark(&w, 5);
    ack_window_mark(&w, 5 + ACK_WINDOW_TICKS);
    ok_int(ack_window_has(&w, 5), 0);
    ok_int(ack_window_mark(&w, 5), 0);
    ok_int(w.count, ACK_WINDOW_TICKS);
}

static void
an_event_is_told_until_a_snapshot_with_it_is_decoded(void)
{
    struct event_queue q;
    struct hp_event e = {.type = HP_EVENT_HIT}, out[4];

    event_queue_reset(&q);
    event_queue_push(&q, &e);
    event_queue_sent(&q, 1, 10);
    event_queue_acked(&q, 9);
    ok_int(event_queue_peek(&q, out, 4), 1);
    event_queue_push(&q, &e);
    event_queue_sent(&q, 2, 11);
    event_queue_acked(&q, 10);
    ok_int(event_queue_peek(&q, out, 4), 1);
    ok_int(out[0].id, 2);
    event_queue_sent(&q, 1, 12);
    event_queue_acked(&q, 12);
    ok_int(event_queue_peek(&q, out, 4), 0);
}

static void
a_snapshot_that_had_no_room_for_an_event_does_not_end_it(void)
{
    struct event_queue q;
    struct hp_event e = {.type = HP_EVENT_HIT}, out[4];

    event_queue_reset(&q);
    event_queue_push(&q, &e);
    event_queue_push(&q, &e);
    event_queue_sent(&q, 2, 10); /* lost on the way */
    event_queue_sent(&q, 1, 11);
    event_queue_acked(&q, 11);
    ok_int(event_queue_peek(&q, out, 4), 1);
    ok_int(out[0].id, 2);
}

static void
an_event_that_was_never_sent_is_not_done(void)
{
    struct event_queue q;
    struct hp_event e = {0}, out;

    event_queue_reset(&q);
    event_queue_push(&q, &e);
    event_queue_acked(&q, 1000);
    ok_int(event_queue_peek(&q, &out, 1), 1);
}

static void
a_full_queue_lets_the_oldest_go_and_counts_it(void)
{
    struct event_queue q;
    struct hp_event e = {0}, out;
    int i;

    event_queue_reset(&q);
    for (i = 0; i < EVENT_QUEUE_MAX + 3; i++)
        event_queue_push(&q, &e);
    ok_int(q.lost, 3);
    ok_int(event_queue_peek(&q, &out, 1), 1);
    ok_int(out.id, 4);
}

TAP_MAIN(FACT(each_tick_is_marked_once),
         FACT(a_window_agrees_with_a_plain_array),
         FACT(a_jump_over_the_window_forgets_all),
         FACT(an_event_is_told_until_a_snapshot_with_it_is_decoded),
         FACT(a_snapshot_that_had_no_room_for_an_event_does_not_end_it),
         FACT(an_event_that_was_never_sent_is_not_done),
         FACT(a_full_queue_lets_the_oldest_go_and_counts_it))
