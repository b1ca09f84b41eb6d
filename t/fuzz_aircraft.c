/*
 * Fuzzing the loader of aircraft files and what stands on it. What holds for
 * any bytes: an error is told when nothing is loaded; what is loaded becomes a
 * type, or has too many axes; its forces are numbers for a plain state; and the
 * judges of levels 2 and 3 come to an end.
 */
#include <errno.h>
#include <math.h>
#include <sim/craft_check.h>
#include <stdint.h>
#include <stdlib.h>

/* Names are not looked for. */
const struct aircraft_builtin aircraft_builtins[] = {
    {NULL, NULL}
};

static void
hold(int truth)
{
    if (!truth)
        abort();
}

/* Cells may be as large as a number can be: their sum may be no number, but not
 * of small ones. */
static int
is_small(const struct aircraft_file *f)
{
    size_t k;
    int i;

    for (i = 0; i < f->table_count; i++)
        for (k = 0; k < f->tables[i].cell_count; k++)
            if (!(fabs(f->tables[i].cells[k]) < 1e6))
                return 0;
    for (i = 0; i < f->term_count; i++)
        if (!(fabs(f->terms[i].factor) < 1e6))
            return 0;
    return 1;
}

static void
judge(struct craft *c, struct aircraft_problems *problems)
{
    double values[AIRCRAFT_QUANTITIES] = {0}, out[AIRCRAFT_LIFT + 1];
    int i;

    craft_coefficients(c, values, out);
    for (i = 0; i <= AIRCRAFT_LIFT && is_small(c->type->file); i++)
        hold(isfinite(out[i]));
    craft_check_mass(c->type->file, problems);
    craft_check_gear(c->type->file, problems);
    craft_check_aero(c, problems);
    craft_check_engine(c, problems);
    craft_check_vectors(c, problems);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *file;
    struct craft *c;
    size_t i;
    int err = aircraft_file_load_bytes(&file, bytes, count, &problems);

    hold((err == 0) == (file != NULL));
    hold(err == 0 ? problems.errors == 0 : problems.errors > 0);
    for (i = 0; i < problems.count; i++)
        hold(problems.items[i].at.line >= 1 &&
             problems.items[i].at.column >= 1);
    if (err == 0) {
        craft_check_tables(file, &problems);
        err = craft_create(&c, file);
        hold(err == 0 || err == -E2BIG);
        if (err == 0)
            judge(c, &problems);
        craft_destroy(c);
    }
    aircraft_problems_finish(&problems);
    return 0;
}
