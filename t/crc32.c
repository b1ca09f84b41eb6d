#include "crc32.h"
#include "tap.h"
#include <enet/enet.h>

static void
the_check_value_is_the_standards(void)
{
    ok_int(crc32_add(0, "123456789", 9), 0xcbf43926);
    ok_int(crc32_add(0, "", 0), 0);
}

/* ENet's own on the other end must agree, however the bytes are cut. */
static void
every_length_and_cut_agrees_with_enet(void)
{
    uint8_t bytes[600];
    ENetBuffer buffer = {.data = bytes};
    uint32_t whole, i;
    size_t count, cut;

    for (i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * i * 31 + i / 7);
    for (count = 0; count <= sizeof(bytes); count++) {
        buffer.dataLength = count;
        whole = crc32_add(0, bytes, count);
        ok_int(whole, ENET_NET_TO_HOST_32(enet_crc32(&buffer, 1)));
        cut = count * 5 / 7;
        ok_int(crc32_add(crc32_add(0, bytes, cut), bytes + cut, count - cut),
               whole);
    }
}

TAP_MAIN(FACT(the_check_value_is_the_standards),
         FACT(every_length_and_cut_agrees_with_enet))
