/*
 * A log-linear histogram of unsigned values: fixed memory, under 1 % error
 * (64 steps to each power of two, told by their middle), exact below 128 and at
 * both ends. One thread records, any may read meanwhile: counters are relaxed
 * atomics, so a reader sees each value or not yet. Counters stick at their
 * highest value rather than wrap.
 */
#ifndef HIST_H
#define HIST_H

#include <stdatomic.h>
#include <stdint.h>

#define HIST_BUCKETS (59 * 64)

struct hist {
    _Atomic uint64_t count;
    _Atomic uint64_t sum;
    _Atomic uint64_t minimum; /* of none: UINT64_MAX */
    _Atomic uint64_t maximum;
    _Atomic uint32_t buckets[HIST_BUCKETS];
};

/* No thread reads meanwhile. */
void hist_init(struct hist *h);
/* [tick] [rt] The recording thread. */
void hist_record(struct hist *h, uint64_t value);
/* As `count` records of `value`: the ticks that were dropped. */
void hist_record_many(struct hist *h, uint64_t value, uint64_t count);
/* Records in `h` what stands in `other`. */
void hist_add(struct hist *h, const struct hist *other);
/* What `h` has recorded since it was as `before`, a copy by hist_add: warm-up
 * taken off. Minimum and maximum are then exact to the bucket. */
void hist_since(struct hist *out, const struct hist *h,
                const struct hist *before);
uint64_t hist_count(const struct hist *h);
/* 0 when empty. */
double hist_mean(const struct hist *h);
/* The smallest recorded value that `share` (0..1) of all do not exceed, to the
 * bucket; 0 when empty. */
uint64_t hist_quantile(const struct hist *h, double share);

/* The distribution as every report gives it, each value times `scale`. */
struct hist_summary {
    uint64_t n;
    double min, mean, p50, p95, p99, p999, max;
};
void hist_summarise(const struct hist *h, double scale,
                    struct hist_summary *out);

#endif
