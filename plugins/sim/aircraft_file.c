/* The loader of aircraft files: sections, keys and what they need. */
#include "aircraft_loading.h"

#include "units.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (4 << 20)

#define FOOT       METRES_PER_FOOT
#define SLUG_FT2   KG_M2_PER_SLUG_FT2
#define POUND_KG   0.45359237
#define LBF_PER_FT (NEWTONS_PER_LBF / METRES_PER_FOOT)

/* ---- the keys ---- */

/* Needed when its section is there. */
#define NEEDED NAN

struct row {
    const char *section; /* its first word */
    const char *key;
    const char *other; /* the key for feet and slugs, or NULL */
    double factor;     /* what one of the other unit is of ours */
    const char *words; /* "a|b": an int that is a place in it */
    int count;         /* numbers; 0 with words: text */
    double low, high, preset;
    size_t offset;
};

#define AT(member)       offsetof(struct aircraft_file, member)
#define OF(type, member) offsetof(struct type, member)
#define NUMBER(section, key, low, high, preset, offset) \
    { \
        section, key, NULL, 1, NULL, 1, low, high, preset, offset \
    }
#define UNIT(section, key, other, factor, low, high, preset, offset) \
    { \
        section, key, other, factor, NULL, 1, low, high, preset, offset \
    }
#define WORDS(section, key, words, preset, offset) \
    { \
        section, key, NULL, 1, words, 1, 0, 0, preset, offset \
    }
#define NUMBERS(section, key, count, low, high, preset, offset) \
    { \
        section, key, NULL, 1, NULL, count, low, high, preset, offset \
    }

/* clang-format off */
static const struct row rows[] = {
    WORDS("aircraft", "class", "fighter|trainer|light|transport|body", 1, AT(class_index)),
    UNIT("mass", "empty_kg", "empty_slug", KG_PER_SLUG, 1e-6, 1e6, NEEDED, AT(mass.empty_kg)),
    NUMBER("mass", "cg_mac", -5, 5, 0.25, AT(mass.cg_mac)),
    UNIT("mass", "ixx_kgm2", "ixx_slugft2", SLUG_FT2, 1e-9, 1e9, NEEDED, AT(mass.ixx)),
    UNIT("mass", "iyy_kgm2", "iyy_slugft2", SLUG_FT2, 1e-9, 1e9, NEEDED, AT(mass.iyy)),
    UNIT("mass", "izz_kgm2", "izz_slugft2", SLUG_FT2, 1e-9, 1e9, NEEDED, AT(mass.izz)),
    UNIT("mass", "ixz_kgm2", "ixz_slugft2", SLUG_FT2, -1e9, 1e9, 0, AT(mass.ixz)),
    UNIT("mass", "ixy_kgm2", "ixy_slugft2", SLUG_FT2, -1e9, 1e9, 0, AT(mass.ixy)),
    UNIT("mass", "iyz_kgm2", "iyz_slugft2", SLUG_FT2, -1e9, 1e9, 0, AT(mass.iyz)),
    UNIT("mass", "rotor_h_kgm2ps", "rotor_h_slugft2ps", SLUG_FT2, -1e6, 1e6, 0, AT(mass.rotor_h)),
    UNIT("fuel", "capacity_kg", "capacity_slug", KG_PER_SLUG, 0, 1e6, NEEDED, AT(mass.fuel_kg)),
    UNIT("reference", "area_m2", "area_ft2", FOOT * FOOT, 1e-6, 1e5, NEEDED, AT(reference.area_m2)),
    UNIT("reference", "span_m", "span_ft", FOOT, 1e-3, 1e3, NEEDED, AT(reference.span_m)),
    UNIT("reference", "chord_m", "chord_ft", FOOT, 1e-3, 1e3, NEEDED, AT(reference.chord_m)),
    NUMBER("reference", "moment_ref_mac", -5, 5, 0.25, AT(reference.moment_ref_mac)),
    NUMBERS("valid", "alpha_deg", 2, -180, 180, 0, AT(valid.alpha_min_deg)),
    NUMBERS("valid", "beta_deg", 2, -90, 90, 0, AT(valid.beta_min_deg)),
    NUMBER("valid", "beyond_deg", 0, 45, 0, AT(valid.beyond_deg)),
    NUMBER("flap", "down_deg", 0, 90, NEEDED, AT(flap.down_deg)),
    UNIT("flap", "full_below_mps", "full_below_ftps", FOOT, 1, 1000, NEEDED, AT(flap.full_below_mps)),
    UNIT("flap", "none_above_mps", "none_above_ftps", FOOT, 1, 1000, NEEDED, AT(flap.none_above_mps)),
    WORDS("engine", "lag", "none|f16|first_order", 2, AT(engine.lag)),
    NUMBER("engine", "tau_s", 0.02, 100, 1, AT(engine.tau_s)),
    NUMBER("engine", "count", 1, 2, 1, AT(engine.count)),
    UNIT("engine", "apart_m", "apart_ft", FOOT, 0, 100, 0, AT(engine.apart_m)),
    WORDS("control", "law", "none|direct|rate_command", NEEDED, AT(control.law)),
    NUMBER("control", "pressure_pa", 1, 1e6, 17000, AT(control.pressure_pa)),
    NUMBER("control", "speed_mps", 1, 1e4, 180, AT(control.speed_mps)),
    NUMBER("control", "pitch_rate_rps", 0.01, 10, 0.6, AT(control.pitch_rate_rps)),
    NUMBER("control", "pitch_gain", 0, 1000, 20, AT(control.pitch_gain)),
    NUMBER("control", "pitch_trim", 0, 1000, 40, AT(control.pitch_trim)),
    NUMBER("control", "roll_rate_rps", 0.01, 20, 4.2, AT(control.roll_rate_rps)),
    NUMBER("control", "roll_forward", 0, 1000, 3.5, AT(control.roll_forward)),
    NUMBER("control", "roll_gain", 0, 1000, 3, AT(control.roll_gain)),
    NUMBER("control", "yaw_gain", 0, 1000, 20, AT(control.yaw_gain)),
    NUMBER("limit", "g_max", 0.1, 50, 9, AT(limit.g_max)),
    NUMBER("limit", "g_min", -50, 0.9, -3, AT(limit.g_min)),
    NUMBER("limit", "alpha_max_deg", 1, 90, 28.64788975654116, AT(limit.alpha_max_deg)),
    NUMBER("limit", "alpha_min_deg", -90, 0, -9.740282517223996, AT(limit.alpha_min_deg)),
    NUMBER("limit", "stall_from_deg", 0, 90, 15, AT(limit.stall_from_deg)),
    NUMBER("limit", "stall_full_deg", 0, 90, 22, AT(limit.stall_full_deg)),
    NUMBER("limit", "mach_max", 0, 10, 0, AT(limit.mach_max)),
    UNIT("limit", "speed_max_mps", "speed_max_ftps", FOOT, 0, 5000, 0, AT(limit.speed_max_mps)),
    UNIT("limit", "sink_max_mps", "sink_max_ftps", FOOT, 0.1, 100, 5, AT(gear.sink_max_mps)),
    UNIT("gun", "x_m", "x_ft", FOOT, -100, 100, 0, AT(gun.position_m[0])),
    UNIT("gun", "y_m", "y_ft", FOOT, -100, 100, 0, AT(gun.position_m[1])),
    UNIT("gun", "z_m", "z_ft", FOOT, -100, 100, 0, AT(gun.position_m[2])),
    NUMBER("gun", "rounds_per_s", 0.1, 1000, 100, AT(gun.rounds_per_s)),
    UNIT("gun", "muzzle_mps", "muzzle_ftps", FOOT, 10, 3000, 1030, AT(gun.muzzle_mps)),
    NUMBER("gun", "spread", 0, 0.5, 0.0025, AT(gun.spread)),
    NUMBER("gun", "bc_lbpin2", 0.01, 10, 0.287, AT(gun.bc_lbin2)),
    NUMBER("gun", "damage", 0, 1, 0.1, AT(gun.damage)),
    NUMBER("gun", "rounds", 0, 1000000, 511, AT(gun.rounds)),
    NUMBER("stores", "missiles", 0, 100, 0, AT(stores.missiles)),
    NUMBER("stores", "bombs", 0, 100, 0, AT(stores.bombs)),
    UNIT("missile", "mass_kg", "mass_slug", KG_PER_SLUG, 1, 5000, 85, AT(missile.mass_kg)),
    UNIT("missile", "propellant_kg", "propellant_slug", KG_PER_SLUG, 0, 4000, 27, AT(missile.propellant_kg)),
    UNIT("missile", "thrust_n", "thrust_lbf", NEWTONS_PER_LBF, 0, 1e6, 12000, AT(missile.thrust_n)),
    NUMBER("missile", "boost_s", 0.1, 120, 5, AT(missile.boost_s)),
    NUMBER("missile", "life_s", 1, 300, 25, AT(missile.life_s)),
    NUMBER("missile", "bc_lbpin2", 0.1, 1000, 4, AT(missile.bc_lbin2)),
    NUMBER("missile", "g_max", 1, 100, 30, AT(missile.g_max)),
    NUMBER("missile", "navigation", 1, 10, 4, AT(missile.navigation)),
    NUMBER("missile", "cone_deg", 0.5, 60, 20, AT(missile.cone_deg)),
    UNIT("missile", "range_m", "range_ft", FOOT, 100, 200000, 9000, AT(missile.range_m)),
    UNIT("missile", "fuze_m", "fuze_ft", FOOT, 1, 100, 9, AT(missile.fuze_m)),
    NUMBER("missile", "damage", 0, 1, 0.8, AT(missile.damage)),
    UNIT("bomb", "mass_kg", "mass_slug", KG_PER_SLUG, 1, 20000, 227, AT(bomb.mass_kg)),
    NUMBER("bomb", "bc_lbpin2", 0.1, 1000, 7, AT(bomb.bc_lbin2)),
    NUMBER("bomb", "life_s", 1, 600, 120, AT(bomb.life_s)),
    UNIT("bomb", "blast_m", "blast_ft", FOOT, 1, 1000, 60, AT(bomb.blast_m)),
    NUMBER("bomb", "damage", 0, 1, 1, AT(bomb.damage)),
    NUMBERS("autopilot", "stick", 4, -1e6, 1e6, NEEDED, AT(autopilot.stick)),
    NUMBERS("autopilot", "throttle", 4, -1e6, 1e6, NEEDED, AT(autopilot.throttle)),
    NUMBERS("autopilot", "aileron", 4, -1e6, 1e6, NEEDED, AT(autopilot.aileron)),
    NUMBERS("autopilot", "rudder", 4, -1e6, 1e6, NEEDED, AT(autopilot.rudder)),
    NUMBER("autopilot", "alpha_deg", -90, 90, NEEDED, AT(autopilot.alpha_deg)),
    NUMBER("surface", "min_deg", -90, 0, NEEDED, OF(aircraft_surface, min_deg)),
    NUMBER("surface", "max_deg", 0, 90, NEEDED, OF(aircraft_surface, max_deg)),
    NUMBER("surface", "rate_dps", 1, 1e4, NEEDED, OF(aircraft_surface, rate_dps)),
    NUMBER("surface", "lag_s", 0.02, 10, NEEDED, OF(aircraft_surface, lag_s)),
    NUMBER("surface", "gain_pitch", -90, 90, 0, OF(aircraft_surface, gain_pitch)),
    NUMBER("surface", "gain_roll", -90, 90, 0, OF(aircraft_surface, gain_roll)),
    NUMBER("surface", "gain_yaw", -90, 90, 0, OF(aircraft_surface, gain_yaw)),
    UNIT("gear", "x_m", "x_ft", FOOT, -100, 100, NEEDED, OF(gear_strut, position_m[0])),
    UNIT("gear", "y_m", "y_ft", FOOT, -100, 100, NEEDED, OF(gear_strut, position_m[1])),
    UNIT("gear", "z_m", "z_ft", FOOT, 0.05, 4.9, NEEDED, OF(gear_strut, position_m[2])),
    UNIT("gear", "stiffness_npm", "stiffness_lbfpft", LBF_PER_FT, 1, 1e9, NEEDED, OF(gear_strut, stiffness)),
    UNIT("gear", "damping_nspm", "damping_lbfspft", LBF_PER_FT, 0, 1e9, NEEDED, OF(gear_strut, damping)),
    NUMBER("gear", "friction", 0, 5, 0.7, OF(gear_strut, friction)),
    NUMBER("gear", "rolling", 0, 1, 0.02, OF(gear_strut, rolling)),
    NUMBER("gear", "brake", 0, 5, 0, OF(gear_strut, brake)),
    {"gear", "steer_deg", NULL, RADIANS_PER_DEG, NULL, 1, -80, 80, 0, OF(gear_strut, steer_rad)},
};
/* clang-format on */

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const char *const section_names[] = {
    "flap",   "aircraft", "mass",    "fuel",      "reference", "valid",
    "table",  "aero",     "engine",  "surface",   "control",   "gear",
    "hull",   "gun",      "limit",   "autopilot", "check",     "claim",
    "source", "stores",   "missile", "bomb"};
#define SECTIONS (sizeof(section_names) / sizeof(section_names[0]))

static const char *const surface_names[AIRCRAFT_SURFACES] = {
    "elevator", "aileron", "rudder"};

static const char *const claim_names[AIRCRAFT_CLAIM_KINDS] = {
    "stall_mps",          "max_mps",   "max_mach", "roll_dps",
    "sustained_turn_dps", "climb_mps", "ceiling_m"};

/* Keys that no row describes, by section; "*" after those that may repeat. */
static const struct {
    const char *section, *key;
} more_keys[] = {
    {"aircraft", "format"    },
    {"aircraft", "name"      },
    {"aircraft", "title"     },
    {"aircraft", "units"     },
    {"aero",     "term*"     },
    {"engine",   "idle_n"    },
    {"engine",   "mil_n"     },
    {"engine",   "max_n"     },
    {"engine",   "idle_lbf"  },
    {"engine",   "mil_lbf"   },
    {"engine",   "max_lbf"   },
    {"engine",   "fuel_kgps*"},
    {"engine",   "fuel_lbps*"},
    {"hull",     "point_m*"  },
    {"hull",     "point_ft*" },
    {"check",    "in"        },
    {"check",    "out"       },
    {"check",    "tol"       },
};
#define MORE_KEYS (sizeof(more_keys) / sizeof(more_keys[0]))

const char *
aircraft_claim_name(int kind)
{
    return claim_names[kind];
}

/* ---- words and numbers ---- */

struct aircraft_place
loading_place(const struct ini_item *item, size_t offset)
{
    struct aircraft_place at;

    ini_place(item, offset, &at.line, &at.column);
    return at;
}

int
loading_next(struct loading_words *w)
{
    char stop[16];
    size_t bytes, kept;

    snprintf(stop, sizeof(stop), " \t%s",
             w->separators == NULL ? "" : w->separators);
    w->at += strspn(w->at, stop);
    bytes = strcspn(w->at, stop);
    w->offset = (size_t)(w->at - w->item->value);
    kept = bytes < sizeof(w->word) - 1 ? bytes : sizeof(w->word) - 1;
    memcpy(w->word, w->at, kept);
    w->word[kept] = '\0';
    w->at += bytes;
    return bytes > 0;
}

int
loading_number(struct loading *l, const struct ini_item *item, const char *word,
               size_t offset, double *out)
{
    int err = ini_parse_real(word, "", out, NULL);

    *out = err < 0 ? 0 : *out;
    if (err < 0)
        aircraft_error(l->problems, 1, loading_place(item, offset),
                       "[%s] %s: found \"%s\", expected %s", item->section,
                       item->key, word,
                       err == -ERANGE ? "a smaller number"
                                      : "a number, as in -0.25 or 1.5e-3");
    return err;
}

int
loading_is_name(const char *word)
{
    size_t i;

    if (!((word[0] >= 'a' && word[0] <= 'z') ||
          (word[0] >= 'A' && word[0] <= 'Z')) ||
        strlen(word) > AIRCRAFT_WORD_MAX || strcmp(word, "nan") == 0 ||
        strcmp(word, "inf") == 0)
        return 0;
    for (i = 1; word[i] != '\0'; i++)
        if (!((word[i] >= 'a' && word[i] <= 'z') ||
              (word[i] >= 'A' && word[i] <= 'Z') ||
              (word[i] >= '0' && word[i] <= '9') || word[i] == '_'))
            return 0;
    return 1;
}

void
loading_wants_table(struct loading *l, const char *name,
                    struct aircraft_place at, int *into)
{
    struct loading_name *n = &l->names[l->name_count];

    if (l->name_count == LOADING_NAMES_MAX)
        return; /* more than there are terms and engine keys */
    l->name_count++;
    snprintf(n->name, sizeof(n->name), "%s", name);
    n->at = at;
    n->into = into;
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

static void
take_word(struct loading *l, const struct ini_item *item, const char *words,
          int *out)
{
    int place = place_in(words, item->value);

    if (place < 0)
        aircraft_error(l->problems, 1, loading_place(item, 0),
                       "[%s] %s: found \"%.40s\", expected one of %s",
                       item->section, item->key, item->value, words);
    else
        *out = place;
}

/* ---- sections ---- */

static struct aircraft_place
key_place(const struct ini_item *item)
{
    return (struct aircraft_place){item->line, item->column};
}

/* Splits "table CX" into its two words; the second is "" without one. */
static void
split_heading(const char *section, char first[50], char second[50])
{
    size_t bytes = strcspn(section, " \t");

    snprintf(first, 50, "%.*s", (int)(bytes < 49 ? bytes : 49), section);
    section += bytes;
    section += strspn(section, " \t");
    snprintf(second, 50, "%.49s", section);
}

/* The presets of a section's rows. */
static void
preset(const char *section, void *base)
{
    size_t i;
    int k;

    for (i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].section, section) != 0)
            continue;
        for (k = 0; k < rows[i].count; k++) {
            char *at = (char *)base + rows[i].offset;
            double value = isnan(rows[i].preset) ? 0 : rows[i].preset;

            if (rows[i].words != NULL)
                *(int *)(void *)at = (int)value;
            else
                ((double *)(void *)at)[k] = value;
        }
    }
}

static int
begin_surface(struct loading *l, const struct ini_item *item, const char *name)
{
    struct aircraft_surface *s;
    int i;

    for (i = 0; i < AIRCRAFT_SURFACES; i++)
        if (strcmp(surface_names[i], name) == 0) {
            s = &l->file->surfaces[i];
            s->heading = key_place(item);
            preset("surface", s);
            l->index = i;
            return LOADING_SURFACE;
        }
    aircraft_error(l->problems, 1, key_place(item),
                   "[%s]: there is no such surface; expected elevator, aileron "
                   "or rudder",
                   item->section);
    return LOADING_LOST;
}

static int
begin_strut(struct loading *l, const struct ini_item *item, const char *name)
{
    struct gear *g = &l->file->gear;
    int i = g->strut_count;

    if (i == GEAR_STRUTS_MAX || !loading_is_name(name)) {
        aircraft_error(l->problems, i == GEAR_STRUTS_MAX ? 2 : 1,
                       key_place(item),
                       i == GEAR_STRUTS_MAX
                           ? "[%s]: expected at most %d struts"
                           : "[%s]: expected a name after gear, as in [gear "
                             "nose], of at most %d struts",
                       item->section, GEAR_STRUTS_MAX);
        return LOADING_LOST;
    }
    g->strut_count++;
    snprintf(l->file->strut_names[i], AIRCRAFT_WORD_MAX + 1, "%.*s",
             AIRCRAFT_WORD_MAX, name);
    l->file->strut_headings[i] = key_place(item);
    preset("gear", &g->struts[i]);
    l->index = i;
    return LOADING_STRUT;
}

static int
begin_check(struct loading *l, const struct ini_item *item, const char *name)
{
    struct aircraft_check *c;

    if (l->file->check_count == AIRCRAFT_CHECKS_MAX || !loading_is_name(name)) {
        aircraft_error(l->problems, 1, key_place(item),
                       "[%s]: expected a name after check, as in [check a1], "
                       "and at most %d checks",
                       item->section, AIRCRAFT_CHECKS_MAX);
        return LOADING_LOST;
    }
    l->index = l->file->check_count++;
    c = &l->file->checks[l->index];
    snprintf(c->name, sizeof(c->name), "%.*s", AIRCRAFT_WORD_MAX, name);
    c->heading = key_place(item);
    c->tolerance = 1e-6;
    return LOADING_CHECK;
}

static int
begin_plain(struct loading *l, const struct ini_item *item, const char *first)
{
    if (strcmp(first, "engine") == 0)
        l->file->engine.heading = key_place(item);
    if (strcmp(first, "gun") == 0)
        l->file->gun.heading = key_place(item);
    if (strcmp(first, "autopilot") == 0)
        l->file->autopilot.heading = key_place(item);
    return strcmp(first, "claim") == 0    ? LOADING_CLAIM
           : strcmp(first, "source") == 0 ? LOADING_SOURCE
                                          : LOADING_PLAIN;
}

static void
unknown_section(struct loading *l, const struct ini_item *item,
                const char *first)
{
    const char *near =
        ini_nearest(first, section_names, SECTIONS, sizeof(char *));

    aircraft_error(l->problems, 1, key_place(item),
                   "[%s]: there is no such section%s%s%s; "
                   "doc/modding-aircraft.md lists them",
                   item->section, near == NULL ? "" : ", did you mean [",
                   near == NULL ? "" : near, near == NULL ? "" : "]?");
}

static int
begin_section(struct loading *l, const struct ini_item *item)
{
    char first[50], second[50];
    size_t i;

    split_heading(item->section, first, second);
    for (i = 0; i < SECTIONS; i++)
        if (strcmp(first, section_names[i]) == 0)
            break;
    if (i == SECTIONS) {
        unknown_section(l, item, first);
        return LOADING_LOST;
    }
    if (strcmp(first, "table") == 0)
        return loading_table_begin(l, second, key_place(item)) < 0
                   ? LOADING_LOST
                   : LOADING_TABLE;
    if (strcmp(first, "surface") == 0)
        return begin_surface(l, item, second);
    if (strcmp(first, "gear") == 0)
        return begin_strut(l, item, second);
    if (strcmp(first, "check") == 0)
        return begin_check(l, item, second);
    if (second[0] != '\0') {
        aircraft_error(l->problems, 1, key_place(item),
                       "[%s]: found \"%s\" after %s, expected no name there",
                       item->section, second, first);
        return LOADING_LOST;
    }
    return begin_plain(l, item, first);
}

/* ---- keys ---- */

static const struct aircraft_key *
find_key(const struct aircraft_file *f, const char *section, const char *key)
{
    size_t i;

    for (i = 0; i < f->key_count; i++)
        if (strcmp(f->keys[i].section, section) == 0 &&
            strcmp(f->keys[i].key, key) == 0)
            return &f->keys[i];
    return NULL;
}

struct aircraft_place
aircraft_file_place(const struct aircraft_file *f, const char *section,
                    const char *key)
{
    const struct aircraft_key *k = find_key(f, section, key);

    return k == NULL ? (struct aircraft_place){0, 0} : k->value_at;
}

static void
note_key(struct loading *l, const struct ini_item *item, const char *key)
{
    struct aircraft_file *f = l->file;
    size_t capacity = f->key_capacity * 2 + 64;
    struct aircraft_key *k;

    if (f->key_count == f->key_capacity) {
        k = realloc(f->keys, capacity * sizeof(*k));
        if (k == NULL) {
            l->out_of_memory = 1;
            return;
        }
        f->keys = k;
        f->key_capacity = capacity;
    }
    k = &f->keys[f->key_count++];
    snprintf(k->section, sizeof(k->section), "%s", item->section);
    snprintf(k->key, sizeof(k->key), "%s", key);
    k->at = key_place(item);
    k->value_at = item->key == NULL ? k->at : loading_place(item, 0);
}

/* Notes a key, under the name of our unit. 0: it was given before. */
static int
first_time(struct loading *l, const struct ini_item *item, const char *key)
{
    const struct aircraft_key *before = find_key(l->file, item->section, key);

    if (before == NULL) {
        note_key(l, item, key);
        return 1;
    }
    aircraft_error(l->problems, 1, key_place(item),
                   "[%s]%s%s: given twice, first in line %d; keep one",
                   item->section, item->key == NULL ? "" : " ",
                   item->key == NULL ? "" : item->key, before->at.line);
    return 0;
}

static void *
base_of(struct loading *l)
{
    switch (l->section) {
    case LOADING_SURFACE:
        return &l->file->surfaces[l->index];
    case LOADING_STRUT:
        return &l->file->gear.struts[l->index];
    default:
        return l->file;
    }
}

static void
take_numbers(struct loading *l, const struct ini_item *item,
             const struct row *row, double factor)
{
    double *out = (double *)(void *)((char *)base_of(l) + row->offset);
    struct loading_words w = {.item = item, .at = item->value};
    double values[4],
        unit = row->words == NULL && row->other == NULL ? row->factor : factor;
    int i;

    for (i = 0; i < row->count; i++) {
        if (!loading_next(&w)) {
            aircraft_error(l->problems, 1, loading_place(item, 0),
                           "[%s] %s: found %d numbers, expected %d",
                           item->section, item->key, i, row->count);
            return;
        }
        if (loading_number(l, item, w.word, w.offset, &values[i]) < 0)
            return;
        if (row->other != NULL)
            values[i] *= unit;
        if (!(values[i] >= row->low && values[i] <= row->high)) {
            aircraft_error(l->problems, 1, loading_place(item, w.offset),
                           "[%s] %s: found %s, expected %g to %g",
                           item->section, item->key, w.word, row->low / factor,
                           row->high / factor);
            return;
        }
        if (row->other == NULL)
            values[i] *= unit;
    }
    if (loading_next(&w)) {
        aircraft_error(l->problems, 1, loading_place(item, w.offset),
                       "[%s] %s: found \"%s\" after the number%s, expected "
                       "nothing: the unit is in the key's name",
                       item->section, item->key, w.word,
                       row->count == 1 ? "" : "s");
        return;
    }
    memcpy(out, values, sizeof(double) * (size_t)row->count);
}

/* A key of one unit system in a file of the other. */
static void
judge_units(struct loading *l, const struct ini_item *item, int imperial,
            const char *other)
{
    if (l->units == 2 || l->units == imperial)
        return;
    aircraft_error(l->problems, 1, key_place(item),
                   "[%s] %s: found a %s key under units = %s, expected %s; "
                   "units = mixed allows both",
                   item->section, item->key, imperial ? "foot-slug" : "metric",
                   l->units == 0 ? "si" : "ft_slug", other);
}

/* Takes the item when a row knows its key. */
static int
take_row(struct loading *l, const struct ini_item *item, const char *first)
{
    const struct row *row;
    size_t i;

    for (i = 0; i < ROWS; i++) {
        int ours = 0, theirs = 0;

        row = &rows[i];
        if (strcmp(row->section, first) != 0)
            continue;
        ours = strcmp(row->key, item->key) == 0;
        theirs = row->other != NULL && strcmp(row->other, item->key) == 0;
        if (!ours && !theirs)
            continue;
        if (row->other != NULL)
            judge_units(l, item, theirs, theirs ? row->key : row->other);
        if (!first_time(l, item, row->key))
            return 1;
        if (row->words != NULL)
            take_word(l, item, row->words,
                      (int *)(void *)((char *)base_of(l) + row->offset));
        else
            take_numbers(l, item, row, theirs ? row->factor : 1);
        return 1;
    }
    return 0;
}

static void
unknown_key(struct loading *l, const struct ini_item *item, const char *first)
{
    const char *names[2 * ROWS + MORE_KEYS], *near;
    char bare[MORE_KEYS][24];
    size_t count = 0, i;

    for (i = 0; i < ROWS; i++)
        if (strcmp(rows[i].section, first) == 0) {
            names[count++] = rows[i].key;
            if (rows[i].other != NULL)
                names[count++] = rows[i].other;
        }
    for (i = 0; i < MORE_KEYS; i++)
        if (strcmp(more_keys[i].section, first) == 0) {
            snprintf(bare[i], sizeof(bare[i]), "%.*s",
                     (int)strcspn(more_keys[i].key, "*"), more_keys[i].key);
            names[count++] = bare[i];
        }
    near = ini_nearest(item->key, names, count, sizeof(names[0]));
    aircraft_error(l->problems, 1, key_place(item),
                   "[%s]: there is no key \"%s\"%s%s%s", item->section,
                   item->key, near == NULL ? "" : "; did you mean \"",
                   near == NULL ? "; doc/modding-aircraft.md lists them" : near,
                   near == NULL ? "" : "\"?");
}

/* ---- keys that no row describes ---- */

static void
take_name(struct loading *l, const struct ini_item *item)
{
    const char *c;

    if (strlen(item->value) > AIRCRAFT_WORD_MAX || item->value[0] == '\0') {
        aircraft_error(l->problems, 1, loading_place(item, 0),
                       "[aircraft] name: found \"%.60s\", expected 1 to %d "
                       "bytes",
                       item->value, AIRCRAFT_WORD_MAX);
        return;
    }
    for (c = item->value; *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') ||
              *c == '_' || *c == '-')) {
            aircraft_error(l->problems, 1, loading_place(item, 0),
                           "[aircraft] name: found \"%s\", expected small "
                           "letters, digits, \"-\" and \"_\": it is typed as "
                           "a join option; title has any text",
                           item->value);
            return;
        }
    snprintf(l->file->name, sizeof(l->file->name), "%s", item->value);
}

static void
take_format(struct loading *l, const struct ini_item *item)
{
    if (strcmp(item->value, "1") == 0)
        l->format = 1;
    else
        aircraft_error(l->problems, 1, loading_place(item, 0),
                       "[aircraft] format: found \"%.20s\", expected 1: this "
                       "program reads no other",
                       item->value);
}

static void
take_thrust(struct loading *l, const struct ini_item *item)
{
    struct aircraft_engine *e = &l->file->engine;
    int pounds = strstr(item->key, "_lbf") != NULL;
    int *into = item->key[0] == 'i'   ? &e->idle
                : item->key[1] == 'i' ? &e->military
                                      : &e->maximum;

    judge_units(l, item, pounds, pounds ? "its _n twin" : "its _lbf twin");
    l->thrust_keys[pounds]++;
    e->thrust_scale = pounds ? NEWTONS_PER_LBF : 1;
    if (!loading_is_name(item->value)) {
        aircraft_error(l->problems, 2, loading_place(item, 0),
                       "[engine] %s: found \"%.40s\", expected a table's name",
                       item->key, item->value);
        return;
    }
    if (l->thrust_keys[0] > 0 && l->thrust_keys[1] > 0)
        aircraft_error(l->problems, 2, key_place(item),
                       "[engine] %s: found newtons beside pounds, expected one "
                       "unit for all three",
                       item->key);
    loading_wants_table(l, item->value, loading_place(item, 0), into);
}

static void
take_point(struct loading *l, const struct ini_item *item)
{
    struct gear *g = &l->file->gear;
    int feet = strcmp(item->key, "point_ft") == 0;
    struct loading_words w = {.item = item, .at = item->value};
    double point[3];
    int i;

    judge_units(l, item, feet, feet ? "point_m" : "point_ft");
    if (g->hull_count == GEAR_HULL_MAX) {
        aircraft_error(l->problems, 2, key_place(item),
                       "[hull] %s: expected at most %d points", item->key,
                       GEAR_HULL_MAX);
        return;
    }
    for (i = 0; i < 3; i++) {
        if (!loading_next(&w)) {
            aircraft_error(l->problems, 1, loading_place(item, 0),
                           "[hull] %s: found %d numbers, expected x y z",
                           item->key, i);
            return;
        }
        if (loading_number(l, item, w.word, w.offset, &point[i]) < 0)
            return;
        point[i] *= feet ? FOOT : 1;
        if (!(fabs(point[i]) <= 100)) {
            aircraft_error(l->problems, 1, loading_place(item, w.offset),
                           "[hull] %s: found %s, expected at most 100 m",
                           item->key, w.word);
            return;
        }
    }
    if (loading_next(&w))
        aircraft_error(l->problems, 1, loading_place(item, w.offset),
                       "[hull] %s: found \"%s\" after x y z; give each point "
                       "a key of its own",
                       item->key, w.word);
    memcpy(g->hull_m[g->hull_count++], point, sizeof(point));
}

/* Pairs of name and number, by commas. */
static void
take_check_in(struct loading *l, const struct ini_item *item,
              struct aircraft_check *c)
{
    static const char *const motion[] = {"vt_mps", "p_rps", "q_rps", "r_rps"};
    struct loading_words w = {
        .item = item, .at = item->value, .separators = ","};
    int quantity, i;
    double scale, value;

    while (loading_next(&w)) {
        scale = strcmp(w.word, "vt_ftps") == 0 ? FOOT : 1;
        quantity = strcmp(w.word, "vt_ftps") == 0
                       ? AIRCRAFT_QUANTITIES
                       : aircraft_quantity_named(w.word);
        for (i = 0; i < 4 && quantity < 0; i++)
            if (strcmp(w.word, motion[i]) == 0)
                quantity = AIRCRAFT_QUANTITIES + i;
        if (quantity < 0 || c->in_count == AIRCRAFT_QUANTITIES + 4) {
            aircraft_error(l->problems, 2, loading_place(item, w.offset),
                           "[%s] in: found \"%s\", expected vt_mps, p_rps, "
                           "q_rps, r_rps or a quantity, each with its value",
                           item->section, w.word);
            return;
        }
        if (!loading_next(&w)) {
            aircraft_error(l->problems, 1, loading_place(item, w.offset),
                           "[%s] in: expected a value after the last name",
                           item->section);
            return;
        }
        if (loading_number(l, item, w.word, w.offset, &value) < 0)
            return;
        c->in[c->in_count].quantity = quantity;
        c->in[c->in_count++].value = value * scale;
    }
}

static void
take_check_out(struct loading *l, const struct ini_item *item,
               struct aircraft_check *c)
{
    struct loading_words w = {
        .item = item, .at = item->value, .separators = ","};
    int target, i;
    double scale, value;

    while (loading_next(&w)) {
        scale = strcmp(w.word, "thrust_lbf") == 0 ? NEWTONS_PER_LBF : 1;
        target =
            strcmp(w.word, "thrust_lbf") == 0 || strcmp(w.word, "thrust_n") == 0
                ? AIRCRAFT_TARGETS
                : -1;
        for (i = 0; i < AIRCRAFT_FUEL && target < 0; i++)
            if (strcmp(w.word, aircraft_target_name(i)) == 0)
                target = i;
        if (target < 0 || c->out_count == AIRCRAFT_TARGETS + 1) {
            aircraft_error(l->problems, 2, loading_place(item, w.offset),
                           "[%s] out: found \"%s\", expected cx, cy, cz, cl, "
                           "cm, cn, drag, lift, thrust_n or thrust_lbf, each "
                           "with its value",
                           item->section, w.word);
            return;
        }
        if (!loading_next(&w)) {
            aircraft_error(l->problems, 1, loading_place(item, w.offset),
                           "[%s] out: expected a value after the last name",
                           item->section);
            return;
        }
        if (loading_number(l, item, w.word, w.offset, &value) < 0)
            return;
        c->out[c->out_count].target = target;
        c->out[c->out_count++].value = value * scale;
    }
}

static void
take_check(struct loading *l, const struct ini_item *item)
{
    struct aircraft_check *c = &l->file->checks[l->index];

    if (strcmp(item->key, "in") == 0)
        take_check_in(l, item, c);
    else if (strcmp(item->key, "out") == 0)
        take_check_out(l, item, c);
    else if (loading_number(l, item, item->value, 0, &c->tolerance) == 0 &&
             !(c->tolerance > 0))
        aircraft_error(l->problems, 1, loading_place(item, 0),
                       "[%s] tol: found %s, expected more than 0",
                       item->section, item->value);
}

/* VALUE +-TOLERANCE [@ ALTITUDE [m]] */
static void
take_claim(struct loading *l, const struct ini_item *item)
{
    struct aircraft_file *f = l->file;
    struct aircraft_claim *c = &f->claims[f->claim_count];
    struct loading_words w = {
        .item = item, .at = item->value, .separators = "@"};
    int kind = -1, i, good;
    const char *near;

    for (i = 0; i < AIRCRAFT_CLAIM_KINDS; i++)
        if (strcmp(claim_names[i], item->key) == 0)
            kind = i;
    if (kind < 0) {
        near = ini_nearest(item->key, claim_names, AIRCRAFT_CLAIM_KINDS,
                           sizeof(char *));
        aircraft_error(l->problems, 1, key_place(item),
                       "[claim]: there is no key \"%s\"%s%s", item->key,
                       near == NULL ? "" : "; did you mean ",
                       near == NULL ? "" : near);
        return;
    }
    if (f->claim_count == AIRCRAFT_CLAIMS_MAX) {
        aircraft_error(l->problems, 2, key_place(item),
                       "[claim]: expected at most %d claims",
                       AIRCRAFT_CLAIMS_MAX);
        return;
    }
    memset(c, 0, sizeof(*c));
    c->kind = kind;
    c->at = loading_place(item, 0);
    good = loading_next(&w) && ini_parse_real(w.word, "", &c->value, NULL) == 0;
    good = good && loading_next(&w) && strncmp(w.word, "+-", 2) == 0 &&
           ini_parse_real(w.word + 2, "", &c->tolerance, NULL) == 0 &&
           c->tolerance >= 0;
    if (good && loading_next(&w))
        good = ini_parse_real(w.word, "m", &c->altitude_m, NULL) == 0;
    if (good && loading_next(&w))
        good = strcmp(w.word, "m") == 0 && !loading_next(&w);
    if (good)
        f->claim_count++;
    else
        aircraft_error(
            l->problems, 1, c->at,
            "[claim] %s: found \"%.60s\", expected VALUE +-TOLERANCE "
            "@ ALTITUDE m, as in 62 +-3 @ 0 m",
            item->key, item->value);
}

static void
take_source(struct loading *l, const struct ini_item *item)
{
    struct aircraft_file *f = l->file;
    struct aircraft_source *s = &f->sources[f->source_count];

    if (f->source_count == AIRCRAFT_SOURCES_MAX || item->value[0] == '\0') {
        aircraft_error(l->problems, 1, key_place(item),
                       "[source] %s: expected a text, and at most %d sources",
                       item->key, AIRCRAFT_SOURCES_MAX);
        return;
    }
    f->source_count++;
    snprintf(s->key, sizeof(s->key), "%s", item->key);
    snprintf(s->text, sizeof(s->text), "%s", item->value);
    s->at = key_place(item);
}

/* Which of the further keys it is; -1: none. */
static int
find_more(const char *first, const char *key)
{
    size_t i, bytes;

    for (i = 0; i < MORE_KEYS; i++) {
        bytes = strcspn(more_keys[i].key, "*");
        if (strcmp(more_keys[i].section, first) == 0 && strlen(key) == bytes &&
            strncmp(more_keys[i].key, key, bytes) == 0)
            return (int)i;
    }
    return -1;
}

static void
take_more(struct loading *l, const struct ini_item *item, const char *first)
{
    const char *key = item->key;

    if (strcmp(first, "check") == 0)
        take_check(l, item);
    else if (strcmp(key, "format") == 0)
        take_format(l, item);
    else if (strcmp(key, "name") == 0)
        take_name(l, item);
    else if (strcmp(key, "title") == 0)
        snprintf(l->file->title, sizeof(l->file->title), "%s", item->value);
    else if (strcmp(key, "units") == 0)
        take_word(l, item, "si|ft_slug|mixed", &l->units);
    else if (strcmp(key, "term") == 0)
        loading_term(l, item, AIRCRAFT_TARGETS, 1);
    else if (strcmp(key, "fuel_kgps") == 0)
        loading_term(l, item, AIRCRAFT_FUEL, 1);
    else if (strcmp(key, "fuel_lbps") == 0)
        loading_term(l, item, AIRCRAFT_FUEL, POUND_KG);
    else if (strcmp(first, "hull") == 0)
        take_point(l, item);
    else
        take_thrust(l, item);
}

static void
take_item(void *context, const struct ini_item *item)
{
    struct loading *l = context;
    char first[50], second[50];
    int more;

    if (item->key == NULL) {
        l->section =
            first_time(l, item, "") ? begin_section(l, item) : LOADING_LOST;
        return;
    }
    if (item->section[0] == '\0') {
        aircraft_error(l->problems, 1, key_place(item),
                       "%s: found before any heading, expected [aircraft] "
                       "above it",
                       item->key);
        return;
    }
    if (l->section == LOADING_LOST)
        return; /* told at its heading */
    split_heading(item->section, first, second);
    if (take_row(l, item, first))
        return;
    if (l->section == LOADING_CLAIM) {
        take_claim(l, item); /* the same at another height may follow */
        return;
    }
    more = find_more(first, item->key);
    if (l->section != LOADING_TABLE && l->section != LOADING_SOURCE &&
        more < 0) {
        unknown_key(l, item, first);
        return;
    }
    if (more >= 0 && strchr(more_keys[more].key, '*') != NULL)
        note_key(l, item, item->key);
    else if (!first_time(l, item, item->key))
        return;
    if (l->section == LOADING_TABLE)
        loading_table_key(l, item);
    else if (l->section == LOADING_SOURCE)
        take_source(l, item);
    else
        take_more(l, item, first);
}

static void
take_problem(void *context, const struct ini_problem *problem)
{
    struct loading *l = context;

    aircraft_error(l->problems, 1,
                   (struct aircraft_place){problem->line, problem->column},
                   "%s", problem->sentence);
}

/* ---- the file as a whole ---- */

/* The rows that a section must have, when it is there. */
static void
judge_needed(struct loading *l)
{
    const struct aircraft_file *f = l->file;
    char first[50], second[50];
    size_t i, k;

    for (k = 0; k < f->key_count; k++) {
        if (f->keys[k].key[0] != '\0')
            continue;
        split_heading(f->keys[k].section, first, second);
        for (i = 0; i < ROWS; i++)
            if (strcmp(rows[i].section, first) == 0 && isnan(rows[i].preset) &&
                find_key(f, f->keys[k].section, rows[i].key) == NULL)
                aircraft_error(
                    l->problems, 2, f->keys[k].at,
                    "[%s]: found no %s, expected it%s%s; add the key",
                    f->keys[k].section, rows[i].key,
                    rows[i].other == NULL ? "" : " or ",
                    rows[i].other == NULL ? "" : rows[i].other);
    }
}

static void
judge_sections(struct loading *l)
{
    static const char *const always[] = {"aircraft", "mass", "control"};
    const struct aircraft_file *f = l->file;
    struct aircraft_place top = {1, 1}, at;
    size_t i;

    for (i = 0; i < 3; i++)
        if (find_key(f, always[i], "") == NULL)
            aircraft_error(l->problems, 2, top,
                           "found no section [%s], expected one; add it",
                           always[i]);
    at = aircraft_file_place(f, "aircraft", "");
    if (at.line > 0 && find_key(f, "aircraft", "format") == NULL)
        aircraft_error(l->problems, 2, at,
                       "[aircraft]: found no format, expected format = 1; add "
                       "it");
    if (at.line > 0 && find_key(f, "aircraft", "name") == NULL)
        aircraft_error(l->problems, 2, at,
                       "[aircraft]: found no name, expected the word that a "
                       "pilot asks for it by; add it");
    at = aircraft_file_place(f, "aero", "term");
    if (at.line > 0 && find_key(f, "reference", "") == NULL)
        aircraft_error(l->problems, 2, at,
                       "[aero] term: found no section [reference], expected "
                       "area, span and chord; add it");
}

/* Thrust tables are over Mach and altitude, in either order or alone. */
static void
judge_engine(struct loading *l)
{
    const struct aircraft_file *f = l->file;
    const struct aircraft_engine *e = &f->engine;
    const int tables[] = {e->idle, e->military, e->maximum};
    const struct aircraft_table *t;
    int i, k, quantity;

    if (e->heading.line == 0)
        return;
    if (!(find_key(f, "engine", "idle_n") ||
          find_key(f, "engine", "idle_lbf")) ||
        !(find_key(f, "engine", "mil_n") || find_key(f, "engine", "mil_lbf")))
        aircraft_error(l->problems, 2, e->heading,
                       "[engine]: expected idle_n and mil_n (or idle_lbf and "
                       "mil_lbf), tables of thrust; add them");
    for (i = 0; i < 3; i++) {
        if (tables[i] < 0)
            continue;
        t = &f->tables[tables[i]];
        for (k = 0; k < t->dimensions; k++) {
            quantity = t->axes[k].quantity;
            if (quantity != AIRCRAFT_MACH && quantity != AIRCRAFT_ALTITUDE_M &&
                quantity != AIRCRAFT_ALTITUDE_FT)
                aircraft_error(l->problems, 2, t->heading,
                               "[table %s]: found %s on an axis of a thrust "
                               "table, expected mach, altitude_m or "
                               "altitude_ft",
                               t->name, aircraft_quantity_name(quantity));
        }
    }
}

static int
surface_of(int quantity)
{
    return quantity >= AIRCRAFT_ELEVATOR_DEG && quantity <= AIRCRAFT_RUDDER_DEG
               ? quantity - AIRCRAFT_ELEVATOR_DEG
               : -1;
}

/* Every surface that moves the air must be able to move itself. */
static void
judge_surfaces(struct loading *l)
{
    struct aircraft_file *f = l->file;
    int told[AIRCRAFT_SURFACES] = {0}, i, k, s;

    for (i = 0; i < f->term_count; i++) {
        const struct aircraft_term *t = &f->terms[i];
        const struct aircraft_table *table =
            t->table < 0 ? NULL : &f->tables[t->table];
        int count = t->quantity_count + (table == NULL ? 0 : table->dimensions);

        for (k = 0; k < count; k++) {
            s = surface_of(k < t->quantity_count
                               ? t->quantities[k]
                               : table->axes[k - t->quantity_count].quantity);
            if (s < 0 || f->surfaces[s].heading.line > 0 || told[s])
                continue;
            told[s] = 1;
            aircraft_error(l->problems, 2, t->at,
                           "this term needs the %s, found no section [surface "
                           "%s]; add it",
                           surface_names[s], surface_names[s]);
        }
    }
    for (s = 0; s < AIRCRAFT_SURFACES; s++)
        if (f->control.law == AIRCRAFT_LAW_RATE &&
            f->surfaces[s].heading.line == 0 && !told[s])
            aircraft_error(l->problems, 2,
                           aircraft_file_place(f, "control", "law"),
                           "[control] law: rate_command needs all three "
                           "surfaces, found no [surface %s]; add it",
                           surface_names[s]);
}

static void
narrow(double *low, double *high, double from, double to)
{
    *low = from > *low ? from : *low;
    *high = to < *high ? to : *high;
}

static void
judge_flap(struct loading *l)
{
    const struct aircraft_flap *flap = &l->file->flap;

    if (flap->down_deg > 0 && !(flap->none_above_mps > flap->full_below_mps))
        aircraft_error(l->problems, 2,
                       aircraft_file_place(l->file, "flap", "none_above_mps"),
                       "[flap] none_above_mps: found %g m/s, expected more "
                       "than full_below_mps, which is %g",
                       flap->none_above_mps, flap->full_below_mps);
}

static void
judge_stall(struct loading *l)
{
    const struct aircraft_limit *limit = &l->file->limit;

    if (!(limit->stall_full_deg > limit->stall_from_deg))
        aircraft_error(l->problems, 2,
                       aircraft_file_place(l->file, "limit", "stall_full_deg"),
                       "[limit] stall_full_deg: found %g, expected more than "
                       "stall_from_deg, which is %g",
                       limit->stall_full_deg, limit->stall_from_deg);
}

static double
degrees_of(const struct aircraft_axis *a, double at)
{
    return a->quantity == AIRCRAFT_ALPHA_RAD || a->quantity == AIRCRAFT_BETA_RAD
               ? at * DEG_PER_RAD
               : at;
}

/* Where the tables of terms agree to know alpha and beta. */
static void
find_valid(struct loading *l)
{
    struct aircraft_file *f = l->file;
    struct aircraft_valid found = {0, -180, 180, -90, 90, 0};
    struct aircraft_valid *v = &f->valid;
    int i, k;

    for (i = 0; i < f->term_count; i++) {
        const struct aircraft_table *t =
            f->terms[i].table < 0 ? NULL : &f->tables[f->terms[i].table];

        for (k = 0; t != NULL && k < t->dimensions; k++) {
            const struct aircraft_axis *a = &t->axes[k];
            double low, high;

            if (a->count == 0)
                continue; /* told already */
            low = degrees_of(a, a->at[0]);
            high = degrees_of(a, a->at[a->count - 1]);

            if (a->quantity == AIRCRAFT_ALPHA_DEG ||
                a->quantity == AIRCRAFT_ALPHA_RAD) {
                found.given = 1;
                narrow(&found.alpha_min_deg, &found.alpha_max_deg, low, high);
            } else if (a->quantity == AIRCRAFT_BETA_DEG ||
                       a->quantity == AIRCRAFT_BETA_RAD) {
                found.given = 1;
                narrow(&found.beta_min_deg, &found.beta_max_deg, low, high);
            } else if (a->quantity == AIRCRAFT_ABS_BETA_DEG) {
                found.given = 1;
                narrow(&found.beta_min_deg, &found.beta_max_deg, -high, high);
            }
        }
    }
    v->given = found.given;
    if (find_key(f, "valid", "alpha_deg") != NULL) {
        v->given = 1;
    } else {
        v->alpha_min_deg = found.alpha_min_deg;
        v->alpha_max_deg = found.alpha_max_deg;
    }
    if (find_key(f, "valid", "beta_deg") != NULL) {
        v->given = 1;
    } else {
        v->beta_min_deg = found.beta_min_deg;
        v->beta_max_deg = found.beta_max_deg;
    }
    if (!(v->alpha_min_deg < v->alpha_max_deg))
        aircraft_error(l->problems, 2,
                       aircraft_file_place(f, "valid", "alpha_deg"),
                       "[valid] alpha_deg: found %g to %g, expected a rising "
                       "pair where all tables have values",
                       v->alpha_min_deg, v->alpha_max_deg);
    if (!(v->beta_min_deg < v->beta_max_deg))
        aircraft_error(l->problems, 2,
                       aircraft_file_place(f, "valid", "beta_deg"),
                       "[valid] beta_deg: found %g to %g, expected a rising "
                       "pair where all tables have values",
                       v->beta_min_deg, v->beta_max_deg);
}

static void
judge_whole(struct loading *l)
{
    size_t before = l->problems->errors;

    judge_sections(l);
    judge_needed(l);
    loading_tables_finish(l);
    if (l->problems->errors > before)
        return; /* what follows would only repeat it */
    judge_engine(l);
    judge_surfaces(l);
    judge_flap(l);
    judge_stall(l);
    loading_judge_stores(l);
    find_valid(l);
}

/* ---- in and out ---- */

static uint64_t
hash_of(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t hash = 0xcbf29ce484222325u;
    size_t i;

    for (i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static void
preset_all(struct aircraft_file *f)
{
    static const char *const plain[] = {
        "aircraft", "mass",    "fuel",  "reference", "valid",
        "engine",   "control", "limit", "gun",       "autopilot",
        "stores",   "missile", "bomb"};
    size_t i;

    for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
        preset(plain[i], f);
    f->engine.idle = f->engine.military = f->engine.maximum = -1;
    f->engine.thrust_scale = 1;
}

int
aircraft_file_load_bytes(struct aircraft_file **out, const void *bytes,
                         size_t count, struct aircraft_problems *problems)
{
    struct loading *l = calloc(1, sizeof(*l));
    struct ini_handler handler = {take_item, take_problem, l};
    size_t before = problems->errors;
    int err = -ENOMEM;

    *out = NULL;
    if (l == NULL)
        return -ENOMEM;
    l->problems = problems;
    l->section = LOADING_LOST;
    l->file = calloc(1, sizeof(*l->file));
    if (l->file == NULL)
        goto fail;
    preset_all(l->file);
    l->file->hash = hash_of(bytes, count);
    err = ini_read_bytes(bytes, count, &handler);
    if (err >= 0 && l->out_of_memory)
        err = -ENOMEM;
    if (err < 0)
        goto fail;
    judge_whole(l);
    err = problems->errors > before ? -EINVAL : 0;
    if (err < 0)
        goto fail;
    *out = l->file;
    free(l);
    return 0;

fail:
    aircraft_file_destroy(l->file);
    free(l);
    return err;
}

/* The whole of a file; NULL with an error told. */
static char *
read_whole(const char *path, size_t *count, int *err)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;

    *err = file == NULL ? -errno : 0;
    if (file == NULL)
        return NULL;
    bytes = malloc(FILE_BYTES_MAX + 1);
    if (bytes == NULL) {
        *err = -ENOMEM;
    } else {
        *count = fread(bytes, 1, FILE_BYTES_MAX + 1, file);
        *err = ferror(file) ? -EIO : *count > FILE_BYTES_MAX ? -EFBIG : 0;
    }
    fclose(file);
    if (*err == 0)
        return bytes;
    free(bytes);
    return NULL;
}

int
aircraft_file_load(struct aircraft_file **out, const char *path,
                   struct aircraft_problems *problems)
{
    struct aircraft_place top = {1, 1};
    size_t count = 0;
    int err;
    char *bytes = read_whole(path, &count, &err);

    *out = NULL;
    if (bytes == NULL) {
        aircraft_error(problems, 1, top,
                       "cannot read it: %s; expected an aircraft file",
                       strerror(-err));
        return err;
    }
    err = aircraft_file_load_bytes(out, bytes, count, problems);
    free(bytes);
    return err;
}

void
aircraft_file_destroy(struct aircraft_file *f)
{
    int i, k;

    if (f == NULL)
        return;
    for (i = 0; i < f->table_count; i++) {
        for (k = 0; k < AIRCRAFT_AXES_MAX; k++) {
            free(f->tables[i].axes[k].at);
            free(f->tables[i].axes[k].places);
        }
        free(f->tables[i].cells);
        free(f->tables[i].places);
    }
    free(f->keys);
    free(f);
}
