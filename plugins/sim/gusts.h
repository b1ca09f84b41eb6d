/*
 * What the air does beside its mean wind: continuous turbulence and single
 * gusts. Both are functions of seed, entity and time, without state: values at
 * knots of time are hashed, so server and client have the same bits and the
 * tick rate changes nothing of it.
 *
 * Turbulence has Dryden's spectra, its lengths and strengths those of
 * MIL-F-8785C and MIL-HDBK-1797: to 1000 ft by height and a wind of 15, 30 or
 * 45 knots at 20 ft, from 2000 ft by the strength that is exceeded in one of
 * 100, 1000 or 100000 cases, straight between. Its axes are north, east, down;
 * both horizontal ones have the spectrum along the flight path.
 */
#ifndef SIM_GUSTS_H
#define SIM_GUSTS_H

#include <stdint.h>

enum gusts_turbulence {
    GUSTS_CALM,
    GUSTS_LIGHT,
    GUSTS_MODERATE,
    GUSTS_SEVERE
};

struct gusts {
    uint64_t seed;
    double single_mps; /* a "1 - cosine" gust's peak, one in 20 s; 0: none */
    int32_t turbulence;
    int32_t reserved;
};

/* Where and when the air is asked for. */
struct gusts_place {
    uint32_t entity;
    uint32_t reserved;
    double time_s;
    double height_m;  /* over the ground */
    double speed_mps; /* through the air: it shortens the waves */
};

/* The turbulence of a name; one that is unknown is calm. */
int gusts_named(const char *name);

/* Velocity towards north, east, down in m/s; zeros when all is calm. */
void gusts_at(const struct gusts *g, const struct gusts_place *at,
              double ned_mps[3]);

/* Dryden's lengths and strengths at a height, horizontal then vertical. */
void gusts_dryden(const struct gusts *g, double height_m, double length_m[2],
                  double rms_mps[2]);

#endif
