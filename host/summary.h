/* A run's summary, for people: rate, lateness, latency of each stage beside
 * the machine's floor, and what each plugin cost. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "host.h"
#include <stdio.h>

/* After host_stop. `timer_floor` holds a bare timer's lateness in ns, measured
 * on this machine just after the run; NULL: not measured. */
void summary_print(const struct host *h, const struct hist *timer_floor,
                   FILE *to);

#endif
