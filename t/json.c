#include "tap.h"
#include <errno.h>
#include <hist.h>
#include <json.h>
#include <locale.h>
#include <stdlib.h>

static char *text;
static size_t text_size;

static void
begin(struct json *j)
{
    json_init(j, open_memstream(&text, &text_size));
}

static void
end(struct json *j, const char *want)
{
    ok_int(json_finish(j), 0);
    fclose(j->file);
    ok_text(text, want);
    free(text);
}

static void
values_nest_with_commas_and_indentation(void)
{
    struct json j;

    begin(&j);
    json_open_object(&j, NULL);
    json_int(&j, "schema", 1);
    json_open_array(&j, "list");
    json_int(&j, NULL, -2);
    json_flag(&j, NULL, 1);
    json_open_object(&j, NULL);
    json_text(&j, "none", NULL);
    json_close_object(&j);
    json_close_array(&j);
    json_flag(&j, "last", 0);
    json_close_object(&j);
    end(&j, "{\n  \"schema\": 1,\n  \"list\": [\n    -2,\n    true,\n    {\n"
            "      \"none\": null\n    }\n  ],\n  \"last\": false\n}\n");
}

static void
empty_levels_stay_on_one_line_also_after_a_filled_one(void)
{
    struct json j;

    begin(&j);
    json_open_array(&j, NULL);
    json_open_object(&j, NULL);
    json_int(&j, "a", 1);
    json_close_object(&j);
    json_open_object(&j, NULL);
    json_close_object(&j);
    json_open_array(&j, NULL);
    json_close_array(&j);
    json_close_array(&j);
    end(&j, "[\n  {\n    \"a\": 1\n  },\n  {},\n  []\n]\n");
}

static void
sixteen_levels_nest(void)
{
    struct json j;
    int i;

    begin(&j);
    for (i = 0; i < 16; i++)
        json_open_array(&j, NULL);
    for (i = 0; i < 16; i++)
        json_close_array(&j);
    ok_int(json_finish(&j), 0);
    fclose(j.file);
    ok(strstr(text, "[]") != NULL);
    free(text);
}

static void
texts_are_escaped_in_keys_and_values(void)
{
    struct json j;

    begin(&j);
    json_open_object(&j, NULL);
    json_text(&j, "a\"b", "c\\d\n\t\x1b\x7f");
    json_close_object(&j);
    end(&j, "{\n  \"a\\\"b\": \"c\\\\d\\n\\t\\u001b\\u007f\"\n}\n");
}

static void
utf8_passes_and_other_bytes_are_replaced(void)
{
    struct json j;

    begin(&j);
    json_text(&j, NULL, "\xc3\xbc\xe2\x82\xac\xf0\x9f\x9b\xa9");
    end(&j, "\"\xc3\xbc\xe2\x82\xac\xf0\x9f\x9b\xa9\"\n");
    begin(&j);
    /* Latin-1, an overlong slash of two and of three bytes. */
    json_text(&j, NULL, "\xfc.\xc0\xaf.\xe0\x80\xaf");
    end(&j, "\"\\ufffd.\\ufffd\\ufffd.\\ufffd\\ufffd\\ufffd\"\n");
    begin(&j);
    /* A surrogate, a cut sequence, one beyond the last plane. */
    json_text(&j, NULL, "\xed\xa0\x80.\xe2\x82.\xf4\x90\x80\x80");
    end(&j, "\"\\ufffd\\ufffd\\ufffd.\\ufffd\\ufffd."
            "\\ufffd\\ufffd\\ufffd\\ufffd\"\n");
}

static double
printed_and_read(double value)
{
    struct json j;
    double back;

    begin(&j);
    json_real(&j, NULL, value);
    ok_int(json_finish(&j), 0);
    fclose(j.file);
    back = strtod(text, NULL);
    free(text);
    return back;
}

static void
numbers_read_back_the_same(void)
{
    static const double values[] = {
        0,
        0.1,
        1.0 / 3,
        16.666666666666668,
        59.94,
        1e300,
        -5e-324,
        1e15 + 1,
        0x1p53,
        123456789.123456789,
        1001.0 / 60000,
        M_PI,
        -1.5,
        1e-7,
        2.2250738585072014e-308,
    };
    size_t i;

    for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        ok(printed_and_read(values[i]) == values[i]);
}

static void
numbers_are_as_short_as_they_can_be(void)
{
    struct json j;

    begin(&j);
    json_open_array(&j, NULL);
    json_real(&j, NULL, 0.1);
    json_real(&j, NULL, 60);
    json_real(&j, NULL, 59.94);
    json_close_array(&j);
    end(&j, "[\n  0.1,\n  60,\n  59.94\n]\n");
}

static void
what_is_no_number_becomes_null(void)
{
    struct json j;

    begin(&j);
    json_open_array(&j, NULL);
    json_real(&j, NULL, NAN);
    json_real(&j, NULL, -INFINITY);
    json_close_array(&j);
    end(&j, "[\n  null,\n  null\n]\n");
}

static void
a_locale_with_a_comma_changes_nothing(void)
{
    struct json j;

    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL &&
        setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL) {
        skip("no such locale is installed");
        return;
    }
    begin(&j);
    json_real(&j, NULL, 0.25);
    end(&j, "0.25\n");
    setlocale(LC_NUMERIC, "C");
}

static void
a_histogram_is_one_object_in_scaled_units(void)
{
    static struct hist h;
    struct json j;

    hist_init(&h);
    hist_record(&h, 2000);
    begin(&j);
    json_hist(&j, NULL, &h, 1e-3);
    end(&j, "{\n  \"n\": 1,\n  \"min\": 2,\n  \"mean\": 2,\n  \"p50\": 2,\n"
            "  \"p95\": 2,\n  \"p99\": 2,\n  \"p999\": 2,\n  \"max\": 2\n}\n");
}

static void
a_stream_that_cannot_be_written_is_told(void)
{
    struct json j;
    FILE *full = fopen("/dev/full", "w");

    if (full == NULL) {
        skip("no /dev/full");
        return;
    }
    json_init(&j, full);
    json_int(&j, NULL, 1);
    ok_int(json_finish(&j), -EIO);
    fclose(full);
}

TAP_MAIN(FACT(values_nest_with_commas_and_indentation),
         FACT(empty_levels_stay_on_one_line_also_after_a_filled_one),
         FACT(sixteen_levels_nest), FACT(texts_are_escaped_in_keys_and_values),
         FACT(utf8_passes_and_other_bytes_are_replaced),
         FACT(numbers_read_back_the_same),
         FACT(numbers_are_as_short_as_they_can_be),
         FACT(what_is_no_number_becomes_null),
         FACT(a_locale_with_a_comma_changes_nothing),
         FACT(a_histogram_is_one_object_in_scaled_units),
         FACT(a_stream_that_cannot_be_written_is_told))
