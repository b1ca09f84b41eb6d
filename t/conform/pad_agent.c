/* An agent that plugs SDL's virtual pad into a running host, and writes what the
 * pad is told: "nanoseconds low high left right", each 0..65535. */
#include <SDL.h>
#include <errno.h>
#include <hardpoint/agent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "pad"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "a virtual pad, and what it feels"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "Hardpoint"

static const struct hp_param params[] = {
    {.name = "file",
     .unit = "",
     .preset = "pad.txt",
     .type = HP_PARAM_PATH,
     .sentence = "Where the lines go."},
};

struct hp_instance {
    const struct hp_host *host;
    FILE *file;
    int is_plugged;
    unsigned motors[4];
};

static int
pad_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = calloc(1, sizeof(*self));
    const char *path;

    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    if (host->param_text(host, "file", 0, &path) < 0 ||
        (self->file = fopen(path, "w")) == NULL) {
        free(self);
        return -EIO;
    }
    *out = self;
    return 0;
}

static int
pad_start(struct hp_instance *self, const struct hp_limits *limits)
{
    (void)self;
    (void)limits;
    return 0;
}

static void
pad_stop(struct hp_instance *self)
{
    fflush(self->file);
}

static void
pad_destroy(struct hp_instance *self)
{
    if (self != NULL && self->file != NULL)
        fclose(self->file);
    free(self);
}

static int
feel(struct hp_instance *self, int first, unsigned a, unsigned b)
{
    self->motors[first] = a;
    self->motors[first + 1] = b;
    fprintf(self->file, "%llu %u %u %u %u\n",
            (unsigned long long)self->host->now_ns(self->host),
            self->motors[0], self->motors[1], self->motors[2],
            self->motors[3]);
    return 0;
}

static int SDLCALL
feel_rumble(void *self, Uint16 low, Uint16 high)
{
    return feel(self, 0, low, high);
}

static int SDLCALL
feel_triggers(void *self, Uint16 left, Uint16 right)
{
    return feel(self, 2, left, right);
}

static void
pad_idle(struct hp_instance *self, const struct hp_status *status,
         uint64_t budget_ns)
{
    SDL_VirtualJoystickDesc pad;

    (void)status;
    (void)budget_ns;
    if (self->is_plugged || !SDL_WasInit(SDL_INIT_JOYSTICK))
        return;
    self->is_plugged = 1;
    SDL_zero(pad);
    pad.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION;
    pad.type = SDL_JOYSTICK_TYPE_GAMECONTROLLER;
    pad.naxes = 6;
    pad.nbuttons = 12;
    pad.vendor_id = 0x045e;
    pad.product_id = 0x0b13;
    pad.name = "Mission Pad";
    pad.userdata = self;
    pad.Rumble = feel_rumble;
    pad.RumbleTriggers = feel_triggers;
    SDL_JoystickAttachVirtualEx(&pad);
}

static const struct hp_agent_ops ops = {.size = sizeof(ops), .idle = pad_idle};

HP_PLUGIN_NOTE(HP_KIND_AGENT, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_AGENT, 0),
    params,
    HP_PARAMS(params),
    pad_create,
    pad_start,
    pad_stop,
    pad_destroy,
    &ops,
    NULL,
    NULL,
};
