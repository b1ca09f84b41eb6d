/* Level 3, on the ground: masses, inertia, sizes, gear. */
#include "craft_check.h"

#include "units.h"
#include <math.h>

/* What aircraft have, from gliders to bombers; a slip of a unit leaves it. */
#define GYRATION_LOW   0.08 /* radii of gyration over half the span */
#define GYRATION_HIGH  1.2
#define LOADING_LOW    50.0 /* N/m2 of wing */
#define LOADING_HIGH   12000.0
#define FILL_LOW       0.4 /* area over span times chord */
#define FILL_HIGH      1.6
#define SQUAT_HIGH_M   0.5 /* standing on its springs */
#define HEAVE_LOW      0.05
#define HEAVE_HIGH     3.0
#define CG_AHEAD_LEAST 0.02 /* m between the weight and a wheel's line */

static int
is_aircraft(const struct aircraft_file *f)
{
    return f->control.law != AIRCRAFT_LAW_NONE;
}

/* ---- inertia ---- */

/* No body has a moment larger than the two others together. */
static void
check_triangle(const struct aircraft_file *f,
               struct aircraft_problems *problems)
{
    static const char *const keys[3] = {"ixx_kgm2", "iyy_kgm2", "izz_kgm2"};
    static const char names[3][4] = {"ixx", "iyy", "izz"};
    const double moments[3] = {f->mass.ixx, f->mass.iyy, f->mass.izz};
    int i;

    for (i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;

        if (moments[i] <= (moments[a] + moments[b]) * (1 + 1e-6))
            continue;
        aircraft_error(problems, 3, aircraft_file_place(f, "mass", keys[i]),
                       "[mass] %s: found %g kg m2, expected at most %s + %s = "
                       "%g: no body turns otherwise; compare the three with "
                       "their source",
                       names[i], moments[i], names[a], names[b],
                       moments[a] + moments[b]);
        return;
    }
}

static void
check_definite(const struct aircraft_file *f,
               struct aircraft_problems *problems)
{
    const struct aircraft_mass *m = &f->mass;
    double minor = m->ixx * m->izz - m->ixz * m->ixz;
    double whole = m->ixx * (m->iyy * m->izz - m->iyz * m->iyz) -
                   m->ixy * (m->ixy * m->izz + m->iyz * m->ixz) -
                   m->ixz * (m->ixy * m->iyz + m->iyy * m->ixz);
    const char *key = "ixz_kgm2";

    if (fabs(m->ixy) > fabs(m->ixz))
        key = "ixy_kgm2";
    if (fabs(m->iyz) > fabs(m->ixz) && fabs(m->iyz) > fabs(m->ixy))
        key = "iyz_kgm2";
    if (minor > 0 && whole > 0 && m->ixx * m->iyy > m->ixy * m->ixy)
        return;
    aircraft_error(problems, 3, aircraft_file_place(f, "mass", key),
                   "[mass] %s: found products of inertia ixz %g, ixy %g, iyz "
                   "%g kg m2, expected smaller ones beside ixx %g, iyy %g, izz "
                   "%g: about some axis it would have less than none",
                   key, m->ixz, m->ixy, m->iyz, m->ixx, m->iyy, m->izz);
}

static void
check_gyration(const struct aircraft_file *f,
               struct aircraft_problems *problems)
{
    static const char *const keys[3] = {"ixx_kgm2", "iyy_kgm2", "izz_kgm2"};
    const double moments[3] = {f->mass.ixx, f->mass.iyy, f->mass.izz};
    double half = f->reference.span_m / 2, radius;
    int i;

    for (i = 0; i < 3; i++) {
        radius = sqrt(moments[i] / f->mass.empty_kg);
        if (radius >= GYRATION_LOW * half && radius <= GYRATION_HIGH * half)
            continue;
        aircraft_warning(problems, 3, aircraft_file_place(f, "mass", keys[i]),
                         "[mass] %s: found %g kg m2, a radius of %.2g m, "
                         "expected %.2g to %.2g m with this span; is it "
                         "in slug ft2?",
                         keys[i], moments[i], radius, GYRATION_LOW * half,
                         GYRATION_HIGH * half);
    }
}

static void
check_sizes(const struct aircraft_file *f, struct aircraft_problems *problems)
{
    const struct aircraft_reference *r = &f->reference;
    double fill = r->area_m2 / (r->span_m * r->chord_m);
    double loading =
        (f->mass.empty_kg + f->mass.fuel_kg / 2) * GRAVITY_MPS2 / r->area_m2;

    if (fill < FILL_LOW || fill > FILL_HIGH)
        aircraft_warning(
            problems, 3, aircraft_file_place(f, "reference", "area_m2"),
            "[reference] area: found %g m2, expected %.3g to %.3g "
            "with span %g m and chord %g m; are they in the same "
            "units?",
            r->area_m2, FILL_LOW * r->span_m * r->chord_m,
            FILL_HIGH * r->span_m * r->chord_m, r->span_m, r->chord_m);
    if (loading < LOADING_LOW || loading > LOADING_HIGH)
        aircraft_warning(problems, 3,
                         aircraft_file_place(f, "mass", "empty_kg"),
                         "[mass] empty: found %g kg, %.3g N for each m2 of "
                         "wing, expected %g to %g; compare mass and area with "
                         "their source",
                         f->mass.empty_kg, loading, LOADING_LOW, LOADING_HIGH);
}

void
craft_check_mass(const struct aircraft_file *f,
                 struct aircraft_problems *problems)
{
    check_triangle(f, problems);
    check_definite(f, problems);
    if (!is_aircraft(f) || aircraft_file_place(f, "reference", "").line == 0)
        return;
    check_gyration(f, problems);
    check_sizes(f, problems);
}

/* ---- gear ---- */

/* The weight must lie between the wheels, or it tips over. */
static void
check_stance(const struct aircraft_file *f, struct aircraft_problems *problems)
{
    const struct gear *g = &f->gear;
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    int i, k;

    for (i = 0; i < g->strut_count; i++)
        for (k = 0; k < 2; k++) {
            double at = g->struts[i].position_m[k];

            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    for (k = 0; k < 2; k++)
        if (low[k] > -CG_AHEAD_LEAST || high[k] < CG_AHEAD_LEAST)
            aircraft_error(problems, 3, f->strut_headings[0],
                           "[gear]: found all wheels at %s %g to %g m from the "
                           "centre of mass, expected them on both sides of it: "
                           "it would tip over; move a wheel",
                           k == 0 ? "x" : "y", low[k], high[k]);
}

static void
check_springs(const struct aircraft_file *f, struct aircraft_problems *problems)
{
    const struct gear *g = &f->gear;
    double mass = f->mass.empty_kg + f->mass.fuel_kg, stiffness = 0,
           damping = 0, squat, heave;
    int i;

    for (i = 0; i < g->strut_count; i++) {
        stiffness += g->struts[i].stiffness;
        damping += g->struts[i].damping;
    }
    squat = mass * GRAVITY_MPS2 / stiffness;
    heave = damping / (2 * sqrt(stiffness * mass));
    if (squat > SQUAT_HIGH_M)
        aircraft_error(problems, 3, f->strut_headings[0],
                       "[gear]: found springs of %g N/m together, which its "
                       "%g kg press in by %.2g m, expected at most %g m; make "
                       "them stiffer",
                       stiffness, mass, squat, SQUAT_HIGH_M);
    if (heave < HEAVE_LOW || heave > HEAVE_HIGH)
        aircraft_warning(problems, 3, f->strut_headings[0],
                         "[gear]: found damping of %g N s/m together, a ratio "
                         "of %.2g, expected %g to %g; about %.3g N s/m would "
                         "be 0.5",
                         damping, heave, HEAVE_LOW, HEAVE_HIGH,
                         sqrt(stiffness * mass));
}

/* A hull that hangs below its wheels crashes where it stands. */
static void
check_hull(const struct aircraft_file *f, struct aircraft_problems *problems)
{
    const struct gear *g = &f->gear;
    double wheels = g->struts[0].position_m[2], z;
    int i;

    for (i = 1; i < g->strut_count; i++) {
        z = g->struts[i].position_m[2];
        wheels = z < wheels ? z : wheels;
    }
    for (i = 0; i < g->hull_count; i++)
        if (g->hull_m[i][2] >= wheels) {
            aircraft_error(problems, 3, aircraft_file_place(f, "hull", ""),
                           "[hull]: found the point %g %g %g, expected all "
                           "above the wheels at z %g m (down is positive): it "
                           "would crash where it stands",
                           g->hull_m[i][0], g->hull_m[i][1], g->hull_m[i][2],
                           wheels);
            return;
        }
}

void
craft_check_gear(const struct aircraft_file *f,
                 struct aircraft_problems *problems)
{
    if (f->gear.strut_count == 0)
        return;
    check_stance(f, problems);
    check_springs(f, problems);
    check_hull(f, problems);
}
