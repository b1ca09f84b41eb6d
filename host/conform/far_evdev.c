/* The far side of haptics_evdev: a pad of umockdev's, whose kernel ends an
 * effect when its time is over. */
#include "far_side.h"
#include "mock_kernel.h"

#define MS 1000000u

static int
begin(struct far_setting settings[FAR_SETTINGS_MAX], char *why,
      size_t why_bytes)
{
    (void)why;
    (void)why_bytes;
    make_pad(&pads[0]);
    start_kernel();
    plug_in(&pads[0], "/dev/input/event7");
    snprintf(settings[0].text, sizeof(settings[0].text),
             "haptics.evdev.device=Test Pad");
    return 1;
}

/* Effects of one pad add up; a host that is gone has freed its own. */
static double
play(const struct kernel *k, uint32_t actuator)
{
    const struct ff_effect *e;
    double sum = 0;
    int i;

    for (i = 0; i < SLOTS; i++) {
        e = &k->effects[i];
        if (!k->playing[i] ||
            monotonic_ns() - k->played_ns[i] >= (uint64_t)e->replay.length * MS)
            continue;
        sum += (actuator == 0 ? e->u.rumble.strong_magnitude
                              : e->u.rumble.weak_magnitude) /
               65535.0;
    }
    return sum < 1 ? sum : 1;
}

static int
felt(const struct hp_device *device, uint32_t actuator, double *level)
{
    if (actuator >= device->actuator_count || actuator > 1)
        return -ENOENT;
    pthread_mutex_lock(&pads[0].lock);
    *level = play(&pads[0], actuator);
    pthread_mutex_unlock(&pads[0].lock);
    return 0;
}

static void
end(void)
{
    stop_kernel();
}

const struct far_side hp_far_side = {
    .preload = MOCK_KERNEL_PRELOAD, .begin = begin, .felt = felt, .end = end};
