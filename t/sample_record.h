/*
 * A record as a sim might describe it: the common head and a tail with a field
 * of each type. For the tests of broadcasters and their fuzzer.
 */
#ifndef SAMPLE_RECORD_H
#define SAMPLE_RECORD_H

#include <hardpoint/types.h>

struct sample_record {
    struct hp_entity head;
    float throttle;
    float fuel_kg;
    int32_t score;
    int16_t trim;
    uint16_t rounds;
    uint8_t gear;
    uint8_t unsent[7];
};

#define SAMPLE_AT(member) offsetof(struct sample_record, member)

/* clang-format off */
static const struct hp_field sample_fields[] = {
    {"slot", "1", 0, 0, 4095, HP_FIELD_U16, SAMPLE_AT(head.slot), 1, 0},
    {"generation", "1", 0, 0, 65535, HP_FIELD_U16, SAMPLE_AT(head.generation), 1, 0},
    {"type", "1", 0, 0, 15, HP_FIELD_U16, SAMPLE_AT(head.type), 1, 0},
    {"flags", "1", 0, 0, 7, HP_FIELD_U16, SAMPLE_AT(head.flags), 1, 0},
    {"owner", "1", 0, 0, 4294967295.0, HP_FIELD_U32, SAMPLE_AT(head.owner), 1, 0},
    {"position", "m", 1.0 / 64, -500000, 500000, HP_FIELD_F64, SAMPLE_AT(head.position_m), 3, 0},
    {"attitude", "1", 1.0 / 1024, -1, 1, HP_FIELD_QUATERNION, SAMPLE_AT(head.attitude), 1, 0},
    {"velocity", "m/s", 1.0 / 8, -1000, 1000, HP_FIELD_F32, SAMPLE_AT(head.velocity_mps), 3, 0},
    {"rates", "rad/s", 1.0 / 64, -10, 10, HP_FIELD_F32, SAMPLE_AT(head.rates_rps), 3, 0},
    {"throttle", "1", 0.01, 0, 1, HP_FIELD_F32, SAMPLE_AT(throttle), 1, 0},
    {"fuel", "kg", 0.7, 0, 3000, HP_FIELD_F32, SAMPLE_AT(fuel_kg), 1, 0},
    {"score", "1", 0, -1000, 1000, HP_FIELD_I32, SAMPLE_AT(score), 1, 0},
    {"trim", "1", 0, -32768, 32767, HP_FIELD_I16, SAMPLE_AT(trim), 1, 0},
    {"rounds", "1", 0, 0, 511, HP_FIELD_U16, SAMPLE_AT(rounds), 1, 0},
    {"gear", "1", 0, 0, 1, HP_FIELD_U8, SAMPLE_AT(gear), 1, 0},
};
/* clang-format on */

static const struct hp_schema sample_schema = {
    .size = sizeof(sample_schema),
    .record_bytes = sizeof(struct sample_record),
    .field_count = sizeof(sample_fields) / sizeof(sample_fields[0]),
    .field_stride = sizeof(sample_fields[0]),
    .fields = sample_fields,
    .name = "sample",
};

#endif
