/*
 * Tones for shakers: a sine in each channel whose level and frequency are led,
 * never switched, to where they should be, so that nothing clicks. Pure: no
 * clock, no device.
 */
#ifndef SYNTH_H
#define SYNTH_H

#include <stddef.h>
#include <stdint.h>

#define SYNTH_CHANNELS_MAX 8
#define SYNTH_RAMP_MS      5 /* from nothing to all; the same down */

/* What a channel should do. */
struct synth_target {
    float level;        /* 0..1 */
    float hz;           /* of the tone */
    uint64_t end_frame; /* silent from this frame of the call on */
};

struct synth {
    uint32_t rate_hz;
    uint32_t channels;
    struct {
        double phase; /* turns, 0..1 */
        double level; /* now */
        double hz;    /* now */
    } states[SYNTH_CHANNELS_MAX];
};

/* All silent. `channels` is at most SYNTH_CHANNELS_MAX. */
void synth_init(struct synth *s, uint32_t rate_hz, uint32_t channels);
/* The next `frames` of all channels, interleaved; `targets` has one for each
 * channel. A channel is at zero when its end frame comes, so it begins to go
 * down SYNTH_RAMP_MS before. */
void synth_fill(struct synth *s, const struct synth_target *targets,
                int16_t *out, size_t frames);
/* Whether any channel still has a level. */
int synth_is_sounding(const struct synth *s);

#endif
