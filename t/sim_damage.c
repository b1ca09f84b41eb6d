/* What hangs under an aircraft, what hits take from it, and what the world tells
 * of both. */
#include "sim_host.h"
#include "stores_rules.h"
#include <motion/vector.h>
#include <sim/damage.h>
#include <sim/schema.h>
#include <sim/stores.h>

/* ---- the aircraft's side ---- */

static void
step(struct aircraft *a, uint32_t buttons, int16_t roll)
{
    struct hp_input in = {.buttons = buttons};
    struct hp_tick tick = {0, 0, DT_S, 60, 1};

    in.axes[HP_AXIS_ROLL] = roll;
    in.axes[HP_AXIS_THROTTLE] = 32767;
    aircraft_step(&rules, a, &in, &tick);
}

static void
the_release_button_lets_go_of_what_is_selected(void)
{
    struct aircraft a;
    double heavy;
    int i;

    rules_begin();
    aircraft_spawn(&rules, &a, 0, 0, 0);
    ok_int(a.missiles, 2);
    ok_int(a.bombs, 2);
    ok_int(a.store, STORE_MISSILE);
    heavy = stores_carried_kg(&rules, &a);
    ok_real(heavy, stores_full_kg(&f16), 1e-9);
    step(&a, 0, 0);
    step(&a, HP_BUTTON_RELEASE, 0);
    ok(a.happened & AIRCRAFT_DID_LAUNCH);
    ok_int(a.missiles, 1);
    ok_real(stores_carried_kg(&rules, &a), heavy - f16.missile.mass_kg, 1e-9);
    step(&a, HP_BUTTON_RELEASE, 0); /* held: no edge */
    ok_int(a.missiles, 1);
    ok(!(a.happened & AIRCRAFT_DID_LAUNCH));
    step(&a, HP_BUTTON_SELECT, 0);
    ok_int(a.store, STORE_BOMB);
    for (i = 0; i < 20; i++) {
        ok_int(aircraft_check(&rules, &a), 0);
        step(&a, i % 2 ? 0 : HP_BUTTON_RELEASE, 0);
    }
    ok_int(a.missiles + a.bombs, 0);
    ok_int(a.store, STORE_NONE);
    ok_int(a.stores_released, 4);
    step(&a, HP_BUTTON_RELEASE, 0);
    ok_int(a.stores_released, 4);
    a.bombs = 3; /* more than it came with */
    ok(aircraft_check(&rules, &a) < 0);
}

static struct gun_hit
hit_from(double ahead, double right, double damage)
{
    return (struct gun_hit){
        .direction = {ahead, right, 0},
          .damage = damage
    };
}

/* The speed after ten seconds of the whole throttle. */
static double
speed_after(struct aircraft *a)
{
    int i;

    for (i = 0; i < 600; i++)
        step(a, 0, 0);
    return vector_length(a->state.velocity_mps);
}

static void
hits_from_behind_take_the_engine(void)
{
    struct aircraft whole, weak, dead;
    struct gun_hit behind = hit_from(-1, 0, 0.1), ahead = hit_from(1, 0, 0.1);
    double speeds[3];
    int i;

    rules_begin();
    aircraft_spawn(&rules, &whole, 0, 0, 0);
    weak = dead = whole;
    for (i = 0; i < 4; i++)
        damage_take(&rules, &whole, &ahead);
    ok_real(whole.health, 0.6, 1e-12);
    ok_int(damage_engines(&whole), 0);
    damage_take(&rules, &weak, &behind);
    damage_take(&rules, &weak, &behind);
    ok_int(damage_engines(&weak), 0);
    for (i = 0; i < 4; i++)
        damage_take(&rules, &dead, &behind);
    ok_int(damage_engines(&dead), DAMAGE_LEFT | DAMAGE_RIGHT);
    whole.hydraulics = weak.hydraulics = dead.hydraulics = 1;
    speeds[0] = speed_after(&whole);
    speeds[1] = speed_after(&weak);
    speeds[2] = speed_after(&dead);
    ok(speeds[0] > speeds[1] + 1 && speeds[1] > speeds[2] + 1);
    ok_int((int)dead.state.power, 0);
    ok_int(aircraft_check(&rules, &dead), 0);
}

static void
one_of_two_engines_fails_and_pulls_to_its_side(void)
{
    struct aircraft left, right;
    struct gun_hit hit = hit_from(-0.7, -0.7, 0.5);
    int i;

    rules_begin();
    f16.engine.count = 2;
    f16.engine.apart_m = 3;
    aircraft_spawn(&rules, &left, 0, 0, 0);
    right = left;
    damage_take(&rules, &left, &hit);
    ok_int(damage_engines(&left), DAMAGE_LEFT);
    hit.direction[1] = 0.7;
    damage_take(&rules, &right, &hit);
    ok_int(damage_engines(&right), DAMAGE_RIGHT);
    left.hydraulics = right.hydraulics = 1;
    for (i = 0; i < 20; i++) {
        step(&left, 0, 0);
        step(&right, 0, 0);
    }
    ok(left.state.rates_rps[2] < -1e-4);
    ok(right.state.rates_rps[2] > 1e-4);
}

static void
without_hydraulics_it_answers_slowly_and_less(void)
{
    struct gun_hit abeam = hit_from(0, 1, 0.1);
    struct aircraft whole, half, none;
    int i;

    rules_begin();
    aircraft_spawn(&rules, &whole, 0, 0, 0);
    half = none = whole;
    for (i = 0; i < 2; i++)
        damage_take(&rules, &half, &abeam);
    ok(half.hydraulics < 0.7 && half.hydraulics > 0.3);
    for (i = 0; i < 9; i++)
        damage_take(&rules, &none, &abeam);
    ok_real(none.hydraulics, 0, 0);
    ok_int(damage_engines(&none), 0);
    for (i = 0; i < 20; i++) {
        step(&whole, 0, 32767);
        step(&half, 0, 32767);
        step(&none, 0, 32767);
    }
    ok(whole.state.rates_rps[0] > 1.2 * half.state.rates_rps[0]);
    ok(half.state.rates_rps[0] > 1.2 * none.state.rates_rps[0]);
    ok(none.state.rates_rps[0] > 0.01); /* little, not nothing */
}

/* ---- in the world ---- */

enum {
    PLANES = 16,
    SHOOTER = 0
};

static struct flight_record records[PLANES];
static struct hp_event events[512];
static struct hp_view_sink sink;

static void
world_tick(struct hp_instance *self, uint64_t index, uint32_t buttons)
{
    struct hp_client_input input = {.client = SHOOTER};
    struct hp_tick tick = {index, 0, DT_S, 60, 1};

    input.input.buttons = buttons;
    sim_ops()->step(self, &tick, &input, 1);
    memset(&sink, 0, sizeof(sink));
    sink.size = sizeof(sink);
    sink.capacity = PLANES;
    sink.stride = sizeof(records[0]);
    sink.entities = records;
    sink.event_capacity = 512;
    sink.events = events;
    ok_int(sim_ops()->view(self, &sink), 0);
}

static const struct hp_event *
event_of(uint32_t type)
{
    uint32_t i;

    for (i = 0; i < sink.event_count; i++)
        if (events[i].type == type)
            return &events[i];
    return NULL;
}

static void
tell_launch_threat_and_hit(const char *planet)
{
    const struct hp_event *e = NULL;
    struct hp_instance *self;
    struct sim_host host;
    uint32_t i, whom, slot;

    sim_host_init(&host, HP_SIDE_SERVER);
    host.settings[0][0] = "planet";
    host.settings[0][1] = planet;
    self = sim_host_start(&host, PLANES, PLANES);
    for (i = 0; i < PLANES; i++)
        ok_int(sim_ops()->join(self, i, ""), 0);
    world_tick(self, 0, 0);
    world_tick(self, 1, HP_BUTTON_RELEASE);
    e = event_of(HP_EVENT_LAUNCH);
    ok(e != NULL && e->who == HP_ENTITY_ID(0, 0) && e->whom != HP_ENTITY_NONE);
    whom = e == NULL ? 0 : e->whom;
    slot = whom & 0xffff;
    e = event_of(HP_EVENT_THREAT);
    ok(e != NULL && e->whom == whom && e->audience == HP_AUDIENCE_OWNER);
    ok_int(records[slot].threat, 1);
    ok_int(records[SHOOTER].missiles, 1);
    for (i = 2; i < 1200 && event_of(HP_EVENT_HIT) == NULL; i++)
        world_tick(self, i, 0);
    e = event_of(HP_EVENT_HIT);
    ok(e != NULL && e->whom == whom && e->who == HP_ENTITY_ID(0, 0));
    ok(e != NULL && e->strength > 0.5f && e->direction[0] < -0.5f);
    ok(records[slot].health < 1 && records[slot].engine_failed == 3);
    ok_int(records[slot].threat, 0);
    world_tick(self, 2000, HP_BUTTON_SELECT);
    ok_int(records[SHOOTER].store, STORE_BOMB);
    world_tick(self, 2001, HP_BUTTON_RELEASE);
    e = event_of(HP_EVENT_RELEASE);
    ok(e != NULL && e->who == HP_ENTITY_ID(0, 0) && e->whom == HP_ENTITY_NONE);
    ok_int(records[SHOOTER].bombs, 1);
    sim_host_stop(self);
}

static void
the_world_tells_launch_threat_and_hit(void)
{
    tell_launch_threat_and_hit("flat");
    tell_launch_threat_and_hit("wgs84");
}

TAP_MAIN(FACT(the_release_button_lets_go_of_what_is_selected),
         FACT(hits_from_behind_take_the_engine),
         FACT(one_of_two_engines_fails_and_pulls_to_its_side),
         FACT(without_hydraulics_it_answers_slowly_and_less),
         FACT(the_world_tells_launch_threat_and_hit))
