/* What every body of a world moves in: the planet, its air, its ground. */
#ifndef SIM_SURROUNDINGS_H
#define SIM_SURROUNDINGS_H

#include "atmosphere.h"
#include "ground.h"
#include "gusts.h"
#include "planet.h"
#include <stddef.h>

struct weather {
    const struct atmosphere_table *standard; /* NULL: the textbook's air */
    double wind_mps[3];    /* at height 0, towards north, east, down */
    double shear_per_s[3]; /* what a metre of height adds to it, m/s */
    struct gusts gusts;
};

struct surroundings {
    struct planet planet;
    struct weather weather;
    struct ground ground;
};

static inline void
weather_air(const struct weather *w, struct atmosphere *out, double height_m)
{
    if (w->standard != NULL)
        atmosphere_from(w->standard, out, height_m);
    else
        atmosphere_textbook(out, height_m);
}

/* The wind in world axes where `place` is. */
static inline void
weather_wind(const struct weather *w, const struct planet_place *place,
             double out[3])
{
    double ned[3];
    int i;

    for (i = 0; i < 3; i++)
        ned[i] = w->wind_mps[i] + w->shear_per_s[i] * place->height_m;
    for (i = 0; i < 3; i++)
        out[i] = place->ned[0][i] * ned[0] + place->ned[1][i] * ned[1] +
                 place->ned[2][i] * ned[2];
}

#endif
