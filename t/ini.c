#include "tap.h"
#include <errno.h>
#include <ini/ini.h>
#include <locale.h>
#include <stdlib.h>

/* What a reading told, as text: "3:1 [net] port = 4776 (8)\n", "! 2:5 ...". */
struct told {
    char text[262144];
    size_t bytes;
};

static struct told told;

static void
tell_item(void *context, const struct ini_item *item)
{
    struct told *t = context;

    if (item->key == NULL)
        t->bytes += (size_t)snprintf(t->text + t->bytes,
                                     sizeof(t->text) - t->bytes, "%d:%d [%s]\n",
                                     item->line, item->column, item->section);
    else
        t->bytes += (size_t)snprintf(
            t->text + t->bytes, sizeof(t->text) - t->bytes,
            "%d:%d [%s] %s = %s (%d)\n", item->line, item->column,
            item->section, item->key, item->value, item->value_column);
}

static void
tell_problem(void *context, const struct ini_problem *problem)
{
    struct told *t = context;

    t->bytes += (size_t)snprintf(t->text + t->bytes, sizeof(t->text) - t->bytes,
                                 "! %d:%d %s\n", problem->line, problem->column,
                                 problem->sentence);
}

static const struct ini_handler handler = {tell_item, tell_problem, &told};

static int
read_bytes(const char *bytes, size_t count)
{
    told.bytes = 0;
    told.text[0] = '\0';
    return ini_read_bytes(bytes, count, &handler);
}

static int
read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

/* `count` times the same letter, as a text that lives until the next call. */
static const char *
letters(char letter, size_t count)
{
    static char text[600];

    memset(text, letter, count);
    text[count] = '\0';
    return text;
}

static void
settings_come_with_their_places(void)
{
    ok_int(read_text("top = 1\n[net]\nport = 4776\n\n[a.b]\nx=\ty z \n"), 0);
    ok_text(told.text, "1:1 [] top = 1 (7)\n"
                       "2:1 [net]\n"
                       "3:1 [net] port = 4776 (8)\n"
                       "5:1 [a.b]\n"
                       "6:1 [a.b] x = y z (4)\n");
}

static void
comments_blank_lines_and_line_ends_mean_nothing(void)
{
    ok_int(read_text("\xef\xbb\xbf[net]\r\n; port = 1\r\n# port = 2\r\n"
                     "  ; indented\r\n\r\nport = 3 ; after\r\nname = a;b #c"),
           0);
    ok_text(told.text, "1:1 [net]\n"
                       "6:1 [net] port = 3 (8)\n"
                       "7:1 [net] name = a;b #c (8)\n");
}

static void
indented_lines_are_joined_by_one_space(void)
{
    ok_int(read_text("[t]\nrow =\n  1 2 ; first\n\n; between\n\t3 4\n  = 5\n"
                     "next = 1\n"),
           0);
    ok_text(told.text, "1:1 [t]\n2:1 [t] row = 1 2 3 4 = 5 (6)\n"
                       "8:1 [t] next = 1 (8)\n");
}

static void
an_empty_value_is_a_value(void)
{
    ok_int(read_text("a =\nb = ; nothing\nc="), 0);
    ok_text(told.text, "1:1 [] a =  (4)\n2:1 [] b =  (4)\n3:1 [] c =  (3)\n");
}

static void
a_line_of_199_bytes_fits_and_200_do_not(void)
{
    char line[300];
    int extra;

    for (extra = 0; extra < 2; extra++) {
        snprintf(line, sizeof(line), "\xef\xbb\xbfk = %.200s\r\n",
                 letters('x', (size_t)(195 + extra)));
        ok_int(read_text(line), extra);
        if (extra == 0)
            ok_int(strlen(told.text), strlen("1:1 [] k =  (5)\n") + 195);
        else
            ok_text(told.text,
                    "! 1:203 found a line of 200 bytes, expected at most 199: "
                    "let a long value go on over indented lines\n");
    }
}

static void
a_list_of_60_plugins_on_one_line_names_line_and_limit(void)
{
    char text[1024] = "[plugins]\nagent = p0";
    int i;

    for (i = 1; i < 60; i++)
        sprintf(text + strlen(text), ", p%d", i);
    ok_int(read_text(text), 1);
    ok(strstr(told.text, "! 2:200 found a line of ") != NULL);
    ok(strstr(told.text, "at most 199") != NULL);
    ok(strstr(told.text, "agent") == NULL);
}

static void
the_tail_of_a_long_comment_is_no_setting(void)
{
    char text[512];

    snprintf(text, sizeof(text), "[net]\n;%.198sport = 1\nname = a\n",
             letters('-', 198));
    ok_int(read_text(text), 1);
    ok(strstr(told.text, "! 2:200 found a line of 207 bytes") != NULL);
    ok(strstr(told.text, "port") == NULL);
    ok(strstr(told.text, "name = a") != NULL);
    snprintf(text, sizeof(text), ";%.299s", letters('-', 299));
    ok_int(read_text(text), 1);
}

static void
a_line_of_a_megabyte_is_one_problem(void)
{
    size_t count = 1 << 20;
    char *bytes = malloc(count);

    memset(bytes, 'a', count);
    ok_int(read_bytes(bytes, count), 1);
    ok_text(told.text,
            "! 1:200 found a line of 1048576 bytes, expected at most 199: let "
            "a long value go on over indented lines\n");
    free(bytes);
}

static void
names_that_inih_would_cut_are_refused(void)
{
    char text[256];

    snprintf(text, sizeof(text), "[%.60s]\n", letters('s', 49));
    ok_int(read_text(text), 0);
    snprintf(text, sizeof(text), "[%.60s]\n", letters('s', 50));
    ok_int(read_text(text), 1);
    ok_text(told.text,
            "! 1:2 found a section name of 50 bytes, expected at most 49\n");
    snprintf(text, sizeof(text), "%.60s = 1\n  2\n", letters('k', 49));
    ok_int(read_text(text), 0);
    snprintf(text, sizeof(text), "%.60s = 1\n  2\n", letters('k', 50));
    ok_int(read_text(text), 1);
    ok_text(told.text, "! 1:1 found a key of 50 bytes, expected at most 49\n");
}

static void
bytes_that_are_no_text_are_refused_where_they_stand(void)
{
    static const char nul[] = "a = 1\nb = \0c = 2\nd = 3\n";

    ok_int(read_bytes(nul, sizeof(nul) - 1), 1);
    ok_text(told.text,
            "! 2:5 found the byte 0x00, expected text: is this an INI file?\n"
            "1:1 [] a = 1 (5)\n"
            "3:1 [] d = 3 (5)\n");
    ok_int(read_text("\xef\xbb\xbf\xef\xbb\xbf=y\n\xef\xbb\xbf[a]\nb = 1\n"),
           2);
    ok_text(told.text,
            "! 1:4 found a byte-order mark, expected one at most, at the "
            "file's start: were two files joined?\n"
            "! 2:1 found a byte-order mark, expected one at most, at the "
            "file's start: were two files joined?\n"
            "3:1 [] b = 1 (5)\n");
    ok_int(read_text("a = \x1b[2J"), 1);
    ok_int(read_text("a = 1\rb = 2\r"), 1);
    ok(strstr(told.text, "! 1:6 found the byte 0x0d") != NULL);
}

struct mistake {
    const char *text;
    const char *told;
};

static void
what_inih_would_misread_is_refused(void)
{
    static const struct mistake mistakes[] = {
        {"[net\n",           "! 1:1 found a heading without \"]\", expected [NAME]\n"},
        {"[net ;]\n",        "! 1:1 found a heading without \"]\", expected [NAME]\n"},
        {"[]\n",
         "! 1:2 found no name in a heading, expected [NAME] without blanks "
         "around the name\n"                                                         },
        {"[ net]\n",
         "! 1:2 found a blank in a heading, expected [NAME] without blanks "
         "around the name\n"                                                         },
        {"[net] port = 1\n",
         "! 1:7 found \"port = 1\" after a heading, expected the end of the "
         "line: settings go on lines of their own\n"                                 },
        {"port 1\n",
         "! 1:1 found \"port\" without \"=\", expected KEY = VALUE, or an "
         "indented line that goes on with the value above\n"                         },
        {"port ; = 1\n",
         "! 1:1 found \"port\" without \"=\", expected KEY = VALUE, or an "
         "indented line that goes on with the value above\n"                         },
        {"port: 1\n",
         "! 1:5 found \":\" before any \"=\", expected KEY = VALUE\n"                },
        {"= 1\n",
         "! 1:1 found \"=\" without a key before it, expected KEY = VALUE\n"         },
        {"  port = 1\n",
         "! 1:3 found an indented line with no setting above it, expected a "
         "key at the line's start: indented lines go on with a value\n"              },
        {"a = 1\n  [net]\n",
         "! 2:3 found an indented heading, expected \"[\" at the line's start: "
         "an indented line goes on with the value above\n"
         "1:1 [] a = 1 (5)\n"                                                        },
    };
    size_t i;

    for (i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
        ok_int(read_text(mistakes[i].text), 1);
        ok_text(told.text, mistakes[i].told);
    }
}

/* Printed with a blank before it, it would read back as a comment. */
static void
a_semicolon_right_after_the_equals_sign_is_refused(void)
{
    ok_int(read_text("[a]\nb =; c\nd = e;f\ng = ;h\n"), 1);
    ok_text(told.text, "1:1 [a]\n"
                       "! 2:4 found \";\" right after \"=\", expected a value, "
                       "or a blank before a comment\n"
                       "3:1 [a] d = e;f (5)\n"
                       "4:1 [a] g =  (4)\n");
}

static void
all_problems_are_told_and_a_refused_setting_loses_its_further_lines(void)
{
    ok_int(read_text("a = 1\nbad\n  more\n  of it\n: worse\nb = 2\n"), 2);
    ok_text(told.text,
            "1:1 [] a = 1 (5)\n"
            "! 2:1 found \"bad\" without \"=\", expected KEY = VALUE, or an "
            "indented line that goes on with the value above\n"
            "! 5:1 found \":\" before any \"=\", expected KEY = VALUE\n"
            "6:1 [] b = 2 (5)\n");
}

static void
a_value_over_64_kib_is_refused(void)
{
    char text[80000];
    size_t bytes, i;

    for (i = 0; i < 2; i++) {
        strcpy(text, "k =\n");
        bytes = strlen(text);
        while (bytes < INI_VALUE_MAX + 2000 * i) {
            memset(text + bytes, 'v', 191);
            memcpy(text + bytes, "  ", 2);
            bytes += 191;
            text[bytes++] = '\n';
        }
        text[bytes] = '\0';
        ok_int(read_text(text), (long long)i);
    }
    ok(strstr(told.text, "found a value of over 65536 bytes") != NULL);
    ok(strstr(told.text, "k = v") == NULL);
}

static void
a_stream_reads_like_memory_and_its_errors_are_told(void)
{
    FILE *file = tmpfile();

    fputs("[net]\nport = 4776", file);
    rewind(file);
    told.bytes = 0;
    ok_int(ini_read(file, &handler), 0);
    ok_text(told.text, "1:1 [net]\n2:1 [net] port = 4776 (8)\n");
    fclose(file);
    file = fopen("/", "r");
    ok_int(ini_read(file, &handler), -EISDIR);
    fclose(file);
    ok_int(read_bytes(NULL, 0), 0);
}

static void
whole_numbers_are_exact_and_take_only_their_unit(void)
{
    const char *rest = "";
    long long n = 7;

    ok_int(ini_parse_int(" 250 ms ", "ms", &n, NULL), 0);
    ok_int(n, 250);
    ok_int(ini_parse_int("250ms", "ms", &n, NULL), 0);
    ok_int(ini_parse_int("-9223372036854775808", "", &n, NULL), 0);
    ok(n == -9223372036854775807 - 1);
    ok_int(ini_parse_int("9223372036854775807", NULL, &n, NULL), 0);
    ok(n == 9223372036854775807);
    ok_int(ini_parse_int("9223372036854775808", "", &n, NULL), -ERANGE);
    ok_int(ini_parse_int("-9223372036854775809", "", &n, NULL), -ERANGE);
    ok_int(ini_parse_int("60abc", "", &n, &rest), -EINVAL);
    ok_text(rest, "abc");
    ok_int(ini_parse_int("250 s", "ms", &n, &rest), -EINVAL);
    ok_text(rest, "s");
    ok_int(ini_parse_int("250 ms ms", "ms", &n, &rest), -EINVAL);
    ok_text(rest, "ms ms");
    ok_int(ini_parse_int("", "ms", &n, &rest), -EINVAL);
    ok_int(ini_parse_int("ms", "ms", &n, &rest), -EINVAL);
    ok_int(ini_parse_int("0x10", "", &n, &rest), -EINVAL);
    ok_int(ini_parse_int("1.5", "", &n, &rest), -EINVAL);
    ok_text(rest, ".5");
    ok_int(ini_parse_int("- 1", "", &n, &rest), -EINVAL);
}

static void
real_numbers_are_decimal_and_finite(void)
{
    static const char *const bad[] = {"nan", "inf",  "-inf", "0x1p3", "",   ".",
                                      "e5",  "1..2", "1,5",  "1e",    "--1"};
    const char *rest;
    double d = 7;
    size_t i;

    ok_int(ini_parse_real("-12.5e-1 deg", "deg", &d, NULL), 0);
    ok_real(d, -1.25, 0);
    ok_int(ini_parse_real("+.1", "", &d, NULL), 0);
    ok_real(d, .1, 0);
    ok_int(ini_parse_real("5.", "", &d, NULL), 0);
    ok_real(d, 5, 0);
    ok_int(ini_parse_real("1e999", "", &d, NULL), -ERANGE);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (ini_parse_real(bad[i], "", &d, &rest) != -EINVAL)
            ok_text(bad[i], "refused");
    ok_real(d, 5, 0);
}

static void
a_foreign_locale_changes_no_number(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
    double d = 0;
    size_t i;

    for (i = 0; i < 3 && setlocale(LC_ALL, names[i]) == NULL; i++)
        ;
    if (i == 3) {
        skip("no locale with a decimal comma is installed");
        return;
    }
    ok_int(ini_parse_real("1.5", "", &d, NULL), 0);
    ok_real(d, 1.5, 0);
    ok_int(ini_parse_real("1,5", "", &d, NULL), -EINVAL);
    setlocale(LC_ALL, "C");
}

static void
flags_are_four_pairs_of_words(void)
{
    int flag = 7;

    ok_int(ini_parse_flag(" Yes ", &flag), 0);
    ok_int(flag, 1);
    ok_int(ini_parse_flag("off", &flag), 0);
    ok_int(flag, 0);
    ok_int(ini_parse_flag("TRUE", &flag), 0);
    ok_int(flag, 1);
    ok_int(ini_parse_flag("0", &flag), 0);
    ok_int(flag, 0);
    ok_int(ini_parse_flag("", &flag), -EINVAL);
    ok_int(ini_parse_flag("yes yes", &flag), -EINVAL);
    ok_int(ini_parse_flag("2", &flag), -EINVAL);
    ok_int(ini_parse_flag("disabled", &flag), -EINVAL);
}

static void
the_nearest_name_is_near_or_none(void)
{
    static const char *const names[] = {"port", "address", "clients_max",
                                        "tick_rate_hz"};
    size_t step = sizeof(names[0]);

    ok_text(ini_nearest("prot", names, 4, step), "port");
    ok_text(ini_nearest("Port", names, 4, step), "port");
    ok_text(ini_nearest("adress", names, 4, step), "address");
    ok_text(ini_nearest("client_max", names, 4, step), "clients_max");
    ok_text(ini_nearest("tick_rate", names, 4, step), "tick_rate_hz");
    ok_text(ini_nearest("porthole", names, 4, step), "port");
    ok_text(ini_nearest("clients", names, 4, step), "clients_max");
    ok(ini_nearest("po", names, 1, step) == NULL);
    ok(ini_nearest("banana", names, 4, step) == NULL);
    ok(ini_nearest("", names, 4, step) == NULL);
    ok(ini_nearest("x", names, 4, step) == NULL);
    ok(ini_nearest(letters('p', 500), names, 4, step) == NULL);
    ok(ini_nearest("port", names, 0, step) == NULL);
    ok_text(ini_nearest("tick_rate_hz", names, 2, 3 * step), "tick_rate_hz");
}

TAP_MAIN(
    FACT(settings_come_with_their_places),
    FACT(comments_blank_lines_and_line_ends_mean_nothing),
    FACT(indented_lines_are_joined_by_one_space),
    FACT(an_empty_value_is_a_value),
    FACT(a_line_of_199_bytes_fits_and_200_do_not),
    FACT(a_list_of_60_plugins_on_one_line_names_line_and_limit),
    FACT(the_tail_of_a_long_comment_is_no_setting),
    FACT(a_line_of_a_megabyte_is_one_problem),
    FACT(names_that_inih_would_cut_are_refused),
    FACT(bytes_that_are_no_text_are_refused_where_they_stand),
    FACT(what_inih_would_misread_is_refused),
    FACT(a_semicolon_right_after_the_equals_sign_is_refused),
    FACT(all_problems_are_told_and_a_refused_setting_loses_its_further_lines),
    FACT(a_value_over_64_kib_is_refused),
    FACT(a_stream_reads_like_memory_and_its_errors_are_told),
    FACT(whole_numbers_are_exact_and_take_only_their_unit),
    FACT(real_numbers_are_decimal_and_finite),
    FACT(a_foreign_locale_changes_no_number),
    FACT(flags_are_four_pairs_of_words), FACT(the_nearest_name_is_near_or_none))
