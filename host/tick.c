#include "tick.h"
#include <ctype.h>
#include <errno.h>
#include <strings.h>

#define SECOND_NS          UINT64_C(1000000000)
#define SUSPENDED_AFTER_NS (SECOND_NS / 2)

__extension__ typedef __int128 wide;

/* Digits up to the first other character; 0 when there is none. */
static int
read_digits(const char **text, uint64_t *out)
{
    const char *p = *text;

    *out = 0;
    if (!isdigit((unsigned char)*p))
        return -EINVAL;
    for (; isdigit((unsigned char)*p); p++)
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(*p - '0'), out))
            return -ERANGE;
    *text = p;
    return 0;
}

/* ".94" after "59": the digits join the numerator. */
static int
read_decimals(const char **text, uint64_t *num, uint64_t *den)
{
    const char *p = *text;

    if (!isdigit((unsigned char)*p))
        return -EINVAL;
    for (; isdigit((unsigned char)*p); p++) {
        if (__builtin_mul_overflow(*num, 10, num) ||
            __builtin_add_overflow(*num, (uint64_t)(*p - '0'), num) ||
            __builtin_mul_overflow(*den, 10, den))
            return -ERANGE;
    }
    *text = p;
    return 0;
}

static const char *
skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

static int
read_fraction(const char **text, uint64_t *num, uint64_t *den)
{
    int err;

    *den = 1;
    err = read_digits(text, num);
    if (err < 0)
        return err;
    if (**text == '.') {
        (*text)++;
        return read_decimals(text, num, den);
    }
    if (**text == '/') {
        (*text)++;
        err = read_digits(text, den);
        return err == 0 && *den == 0 ? -EINVAL : err;
    }
    return 0;
}

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

int
tick_rate_parse(const char *text, struct tick_rate *out)
{
    uint64_t num, den, divisor;
    int negative, err;

    text = skip_blanks(text);
    negative = *text == '-';
    text += negative;
    err = read_fraction(&text, &num, &den);
    if (err < 0)
        return err;
    text = skip_blanks(text);
    if (strncasecmp(text, "Hz", 2) == 0)
        text = skip_blanks(text + 2);
    if (*text != '\0')
        return -EINVAL;
    divisor = common_divisor(num, den);
    num /= divisor;
    den /= divisor;
    if (negative || num > UINT32_MAX || den > UINT32_MAX ||
        num < TICK_RATE_MIN_HZ * den || num > TICK_RATE_MAX_HZ * den)
        return -ERANGE;
    out->num = (uint32_t)num;
    out->den = (uint32_t)den;
    return 0;
}

double
tick_rate_hz(struct tick_rate rate)
{
    return (double)rate.num / rate.den;
}

uint64_t
tick_period_ns(struct tick_rate rate)
{
    return (rate.den * SECOND_NS + rate.num / 2) / rate.num;
}

uint32_t
tick_window(struct tick_rate rate)
{
    uint32_t second =
        (uint32_t)(((uint64_t)rate.num + rate.den - 1) / rate.den);

    return second > 64 ? second : 64;
}

void
tick_describe(struct tick_rate rate, uint64_t index, uint64_t deadline_ns,
              struct hp_tick *out)
{
    out->index = index;
    out->deadline_ns = deadline_ns;
    out->dt_s = (double)rate.den / rate.num;
    out->rate_num = rate.num;
    out->rate_den = rate.den;
}

static void
begin_window(struct tick_schedule *s, uint64_t now_ns)
{
    s->window_ns = now_ns;
    s->window_run = 0;
    s->window_dropped = 0;
}

void
tick_schedule_init(struct tick_schedule *s, struct tick_rate rate,
                   uint64_t first, uint64_t t0_ns, uint32_t catch_up_max)
{
    *s = (struct tick_schedule){
        .rate = rate,
        .start_ns = t0_ns,
        .first = first,
        .next = first,
        .catch_up_max = catch_up_max,
        .slept_ns = UINT64_MAX,
        .dilation_q8 = 256,
    };
    begin_window(s, t0_ns);
}

uint64_t
tick_deadline_ns(const struct tick_schedule *s, uint64_t tick)
{
    wide periods = (wide)tick - s->first + s->dropped;
    wide since_start = periods * s->rate.den * SECOND_NS / s->rate.num;

    return (uint64_t)(s->start_ns + since_start);
}

uint64_t
tick_next_ns(const struct tick_schedule *s)
{
    return tick_deadline_ns(s, s->next);
}

static uint64_t
lateness_ns(const struct tick_schedule *s, uint64_t now_ns)
{
    uint64_t due_ns = tick_next_ns(s);

    return now_ns > due_ns ? now_ns - due_ns : 0;
}

/* Whether the machine slept since the call before. */
static int
was_suspended(struct tick_schedule *s, uint64_t slept_ns)
{
    uint64_t before_ns = s->slept_ns;

    s->slept_ns = slept_ns;
    /* At first it is UINT64_MAX, which nothing exceeds. */
    return slept_ns > before_ns && slept_ns - before_ns > SUSPENDED_AFTER_NS;
}

static void
resync(struct tick_schedule *s, uint64_t now_ns)
{
    s->start_ns += lateness_ns(s, now_ns);
    s->resyncs++;
    begin_window(s, now_ns);
}

/* Whole periods between the next deadline and now. */
static uint64_t
periods_behind(const struct tick_schedule *s, uint64_t now_ns)
{
    wide late = (wide)lateness_ns(s, now_ns) * s->rate.num;

    return (uint64_t)(late / ((wide)s->rate.den * SECOND_NS));
}

static void
drop_what_is_too_late(struct tick_schedule *s, uint64_t now_ns)
{
    uint64_t behind = periods_behind(s, now_ns);

    if (behind <= s->catch_up_max)
        return;
    s->dropped += behind;
    s->window_dropped += behind;
    s->dropped_ns = now_ns;
}

static void
count_dilation(struct tick_schedule *s, uint64_t now_ns)
{
    uint64_t all;

    s->window_run++;
    if (s->dilation_q8 < 256 && now_ns >= s->dropped_ns + SECOND_NS / 2) {
        s->dilation_q8 = 256;
        begin_window(s, now_ns);
        return;
    }
    if (now_ns < s->window_ns + SECOND_NS)
        return;
    all = s->window_run + s->window_dropped;
    s->dilation_q8 = (uint32_t)((256 * s->window_run + all / 2) / all);
    /* Whoever divides by it must not meet a zero. */
    if (s->dilation_q8 == 0)
        s->dilation_q8 = 1;
    begin_window(s, now_ns);
}

uint64_t
tick_begin(struct tick_schedule *s, uint64_t now_ns, uint64_t slept_ns)
{
    uint64_t late_ns;

    if (was_suspended(s, slept_ns))
        resync(s, now_ns);
    drop_what_is_too_late(s, now_ns);
    late_ns = lateness_ns(s, now_ns);
    s->next++;
    s->run++;
    s->late += late_ns > tick_period_ns(s->rate) / 10;
    count_dilation(s, now_ns);
    return late_ns;
}

void
tick_shift(struct tick_schedule *s, int64_t ns)
{
    s->start_ns += (uint64_t)ns;
}

void
tick_jump(struct tick_schedule *s, uint64_t tick, uint64_t deadline_ns)
{
    s->first += tick - s->next;
    s->next = tick;
    tick_shift(s, (int64_t)(deadline_ns - tick_next_ns(s)));
}
