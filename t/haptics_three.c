/*
 * Loaded before the host by haptics_three.t: whoever starts SDL finds a virtual
 * pad, and each pair of levels that its driver is told becomes a line of the
 * file that THREE_PAD names: "rumble LOW HIGH" or "triggers LEFT RIGHT".
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include <SDL.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef int init_subsystem(Uint32 flags);

static void
write_line(const char *what, unsigned first, unsigned second)
{
    FILE *f = fopen(getenv("THREE_PAD"), "a");

    if (f == NULL)
        abort();
    fprintf(f, "%s %u %u\n", what, first, second);
    fclose(f);
}

static int SDLCALL
feel_rumble(void *unused, Uint16 low, Uint16 high)
{
    (void)unused;
    write_line("rumble", low, high);
    return 0;
}

static int SDLCALL
feel_triggers(void *unused, Uint16 left, Uint16 right)
{
    (void)unused;
    write_line("triggers", left, right);
    return 0;
}

static void
plug_in(void)
{
    SDL_VirtualJoystickDesc pad;

    SDL_zero(pad);
    pad.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION;
    pad.type = SDL_JOYSTICK_TYPE_GAMECONTROLLER;
    pad.naxes = 6;
    pad.nbuttons = 12;
    pad.name = "Three";
    pad.Rumble = feel_rumble;
    pad.RumbleTriggers = feel_triggers;
    if (SDL_JoystickAttachVirtualEx(&pad) < 0)
        abort();
}

int
SDL_InitSubSystem(Uint32 flags)
{
    init_subsystem *next;
    int err;

    *(void **)&next = dlsym(RTLD_NEXT, "SDL_InitSubSystem");
    err = next(flags);
    if (err == 0 && (flags & SDL_INIT_JOYSTICK))
        plug_in();
    return err;
}
