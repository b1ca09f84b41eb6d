/*
 * Values below 64 have a bucket each. Above, a power of two 2^e has 64 buckets
 * of 2^(e-6) each: e = 6 begins at bucket 64, e = 63 ends at bucket 59 * 64.
 */
#include "hist.h"
#include <math.h>

#define STEP_BITS 6
#define STEPS     (1u << STEP_BITS)

_Static_assert(HIST_BUCKETS == (64 - STEP_BITS + 1) * STEPS,
               "every 64-bit value has its bucket");

static unsigned
bucket_of(uint64_t value)
{
    unsigned shift;

    if (value < STEPS)
        return (unsigned)value;
    shift = 63 - STEP_BITS - (unsigned)__builtin_clzll(value);
    return (shift + 1) * STEPS + ((unsigned)(value >> shift) & (STEPS - 1));
}

static uint64_t
bucket_middle(unsigned bucket)
{
    unsigned shift;
    uint64_t low;

    if (bucket < 2 * STEPS)
        return bucket;
    shift = bucket / STEPS - 1;
    low = (uint64_t)(STEPS + bucket % STEPS) << shift;
    return low + ((uint64_t)1 << shift) / 2;
}

static uint64_t
load(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static void
store(_Atomic uint64_t *counter, uint64_t value)
{
    atomic_store_explicit(counter, value, memory_order_relaxed);
}

static uint64_t
load_bucket(const struct hist *h, unsigned bucket)
{
    return atomic_load_explicit(&h->buckets[bucket], memory_order_relaxed);
}

static uint64_t
sum_or_most(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* One thread records, so a load and a store do: no locked instruction. */
static void
add_to_bucket(struct hist *h, unsigned bucket, uint64_t count)
{
    uint64_t sum = sum_or_most(load_bucket(h, bucket), count);

    atomic_store_explicit(&h->buckets[bucket],
                          sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX,
                          memory_order_relaxed);
}

static void
widen(struct hist *h, uint64_t minimum, uint64_t maximum)
{
    if (minimum < load(&h->minimum))
        store(&h->minimum, minimum);
    if (maximum > load(&h->maximum))
        store(&h->maximum, maximum);
}

void
hist_init(struct hist *h)
{
    unsigned i;

    atomic_init(&h->count, 0);
    atomic_init(&h->sum, 0);
    atomic_init(&h->minimum, UINT64_MAX);
    atomic_init(&h->maximum, 0);
    for (i = 0; i < HIST_BUCKETS; i++)
        atomic_init(&h->buckets[i], 0);
}

void
hist_record(struct hist *h, uint64_t value)
{
    hist_record_many(h, value, 1);
}

void
hist_record_many(struct hist *h, uint64_t value, uint64_t count)
{
    uint64_t product;

    if (count == 0)
        return;
    if (__builtin_mul_overflow(value, count, &product))
        product = UINT64_MAX;
    widen(h, value, value);
    add_to_bucket(h, bucket_of(value), count);
    store(&h->sum, sum_or_most(load(&h->sum), product));
    store(&h->count, sum_or_most(load(&h->count), count));
}

void
hist_add(struct hist *h, const struct hist *other)
{
    unsigned i;

    widen(h, load(&other->minimum), load(&other->maximum));
    for (i = 0; i < HIST_BUCKETS; i++)
        if (load_bucket(other, i) > 0)
            add_to_bucket(h, i, load_bucket(other, i));
    store(&h->sum, sum_or_most(load(&h->sum), load(&other->sum)));
    store(&h->count, sum_or_most(load(&h->count), load(&other->count)));
}

void
hist_since(struct hist *out, const struct hist *h, const struct hist *before)
{
    uint64_t count, all = 0, low, high;
    unsigned i;

    hist_init(out);
    for (i = 0; i < HIST_BUCKETS; i++) {
        count = load_bucket(h, i) - load_bucket(before, i);
        if (count == 0)
            continue;
        low = high = bucket_middle(i);
        if (bucket_of(load(&h->minimum)) == i)
            low = load(&h->minimum);
        if (bucket_of(load(&h->maximum)) == i)
            high = load(&h->maximum);
        widen(out, low, high);
        add_to_bucket(out, i, count);
        all += count;
    }
    store(&out->count, all);
    store(&out->sum, load(&h->sum) - load(&before->sum));
}

uint64_t
hist_count(const struct hist *h)
{
    return load(&h->count);
}

double
hist_mean(const struct hist *h)
{
    uint64_t count = load(&h->count);

    return count == 0 ? 0 : (double)load(&h->sum) / (double)count;
}

static uint64_t
within(uint64_t value, uint64_t minimum, uint64_t maximum)
{
    if (value < minimum)
        return minimum;
    return value > maximum ? maximum : value;
}

/* The bucket that holds the value of the given rank, counted from 1. */
static unsigned
bucket_of_rank(const struct hist *h, double rank)
{
    unsigned i, last = 0;
    uint64_t seen = 0;

    for (i = 0; i < HIST_BUCKETS; i++) {
        uint64_t here = load_bucket(h, i);

        if (here == 0)
            continue;
        last = i;
        seen += here;
        if ((double)seen >= rank)
            break;
    }
    return last;
}

uint64_t
hist_quantile(const struct hist *h, double share)
{
    uint64_t minimum = load(&h->minimum), maximum = load(&h->maximum);
    uint64_t total = 0;
    double rank;
    unsigned i;

    for (i = 0; i < HIST_BUCKETS; i++)
        total += load_bucket(h, i);
    if (total == 0)
        return 0;
    if (!(share > 0))
        return minimum;
    if (share >= 1)
        return maximum;
    /* 0.07 * 100 is a hair over 7, and would ask for the eighth. */
    rank = ceil(share * (double)total * (1 - 1e-12));
    return within(bucket_middle(bucket_of_rank(h, rank)), minimum, maximum);
}

void
hist_summarise(const struct hist *h, double scale, struct hist_summary *out)
{
    out->n = hist_count(h);
    out->min = (double)hist_quantile(h, 0) * scale;
    out->mean = hist_mean(h) * scale;
    out->p50 = (double)hist_quantile(h, 0.5) * scale;
    out->p95 = (double)hist_quantile(h, 0.95) * scale;
    out->p99 = (double)hist_quantile(h, 0.99) * scale;
    out->p999 = (double)hist_quantile(h, 0.999) * scale;
    out->max = (double)hist_quantile(h, 1) * scale;
}
