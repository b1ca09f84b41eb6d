/*
 * A bad link, made by arithmetic: delay, jitter, loss, duplication and
 * reordering of datagrams, the same for the same seed. It knows no socket;
 * net.c puts datagrams in and takes them out at the time that is drawn for
 * each. It belongs to the net's thread and allocates at create only.
 */
#ifndef NET_SIMULATOR_H
#define NET_SIMULATOR_H

#include <stddef.h>
#include <stdint.h>

#define NET_SIMULATOR_DATAGRAM_MAX 1200
#define NET_SIMULATOR_MS_MAX       10000

/* All zero: the link is left alone. */
struct net_simulator {
    double delay_ms;  /* of each datagram, one way */
    double jitter_ms; /* each one's delay differs by up to so much, either way;
                       * never below 0 */
    double loss_percent;
    double duplicate_percent;
    double reorder_percent; /* held back 10 to 50 ms more, to be overtaken */
    uint64_t seed;          /* everything random comes from it */
    int sends_only; /* 0: what is received suffers too, so one host makes the
                     * link bad both ways; 1: the other end does its half */
};

int net_simulator_is_on(const struct net_simulator *simulator);

/*
 * Reads "delay=50,jitter=5,loss=2", and duplicate, reorder and seed, in any
 * order; what is not named is 0. -EINVAL: another word, or no number, or one
 * out of range (milliseconds up to 10000, percents up to 100); `out` is then
 * untouched.
 */
int net_simulator_parse(const char *text, struct net_simulator *out);

struct net_datagram {
    uint32_t host; /* as ENet has it */
    uint16_t port;
    uint16_t count;
    uint8_t bytes[NET_SIMULATOR_DATAGRAM_MAX];
};

struct net_link; /* one direction */

/* `stream` tells the directions of one seed apart; `capacity` datagrams may be
 * on their way. -ENOMEM. */
int net_link_create(struct net_link **out,
                    const struct net_simulator *simulator, uint64_t stream,
                    uint32_t capacity);
/* From now on datagrams fare by these values; the luck goes on. */
void net_link_change(struct net_link *link,
                     const struct net_simulator *simulator);
/* Accepts NULL. */
void net_link_destroy(struct net_link *link);

/* For fuzzing: `mangle` may change each datagram that is put in. */
typedef void net_mangler(void *context, struct net_datagram *datagram);
void net_link_mangle(struct net_link *link, net_mangler *mangle, void *context);

/* Sends a datagram on its way, or loses it; one that finds the link full is
 * lost, as in a router. */
void net_link_put(struct net_link *link, const struct net_datagram *datagram,
                  uint64_t now_ns);
/* The next that arrives, or NULL: none by now. Lives until the next call. */
const struct net_datagram *net_link_take(struct net_link *link,
                                         uint64_t now_ns);
/* When that will be; UINT64_MAX: nothing is on its way. */
uint64_t net_link_due_ns(const struct net_link *link);
/* Datagrams lost so far, by chance or because the link was full. */
uint64_t net_link_lost(const struct net_link *link);

#endif
