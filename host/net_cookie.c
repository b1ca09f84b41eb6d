#include "net_cookie.h"
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#define EPOCH_NS          UINT64_C(30000000000)
#define PEER_NONE         0x0fff
#define FLAG_SENT_TIME    0x8000
#define FLAG_COMPRESSED   0x4000
#define CHECKSUM_BYTES    4
#define COMMAND_BYTES     4 /* the shortest command, and every one's head */
#define COMMAND_MASK      0x0f
#define COMMAND_CONNECT   2
#define CONNECT_BYTES     48
#define CONNECT_ID_OFFSET 40
#define DATA_OFFSET       44

static const uint8_t magic[8] = {0xff, 0xff, 'H', 'P', 'C', 'O', 'O', 'K'};

int
cookie_jar_init(struct cookie_jar *jar)
{
    ssize_t got = getrandom(jar->key, sizeof(jar->key), 0);

    return got == (ssize_t)sizeof(jar->key) ? 0 : -EIO;
}

static unsigned
big_u16(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static uint32_t
big_u32(const uint8_t *bytes)
{
    return (uint32_t)big_u16(bytes) << 16 | big_u16(bytes + 2);
}

static void
put_big_u32(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)(value >> 24);
    bytes[1] = (uint8_t)(value >> 16);
    bytes[2] = (uint8_t)(value >> 8);
    bytes[3] = (uint8_t)value;
}

/* Where the first command begins. */
static size_t
header_bytes(const uint8_t *bytes)
{
    return (big_u16(bytes) & FLAG_SENT_TIME ? 4 : 2) + CHECKSUM_BYTES;
}

/* There is room for a command, and it is not compressed: ENet would look for a
 * checksum past the end of what is shorter. */
static int
is_enet(const uint8_t *bytes, size_t count)
{
    return count >= 2 && !(big_u16(bytes) & FLAG_COMPRESSED) &&
           count >= header_bytes(bytes) + COMMAND_BYTES;
}

int
cookie_is_session(const uint8_t *bytes, size_t count)
{
    return is_enet(bytes, count) && (big_u16(bytes) & PEER_NONE) != PEER_NONE;
}

/* Never 0: that is what a CONNECT without a cookie carries. */
static uint32_t
bake(const struct cookie_jar *jar, struct cookie_address from, uint64_t epoch)
{
    uint8_t bytes[16] = {0};
    uint32_t cookie;

    memcpy(bytes, &from.host, 4);
    memcpy(bytes + 4, &from.port, 2);
    memcpy(bytes + 8, &epoch, 8);
    cookie = (uint32_t)siphash(jar->key, bytes, sizeof(bytes));
    return cookie != 0 ? cookie : 1;
}

enum cookie_verdict
cookie_judge(const struct cookie_jar *jar, struct cookie_address from,
             uint64_t now_ns, const uint8_t *bytes, size_t count,
             uint32_t *connect_id)
{
    const uint8_t *connect;
    uint32_t cookie;

    if (cookie_is_session(bytes, count))
        return COOKIE_SESSION;
    /* A client's first datagram holds this one command and no more. */
    if (!is_enet(bytes, count) || count != header_bytes(bytes) + CONNECT_BYTES)
        return COOKIE_BAD;
    connect = bytes + header_bytes(bytes);
    if ((connect[0] & COMMAND_MASK) != COMMAND_CONNECT)
        return COOKIE_BAD;
    memcpy(connect_id, connect + CONNECT_ID_OFFSET, sizeof(*connect_id));
    cookie = big_u32(connect + DATA_OFFSET);
    /* One that was baked just before the epoch turned is still good. */
    if (cookie == bake(jar, from, now_ns / EPOCH_NS) ||
        cookie == bake(jar, from, now_ns / EPOCH_NS - 1))
        return COOKIE_PROVEN;
    return COOKIE_UNPROVEN;
}

void
cookie_challenge(const struct cookie_jar *jar, struct cookie_address from,
                 uint64_t now_ns, uint32_t connect_id,
                 uint8_t bytes[COOKIE_CHALLENGE_BYTES])
{
    memcpy(bytes, magic, sizeof(magic));
    memcpy(bytes + 8, &connect_id, sizeof(connect_id));
    put_big_u32(bytes + 12, bake(jar, from, now_ns / EPOCH_NS));
}

uint32_t
cookie_read_challenge(const uint8_t *bytes, size_t count, uint32_t connect_id)
{
    if (count != COOKIE_CHALLENGE_BYTES ||
        memcmp(bytes, magic, sizeof(magic)) != 0 ||
        memcmp(bytes + 8, &connect_id, sizeof(connect_id)) != 0)
        return 0;
    return big_u32(bytes + 12);
}
