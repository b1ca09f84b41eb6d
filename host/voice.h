/*
 * One effect being played: its shape over time. Arithmetic only; the mixer owns
 * the voices and says what they are told.
 *
 *     one-shot  attack up to 1, hold, decay to 0
 *     pulses    1 and 0 by turns
 *     hold      attack up to 1, decay to sustain, until released
 *
 * A voice of a queue may start in the future; it is silent until then.
 */
#ifndef VOICE_H
#define VOICE_H

#include "effects.h"
#include <stdint.h>

/* A ramp is told in steps of this length. */
#define VOICE_STEP_NS 4000000ull
#define VOICE_NEVER   UINT64_MAX

struct voice {
    struct effect feel; /* a copy, so that a set may go while this sounds */
    uint32_t effect;    /* its index in the set; UINT32_MAX: not in it now */
    int active;
    int outdated;      /* the set has another feel for it by now */
    float level;       /* of the command, 0..1 */
    float attack_from; /* shape at start_ns, not 0 when a hold came back */
    float release_from;
    uint64_t start_ns;
    uint64_t cause_ns;       /* of the newest command not yet told, or 0 */
    uint64_t alive_until_ns; /* of a hold: it ends unless updated */
    uint64_t release_ns;     /* when the release began, or VOICE_NEVER */
    uint64_t release_for_ns;
    uint64_t glide_until_ns; /* 0: not gliding */
    float glide_from[HP_ACTUATOR_KINDS];
    float toward[2];               /* body axes, where from: forward, right */
    float left[HP_ACTUATOR_KINDS]; /* what others' ducking leaves of it */
    uint64_t left_ns;              /* when that was; 0: never yet */
};

enum voice_end {
    VOICE_GOES_ON = 0,
    VOICE_UNHEARD, /* a hold that nobody kept alive begins its release */
    VOICE_TOO_LONG /* a hold that reached max_hold begins its release */
};

void voice_start(struct voice *v, const struct effect *feel, uint32_t effect,
                 float level, uint64_t time_ns);
/* A hold that was releasing attacks again from where it is. */
void voice_return(struct voice *v, float level, uint64_t time_ns);
/* Ends through the release, or sooner: silent `within_ns` from now. */
void voice_release(struct voice *v, uint64_t time_ns, uint64_t within_ns);
/* Goes on as `feel`; what is heard moves there over a tenth of a second. */
void voice_glide(struct voice *v, const struct effect *feel, uint32_t effect,
                 uint64_t time_ns);

/* Begins the release of a hold whose time is up, and ends what is over. */
enum voice_end voice_settle(struct voice *v, uint64_t time_ns);
int voice_is_releasing(const struct voice *v);

/* 0..1. */
float voice_shape(const struct voice *v, uint64_t time_ns);
/* What each kind of actuator gets of it, -1..1. */
void voice_values(const struct voice *v, uint64_t time_ns,
                  float values[HP_ACTUATOR_KINDS]);
/* When its value next changes, or voice_settle has something to do. */
uint64_t voice_next_ns(const struct voice *v, uint64_t time_ns);

#endif
