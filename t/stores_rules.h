/* A world of F-16s whose file a test may change. */
#ifndef T_STORES_RULES_H
#define T_STORES_RULES_H

#include "aircraft_types.h"
#include "tap.h"

#define DT_S (1.0 / 60)

static struct aircraft_world rules;
static struct aircraft_file f16; /* the F-16's, for a test to change */

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
    f16 = *type.file;
    type.file = &f16;
    ok_int(aircraft_world_init(&rules, &only, 1, &around, &spawn, 180), 0);
    rules.respawn_s = 5;
    rules.ammunition = 511;
}

#endif
