#include "input_queue.h"
#include "tap.h"
#include <errno.h>

#define PERIOD 1000

static struct input_queue *q;

static struct hp_input
input(int16_t roll, uint32_t buttons)
{
    struct hp_input in = {.buttons = buttons};

    in.axes[HP_AXIS_ROLL] = roll;
    return in;
}

static void
push(uint64_t tick, int16_t roll, uint32_t buttons, uint64_t arrived)
{
    struct hp_input in = input(roll, buttons);

    ok_int(input_queue_push(q, tick, &in, arrived, tick - 1), 1);
}

static struct hp_input
take(uint64_t tick)
{
    struct hp_input out;

    input_queue_take(q, tick, tick * PERIOD, PERIOD, &out);
    return out;
}

static void
open_queue(void)
{
    ok_int(input_queue_create(&q, 64), 0);
    input_queue_reset(q, 100);
}

static void
an_input_is_used_at_its_own_tick(void)
{
    struct input_account a;

    open_queue();
    push(101, 2, 0, 100 * PERIOD);
    push(100, 1, 0, 100 * PERIOD - 300);
    ok_int(take(100).axes[HP_AXIS_ROLL], 1);
    input_queue_account(q, &a);
    ok_int(a.newest, 100);
    ok_int(a.margin_ns, 300);
    ok_int(a.used_mask, 1);
    ok_int(a.snapshot, 99);
    ok_int(take(101).axes[HP_AXIS_ROLL], 2);
    input_queue_account(q, &a);
    ok_int(a.margin_ns, PERIOD);
    ok_int(a.used_mask, 3);
    input_queue_destroy(q);
}

static void
a_missing_input_repeats_the_last_one_and_says_so(void)
{
    struct hp_input got;
    struct input_account a;

    open_queue();
    push(100, 7, HP_BUTTON_GUN, 99 * PERIOD);
    take(100);
    got = take(101);
    ok_int(got.axes[HP_AXIS_ROLL], 7);
    ok_int(got.buttons, HP_BUTTON_GUN);
    ok_int(got.flags, HP_INPUT_REPEATED);
    input_queue_account(q, &a);
    ok_int(a.used_mask, 2);
    ok_int(a.newest, 100);
    input_queue_destroy(q);
}

static void
a_press_in_a_late_input_moves_to_the_next_tick(void)
{
    struct hp_input got;
    struct input_account a;

    open_queue();
    push(100, 0, 0, 99 * PERIOD);
    take(100);
    take(101);
    push(101, 0, HP_BUTTON_GEAR, 101 * PERIOD + 40);
    push(102, 5, 0, 101 * PERIOD + 40);
    got = take(102);
    ok_int(got.buttons, HP_BUTTON_GEAR);
    ok_int(got.axes[HP_AXIS_ROLL], 5);
    ok_int(got.flags, 0);
    input_queue_account(q, &a);
    ok_int(a.used_mask, 5);
    got = take(103);
    push(104, 6, 0, 103 * PERIOD);
    ok_int(take(104).buttons, 0);
    input_queue_destroy(q);
}

static void
a_late_input_tells_a_negative_margin(void)
{
    struct input_account a;

    open_queue();
    push(100, 0, 0, 99 * PERIOD);
    take(100);
    take(101);
    push(101, 0, 0, 101 * PERIOD + 40);
    take(102);
    input_queue_account(q, &a);
    ok_int(a.newest, 101);
    ok_int(a.margin_ns, -40);
    ok_int(a.fresh, 0);
    input_queue_destroy(q);
}

static void
known_and_far_inputs_are_not_kept(void)
{
    struct hp_input in = input(1, 0);

    open_queue();
    ok_int(input_queue_push(q, 100, &in, 1, 0), 1);
    ok_int(input_queue_push(q, 100, &in, 1, 0), 0);
    ok_int(input_queue_push(q, 165, &in, 1, 0), -ERANGE);
    ok_int(input_queue_push(q, 35, &in, 1, 0), -ERANGE);
    ok_int(input_queue_push(q, UINT64_MAX, &in, 1, 0), -ERANGE);
    ok_int(input_queue_push(q, 164, &in, 1, 0), 1);
    input_queue_destroy(q);
}

TAP_MAIN(FACT(an_input_is_used_at_its_own_tick),
         FACT(a_missing_input_repeats_the_last_one_and_says_so),
         FACT(a_press_in_a_late_input_moves_to_the_next_tick),
         FACT(a_late_input_tells_a_negative_margin),
         FACT(known_and_far_inputs_are_not_kept))
