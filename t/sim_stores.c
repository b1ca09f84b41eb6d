/* Stores in the air: where they fly and whom they meet. */
#include "stores_rules.h"
#include <math.h>
#include <motion/math.h>
#include <motion/vector.h>
#include <sim/arsenal.h>
#include <sim/ballistics.h>
#include <sim/stores.h>

static double dt_s = DT_S; /* of a duel */

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
        ok(d.hits[0].damage >= 0.5 * f16.missile.damage &&
           d.hits[0].damage <= f16.missile.damage);
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

    f16.missile.g_max = 4;
    duel_begin(&d, 6000, 0, 280);
    ok(duel_fly(&d, 30, 80) < 0);
    ok(d.nearest_m > 3 * f16.missile.fuze_m && d.nearest_m < 6000);
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

    duel_begin(&d, f16.missile.range_m + 100, 200, 0);
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
    double g, t = 600 * DT_S;
    int tick;

    rules_begin();
    g = rules.frame.around.planet.gravity_mps2;
    f16.bomb.bc_lbin2 = 1e15;
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
    double coefficient = f16.bomb.bc_lbin2 * 0.45359237 / (0.0254 * 0.0254);
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

TAP_MAIN(FACT(a_missile_hits_who_flies_straight),
         FACT(a_missile_misses_who_turns_harder_than_it_can),
         FACT(a_missile_takes_the_nearest_within_its_cone),
         FACT(who_leaves_is_forgotten),
         FACT(a_missile_flies_alike_at_any_tick_rate),
         FACT(a_look_finds_all_that_a_path_meets),
         FACT(a_full_pool_loses_the_next_and_says_so),
         FACT(a_bomb_without_air_falls_as_galilei_says),
         FACT(a_bomb_in_air_agrees_with_another_integration))
