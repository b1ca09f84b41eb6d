#include "stores.h"

static const struct aircraft_file *
file_of(const struct aircraft_world *w, const struct aircraft *a)
{
    return aircraft_model_of(w, a)->frame.type->file;
}

/* What is selected when `kind` is asked for: the other one where it is gone. */
static uint8_t
store_at_hand(const struct aircraft *a, int kind)
{
    if (kind == STORE_BOMB && a->bombs > 0)
        return STORE_BOMB;
    if (a->missiles > 0)
        return STORE_MISSILE;
    return a->bombs > 0 ? STORE_BOMB : STORE_NONE;
}

void
stores_fill(const struct aircraft_world *w, struct aircraft *a)
{
    const struct aircraft_stores *s = &file_of(w, a)->stores;

    a->missiles = (uint8_t)s->missiles;
    a->bombs = (uint8_t)s->bombs;
    a->store = store_at_hand(a, STORE_MISSILE);
}

/* One leaves; the next of its kind, or the other kind, is selected. */
static void
release(struct aircraft *a)
{
    if (a->store == STORE_NONE)
        return;
    if (a->store == STORE_MISSILE) {
        a->missiles--;
        a->happened |= AIRCRAFT_DID_LAUNCH;
    } else {
        a->bombs--;
        a->happened |= AIRCRAFT_DID_RELEASE;
    }
    a->stores_released++;
    a->store = store_at_hand(a, a->store);
}

void
stores_press(struct aircraft *a, uint32_t edges)
{
    if (edges & HP_BUTTON_SELECT)
        a->store = store_at_hand(a, a->store == STORE_MISSILE ? STORE_BOMB
                                                              : STORE_MISSILE);
    if (edges & HP_BUTTON_RELEASE)
        release(a);
}

double
stores_carried_kg(const struct aircraft_world *w, const struct aircraft *a)
{
    const struct aircraft_file *file = file_of(w, a);

    return a->missiles * file->missile.mass_kg + a->bombs * file->bomb.mass_kg;
}

int
stores_sound(const struct aircraft_world *w, const struct aircraft *a)
{
    const struct aircraft_stores *s = &file_of(w, a)->stores;

    return a->missiles <= s->missiles && a->bombs <= s->bombs &&
           (a->store == STORE_NONE ? a->missiles == 0 && a->bombs == 0
                                   : store_at_hand(a, a->store) == a->store);
}
