#include "schema.h"

#include "damage.h"
#include "engine.h"
#include "systems.h"
#include "units.h"
#include <string.h>

_Static_assert(sizeof(struct flight_record) % 8 == 0,
               "records stand in arrays");

/* clang-format off */
#define HEAD(name, member, type, count, unit, step, low, high) \
    {name, unit, step, low, high, type, offsetof(struct hp_entity, member), \
     count, 0}
#define TAIL(member, unit, step, low, high) \
    {#member, unit, step, low, high, HP_FIELD_F32, \
     offsetof(struct flight_record, member), 1, 0}

#define SMALL(member, high) \
    {#member, "1", 1, 0, high, HP_FIELD_U8, \
     offsetof(struct flight_record, member), 1, 0}

#define FIELDS(far_m) \
    HEAD("slot", slot, HP_FIELD_U16, 1, "1", 1, 0, 65535), \
    HEAD("generation", generation, HP_FIELD_U16, 1, "1", 1, 0, 65535), \
    HEAD("type", type, HP_FIELD_U16, 1, "1", 1, 0, 15), \
    HEAD("flags", flags, HP_FIELD_U16, 1, "1", 1, 0, 7), \
    HEAD("owner", owner, HP_FIELD_U32, 1, "1", 1, 0, 4294967295.0), \
    HEAD("position_m", position_m, HP_FIELD_F64, 3, "m", 1.0 / 64, -(far_m), far_m), \
    HEAD("attitude", attitude, HP_FIELD_QUATERNION, 1, "1", 1.0 / 32767, -1, 1), \
    HEAD("velocity_mps", velocity_mps, HP_FIELD_F32, 3, "m/s", 1.0 / 64, \
         -1500, 1500), \
    HEAD("rates_rps", rates_rps, HP_FIELD_F32, 3, "rad/s", 1.0 / 512, -20, 20), \
    TAIL(throttle, "1", 1.0 / 255, 0, 1), \
    TAIL(power, "%", 0.25, 0, 100), \
    TAIL(fuel, "1", 1.0 / 1023, 0, 1), \
    TAIL(gear, "1", 1.0 / 63, 0, 1), \
    TAIL(health, "1", 1.0 / 255, 0, 1), \
    TAIL(aoa_deg, "deg", 1.0 / 16, -180, 180), \
    TAIL(beta_deg, "deg", 1.0 / 16, -90, 90), \
    TAIL(airspeed_mps, "m/s", 1.0 / 16, 0, 1500), \
    TAIL(mach, "1", 1.0 / 512, 0, 5), \
    TAIL(g_load, "1", 1.0 / 32, -30, 30), \
    TAIL(agl_m, "m", 1.0 / 4, -100, 30000), \
    TAIL(sink_mps, "m/s", 1.0 / 16, -1500, 1500), \
    TAIL(time_to_ground_s, "s", 1.0 / 16, 0, SCHEMA_HORIZON_S), \
    TAIL(stall, "1", 1.0 / 63, 0, 1), \
    TAIL(control_rate, "1", 1.0 / 63, 0, 1), \
    SMALL(afterburner, 1), \
    SMALL(threat, 255), \
    SMALL(engine_failed, 3), \
    SMALL(store, 2), \
    TAIL(hydraulics, "1", 1.0 / 63, 0, 1), \
    SMALL(missiles, 255), \
    SMALL(bombs, 255), \
    SMALL(surge, 1), \
    {"reserve", "%", 1, 0, 100, HP_FIELD_U8, \
     offsetof(struct flight_record, reserve), 1, 0}

/* A flat world ends where a round Earth's radius is not yet reached. */
static const struct hp_field fields[] = {FIELDS(1e6)};
static const struct hp_field round_fields[] = {FIELDS(7e6)};
/* clang-format on */

/* clang-format off */
#define SCHEMA(rows) {                                                         \
        .size = sizeof(struct hp_schema),                                      \
        .record_bytes = sizeof(struct flight_record),                          \
        .own_bytes = sizeof(struct aircraft),                                  \
        .version = 2,                                                          \
        .field_count = sizeof(rows) / sizeof((rows)[0]),                       \
        .field_stride = sizeof((rows)[0]),                                     \
        .fields = (rows),                                                      \
        .name = "flight",                                                      \
    }
/* clang-format on */

static const struct hp_schema schema = SCHEMA(fields);
static const struct hp_schema round_schema = SCHEMA(round_fields);

const struct hp_schema *
schema_flight(const struct planet *planet)
{
    return planet->kind == PLANET_FLAT ? &schema : &round_schema;
}

static uint16_t
entity_flags(const struct aircraft *a)
{
    return (
        uint16_t)((a->flags & AIRCRAFT_DEAD ? HP_ENTITY_DEAD : 0) |
                  (a->flags & AIRCRAFT_ON_GROUND ? HP_ENTITY_ON_GROUND : 0) |
                  (a->flags & AIRCRAFT_FROZEN ? HP_ENTITY_FROZEN : 0));
}

static void
record_head(const struct aircraft *a, struct hp_entity *head)
{
    int i;

    head->slot = a->slot;
    head->generation = a->generation;
    head->type = (uint16_t)(SCHEMA_TYPE_FIRST + a->type);
    head->flags = entity_flags(a);
    head->owner = a->owner;
    for (i = 0; i < 3; i++) {
        head->position_m[i] = a->state.position_m[i];
        head->velocity_mps[i] = (float)a->state.velocity_mps[i];
        head->rates_rps[i] = (float)a->state.rates_rps[i];
    }
    for (i = 0; i < 4; i++)
        head->attitude[i] = (float)a->state.attitude[i];
}

static void
record_air(const struct airframe *f, const struct airframe_state *s,
           struct flight_record *out)
{
    const struct aircraft_limit *l = &f->type->file->limit;
    struct airframe_air air;

    airframe_air(&air, f, s);
    out->aoa_deg = (float)(air.alpha_rad * DEG_PER_RAD);
    out->beta_deg = (float)(air.beta_rad * DEG_PER_RAD);
    out->airspeed_mps = (float)air.speed_mps;
    out->mach = (float)air.mach;
    /* Buffet needs air: none below 30 m/s. */
    out->stall =
        (float)motion_clamp((air.alpha_rad * DEG_PER_RAD - l->stall_from_deg) /
                                (l->stall_full_deg - l->stall_from_deg),
                            0, air.speed_mps > 30 ? 1 : 0);
}

static void
record_ground(const struct aircraft_world *w, const struct aircraft *a,
              struct flight_record *out)
{
    const struct ground *g = &w->frame.around.ground;
    struct airframe_local at;
    int rolling = (a->flags & (AIRCRAFT_ON_GROUND | AIRCRAFT_WRECK)) != 0;

    airframe_local_of(&at, &w->frame.around.planet, &a->state);
    out->agl_m = (float)(-at.position_m[2] -
                         ground_height(g, at.position_m[0], at.position_m[1]));
    out->sink_mps = (float)at.velocity_mps[2];
    /* Who rolls has met the ground already; that is no warning. */
    out->time_to_ground_s =
        (float)(rolling ? SCHEMA_HORIZON_S
                        : ground_time_ahead(g, at.position_m, at.velocity_mps,
                                            SCHEMA_HORIZON_S));
}

void
schema_record(const struct aircraft_world *w, const struct aircraft *a,
              struct flight_record *out)
{
    const struct airframe *frame = &aircraft_model_of(w, a)->frame;

    memset(out, 0, sizeof(*out));
    record_head(a, &out->head);
    record_air(frame, &a->state, out);
    record_ground(w, a, out);
    out->throttle = (float)a->throttle;
    out->power = (float)a->state.power;
    out->fuel =
        (float)(frame->fuel_max_kg > 0 ? a->state.fuel_kg / frame->fuel_max_kg
                                       : 0);
    out->gear = (float)a->state.gear;
    out->health = (float)a->health;
    out->g_load = (float)a->normal_g;
    out->control_rate = (float)a->control_rate;
    out->afterburner = a->state.power > ENGINE_MILITARY_POWER;
    out->threat = a->threat;
    out->engine_failed = (uint8_t)damage_engines(a);
    out->hydraulics = (float)a->hydraulics;
    out->store = a->store;
    out->missiles = a->missiles;
    out->bombs = a->bombs;
    out->surge = a->surge >= SYSTEMS_SURGE_FELT;
    out->reserve = (uint8_t)(100 * a->reserve);
}
