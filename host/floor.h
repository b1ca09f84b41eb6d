/*
 * The machine's floor: what a bare timer and a bare UDP echo take here and now,
 * with nothing of the host around them, and who else was busy meanwhile. Every
 * latency that the host reports stands beside these.
 *
 * All calls are [main] and block; the calling thread's timer slack and
 * scheduling class count, so set them first as the measured threads have them.
 */
#ifndef FLOOR_H
#define FLOOR_H

#include "tick.h"
#include <stdint.h>

struct hist;

/*
 * Waits for `samples` ticks of `rate`, as a scheduler does and with nothing to
 * do, and records how late each wake-up came, in ns. A tick that was missed
 * whole counts with its full lateness. Takes samples / rate seconds. -ENOMEM,
 * -EMFILE.
 */
int floor_timer(struct hist *late_ns, struct tick_rate rate, uint32_t samples);

/*
 * Sends one byte to a thread of its own over UDP on 127.0.0.1 and waits for it
 * to come back, `samples` times, one each tick of `rate`; records each round
 * trip in ns. The pace matters: a core that has rested answers later than one
 * that has not, and the host's cores rest between ticks. A byte that does not
 * come back within a second ends it: -ETIMEDOUT. -ENOMEM, -EMFILE, -EAGAIN, or
 * what the socket calls say (-EINTR: a signal came).
 */
int floor_udp_echo(struct hist *rtt_ns, struct tick_rate rate,
                   uint32_t samples);

/* The CPU time of the machine and of this process at one moment. */
struct floor_load {
    uint64_t busy; /* of all cores, in the kernel's clock ticks */
    uint64_t total;
    double own_s; /* this process and the children that it waited for */
};

void floor_load_begin(struct floor_load *load);
/*
 * How many cores others kept busy since floor_load_begin, on average: 0 is a
 * quiet machine; a figure taken beside more than FLOOR_LOAD_QUIET is an upper
 * bound. Time that a hypervisor gave to other machines counts as theirs. NaN:
 * unknown (no /proc/stat, or under a few hundredths of a second since).
 */
double floor_load_foreign_cores(const struct floor_load *begin);

#define FLOOR_LOAD_QUIET 0.15

/* What the figures were taken on; texts are "unknown" where the system does not
 * tell. */
struct floor_machine {
    char kernel[96];   /* "Linux 6.1.0-18-amd64 x86_64" */
    char cpu[96];      /* "AMD Ryzen 7 5800X 8-Core Processor" */
    char governor[32]; /* of the first core: "performance" */
    unsigned cores;    /* that this process may run on */
};

void floor_machine(struct floor_machine *out);

#endif
