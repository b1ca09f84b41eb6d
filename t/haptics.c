#include "haptics.h"
#include "clock.h"
#include "tap.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MS    1000000ull
#define START (1000 * MS)

/* ---- a backend that remembers ---- */

enum call {
    RENDER,
    SILENCE
};

struct heard {
    enum call call;
    uint64_t time_ns; /* on entry */
    struct hp_level level;
};

#define HEARD_MAX 8192

struct hp_instance {
    struct clock *clock;
    struct hp_device devices[4];
    uint32_t device_count;
    int refuse; /* what render returns */
    uint32_t count;
    struct heard heard[HEARD_MAX];
    atomic_uint works;
};

static void
hear(struct hp_instance *self, enum call call, const struct hp_level *level)
{
    struct heard *h = &self->heard[self->count];

    if (self->count == HEARD_MAX)
        return;
    self->count++;
    h->call = call;
    h->time_ns = clock_now_ns(self->clock);
    if (level != NULL)
        h->level = *level;
}

static int
fake_devices(struct hp_instance *self, struct hp_device_sink *sink)
{
    uint32_t i;

    for (i = 0; i < self->device_count && i < sink->capacity; i++)
        sink->devices[i] = self->devices[i];
    sink->count = i;
    return 0;
}

static int
fake_render(struct hp_instance *self, const struct hp_levels *levels)
{
    uint32_t i;

    for (i = 0; i < levels->count; i++)
        hear(self, RENDER, &levels->levels[i]);
    return self->refuse;
}

static int
fake_work(struct hp_instance *self, uint64_t until_ns)
{
    (void)until_ns;
    atomic_fetch_add(&self->works, 1);
    return 0;
}

static int
fake_silence(struct hp_instance *self)
{
    hear(self, SILENCE, NULL);
    return 0;
}

static const struct hp_haptics_ops quick = {
    .size = sizeof(quick),
    .devices = fake_devices,
    .render = fake_render,
    .silence = fake_silence,
};

static const struct hp_haptics_ops slow = {
    .size = sizeof(slow),
    .devices = fake_devices,
    .render = fake_render,
    .work = fake_work,
    .silence = fake_silence,
};

/* ---- two of them, a clock and a set of effects ---- */

struct rig {
    struct clock *clock;
    struct clock_waiter *waiter;
    struct effects *set;
    struct hp_instance *fakes[2];
    struct instance *instances[2];
    struct haptics *haptics;
};

static struct hp_device
motor(uint32_t id)
{
    struct hp_device d = {0};

    d.id = id;
    d.generation = 1;
    d.flags = HP_DEVICE_HOLDS_DEADLINE;
    d.actuator_count = 1;
    d.actuators[0].kind = HP_ACTUATOR_LOW;
    return d;
}

static struct effects *
new_set(float hit)
{
    struct effects *set = calloc(1, sizeof(*set));
    struct effect *e = set->list;

    set->count = 2;
    set->keepalive_ms = 250;
    snprintf(e[0].name, sizeof(e[0].name), "hit");
    e[0].mode = EFFECT_ONESHOT;
    e[0].hold_ms = 120;
    e[0].levels[HP_ACTUATOR_LOW] = hit;
    e[0].gain = 1;
    snprintf(e[1].name, sizeof(e[1].name), "stall");
    e[1].mode = EFFECT_HOLD;
    e[1].levels[HP_ACTUATOR_LOW] = 0.3f;
    e[1].gain = 1;
    e[1].sustain = 1;
    e[1].release_ms = 120;
    e[1].max_hold_ms = 60000;
    return set;
}

static struct instance *
new_instance(struct rig *r, struct hp_instance *fake,
             const struct hp_haptics_ops *ops, const char *name)
{
    struct instance *i = calloc(1, sizeof(*i));

    i->ops = ops;
    i->self = fake;
    i->clock = r->clock;
    hist_init(&i->call_ns);
    snprintf(i->label, sizeof(i->label), "haptics.%s (client)", name);
    snprintf(i->section, sizeof(i->section), "haptics.%s", name);
    return i;
}

/* Backend 0 has device 5; backend 1, with a device thread, has device 0. */
static struct rig
rig_make(int is_virtual, const char *only_device)
{
    struct haptics_config config = {0};
    struct rig r = {0};
    int i;

    if (is_virtual)
        ok_int(clock_create_virtual(&r.clock, START), 0);
    else
        ok_int(clock_create_real(&r.clock), 0);
    ok_int(clock_join(r.clock, &r.waiter), 0);
    clock_enter(r.waiter);
    r.set = new_set(0.8f);
    for (i = 0; i < 2; i++) {
        r.fakes[i] = calloc(1, sizeof(*r.fakes[i]));
        r.fakes[i]->clock = r.clock;
        r.fakes[i]->devices[0] = motor(i == 0 ? 5 : 0);
        snprintf(r.fakes[i]->devices[0].stable_id, 96, "fake:%d", i);
        r.fakes[i]->device_count = 1;
    }
    r.instances[0] = new_instance(&r, r.fakes[0], &quick, "quick");
    r.instances[1] = new_instance(&r, r.fakes[1], &slow, "slow");
    config.clock = r.clock;
    config.backends = r.instances;
    config.backend_count = 2;
    config.effects = r.set;
    config.snapshot_interval_ns = 16 * MS;
    config.only_device = only_device;
    ok_int(haptics_create(&r.haptics, &config), 0);
    return r;
}

static struct rig
rig_up(int is_virtual)
{
    struct rig r = rig_make(is_virtual, NULL);

    ok_int(haptics_start(r.haptics), 0);
    return r;
}

static void
rig_down(struct rig *r)
{
    int i;

    haptics_stop(r->haptics, r->waiter);
    haptics_destroy(r->haptics);
    for (i = 0; i < 2; i++) {
        free(r->instances[i]);
        free(r->fakes[i]);
    }
    free(r->set);
    clock_leave(r->waiter);
    clock_destroy(r->clock);
}

/* Lets time pass, with a heartbeat each 20 ms. */
static void
live(const struct rig *r, uint64_t ns)
{
    uint64_t end_ns = clock_now_ns(r->clock) + ns, now_ns;

    while ((now_ns = clock_now_ns(r->clock)) < end_ns) {
        haptics_heartbeat(r->haptics, now_ns);
        clock_wait(r->waiter, -1,
                   end_ns - now_ns < 20 * MS ? end_ns : now_ns + 20 * MS, 0);
    }
}

static void
post(const struct rig *r, const char *effect, uint32_t action, uint32_t flags)
{
    uint64_t now_ns = clock_now_ns(r->clock);
    struct hp_effect_command c = {0};

    c.effect = effect;
    c.action = action;
    c.flags = flags;
    c.level = 1;
    c.cause_tick = now_ns / MS;
    haptics_post(r->haptics, &c, 1, now_ns);
}

static const struct heard *
last(const struct rig *r, int fake)
{
    return &r->fakes[fake]->heard[r->fakes[fake]->count - 1];
}

static struct haptics_report
report(const struct rig *r)
{
    struct haptics_report out;

    haptics_report(r->haptics, &out);
    return out;
}

/* ---- facts ---- */

static void
a_command_is_rendered_when_it_is_posted(void)
{
    struct rig r = rig_up(1);
    const struct heard *h;

    live(&r, 500 * MS);
    ok_int(r.fakes[0]->count, 0);
    post(&r, "hit", HP_EFFECT_PLAY, HP_EFFECT_PREDICTED);
    live(&r, 1);
    if (ok_int(r.fakes[0]->count, 1)) {
        h = r.fakes[0]->heard;
        ok_int(h->time_ns, START + 500 * MS);
        ok_int(h->level.cause_ns, START + 500 * MS);
        ok_int(h->level.deadline_ns, START + 800 * MS);
        ok_int(h->level.flags, HP_LEVEL_FIRST);
        ok_real(h->level.level, 0.8, 1e-6);
    }
    live(&r, 300 * MS);
    h = last(&r, 0);
    ok_real(h->level.level, 0, 0);
    ok_int(hist_count(haptics_command_ns(r.haptics)), 1);
    ok_int(hist_count(haptics_event_ns(r.haptics)), 0);
    ok_int(hist_quantile(haptics_command_ns(r.haptics), 1), 0);
    ok_int(report(&r).commands, 1);
    ok_int(report(&r).mixer.started, 1);
    rig_down(&r);
}

static void
the_way_from_its_cause_is_measured(void)
{
    struct rig r = rig_up(1);
    struct hp_effect_command c = {0};

    c.effect = "hit";
    c.action = HP_EFFECT_PLAY;
    c.level = 1;
    haptics_post(r.haptics, &c, 1, START - 3 * MS);
    c.cause_tick = 1;
    c.flags = HP_EFFECT_PREDICTED;
    haptics_post(r.haptics, &c, 1, START - 140 * MS);
    c.cause_tick = 2;
    haptics_post(r.haptics, &c, 1, START - 160 * MS); /* too old */
    live(&r, 10 * MS);
    ok_int(hist_count(haptics_event_ns(r.haptics)), 1);
    ok_real((double)hist_quantile(haptics_event_ns(r.haptics), 1), 3e6, 3e4);
    ok_int(hist_count(haptics_command_ns(r.haptics)), 1);
    ok_real((double)hist_quantile(haptics_command_ns(r.haptics), 1), 14e7,
            14e5);
    ok_int(report(&r).mixer.stale, 1);
    rig_down(&r);
}

/* No stronger than what is felt already, it led to no render of its own. */
static void
a_masked_start_is_not_measured(void)
{
    struct rig r = rig_up(1);

    post(&r, "hit", HP_EFFECT_PLAY, 0);
    live(&r, 10 * MS);
    post(&r, "hit", HP_EFFECT_PLAY, 0);
    live(&r, 240 * MS);
    ok_int(report(&r).mixer.started, 2);
    ok_int(hist_count(haptics_event_ns(r.haptics)), 1);
    rig_down(&r);
}

static void
each_backend_gets_its_own_devices(void)
{
    struct rig r = rig_up(1);

    post(&r, "hit", HP_EFFECT_PLAY, 0);
    live(&r, 1);
    ok_int(r.fakes[0]->count, 1);
    ok_int(r.fakes[0]->heard[0].level.device, 5);
    ok_int(r.fakes[1]->count, 1);
    ok_int(r.fakes[1]->heard[0].level.device, 0);
    ok_int(report(&r).devices, 2);
    rig_down(&r);
}

static void
one_device_may_be_served_alone(void)
{
    struct rig r = rig_make(1, "fake:1");
    uint32_t backend = 99;

    ok_int(haptics_start(r.haptics), 0);
    ok_int(haptics_device_count(r.haptics), 1);
    ok_text(haptics_device(r.haptics, 0, &backend)->stable_id, "fake:1");
    ok_int(backend, 1);
    post(&r, "hit", HP_EFFECT_PLAY, 0);
    live(&r, 50 * MS);
    haptics_stop(r.haptics, r.waiter);
    ok_int(r.fakes[0]->count, 1); /* silence */
    /* Full, seven steps of the release, zero. */
    ok_int(haptics_told(r.haptics, 0, 0).levels, 9);
    ok_real(haptics_told(r.haptics, 0, 0).peak, 0.8, 1e-6);
    rig_down(&r);
}

static void
a_steady_level_is_refreshed_each_100_ms(void)
{
    struct rig r = rig_up(1);
    uint32_t i;

    for (i = 0; i < 50; i++) {
        post(&r, "stall", HP_EFFECT_HOLD, 0);
        live(&r, 20 * MS);
    }
    ok_int(r.fakes[0]->count, 10);
    for (i = 1; i < r.fakes[0]->count; i++)
        ok_int(r.fakes[0]->heard[i].time_ns - r.fakes[0]->heard[i - 1].time_ns,
               100 * MS);
    rig_down(&r);
}

static void
a_client_that_hangs_releases_everything(void)
{
    struct rig r = rig_up(1);
    uint64_t beat_ns;

    r.set->keepalive_ms = 2000; /* so that this alone does not end it */
    haptics_set_effects(r.haptics, r.set, r.waiter);
    live(&r, 100 * MS);
    beat_ns = clock_now_ns(r.clock) - 20 * MS;
    post(&r, "stall", HP_EFFECT_HOLD, 0);
    clock_wait(r.waiter, -1, beat_ns + 249 * MS, 0);
    ok_real(last(&r, 0)->level.level, 0.3, 1e-6);
    ok_int(report(&r).heartbeats_lost, 0);
    clock_wait(r.waiter, -1, beat_ns + 281 * MS, 0);
    ok_real(last(&r, 0)->level.level, 0, 0);
    ok_int(report(&r).heartbeats_lost, 1);
    clock_wait(r.waiter, -1, beat_ns + 2000 * MS, 0);
    ok_int(report(&r).heartbeats_lost, 1);
    live(&r, 20 * MS);
    post(&r, "stall", HP_EFFECT_HOLD, 0);
    live(&r, 40 * MS);
    ok_real(last(&r, 0)->level.level, 0.3, 1e-6);
    rig_down(&r);
}

static void
a_pause_is_silent_within_30_ms_and_a_hold_comes_back(void)
{
    struct rig r = rig_up(1);
    uint64_t now_ns;

    post(&r, "stall", HP_EFFECT_HOLD, 0);
    live(&r, 50 * MS);
    now_ns = clock_now_ns(r.clock);
    haptics_scope(r.haptics, MIXER_PAUSED);
    live(&r, 31 * MS);
    ok_real(last(&r, 0)->level.level, 0, 0);
    ok(last(&r, 0)->time_ns <= now_ns + 30 * MS);
    post(&r, "stall", HP_EFFECT_HOLD, 0);
    live(&r, 150 * MS);
    ok_real(last(&r, 0)->level.level, 0, 0);
    haptics_scope(r.haptics, MIXER_FLYING);
    post(&r, "stall", HP_EFFECT_HOLD, 0);
    live(&r, 100 * MS);
    ok_real(last(&r, 0)->level.level, 0.15, 0.02); /* it fades in */
    live(&r, 101 * MS);
    ok_real(last(&r, 0)->level.level, 0.3, 1e-6);
    rig_down(&r);
}

static void
stopping_tells_zero_then_silence(void)
{
    struct rig r = rig_up(1);
    struct hp_instance *f = r.fakes[0];
    uint64_t now_ns;

    post(&r, "stall", HP_EFFECT_HOLD, 0);
    live(&r, 50 * MS);
    now_ns = clock_now_ns(r.clock);
    haptics_stop(r.haptics, r.waiter);
    ok_int(f->heard[f->count - 1].call, SILENCE);
    ok_int(f->heard[f->count - 2].call, RENDER);
    ok_real(f->heard[f->count - 2].level.level, 0, 0);
    ok(f->heard[f->count - 1].time_ns <= now_ns + 30 * MS);
    rig_down(&r);
}

static void
a_device_that_comes_gets_what_is_held(void)
{
    struct rig r = rig_up(1);

    post(&r, "stall", HP_EFFECT_HOLD, 0);
    live(&r, 50 * MS);
    r.fakes[0]->devices[1] = motor(2);
    r.fakes[0]->device_count = 2;
    haptics_poll_devices(r.haptics);
    live(&r, 1);
    ok_int(r.fakes[0]->count, 2);
    ok_int(last(&r, 0)->level.device, 2);
    ok_int(last(&r, 0)->level.flags, HP_LEVEL_FIRST);
    ok_int(report(&r).devices, 3);
    /* The first one goes, told to stop, as it may only have been given to
     * another backend; the other keeps its slot and is not told anew. */
    r.fakes[0]->devices[0] = motor(2);
    r.fakes[0]->device_count = 1;
    haptics_poll_devices(r.haptics);
    haptics_poll_devices(r.haptics);
    live(&r, 1);
    ok_int(r.fakes[0]->count, 3);
    ok_real(last(&r, 0)->level.level, 0, 0);
    ok(last(&r, 0)->level.device != 2);
    ok_int(report(&r).devices, 2);
    rig_down(&r);
}

static void
a_full_ring_counts_what_it_drops(void)
{
    struct rig r = rig_up(1);
    int i;

    live(&r, 1);
    for (i = 0; i < 1100; i++)
        post(&r, "stall", HP_EFFECT_HOLD, 0);
    live(&r, 1);
    ok_int(report(&r).commands, 1024);
    ok_int(report(&r).dropped, 1100 - 1024);
    ok_int(report(&r).mixer.started, 1);
    rig_down(&r);
}

static void
a_new_set_is_in_use_on_return(void)
{
    struct rig r = rig_up(1);
    struct effects *next = new_set(0.5f);

    live(&r, 1);
    haptics_set_effects(r.haptics, next, r.waiter);
    free(r.set);
    r.set = next;
    post(&r, "hit", HP_EFFECT_PLAY, 0);
    live(&r, 1);
    ok_real(last(&r, 0)->level.level, 0.5, 1e-6);
    rig_down(&r);
}

static void
work_that_returned_early_is_called_after_a_render(void)
{
    struct rig r = rig_up(1);
    unsigned before;

    live(&r, 10 * MS);
    before = atomic_load(&r.fakes[1]->works);
    live(&r, 30 * MS);
    ok_int(atomic_load(&r.fakes[1]->works), before);
    post(&r, "hit", HP_EFFECT_PLAY, 0);
    live(&r, 1);
    ok_int(atomic_load(&r.fakes[1]->works), before + 1);
    rig_down(&r);
}

static void
a_backend_that_fails_leaves_the_others_alone(void)
{
    struct rig r = rig_up(1);

    r.fakes[0]->refuse = -EIO;
    post(&r, "hit", HP_EFFECT_PLAY, 0);
    live(&r, 300 * MS);
    ok_real(last(&r, 1)->level.level, 0, 0);
    ok_int(r.fakes[0]->count, r.fakes[1]->count);
    ok(r.fakes[1]->count > 2);
    rig_down(&r);
}

static void
what_is_posted_before_the_start_is_not_lost(void)
{
    struct rig r = rig_make(1, NULL);

    post(&r, "hit", HP_EFFECT_PLAY, 0);
    ok_int(haptics_start(r.haptics), 0);
    live(&r, 1);
    ok_int(r.fakes[0]->count, 1);
    rig_down(&r);
}

static void
too_many_backends_are_refused(void)
{
    struct haptics_config config = {0};
    struct haptics *h = NULL;

    config.backend_count = HAPTICS_BACKENDS_MAX + 1;
    ok_int(haptics_create(&h, &config), -E2BIG);
    ok(h == NULL);
}

/* In real time, for a third of a second: three threads talk at once, and the
 * thread sanitizer listens. */
static void
real_threads_end_in_silence(void)
{
    struct rig r = rig_up(0);
    struct hp_instance *f = r.fakes[1];
    uint32_t i;

    for (i = 0; i < 100; i++) {
        post(&r, i % 5 ? "stall" : "hit",
             i % 5 ? HP_EFFECT_HOLD : HP_EFFECT_PLAY, HP_EFFECT_PREDICTED);
        live(&r, 3 * MS);
        if (i % 20 == 10) {
            f->device_count = 1 + i % 3 % 2;
            f->devices[1] = motor(7);
            haptics_poll_devices(r.haptics);
        }
        haptics_scope(r.haptics, i % 30 == 29 ? MIXER_PAUSED : MIXER_FLYING);
    }
    haptics_set_effects(r.haptics, r.set, r.waiter);
    haptics_stop(r.haptics, r.waiter);
    ok_int(report(&r).commands, 100);
    ok_int(report(&r).dropped, 0);
    ok(report(&r).mixer.started > 0);
    ok(hist_count(haptics_command_ns(r.haptics)) > 0);
    ok(atomic_load(&f->works) > 0);
    ok_int(f->heard[f->count - 1].call, SILENCE);
    for (i = 0; i + 1 < f->count; i++)
        ok(f->heard[i].level.deadline_ns <=
           f->heard[i].time_ns + MIXER_DEADLINE_NS);
    ok_real(f->heard[f->count - 2].level.level, 0, 0);
    rig_down(&r);
}

TAP_MAIN(FACT(a_command_is_rendered_when_it_is_posted),
         FACT(the_way_from_its_cause_is_measured),
         FACT(a_masked_start_is_not_measured),
         FACT(each_backend_gets_its_own_devices),
         FACT(one_device_may_be_served_alone),
         FACT(a_steady_level_is_refreshed_each_100_ms),
         FACT(a_client_that_hangs_releases_everything),
         FACT(a_pause_is_silent_within_30_ms_and_a_hold_comes_back),
         FACT(stopping_tells_zero_then_silence),
         FACT(a_device_that_comes_gets_what_is_held),
         FACT(a_full_ring_counts_what_it_drops),
         FACT(a_new_set_is_in_use_on_return),
         FACT(work_that_returned_early_is_called_after_a_render),
         FACT(a_backend_that_fails_leaves_the_others_alone),
         FACT(what_is_posted_before_the_start_is_not_lost),
         FACT(too_many_backends_are_refused), FACT(real_threads_end_in_silence))
