/*
 * A recorded stick for a scenario, in the CSV form of conf/traces: a header
 * with time_s and any of roll, pitch, yaw, throttle, brake and buttons, then
 * rows in order of time. Lines that are blank or start with # are passed over.
 */
#ifndef SIM_FLY_TRACE_H
#define SIM_FLY_TRACE_H

#include <hardpoint/types.h>
#include <stddef.h>

#define FLY_TRACE_ROWS_MAX 2048
#define FLY_TRACE_AXES     5

struct fly_trace_row {
    double time_s;
    double axes[FLY_TRACE_AXES]; /* -1 .. 1, by HP_AXIS_* */
    uint32_t buttons;            /* HP_BUTTON_*, until the next row */
};

struct fly_trace {
    struct fly_trace_row rows[FLY_TRACE_ROWS_MAX];
    size_t count; /* at least 1 once it is read */
};

/* Reads a file. 0, or a negative errno and in `why` FILE:LINE:COL: and what was
 * found, what was expected. */
int fly_trace_read(struct fly_trace *out, const char *path, char *why,
                   size_t why_bytes);

/* What the stick does at `time_s`: straight between rows, as at the ends beyond
 * them; a button that was down since `time_s` - `tick_s` is not lost. */
void fly_trace_sample(const struct fly_trace *t, double time_s, double tick_s,
                      struct hp_input *out);

#endif
