/*
 * How an aircraft answers a small push: its motion about a trim made linear by
 * differences, and the eigenvalues of that under the names that pilots know.
 */
#ifndef SIM_CRAFT_MODES_H
#define SIM_CRAFT_MODES_H

#include "craft_bench.h"

#define CRAFT_MODES_MAX 8

struct craft_mode {
    const char *name;
    double real, imag; /* 1/s; imag 0: it does not swing; else above 0 */
};

struct craft_modes {
    struct craft_mode modes[CRAFT_MODES_MAX];
    int count;
};

/* Of the airframe alone, surfaces and power held, about a state in level
 * flight: first what it does in its plane of symmetry, then the rest; the
 * fastest first. 0 or -EDOM. */
int craft_modes(const struct craft *c, const struct airframe_state *s,
                struct craft_modes *out);

double craft_mode_period_s(const struct craft_mode *m); /* 0: none */
double craft_mode_damping(const struct craft_mode *m);  /* ratio */
double craft_mode_half_s(const struct craft_mode *m);   /* or to double */

/* The largest rate of anything the aircraft does there, its control law, its
 * actuators and its engine with it, 1/s. */
double craft_fastest_rate(const struct craft *c,
                          const struct airframe_state *s);

#endif
