#include "field.h"
#include <string.h>

struct field
field_find(const struct hp_schema *schema, const char *name)
{
    const char *at = (const char *)schema->fields;
    struct field found = {0};
    uint32_t i;

    for (i = 0; i < schema->field_count; i++, at += schema->field_stride) {
        const struct hp_field *f = (const struct hp_field *)at;

        if (strcmp(f->name, name) == 0 && f->type >= HP_FIELD_U8 &&
            f->type <= HP_FIELD_F64) {
            found.type = f->type;
            found.offset = f->offset;
            break;
        }
    }
    return found;
}

double
field_read(const struct field *f, const void *record)
{
    const char *at = (const char *)record + f->offset;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    int16_t i16;
    int32_t i32;
    float f32;
    double f64;

    switch (f->type) {
    case HP_FIELD_U8:
        memcpy(&u8, at, sizeof(u8));
        return u8;
    case HP_FIELD_U16:
        memcpy(&u16, at, sizeof(u16));
        return u16;
    case HP_FIELD_U32:
        memcpy(&u32, at, sizeof(u32));
        return u32;
    case HP_FIELD_I16:
        memcpy(&i16, at, sizeof(i16));
        return i16;
    case HP_FIELD_I32:
        memcpy(&i32, at, sizeof(i32));
        return i32;
    case HP_FIELD_F32:
        memcpy(&f32, at, sizeof(f32));
        return (double)f32;
    case HP_FIELD_F64:
        memcpy(&f64, at, sizeof(f64));
        return f64;
    default:
        return 0;
    }
}
