#include "fly_scenario.h"

#include "units.h"
#include <errno.h>
#include <ini/ini.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 40

/* A unit and what one of it is of ours; the first stands when none does. */
struct unit {
    const char *name;
    double factor;
};

#define FOOT METRES_PER_FOOT
#define KNOT (1852.0 / 3600)

static const struct unit lengths[] = {
    {"m",  1   },
    {"km", 1000},
    {"ft", FOOT},
    {NULL, 0   }
};
static const struct unit speeds[] = {
    {"m/s",  1   },
    {"ft/s", FOOT},
    {"kt",   KNOT},
    {NULL,   0   }
};
static const struct unit angles[] = {
    {"deg", RADIANS_PER_DEG},
    {"rad", 1              },
    {NULL,  0              }
};
static const struct unit turns[] = {
    {"deg/s", RADIANS_PER_DEG},
    {"rad/s", 1              },
    {NULL,    0              }
};
static const struct unit degrees[] = {
    {"deg", 1},
    {NULL,  0}
};
static const struct unit shears[] = {
    {"1/s", 1},
    {NULL,  0}
};
static const struct unit times[] = {
    {"s",  1},
    {NULL, 0}
};
static const struct unit rates[] = {
    {"Hz", 1},
    {NULL, 0}
};
static const struct unit percents[] = {
    {"%",  1},
    {NULL, 0}
};
static const struct unit masses[] = {
    {"kg",   1          },
    {"slug", KG_PER_SLUG},
    {"lb",   0.45359237 },
    {NULL,   0          }
};
static const struct unit plain[] = {
    {"",   1},
    {NULL, 0}
};

/* One key: how many numbers of which unit, or one of some words. */
struct row {
    const char *section;
    const char *key;
    const char *words;        /* "a|b", or NULL */
    const struct unit *units; /* NULL without words: a path */
    int count;
    double low, high; /* of each number, in our unit */
    size_t offset;
    double preset;
};

#define AT(member) offsetof(struct scenario, member)
#define FAR        1e7

/* clang-format off */
static const struct row rows[] = {
    {"scenario", "planet", "flat|round|round_still|wgs84", NULL, 1, 0, 0, AT(planet), 0},
    {"scenario", "atmosphere", "us76|textbook", NULL, 1, 0, 0, AT(atmosphere), 0},
    {"scenario", "units", "si|nesc", NULL, 1, 0, 0, AT(units), 0},
    {"scenario", "duration", NULL, times, 1, 0, 86400, AT(duration_s), 30},
    {"scenario", "every", NULL, times, 1, 0.001, 86400, AT(every_s), 1},
    {"scenario", "rate", NULL, rates, 1, 1, 10000, AT(rate_hz), 60},
    {"vehicle", "type", "f16|sphere|brick|brick_damped|f16_piloted", NULL, 1, 0, 0, AT(vehicle), NAN},
    {"vehicle", "aircraft", NULL, NULL, 0, 0, 0, AT(aircraft), 0},
    {"vehicle", "mass", NULL, masses, 1, 1e-6, 1e6, AT(mass_kg), NAN},
    {"vehicle", "cg_mac", NULL, percents, 1, -100, 200, AT(cg_mac), NAN},
    {"vehicle", "fuel", NULL, percents, 1, 0, 100, AT(fuel), NAN},
    {"vehicle", "drag_coefficient", NULL, plain, 1, 0, 10, AT(drag_coefficient), NAN},
    {"start", "latitude", NULL, angles, 1, -1.5707963267948968, 1.5707963267948968, AT(latitude), 0},
    {"start", "longitude", NULL, angles, 1, -6.3, 6.3, AT(longitude), 0},
    {"start", "altitude", NULL, lengths, 1, -5000, 86000, AT(altitude), NAN},
    {"start", "north", NULL, lengths, 1, -FAR, FAR, AT(north), NAN},
    {"start", "east", NULL, lengths, 1, -FAR, FAR, AT(east), NAN},
    {"start", "velocity_ned", NULL, speeds, 3, -3000, 3000, AT(velocity_ned), NAN},
    {"start", "velocity_body", NULL, speeds, 3, -3000, 3000, AT(velocity_body), NAN},
    {"start", "attitude", NULL, angles, 3, -6.3, 6.3, AT(attitude), 0},
    {"start", "rates", NULL, turns, 3, -100, 100, AT(rates), 0},
    {"start", "rates_against", "inertial|earth", NULL, 1, 0, 0, AT(rates_against), 0},
    {"wind", "velocity_ned", NULL, speeds, 3, -300, 300, AT(wind), 0},
    {"wind", "shear_ned", NULL, shears, 3, -1, 1, AT(shear), 0},
    {"wind", "turbulence", "none|light|moderate|severe", NULL, 1, 0, 0, AT(turbulence), 0},
    {"wind", "gust", NULL, speeds, 1, 0, 30, AT(gust), 0},
    {"wind", "seed", NULL, plain, 1, 0, 9007199254740992.0, AT(seed), 1},
    {"controls", "by", "fixed|autopilot|trace", NULL, 1, 0, 0, AT(control), 0},
    {"controls", "trace", NULL, NULL, 0, 0, 0, AT(trace), 0},
    {"controls", "trim", "none|level|turn", NULL, 1, 0, 0, AT(trim), 0},
    {"controls", "turn_rate", NULL, turns, 1, -1, 1, AT(turn_rate), 0},
    {"controls", "elevator", NULL, degrees, 1, -25, 25, AT(elevator), NAN},
    {"controls", "aileron", NULL, degrees, 1, -21.5, 21.5, AT(aileron), NAN},
    {"controls", "rudder", NULL, degrees, 1, -30, 30, AT(rudder), NAN},
    {"controls", "power", NULL, percents, 1, 0, 100, AT(power), NAN},
    {"autopilot", "step_at", NULL, times, 1, 0, 86400, AT(step_at), 0},
    {"autopilot", "altitude_step", NULL, lengths, 1, -20000, 20000, AT(altitude_step), 0},
    {"autopilot", "speed_step", NULL, speeds, 1, -500, 500, AT(speed_step), 0},
    {"autopilot", "course_step", NULL, angles, 1, -3.2, 3.2, AT(course_step), 0},
    {"autopilot", "offset_step", NULL, lengths, 1, -FAR, FAR, AT(offset_step), 0},
    {"autopilot", "circle_latitude", NULL, angles, 1, -1.5707963267948968, 1.5707963267948968, AT(circle_latitude), NAN},
    {"autopilot", "circle_longitude", NULL, angles, 1, -6.3, 6.3, AT(circle_longitude), 0},
    {"autopilot", "circle_radius", NULL, lengths, 1, 1, FAR, AT(circle_radius), NAN},
};
/* clang-format on */

#define ROWS (sizeof(rows) / sizeof(rows[0]))

struct reading {
    const char *path;
    struct scenario *out;
    int lines[ROWS]; /* where each was given, or 0 */
    int problems;
};

/* clang-format off */
__attribute__((format(printf, 4, 5)))
/* clang-format on */
static void
report(struct reading *r, int line, int column, const char *format, ...)
{
    va_list list;

    fprintf(stderr, "%s:%d:%d: error: ", r->path, line, column);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    r->problems++;
}

static double *
value_of(const struct reading *r, const struct row *row)
{
    return (double *)(void *)((char *)r->out + row->offset);
}

static int
known_section(const char *name)
{
    size_t i;

    for (i = 0; i < ROWS; i++)
        if (strcmp(rows[i].section, name) == 0)
            return 1;
    return 0;
}

static void
judge_section(struct reading *r, const struct ini_item *item)
{
    const char *near;

    if (known_section(item->section))
        return;
    near = ini_nearest(item->section, &rows[0].section, ROWS, sizeof(rows[0]));
    report(r, item->line, item->column,
           "[%s]: there is no such section%s%s%s; expected scenario, vehicle, "
           "start, wind, controls or autopilot",
           item->section, near == NULL ? "" : ", did you mean [",
           near == NULL ? "" : near, near == NULL ? "" : "]");
}

static const struct row *
find_row(struct reading *r, const struct ini_item *item)
{
    const char *names[ROWS], *near;
    size_t i, count = 0;

    for (i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].section, item->section) != 0)
            continue;
        if (strcmp(rows[i].key, item->key) == 0)
            return &rows[i];
        names[count++] = rows[i].key;
    }
    near = ini_nearest(item->key, names, count, sizeof(names[0]));
    report(r, item->line, item->column, "[%s] has no key \"%s\"%s%s%s",
           item->section, item->key,
           near == NULL ? "; doc/flight.md lists its keys"
                        : "; did you mean \"",
           near == NULL ? "" : near, near == NULL ? "" : "\"?");
    return NULL;
}

/* The place of a word in "a|b|c", or -1. */
static int
place_in(const char *words, const char *word)
{
    size_t bytes = strlen(word);
    int place = 0;
    const char *at;

    for (at = words; *at != '\0'; at += strcspn(at, "|"), at += *at == '|') {
        if (strcspn(at, "|") == bytes && strncmp(at, word, bytes) == 0)
            return place;
        place++;
    }
    return -1;
}

/* "m, km or ft" */
static void
unit_names(const struct unit *units, char *out, size_t bytes)
{
    const struct unit *u;

    out[0] = '\0';
    for (u = units; u->name != NULL; u++)
        snprintf(out + strlen(out), bytes - strlen(out), "%s%s",
                 u == units          ? ""
                 : u[1].name == NULL ? " or "
                                     : ", ",
                 u->name);
}

/* Splits off the next word of a value; 0 at its end. */
static int
next_word(const char **at, char word[WORD_BYTES])
{
    size_t bytes;

    *at += strspn(*at, " \t");
    bytes = strcspn(*at, " \t");
    snprintf(word, WORD_BYTES, "%.*s", (int)bytes, *at);
    *at += bytes;
    return bytes > 0;
}

static void
read_numbers(struct reading *r, const struct row *row,
             const struct ini_item *item)
{
    const struct unit *unit = row->units;
    const char *at = item->value;
    double values[3] = {0, 0, 0};
    char word[WORD_BYTES], names[80];
    int i;

    unit_names(row->units, names, sizeof(names));
    for (i = 0; i < row->count; i++)
        if (!next_word(&at, word) ||
            ini_parse_real(word, "", &values[i], NULL) < 0) {
            report(r, item->line, item->value_column,
                   "%s: found \"%s\", expected %d number%s%s%s", row->key,
                   item->value, row->count, row->count == 1 ? "" : "s",
                   names[0] != '\0' ? " and a unit, blanks between: " : "",
                   names);
            return;
        }
    if (next_word(&at, word)) {
        while (unit->name != NULL && strcmp(unit->name, word) != 0)
            unit++;
        if (unit->name == NULL || next_word(&at, word)) {
            report(r, item->line, item->value_column,
                   "%s: found \"%s\" after the number%s in \"%s\", expected %s",
                   row->key, word, row->count == 1 ? "" : "s", item->value,
                   names[0] != '\0' ? names : "nothing");
            return;
        }
    }
    for (i = 0; i < row->count; i++) {
        values[i] *= unit->factor;
        if (!(values[i] >= row->low && values[i] <= row->high)) {
            report(r, item->line, item->value_column,
                   "%s: found %s, expected %g to %g %s", row->key, item->value,
                   row->low / row->units->factor,
                   row->high / row->units->factor, row->units->name);
            return;
        }
    }
    memcpy(value_of(r, row), values, sizeof(double) * (size_t)row->count);
}

static void
read_word(struct reading *r, const struct row *row, const struct ini_item *item)
{
    int place = place_in(row->words, item->value);

    if (place < 0)
        report(r, item->line, item->value_column,
               "%s: found \"%s\", expected %s", row->key, item->value,
               row->words);
    else
        *value_of(r, row) = place;
}

/* A path begins at the folder of the scenario; a built-in aircraft has just a
 * name. */
static void
read_path(struct reading *r, const struct row *row, const struct ini_item *item)
{
    const char *slash = strrchr(r->path, '/');
    size_t bytes = strlen(item->value);
    int named = row->offset == AT(aircraft) &&
                strchr(item->value, '/') == NULL &&
                (bytes < 4 || strcmp(item->value + bytes - 4, ".ini") != 0);
    int folder = slash == NULL || item->value[0] == '/' || named
                     ? 0
                     : (int)(slash - r->path) + 1;
    char *out = (char *)r->out + row->offset;

    if (item->value[0] == '\0' ||
        snprintf(out, SCENARIO_PATH_MAX, "%.*s%s", folder, r->path,
                 item->value) >= SCENARIO_PATH_MAX)
        report(r, item->line, item->value_column,
               "%s: found \"%s\", expected a file's path of at most %d bytes",
               row->key, item->value, SCENARIO_PATH_MAX - 1);
}

static void
take_item(void *context, const struct ini_item *item)
{
    struct reading *r = context;
    const struct row *row;

    if (item->key == NULL) {
        judge_section(r, item);
        return;
    }
    if (!known_section(item->section))
        return; /* told at its heading */
    row = find_row(r, item);
    if (row == NULL)
        return;
    if (r->lines[row - rows] != 0)
        report(r, item->line, item->column,
               "%s: given twice, first in line %d; keep one", row->key,
               r->lines[row - rows]);
    r->lines[row - rows] = item->line;
    if (row->words != NULL)
        read_word(r, row, item);
    else if (row->units == NULL)
        read_path(r, row, item);
    else
        read_numbers(r, row, item);
}

static void
take_problem(void *context, const struct ini_problem *problem)
{
    report(context, problem->line, problem->column, "%s", problem->sentence);
}

static int
line_of(const struct reading *r, size_t offset)
{
    size_t i;

    for (i = 0; i < ROWS; i++)
        if (rows[i].offset == offset)
            return r->lines[i];
    return 0;
}

/* What no single key can tell. */
static void
judge_whole(struct reading *r)
{
    const struct scenario *s = r->out;
    int any = s->aircraft[0] != '\0';
    int flies = s->vehicle == VEHICLE_F16 || any;

    if (isnan(s->vehicle) && !any)
        report(r, 1, 1,
               "no vehicle: add [vehicle] with aircraft = f16, trainer or a "
               "file, or type = f16, sphere, brick or brick_damped");
    if (!isnan(s->vehicle) && any)
        report(r, line_of(r, AT(aircraft)), 1,
               "aircraft: type is given as well in line %d; keep one of them",
               line_of(r, AT(vehicle)));
    if (isnan(s->altitude))
        report(r, 1, 1,
               "no altitude: add altitude = 10000 ft or the like to "
               "[start]");
    if (line_of(r, AT(velocity_ned)) && line_of(r, AT(velocity_body)))
        report(r, line_of(r, AT(velocity_body)), 1,
               "velocity_body: velocity_ned is given as well in line %d; keep "
               "one of them",
               line_of(r, AT(velocity_ned)));
    if ((line_of(r, AT(north)) || line_of(r, AT(east))) && s->planet != 0)
        report(r, line_of(r, AT(north)) + line_of(r, AT(east)), 1,
               "north, east: they need planet = flat; over a round planet give "
               "latitude and longitude");
    if (!flies && s->trim != TRIM_NONE)
        report(r, line_of(r, AT(trim)), 1,
               "trim: only the f16 can be trimmed; remove the key");
    if (!flies && s->control == CONTROL_AUTOPILOT)
        report(r, line_of(r, AT(control)), 1,
               "by: only the f16 has an autopilot; remove the key");
    if ((!any && (s->vehicle == VEHICLE_F16_PILOTED) !=
                     (s->control == CONTROL_TRACE)) ||
        (s->control == CONTROL_TRACE) != (s->trace[0] != '\0'))
        report(r, line_of(r, AT(vehicle)), 1,
               "f16_piloted, by = trace and trace = FILE.csv belong together: "
               "give all three or none");
    if (s->trim == TRIM_TURN && s->turn_rate == 0)
        report(r, line_of(r, AT(trim)), 1,
               "trim: a turn needs turn_rate, 3 deg/s for example");
    if (isnan(s->circle_latitude) != isnan(s->circle_radius))
        report(r,
               line_of(r, AT(circle_latitude)) + line_of(r, AT(circle_radius)),
               1, "a circle needs circle_latitude and circle_radius");
}

int
scenario_read(const char *path, struct scenario *out)
{
    struct reading r = {.path = path, .out = out};
    struct ini_handler handler = {take_item, take_problem, &r};
    FILE *file = fopen(path, "r");
    size_t i;
    int k, err;

    memset(out, 0, sizeof(*out));
    for (i = 0; i < ROWS; i++)
        for (k = 0; k < rows[i].count; k++)
            value_of(&r, &rows[i])[k] = rows[i].preset;
    if (file == NULL) {
        err = -errno;
        fprintf(stderr, "hardpoint fly: cannot read the scenario %s: %s\n",
                path, strerror(-err));
        return err;
    }
    err = ini_read(file, &handler);
    fclose(file);
    if (err < 0) {
        fprintf(stderr, "hardpoint fly: cannot read the scenario %s: %s\n",
                path, strerror(-err));
        return err;
    }
    if (r.problems == 0)
        judge_whole(&r);
    return r.problems;
}
