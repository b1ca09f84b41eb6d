/* The loader of aircraft files: what it carries, as a whole. */
#include "aircraft_loading.h"
#include "stores.h"

#define LOAD_SHARE 1.0 /* of the empty mass */

static void
judge_count(struct loading *l, const char *key, double count)
{
    if (count == (int)count)
        return;
    aircraft_error(l->problems, 2, aircraft_file_place(l->file, "stores", key),
                   "[stores] %s: found %g, expected a whole number", key,
                   count);
}

/* What is described, but not carried. */
static void
judge_carried(struct loading *l, const char *kind, const char *key,
              double count)
{
    struct aircraft_place at = aircraft_file_place(l->file, kind, "");

    if (at.line == 0 || count > 0)
        return;
    aircraft_warning(l->problems, 2, at,
                     "[%s]: nothing carries it; set %s under [stores]", kind,
                     key);
}

static void
judge_load(struct loading *l)
{
    const struct aircraft_file *f = l->file;
    double load_kg = stores_full_kg(f);

    if (load_kg <= LOAD_SHARE * f->mass.empty_kg)
        return;
    aircraft_warning(l->problems, 2, aircraft_file_place(f, "stores", ""),
                     "[stores]: found %g kg, expected at most %g, a load as "
                     "heavy as the empty aircraft",
                     load_kg, LOAD_SHARE * f->mass.empty_kg);
}

void
loading_judge_stores(struct loading *l)
{
    const struct aircraft_file *f = l->file;

    judge_count(l, "missiles", f->stores.missiles);
    judge_count(l, "bombs", f->stores.bombs);
    judge_carried(l, "missile", "missiles", f->stores.missiles);
    judge_carried(l, "bomb", "bombs", f->stores.bombs);
    judge_load(l);
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
