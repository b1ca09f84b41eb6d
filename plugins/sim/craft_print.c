/* The report card for people and for programs. */
#include "craft_card.h"

#include <math.h>

/* ---- as text ---- */

static const char *const rating_names[CRAFT_RATINGS] = {"military", "full"};

static void
text_rows(const struct craft_card *card, FILE *to)
{
    int first = card->ratings == 2 ? CRAFT_MILITARY : CRAFT_FULL, i, k;

    for (k = first; k < CRAFT_RATINGS; k++) {
        fprintf(to,
                "\nEnvelope, %s power; ceiling %.0f m%s\n"
                "  height m   stall m/s   level flight m/s    Mach    best "
                "climb m/s\n",
                rating_names[k], card->ceiling_m[k],
                card->ceiling_m[k] >= card->height_cap_m
                    ? " or more: the thrust tables end"
                    : "");
        for (i = 0; i < card->row_count; i++) {
            const struct craft_row *row = &card->rows[i];
            const struct craft_band *band = &row->bands[k];

            if (band->fast_mps == 0)
                continue;
            fprintf(to,
                    "  %8.0f   %9.1f   %6.1f to %6.1f%s   %5.2f   %6.1f at "
                    "%.0f m/s\n",
                    row->height_m, row->stall_mps, band->slow_mps,
                    band->fast_mps, band->capped ? "+" : " ",
                    band->fast_mps / row->sound_mps, band->climb_mps,
                    band->climb_at_mps);
        }
    }
    fputs("  +: the thrust would do more; the file's limits or tables end\n",
          to);
}

static void
text_turns(const struct craft_card *card, const struct craft_layer *layer,
           FILE *to)
{
    int i;

    fprintf(to,
            "\nTurns at %.0f m\n"
            "  speed m/s   most g   deg/s   sustained g   deg/s\n",
            layer->height_m);
    for (i = 0; i < layer->turn_count; i += 4) {
        const struct craft_turn *t = &layer->turns[i];

        fprintf(to, "  %9.1f   %6.2f   %5.1f   ", t->speed_mps, t->load_g,
                t->instant_dps);
        if (t->sustained_g[CRAFT_FULL] > 0)
            fprintf(to, "%11.2f   %5.1f\n", t->sustained_g[CRAFT_FULL],
                    t->sustained_dps[CRAFT_FULL]);
        else
            fputs("          -       -\n", to);
    }
    for (i = card->ratings == 2 ? CRAFT_MILITARY : CRAFT_FULL;
         i < CRAFT_RATINGS; i++)
        fprintf(to, "  best sustained, %s power: %.1f deg/s at %.0f m/s\n",
                rating_names[i], layer->best_turn_dps[i],
                layer->best_turn_mps[i]);
    fprintf(to, "  best roll: %.0f deg/s at %.0f m/s\n", layer->roll_dps,
            layer->roll_mps);
}

static void
text_trims(const struct craft_layer *layer, FILE *to)
{
    int i;

    fprintf(to,
            "\nLevel flight at %.0f m\n"
            "  speed m/s   alpha deg   elevator deg   throttle %%\n",
            layer->height_m);
    for (i = 0; i < layer->trim_count; i += 4)
        fprintf(to, "  %9.1f   %9.2f   %12.2f   %10.1f\n",
                layer->trims[i].speed_mps, layer->trims[i].alpha_deg,
                layer->trims[i].elevator_deg, layer->trims[i].throttle * 100);
}

static void
text_modes(const struct craft_layer *layer, FILE *to)
{
    int i, k;

    fprintf(to,
            "\nModes at %.0f m, surfaces held\n"
            "  speed m/s   mode               period s   damping   half s\n",
            layer->height_m);
    for (i = 0; i < layer->mode_count; i++)
        for (k = 0; k < layer->modes[i].modes.count; k++) {
            const struct craft_mode *m = &layer->modes[i].modes.modes[k];

            fprintf(to, "  %9.1f   %-17s  ", layer->modes[i].speed_mps,
                    m->name);
            if (m->imag > 0)
                fprintf(to, "%8.2f   %7.3f   ", craft_mode_period_s(m),
                        craft_mode_damping(m));
            else
                fputs("       -         -   ", to);
            fprintf(to, "%6.2f%s\n", craft_mode_half_s(m),
                    m->real > 0 ? " to double: unstable" : "");
        }
}

void
craft_card_text(const struct craft_card *card, FILE *to)
{
    int i;

    fprintf(to,
            "%s: %s\n%.0f kg with half its fuel (%.0f kg), gear up, calm air "
            "of the US standard\n",
            card->name, card->title[0] != '\0' ? card->title : card->name,
            card->mass_kg, card->fuel_kg);
    if (!card->flies) {
        fputs("It has no level flight under its own power.\n", to);
        return;
    }
    text_rows(card, to);
    for (i = 0; i < CRAFT_LAYERS; i++) {
        text_turns(card, &card->layers[i], to);
        text_trims(&card->layers[i], to);
        text_modes(&card->layers[i], to);
    }
}

/* ---- as JSON ---- */

/* A number, or null where JSON has none. */
static void
json_number(FILE *to, const char *before, const char *key, double value)
{
    if (isfinite(value))
        fprintf(to, "%s\"%s\": %.6g", before, key, value);
    else
        fprintf(to, "%s\"%s\": null", before, key);
}

/* Quotes and control bytes escaped; the rest is the file's own UTF-8. */
static void
json_text(FILE *to, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    fputc('"', to);
    for (; *c != '\0'; c++)
        if (*c == '"' || *c == '\\')
            fprintf(to, "\\%c", *c);
        else if (*c < ' ')
            fprintf(to, "\\u%04x", *c);
        else
            fputc(*c, to);
    fputc('"', to);
}

static void
json_rows(const struct craft_card *card, FILE *to)
{
    int i, k;

    fputs("  \"envelope\": [", to);
    for (i = 0; i < card->row_count; i++)
        for (k = card->ratings == 2 ? CRAFT_MILITARY : CRAFT_FULL;
             k < CRAFT_RATINGS; k++) {
            const struct craft_row *row = &card->rows[i];
            const struct craft_band *band = &row->bands[k];

            fprintf(to, "%s\n    {\"power\": \"%s\"",
                    i == 0 && k <= (card->ratings == 1) ? "" : ",",
                    rating_names[k]);
            json_number(to, ", ", "height_m", row->height_m);
            json_number(to, ", ", "stall_mps", row->stall_mps);
            json_number(to, ", ", "slow_mps", band->slow_mps);
            json_number(to, ", ", "fast_mps", band->fast_mps);
            json_number(to, ", ", "fast_mach", band->fast_mps / row->sound_mps);
            json_number(to, ", ", "climb_mps", band->climb_mps);
            json_number(to, ", ", "climb_at_mps", band->climb_at_mps);
            fprintf(to, ", \"capped\": %s}", band->capped ? "true" : "false");
        }
    fputs("\n  ],\n", to);
}

static void
json_modes(const struct craft_layer *layer, FILE *to)
{
    int i, k;

    fputs("      \"modes\": [", to);
    for (i = 0; i < layer->mode_count; i++)
        for (k = 0; k < layer->modes[i].modes.count; k++) {
            const struct craft_mode *m = &layer->modes[i].modes.modes[k];

            fprintf(to, "%s\n        {\"name\": \"%s\"",
                    i == 0 && k == 0 ? "" : ",", m->name);
            json_number(to, ", ", "speed_mps", layer->modes[i].speed_mps);
            json_number(to, ", ", "real_per_s", m->real);
            json_number(to, ", ", "imag_per_s", m->imag);
            fputs("}", to);
        }
    fputs("\n      ]\n", to);
}

static void
json_layer(const struct craft_layer *layer, FILE *to)
{
    int i;

    json_number(to, "    {\n      ", "height_m", layer->height_m);
    json_number(to, ",\n      ", "roll_dps", layer->roll_dps);
    json_number(to, ",\n      ", "roll_mps", layer->roll_mps);
    json_number(to, ",\n      ", "best_turn_military_dps",
                layer->best_turn_dps[CRAFT_MILITARY]);
    json_number(to, ",\n      ", "best_turn_full_dps",
                layer->best_turn_dps[CRAFT_FULL]);
    fputs(",\n      \"turns\": [", to);
    for (i = 0; i < layer->turn_count; i++) {
        const struct craft_turn *t = &layer->turns[i];

        json_number(to, i == 0 ? "\n        {" : ",\n        {", "speed_mps",
                    t->speed_mps);
        json_number(to, ", ", "load_g", t->load_g);
        json_number(to, ", ", "instant_dps", t->instant_dps);
        json_number(to, ", ", "sustained_military_dps",
                    t->sustained_dps[CRAFT_MILITARY]);
        json_number(to, ", ", "sustained_full_dps",
                    t->sustained_dps[CRAFT_FULL]);
        fputs("}", to);
    }
    fputs("\n      ],\n      \"trims\": [", to);
    for (i = 0; i < layer->trim_count; i++) {
        const struct craft_trim_row *t = &layer->trims[i];

        json_number(to, i == 0 ? "\n        {" : ",\n        {", "speed_mps",
                    t->speed_mps);
        json_number(to, ", ", "alpha_deg", t->alpha_deg);
        json_number(to, ", ", "elevator_deg", t->elevator_deg);
        json_number(to, ", ", "throttle", t->throttle);
        fputs("}", to);
    }
    fputs("\n      ],\n", to);
    json_modes(layer, to);
    fputs("    }", to);
}

void
craft_card_json(const struct craft_card *card, FILE *to)
{
    int i;

    fputs("{\n  \"schema\": 1,\n  \"kind\": \"hardpoint-aircraft\",\n"
          "  \"name\": ",
          to);
    json_text(to, card->name);
    fputs(",\n  \"title\": ", to);
    json_text(to, card->title);
    json_number(to, ",\n  ", "mass_kg", card->mass_kg);
    json_number(to, ",\n  ", "fuel_kg", card->fuel_kg);
    fprintf(to, ",\n  \"flies\": %s", card->flies ? "true" : "false");
    if (!card->flies) {
        fputs("\n}\n", to);
        return;
    }
    json_number(to, ",\n  ", "ceiling_military_m",
                card->ceiling_m[CRAFT_MILITARY]);
    json_number(to, ",\n  ", "ceiling_full_m", card->ceiling_m[CRAFT_FULL]);
    fputs(",\n", to);
    json_rows(card, to);
    fputs("  \"layers\": [\n", to);
    for (i = 0; i < CRAFT_LAYERS; i++) {
        json_layer(&card->layers[i], to);
        fputs(i < CRAFT_LAYERS - 1 ? ",\n" : "\n", to);
    }
    fputs("  ]\n}\n", to);
}
