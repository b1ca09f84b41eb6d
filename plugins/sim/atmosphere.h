/*
 * The atmosphere of Stevens & Lewis: a straight lapse to 35000 ft, then
 * constant temperature; density by a power of the same lapse. Within 1 % of
 * the US standard below 15 km. Above 23 km it stays as it is there.
 */
#ifndef SIM_ATMOSPHERE_H
#define SIM_ATMOSPHERE_H

#define ATMOSPHERE_SEA_LEVEL_DENSITY 1.2250554076 /* kg/m3 */

struct atmosphere {
    double density;     /* kg/m3 */
    double sound_speed; /* m/s */
};

void atmosphere_at(struct atmosphere *out, double height_m);

#endif
