/*
 * What hangs under an aircraft: how many missiles and bombs, which of them the
 * release button lets go, and what they weigh. It is own state, so a client
 * predicts it; what a store does once it is gone is the server's (arsenal.h).
 */
#ifndef SIM_STORES_H
#define SIM_STORES_H

#include "aircraft.h"

enum store_kind {
    STORE_NONE = 0,
    STORE_MISSILE = 1,
    STORE_BOMB = 2
};

/* As many as the type carries, missiles selected where it has any. */
void stores_fill(const struct aircraft_world *w, struct aircraft *a);

/* Follows the buttons that have just been pressed. */
void stores_press(struct aircraft *a, uint32_t edges);

/* How much the type's full load is, and what is left of an aircraft's, kg. */
static inline double
stores_full_kg(const struct aircraft_file *file)
{
    return file->stores.missiles * file->missile.mass_kg +
           file->stores.bombs * file->bomb.mass_kg;
}
double stores_carried_kg(const struct aircraft_world *w,
                         const struct aircraft *a);

/* Whether counts and selection are possible. */
int stores_sound(const struct aircraft_world *w, const struct aircraft *a);

#endif
