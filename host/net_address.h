/*
 * IPv4 addresses from text and to text; for net.c.
 */
#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

/*
 * The IPv4 address of a name or of dotted text, in network order; 0, every
 * interface, for "" and NULL. May block on a name server. -EHOSTUNREACH, with
 * a sentence: an IPv6 address, or a name without an IPv4 one.
 */
int net_resolve(const char *name, uint32_t *host, char *why, size_t why_bytes);

/* 1: an address of this machine (of this network namespace), 0: of another, or
 * not to be told. */
int net_is_own_address(uint32_t host);

/* "127.0.0.1:4776". */
void net_print_address(uint32_t host, uint16_t port, char *text, size_t count);

#endif
