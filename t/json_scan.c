#include "json_scan.h"
#include "tap.h"
#include <errno.h>

static void
a_number_is_found_by_its_path(void)
{
    static const char text[] =
        "{\"p99\": 1, \"tick_ms\": {\"n\": 4, \"p99\": -2.5e1, \"x\": "
        "{\"p99\": 3}},\n \"list\": [{\"p99\": 9}, \"a\\\"b\", null, true]}\n";
    double out = 0;

    ok_int(json_scan(text, "tick_ms.p99", &out), 0);
    ok_real(out, -25, 0);
    ok_int(json_scan(text, "p99", &out), 0);
    ok_real(out, 1, 0);
    ok_int(json_scan(text, "tick_ms.x.p99", &out), 0);
    ok_real(out, 3, 0);
    ok_int(json_scan(text, "tick_ms", &out), 0);
    ok(isnan(out));
    ok_int(json_scan(text, "list.p99", &out), 0);
    ok(isnan(out));
    ok_int(json_scan(text, "tick", &out), 0);
    ok(isnan(out));
}

static void
what_is_not_one_value_is_refused(void)
{
    static const char *const bad[] = {
        "",
        "{",
        "{}}",
        "{\"a\" 1}",
        "{\"a\": }",
        "[1, 2",
        "[1,]",
        "nul",
        "\"open",
        "{\"a\": 1} 2",
        "{a: 1}",
        "\"line\nend\"",
        "1.2.3",
        "+1",
        "{\"a\": 1,}",
        "\"end\\",
    };
    static const char *const good[] = {"{}", " [ ] ", "-1.5e3", "null",
                                       "{\"a\":[1,{\"b\":\"\\\\\"}]}"};
    char deep[200];
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (!ok_int(json_scan(bad[i], NULL, NULL), -EINVAL))
            printf("# %s\n", bad[i]);
    for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        if (!ok_int(json_scan(good[i], NULL, NULL), 0))
            printf("# %s\n", good[i]);
    memset(deep, '[', sizeof(deep) - 1);
    deep[sizeof(deep) - 1] = '\0';
    ok_int(json_scan(deep, NULL, NULL), -EINVAL);
}

TAP_MAIN(FACT(a_number_is_found_by_its_path),
         FACT(what_is_not_one_value_is_refused))
