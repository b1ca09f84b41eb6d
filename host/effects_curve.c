/* Which curve an actuator gets. */
#include "effects.h"

/* A force nobody may be holding against: half, and not at once. */
#define AXIS_CEILING 0.5f
#define AXIS_SLEW_MS 60

static void
overlay(struct effect_curve *out, const struct effect_curve *c)
{
    if (c->given & 1u << CURVE_MIN)
        out->min = c->min;
    if (c->given & 1u << CURVE_FULL)
        out->full = c->full;
    if (c->given & 1u << CURVE_GAMMA)
        out->gamma = c->gamma;
    if (c->given & 1u << CURVE_GAIN)
        out->gain = c->gain;
    if (c->given & 1u << CURVE_CEILING)
        out->ceiling = c->ceiling;
    if (c->given & 1u << CURVE_KICK)
        out->kick = c->kick;
    if (c->given & 1u << CURVE_KICK_MS)
        out->kick_ms = c->kick_ms;
    if (c->given & 1u << CURVE_PULSE_MIN_MS)
        out->pulse_min_ms = c->pulse_min_ms;
    if (c->given & 1u << CURVE_GAP_MIN_MS)
        out->gap_min_ms = c->gap_min_ms;
    if (c->given & 1u << CURVE_SLEW_MS)
        out->slew_ms = c->slew_ms;
}

static int
is_axis(uint32_t kind)
{
    return kind == HP_ACTUATOR_AXIS_X || kind == HP_ACTUATOR_AXIS_Y;
}

void
effects_curve(const struct effects *e, const struct hp_actuator *a,
              uint16_t vendor, uint16_t product, struct effect_curve *out)
{
    const struct effect_curve *c;
    int of_device;

    *out = (struct effect_curve){
        .kind = a->kind,
        .vendor = vendor,
        .product = product,
        .min = a->minimum >= 0 && a->minimum <= 1 ? a->minimum : 0,
        .full = 1,
        .gamma = 1,
        .gain = 1,
        .ceiling = is_axis(a->kind) ? AXIS_CEILING : 1,
        .pulse_min_ms = a->pulse_min_ms,
        .gap_min_ms = a->gap_min_ms,
        .slew_ms = is_axis(a->kind) ? AXIS_SLEW_MS : 0,
    };
    for (of_device = 0; of_device < 2; of_device++)
        for (c = e->curves; c < e->curves + e->curve_count; c++)
            if (of_device ? c->kind == 0 && c->vendor == vendor &&
                                c->product == product
                          : c->kind == a->kind)
                overlay(out, c);
}
