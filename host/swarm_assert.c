/* What --assert-* demand of a swarm's figures. */
#include "json_scan.h"
#include "swarm.h"
#include <math.h>

static int
judge_tick_hz(double least, const struct swarm_result *r, FILE *to)
{
    if (isnan(least) || (r->tick_hz.n > 0 && r->tick_hz.min >= least))
        return 0;
    fprintf(to,
            "assertion failed: a client saw %.2f ticks a second, at least %.2f "
            "were asserted\n",
            r->tick_hz.min, least);
    return 1;
}

static int
judge_payload(double most, const struct swarm_result *r, FILE *to)
{
    if (isnan(most) ||
        (r->payload_bytes_s.n > 0 && r->payload_bytes_s.max <= most))
        return 0;
    fprintf(to,
            "assertion failed: a client was sent %.0f bytes a second, at most "
            "%.0f were asserted\n",
            r->payload_bytes_s.max, most);
    return 1;
}

static int
judge_tick_ms(double most, const char *server_metrics, FILE *to)
{
    double p99 = NAN;

    if (isnan(most))
        return 0;
    if (server_metrics != NULL)
        json_scan(server_metrics, "tick_ms.p99", &p99);
    if (p99 <= most) /* NaN is not */
        return 0;
    if (isnan(p99))
        fprintf(to, "assertion failed: the server's metrics have no "
                    "tick_ms.p99: see [metrics] json\n");
    else
        fprintf(to,
                "assertion failed: the server's tick took %.2f ms (p99), at "
                "most %.2f were asserted\n",
                p99, most);
    return 1;
}

static int
judge_rate(double rate_hz, const struct swarm_result *r, FILE *to)
{
    if (isnan(rate_hz) || fabs(rate_hz - r->rate_hz) < 1e-3)
        return 0;
    fprintf(to,
            "assertion failed: the server ticks at %.3f Hz, --rate says %.3f\n",
            r->rate_hz, rate_hz);
    return 1;
}

static int
judge_refused(const struct swarm_result *r, FILE *to)
{
    const char *why = r->refused > 0 ? r->refused_why : r->unanswered_why;

    if (r->refused + r->unanswered + r->dropped == 0)
        return 0;
    fprintf(to,
            "assertion failed: of %u clients %u were refused, %u unanswered "
            "and %u dropped%s%s\n",
            r->asked, r->refused, r->unanswered, r->dropped,
            why[0] != '\0' ? ": " : "", why);
    return 1;
}

int
swarm_judge(const struct swarm_asserts *asserts, const struct swarm_result *r,
            const char *server_metrics, FILE *to)
{
    int failed = judge_tick_hz(asserts->min_tick_hz, r, to);

    failed += judge_payload(asserts->max_payload_bytes_s, r, to);
    failed += judge_tick_ms(asserts->max_tick_ms, server_metrics, to);
    failed += judge_rate(asserts->rate_hz, r, to);
    if (asserts->no_refused)
        failed += judge_refused(r, to);
    return failed;
}
