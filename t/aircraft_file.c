/* The loader of aircraft files: what it takes, and how it refuses. */
#include "tap.h"

#include <errno.h>
#include <sim/aircraft_file.h>
#include <stdlib.h>

static const char good[] = "[aircraft]\n"           /* 1 */
                           "format = 1\n"           /* 2 */
                           "name = kite\n"          /* 3 */
                           "class = light\n"        /* 4 */
                           "[mass]\n"               /* 5 */
                           "empty_kg = 500\n"       /* 6 */
                           "ixx_kgm2 = 1000\n"      /* 7 */
                           "iyy_kgm2 = 1500\n"      /* 8 */
                           "izz_kgm2 = 2000\n"      /* 9 */
                           "[reference]\n"          /* 10 */
                           "area_m2 = 12\n"         /* 11 */
                           "span_m = 9\n"           /* 12 */
                           "chord_m = 1.4\n"        /* 13 */
                           "[table CZ]\n"           /* 14 */
                           "row = mach 0 0.5\n"     /* 15 */
                           "col = alpha_deg\n"      /* 16 */
                           "  -10 0\n"              /* 17 */
                           "  20\n"                 /* 18 */
                           "edge = hold\n"          /* 19 */
                           "data =\n"               /* 20 */
                           "  0.6 0 -1.2\n"         /* 21 */
                           "  0.7 0 -1.4\n"         /* 22 */
                           "[aero]\n"               /* 23 */
                           "term = cz: CZ\n"        /* 24 */
                           "term = cm: -8 * qhat\n" /* 25 */
                           "[control]\n"            /* 26 */
                           "law = direct\n"         /* 27 */
                           "[check a]\n"            /* 28 */
                           "in = vt_mps 50, alpha_deg 5\n"
                           "out = cz -0.3\n"
                           "[claim]\n" /* 31 */
                           "stall_mps = 25 +-3 @ 100 m\n"
                           "[source]\n"
                           "cz = a kite\n"; /* 34 */

/* The good file with its first `from` replaced. */
static char *
changed(const char *from, const char *to)
{
    const char *at = strstr(good, from);
    size_t before = at == NULL ? 0 : (size_t)(at - good);
    char *text = malloc(sizeof(good) + strlen(to));

    if (at == NULL || text == NULL) {
        ok(at != NULL);
        exit(1);
    }
    memcpy(text, good, before);
    strcpy(text + before, to);
    strcat(text, at + strlen(from));
    return text;
}

struct slip {
    const char *from, *to;
    int level, line, column;
    const char *says;
};

/* clang-format off */
static const struct slip slips[] = {
    {"[mass]", "[maas]", 1, 5, 1, "did you mean [mass]"},
    {"[mass]", "[mass", 1, 5, 1, "without \"]\""},
    {"[mass]", "[mass x]", 1, 5, 1, "expected no name there"},
    {"[check a]", "[surface wing]", 1, 28, 1, "elevator, aileron or rudder"},
    {"[check a]", "[gear]", 1, 28, 1, "expected a name after gear"},
    {"[claim]", "[mass]", 1, 31, 1, "given twice, first in line 5"},
    {"empty_kg", "emty_kg", 1, 6, 1, "did you mean \"empty_kg\"?"},
    {"empty_kg = 500", "empty_slug = 50", 1, 6, 1, "units = si, expected empty_kg"},
    {"empty_kg = 500", "empty_kg = 500 kg", 1, 6, 16, "the unit is in the key's name"},
    {"empty_kg = 500", "empty_kg = 5oo", 1, 6, 12, "found \"5oo\", expected a number"},
    {"empty_kg = 500", "empty_kg = nan", 1, 6, 12, "found \"nan\""},
    {"empty_kg = 500", "empty_kg = inf", 1, 6, 12, "found \"inf\""},
    {"empty_kg = 500", "empty_kg = 1e400", 1, 6, 12, "expected a smaller number"},
    {"empty_kg = 500", "empty_kg = 0", 1, 6, 12, "expected 1e-06 to 1e+06"},
    {"empty_kg = 500", "empty_kg =", 1, 6, 11, "found 0 numbers, expected 1"},
    {"empty_kg = 500", "empty_kg = 1,5", 1, 6, 12, "found \"1,5\""},
    {"empty_kg = 500", "empty_kg = 500\nempty_kg = 500", 1, 7, 1, "given twice, first in line 6"},
    {"empty_kg = 500\n", "", 2, 5, 1, "found no empty_kg, expected it or empty_slug"},
    {"format = 1", "format = 2", 1, 2, 10, "expected 1"},
    {"format = 1\n", "", 2, 1, 1, "found no format"},
    {"name = kite", "name = Kite 2", 1, 3, 8, "small letters"},
    {"class = light", "class = ufo", 1, 4, 9, "fighter|trainer"},
    {"law = direct", "law = fly_by_wire", 1, 27, 7, "none|direct|rate_command"},
    {"law = direct", "law = rate_command", 2, 27, 7, "needs all three surfaces"},
    {"[control]\nlaw = direct\n", "", 2, 1, 1, "found no section [control]"},
    {"[table CZ]", "[table mach]", 2, 14, 1, "a quantity has this name"},
    {"[table CZ]", "[table C-Z]", 1, 14, 1, "letters, digits"},
    {"[table CZ]", "[table CX]", 2, 24, 12, "found \"CZ\", expected a table"},
    {"row = mach 0 0.5", "row = match 0 0.5", 2, 15, 7, "did you mean \"mach\"?"},
    {"row = mach 0 0.5", "row = mach 0.5 0.5", 2, 15, 16, "must rise strictly"},
    {"row = mach 0 0.5", "row = mach 0", 2, 15, 12, "found 1 breakpoints"},
    {"row = mach 0 0.5", "row = alpha_deg 0 0.5", 2, 14, 1, "on two axes"},
    {"row = mach 0 0.5\n", "", 2, 21, 3, "found 6 cells, expected 3"},
    {"  -10 0\n", "  -10 30\n", 2, 18, 3, "found the breakpoint 20 after 30"},
    {"edge = hold", "edge = wrap", 1, 19, 8, "hold or extend"},
    {"edge = hold", "egde = hold", 1, 19, 1, "did you mean edge"},
    {"  0.7 0 -1.4\n", "  0.7 0\n", 2, 21, 3, "found 5 cells, expected 2 x 3 = 6"},
    {"  0.7 0 -1.4\n", "  0.7 0 -1.4\n  9 9\n", 2, 23, 3, "the first one too many"},
    {"  0.7 0 -1.4\n", "  0.7 O -1.4\n", 1, 22, 7, "found \"O\""},
    {"data =\n  0.6 0 -1.2\n  0.7 0 -1.4\n", "", 2, 14, 1, "found no data"},
    {"term = cz: CZ", "term = cz: CY", 2, 24, 12, "found \"CY\", expected a table"},
    {"term = cz: CZ", "term = cz: qhat * hat", 2, 24, 19, "found \"hat\", expected a table"},
    {"term = cz: CZ", "term = c: CZ", 2, 24, 8, "expected cx, cy, cz"},
    {"term = cz: CZ", "term = CZ", 1, 24, 8, "without \":\""},
    {"term = cz: CZ", "term = cz: CZ qhat", 1, 24, 12, "between the \"*\""},
    {"term = cz: CZ", "term = cz: CZ * CZ", 2, 24, 17, "one table in a term"},
    {"term = cz: CZ", "term = cz: CZ *", 1, 24, 16, "between the \"*\""},
    {"term = cz: CZ", "term = cz: CZ * elevator_deg", 2, 24, 8, "[surface elevator]"},
    {"-8 * qhat", "-8 * phat * phat * phat * phat * phat * phat * phat", 2, 25, 59, "7th quantity"},
    {"out = cz -0.3", "out = cw -0.3", 2, 30, 7, "found \"cw\""},
    {"in = vt_mps 50,", "in = vt 50,", 2, 29, 6, "found \"vt\""},
    {"25 +-3 @ 100 m", "25", 1, 32, 13, "VALUE +-TOLERANCE"},
    {"stall_mps", "stal_mps", 1, 32, 1, "did you mean stall_mps"},
    {"[source]", "stray\n[source]", 1, 33, 1, "expected KEY = VALUE"},
    {"  20\n", "\x01\n", 1, 18, 1, "0x01"},
};
/* clang-format on */

static void
each_slip_is_told_with_its_place(void)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *file;
    size_t i, k;
    char *text;

    for (i = 0; i < sizeof(slips) / sizeof(slips[0]); i++) {
        const struct slip *s = &slips[i];
        int found = 0;

        text = changed(s->from, s->to);
        ok_int(aircraft_file_load_bytes(&file, text, strlen(text), &problems),
               -EINVAL);
        ok(file == NULL);
        for (k = 0; k < problems.count; k++) {
            const struct aircraft_problem *p = &problems.items[k];

            found |= !p->warning && p->at.line == s->line &&
                     (p->at.column == s->column || s->column == 0) &&
                     p->level == s->level && strstr(p->text, s->says) != NULL;
        }
        if (!found) {
            printf("# \"%s\" wanted %d:%d level %d \"%s\", got:\n", s->to,
                   s->line, s->column, s->level, s->says);
            for (k = 0; k < problems.count; k++)
                printf("#   %d:%d level %d %s\n", problems.items[k].at.line,
                       problems.items[k].at.column, problems.items[k].level,
                       problems.items[k].text);
        }
        ok(found);
        aircraft_problems_finish(&problems);
        free(text);
    }
}

static void
a_good_file_has_every_figure(void)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *f;
    struct aircraft_place at;

    if (!ok_int(aircraft_file_load_bytes(&f, good, strlen(good), &problems), 0))
        return;
    ok_int(problems.count, 0);
    ok_text(f->name, "kite");
    ok_int(f->class_index, 2);
    ok_real(f->mass.empty_kg, 500, 0);
    ok_real(f->mass.cg_mac, 0.25, 0);
    ok_int(f->table_count, 1);
    ok_int(f->tables[0].dimensions, 2);
    ok_int(f->tables[0].axes[0].quantity, AIRCRAFT_MACH);
    ok_int(f->tables[0].axes[1].count, 3);
    ok_int(f->tables[0].places[4].line, 22);
    ok_int(f->tables[0].places[4].column, 7);
    ok_int(f->term_count, 2);
    ok_real(f->terms[1].factor, -8, 0);
    ok_int(f->terms[1].quantities[0], AIRCRAFT_QHAT);
    ok_real(f->valid.alpha_max_deg, 20, 0);
    ok_int(f->checks[0].in_count, 2);
    ok_int(f->checks[0].in[0].quantity, AIRCRAFT_QUANTITIES);
    ok_real(f->claims[0].altitude_m, 100, 0);
    ok_text(f->sources[0].text, "a kite");
    at = aircraft_file_place(f, "mass", "iyy_kgm2");
    ok_int(at.line, 8);
    ok_int(at.column, 12);
    ok_int(aircraft_file_place(f, "mass", "izz").line, 0);
    aircraft_file_destroy(f);
}

static void
feet_and_slugs_are_converted(void)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *f;
    char *text = changed("class = light", "units = mixed");
    char *at = strstr(text, "area_m2 = 12");

    memcpy(at, "area_ft2 =10", 12);
    if (!ok_int(aircraft_file_load_bytes(&f, text, strlen(text), &problems), 0))
        return;
    ok_real(f->reference.area_m2, 10 * 0.3048 * 0.3048, 1e-15);
    ok_int(aircraft_file_place(f, "reference", "area_m2").line, 11);
    aircraft_file_destroy(f);
    free(text);
}

static void
all_problems_are_told_at_once(void)
{
    static const char text[] = "[aircraft]\nformat = 3\n[mas]\nx = 1\n"
                               "[table A]\ncol = mach 1 0\n";
    struct aircraft_problems problems = {0};
    struct aircraft_file *f;
    char first[300];

    ok_int(aircraft_file_load_bytes(&f, text, strlen(text), &problems),
           -EINVAL);
    ok(problems.errors >= 6);
    aircraft_problems_first(&problems, "x.ini", first, sizeof(first));
    ok_text(first,
            "x.ini:2:10: error: [aircraft] format: found \"3\", expected "
            "1: this program reads no other");
    aircraft_problems_finish(&problems);
}

static void
an_unused_table_is_a_warning(void)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *f;
    char *text = changed("[aero]", "[table X]\ncol = mach 0 1\ndata = 1 2\n"
                                   "[aero]");

    ok_int(aircraft_file_load_bytes(&f, text, strlen(text), &problems), 0);
    ok_int(problems.errors, 0);
    ok_int(problems.warnings, 1);
    ok_int(problems.items[0].at.line, 23);
    aircraft_file_destroy(f);
    aircraft_problems_finish(&problems);
    free(text);
}

static void
a_missing_file_is_told(void)
{
    struct aircraft_problems problems = {0};
    struct aircraft_file *f;

    ok_int(aircraft_file_load(&f, "/nowhere/x.ini", &problems), -ENOENT);
    ok_int(problems.errors, 1);
    aircraft_problems_finish(&problems);
}

static void
shipped_aircraft_load_without_a_word(void)
{
    static const char *const names[] = {"f16", "sphere", "brick",
                                        "brick_damped", "trainer"};
    const char *source = getenv("HP_SRC");
    struct aircraft_problems problems = {0};
    struct aircraft_file *f;
    char path[600];
    size_t i;

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof(path), "%s/conf/aircraft/%s.ini",
                 source == NULL ? "." : source, names[i]);
        if (ok_int(aircraft_file_load(&f, path, &problems), 0))
            ok_text(f->name, names[i]);
        ok_int(problems.count, 0);
        aircraft_problems_print(&problems, path, stdout);
        aircraft_problems_finish(&problems);
        aircraft_file_destroy(f);
    }
}

TAP_MAIN(FACT(a_good_file_has_every_figure),
         FACT(each_slip_is_told_with_its_place),
         FACT(feet_and_slugs_are_converted),
         FACT(all_problems_are_told_at_once),
         FACT(an_unused_table_is_a_warning), FACT(a_missing_file_is_told),
         FACT(shipped_aircraft_load_without_a_word))
