/*
 * Addresses that a server does not talk to: a file of IPv4 addresses and
 * networks, one a line. Read only once it is loaded, by any thread.
 *
 *     # the one who floods
 *     203.0.113.7
 *     198.51.100.0/24    ; and his friends
 */
#ifndef BANS_H
#define BANS_H

#include <stdint.h>
#include <stdio.h>

struct bans;

/*
 * Reads a file ("": none, and nobody is banned); each problem goes to `errors` as file:line. 0; -EINVAL: it has
 * problems; -ENOMEM; or why it cannot be read. `out` is written on success
 * only.
 */
int bans_load(struct bans **out, const char *path, FILE *errors);
/* Accepts NULL. */
void bans_destroy(struct bans *bans);

/* Whether the address (in network order) is in the file; NULL bans nobody. */
int bans_have(const struct bans *bans, uint32_t host);
uint32_t bans_count(const struct bans *bans);

#endif
