/*
 * The landing gear of a type of aircraft, and where else it would touch: what an
 * aircraft file says of them. struts.h has what the ground does through it.
 */
#ifndef SIM_GEAR_H
#define SIM_GEAR_H

#define GEAR_STRUTS_MAX 4
#define GEAR_HULL_MAX   16

/* One leg: a spring and a damper along body z over one tyre. Places are in body
 * axes from the centre of mass. */
struct gear_strut {
    double position_m[3]; /* the tyre's foot when unloaded */
    double stiffness;     /* N/m */
    double damping;       /* N s/m */
    double friction;      /* of the tyre on the ground, against slipping */
    double rolling;       /* resistance of a free wheel, share of the load */
    double brake;         /* what the full brake adds to it; 0: none */
    double steer_rad;     /* how far full pedal turns it; 0: fixed */
};

struct gear {
    struct gear_strut struts[GEAR_STRUTS_MAX];
    double hull_m[GEAR_HULL_MAX][3]; /* points that must not touch */
    double sink_max_mps;             /* the gear breaks above it */
    int strut_count;
    int hull_count;
};

#endif
