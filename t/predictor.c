/*
 * predictor_replay against a small server: a model of one axis and one edge,
 * inputs that arrive when the test says, and the rules of wire/usage.h.
 */
#include "fake_host.h"
#include "tap.h"
#include <wire/usage.h>

#define TICKS_MAX 600

/* The own state of the fake sim. */
struct own {
    double x_m;
    double speed_mps;
    double heading_rad;
    uint32_t buttons; /* of the tick before, to see edges */
    uint32_t presses; /* each is a kick */
    uint32_t generation;
    uint32_t reserved;
};

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_predictor_ops *ops;
static struct hp_limits limits;

/* The server. */
static struct own truth_own[TICKS_MAX];    /* after each tick */
static struct hp_input samples[TICKS_MAX]; /* what the client sent */
static uint8_t sent[TICKS_MAX];            /* and whether it did */
static int64_t arrives_at[TICKS_MAX];      /* and in which tick */
static struct hp_input last_used;
static uint32_t used_mask, server_steps;

static void
model_step(const struct hp_instance *model, void *state,
           const struct hp_input *input, const struct hp_tick *tick)
{
    uint32_t pressed;
    struct own *own = state;

    (void)model;
    pressed = input->buttons & ~own->buttons;
    own->buttons = input->buttons;
    if (pressed & HP_BUTTON_GEAR) {
        own->presses++;
        own->speed_mps += 50;
    }
    own->speed_mps += input->axes[HP_AXIS_PITCH] * 1e-3 * tick->dt_s;
    own->heading_rad += input->axes[HP_AXIS_ROLL] * 1e-4 * tick->dt_s;
    own->x_m += own->speed_mps * tick->dt_s;
}

static void
own_view(const struct hp_instance *model, const void *state, void *out)
{
    const struct own *own = state;
    struct hp_entity *record = out;

    (void)model;
    *record = (struct hp_entity){.generation = (uint16_t)own->generation};
    record->position_m[0] = own->x_m;
    record->attitude[0] = (float)cos(own->heading_rad / 2);
    record->attitude[3] = (float)sin(own->heading_rad / 2);
}

static uint32_t
own_digest(const void *own, uint32_t bytes)
{
    const uint8_t *at = own;
    uint32_t digest = 2166136261u;

    while (bytes-- > 0)
        digest = (digest ^ *at++) * 16777619u;
    return digest;
}

static const struct hp_model model = {
    .size = sizeof(model),
    .own_bytes = sizeof(struct own),
    .step = model_step,
    .own_view = own_view,
    .own_digest = own_digest,
};

static const struct hp_schema schema = {.record_bytes =
                                            sizeof(struct hp_entity)};

static void
begin(void)
{
    fake_host_init(&fake, HP_SIDE_CLIENT);
    limits = fake_limits(HP_SIDE_CLIENT);
    limits.schema = &schema;
    limits.model = &model;
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    memset(truth_own, 0, sizeof(truth_own));
    memset(sent, 0, sizeof(sent));
    memset(&last_used, 0, sizeof(last_used));
    used_mask = 0;
    server_steps = 0;
}

static void
end(void)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

/* A stick that always moves, and a button pressed each 20 ticks for one. */
static struct hp_input
pilot(uint64_t tick)
{
    struct hp_input input = {0};

    input.axes[HP_AXIS_PITCH] = (int16_t)(20000 * sin((double)tick * 0.11));
    input.axes[HP_AXIS_ROLL] = (int16_t)(15000 * cos((double)tick * 0.07));
    if (tick % 20 == 10)
        input.buttons = HP_BUTTON_GEAR;
    return input;
}

/* The client's tick. Its packet reaches the server `late` ticks too late, or
 * never when that is negative; it carries the samples before it as well. */
static void
client_tick(uint64_t index, int late)
{
    struct hp_tick tick = fake_tick(index);
    int64_t arrival = (int64_t)index + late;
    uint64_t back;

    samples[index] = pilot(index);
    for (back = 0; late >= 0 && back <= index && back < 32; back++) {
        if (sent[index - back] && arrives_at[index - back] <= arrival)
            continue;
        sent[index - back] = 1;
        arrives_at[index - back] = arrival;
    }
    ops->input(self, &tick, &samples[index]);
}

static int
is_here(uint64_t tick, uint64_t now)
{
    return sent[tick] && arrives_at[tick] <= (int64_t)now;
}

/* The server's tick, by the rules that it keeps. */
static void
server_tick(uint64_t index)
{
    struct hp_tick tick = fake_tick(index);
    struct hp_input used;
    uint32_t back, missed = 0;
    int fresh = is_here(index, index);

    for (back = 1; back <= index && back <= 32; back++) {
        if (used_mask >> (back - 1) & 1)
            break;
        if (is_here(index - back, index))
            missed |= samples[index - back].buttons;
    }
    if (fresh)
        usage_fresh(&samples[index], missed, &used);
    else
        usage_repeat(&last_used, &used);
    last_used = used;
    used_mask = used_mask << 1 | (uint32_t)fresh;
    if (index > 0)
        truth_own[index] = truth_own[index - 1];
    model_step(NULL, &truth_own[index], &used, &tick);
    server_steps++;
}

/* The client hears of the server's newest tick, with or without its state. */
static int
snapshot_of(uint64_t tick, uint32_t mask, int with_own, uint32_t delay)
{
    struct hp_view view = {.size = sizeof(view), .own = HP_INDEX_NONE};
    struct hp_truth truth = {
        .size = sizeof(truth),
        .flags = HP_TRUTH_CHECK | (with_own ? HP_TRUTH_OWN : 0),
        .tick = tick,
        .own_tick = tick,
        .used_mask = mask,
        .own_check = own_digest(&truth_own[tick], sizeof(struct own)),
        .peer_delay_ticks = delay,
        .own = with_own ? &truth_own[tick] : NULL,
    };

    return ops->snapshot(self, &truth, &view);
}

static int
snapshot(uint64_t tick, int with_own)
{
    return snapshot_of(tick, used_mask, with_own, 0);
}

static struct hp_prediction
measured(void)
{
    struct hp_prediction m;

    ops->measure(self, &m);
    return m;
}

static double
x_of(int shown, uint64_t time_ns)
{
    struct hp_entity record;

    if ((shown ? ops->present(self, time_ns, &record)
               : ops->own(self, &record)) < 0)
        return NAN;
    return record.position_m[0];
}

/* Plays `ticks`: the client runs `lead` ahead of the server (or behind it),
 * and hears each snapshot at once. Lateness of a sample by `late_of`. */
static void
play(uint64_t ticks, int lead, int (*late_of)(uint64_t tick))
{
    uint64_t t, c = 0;
    int wanted = 1;

    for (t = 0; t < ticks; t++) {
        for (; (int64_t)c <= (int64_t)t + lead; c++)
            client_tick(c, late_of(c));
        server_tick(t);
        wanted = snapshot(t, wanted);
    }
}

static int
in_time(uint64_t tick)
{
    (void)tick;
    return 0;
}

static void
nothing_is_known_before_the_first_own_state(void)
{
    struct hp_entity record;

    begin();
    ok_int(ops->own(self, &record), -ENOENT);
    ok_int(ops->present(self, 1, &record), -ENOENT);
    client_tick(0, 0);
    ok_int(ops->own(self, &record), -ENOENT);
    server_tick(0);
    ok_int(snapshot(0, 0), 1); /* asks for it */
    ok_int(snapshot(0, 1), 0); /* got it */
    ok_int(ops->own(self, &record), 0);
    end();
}

static void
inputs_that_are_used_need_no_correction(void)
{
    begin();
    play(300, 6, in_time);
    ok_int(measured().wrong, 0);
    ok_int(measured().checked, 299); /* the first was given, not foretold */
    ok_int(measured().replayed, 6);  /* on the first own state alone */
    ok_real(measured().worst_error_m, 0, 0);
    end();
}

static void
the_prediction_is_ahead_by_the_inputs_under_way(void)
{
    uint64_t t;
    double x;

    begin();
    play(50, 6, in_time);
    x = x_of(0, 0);
    for (t = 50; t <= 55; t++)
        server_tick(t);
    ok_real(x, truth_own[55].x_m, 0);
    end();
}

static int
some_are_late(uint64_t tick)
{
    return tick % 37 == 30 ? 1 : tick % 53 == 20 ? 3 : 0;
}

static void
missed_inputs_need_no_correction_once_the_mask_tells(void)
{
    begin();
    play(500, 8, some_are_late);
    ok_int(measured().wrong, 0);
    ok_int(measured().checked, 499);
    ok(measured().worst_error_m > 0);
    ok(measured().replayed > 20 && measured().replayed < 400);
    end();
}

static int
presses_are_late(uint64_t tick)
{
    return tick % 20 == 10 ? 2 : tick % 20 == 11;
}

static void
a_press_that_came_late_is_moved_and_not_lost(void)
{
    begin();
    play(400, 8, presses_are_late);
    ok_int(truth_own[399].presses, 20);
    ok_int(measured().wrong, 0);
    end();
}

static int
some_never_come(uint64_t tick)
{
    return tick % 41 == 40 ? -1 : 0;
}

static void
lost_packets_need_no_correction_either(void)
{
    begin();
    play(300, 4, some_never_come);
    ok_int(measured().wrong, 0);
    end();
}

/* faults.md N11: the client's clock runs from 3 ticks early to 3 late, where
 * snapshots are newer than the newest input. */
static void
early_or_late_by_three_ticks_there_are_no_corrections(void)
{
    int lead;

    for (lead = -3; lead <= 3; lead++) {
        begin();
        play(200, lead, in_time);
        ok_int(measured().wrong, 0);
        ok_int(measured().checked, 199);
        end();
    }
}

static uint32_t luck;

static uint32_t
one_of(uint32_t count)
{
    luck = luck * 1664525u + 1013904223u;
    return (luck >> 16) % count;
}

static int
as_luck_has_it(uint64_t tick)
{
    (void)tick;
    return one_of(10) == 0 ? -1 : one_of(3) == 0 ? 1 + (int)one_of(3) : 0;
}

/* Packets late and lost, snapshots lost, clocks early and late, all at once:
 * the server's word explains every one of them. */
static void
no_weather_on_the_wire_makes_a_wrong_prediction(void)
{
    uint64_t t, c;
    uint32_t seed;
    int lead, wanted;

    for (seed = 1; seed <= 40; seed++) {
        luck = seed * 7919;
        begin();
        wanted = 1;
        lead = (int)one_of(12) - 3;
        for (t = 0, c = 0; t < 400; t++) {
            for (; (int64_t)c <= (int64_t)t + lead; c++)
                client_tick(c, as_luck_has_it(c));
            server_tick(t);
            if (one_of(3) > 0)
                wanted = snapshot(t, wanted);
        }
        ok_int(measured().wrong, 0);
        ok(measured().checked > 200);
        end();
    }
}

/* The client's clock is set forward and back: ticks are skipped, then given
 * again. */
static void
a_client_that_skips_ticks_goes_on(void)
{
    uint64_t t, c = 0;
    int wanted = 1;

    begin();
    for (t = 0; t < 200; t++) {
        for (; c <= t + 2; c++)
            if (c % 50 < 45)
                client_tick(c, 0);
        server_tick(t);
        wanted = snapshot(t, wanted);
    }
    ok_int(measured().wrong, 0);
    client_tick(190, 0); /* long stepped: ignored */
    ok_int(snapshot(199, 0), 0);
    end();
}

static void
a_mismatch_asks_and_the_exact_state_is_replayed_on(void)
{
    uint64_t t;
    double before;

    begin();
    play(100, 6, in_time);
    truth_own[99].x_m += 3; /* a gust that no input explains */
    server_tick(100);
    client_tick(106, 0);
    before = x_of(0, 0);
    ok_int(snapshot(100, 0), 1);
    ok_real(x_of(0, 0), before, 0); /* nothing to go by yet */
    ok_int(measured().wrong, 1);
    server_tick(101);
    ok_int(snapshot(101, 0), 1); /* asks on, counts once */
    ok_int(measured().wrong, 1);
    ok_int(snapshot(101, 1), 0);
    ok_real(x_of(0, 0), before + 3, 1e-9);
    ok_real(measured().last_error_m, 3, 1e-9);
    ok_real(measured().worst_error_m, 3, 1e-9);
    for (t = 102; t < 110; t++) {
        server_tick(t);
        client_tick(t + 6, 0);
        ok_int(snapshot(t, 0), 0);
    }
    ok_int(measured().wrong, 1);
    end();
}

static void
a_correction_is_bled_off_within_150_ms(void)
{
    const uint64_t ms = 1000000;
    uint64_t t;
    double shown, exact, gap, last = 3;

    begin();
    play(100, 2, in_time);
    exact = x_of(1, 5000 * ms);
    truth_own[99].x_m += 3;
    truth_own[99].heading_rad += 0.1;
    server_tick(100);
    snapshot(100, 1);
    shown = x_of(1, 5001 * ms);
    ok_real(shown, exact, 1e-9); /* no jump */
    for (t = 5001; t <= 5151; t += 10) {
        gap = x_of(0, 0) - x_of(1, t * ms);
        ok(gap <= last + 1e-9 && gap >= -1e-9);
        last = gap;
    }
    ok_real(x_of(1, 5151 * ms), x_of(0, 0), 0);
    ok_real(measured().last_error_rad, 0.1, 1e-6);
    end();
}

/* The angle about the down axis. */
static double
heading_shown(uint64_t time_ns)
{
    struct hp_entity record;

    ok_int(ops->present(self, time_ns, &record), 0);
    return 2 * atan2((double)record.attitude[3], (double)record.attitude[0]);
}

static void
a_correction_during_another_does_not_jump(void)
{
    const uint64_t ms = 1000000;
    double x, heading;

    begin();
    play(100, 0, in_time);
    truth_own[99].x_m += 2;
    truth_own[99].heading_rad += 0.2;
    snapshot(99, 1);
    x_of(1, 1000 * ms);
    x = x_of(1, 1060 * ms);
    heading = heading_shown(1060 * ms);
    truth_own[99].x_m -= 1;
    truth_own[99].heading_rad += 0.3;
    snapshot(99, 1);
    ok_real(x_of(1, 1061 * ms), x, 1e-9);
    ok_real(heading_shown(1061 * ms), heading, 1e-6);
    ok_real(x_of(1, 1300 * ms), truth_own[99].x_m, 0);
    ok_real(heading_shown(1300 * ms), truth_own[99].heading_rad, 1e-6);
    end();
}

static void
a_new_aircraft_is_no_correction(void)
{
    begin();
    play(100, 0, in_time);
    truth_own[99].x_m += 40;
    truth_own[99].generation++;
    ok_int(snapshot(99, 1), 0);
    ok_real(x_of(1, 1), truth_own[99].x_m, 0);
    ok_real(measured().worst_error_m, 0, 0);
    end();
}

static void
an_own_state_that_was_overtaken_changes_nothing(void)
{
    double x;

    begin();
    play(100, 3, in_time);
    ok_int(snapshot(99, 1), 0);
    x = x_of(0, 0);
    truth_own[80].x_m += 1000;
    snapshot(80, 1);
    ok_real(x_of(0, 0), x, 0);
    end();
}

static void
far_ahead_of_the_delay_it_snaps_and_says_so(void)
{
    uint64_t t;

    begin();
    play(100, 2, in_time);
    for (t = 102; t < 150; t++)
        client_tick(t, 0);
    truth_own[99].x_m += 5;
    server_tick(100);
    ok_int(snapshot_of(100, used_mask, 1, 3), 0);
    ok_int(fake.log_lines, 1);
    ok_text(fake.log_text,
            "49 ticks ahead of the server, whose delay is 3: the aircraft is "
            "put where the server has it");
    ok_real(x_of(0, 0), truth_own[100].x_m, 0);
    end();
}

static void
a_leap_over_the_window_starts_anew(void)
{
    begin();
    play(100, 2, in_time);
    server_tick(100);
    memset(&truth_own[400], 0, sizeof(truth_own[400]));
    truth_own[400].x_m = 77;
    ok_int(snapshot_of(400, 0, 0, 0), 1);
    ok(isnan(x_of(0, 0)));
    ok_int(snapshot_of(400, 0, 1, 0), 0);
    ok_real(x_of(0, 0), 77, 0);
    end();
}

static void
owning_nothing_there_is_nothing_to_show(void)
{
    struct hp_view view = {.size = sizeof(view), .own = HP_INDEX_NONE};
    struct hp_truth truth = {.size = sizeof(truth), .tick = 100};

    begin();
    play(100, 2, in_time);
    ok_int(ops->snapshot(self, &truth, &view), 0);
    ok(isnan(x_of(0, 0)));
    end();
}

TAP_MAIN(FACT(nothing_is_known_before_the_first_own_state),
         FACT(inputs_that_are_used_need_no_correction),
         FACT(the_prediction_is_ahead_by_the_inputs_under_way),
         FACT(missed_inputs_need_no_correction_once_the_mask_tells),
         FACT(a_press_that_came_late_is_moved_and_not_lost),
         FACT(lost_packets_need_no_correction_either),
         FACT(early_or_late_by_three_ticks_there_are_no_corrections),
         FACT(no_weather_on_the_wire_makes_a_wrong_prediction),
         FACT(a_client_that_skips_ticks_goes_on),
         FACT(a_mismatch_asks_and_the_exact_state_is_replayed_on),
         FACT(a_correction_is_bled_off_within_150_ms),
         FACT(a_correction_during_another_does_not_jump),
         FACT(a_new_aircraft_is_no_correction),
         FACT(an_own_state_that_was_overtaken_changes_nothing),
         FACT(far_ahead_of_the_delay_it_snaps_and_says_so),
         FACT(a_leap_over_the_window_starts_anew),
         FACT(owning_nothing_there_is_nothing_to_show))
