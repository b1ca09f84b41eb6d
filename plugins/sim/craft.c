/*
 * hardpoint aircraft: judges aircraft files and tells what they fly like.
 */
#include "craft_card.h"
#include "craft_check.h"
#include "craft_svg.h"

#include <errno.h>
#include <getopt.h>
#include <ini/ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum craft_exit {
    CRAFT_OK = 0,
    CRAFT_BAD = 1, /* a file has errors */
    CRAFT_USAGE = 64,
    CRAFT_NO_INPUT = 66,
    CRAFT_NO_MEMORY = 71,
    CRAFT_CANNOT_WRITE = 73
};

static const char usage[] =
    "usage: hardpoint aircraft check [--level N] FILE...\n"
    "  --level N    1 syntax, 2 structure, 3 physics, 4 flights,\n"
    "               5 the card in a line\n"
    "       hardpoint aircraft report [--json] [--svg FILE] FILE\n"
    "  --json       for programs\n"
    "  --svg FILE   pictures as well\n"
    "FILE is an aircraft file, or the name of an aircraft that is built in.\n"
    "hardpoint-aircraft(1) and doc/modding-aircraft.md tell more.\n";

static void
check_physics(const struct craft *c, struct aircraft_problems *problems)
{
    const struct aircraft_file *f = c->type->file;

    craft_check_mass(f, problems);
    craft_check_gear(f, problems);
    craft_check_aero(c, problems);
    craft_check_engine(c, problems);
}

/* Level 5 in a line; `report` has all of it. */
static void
tell_card(const char *path, const struct craft *c)
{
    struct craft_band band;
    double at;

    if (c->type->file->control.law == AIRCRAFT_LAW_NONE ||
        c->type->file->engine.heading.line == 0)
        return;
    craft_band(c, 0, CRAFT_FULL, &band);
    printf("%s: stall %.0f m/s, level to %.0f m/s%s, climb %.1f m/s, "
           "ceiling %.0f m, turn %.1f deg/s, roll %.0f deg/s\n",
           path, craft_stall_mps(c, 0), band.fast_mps, band.capped ? "+" : "",
           band.climb_mps, craft_ceiling_m(c, CRAFT_FULL),
           craft_best_turn(c, 0, CRAFT_FULL, &at), craft_best_roll(c, 0, &at));
}

/* The levels above the loader's. Takes the file over. */
static int
check_meaning(const char *path, struct aircraft_file *file, int level,
              struct aircraft_problems *problems)
{
    struct craft *c;
    int err;

    craft_check_tables(file, problems);
    err = craft_create(&c, file);
    if (err == -E2BIG) {
        aircraft_error(problems, 2, (struct aircraft_place){1, 1},
                       "found more different axes or products of quantities "
                       "than the step has room for, expected at most %d and "
                       "%d; let tables share their axes",
                       AERO_AXES_MAX, AERO_PRODUCTS_MAX);
        return 0;
    }
    if (err < 0)
        return err;
    if (level >= 3)
        check_physics(c, problems);
    /* What is wrong with the physics would be told again by each flight. */
    if (level >= 4) {
        craft_check_vectors(c, problems);
        if (problems->errors == 0) {
            craft_check_claims(c, problems);
            craft_check_flights(c, problems);
        }
    }
    if (level >= 5 && problems->errors == 0)
        tell_card(path, c);
    craft_destroy(c);
    return 0;
}

static void
tell_sum(const char *path, const struct aircraft_problems *p)
{
    printf("%s: %zu error%s, %zu warning%s\n", path, p->errors,
           p->errors == 1 ? "" : "s", p->warnings, p->warnings == 1 ? "" : "s");
}

static int
check_file(const char *path, int level)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *file;
    int err = aircraft_file_open(&file, path, &problems);
    int status = CRAFT_OK;

    if (err == 0 && level >= 2)
        err = check_meaning(path, file, level, &problems);
    else
        aircraft_file_destroy(file);
    aircraft_problems_print(&problems, path, stderr);
    tell_sum(path, &problems);
    if (err < 0 && err != -EINVAL)
        status = err == -ENOMEM ? CRAFT_NO_MEMORY : CRAFT_NO_INPUT;
    else if (problems.errors > 0)
        status = CRAFT_BAD;
    aircraft_problems_finish(&problems);
    return status;
}

static int
check(int argc, char **argv)
{
    static const struct option flags[] = {
        {"level", required_argument, NULL, 'l'},
        {NULL,    0,                 NULL, 0  },
    };
    long long level = CRAFT_LEVELS;
    int flag, status = CRAFT_OK, one;

    while ((flag = getopt_long(argc, argv, "", flags, NULL)) != -1)
        if (flag != 'l' || ini_parse_int(optarg, "", &level, NULL) < 0 ||
            level < 1 || level > CRAFT_LEVELS) {
            if (flag == 'l')
                fprintf(stderr,
                        "hardpoint aircraft: --level: found \"%s\", expected "
                        "1 to %d\n",
                        optarg, CRAFT_LEVELS);
            fputs(usage, stderr);
            return CRAFT_USAGE;
        }
    if (optind == argc) {
        fputs(usage, stderr);
        return CRAFT_USAGE;
    }
    for (; optind < argc; optind++) {
        one = check_file(argv[optind], (int)level);
        status = one > status ? one : status;
    }
    return status;
}

static int
write_pictures(const char *path, const struct craft_card *card, double g_max)
{
    FILE *to = fopen(path, "w");
    int bad = to == NULL;

    if (to != NULL) {
        craft_svg(card, g_max, to);
        bad = ferror(to);
        bad |= fclose(to) != 0;
    }
    if (bad)
        fprintf(stderr, "hardpoint aircraft: cannot write %s: %s\n", path,
                strerror(errno));
    return bad ? CRAFT_CANNOT_WRITE : CRAFT_OK;
}

/* One aircraft on the bench; told when it cannot be. */
static int
open_craft(const char *path, struct craft **out)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *file;
    int err = aircraft_file_open(&file, path, &problems);

    *out = NULL;
    if (err == 0)
        err = craft_create(out, file);
    if (err < 0)
        aircraft_problems_print(&problems, path, stderr);
    if (err == -E2BIG)
        fprintf(stderr,
                "%s: more axes than the step has room for; `hardpoint aircraft "
                "check` tells more\n",
                path);
    aircraft_problems_finish(&problems);
    if (err == 0)
        return CRAFT_OK;
    return err == -EINVAL || err == -E2BIG ? CRAFT_BAD
           : err == -ENOMEM                ? CRAFT_NO_MEMORY
                                           : CRAFT_NO_INPUT;
}

static int
report(int argc, char **argv)
{
    static const struct option flags[] = {
        {"json", no_argument,       NULL, 'j'},
        {"svg",  required_argument, NULL, 's'},
        {NULL,   0,                 NULL, 0  },
    };
    static struct craft_card card;
    struct craft *c;
    const char *pictures = NULL;
    int flag, json = 0, status;

    while ((flag = getopt_long(argc, argv, "", flags, NULL)) != -1)
        if (flag == 'j') {
            json = 1;
        } else if (flag == 's') {
            pictures = optarg;
        } else {
            fputs(usage, stderr);
            return CRAFT_USAGE;
        }
    if (optind != argc - 1) {
        fputs(usage, stderr);
        return CRAFT_USAGE;
    }
    status = open_craft(argv[optind], &c);
    if (status != CRAFT_OK)
        return status;
    craft_card_fill(&card, c);
    (json ? craft_card_json : craft_card_text)(&card, stdout);
    if (fflush(stdout) != 0)
        status = CRAFT_CANNOT_WRITE;
    if (pictures != NULL && status == CRAFT_OK)
        status = write_pictures(pictures, &card, c->type->file->limit.g_max);
    craft_destroy(c);
    return status;
}

int
main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "check") == 0)
        return check(argc - 1, argv + 1);
    if (argc >= 2 && strcmp(argv[1], "report") == 0)
        return report(argc - 1, argv + 1);
    if (argc >= 2 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return CRAFT_OK;
    }
    fputs(usage, stderr);
    return CRAFT_USAGE;
}
