/* The effects that are shipped. */
#include "effects.h"
#include "tap.h"
#include <stdlib.h>

static struct effects *shipped;

static void
the_shipped_file_loads_without_a_complaint(void)
{
    const char *source = getenv("HP_SRC");
    char path[512];

    snprintf(path, sizeof(path), "%s/conf/effects.ini",
             source == NULL ? "." : source);
    ok_int(effects_load(&shipped, path, stdout), 0);
}

static void
it_holds_the_sixteen_effects(void)
{
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
}

/* The cues start the gun's effect each 100 ms. */
static void
the_gun_beats_without_a_gap(void)
{
    const struct effect *gun;

    if (!ok(shipped != NULL))
        return;
    gun = effects_find(shipped, "gun_burst");
    ok_int(gun->attack_ms + gun->hold_ms + gun->decay_ms, 100);
    ok(gun->again_after_ms < 100);
    effects_destroy(shipped);
}

TAP_MAIN(FACT(the_shipped_file_loads_without_a_complaint),
         FACT(it_holds_the_sixteen_effects), FACT(the_gun_beats_without_a_gap))
