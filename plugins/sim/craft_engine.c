/* Level 3: thrust and fuel. */
#include "craft_check.h"

#include "engine.h"
#include <math.h>

#define THRUST_RISE   0.02 /* of the table's largest, with height */
#define ENDURANCE_LOW 60.0 /* s */
#define ENDURANCE_MAX (100 * 3600.0)

static int
axis_of(const struct aircraft_table *t, int height)
{
    int i;

    for (i = 0; i < t->dimensions; i++) {
        int q = t->axes[i].quantity;
        int is = q == AIRCRAFT_ALTITUDE_M || q == AIRCRAFT_ALTITUDE_FT;

        if (is == height)
            return i;
    }
    return -1;
}

/* Thin air burns less: military and full thrust fall with the height. */
static void
check_falling(const struct aircraft_table *t,
              struct aircraft_problems *problems)
{
    int axis = axis_of(t, 1), i;
    size_t cell, stride = 1, count;
    double most = 0;

    if (axis < 0)
        return;
    for (i = axis + 1; i < t->dimensions; i++)
        stride *= (size_t)t->axes[i].count;
    count = (size_t)t->axes[axis].count;
    for (cell = 0; cell < t->cell_count; cell++)
        most = fabs(t->cells[cell]) > most ? fabs(t->cells[cell]) : most;
    for (cell = 0; cell < t->cell_count; cell++) {
        if (cell / stride % count == 0 ||
            t->cells[cell] - t->cells[cell - stride] <= THRUST_RISE * most)
            continue;
        aircraft_warning(problems, 3, t->places[cell],
                         "[table %s] data: found %g above %g one step of "
                         "%s lower, expected less thrust in thinner air; are "
                         "rows and columns swapped?",
                         t->name, t->cells[cell], t->cells[cell - stride],
                         aircraft_quantity_name(t->axes[axis].quantity));
        return;
    }
}

/* More power is more thrust, or the throttle does not say what it does. */
static void
check_order(const struct craft *c, struct aircraft_problems *problems)
{
    static const double heights[] = {0, 3000, 6000, 9000, 12000};
    const struct aircraft_file *f = c->type->file;
    int burner = f->engine.maximum >= 0, i, k;
    double sound, cap, speed, idle, military, maximum;

    for (i = 0; i < 5; i++) {
        sound = craft_sound_speed(c, heights[i]);
        cap = craft_speed_cap(c, heights[i]);
        for (k = 0; k <= 4; k++) {
            speed = cap * k / 4;
            idle = engine_thrust(c->type, 0, heights[i], speed / sound);
            military = engine_thrust(c->type, ENGINE_MILITARY_POWER, heights[i],
                                     speed / sound);
            maximum =
                burner ? engine_thrust(c->type, 100, heights[i], speed / sound)
                       : military;
            if (military > idle && maximum >= military)
                continue;
            aircraft_error(problems, 3, f->engine.heading,
                           "[engine]: found idle %.4g, military %.4g, full "
                           "%.4g N at %g m and Mach %.2g, expected each above "
                           "the one before; are two tables swapped?",
                           idle, military, maximum, heights[i], speed / sound);
            return;
        }
    }
}

static void
check_fuel(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;
    double values[AIRCRAFT_QUANTITIES] = {0}, targets[AERO_TARGETS_MAX];
    double flow, endurance;

    values[AIRCRAFT_POWER] = ENGINE_MILITARY_POWER;
    values[AIRCRAFT_DENSITY_RATIO] = 1;
    values[AIRCRAFT_MACH] = 0.2;
    aero_run(&c->type->engine, values, targets);
    flow = targets[ENGINE_FUEL];
    if (f->mass.fuel_kg <= 0) {
        aircraft_warning(problems, 3, f->engine.heading,
                         "[engine]: found no fuel, expected [fuel] "
                         "capacity_kg above 0: the engine never runs");
        return;
    }
    if (flow < 0) {
        aircraft_error(problems, 3, f->engine.heading,
                       "[engine] fuel: found a flow of %.3g kg/s at military "
                       "power, expected none below 0; turn the sign",
                       flow);
        return;
    }
    if (flow == 0)
        return; /* a glider's winch, an electric motor: no harm */
    endurance = f->mass.fuel_kg / flow;
    if (endurance < ENDURANCE_LOW || endurance > ENDURANCE_MAX)
        aircraft_warning(problems, 3,
                         aircraft_file_place(f, "fuel", "capacity_kg"),
                         "[fuel] capacity: found %g kg, which military power "
                         "burns in %.3g s, expected a minute to a hundred "
                         "hours; is the flow for each second?",
                         f->mass.fuel_kg, endurance);
}

void
craft_check_engine(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;

    if (f->engine.heading.line == 0)
        return;
    check_falling(&f->tables[f->engine.military], problems);
    if (f->engine.maximum >= 0)
        check_falling(&f->tables[f->engine.maximum], problems);
    check_order(c, problems);
    check_fuel(c, problems);
}
