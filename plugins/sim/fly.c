/*
 * hardpoint fly SCENARIO.ini: flies a scenario without a host or a clock and
 * writes what happened as CSV.
 */
#include "fly_sortie.h"
#include "units.h"
#include <errno.h>
#include <getopt.h>
#include <ini/ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum fly_exit {
    FLY_OK = 0,
    FLY_NO = 1, /* it cannot be flown, or left its numbers */
    FLY_USAGE = 64,
    FLY_NO_INPUT = 66,
    FLY_CANNOT_WRITE = 73,
    FLY_CONFIG = 78
};

struct fly_options {
    const char *scenario;
    const char *csv; /* NULL: the last moment alone, to the terminal */
    double every_s, for_s, rate_hz; /* 0: as the scenario has it */
};

/* A column: where in a row, and what one of its unit is of ours. */
struct column {
    const char *si, *nesc; /* names, the unit at their end */
    size_t offset;
    double si_factor, nesc_factor;
};

#define AT(member) offsetof(struct sortie_row, member)
#define FOOT       METRES_PER_FOOT
#define DEG        RADIANS_PER_DEG

/* clang-format off */
static const struct column columns[] = {
    {"t_s", "t_s", AT(time_s), 1, 1},
    {"alt_m", "alt_ft", AT(at.height_m), 1, FOOT},
    {"lon_deg", "lon_deg", AT(at.longitude_rad), DEG, DEG},
    {"lat_deg", "lat_deg", AT(at.latitude_rad), DEG, DEG},
    {"vn_mps", "vn_ftps", AT(ned_mps[0]), 1, FOOT},
    {"ve_mps", "ve_ftps", AT(ned_mps[1]), 1, FOOT},
    {"vd_mps", "vd_ftps", AT(ned_mps[2]), 1, FOOT},
    {"psi_deg", "psi_deg", AT(heading_rad), DEG, DEG},
    {"theta_deg", "theta_deg", AT(pitch_rad), DEG, DEG},
    {"phi_deg", "phi_deg", AT(bank_rad), DEG, DEG},
    {"p_i_degps", "p_i_degps", AT(rates_rps[0]), DEG, DEG},
    {"q_i_degps", "q_i_degps", AT(rates_rps[1]), DEG, DEG},
    {"r_i_degps", "r_i_degps", AT(rates_rps[2]), DEG, DEG},
    {"gravitation_mps2", "gravitation_ftps2", AT(gravitation_mps2), 1, FOOT},
    {"rho_kgm3", "rho_slugft3", AT(air.density), 1, KG_M3_PER_SLUG_FT3},
    {"a_mps", "a_ftps", AT(sound_speed_mps), 1, FOOT},
    {"mach", "mach", AT(air.mach), 1, 1},
    {"alpha_deg", "alpha_deg", AT(air.alpha_rad), DEG, DEG},
    {"beta_deg", "beta_deg", AT(air.beta_rad), DEG, DEG},
};
/* clang-format on */

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static const char usage[] =
    "usage: hardpoint fly SCENARIO.ini [--csv FILE] [--every S] [--for S] "
    "[--rate HZ]\n"
    "  --csv FILE   every moment as a row (-: to standard output)\n"
    "  --every S    between two rows\n"
    "  --for S      of flight\n"
    "  --rate HZ    of steps\n"
    "doc/flight.md tells the keys of a scenario and the columns.\n";

static void
write_header(FILE *file, const struct sortie *s)
{
    size_t i;

    for (i = 0; i < COLUMNS; i++)
        fprintf(file, "%s%s", i == 0 ? "" : ",",
                s->scenario.units == UNITS_NESC ? columns[i].nesc
                                                : columns[i].si);
    fputs(",elevator_deg,aileron_deg,rudder_deg,power_pct\n", file);
}

static void
write_row(FILE *file, const struct sortie *s)
{
    struct sortie_row row;
    double value;
    size_t i;

    sortie_look(s, &row);
    for (i = 0; i < COLUMNS; i++) {
        memcpy(&value, (const char *)&row + columns[i].offset, sizeof(value));
        value /= s->scenario.units == UNITS_NESC ? columns[i].nesc_factor
                                                 : columns[i].si_factor;
        fprintf(file, "%s%.12g", i == 0 ? "" : ",", value);
    }
    fprintf(file, ",%.12g,%.12g,%.12g,%.12g\n", s->state.elevator_deg,
            s->state.aileron_deg, s->state.rudder_deg, s->state.power);
}

/* Whether the state is still made of numbers. */
static int
state_finite(const struct airframe_state *s)
{
    const double *all = (const double *)s;
    int i;

    for (i = 0; i < AIRFRAME_STATES; i++)
        if (!(fabs(all[i]) < 1e9))
            return 0;
    return 1;
}

static int
fly_all(struct sortie *s, FILE *rows)
{
    const struct scenario *plan = &s->scenario;
    uint64_t ticks = (uint64_t)(plan->duration_s * plan->rate_hz + 0.5);
    uint64_t every = (uint64_t)(plan->every_s * plan->rate_hz + 0.5);

    if (rows != NULL)
        write_header(rows, s);
    for (;;) {
        if (rows != NULL &&
            (s->tick % (every > 0 ? every : 1) == 0 || s->tick == ticks))
            write_row(rows, s);
        if (s->tick == ticks)
            return FLY_OK;
        sortie_step(s);
        if (!state_finite(&s->state)) {
            fprintf(stderr,
                    "hardpoint fly: at %g s the state left what is possible; "
                    "try a higher --rate or a gentler start\n",
                    (double)s->tick / plan->rate_hz);
            return FLY_NO;
        }
    }
}

static int
fly_scenario(const struct fly_options *options)
{
    static struct sortie sortie;
    struct scenario plan;
    FILE *rows = NULL;
    char why[300];
    int err = scenario_read(options->scenario, &plan);

    if (err != 0)
        return err < 0 ? FLY_NO_INPUT : FLY_CONFIG;
    plan.duration_s = options->for_s > 0 ? options->for_s : plan.duration_s;
    plan.every_s = options->every_s > 0 ? options->every_s : plan.every_s;
    plan.rate_hz = options->rate_hz > 0 ? options->rate_hz : plan.rate_hz;
    if (sortie_start(&sortie, &plan, why, sizeof(why)) < 0) {
        fprintf(stderr, "%s: %s\n", options->scenario, why);
        sortie_finish(&sortie);
        return FLY_NO;
    }
    if (options->csv != NULL) {
        rows =
            strcmp(options->csv, "-") == 0 ? stdout : fopen(options->csv, "w");
        if (rows == NULL) {
            fprintf(stderr, "hardpoint fly: cannot write %s: %s\n",
                    options->csv, strerror(errno));
            return FLY_CANNOT_WRITE;
        }
    }
    err = fly_all(&sortie, rows);
    if (rows == NULL) {
        write_header(stdout, &sortie);
        write_row(stdout, &sortie);
        return err;
    }
    if (ferror(rows) || fflush(rows) != 0 ||
        (rows != stdout && fclose(rows) != 0)) {
        fprintf(stderr, "hardpoint fly: cannot write %s: %s\n", options->csv,
                strerror(errno));
        return FLY_CANNOT_WRITE;
    }
    return err;
}

/* A positive number of a flag's, or a complaint. */
static int
read_number(const char *flag, const char *unit, double most, double *out)
{
    if (ini_parse_real(optarg, unit, out, NULL) == 0 && *out > 0 &&
        *out <= most)
        return 0;
    fprintf(stderr,
            "hardpoint fly: --%s: found \"%s\", expected more than 0, at most "
            "%g %s\n",
            flag, optarg, most, unit);
    return -EINVAL;
}

int
main(int argc, char **argv)
{
    static const struct option flags[] = {
        {"csv",   required_argument, NULL, 'c'},
        {"every", required_argument, NULL, 'e'},
        {"for",   required_argument, NULL, 'f'},
        {"rate",  required_argument, NULL, 'r'},
        {"help",  no_argument,       NULL, 'h'},
        {NULL,    0,                 NULL, 0  },
    };
    struct fly_options options = {0};
    int flag, err = 0;

    while (err == 0 && (flag = getopt_long(argc, argv, "h", flags, NULL)) != -1)
        switch (flag) {
        case 'c':
            options.csv = optarg;
            break;
        case 'e':
            err = read_number("every", "s", 86400, &options.every_s);
            break;
        case 'f':
            err = read_number("for", "s", 86400, &options.for_s);
            break;
        case 'r':
            err = read_number("rate", "Hz", 10000, &options.rate_hz);
            break;
        case 'h':
            fputs(usage, stdout);
            return FLY_OK;
        default:
            err = -EINVAL;
        }
    if (err < 0 || optind != argc - 1) {
        fputs(usage, stderr);
        return FLY_USAGE;
    }
    options.scenario = argv[optind];
    return fly_scenario(&options);
}
