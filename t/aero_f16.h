/*
 * The F-16's aerodynamic coefficients about the reference point at 35 % of the
 * chord, body axes (x forward, y right, z down), leading-edge flap folded in.
 */
#ifndef SIM_AERO_F16_H
#define SIM_AERO_F16_H

#include "f16_tables.h"

struct aero_input {
    double alpha_deg;
    double beta_deg;
    double roll_rate;  /* p b / 2V */
    double pitch_rate; /* q c / 2V */
    double yaw_rate;   /* r b / 2V */
    double elevator_deg;
    double aileron_deg;
    double rudder_deg;
};

struct aero_coefficients {
    double cx, cy, cz; /* forces over q S */
    double cl, cm, cn; /* moments over q S b, q S c, q S b */
};

/*
 * Table values, linear between and, for 5 degrees, beyond the ends (alpha
 * -10 .. 45, |beta| 30); further out they blend over 10 degrees into a flat
 * plate with damping, so that any attitude has a finite answer.
 */
void aero_f16(const struct f16_tables *tables, const struct aero_input *in,
              struct aero_coefficients *out);

#endif
