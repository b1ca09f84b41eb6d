/*
 * libFuzzer target: a short session of a whole host, server and client, on the
 * virtual clock, of whose datagrams some arrive changed. The first half of the
 * input says which of the client's, the other which of the server's,
 * and how:
 *
 *     skip u8                 so many datagrams pass unchanged
 *     kind u8                 0 flip, 1 cut, 2 grow, 3 repeat, 4 replace
 *     where u8, what u8       as the kind takes them
 *
 * ENet's checksum is left out in this build (net.c), or no change would get
 * past it.
 */
#include "links_host.h"
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct mangler {
    const uint8_t *at, *end;
    uint32_t passed;
};

static void
change(struct net_datagram *d, unsigned kind, unsigned where, unsigned what)
{
    size_t at = d->count == 0 ? 0 : where * d->count / 256;

    switch (kind % 5) {
    case 0:
        d->bytes[at] ^= (uint8_t)(what | 1);
        break;
    case 1:
        d->count = (uint16_t)at;
        break;
    case 2:
        while (d->count < sizeof(d->bytes) && what-- > 0)
            d->bytes[d->count++] = (uint8_t)where;
        break;
    case 3:
        if (at > 0 && at * 2 < sizeof(d->bytes)) {
            memmove(d->bytes + at, d->bytes, at);
            d->count = (uint16_t)(at * 2);
        }
        break;
    default:
        d->bytes[at] = (uint8_t)what;
        break;
    }
}

static void
mangle(void *context, struct net_datagram *d)
{
    struct mangler *m = context;

    if (m->end - m->at < 4)
        return;
    if (m->passed++ < m->at[0] % 128u)
        return;
    change(d, m->at[1], m->at[2], m->at[3]);
    m->passed = 0;
    m->at += 4;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct links_host b;
    struct mangler to_server, to_client;
    size_t half = size / 2;

    to_server = (struct mangler){data, data + half, 0};
    to_client = (struct mangler){data + half, data + size, 0};
    links_open(&b, "delay=1");
    log_set_level(0);
    net_mangle(b.host.client->net, mangle, &to_server);
    net_mangle(b.host.server->net, mangle, &to_client);
    host_serve(&b.host, 400 * MS_NS);
    links_close(&b);
    return 0;
}
