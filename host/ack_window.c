#include "ack_window.h"
#include <string.h>

#define WORDS (ACK_WINDOW_TICKS / 64)

void
ack_window_reset(struct ack_window *w)
{
    memset(w, 0, sizeof(*w));
}

/* Makes room for `by` newer ticks. */
static void
shift(struct ack_window *w, uint64_t by)
{
    uint32_t words = (uint32_t)(by / 64), bits = (uint32_t)(by % 64), i;

    if (by >= ACK_WINDOW_TICKS) {
        memset(w->bits, 0, sizeof(w->bits));
        return;
    }
    for (i = WORDS; i-- > 0;) {
        w->bits[i] = i >= words ? w->bits[i - words] << bits : 0;
        if (bits > 0 && i > words)
            w->bits[i] |= w->bits[i - words - 1] >> (64 - bits);
    }
}

int
ack_window_mark(struct ack_window *w, uint64_t tick)
{
    uint64_t back;

    if (w->count == 0) {
        w->newest = tick;
        w->count = 1;
        w->bits[0] = 1;
        return 1;
    }
    if (tick > w->newest) {
        back = tick - w->newest;
        shift(w, back);
        w->bits[0] |= 1;
        w->newest = tick;
        w->count = back + w->count > ACK_WINDOW_TICKS
                       ? ACK_WINDOW_TICKS
                       : (uint32_t)(back + w->count);
        return 1;
    }
    back = w->newest - tick;
    if (back >= ACK_WINDOW_TICKS || ack_window_has(w, tick))
        return 0;
    w->bits[back / 64] |= 1ull << back % 64;
    if (back >= w->count)
        w->count = (uint32_t)back + 1;
    return 1;
}

int
ack_window_has(const struct ack_window *w, uint64_t tick)
{
    uint64_t back = w->newest - tick;

    if (w->count == 0 || tick > w->newest || back >= ACK_WINDOW_TICKS)
        return 0;
    return w->bits[back / 64] >> back % 64 & 1;
}
