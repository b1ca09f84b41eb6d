/*
 * input_sdl2 - a joystick or pad through SDL 2: the first that `device` means,
 * plugged in at any time. The device thread asks SDL each millisecond; the tick
 * takes what it found.
 *
 * SDL counts its users, and locks its joysticks, so that haptics_sdl2 may run in
 * the same process.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* FNM_CASEFOLD */
#endif
#include "stick.h"
#include <SDL.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#define HP_NAME    "sdl2"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "a joystick or pad, through SDL 2"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

#define MS      UINT64_C(1000000)
#define LOOK_NS (250 * MS) /* for a device that came */

static const struct hp_param params[] = {
    {.name = "device",
     .unit = "",
     .preset = "*",
     .type = HP_PARAM_TEXT,
     .sentence = "Which one: a pattern for the name (*T.16000*), or vendor and "
                 "product as 044f:b10a."},
    STICK_ROWS("0", "1", "2", "-3"),
};

struct hp_instance {
    const struct hp_host *host;
    char wanted[96];
    struct stick stick;
    /* The device thread's. */
    SDL_Joystick *joystick; /* NULL: none is there */
    uint64_t looked_ns;     /* 0: never */
};

static int
sdl2_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    const char *wanted;
    int err;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    err = stick_init(&self->stick, host);
    if (err == 0)
        err = host->param_text(host, "device", 0, &wanted);
    if (err < 0) {
        free(self);
        return err;
    }
    snprintf(self->wanted, sizeof(self->wanted), "%s", wanted);
    *out = self;
    return 0;
}

static int
sdl2_start(struct hp_instance *self, const struct hp_limits *limits)
{
    char why[300];

    (void)limits;
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    SDL_SetHint(SDL_HINT_JOYSTICK_HIDAPI, "0");
    if (SDL_InitSubSystem(SDL_INIT_JOYSTICK) < 0) {
        snprintf(why, sizeof(why),
                 "SDL cannot look for joysticks: %s; is /dev/input there, and "
                 "may it be read?",
                 SDL_GetError());
        return self->host->fail(self->host, -ENODEV, why);
    }
    self->looked_ns = 0;
    return 0;
}

static int
is_wanted(const struct hp_instance *self, int index)
{
    const char *name = SDL_JoystickNameForIndex(index);
    char ids[16];

    snprintf(ids, sizeof(ids), "%04x:%04x", SDL_JoystickGetDeviceVendor(index),
             SDL_JoystickGetDeviceProduct(index));
    return fnmatch(self->wanted, name != NULL ? name : "", FNM_CASEFOLD) == 0 ||
           SDL_strcasecmp(self->wanted, ids) == 0;
}

static void
look_for_one(struct hp_instance *self)
{
    char text[200];
    int i;

    for (i = 0; self->joystick == NULL && i < SDL_NumJoysticks(); i++)
        if (is_wanted(self, i))
            self->joystick = SDL_JoystickOpen(i);
    if (self->joystick == NULL)
        return;
    snprintf(text, sizeof(text), "flies by \"%.100s\"",
             SDL_JoystickName(self->joystick));
    self->host->log(self->host, HP_LOG_INFO, text);
}

static void
lose(struct hp_instance *self)
{
    SDL_JoystickClose(self->joystick);
    self->joystick = NULL;
    stick_let_go(&self->stick);
    self->host->log(self->host, HP_LOG_WARNING,
                    "the stick is gone: it is centred, the throttle stays, "
                    "until it comes back");
}

static void
read_stick(struct hp_instance *self)
{
    int i, count = SDL_JoystickNumAxes(self->joystick);

    for (i = 0; i < count; i++)
        stick_move(&self->stick, i,
                   SDL_JoystickGetAxis(self->joystick, i) / 32767.0);
    count = SDL_JoystickNumButtons(self->joystick);
    for (i = 0; i < count; i++)
        stick_press(&self->stick, i, SDL_JoystickGetButton(self->joystick, i));
}

/* [device] */
static int
sdl2_work(struct hp_instance *self, uint64_t until_ns)
{
    uint64_t now_ns = self->host->now_ns(self->host);

    (void)until_ns;
    SDL_JoystickUpdate();
    if (self->joystick != NULL && !SDL_JoystickGetAttached(self->joystick))
        lose(self);
    if (self->joystick == NULL &&
        (self->looked_ns == 0 || now_ns - self->looked_ns >= LOOK_NS)) {
        self->looked_ns = now_ns;
        look_for_one(self);
    }
    if (self->joystick != NULL)
        read_stick(self);
    SDL_Delay(1);
    return 0;
}

/* [tick] */
static int
sdl2_poll(struct hp_instance *self, const struct hp_tick *tick,
          struct hp_input *out)
{
    (void)tick;
    stick_poll(&self->stick, out);
    return 0;
}

/* The device thread has ended. */
static void
sdl2_stop(struct hp_instance *self)
{
    if (self->joystick != NULL)
        SDL_JoystickClose(self->joystick);
    self->joystick = NULL;
    SDL_QuitSubSystem(SDL_INIT_JOYSTICK);
}

static void
sdl2_destroy(struct hp_instance *self)
{
    free(self);
}

static const struct hp_input_ops ops = {
    .size = sizeof(ops),
    .poll = sdl2_poll,
    .work = sdl2_work,
};

/* clang-format off */
HP_PLUGIN_NOTE(HP_KIND_INPUT, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_INPUT, 0),
    params, HP_PARAMS(params),
    sdl2_create, sdl2_start, sdl2_stop, sdl2_destroy, &ops, NULL, NULL,
};
/* clang-format on */
