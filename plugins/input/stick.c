#include "stick.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FULL 32767

static const char *const axis_rows[STICK_AXES] = {
    [HP_AXIS_ROLL] = "roll_axis",   [HP_AXIS_PITCH] = "pitch_axis",
    [HP_AXIS_YAW] = "yaw_axis",     [HP_AXIS_THROTTLE] = "throttle_axis",
    [HP_AXIS_BRAKE] = "brake_axis",
};

static const struct {
    const char *row;
    uint32_t button;
} button_rows[STICK_BUTTONS] = {
    {"gun_button",         HP_BUTTON_GUN        },
    {"release_button",     HP_BUTTON_RELEASE    },
    {"select_button",      HP_BUTTON_SELECT     },
    {"afterburner_button", HP_BUTTON_AFTERBURNER},
    {"gear_button",        HP_BUTTON_GEAR       },
    {"hook_button",        HP_BUTTON_HOOK       },
    {"respawn_button",     HP_BUTTON_RESPAWN    },
};

/* "-2" is the axis 2, turned round. */
static int
read_number(const struct hp_host *host, const char *row, int *is_inverted,
            int *out)
{
    const char *text;
    char *end, why[200];
    long number;
    int err = host->param_text(host, row, 0, &text);

    if (err < 0)
        return err;
    *out = STICK_NONE;
    if (strcmp(text, "none") == 0)
        return 0;
    if (is_inverted != NULL && text[0] == '-') {
        *is_inverted = 1;
        text++;
    }
    errno = 0;
    number = strtol(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 &&
        number < 1000) {
        *out = (int)number;
        return 0;
    }
    snprintf(why, sizeof(why),
             "%s: found \"%.60s\", expected a number%s, or none", row, text,
             is_inverted != NULL ? ", as 1 or -1" : "");
    return host->fail(host, -EINVAL, why);
}

int
stick_init(struct stick *s, const struct hp_host *host)
{
    int i, err = 0;

    memset(s, 0, sizeof(*s));
    for (i = 0; i < STICK_AXES && err == 0; i++)
        err =
            read_number(host, axis_rows[i], &s->is_inverted[i], &s->axis_of[i]);
    for (i = 0; i < STICK_BUTTONS && err == 0; i++)
        err = read_number(host, button_rows[i].row, NULL, &s->button_of[i]);
    if (err == 0)
        err = host->param_real(host, "deadzone", 0, &s->deadzone);
    if (err == 0)
        err = host->param_real(host, "expo", 0, &s->expo);
    atomic_store(&s->axes[HP_AXIS_THROTTLE], FULL / 2);
    return err;
}

/* Nothing within the dead zone, all at the end, softer between by `expo`. */
static double
centred(const struct stick *s, double value)
{
    double size = fabs(value), share;

    if (size <= s->deadzone)
        return 0;
    share = (size - s->deadzone) / (1 - s->deadzone);
    share = (1 - s->expo) * share + s->expo * share * share * share;
    return value < 0 ? -share : share;
}

void
stick_move(struct stick *s, int axis, double value)
{
    double to;
    int i;

    value = value > 1 ? 1 : value >= -1 ? value : -1; /* NaN is an end */
    for (i = 0; i < STICK_AXES; i++) {
        if (s->axis_of[i] != axis)
            continue;
        to = s->is_inverted[i] ? -value : value;
        to = i == HP_AXIS_THROTTLE || i == HP_AXIS_BRAKE ? (to + 1) / 2
                                                         : centred(s, to);
        atomic_store(&s->axes[i], (int16_t)lrint(to * FULL));
    }
}

void
stick_press(struct stick *s, int button, int is_down)
{
    int i;

    for (i = 0; i < STICK_BUTTONS; i++) {
        if (s->button_of[i] != button)
            continue;
        if (is_down) {
            atomic_fetch_or(&s->pressed, button_rows[i].button);
            atomic_fetch_or(&s->held, button_rows[i].button);
        } else
            atomic_fetch_and(&s->held, ~button_rows[i].button);
    }
}

void
stick_let_go(struct stick *s)
{
    int i;

    for (i = 0; i < STICK_AXES; i++)
        if (i != HP_AXIS_THROTTLE)
            atomic_store(&s->axes[i], 0);
    atomic_store(&s->held, 0);
    atomic_store(&s->pressed, 0);
}

void
stick_poll(struct stick *s, struct hp_input *out)
{
    int i;

    for (i = 0; i < STICK_AXES; i++)
        out->axes[i] = atomic_load(&s->axes[i]);
    out->buttons = atomic_exchange(&s->pressed, 0) | atomic_load(&s->held);
}
