/*
 * A test is a row of named facts:
 *
 *     static void
 *     a_full_queue_is_refused(void)
 *     {
 *         ok_int(queue_push(q, 1), -ENOSPC);
 *     }
 *     TAP_MAIN(FACT(a_full_queue_is_refused), ...)
 *
 * One TAP line a fact; what failed inside it is told by file, line and value.
 * Names given as arguments run just those facts.
 */
#ifndef TAP_H
#define TAP_H

#include <math.h>
#include <stdio.h>
#include <string.h>

struct tap_fact {
    const char *name;
    void (*run)(void);
};

static int tap_failed;           /* within the fact that runs */
static const char *tap_skip_why; /* set by skip() */

/* clang-format off */
#define FACT(name) {#name, name}
/* clang-format on */

/* Ends the fact as skipped; the caller returns after it. */
#define skip(why) (tap_skip_why = (why))

#define ok(truth) \
    ((truth) \
         ? 1 \
         : (tap_failed++, \
            printf("# %s:%d: %s is false\n", __FILE__, __LINE__, #truth), 0))

static inline int
tap_int(long long got, long long want, const char *text, const char *file,
        int line)
{
    if (got == want)
        return 1;
    tap_failed++;
    printf("# %s:%d: %s is %lld, wanted %lld\n", file, line, text, got, want);
    return 0;
}

static inline int
tap_real(double got, double want, double within, const char *text,
         const char *file, int line)
{
    if (fabs(got - want) <= within)
        return 1;
    tap_failed++;
    printf("# %s:%d: %s is %.17g, wanted %.17g within %g\n", file, line, text,
           got, want, within);
    return 0;
}

static inline int
tap_text(const char *got, const char *want, const char *text, const char *file,
         int line)
{
    if (got != NULL && strcmp(got, want) == 0)
        return 1;
    tap_failed++;
    printf("# %s:%d: %s is \"%s\", wanted \"%s\"\n", file, line, text,
           got == NULL ? "(null)" : got, want);
    return 0;
}

#define ok_int(got, want) \
    tap_int((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
#define ok_real(got, want, within) \
    tap_real((got), (want), (within), #got, __FILE__, __LINE__)
#define ok_text(got, want) tap_text((got), (want), #got, __FILE__, __LINE__)

static inline int
tap_main(const struct tap_fact *facts, int count, int argc, char **argv)
{
    int i, a, wanted, bad = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("1..%d\n", count);
    for (i = 0; i < count; i++) {
        wanted = argc < 2;
        for (a = 1; a < argc; a++)
            wanted |= strcmp(argv[a], facts[i].name) == 0;
        tap_failed = 0;
        tap_skip_why = wanted ? NULL : "not asked for";
        if (wanted)
            facts[i].run();
        bad += tap_failed != 0;
        printf("%sok %d - %s%s%s\n", tap_failed ? "not " : "", i + 1,
               facts[i].name, tap_skip_why ? " # SKIP " : "",
               tap_skip_why ? tap_skip_why : "");
    }
    return bad != 0;
}

#define TAP_MAIN(...) \
    int main(int argc, char **argv) \
    { \
        static const struct tap_fact facts[] = {__VA_ARGS__}; \
        return tap_main(facts, (int)(sizeof(facts) / sizeof(facts[0])), argc, \
                        argv); \
    }

#endif
