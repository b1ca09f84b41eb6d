/*
 * Sums of table products, made ready for the step: what an aircraft file says
 * in terms becomes one flat program. Each axis is located once for all tables
 * that share it, tables over the same axes lie interleaved so that one place
 * yields all of them, and each product of quantities is formed once.
 *
 * The order of every sum is the file's, so the bits are the same everywhere.
 */
#ifndef SIM_AERO_H
#define SIM_AERO_H

#include "aircraft_file.h"

#define AERO_AXES_MAX     32
#define AERO_GROUPS_MAX   AIRCRAFT_TABLES_MAX
#define AERO_CHANNELS_MAX 128
#define AERO_PRODUCTS_MAX 48
#define AERO_TARGETS_MAX  8

/* Two neighbours that are worked out side by side. */
typedef double aero_pair __attribute__((vector_size(16)));

struct aero_axis {
    int quantity;
    int last; /* place of the last cell */
    int uniform;
    double first, per_step;       /* of a uniform axis */
    double share_low, share_high; /* how far a cell may be left */
    const double *at, *per_cell;  /* breakpoints; one over the cells' widths */
};

/* Tables over the same axes. */
struct aero_group {
    int dimensions;
    int axis[AIRCRAFT_AXES_MAX];   /* the last is the nearest in memory */
    int stride[AIRCRAFT_AXES_MAX]; /* in pairs */
    int pairs;
    int channel; /* in pairs: where its values go */
    const aero_pair *cells;
};

struct aero_sum {
    uint16_t channel; /* or the place of a constant */
    uint16_t product;
};

struct aero_program {
    int axis_count, group_count, product_count, targets;
    struct aero_axis axes[AERO_AXES_MAX];
    struct aero_group groups[AERO_GROUPS_MAX];
    /* products[i] = products[of] * quantity; the first is 1. */
    struct {
        uint8_t of, quantity;
    } products[AERO_PRODUCTS_MAX];
    /* The sums of each target, with tables and without. */
    int table_ends[AERO_TARGETS_MAX], constant_ends[AERO_TARGETS_MAX];
    struct aero_sum table_sums[AERO_CHANNELS_MAX];
    struct aero_sum constant_sums[AIRCRAFT_TERMS_MAX];
    double constants[AIRCRAFT_TERMS_MAX];
    void *memory; /* of all cells and breakpoints */
};

/* One product for aero_compile. */
struct aero_term {
    int target; /* below `targets` */
    double factor;
    const int *quantities;
    int quantity_count;
    const struct aircraft_table *table; /* NULL: none */
};

/*
 * Makes a program of terms for aero_program_finish. 0, -ENOMEM, or -E2BIG: it
 * has more axes, products or tables than there is room for.
 */
int aero_compile(struct aero_program *out, const struct aero_term *terms,
                 int count, int targets);

void aero_program_finish(struct aero_program *p);

/* Adds up all targets; `values` by AIRCRAFT_* quantity. */
void aero_run(const struct aero_program *p, const double *values,
              double *targets);

#endif
