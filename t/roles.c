/* Who moves which device, by the sections of the rig. */
#include "roles.h"
#include "../host/config.h"
#include "tap.h"

#define BACKENDS 3

static const char *const backends[BACKENDS] = {"evdev", "sdl2", "audio"};
static struct hp_device devices[8];
static struct roles_candidate list[8];
static uint32_t count;
static char problems[2000];

static void
begin(void)
{
    memset(devices, 0, sizeof(devices));
    memset(list, 0, sizeof(list));
    count = 0;
}

static void
offer(uint32_t backend, const char *name, const char *id, uint16_t vendor,
      uint16_t product)
{
    struct hp_device *d = &devices[count];

    snprintf(d->name, sizeof(d->name), "%s", name);
    snprintf(d->stable_id, sizeof(d->stable_id), "%s", id);
    d->vendor = vendor;
    d->product = product;
    d->id = count;
    list[count].backend = backend;
    list[count].backend_name = backends[backend];
    list[count++].device = d;
}

/* Whose each device is: "pad -- seat"; "+" is served without a role. */
static const char *
assigned(const struct roles *roles)
{
    static char text[200];
    uint32_t i;

    roles_assign(roles, list, count);
    text[0] = '\0';
    for (i = 0; i < count; i++) {
        if (i > 0)
            strcat(text, " ");
        strcat(text, !list[i].is_served ? "-"
                     : list[i].role == ROLES_NOBODY
                         ? "+"
                         : roles->list[list[i].role].name);
    }
    return text;
}

/* The roles of an INI; what is wrong with it stands in `problems`. */
static struct roles
roles_of(const char *ini)
{
    struct config *c = NULL;
    struct roles roles;
    FILE *to = fmemopen(problems, sizeof(problems), "w");

    config_create(&c);
    config_read_text(c, "rig.ini", ini);
    roles_bind(c, backends, BACKENDS);
    config_finish(c);
    config_print_problems(c, to);
    fclose(to);
    roles_read(&roles, c);
    config_destroy(c);
    return roles;
}

static void
without_roles_all_devices_are_moved(void)
{
    struct roles none = roles_of("");

    begin();
    offer(0, "Stick", "evdev:044f:b10a:port1", 0x044f, 0xb10a);
    offer(1, "Pad", "sdl2:045e:028e:port2", 0x045e, 0x028e);
    offer(2, "Seat", "audio:default", 0, 0);
    ok_text(assigned(&none), "+ + +");
}

static void
one_thing_is_moved_by_one_backend(void)
{
    struct roles none = roles_of("");

    begin();
    offer(0, "Xbox Pad", "evdev:045e:028e:port2", 0x045e, 0x028e);
    offer(1, "X360 Controller", "sdl2:045e:028e:port2", 0x045e, 0x028e);
    offer(1, "X360 Controller", "sdl2:045e:028e:port3", 0x045e, 0x028e);
    offer(1, "Two shakers", "sdl2:default", 0, 0);
    offer(2, "Two shakers", "audio:default", 0, 0);
    ok_text(assigned(&none), "+ - + + +");
}

static void
each_way_of_naming_a_device_finds_it(void)
{
    static const char *const ways[] = {"T.16000M",  "t.1600*",
                                       "044F:B10A", "044f:b10a:SN123",
                                       "sn123",     "evdev:044f:b10a:SN123"};
    static const char *const not_ways[] = {
        "T.1600", "044f", "044f:b10b", "SN12", "sdl2:044f:b10a:SN123", ""};
    size_t i;

    begin();
    offer(0, "T.16000M", "evdev:044f:b10a:SN123", 0x044f, 0xb10a);
    for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        ok(roles_is_meant(ways[i], &devices[0]));
    for (i = 0; i < sizeof(not_ways) / sizeof(not_ways[0]); i++)
        ok(!roles_is_meant(not_ways[i], &devices[0]));
    offer(2, "shakers", "audio:default", 0, 0);
    ok(roles_is_meant("default", &devices[1]));
    ok(!roles_is_meant("0000:0000", &devices[1]));
}

static void
a_role_takes_one_and_the_rest_stay_still(void)
{
    struct roles r = roles_of("[rig.stick]\nbackend = evdev\ndevice = *stick*\n"
                              "[rig.seat]\nbackend = audio\ngain = 0.5\n");

    ok_text(problems, "");
    ok_int(r.count, 2);
    ok_text(r.list[0].name, "seat");
    ok_real(r.list[0].gain, 0.5, 0);
    begin();
    offer(0, "A stick", "evdev:044f:b10a:p1", 0x044f, 0xb10a);
    offer(0, "A stick", "evdev:044f:b10a:p2", 0x044f, 0xb10a);
    offer(1, "Pad", "sdl2:045e:028e:p3", 0x045e, 0x028e);
    offer(2, "shakers", "audio:default", 0, 0);
    ok_text(assigned(&r), "stick - - seat");
}

static void
two_roles_share_two_devices_of_one_make(void)
{
    struct roles r = roles_of("[rig.a]\nbackend = evdev\ndevice = Pad\n"
                              "[rig.b]\nbackend = evdev\ndevice = Pad\n"
                              "[rig.c]\nbackend = evdev\ndevice = Pad\n");

    begin();
    offer(0, "Pad", "evdev:045e:028e:p1", 0x045e, 0x028e);
    offer(0, "Pad", "evdev:045e:028e:p2", 0x045e, 0x028e);
    ok_text(assigned(&r), "a b");
}

static void
the_preferred_backend_is_taken_when_it_has_the_device(void)
{
    struct roles r =
        roles_of("[rig.pad]\nbackend = evdev, sdl2\ndevice = 045e:028e\n");

    begin();
    offer(1, "X360", "sdl2:045e:028e:p1", 0x045e, 0x028e);
    ok_text(assigned(&r), "pad"); /* falls back */
    offer(0, "Xbox", "evdev:045e:028e:p1", 0x045e, 0x028e);
    ok_text(assigned(&r), "- pad"); /* and is promoted */
    count = 1;
    ok_text(assigned(&r), "pad");
}

static void
a_role_never_gets_what_another_has_by_another_backend(void)
{
    struct roles r = roles_of("[rig.a]\nbackend = evdev\ndevice = *\n"
                              "[rig.b]\nbackend = sdl2\ndevice = *\n");

    begin();
    offer(1, "X360", "sdl2:045e:028e:p1", 0x045e, 0x028e);
    offer(0, "Xbox", "evdev:045e:028e:p1", 0x045e, 0x028e);
    ok_text(assigned(&r), "- a");
    offer(1, "Other", "sdl2:045e:028e:p2", 0x045e, 0x028e);
    ok_text(assigned(&r), "- a b");
}

static void
without_a_backend_any_will_do(void)
{
    struct roles r = roles_of("[rig.pad]\ndevice = X360\n");

    begin();
    offer(0, "Xbox", "evdev:045e:028e:p1", 0x045e, 0x028e);
    offer(1, "X360", "sdl2:045e:028e:p1", 0x045e, 0x028e);
    ok_text(assigned(&r), "- pad");
}

static void
what_is_wrong_is_said_with_its_place(void)
{
    static const struct {
        const char *ini, *said;
    } bad[] = {
        {"[rig.pad]\nbackend = evdev, hidraw\n",
         "rig.ini:2:11: error: [rig.pad] backend: found \"hidraw\", expected a "
         "plugin that [plugins] haptics names; add it there\n"                                  },
        {"[rig.pad]\ngain = 2\n",                                "expected a number from 0 to 1"},
        {"[rig.]\ndevice = x\n",                                 "expected [rig.NAME]"          },
        {"[rig.a234567890123456789012345678901234]\n",           "at most 31 letters"           },
        {"[rig.pad]\nbackends = sdl2\n",                         "did you mean \"backend\""     },
        {"[rig.pad]\nbackend = evdev evdev evdev evdev evdev\n",
         "more than 4 names"                                                                    },
    };
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        roles_of(bad[i].ini);
        if (strstr(problems, bad[i].said) == NULL)
            ok_text(problems, bad[i].said);
    }
}

TAP_MAIN(FACT(without_roles_all_devices_are_moved),
         FACT(one_thing_is_moved_by_one_backend),
         FACT(each_way_of_naming_a_device_finds_it),
         FACT(a_role_takes_one_and_the_rest_stay_still),
         FACT(two_roles_share_two_devices_of_one_make),
         FACT(the_preferred_backend_is_taken_when_it_has_the_device),
         FACT(a_role_never_gets_what_another_has_by_another_backend),
         FACT(without_a_backend_any_will_do),
         FACT(what_is_wrong_is_said_with_its_place))
