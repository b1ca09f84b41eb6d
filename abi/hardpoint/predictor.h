/* SPDX-License-Identifier: 0BSD */
/*
 * hardpoint/predictor.h - the client's own aircraft, ahead of the server. The
 * predictor keeps the inputs that the server has not used yet and replays them
 * through the model on the newest truth.
 */
#ifndef HARDPOINT_PREDICTOR_H
#define HARDPOINT_PREDICTOR_H

#include <hardpoint/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The sim's second instance, as predictor and cues see it. */
struct hp_model {
    uint32_t size;
    uint32_t own_bytes;
    const struct hp_schema *schema;
    const struct hp_instance *self;

    /* [any] As model_step and own_view of hardpoint/sim.h. */
    void (*step)(const struct hp_instance *self, void *own,
                 const struct hp_input *input, const struct hp_tick *tick);
    void (*own_view)(const struct hp_instance *self, const void *own,
                     void *record);

    /* [any] The check word of an own state, as snapshots carry it. */
    uint32_t (*own_digest)(const void *own, uint32_t bytes);
    const void *unused; /* NULL */
};

enum hp_truth_flag {
    HP_TRUTH_OWN = 1 << 0, /* `own` is the exact state at `own_tick` */
    HP_TRUTH_CHECK =
        1 << 1 /* `own_check` is valid: the client owns something */
};

/*
 * What the server says in one snapshot about this client. Inputs up to
 * `tick` have been used; `used_mask` says how: bit i is the input of tick
 * `tick - i`, set when the client's own sample was there in time. Where it is
 * clear the server repeated the axes and moved the edges to the next tick.
 */
struct hp_truth {
    uint32_t size;
    uint32_t flags;            /* HP_TRUTH_* */
    uint64_t tick;             /* the snapshot's */
    uint64_t own_tick;         /* of `own` */
    uint32_t used_mask;        /* bit 0: the input of `tick` itself */
    uint32_t own_check;        /* own_digest of the state at `tick` */
    uint32_t peer_delay_ticks; /* lossless; bounds the replay */
    uint32_t reserved;
    const void *own; /* own_bytes, borrowed; NULL without HP_TRUTH_OWN */
    const void *unused;
};

/* How far the prediction was wrong, since start. */
struct hp_prediction {
    uint32_t size;
    uint32_t reserved;
    uint64_t checked;      /* snapshots compared */
    uint64_t wrong;        /* of them, digests that differed */
    uint64_t replayed;     /* ticks stepped again */
    double last_error_m;   /* newest correction */
    double worst_error_m;  /* largest one */
    double last_error_rad; /* newest correction in attitude */
};

struct hp_predictor_ops {
    uint32_t size;
    uint32_t reserved;

    /* [tick] The input of `tick`, as it was sent: steps the state at once. */
    void (*input)(struct hp_instance *self, const struct hp_tick *tick,
                  const struct hp_input *input);

    /* [tick] The server's word. Returns 1 to ask for the exact own state
     * (sent once, and again while 1 is returned), 0 when all is well. */
    int (*snapshot)(struct hp_instance *self, const struct hp_truth *truth,
                    const struct hp_view *view);

    /* [tick] The own record to show at `time_ns` (monotonic), record_bytes
     * long: predicted, with past corrections bled off. -ENOENT: the client
     * owns nothing, or nothing is known of it yet. */
    int (*present)(struct hp_instance *self, uint64_t time_ns, void *record);

    /* [tick] The own record as predicted for the newest input, exact, nothing
     * bled off; cues read it. -ENOENT as above. */
    int (*own)(struct hp_instance *self, void *record);

    /* [any] Counters so far. */
    void (*measure)(struct hp_instance *self, struct hp_prediction *out);
};

#ifdef __cplusplus
}
#endif

#endif
