#include "tidings.h"

#include "stores.h"
#include <motion/math.h>
#include <string.h>

static uint32_t
entity_id(const struct aircraft *a)
{
    return HP_ENTITY_ID(a->slot, a->generation);
}

/* The next event, or NULL when one tick had more than there is room for. */
static struct hp_event *
event_new(struct tidings *t, uint32_t type, const struct aircraft *who,
          uint32_t audience)
{
    struct hp_event *e;

    if (t->count == t->capacity)
        return NULL;
    e = &t->events[t->count++];
    memset(e, 0, sizeof(*e));
    e->tick = t->tick;
    e->cause_tick = t->tick;
    e->type = type;
    e->who = entity_id(who);
    e->whom = HP_ENTITY_NONE;
    e->audience = audience;
    return e;
}

static void
tell(struct tidings *t, uint32_t type, const struct aircraft *who,
     double strength)
{
    struct hp_event *e = event_new(t, type, who, HP_AUDIENCE_NEAR);

    if (e != NULL)
        e->strength = (float)strength;
}

void
tidings_of_step(struct tidings *t, const struct aircraft *a)
{
    uint32_t did = a->happened;

    if (did == 0)
        return;
    if (did & AIRCRAFT_DID_RESPAWN)
        tell(t, HP_EVENT_RESPAWN, a, 1);
    if (did & AIRCRAFT_DID_GEAR)
        tell(t, HP_EVENT_GEAR, a, a->flags & AIRCRAFT_GEAR_DOWN ? 1 : 0);
    if (did & AIRCRAFT_DID_AFTERBURNER)
        tell(t, HP_EVENT_AFTERBURNER, a, 1);
    if (did & AIRCRAFT_DID_BURST)
        tell(t, HP_EVENT_GUN, a, 1);
    if (did & AIRCRAFT_DID_TOUCH)
        tell(t, HP_EVENT_TOUCHDOWN, a, a->ground_hit_mps);
    if (did & AIRCRAFT_DID_SURGE)
        tell(t, HP_EVENT_SURGE, a, 1);
    if (did & AIRCRAFT_DID_TRAP)
        tell(t, HP_EVENT_TRAP, a, a->trap_mps);
    if (did & AIRCRAFT_DID_CRASH)
        tell(t, HP_EVENT_CRASH, a, a->ground_hit_mps);
}

static void
tell_at(struct tidings *t, uint32_t type, const struct aircraft *who,
        const struct aircraft *whom, uint32_t audience)
{
    struct hp_event *e = event_new(t, type, who, audience);

    if (e == NULL)
        return;
    e->strength = 1;
    if (whom != NULL)
        e->whom = entity_id(whom);
}

void
tidings_of_launches(struct tidings *t, const struct arsenal *arsenal,
                    const struct aircraft *aircraft)
{
    const struct arsenal_launch *launches;
    const struct aircraft *who, *whom;
    uint32_t i, count, type;

    launches = arsenal_launches(arsenal, &count);
    for (i = 0; i < count; i++) {
        who = &aircraft[launches[i].shooter];
        whom = launches[i].target == HP_INDEX_NONE
                   ? NULL
                   : &aircraft[launches[i].target];
        type = launches[i].kind == STORE_MISSILE ? HP_EVENT_LAUNCH
                                                 : HP_EVENT_RELEASE;
        tell_at(t, type, who, whom, HP_AUDIENCE_NEAR);
        if (whom != NULL)
            tell_at(t, HP_EVENT_THREAT, who, whom, HP_AUDIENCE_OWNER);
    }
}

void
tidings_of_hit(struct tidings *t, const struct gun_hit *hit,
               const struct aircraft *shooter, const struct aircraft *target,
               int killed)
{
    struct hp_event *e = event_new(t, HP_EVENT_HIT, shooter, HP_AUDIENCE_NEAR);
    int i;

    if (e != NULL) {
        e->whom = entity_id(target);
        /* What does a fifth of an aircraft's worth is the hardest. */
        e->strength = (float)motion_clamp(hit->damage * 5, 0, 1);
        for (i = 0; i < 3; i++)
            e->direction[i] = (float)hit->direction[i];
    }
    if (killed)
        tell_at(t, HP_EVENT_KILL, shooter, target, HP_AUDIENCE_ALL);
}
