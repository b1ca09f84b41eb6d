#include "fake_host.h"
#include "tap.h"

static struct hp_instance *
make(struct fake_host *fake, const char *pattern, const char *seed)
{
    struct hp_limits limits = fake_limits(HP_SIDE_CLIENT);
    struct hp_instance *self = NULL;

    fake_host_init(fake, HP_SIDE_CLIENT);
    fake_host_set(fake, "pattern", pattern);
    fake_host_set(fake, "seed", seed);
    ok_int(hp_plugin_v1.create(&fake->host, &self), 0);
    ok_int(hp_plugin_v1.start(self, &limits), 0);
    return self;
}

static void
drop(struct hp_instance *self)
{
    hp_plugin_v1.stop(self);
    hp_plugin_v1.destroy(self);
}

static struct hp_input
poll_at(struct hp_instance *self, uint64_t index, uint32_t rate)
{
    const struct hp_input_ops *ops = hp_plugin_v1.ops;
    struct hp_tick tick = fake_tick(index);
    struct hp_input input;

    memset(&input, 0, sizeof(input));
    tick.rate_num = rate;
    ok_int(ops->poll(self, &tick, &input), 0);
    return input;
}

static int
same(const struct hp_input *a, const struct hp_input *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

static void
seed_and_tick_make_the_input(void)
{
    struct fake_host one, two, three;
    struct hp_instance *a = make(&one, "random", "7");
    struct hp_instance *b = make(&two, "random", "7");
    struct hp_instance *c = make(&three, "random", "8");
    struct hp_input x, y, z;
    int differ = 0, i;

    /* The other way round: no call before it counts. */
    for (i = 299; i >= 0; i--) {
        x = poll_at(a, (uint64_t)(299 - i), 60);
        (void)x;
    }
    for (i = 299; i >= 0; i--) {
        x = poll_at(a, (uint64_t)i, 60);
        y = poll_at(b, (uint64_t)i, 60);
        z = poll_at(c, (uint64_t)i, 60);
        ok(same(&x, &y));
        differ += !same(&x, &z);
    }
    ok(differ > 290);
    drop(a);
    drop(b);
    drop(c);
}

static void
a_pattern_lasts_as_long_at_every_rate(void)
{
    struct fake_host fake;
    struct hp_instance *self = make(&fake, "weave", "3");
    struct hp_input slow, fast;
    uint64_t i;

    for (i = 0; i < 200; i++) {
        slow = poll_at(self, i, 20);
        fast = poll_at(self, i * 50, 1000);
        ok(same(&slow, &fast));
    }
    drop(self);
}

static void
each_pattern_flies_its_own_way(void)
{
    static const char *const names[] = {"weave", "level", "aggressive", "idle",
                                        "random"};
    struct fake_host fake;
    struct hp_instance *self;
    struct hp_input input;
    uint32_t held[5] = {0};
    int widest[5] = {0};
    uint64_t i;
    int k, roll;

    for (k = 0; k < 5; k++) {
        self = make(&fake, names[k], "5");
        for (i = 0; i < 1800; i++) {
            input = poll_at(self, i, 60);
            roll = abs(input.axes[HP_AXIS_ROLL]);
            if (roll > widest[k])
                widest[k] = roll;
            held[k] |= input.buttons;
            ok(input.axes[HP_AXIS_THROTTLE] >= 0);
            ok(input.axes[HP_AXIS_PITCH] >= -32767);
        }
        drop(self);
    }
    ok(widest[3] == 0);
    ok(widest[1] > 0 && widest[1] < widest[0]);
    ok(widest[0] < widest[2]);
    ok(widest[4] > 30000);
    ok_int(held[0] | held[1] | held[3], 0);
    ok_int(held[2], HP_BUTTON_GUN | HP_BUTTON_AFTERBURNER);
    ok(held[4] & HP_BUTTON_GEAR);
}

TAP_MAIN(FACT(seed_and_tick_make_the_input),
         FACT(a_pattern_lasts_as_long_at_every_rate),
         FACT(each_pattern_flies_its_own_way))
