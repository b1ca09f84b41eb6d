/* The far side of haptics_sdl2: a virtual pad of SDL's, in this process. */
#include "far_side.h"
#include <SDL.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

/* Written by SDL's caller, the device thread. */
static _Atomic uint16_t motors[4];
static int index_of_pad = -1;

static int SDLCALL
feel_rumble(void *unused, Uint16 low, Uint16 high)
{
    (void)unused;
    motors[0] = low;
    motors[1] = high;
    return 0;
}

static int SDLCALL
feel_triggers(void *unused, Uint16 left, Uint16 right)
{
    (void)unused;
    motors[2] = left;
    motors[3] = right;
    return 0;
}

static int
begin(struct far_setting settings[FAR_SETTINGS_MAX], char *why,
      size_t why_bytes)
{
    (void)why;
    (void)why_bytes;
    snprintf(settings[0].text, sizeof(settings[0].text),
             "haptics.sdl2.device=Far Side");
    return 1;
}

/* The plugin has started SDL, and ends it with each stop. */
static int
plug(void)
{
    SDL_VirtualJoystickDesc pad;

    SDL_zero(pad);
    motors[0] = motors[1] = motors[2] = motors[3] = 0;
    pad.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION;
    pad.type = SDL_JOYSTICK_TYPE_GAMECONTROLLER;
    pad.naxes = 6;
    pad.nbuttons = 12;
    pad.vendor_id = 0x045e;
    pad.product_id = 0x0b13;
    pad.name = "Far Side";
    pad.Rumble = feel_rumble;
    pad.RumbleTriggers = feel_triggers;
    index_of_pad = SDL_JoystickAttachVirtualEx(&pad);
    return index_of_pad < 0 ? -ENODEV : 0;
}

static int
felt(const struct hp_device *device, uint32_t actuator, double *level)
{
    if (actuator >= device->actuator_count || actuator >= 4)
        return -ENOENT;
    *level = motors[actuator] / 65535.0;
    return 0;
}

/* SDL keeps its virtual pads when it is ended. */
static void
unplug(void)
{
    int i;

    SDL_InitSubSystem(SDL_INIT_JOYSTICK);
    for (i = SDL_NumJoysticks() - 1; i >= 0; i--)
        if (SDL_JoystickIsVirtual(i))
            SDL_JoystickDetachVirtual(i);
    SDL_QuitSubSystem(SDL_INIT_JOYSTICK);
}

const struct far_side hp_far_side = {
    .begin = begin, .plug = plug, .felt = felt, .unplug = unplug};
