/*
 * The validator's upper levels. The loader has judged syntax (1) and structure
 * (2); these judge what the figures mean and add to the same list. Each warns
 * where the file flies but looks wrong, and errs where it contradicts itself or
 * cannot fly.
 */
#ifndef SIM_CRAFT_CHECK_H
#define SIM_CRAFT_CHECK_H

#include "craft_bench.h"

#define CRAFT_LEVELS 5

/* 2: cells that stand out of their table, axes that end before the flight does. */
void craft_check_tables(const struct aircraft_file *f,
                        struct aircraft_problems *problems);

/* 3: masses, inertia, damping, symmetry, thrust, gear, stiffness. */
void craft_check_mass(const struct aircraft_file *f,
                      struct aircraft_problems *problems);
void craft_check_gear(const struct aircraft_file *f,
                      struct aircraft_problems *problems);
void craft_check_aero(const struct craft *c,
                      struct aircraft_problems *problems);
void craft_check_engine(const struct craft *c,
                        struct aircraft_problems *problems);

/* 4: the file's own vectors and claims, and flights. */
void craft_check_vectors(const struct craft *c,
                         struct aircraft_problems *problems);
void craft_check_claims(const struct craft *c,
                        struct aircraft_problems *problems);
void craft_check_flights(const struct craft *c,
                         struct aircraft_problems *problems);

/* The value of one term at AIRCRAFT_* quantities. */
double craft_term(const struct aircraft_file *f, const struct aircraft_term *t,
                  const double *values);

/* Where the first term stands that adds to a target and knows a quantity (by
 * itself or by its table); else the heading [aero]. */
struct aircraft_place craft_term_place(const struct aircraft_file *f,
                                       int target, int quantity);

#endif
