/* One named number of a record, found in the sim's schema: so that the cues
 * fly with any sim that has the field, and do without one that has not. */
#ifndef CUES_FIELD_H
#define CUES_FIELD_H

#include <hardpoint/types.h>

struct field {
    uint32_t type; /* HP_FIELD_*; 0: the schema has no such field */
    uint32_t offset;
};

/* The first element of the field of that name; type 0 when there is none, or
 * when it is no plain number. */
struct field field_find(const struct hp_schema *schema, const char *name);

/* Its value in a record; 0 without the field. */
double field_read(const struct field *f, const void *record);

#endif
