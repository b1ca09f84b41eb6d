#include "synth.h"
#include <math.h>
#include <string.h>

#define FULL_SCALE 32767.0
#define GLIDE_MS   20 /* a frequency is 63 % there in this time */
#define TWO_PI     6.283185307179586

void
synth_init(struct synth *s, uint32_t rate_hz, uint32_t channels)
{
    memset(s, 0, sizeof(*s));
    s->rate_hz = rate_hz;
    s->channels = channels;
}

static double
stepped(double now, double wanted, double step)
{
    if (wanted > now + step)
        return now + step;
    if (wanted < now - step)
        return now - step;
    return wanted;
}

static void
fill_channel(struct synth *s, uint32_t channel, const struct synth_target *t,
             int16_t *out, size_t frames)
{
    uint64_t ramp = (uint64_t)s->rate_hz * SYNTH_RAMP_MS / 1000;
    double step = 1.0 / (double)ramp;
    double glide = 1000.0 / ((double)GLIDE_MS * s->rate_hz);
    double phase = s->states[channel].phase, level = s->states[channel].level;
    double hz = level > 0 ? s->states[channel].hz : (double)t->hz;
    size_t i;

    if (!(level > 0))
        phase = 0; /* every tone begins alike */
    for (i = 0; i < frames; i++, out += s->channels) {
        level = stepped(level, i + ramp < t->end_frame ? (double)t->level : 0,
                        step);
        hz += ((double)t->hz - hz) * glide;
        *out = (int16_t)lrint(level * FULL_SCALE * sin(TWO_PI * phase));
        phase += hz / s->rate_hz;
        phase -= floor(phase);
    }
    s->states[channel].phase = phase;
    s->states[channel].level = level;
    s->states[channel].hz = hz;
}

void
synth_fill(struct synth *s, const struct synth_target *targets, int16_t *out,
           size_t frames)
{
    uint32_t c;

    for (c = 0; c < s->channels; c++)
        fill_channel(s, c, &targets[c], out + c, frames);
}

int
synth_is_sounding(const struct synth *s)
{
    uint32_t c;

    for (c = 0; c < s->channels; c++)
        if (s->states[c].level > 0)
            return 1;
    return 0;
}
