/* The published figures' units in ours, and the one gravity of a flat Earth. */
#ifndef SIM_UNITS_H
#define SIM_UNITS_H

#include <motion/math.h>

#define GRAVITY_MPS2    9.80665
#define RADIANS_PER_DEG (MOTION_PI / 180)
#define DEG_PER_RAD     (180 / MOTION_PI)
#define METRES_PER_FOOT 0.3048
#define KG_PER_SLUG     14.593902937206365
#define NEWTONS_PER_LBF 4.4482216152605

#define CUBIC_METRES_PER_FOOT3 \
    (METRES_PER_FOOT * METRES_PER_FOOT * METRES_PER_FOOT)
#define KG_M2_PER_SLUG_FT2 (KG_PER_SLUG * METRES_PER_FOOT * METRES_PER_FOOT)
#define KG_M3_PER_SLUG_FT3 (KG_PER_SLUG / CUBIC_METRES_PER_FOOT3)

#endif
