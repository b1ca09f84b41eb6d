/*
 * A recorded stick: rows of time, axes and buttons, read from a CSV file.
 *
 *     time_s,roll,pitch,yaw,throttle,buttons
 *     0,0,0,0,0.8,0
 *     2.5,-1,0.3,0,1,gun+afterburner
 *
 * The header names the columns, in any order; time_s must be among them, and a
 * column that is left out (brake is one more) stays at 0. Roll, pitch and yaw
 * go from -1 to 1, throttle and brake from 0 to 1. Buttons are names joined by
 * "+", or 0. Blank lines and lines that start with # are passed over.
 */
#ifndef INPUT_TRACE_H
#define INPUT_TRACE_H

#include <hardpoint/types.h>
#include <stddef.h>

#define TRACE_AXES 5 /* HP_AXIS_ROLL .. HP_AXIS_BRAKE */

struct trace_row {
    double time_s; /* rises from row to row */
    double axes[TRACE_AXES];
    uint32_t buttons; /* HP_BUTTON_*, from this row to the next */
};

struct trace {
    struct trace_row *rows;
    size_t count; /* at least 1 */
};

/*
 * Reads a file. -EINVAL: `why` says FILE:LINE:COLUMN: what is wrong, the first
 * of it; else `why` says why the file could not be read. -ENOMEM.
 */
int trace_load(struct trace *out, const char *path, char *why,
               size_t why_bytes);
void trace_free(struct trace *t);

/*
 * What the stick does at `time_s`: axes on the line between two rows, and each
 * button that was down at any time in the last `tick_s` until now, so that a
 * press shorter than a tick is not lost. Before the first row and after the
 * last that row holds; with `repeat` the last row's time is time 0 again.
 */
void trace_sample(const struct trace *t, double time_s, double tick_s,
                  int repeat, struct hp_input *out);

#endif
