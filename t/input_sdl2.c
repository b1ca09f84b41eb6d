/* input_sdl2 on a virtual joystick of SDL's own. */
#include "fake_host.h"
#include "tap.h"
#include <SDL.h>
#include <hardpoint/input.h>

#define MS UINT64_C(1000000)

static struct fake_host fake;
static struct hp_instance *self;
static const struct hp_input_ops *ops;
static SDL_Joystick *pad;
static int pad_index;

static void
begin(const char *key, const char *value)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);

    fake_host_init(&fake, HP_SIDE_CLIENT);
    fake.now_ns = 1000 * MS;
    if (key != NULL)
        fake_host_set(&fake, key, value);
    ops = hp_plugin_v1.ops;
    ok_int(hp_plugin_v1.create(&fake.host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
}

static void
plug_in(const char *name)
{
    SDL_VirtualJoystickDesc stick;

    SDL_zero(stick);
    stick.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION;
    stick.type = SDL_JOYSTICK_TYPE_FLIGHT_STICK;
    stick.naxes = 4;
    stick.nbuttons = 8;
    stick.vendor_id = 0x044f;
    stick.product_id = 0xb10a;
    stick.name = name;
    pad_index = SDL_JoystickAttachVirtualEx(&stick);
    pad = SDL_JoystickOpen(pad_index);
}

static void
pull_out(void)
{
    if (pad == NULL)
        return;
    SDL_JoystickDetachVirtual(pad_index);
    SDL_JoystickClose(pad);
    pad = NULL;
}

static void
end(void)
{
    pull_out();
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

static struct hp_input
work(void)
{
    struct hp_input in = {0};
    struct hp_tick tick = fake_tick(1);

    fake.now_ns += 300 * MS;
    ok_int(ops->work(self, fake.now_ns), 0);
    ok_int(ops->poll(self, &tick, &in), 0);
    return in;
}

static void
without_a_stick_it_is_centred(void)
{
    struct hp_input in;

    begin(NULL, NULL);
    in = work();
    ok_int(in.axes[HP_AXIS_ROLL], 0);
    ok_int(in.axes[HP_AXIS_PITCH], 0);
    ok_int(in.axes[HP_AXIS_THROTTLE], 16383);
    ok_int(in.buttons, 0);
    end();
}

static void
axes_and_buttons_arrive(void)
{
    struct hp_input in;

    begin("deadzone", "0");
    plug_in("Test Stick");
    SDL_JoystickSetVirtualAxis(pad, 0, 32767);
    SDL_JoystickSetVirtualAxis(pad, 1, -16384);
    SDL_JoystickSetVirtualAxis(pad, 3, -32767); /* forward is open */
    SDL_JoystickSetVirtualButton(pad, 0, 1);
    SDL_JoystickSetVirtualButton(pad, 4, 1);
    SDL_JoystickSetVirtualButton(pad, 7, 1); /* nobody's */
    in = work();
    ok_int(in.axes[HP_AXIS_ROLL], 32767);
    ok_int(in.axes[HP_AXIS_PITCH], -16384);
    ok_int(in.axes[HP_AXIS_THROTTLE], 32767);
    ok_int(in.buttons, HP_BUTTON_GUN | HP_BUTTON_GEAR);
    ok(strstr(fake.log_text, "flies by \"Test Stick\"") != NULL);
    SDL_JoystickSetVirtualButton(pad, 0, 0);
    work();
    ok_int(work().buttons, HP_BUTTON_GEAR);
    end();
}

/* Down and up again between two polls. */
static void
a_short_press_is_not_lost(void)
{
    begin(NULL, NULL);
    plug_in("Test Stick");
    work();
    SDL_JoystickSetVirtualButton(pad, 1, 1);
    fake.now_ns += MS;
    ops->work(self, fake.now_ns);
    SDL_JoystickSetVirtualButton(pad, 1, 0);
    fake.now_ns += MS;
    ops->work(self, fake.now_ns);
    ok_int(work().buttons, HP_BUTTON_RELEASE);
    ok_int(work().buttons, 0);
    end();
}

static void
a_dead_zone_and_a_curve_soften_the_middle(void)
{
    begin("deadzone", "0.1");
    plug_in("Test Stick");
    SDL_JoystickSetVirtualAxis(pad, 0, 3000);
    ok_int(work().axes[HP_AXIS_ROLL], 0);
    SDL_JoystickSetVirtualAxis(pad, 0, 32767);
    ok_int(work().axes[HP_AXIS_ROLL], 32767);
    end();
    begin("expo", "1");
    plug_in("Test Stick");
    SDL_JoystickSetVirtualAxis(pad, 0, 16384);
    ok(work().axes[HP_AXIS_ROLL] < 5000);
    end();
}

static void
a_stick_that_goes_centres_and_keeps_the_throttle(void)
{
    struct hp_input in;

    begin(NULL, NULL);
    plug_in("Test Stick");
    SDL_JoystickSetVirtualAxis(pad, 0, 32767);
    SDL_JoystickSetVirtualAxis(pad, 3, -32767);
    SDL_JoystickSetVirtualButton(pad, 0, 1);
    ok_int(work().axes[HP_AXIS_ROLL], 32767);
    pull_out();
    work();
    in = work();
    ok_int(in.axes[HP_AXIS_ROLL], 0);
    ok_int(in.axes[HP_AXIS_THROTTLE], 32767);
    ok_int(in.buttons, 0);
    ok(strstr(fake.log_text, "the stick is gone") != NULL);
    plug_in("Test Stick");
    SDL_JoystickSetVirtualAxis(pad, 0, -32767);
    work();
    ok_int(work().axes[HP_AXIS_ROLL], -32767);
    end();
}

static void
a_name_or_an_id_chooses_and_another_is_left_alone(void)
{
    begin("device", "*other*");
    plug_in("Test Stick");
    SDL_JoystickSetVirtualAxis(pad, 0, 32767);
    ok_int(work().axes[HP_AXIS_ROLL], 0);
    end();
    begin("device", "044F:B10A");
    plug_in("Test Stick");
    SDL_JoystickSetVirtualAxis(pad, 0, 32767);
    ok_int(work().axes[HP_AXIS_ROLL], 32767);
    end();
}

static void
a_bad_number_is_refused(void)
{
    static const struct {
        const char *key, *value, *said;
    } bad[] = {
        {"roll_axis",  "x",   "expected a number, as 1 or -1, or none"},
        {"gun_button", "-1",  "expected a number, or none"            },
        {"yaw_axis",   "--1", "found \"-1\""                          }
    };
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        fake_host_init(&fake, HP_SIDE_CLIENT);
        fake_host_set(&fake, bad[i].key, bad[i].value);
        ok_int(hp_plugin_v1.create(&fake.host, &self), -EINVAL);
        ok(strstr(fake.failure, bad[i].said) != NULL);
    }
}

TAP_MAIN(FACT(without_a_stick_it_is_centred), FACT(axes_and_buttons_arrive),
         FACT(a_short_press_is_not_lost),
         FACT(a_dead_zone_and_a_curve_soften_the_middle),
         FACT(a_stick_that_goes_centres_and_keeps_the_throttle),
         FACT(a_name_or_an_id_chooses_and_another_is_left_alone),
         FACT(a_bad_number_is_refused))
