/*
 * Which snapshots were decoded: the newest tick, and a bit for each of the
 * 1023 before it. The client keeps one and sends it with every input; the
 * server keeps one for each client and learns from what it is sent.
 */
#ifndef ACK_WINDOW_H
#define ACK_WINDOW_H

#include <stdint.h>

#define ACK_WINDOW_TICKS 1024

struct ack_window {
    uint64_t newest;
    uint32_t count;                       /* bits told, 0: nothing yet */
    uint64_t bits[ACK_WINDOW_TICKS / 64]; /* bit i: tick newest - i */
};

void ack_window_reset(struct ack_window *w);
/* Marks a tick; 1 when that is new, 0 when known or older than the window. */
int ack_window_mark(struct ack_window *w, uint64_t tick);
int ack_window_has(const struct ack_window *w, uint64_t tick);

#endif
