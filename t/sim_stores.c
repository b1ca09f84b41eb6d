/* Stores and damage: what leaves an aircraft, where it flies, whom it meets, and
 * what that takes from an aircraft. */
#include "aircraft_types.h"
#include "sim_host.h"
#include "tap.h"
#include <math.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <sim/arsenal.h>
#include <sim/ballistics.h>
#include <sim/damage.h>
#include <sim/schema.h>
#include <sim/stores.h>

#define DT_S (1.0 / 60)

static double dt_s = DT_S; /* of a duel */

static struct aircraft_world rules;
static struct aircraft_file file; /* the F-16's, for a test to change */

static void
rules_begin(void)
{
    const struct planet_geodetic spawn = {0, 0, 3000};
    static const struct ground flat;
    struct surroundings around = {.ground = flat};
    static struct aircraft_type type;
    const struct aircraft_type *only = &type;

    planet_init(&around.planet, PLANET_FLAT);
    type = *type_of("f16");
    file = *type.file;
    type.file = &file;
    ok_int(aircraft_world_init(&rules, &only, 1, &around, &spawn, 180), 0);
    rules.respawn_s = 5;
    rules.ammunition = 511;
}

/* ---- a shooter and a target, moved by hand ---- */

struct duel {
    struct aircraft before[2], after[2];
    uint8_t used[2];
    struct arsenal *arsenal;
    struct sweep *sweep;
    struct gun_hit hits[16];
    struct hit_list list;
    double nearest_m;
    double far_m; /* the target's distance as the missile leaves */
};

static struct combat_scene
scene_of(const struct duel *d)
{
    return (struct combat_scene){&rules, d->before, d->after, d->used,
                                 2,      0,         dt_s};
}

static void
duel_begin(struct duel *d, double ahead_m, double north_mps, double east_mps)
{
    uint16_t i;

    memset(d, 0, sizeof(*d));
    ok_int(arsenal_create(&d->arsenal, 2), 0);
    ok_int(sweep_create(&d->sweep, 2), 0);
    d->list = (struct hit_list){d->hits, 0, 16};
    d->nearest_m = d->far_m = ahead_m;
    for (i = 0; i < 2; i++) {
        aircraft_spawn(&rules, &d->after[i], i, 0, i);
        d->used[i] = 1;
        d->after[i].state.position_m[0] = i * ahead_m;
        d->after[i].state.position_m[1] = 0;
        d->after[i].state.position_m[2] = -3000;
    }
    d->after[0].state.velocity_mps[0] = 250;
    d->after[1].state.velocity_mps[0] = north_mps;
    d->after[1].state.velocity_mps[1] = east_mps;
}

static void
duel_end(struct duel *d)
{
    arsenal_destroy(d->arsenal);
    sweep_destroy(d->sweep);
}

/* Turns a velocity level to the left, and moves. */
static void
turn_and_move(struct aircraft *a, double turn_mps2)
{
    double *v = a->state.velocity_mps, *p = a->state.position_m;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    double angle = motion_atan2(v[1], v[0]) - turn_mps2 / speed * dt_s;
    int i;

    v[0] = speed * cos(angle);
    v[1] = speed * sin(angle);
    for (i = 0; i < 3; i++)
        p[i] += v[i] * dt_s;
}

/* Flies on for at most `limit_s`; the shooter lets go in the first tick. Returns
 * when somebody was hit, or -1. */
static double
duel_fly(struct duel *d, double limit_s, double turn_mps2)
{
    const struct flying_store *stores;
    struct combat_scene scene = scene_of(d);
    uint32_t count;
    double apart[3];
    int tick, i;

    for (tick = 0; tick * dt_s < limit_s; tick++) {
        memcpy(d->before, d->after, sizeof(d->before));
        d->after[0].happened = tick == 0 ? AIRCRAFT_DID_LAUNCH : 0;
        turn_and_move(&d->after[0], 0);
        turn_and_move(&d->after[1], turn_mps2);
        sweep_gather(d->sweep, &scene, GUN_TARGET_RADIUS_M);
        arsenal_step(d->arsenal, &scene, d->sweep, &d->list);
        stores = arsenal_stores(d->arsenal, &count);
        if (d->list.count > 0)
            return tick * dt_s + d->hits[0].time_s;
        if (count == 0)
            return -1;
        for (i = 0; i < 3; i++)
            apart[i] =
                stores[0].position_m[i] - d->after[1].state.position_m[i];
        if (vector_length(apart) < d->nearest_m)
            d->nearest_m = vector_length(apart);
    }
    return -1;
}

static void
a_missile_hits_who_flies_straight(void)
{
    static const double ways[][2] = {
        {200,  0   },
        {0,    200 },
        {0,    -250},
        {-200, 0   }
    };
    struct duel d;
    double when;
    size_t i;

    rules_begin();
    for (i = 0; i < 4; i++) {
        duel_begin(&d, 3500, ways[i][0], ways[i][1]);
        when = duel_fly(&d, 30, 0);
        ok(when > 2 && when < 12);
        ok_int(d.list.count, 1);
        ok_int(d.hits[0].target, 1);
        ok_int(d.hits[0].shooter, 0);
        /* The whole of its damage at its nearest, half at the fuze's reach. */
        ok(d.hits[0].damage >= 0.5 * file.missile.damage &&
           d.hits[0].damage <= file.missile.damage);
        ok_real(vector_length(d.hits[0].direction), 1, 1e-9);
        duel_end(&d);
    }
    /* This one flew backwards, its tail towards the missile. */
    ok(d.hits[0].direction[0] < -0.5);
}

/* The same flight: what it needs more than its fins give, it misses by. */
static void
a_missile_misses_who_turns_harder_than_it_can(void)
{
    struct duel d;

    rules_begin();
    duel_begin(&d, 6000, 0, 280);
    ok(duel_fly(&d, 30, 80) > 0);
    duel_end(&d);

    file.missile.g_max = 4;
    duel_begin(&d, 6000, 0, 280);
    ok(duel_fly(&d, 30, 80) < 0);
    ok(d.nearest_m > 3 * file.missile.fuze_m && d.nearest_m < 6000);
    duel_end(&d);
}

static void
a_missile_takes_the_nearest_within_its_cone(void)
{
    const struct arsenal_launch *left;
    struct duel d;
    uint32_t count;

    rules_begin();
    duel_begin(&d, 3500, 200, 0);
    duel_fly(&d, DT_S, 0);
    left = arsenal_launches(d.arsenal, &count);
    ok_int(count, 1);
    ok_int(left[0].kind, STORE_MISSILE);
    ok_int(left[0].target, 1);
    duel_end(&d);

    duel_begin(&d, -3500, 200, 0); /* behind */
    ok(duel_fly(&d, 30, 0) < 0);
    duel_end(&d);

    duel_begin(&d, file.missile.range_m + 100, 200, 0);
    duel_fly(&d, DT_S, 0);
    left = arsenal_launches(d.arsenal, &count);
    ok_int(left[0].target, HP_INDEX_NONE);
    duel_end(&d);
}

/* Who leaves the world is followed no more, and takes his own with him. */
static void
who_leaves_is_forgotten(void)
{
    const struct flying_store *stores;
    struct duel d;
    uint32_t count;

    rules_begin();
    duel_begin(&d, 3500, 200, 0);
    duel_fly(&d, 0.5, 0);
    arsenal_forget(d.arsenal, 1);
    stores = arsenal_stores(d.arsenal, &count);
    ok_int(count, 1);
    ok_int(stores[0].target, HP_INDEX_NONE);
    arsenal_forget(d.arsenal, 0);
    arsenal_stores(d.arsenal, &count);
    ok_int(count, 0);
    duel_end(&d);
}

static void
a_full_pool_loses_the_next_and_says_so(void)
{
    enum {
        MANY = ARSENAL_MAX + 9
    };
    static struct aircraft before[MANY], after[MANY];
    static uint8_t used[MANY];
    struct combat_scene scene = {&rules, before, after, used, MANY, 0, DT_S};
    struct hit_list list = {NULL, 0, 0};
    const struct arsenal_launch *launches;
    struct arsenal *arsenal = NULL;
    struct sweep *sweep = NULL;
    uint32_t i, count;

    rules_begin();
    ok_int(arsenal_create(&arsenal, MANY), 0);
    ok_int(sweep_create(&sweep, MANY), 0);
    for (i = 0; i < MANY; i++) {
        aircraft_spawn(&rules, &after[i], (uint16_t)i, 0, i);
        used[i] = 1;
    }
    memcpy(before, after, sizeof(before));
    for (i = 0; i < MANY; i++)
        after[i].happened = AIRCRAFT_DID_LAUNCH;
    sweep_gather(sweep, &scene, GUN_TARGET_RADIUS_M);
    arsenal_step(arsenal, &scene, sweep, &list);
    arsenal_stores(arsenal, &count);
    ok_int(count, ARSENAL_MAX);
    launches = arsenal_launches(arsenal, &count);
    ok_int(count, MANY);
    /* It guides on nobody, so nobody is warned. */
    ok_int(launches[MANY - 1].target, HP_INDEX_NONE);
    ok(launches[20].target != HP_INDEX_NONE);
    arsenal_destroy(arsenal);
    sweep_destroy(sweep);
}

/* Whatever the tick, it meets the same target at the same time. */
static void
a_missile_flies_alike_at_any_tick_rate(void)
{
    static const double rates_hz[] = {30, 60, 120, 1000};
    double when, first = 0;
    struct duel d;
    size_t i;

    rules_begin();
    for (i = 0; i < 4; i++) {
        dt_s = 1 / rates_hz[i];
        duel_begin(&d, 4000, 60, 220);
        when = duel_fly(&d, 30, 30);
        first = i == 0 ? when : first;
        ok(when > 0);
        ok_real(when, first, 0.02);
        duel_end(&d);
    }
    dt_s = DT_S;
}

/* ---- who is looked at ---- */

static uint64_t dice = 1;

static double
between(double low, double high)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(dice >> 40) / (1 << 24);
}

enum {
    CROWD = 60
};

/* A tick of a crowd that comes, goes and moves fast. */
static void
crowd_move(struct aircraft *before, struct aircraft *after, uint8_t *used)
{
    uint32_t slot;
    int i;

    memcpy(before, after, CROWD * sizeof(*before));
    for (slot = 0; slot < CROWD; slot++) {
        if (between(0, 1) < 0.02)
            used[slot] = !used[slot];
        after[slot].happened = between(0, 1) < 0.02 ? AIRCRAFT_DID_RESPAWN : 0;
        for (i = 0; i < 3; i++)
            after[slot].state.position_m[i] +=
                after[slot].happened ? between(-90, 90) : between(-15, 15);
    }
}

/* Whoever a path meets must be among those looked at, and nobody twice. Returns
 * how many it met. */
static int
looks_right(const struct sweep *sweep, const struct combat_scene *scene)
{
    double from[3], to[3], time_s, apart[3];
    uint8_t seen[CROWD] = {0};
    struct sweep_look look;
    uint32_t slot;
    int i, met = 0, wrong = 0;

    for (i = 0; i < 3; i++) {
        from[i] = between(-200, 200);
        to[i] = from[i] + between(-60, 60);
    }
    sweep_look(sweep, &look, from, to, 15);
    while ((slot = sweep_next(sweep, &look)) != HP_INDEX_NONE)
        wrong += seen[slot]++;
    for (slot = 0; slot < CROWD; slot++) {
        if (!scene->used[slot] || scene->after[slot].happened) {
            wrong += seen[slot];
        } else if (gun_sweep(from, to, 0, &scene->before[slot],
                             &scene->after[slot], DT_S, 20, &time_s, apart)) {
            wrong += !seen[slot];
            met++;
        }
    }
    ok_int(wrong, 0);
    return met;
}

static void
a_look_finds_all_that_a_path_meets(void)
{
    static struct aircraft before[CROWD], after[CROWD];
    static uint8_t used[CROWD];
    struct combat_scene scene = {&rules, before, after, used, CROWD, 0, DT_S};
    struct sweep *sweep = NULL;
    int tick, i, met = 0;

    ok_int(sweep_create(&sweep, CROWD), 0);
    for (i = 0; i < CROWD; i++)
        used[i] = (uint8_t)(i % 2);
    for (tick = 0; tick < 200; tick++) {
        crowd_move(before, after, used);
        sweep_gather(sweep, &scene, 5);
        for (i = 0; i < 20; i++)
            met += looks_right(sweep, &scene);
    }
    ok(met > 100);
    sweep_destroy(sweep);
}

/* ---- bombs ---- */

static void
bomb_begin(struct flying_store *s)
{
    memset(s, 0, sizeof(*s));
    s->kind = STORE_BOMB;
    s->target = HP_INDEX_NONE;
    s->position_m[2] = -3000;
    s->velocity_mps[0] = 240;
    s->velocity_mps[2] = -20;
}

static void
a_bomb_without_air_falls_as_galilei_says(void)
{
    struct flying_store s;
    double g = rules.frame.around.planet.gravity_mps2, t = 600 * DT_S;
    int tick;

    rules_begin();
    file.bomb.bc_lbin2 = 1e15;
    bomb_begin(&s);
    for (tick = 0; tick < 600; tick++)
        ok_int(missile_move(&s, &rules, NULL, DT_S), 1);
    ok_real(s.position_m[0], 240 * t, 1e-6);
    ok_real(s.position_m[2], -3000 - 20 * t + g * t * t / 2, 1e-6);
    for (tick = 0; tick < 1200; tick++)
        if (!missile_move(&s, &rules, NULL, DT_S))
            break;
    /* It ends in the ground, not in a fixed time. */
    ok_real(s.age_s, (20 + sqrt(20 * 20 + 2 * g * 3000)) / g, DT_S);
}

/* x, height and their rates: drag by its own formula, at another step. */
static void
reference_rate(const double at[4], double rate[4])
{
    double speed = sqrt(at[2] * at[2] + at[3] * at[3]), slow;
    double coefficient = file.bomb.bc_lbin2 * 0.45359237 / (0.0254 * 0.0254);
    struct atmosphere air;

    atmosphere_textbook(&air, at[1]);
    slow = air.density * speed * (MOTION_PI / 8) / coefficient *
           ballistic_drag(BALLISTIC_G1, speed / air.sound_speed);
    rate[0] = at[2];
    rate[1] = at[3];
    rate[2] = -slow * at[2];
    rate[3] = -slow * at[3] - rules.frame.around.planet.gravity_mps2;
}

static void
a_bomb_in_air_agrees_with_another_integration(void)
{
    struct flying_store s;
    double at[4] = {0, 3000, 240, 20}, middle[4], rate[4];
    int tick, i;

    rules_begin();
    bomb_begin(&s);
    for (tick = 0; tick < 1200; tick++)
        ok_int(missile_move(&s, &rules, NULL, DT_S), 1);
    for (tick = 0; tick < 200000; tick++) { /* the middle's rate, 0.1 ms */
        reference_rate(at, rate);
        for (i = 0; i < 4; i++)
            middle[i] = at[i] + 0.5e-4 * rate[i];
        reference_rate(middle, rate);
        for (i = 0; i < 4; i++)
            at[i] += 1e-4 * rate[i];
    }
    ok_real(s.position_m[0], at[0], 0.02);
    ok_real(-s.position_m[2], at[1], 0.02);
    /* The air took something. */
    ok(at[0] < 240 * 20 - 100);
}

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
    ok_real(heavy, stores_full_kg(&file), 1e-9);
    step(&a, 0, 0);
    step(&a, HP_BUTTON_RELEASE, 0);
    ok(a.happened & AIRCRAFT_DID_LAUNCH);
    ok_int(a.missiles, 1);
    ok_real(stores_carried_kg(&rules, &a), heavy - file.missile.mass_kg, 1e-9);
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
    file.engine.count = 2;
    file.engine.apart_m = 3;
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

TAP_MAIN(FACT(a_missile_hits_who_flies_straight),
         FACT(a_missile_misses_who_turns_harder_than_it_can),
         FACT(a_missile_takes_the_nearest_within_its_cone),
         FACT(who_leaves_is_forgotten),
         FACT(a_missile_flies_alike_at_any_tick_rate),
         FACT(a_look_finds_all_that_a_path_meets),
         FACT(a_full_pool_loses_the_next_and_says_so),
         FACT(a_bomb_without_air_falls_as_galilei_says),
         FACT(a_bomb_in_air_agrees_with_another_integration),
         FACT(the_release_button_lets_go_of_what_is_selected),
         FACT(hits_from_behind_take_the_engine),
         FACT(one_of_two_engines_fails_and_pulls_to_its_side),
         FACT(without_hydraulics_it_answers_slowly_and_less),
         FACT(the_world_tells_launch_threat_and_hit))
