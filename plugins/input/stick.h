/*
 * From a device's axes and buttons to a pilot's: which is which, by the INI, and
 * how a centred axis answers. What the device thread has read lies here for the
 * tick; a press that is over before a tick came is not lost.
 */
#ifndef STICK_H
#define STICK_H

#include <hardpoint/input.h>
#include <stdatomic.h>

#define STICK_AXES    5 /* HP_AXIS_ROLL .. HP_AXIS_BRAKE */
#define STICK_BUTTONS 7
#define STICK_NONE    (-1)

struct stick {
    int axis_of[STICK_AXES]; /* the device's number, or STICK_NONE */
    int is_inverted[STICK_AXES];
    int button_of[STICK_BUTTONS];
    double deadzone; /* 0..0.5 of a centred axis */
    double expo;     /* 0..1: how much softer about the centre */
    _Atomic int16_t axes[STICK_AXES];
    _Atomic uint32_t held;    /* HP_BUTTON_* */
    _Atomic uint32_t pressed; /* since the last poll */
};

/* The rows of a plugin that uses this, before its own; the axes' defaults are
 * the device's numbers as texts. */
#define STICK_AXIS_ROW(name_, preset_, what)                              \
    {.name = name_,                                                       \
     .unit = "",                                                          \
     .preset = preset_,                                                   \
     .type = HP_PARAM_TEXT,                                               \
     .sentence = "The axis that is " what ": its number, - before it to " \
                 "turn it round, or none."}
#define STICK_BUTTON_ROW(name_, preset_, what)              \
    {.name = name_,                                         \
     .unit = "",                                            \
     .preset = preset_,                                     \
     .type = HP_PARAM_TEXT,                                 \
     .sentence = "The button " what ": its number, or none."}
#define STICK_ROWS(roll, pitch, yaw, throttle)                               \
    STICK_AXIS_ROW("roll_axis", roll, "roll, + to the right"),               \
        STICK_AXIS_ROW("pitch_axis", pitch, "pitch, + back"),                \
        STICK_AXIS_ROW("yaw_axis", yaw, "yaw, + to the right"),              \
        STICK_AXIS_ROW("throttle_axis", throttle, "the throttle, + open"),   \
        STICK_AXIS_ROW("brake_axis", "none", "the brake, + on"),             \
        STICK_BUTTON_ROW("gun_button", "0", "that fires the gun"),           \
        STICK_BUTTON_ROW("release_button", "1", "that releases a store"),    \
        STICK_BUTTON_ROW("select_button", "2", "that selects the next one"), \
        STICK_BUTTON_ROW("afterburner_button", "3",                          \
                         "that is held for the afterburner"),                \
        STICK_BUTTON_ROW("gear_button", "4", "that moves the gear"),         \
        STICK_BUTTON_ROW("hook_button", "5", "that moves the hook"),         \
        STICK_BUTTON_ROW("respawn_button", "6",                              \
                         "that asks for a new aircraft"),                    \
        {.name = "deadzone",                                                 \
         .unit = "",                                                         \
         .preset = "0.03",                                                   \
         .type = HP_PARAM_REAL,                                              \
         .minimum = 0,                                                       \
         .maximum = 0.5,                                                     \
         .sentence = "How much of a centred axis about its middle is 0."},   \
    {                                                                        \
        .name = "expo", .unit = "", .preset = "0", .type = HP_PARAM_REAL,    \
        .minimum = 0, .maximum = 1,                                          \
        .sentence = "How much softer the stick is about its middle."         \
    }

/* [main] Reads the rows. -EINVAL: told by host->fail. The throttle begins
 * half open. */
int stick_init(struct stick *s, const struct hp_host *host);

/* [device] An axis of the device, -1..1 over its travel. */
void stick_move(struct stick *s, int axis, double value);
/* [device] A button of it. */
void stick_press(struct stick *s, int button, int is_down);
/* [device] It is gone: the stick is centred and the buttons are up; the
 * throttle stays where it was. */
void stick_let_go(struct stick *s);

/* [tick] */
void stick_poll(struct stick *s, struct hp_input *out);

#endif
