/*
 * The report card as pictures, in SVG 1.1: flight envelope, turn rates, trim
 * curves. Lines differ by colour, dash and a label beside each, for print and
 * for every eye.
 */
#ifndef SIM_CRAFT_SVG_H
#define SIM_CRAFT_SVG_H

#include "craft_card.h"

void craft_svg(const struct craft_card *card, double g_max, FILE *to);

#endif
