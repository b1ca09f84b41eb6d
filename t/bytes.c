#include "tap.h"
#include <stdint.h>
#include <wire/bytes.h>

static void
what_is_put_is_got(void)
{
    static const uint64_t values[] = {0,   1,          127,       128,
                                      300, UINT32_MAX, UINT64_MAX};
    static const int64_t signeds[] = {0, -1, 1, -64, 64, INT64_MIN, INT64_MAX};
    uint8_t buffer[256];
    char text[8];
    struct bytes_out out;
    struct bytes_in in;
    size_t i;

    bytes_out_init(&out, buffer, sizeof(buffer));
    for (i = 0; i < 7; i++) {
        bytes_put_varint(&out, values[i]);
        bytes_put_zigzag(&out, signeds[i]);
        bytes_put_u64(&out, values[i]);
    }
    bytes_put_u16(&out, 0xbeef);
    bytes_put_text(&out, "Viper");
    ok_int(out.bad, 0);
    bytes_in_init(&in, buffer, out.count);
    for (i = 0; i < 7; i++) {
        ok(bytes_get_varint(&in) == values[i]);
        ok(bytes_get_zigzag(&in) == signeds[i]);
        ok(bytes_get_u64(&in) == values[i]);
    }
    ok_int(bytes_get_u16(&in), 0xbeef);
    bytes_get_text(&in, text, sizeof(text));
    ok_text(text, "Viper");
    ok_int(bytes_left(&in), 0);
    ok_int(in.bad, 0);
}

static void
a_full_buffer_is_remembered(void)
{
    uint8_t buffer[3];
    struct bytes_out out;

    bytes_out_init(&out, buffer, sizeof(buffer));
    bytes_put_u32(&out, 1);
    bytes_put_u8(&out, 1);
    ok_int(out.bad, 1);
    ok_int(out.count, 0);
}

static void
reading_past_the_end_gives_zeros_and_is_remembered(void)
{
    static const uint8_t two[] = {0xff, 0xff};
    struct bytes_in in;

    bytes_in_init(&in, two, sizeof(two));
    ok_int(bytes_get_u32(&in), 0);
    ok_int(bytes_get_u8(&in), 0);
    ok_int(bytes_left(&in), 0);
    ok_int(in.bad, 1);
}

static void
a_varint_over_64_bits_is_bad(void)
{
    uint8_t eleven[11];
    struct bytes_in in;

    memset(eleven, 0xff, sizeof(eleven));
    eleven[10] = 1;
    bytes_in_init(&in, eleven, sizeof(eleven));
    ok_int(bytes_get_varint(&in), 0);
    ok_int(in.bad, 1);
}

static void
a_text_that_is_too_long_or_holds_nul_is_bad(void)
{
    static const uint8_t longer[] = {4, 'a', 'b', 'c', 'd'};
    static const uint8_t with_nul[] = {2, 'a', 0};
    char text[4];
    struct bytes_in in;

    bytes_in_init(&in, longer, sizeof(longer));
    bytes_get_text(&in, text, sizeof(text));
    ok_text(text, "");
    ok_int(in.bad, 1);
    bytes_in_init(&in, with_nul, sizeof(with_nul));
    bytes_get_text(&in, text, sizeof(text));
    ok_text(text, "");
    ok_int(in.bad, 1);
}

TAP_MAIN(FACT(what_is_put_is_got), FACT(a_full_buffer_is_remembered),
         FACT(reading_past_the_end_gives_zeros_and_is_remembered),
         FACT(a_varint_over_64_bits_is_bad),
         FACT(a_text_that_is_too_long_or_holds_nul_is_bad))
