/*
 * The F-16's aerodynamic and thrust tables, as aero_f16.c and engine.c read
 * them. Angles in degrees, thrust in pounds-force over Mach and feet, as
 * published.
 */
#ifndef SIM_F16_TABLES_H
#define SIM_F16_TABLES_H

enum {
    F16_ALPHAS = 12,
    F16_ELEVATORS = 5,
    F16_BETAS = 7,
    F16_MACHS = 6,
    F16_ALTITUDES = 6
};

struct f16_tables {
    double cx[F16_ELEVATORS][F16_ALPHAS];
    double cm[F16_ELEVATORS][F16_ALPHAS];
    double cl[F16_BETAS][F16_ALPHAS]; /* by |beta| */
    double cn[F16_BETAS][F16_ALPHAS];
    double dlda[F16_BETAS][F16_ALPHAS]; /* by beta */
    double dldr[F16_BETAS][F16_ALPHAS];
    double dnda[F16_BETAS][F16_ALPHAS];
    double dndr[F16_BETAS][F16_ALPHAS];
    double slip_radians; /* in a degree, where cz falls with slip */
    double cz[F16_ALPHAS];
    double cxq[F16_ALPHAS];
    double cyr[F16_ALPHAS];
    double cyp[F16_ALPHAS];
    double czq[F16_ALPHAS];
    double clr[F16_ALPHAS];
    double clp[F16_ALPHAS];
    double cmq[F16_ALPHAS];
    double cnr[F16_ALPHAS];
    double cnp[F16_ALPHAS];
};

struct f16_thrust {
    double idle_lbf[F16_MACHS][F16_ALTITUDES];
    double military_lbf[F16_MACHS][F16_ALTITUDES];
    double maximum_lbf[F16_MACHS][F16_ALTITUDES];
};

extern const struct f16_tables f16_tables;
extern const struct f16_thrust f16_thrust;

#endif
