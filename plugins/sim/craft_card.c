#include "craft_card.h"

#include "engine.h"
#include "units.h"
#include <math.h>
#include <string.h>

/* ---- working it out ---- */

/* A round step that gives about a dozen heights up to the ceiling. */
static double
height_step(double ceiling_m)
{
    static const double steps[] = {100, 200, 250, 500, 1000, 1500, 2000, 2500};
    size_t i;

    for (i = 0; i < sizeof(steps) / sizeof(steps[0]) - 1; i++)
        if (ceiling_m / steps[i] < CRAFT_ROWS_MAX - 2)
            break;
    return steps[i];
}

static void
fill_row(struct craft_row *row, const struct craft *c, double height_m)
{
    int i;

    row->height_m = height_m;
    row->stall_mps = craft_stall_mps(c, height_m);
    row->sound_mps = craft_sound_speed(c, height_m);
    for (i = 0; i < CRAFT_RATINGS; i++)
        craft_band(c, height_m, i, &row->bands[i]);
}

static void
fill_turns(struct craft_layer *layer, const struct craft *c)
{
    double slow = craft_stall_mps(c, layer->height_m);
    double cap = craft_speed_cap(c, layer->height_m);
    int i, k;

    for (i = 0; i < CRAFT_SPEEDS_MAX && slow > 0 && slow < cap; i++) {
        struct craft_turn *turn = &layer->turns[layer->turn_count++];

        craft_turn_at(c, layer->height_m,
                      slow + (cap - slow) * i / (CRAFT_SPEEDS_MAX - 1), turn);
        for (k = 0; k < CRAFT_RATINGS; k++)
            if (turn->sustained_dps[k] > layer->best_turn_dps[k]) {
                layer->best_turn_dps[k] = turn->sustained_dps[k];
                layer->best_turn_mps[k] = turn->speed_mps;
            }
    }
}

static void
fill_trims(struct craft_layer *layer, const struct craft *c,
           const struct craft_band *band)
{
    double speed, power;
    struct airframe_state s;
    int i;

    for (i = 0; i < CRAFT_SPEEDS_MAX && band->fast_mps > 0; i++) {
        struct craft_trim_row *row = &layer->trims[layer->trim_count];

        speed = band->slow_mps +
                (band->fast_mps - band->slow_mps) * i / (CRAFT_SPEEDS_MAX - 1);
        if (craft_enter(c, layer->height_m, speed, &s, &power) < 0)
            continue;
        row->speed_mps = speed;
        row->alpha_deg = 2 * atan2(s.attitude[2], s.attitude[0]) * DEG_PER_RAD;
        row->elevator_deg = s.elevator_deg;
        row->throttle = engine_throttle(power);
        layer->trim_count++;
    }
}

static void
fill_modes(struct craft_layer *layer, const struct craft *c,
           const struct craft_band *band)
{
    static const double shares[3] = {0.2, 0.5, 0.9};
    struct airframe_state s;
    double power;
    int i;

    for (i = 0; i < 3 && band->fast_mps > 0; i++) {
        struct craft_mode_row *row = &layer->modes[layer->mode_count];

        row->speed_mps =
            band->slow_mps + (band->fast_mps - band->slow_mps) * shares[i];
        if (craft_enter(c, layer->height_m, row->speed_mps, &s, &power) == 0 &&
            craft_modes(c, &s, &row->modes) == 0)
            layer->mode_count++;
    }
}

static void
fill_layer(struct craft_layer *layer, const struct craft *c, double height_m)
{
    struct craft_band band;

    layer->height_m = height_m;
    craft_band(c, height_m, CRAFT_FULL, &band);
    fill_turns(layer, c);
    fill_trims(layer, c, &band);
    fill_modes(layer, c, &band);
    layer->roll_dps = craft_best_roll(c, height_m, &layer->roll_mps);
}

void
craft_card_fill(struct craft_card *card, const struct craft *c)
{
    const struct aircraft_file *f = c->type->file;
    double step, height;
    int i;

    memset(card, 0, sizeof(*card));
    card->name = f->name;
    card->title = f->title;
    card->mass_kg = c->mass_kg;
    card->fuel_kg = c->fuel_kg;
    card->height_cap_m = craft_height_cap(c);
    if (f->control.law == AIRCRAFT_LAW_NONE || f->engine.heading.line == 0)
        return;
    card->ratings =
        craft_power(c, CRAFT_FULL) > craft_power(c, CRAFT_MILITARY) ? 2 : 1;
    for (i = 0; i < CRAFT_RATINGS; i++)
        card->ceiling_m[i] = craft_ceiling_m(c, i);
    card->flies = card->ceiling_m[CRAFT_FULL] > 0;
    if (!card->flies)
        return;
    step = height_step(card->ceiling_m[CRAFT_FULL]);
    for (height = 0; height < card->ceiling_m[CRAFT_FULL] &&
                     card->row_count < CRAFT_ROWS_MAX - 1;
         height += step)
        fill_row(&card->rows[card->row_count++], c, height);
    fill_row(&card->rows[card->row_count++], c, card->ceiling_m[CRAFT_FULL]);
    fill_layer(&card->layers[0], c, 0);
    fill_layer(&card->layers[1], c,
               step * floor(card->ceiling_m[CRAFT_FULL] / step * 0.4));
}
