/* The shipped aircraft for tests, each loaded once and kept. */
#ifndef T_AIRCRAFT_TYPES_H
#define T_AIRCRAFT_TYPES_H

#include <sim/aircraft.h>
#include <sim/units.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A built-in type by name; the process ends when it does not load. */
static inline struct aircraft_type *
type_of(const char *name)
{
    static struct {
        const char *name;
        struct aircraft_type *type;
    } kept[16];
    char why[600];
    int i;

    for (i = 0; i < 15 && kept[i].name != NULL; i++)
        if (strcmp(kept[i].name, name) == 0)
            return kept[i].type;
    if (aircraft_type_open(&kept[i].type, name, why, sizeof(why)) < 0) {
        printf("Bail out! %s\n", why);
        exit(1);
    }
    kept[i].name = name;
    return kept[i].type;
}

/* A world of F-16s. */
static inline int
f16_world_init(struct aircraft_world *w, const struct surroundings *around,
               const struct planet_geodetic *spawn, double speed_mps)
{
    const struct aircraft_type *type = type_of("f16");

    return aircraft_world_init(w, &type, 1, around, spawn, speed_mps);
}

/* The F-16 as NASA loads it, its surfaces held. */
static inline void
nasa_f16(struct airframe *out, const struct surroundings *around)
{
    airframe_init(out, type_of("f16"), around);
    out->dry_mass_kg = 637.1595 * KG_PER_SLUG;
    out->fuel_max_kg = 0;
    out->reference_m[0] = (0.25 - 0.35) * out->chord_m;
    out->rotor = 0;
    out->systems = 0;
}

#endif
