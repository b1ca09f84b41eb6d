/*
 * The bodies of NASA's check-cases: they fly through the same step as the
 * aircraft of a game, but nothing in them moves by itself.
 */
#ifndef SIM_BODIES_H
#define SIM_BODIES_H

#include "airframe.h"

/* A cannon ball of one slug; drag alone. */
void body_sphere(struct airframe *out, const struct surroundings *around);

/* A small brick without any aerodynamics, and one whose turning is damped. */
void body_brick(struct airframe *out, const struct surroundings *around);
void body_brick_damped(struct airframe *out, const struct surroundings *around);

/* The F-16 as NASA's model has it: surfaces and power held as they are set, no
 * fuel burnt, the centre of mass at 25 % of the chord, no rotor. */
void body_f16(struct airframe *out, const struct surroundings *around);

#endif
