/*
 * Voices into levels: a pure function of time and commands, no clock inside,
 * no allocation after create. Single thread.
 *
 * A one-shot runs attack, hold, decay. A hold runs attack, decay, sustain while
 * commands keep it alive, then release; one that hears nothing for
 * max(keepalive, 3 snapshot intervals) ends by itself. A predicted one-shot is not repeated by its
 * confirmation (same effect, same cause_tick, within a second).
 *
 * On each actuator: a voice turns down (`duck`) those of lower priority where it
 * is felt itself, 20 ms down and 80 ms up; what is left of all is added as the
 * root of the sum of squares (forces as they are), limited softly above 0.9,
 * then shaped by the actuator's curve. After a pause holds fade in.
 *
 * effects.ini decides how an effect feels, so a command need not know: PLAY of
 * a hold sounds until its keepalive ends; HOLD of a one-shot plays it once, and
 * again each again_after while it is held.
 */
#ifndef MIXER_H
#define MIXER_H

#include "effects.h"
#include <hardpoint/hardpoint.h>

#define MIXER_VOICES_MAX  32
#define MIXER_DEVICES_MAX 32
#define MIXER_LEVELS_MAX  (MIXER_DEVICES_MAX * HP_DEVICE_ACTUATORS_MAX)

/* A pad that rumbles with less in its battery may drop its link. */
#define MIXER_WEAK_PERCENT 15

/* Each level is valid this long after its mix. */
#define MIXER_DEADLINE_NS 300000000ull
/* A sounding actuator is told again at least this often. */
#define MIXER_REFRESH_NS 100000000ull

struct mixer;

enum mixer_scope { /* anything but FLYING is silent */
    MIXER_FLYING = 0,
    MIXER_PAUSED = 1,
    MIXER_UNFOCUSED = 2,
    MIXER_MENU = 4,
    MIXER_REPLAY = 8,
    MIXER_DEAD = 16
};

struct mixer_counters {
    uint64_t started, stolen, ignored, unknown, stale, expired;
    uint64_t limited; /* levels that the limiter bent */
};

int mixer_create(struct mixer **out, const struct effects *effects,
                 uint64_t snapshot_interval_ns);
void mixer_destroy(struct mixer *m);

/* Glides sounding voices to a new set, which outlives the mixer or the next
 * call. */
void mixer_set_effects(struct mixer *m, const struct effects *effects);

/* The actuators to mix for; levels of devices that went are forgotten. */
void mixer_set_devices(struct mixer *m, const struct hp_device *devices,
                       uint32_t count);

/* One command at `time_ns`, caused at `cause_ns` (0: unknown). A start older
 * than 150 ms is dropped and counted. */
void mixer_command(struct mixer *m, const struct hp_effect_command *command,
                   uint64_t cause_ns, uint64_t time_ns);
void mixer_set_scope(struct mixer *m, unsigned scope, uint64_t time_ns);
/* Ends every voice through its release, within 30 ms. */
void mixer_release_all(struct mixer *m, uint64_t time_ns);

/* Holds fade in from here, as after a pause: another backend took over. */
void mixer_fade_in(struct mixer *m, uint64_t time_ns);

/*
 * The levels at `time_ns`: those that changed since the last mix, and those
 * due for a refresh. `out` borrows the mixer's memory until the next call.
 * Returns the time of the next mix that is needed, UINT64_MAX when silent.
 */
uint64_t mixer_render(struct mixer *m, uint64_t time_ns, struct hp_levels *out);
/* Whether a voice is active or an actuator was last told more than zero. */
int mixer_is_sounding(const struct mixer *m);
void mixer_count(const struct mixer *m, struct mixer_counters *out);

#endif
