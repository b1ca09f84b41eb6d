#include <config.h>

#include "world.h"
#include <digest.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct world_record {
    struct hp_entity head;
    float throttle;
    float stall;
    float mach;
    float gear;
    float g_load;
    float airspeed_mps;
    float agl_m;
    float time_to_ground_s;
    float health;
    int32_t score;
    int16_t trim;
    uint16_t rounds;
    uint8_t afterburner;
    uint8_t unsent[7];
};

/* clang-format off */
#define HEAD(member, type, count, unit, step, low, high) \
    {#member, unit, step, low, high, type, \
     offsetof(struct hp_entity, member), count, 0}
#define TAIL(member, type, unit, step, low, high) \
    {#member, unit, step, low, high, type, \
     offsetof(struct world_record, member), 1, 0}

static const struct hp_field fields[] = {
    HEAD(slot, HP_FIELD_U16, 1, "1", 1, 0, 65535),
    HEAD(generation, HP_FIELD_U16, 1, "1", 1, 0, 65535),
    HEAD(type, HP_FIELD_U16, 1, "1", 1, 0, 15),
    HEAD(flags, HP_FIELD_U16, 1, "1", 1, 0, 7),
    HEAD(owner, HP_FIELD_U32, 1, "1", 1, 0, 4294967295.0),
    HEAD(position_m, HP_FIELD_F64, 3, "m", 1.0 / 64, -1e6, 1e6),
    HEAD(attitude, HP_FIELD_QUATERNION, 1, "1", 1.0 / 32767, -1, 1),
    HEAD(velocity_mps, HP_FIELD_F32, 3, "m/s", 1.0 / 64, -1500, 1500),
    HEAD(rates_rps, HP_FIELD_F32, 3, "rad/s", 1.0 / 512, -20, 20),
    TAIL(throttle, HP_FIELD_F32, "1", 1.0 / 255, 0, 1),
    TAIL(stall, HP_FIELD_F32, "1", 1.0 / 63, 0, 1),
    TAIL(mach, HP_FIELD_F32, "1", 1.0 / 512, 0, 5),
    TAIL(gear, HP_FIELD_F32, "1", 1.0 / 63, 0, 1),
    TAIL(g_load, HP_FIELD_F32, "1", 1.0 / 32, -30, 30),
    TAIL(airspeed_mps, HP_FIELD_F32, "m/s", 1.0 / 16, 0, 1500),
    TAIL(agl_m, HP_FIELD_F32, "m", 1.0 / 4, -100, 30000),
    TAIL(time_to_ground_s, HP_FIELD_F32, "s", 1.0 / 16, 0, 60),
    TAIL(health, HP_FIELD_F32, "1", 1.0 / 255, 0, 1),
    TAIL(score, HP_FIELD_I32, "1", 1, -100000, 100000),
    TAIL(trim, HP_FIELD_I16, "1", 1, -1000, 1000),
    TAIL(rounds, HP_FIELD_U16, "1", 1, 0, 1000),
    TAIL(afterburner, HP_FIELD_U8, "1", 1, 0, 1),
};
/* clang-format on */

_Static_assert(sizeof(struct world_record) % 8 == 0, "records stand in arrays");

const struct hp_schema world_schema = {
    .size = sizeof(world_schema),
    .record_bytes = sizeof(struct world_record),
    .own_bytes = sizeof(struct world_own),
    .version = 1,
    .field_count = sizeof(fields) / sizeof(fields[0]),
    .field_stride = sizeof(fields[0]),
    .fields = fields,
    .name = "check",
};

/* ---- the model ---- */

void
world_own_init(struct world_own *own)
{
    memset(own, 0, sizeof(*own));
    own->position_m[2] = -1000;
    own->velocity_mps[0] = 100;
}

static void
model_step(const struct hp_instance *self, void *own,
           const struct hp_input *input, const struct hp_tick *tick)
{
    struct world_own *o = own;
    int i;

    (void)self;
    for (i = 0; i < 3; i++) {
        o->velocity_mps[i] += input->axes[i] / 32767.0 * tick->dt_s;
        if (fabs(o->velocity_mps[i]) > 300)
            o->velocity_mps[i] = 0;
        o->position_m[i] += o->velocity_mps[i] * tick->dt_s;
        if (fabs(o->position_m[i]) > 100000)
            o->position_m[i] = 0;
    }
    o->ticks++;
}

static void
own_view(const struct hp_instance *self, const void *own, void *record)
{
    const struct world_own *o = own;
    struct world_record *r = record;
    int i;

    (void)self;
    memset(r, 0, sizeof(*r));
    r->head.attitude[0] = 1;
    for (i = 0; i < 3; i++) {
        r->head.position_m[i] = o->position_m[i];
        r->head.velocity_mps[i] = (float)o->velocity_mps[i];
    }
    r->time_to_ground_s = 60;
    r->health = 1;
}

const struct hp_model world_model = {
    .size = sizeof(world_model),
    .own_bytes = sizeof(struct world_own),
    .schema = &world_schema,
    .step = model_step,
    .own_view = own_view,
    .own_digest = digest_own,
};

/* ---- limits, ticks, inputs ---- */

struct hp_limits
world_limits(uint32_t kind, uint32_t side, uint32_t rate_num, uint32_t rate_den)
{
    struct hp_limits limits = {
        .size = sizeof(limits),
        .side = side,
        .rate_num = rate_num,
        .rate_den = rate_den,
        .clients_max = WORLD_CLIENTS_MAX,
        .entities_max = WORLD_ENTITIES_MAX,
        .snapshot_bytes_max = 1000,
        .window_ticks = rate_num / rate_den > 64 ? rate_num / rate_den : 64,
    };

    if (kind == HP_KIND_BROADCASTER || kind == HP_KIND_PREDICTOR ||
        kind == HP_KIND_CUES)
        limits.schema = &world_schema;
    if (kind == HP_KIND_PREDICTOR || kind == HP_KIND_CUES)
        limits.model = &world_model;
    return limits;
}

struct hp_tick
world_tick(const struct hp_limits *limits, uint64_t index, int is_deterministic)
{
    struct hp_tick tick = {
        .index = index,
        .dt_s = (double)limits->rate_den / limits->rate_num,
        .rate_num = limits->rate_num,
        .rate_den = limits->rate_den,
    };

    if (!is_deterministic)
        tick.deadline_ns =
            1000000000 + (uint64_t)((double)(index + 1) * tick.dt_s * 1e9);
    return tick;
}

struct hp_input
world_input(struct chance *r)
{
    struct hp_input input = {.buttons = 0};
    int i;

    for (i = 0; i < 5; i++)
        input.axes[i] = (int16_t)(chance_real(r) * 32767);
    for (i = HP_AXIS_THROTTLE; i <= HP_AXIS_BRAKE; i++)
        input.axes[i] = (int16_t)abs(input.axes[i]);
    /* Held for a while, then not: buttons are no noise. */
    if (chance_below(r, 8) == 0)
        input.buttons = chance_below(r, 256) & ~(uint32_t)HP_BUTTON_EJECT;
    return input;
}

/* ---- views ---- */

int
world_view_create(struct world_view *v)
{
    memset(v, 0, sizeof(*v));
    v->records = calloc(WORLD_ENTITIES_MAX, sizeof(struct world_record));
    return v->records == NULL ? -ENOMEM : 0;
}

void
world_view_destroy(struct world_view *v)
{
    free(v->records);
    v->records = NULL;
}

static struct world_record *
record_at(const struct world_view *v, uint32_t index)
{
    return (struct world_record *)v->records + index;
}

static void
fill_record(struct world_record *r, uint64_t tick, uint32_t index)
{
    double phase = (double)index + (double)(tick % 3600) / 60;

    memset(r, 0, sizeof(*r));
    r->head.slot = (uint16_t)(index * 2); /* rising, with holes */
    r->head.generation = (uint16_t)(1 + index % 3);
    r->head.type = (uint16_t)(index % 4);
    r->head.owner = index < WORLD_CLIENTS_MAX ? index : HP_CLIENT_NONE;
    r->head.position_m[0] = 5000 * sin(phase) + 10 * index;
    r->head.position_m[1] = 5000 * cos(phase);
    r->head.position_m[2] = -1000 - 20.0 * index;
    r->head.attitude[0] = (float)cos(phase / 2);
    r->head.attitude[3] = (float)sin(phase / 2);
    r->head.velocity_mps[0] = (float)(150 * cos(phase));
    r->head.velocity_mps[1] = (float)(-150 * sin(phase));
    r->head.rates_rps[2] = 0.03f;
    r->throttle = (float)(0.5 + 0.5 * sin(phase));
    r->stall = (float)(0.5 + 0.5 * sin(phase * 3));
    r->mach = (float)(1 + 0.1 * sin(phase));
    r->gear = index % 2 ? 0 : 1;
    r->g_load = (float)(1 + 4 * sin(phase));
    r->airspeed_mps = 150;
    r->agl_m = (float)(1000 + 20 * index);
    r->time_to_ground_s = (float)(8 + 8 * sin(phase * 2));
    r->health = 1;
    r->score = (int32_t)index * 10 - 100;
    r->trim = (int16_t)(index - 8);
    r->rounds = (uint16_t)(500 - tick % 500);
    r->afterburner = index % 5 == 0;
}

static void
fill_events(struct world_view *v, uint64_t tick, uint32_t own)
{
    static const uint32_t types[] = {HP_EVENT_HIT, HP_EVENT_GUN,
                                     HP_EVENT_TOUCHDOWN, HP_EVENT_GEAR};
    const struct hp_entity *me = &record_at(v, own)->head;
    uint32_t i;

    for (i = 0; i < 4; i++)
        v->events[i] = (struct hp_event){
            .tick = tick,
            .cause_tick = tick > 10 ? tick - 10 : 0,
            .id = (uint32_t)tick * 4 + i,
            .type = types[i],
            .who = i == 0 ? HP_ENTITY_NONE
                          : HP_ENTITY_ID(me->slot, me->generation),
            .whom = HP_ENTITY_ID(me->slot, me->generation),
            .audience = HP_AUDIENCE_ALL,
            .strength = 0.5f,
            .direction = {1, 0, 0},
        };
    v->view.event_count = 4;
}

void
world_fill(struct world_view *v, uint64_t tick, uint32_t count, uint32_t own)
{
    uint32_t i;

    for (i = 0; i < count; i++)
        fill_record(record_at(v, i), tick, i);
    v->view = (struct hp_view){
        .size = sizeof(v->view),
        .count = count,
        .stride = sizeof(struct world_record),
        .event_stride = sizeof(v->events[0]),
        .own = own,
        .tick = tick,
        .entities = v->records,
        .events = v->events,
    };
    if (own != HP_INDEX_NONE && tick % 30 == 7)
        fill_events(v, tick, own);
}

void
world_spoil(struct world_view *v, struct chance *r)
{
    static const double wild[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0};
    const struct hp_field *f;
    float narrow;
    char *record;
    uint32_t i, j, k;

    for (i = 0; i < v->view.count; i++)
        for (j = 0; j < world_schema.field_count; j++) {
            f = &fields[j];
            record = (char *)record_at(v, i);
            for (k = 0; k < (f->type == HP_FIELD_QUATERNION ? 4 : f->count);
                 k++) {
                const double *value = &wild[chance_below(r, 6)];

                narrow = (float)*value;
                if (f->type == HP_FIELD_F64)
                    memcpy(record + f->offset + k * 8, value, 8);
                else if (f->type == HP_FIELD_F32 ||
                         f->type == HP_FIELD_QUATERNION)
                    memcpy(record + f->offset + k * 4, &narrow, 4);
            }
        }
    for (i = 0; i < v->view.event_count; i++) {
        v->events[i].strength = NAN;
        v->events[i].type = chance_below(r, 2000);
        v->events[i].who = (uint32_t)chance_next(r);
        v->events[i].direction[0] = INFINITY;
    }
}
