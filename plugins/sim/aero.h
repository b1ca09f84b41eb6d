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
#define AERO_ITEMS_MAX    AIRCRAFT_TERMS_MAX
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

/*
 * Two neighbouring sums take one product of a pair of cells and a factor: what
 * the file has as two terms, the drag and the pitching moment of pitching for
 * example, is one step of the program.
 */
struct aero_item {
    uint8_t sums;   /* which pair, of the first or the second half */
    uint8_t factor; /* place among the values: a quantity, 1 or a product */
};

/* Tables over the same axes; without any axis they are constants. */
struct aero_group {
    int dimensions;
    int axis[AIRCRAFT_AXES_MAX];   /* the last is the nearest in memory */
    int stride[AIRCRAFT_AXES_MAX]; /* in pairs */
    int items, first_item;
    const aero_pair *cells;
};

/* Room behind the quantities: a one and the products. */
#define AERO_ONE    AIRCRAFT_QUANTITIES
#define AERO_VALUES (AIRCRAFT_QUANTITIES + 1 + AERO_PRODUCTS_MAX)

struct aero_program {
    int axis_count, group_count, item_count, product_count, targets;
    struct aero_axis axes[AERO_AXES_MAX];
    struct aero_group groups[AERO_GROUPS_MAX + 1];
    struct aero_item items[AERO_ITEMS_MAX];
    /* products[i], behind the one, is the value `of` times a quantity. */
    struct {
        uint8_t of, quantity;
    } products[AERO_PRODUCTS_MAX];
    uint8_t sums[AERO_TARGETS_MAX]; /* where each target is summed */
    void *memory;                   /* of all cells and breakpoints */
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
 * Makes a program of terms for aero_program_finish. `order` has for each target
 * the place of its sum, below AERO_TARGETS_MAX; those that often come together
 * stand side by side from an even place on. 0, -ENOMEM, or -E2BIG: it has more
 * axes or products than there is room for.
 */
int aero_compile(struct aero_program *out, const struct aero_term *terms,
                 int count, int targets, const uint8_t *order);

void aero_program_finish(struct aero_program *p);

/* Adds up all targets; `values` by AIRCRAFT_* quantity. */
void aero_run(const struct aero_program *p, const double *values,
              double *targets);

/* The same; `values` has AERO_VALUES, of which those behind the quantities are
 * written. */
void aero_run_here(const struct aero_program *p, double *values,
                   double *targets);

#endif
