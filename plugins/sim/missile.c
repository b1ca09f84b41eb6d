#include "missile.h"

#include "ballistics.h"
#include "stores.h"
#include "units.h"
#include <motion/math.h>
#include <motion/vector.h>
#include <string.h>

/* Fins bite fully from this dynamic pressure on. */
#define FIN_PRESSURE_PA 25000.0

double
missile_sees(const struct flying_store *s, const struct aircraft_missile *data,
             const double position_m[3], double *far_m)
{
    double apart[3], speed = vector_length(s->velocity_mps);
    int i;

    for (i = 0; i < 3; i++)
        apart[i] = position_m[i] - s->position_m[i];
    *far_m = vector_length(apart);
    if (*far_m > data->range_m || speed < 1)
        return -1;
    if (*far_m < 1)
        return 1;
    return vector_dot(apart, s->velocity_mps) / (*far_m * speed);
}

/*
 * Proportional navigation: it turns as the line of sight does, times a constant,
 * and carries its own weight; both no further than its fins can.
 */
static void
steer(const struct flying_store *s, const struct aircraft_missile *data,
      const double place_m[3], const double speed_mps[3],
      const struct planet_place *here, double density, double out[3])
{
    const double *v = s->velocity_mps;
    double apart[3], closing[3], turn[3], square, along, most, size;
    double speed2 = vector_dot(v, v);
    int i;

    for (i = 0; i < 3; i++) {
        apart[i] = place_m[i] - s->position_m[i];
        closing[i] = speed_mps[i] - v[i];
    }
    square = vector_dot(apart, apart);
    vector_cross(turn, apart, closing);
    for (i = 0; i < 3; i++)
        turn[i] *= data->navigation / (square > 1 ? square : 1);
    vector_cross(out, turn, v);
    for (i = 0; i < 3; i++)
        out[i] -= GRAVITY_MPS2 * here->ned[2][i];
    along = vector_dot(out, v) / (speed2 > 1 ? speed2 : 1);
    for (i = 0; i < 3; i++)
        out[i] -= along * v[i];
    most = data->g_max * GRAVITY_MPS2 *
           motion_clamp(0.5 * density * speed2 / FIN_PRESSURE_PA, 0, 1);
    size = vector_length(out);
    for (i = 0; i < 3 && size > most; i++)
        out[i] *= most / size;
}

/* Speed gains along the path and turns across it. */
static void
push(struct flying_store *s, const double across_mps2[3], double along_mps2,
     double dt_s)
{
    double *v = s->velocity_mps;
    double speed = vector_length(v), turned;
    int i;

    for (i = 0; i < 3; i++)
        v[i] += across_mps2[i] * dt_s;
    turned = vector_length(v);
    for (i = 0; i < 3 && turned > 0; i++)
        v[i] *= (speed + along_mps2 * dt_s) / turned;
}

/* What the motor gives at an age, m/s2; its propellant leaves evenly. */
static double
thrust_at(const struct aircraft_missile *data, double age_s)
{
    if (age_s >= data->boost_s)
        return 0;
    return data->thrust_n /
           (data->mass_kg - data->propellant_kg * age_s / data->boost_s);
}

/* A part of a tick: half the push, the fall, the other half. */
static void
fly_part(struct flying_store *s, const struct aircraft_world *w,
         const struct aircraft_missile *data, const struct airframe_state *prey,
         double ahead_s, double dt_s)
{
    const struct surroundings *around = &w->frame.around;
    const struct ballistic_body body = {
        BALLISTIC_G7, data->bc_lbin2 * BALLISTIC_KG_M2_PER_LB_IN2};
    double across[3] = {0, 0, 0}, place[3], along;
    struct planet_place here;
    struct atmosphere air;
    int i;

    along = thrust_at(data, s->age_s + dt_s / 2);
    if (prey != NULL) {
        planet_locate(&around->planet, s->position_m, &here);
        weather_air(&around->weather, &air, here.height_m);
        for (i = 0; i < 3; i++)
            place[i] = prey->position_m[i] + prey->velocity_mps[i] * ahead_s;
        steer(s, data, place, prey->velocity_mps, &here, air.density, across);
    }
    push(s, across, along, dt_s / 2);
    ballistic_move(around, &body, s->position_m, s->velocity_mps, dt_s);
    push(s, across, along, dt_s / 2);
    s->age_s += dt_s;
}

static int
bomb_move(struct flying_store *s, const struct aircraft_world *w, double dt_s)
{
    const struct aircraft_bomb *data =
        &w->models[s->type].frame.type->file->bomb;
    const struct ballistic_body body = {
        BALLISTIC_G1, data->bc_lbin2 * BALLISTIC_KG_M2_PER_LB_IN2};

    ballistic_move(&w->frame.around, &body, s->position_m, s->velocity_mps,
                   dt_s);
    s->age_s += dt_s;
    return s->age_s < data->life_s;
}

int
missile_move(struct flying_store *s, const struct aircraft_world *w,
             const struct airframe_state *prey, double dt_s)
{
    const struct aircraft_missile *data =
        &w->models[s->type].frame.type->file->missile;
    int parts = airframe_parts(dt_s), i;
    double part_s = dt_s / parts;

    if (s->kind == STORE_BOMB)
        return bomb_move(s, w, dt_s) &&
               ballistic_over_ground(&w->frame.around, s->position_m);
    for (i = 0; i < parts; i++)
        fly_part(s, w, data, prey, i * part_s, part_s);
    return s->age_s < data->life_s &&
           ballistic_over_ground(&w->frame.around, s->position_m);
}
