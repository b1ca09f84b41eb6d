/* The effects that are shipped. */
#include "effects.h"
#include "tap.h"
#include <stdlib.h>

/* A complaint goes to the test's output, as a line that says where. */
static struct effects *
load(void)
{
    const char *source = getenv("HP_SRC");
    struct effects *shipped = NULL;
    char path[512];

    snprintf(path, sizeof(path), "%s/conf/effects.ini",
             source == NULL ? "." : source);
    ok_int(effects_load(&shipped, path, stdout), 0);
    return shipped;
}

static void
it_loads_and_holds_the_sixteen_effects(void)
{
    struct effects *shipped = load();
    static const char *const names[] = {"gun_burst",
                                        "missile_launch",
                                        "missile_warning",
                                        "gear_touchdown",
                                        "hit_taken",
                                        "stall_buffet",
                                        "afterburner",
                                        "engine_failure",
                                        "g_loc",
                                        "compressor_stall",
                                        "gpws",
                                        "carrier_trap",
                                        "transonic_buffet",
                                        "hydraulic_failure",
                                        "bomb_release",
                                        "gear_command"};
    size_t i;

    if (!ok(shipped != NULL))
        return;
    ok_int(shipped->count, 16);
    for (i = 0; i < 16; i++)
        ok(effects_find(shipped, names[i]) != NULL);
    effects_destroy(shipped);
}

/* The cues start the gun's effect each 100 ms. */
static void
the_gun_beats_without_a_gap(void)
{
    struct effects *shipped = load();
    const struct effect *gun;

    if (!ok(shipped != NULL))
        return;
    gun = effects_find(shipped, "gun_burst");
    ok_int(gun->attack_ms + gun->hold_ms + gun->decay_ms, 100);
    ok(gun->again_after_ms < 100);
    effects_destroy(shipped);
}

TAP_MAIN(FACT(it_loads_and_holds_the_sixteen_effects),
         FACT(the_gun_beats_without_a_gap))
