/* The loader of aircraft files: what it carries, as a whole. */
#include "aircraft_loading.h"

static void
judge_count(struct loading *l, const char *key, double count)
{
    if (count == (int)count)
        return;
    aircraft_error(l->problems, 2, aircraft_file_place(l->file, "stores", key),
                   "[stores] %s: found %g, expected a whole number", key,
                   count);
}

void
loading_judge_stores(struct loading *l)
{
    const struct aircraft_file *f = l->file;

    judge_count(l, "missiles", f->stores.missiles);
    judge_count(l, "bombs", f->stores.bombs);
    if (f->missile.propellant_kg >= f->missile.mass_kg)
        aircraft_error(
            l->problems, 2, aircraft_file_place(f, "missile", "propellant_kg"),
            "[missile] propellant_kg: found %g, expected less than its "
            "mass_kg, %g, which counts the propellant",
            f->missile.propellant_kg, f->missile.mass_kg);
    if (f->engine.count != 1 && f->engine.count != 2)
        aircraft_error(
            l->problems, 2, aircraft_file_place(f, "engine", "count"),
            "[engine] count: found %g, expected 1 or 2", f->engine.count);
}
