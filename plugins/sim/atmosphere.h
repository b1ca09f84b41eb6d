/*
 * Two atmospheres. That of Stevens & Lewis, for the textbook's figures: a
 * straight lapse to 35000 ft, then constant temperature; density by a power of
 * the same lapse; above 23 km it stays as it is there. And the US Standard
 * Atmosphere 1976 from -5 to 86 km, which a step reads from a table.
 */
#ifndef SIM_ATMOSPHERE_H
#define SIM_ATMOSPHERE_H

#define ATMOSPHERE_SEA_LEVEL_DENSITY 1.2250554076 /* kg/m3 */

#define ATMOSPHERE_LOW_M     (-5000.0)
#define ATMOSPHERE_HIGH_M    86000.0
#define ATMOSPHERE_SPACING_M 20.0
#define ATMOSPHERE_ROWS      4551

struct atmosphere {
    double density;     /* kg/m3 */
    double sound_speed; /* m/s */
};

/* The US standard at every 20 m of geometric height; the same bits wherever it
 * is filled. 73 kB, so one serves a whole world. */
struct atmosphere_table {
    struct atmosphere rows[ATMOSPHERE_ROWS];
};

struct atmosphere_standard {
    double temperature_k; /* the molecular scale one above 80 km */
    double pressure_pa;
    double density;
    double sound_speed;
};

/* The textbook's. */
void atmosphere_textbook(struct atmosphere *out, double height_m);

/* The US standard from its definition, for a geometric height. Beyond its ends
 * it is as at them. */
void atmosphere_standard(struct atmosphere_standard *out, double height_m);

void atmosphere_fill(struct atmosphere_table *out);

/* Between a table's rows: within 1e-6 of the definition, 6e-5 within the 20 m
 * where a layer ends. */
static inline void
atmosphere_from(const struct atmosphere_table *t, struct atmosphere *out,
                double height_m)
{
    double at = (height_m - ATMOSPHERE_LOW_M) * (1 / ATMOSPHERE_SPACING_M);
    const struct atmosphere *row;
    double share;

    /* So written that a NaN has a place: the step's end will find it. */
    if (!(at > 0))
        at = 0;
    else if (at > ATMOSPHERE_ROWS - 1)
        at = ATMOSPHERE_ROWS - 1;
    row = &t->rows[at < ATMOSPHERE_ROWS - 2 ? (int)at : ATMOSPHERE_ROWS - 2];
    share = at - (double)(row - t->rows);
    out->density = row[0].density + (row[1].density - row[0].density) * share;
    out->sound_speed =
        row[0].sound_speed + (row[1].sound_speed - row[0].sound_speed) * share;
}

#endif
