/*
 * The cookie by which an address proves that it can be reached before ENet
 * allocates anything for it. Plain bytes in and out; for net.c only.
 *
 *     client                                      server
 *       CONNECT, data 0             ---->           nothing is kept
 *                                   <----   challenge with a cookie
 *       CONNECT, data = the cookie  ---->           ENet takes over
 *
 * An ENet datagram begins so (big-endian; the checksum is always on here; the
 * connect id is copied, never read as a number):
 *
 *     flags:2 session:2 peer:12  u16     peer 0xfff: not connected yet
 *     sent time                  u16     with flag 0x8000
 *     checksum                   u32
 *     command                    u8      low 4 bits; 2 is CONNECT
 *     ... 39 bytes ...
 *     connect id                 u32     of CONNECT
 *     data                       u32     of CONNECT
 *
 * A challenge, at most as long as any CONNECT:
 *
 *     ff ff 'H' 'P' 'C' 'O' 'O' 'K'  connect id u32  cookie u32
 *
 * Its first two bytes make it a datagram that ENet itself would ignore.
 */
#ifndef NET_COOKIE_H
#define NET_COOKIE_H

#include "siphash.h"
#include <stddef.h>
#include <stdint.h>

#define COOKIE_CHALLENGE_BYTES 16

/* What a server makes its cookies from; nobody else knows the key. */
struct cookie_jar {
    uint8_t key[SIPHASH_KEY_BYTES];
};

struct cookie_address {
    uint32_t host; /* as ENet has it, any order of bytes */
    uint16_t port;
};

enum cookie_verdict {
    COOKIE_SESSION,  /* belongs to a connection: ENet judges it */
    COOKIE_PROVEN,   /* CONNECT with a good cookie */
    COOKIE_UNPROVEN, /* CONNECT without: deserves a challenge */
    COOKIE_BAD       /* nothing that a client of ours sends */
};

/* -EIO: the kernel gave no random bytes. */
int cookie_jar_init(struct cookie_jar *jar);

/* Judges a datagram that came to a server. A CONNECT's id goes to
 * `connect_id`. */
enum cookie_verdict cookie_judge(const struct cookie_jar *jar,
                                 struct cookie_address from, uint64_t now_ns,
                                 const uint8_t *bytes, size_t count,
                                 uint32_t *connect_id);

/* The challenge that answers an unproven CONNECT. */
void cookie_challenge(const struct cookie_jar *jar, struct cookie_address from,
                      uint64_t now_ns, uint32_t connect_id,
                      uint8_t bytes[COOKIE_CHALLENGE_BYTES]);

/* The cookie of a challenge to this connect, or 0: it is none. */
uint32_t cookie_read_challenge(const uint8_t *bytes, size_t count,
                               uint32_t connect_id);

/* A datagram whose header could be one of ENet's, within a connection. */
int cookie_is_session(const uint8_t *bytes, size_t count);

#endif
