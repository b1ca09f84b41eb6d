/*
 * haptics_sdl2 on virtual pads of SDL's own: the verdict is what the pad's
 * driver was told.
 */
#include "fake_host.h"
#include "tap.h"
#include <SDL.h>
#include <hardpoint/haptics.h>
#include <pthread.h>

#define MS    UINT64_C(1000000)
#define FIRST (1000 * MS)

/* What a pad was told, and how often. */
struct felt {
    uint16_t low, high, left, right;
    int rumbles, triggers;
};

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_haptics_ops *ops;
static struct hp_device devices[8];
static struct hp_device_sink sink;

static int SDLCALL
feel_rumble(void *userdata, Uint16 low, Uint16 high)
{
    struct felt *f = userdata;

    f->low = low;
    f->high = high;
    f->rumbles++;
    return 0;
}

static int SDLCALL
feel_triggers(void *userdata, Uint16 left, Uint16 right)
{
    struct felt *f = userdata;

    f->left = left;
    f->right = right;
    f->triggers++;
    return 0;
}

/* Returns SDL's index of a new pad. */
static int
plug_in(struct felt *felt, const char *name, uint16_t product, int triggers)
{
    SDL_VirtualJoystickDesc pad;

    memset(felt, 0, sizeof(*felt));
    SDL_zero(pad);
    pad.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION;
    pad.type = SDL_JOYSTICK_TYPE_GAMECONTROLLER;
    pad.naxes = 6;
    pad.nbuttons = 12;
    pad.vendor_id = 0x045e;
    pad.product_id = product;
    pad.name = name;
    pad.userdata = felt;
    pad.Rumble = feel_rumble;
    pad.RumbleTriggers = triggers ? feel_triggers : NULL;
    return SDL_JoystickAttachVirtualEx(&pad);
}

static void
begin(const char *device)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    if (device != NULL)
        fake_host_set(&fake, "device", device);
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
}

/* Pads of one fact are not those of the next. */
static void
end(void)
{
    int i;

    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
    SDL_InitSubSystem(SDL_INIT_JOYSTICK);
    for (i = SDL_NumJoysticks() - 1; i >= 0; i--)
        if (SDL_JoystickIsVirtual(i))
            SDL_JoystickDetachVirtual(i);
    SDL_QuitSubSystem(SDL_INIT_JOYSTICK);
}

static void
work(uint64_t time_ns)
{
    fake.now_ns = time_ns;
    ok_int(ops->work(self, time_ns), 0);
}

static uint32_t
list(void)
{
    memset(&sink, 0, sizeof(sink));
    sink.size = sizeof(sink);
    sink.capacity = 8;
    sink.stride = sizeof(devices[0]);
    sink.devices = devices;
    ok_int(ops->devices(self, &sink), 0);
    return sink.count;
}

static void
render(uint64_t time_ns, uint32_t motor, float value)
{
    struct hp_level level = {.deadline_ns = time_ns + 200 * MS,
                             .device = devices[0].id,
                             .generation = devices[0].generation,
                             .actuator = motor,
                             .level = value};
    struct hp_levels levels = {.size = sizeof(levels),
                               .count = 1,
                               .stride = sizeof(level),
                               .time_ns = time_ns,
                               .levels = &level,
                               .effects = ""};

    ok_int(ops->render(self, &levels), 0);
}

static void
a_pad_is_listed_with_its_motors(void)
{
    struct felt felt;

    begin(NULL);
    ok_int(list(), 0);
    ok(plug_in(&felt, "Test Pad", 0x0b13, 1) >= 0);
    work(FIRST);
    ok_int(list(), 1);
    ok_text(devices[0].name, "Test Pad");
    ok_int(devices[0].vendor, 0x045e);
    ok_int(devices[0].product, 0x0b13);
    ok_int(devices[0].actuator_count, 4);
    ok_int(devices[0].actuators[3].kind, HP_ACTUATOR_TRIGGER_R);
    ok_int(felt.rumbles, 0);
    end();
}

static void
each_level_reaches_its_motor(void)
{
    struct felt felt;

    begin(NULL);
    plug_in(&felt, "Test Pad", 1, 1);
    work(FIRST);
    list();
    render(FIRST, 0, 0.5f);
    render(FIRST, 1, 1);
    render(FIRST, 2, 0.25f);
    render(FIRST, 3, 2); /* no louder than all */
    work(FIRST + MS);
    ok_int(felt.low, 32768);
    ok_int(felt.high, 65535);
    ok_int(felt.left, 16384);
    ok_int(felt.right, 65535);
    render(FIRST + 2 * MS, 0, 0);
    work(FIRST + 3 * MS);
    ok_int(felt.low, 0);
    ok_int(felt.high, 65535);
    end();
}

static void
a_level_ends_at_its_deadline_by_itself(void)
{
    struct felt felt;

    begin(NULL);
    plug_in(&felt, "Test Pad", 1, 0);
    work(FIRST);
    list();
    render(FIRST, 0, 0.8f);
    work(FIRST + MS);
    ok(felt.low > 0);
    work(FIRST + 199 * MS);
    ok(felt.low > 0);
    work(FIRST + 200 * MS);
    ok_int(felt.low, 0);
    end();
}

static void
the_newest_of_ten_thousand_levels_wins(void)
{
    struct felt felt;
    uint32_t i;

    begin(NULL);
    plug_in(&felt, "Test Pad", 1, 0);
    work(FIRST);
    list();
    for (i = 0; i < 10000; i++)
        render(FIRST, i & 1, (float)(i % 97) / 96);
    render(FIRST, 0, 0.75f);
    render(FIRST, 1, 0);
    work(FIRST + MS);
    ok_int(felt.low, 49151);
    ok_int(felt.high, 0);
    ok_int(felt.rumbles, 1);
    end();
}

static void *
ask_for_silence(void *unused)
{
    (void)unused;
    ops->silence(self);
    return NULL;
}

static void
silence_from_another_thread_stops_all(void)
{
    struct felt felt;
    pthread_t thread;

    begin(NULL);
    plug_in(&felt, "Test Pad", 1, 1);
    work(FIRST);
    list();
    render(FIRST, 0, 1);
    render(FIRST, 2, 1);
    work(FIRST + MS);
    ok(felt.low > 0 && felt.left > 0);
    pthread_create(&thread, NULL, ask_for_silence, NULL);
    pthread_join(thread, NULL);
    work(FIRST + 2 * MS);
    ok_int(felt.low, 0);
    ok_int(felt.left, 0);
    end();
}

static void
stopping_the_plugin_stops_the_motors(void)
{
    struct felt felt;

    begin(NULL);
    plug_in(&felt, "Test Pad", 1, 1);
    work(FIRST);
    list();
    render(FIRST, 0, 1);
    render(FIRST, 3, 1);
    work(FIRST + MS);
    ok(felt.low > 0 && felt.right > 0);
    end();
    ok_int(felt.low, 0);
    ok_int(felt.right, 0);
}

static void
a_pad_that_comes_back_is_another_generation(void)
{
    struct felt felt, again;
    uint32_t generation;
    int index;

    begin(NULL);
    index = plug_in(&felt, "Test Pad", 1, 0);
    work(FIRST);
    list();
    generation = devices[0].generation;
    SDL_JoystickDetachVirtual(index);
    work(FIRST + 300 * MS);
    ok_int(list(), 0);
    plug_in(&again, "Test Pad", 1, 0);
    work(FIRST + 600 * MS);
    /* A level meant for the one that went moves nothing. */
    devices[0].generation = generation;
    render(FIRST + 600 * MS, 0, 1);
    work(FIRST + 601 * MS);
    ok_int(again.low, 0);
    ok_int(list(), 1);
    ok(devices[0].generation != generation);
    render(FIRST + 602 * MS, 0, 1);
    work(FIRST + 603 * MS);
    ok_int(again.low, 65535);
    ok_int(felt.low, 0);
    end();
}

static void
a_name_or_an_id_chooses_the_pad(void)
{
    static const char *const choices[] = {"*sECOND*", "045e:0002"};
    struct felt first, second;
    int i;

    for (i = 0; i < 2; i++) {
        begin(choices[i]);
        plug_in(&first, "First Pad", 1, 0);
        plug_in(&second, "Second Pad", 2, 0);
        work(FIRST);
        ok_int(list(), 1);
        ok_text(devices[0].name, "Second Pad");
        render(FIRST, 0, 1);
        work(FIRST + MS);
        ok_int(second.low, 65535);
        ok_int(first.rumbles, 0);
        end();
    }
}

static void
a_pad_of_this_process_needs_no_guardian(void)
{
    struct hp_guard guards[8];
    struct hp_guard_sink to = {.size = sizeof(to),
                               .capacity = 8,
                               .stride = sizeof(guards[0]),
                               .guards = guards};
    struct felt felt;

    begin(NULL);
    plug_in(&felt, "Test Pad", 1, 0);
    work(FIRST);
    list();
    ok(devices[0].flags & HP_DEVICE_HOLDS_DEADLINE);
    ok_int(ops->guard(self, &to), 0);
    ok_int(to.count, 0);
    end();
}

TAP_MAIN(FACT(a_pad_is_listed_with_its_motors),
         FACT(each_level_reaches_its_motor),
         FACT(a_level_ends_at_its_deadline_by_itself),
         FACT(the_newest_of_ten_thousand_levels_wins),
         FACT(silence_from_another_thread_stops_all),
         FACT(stopping_the_plugin_stops_the_motors),
         FACT(a_pad_that_comes_back_is_another_generation),
         FACT(a_name_or_an_id_chooses_the_pad),
         FACT(a_pad_of_this_process_needs_no_guardian))
