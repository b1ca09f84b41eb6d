#include "tap.h"
#include <wire/bits.h>

static uint64_t
mask(unsigned bits)
{
    return bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static void
what_is_put_is_got_at_every_width(void)
{
    uint8_t buffer[600];
    struct bits_out out;
    struct bits_in in;
    unsigned bits;

    memset(buffer, 0xff, sizeof(buffer));
    bits_out_init(&out, buffer, sizeof(buffer));
    for (bits = 0; bits <= 64; bits++) {
        bits_put(&out, 0x123456789abcdef1ull * (bits + 1), bits);
        bits_put(&out, bits & 1, 1);
    }
    ok_int(out.bad, 0);
    ok_int(out.count, 64 * 65 / 2 + 65);
    bits_in_init(&in, buffer, bits_out_bytes(&out));
    for (bits = 0; bits <= 64; bits++) {
        ok(bits_get(&in, bits) ==
           (0x123456789abcdef1ull * (bits + 1) & mask(bits)));
        ok_int(bits_get(&in, 1), bits & 1);
    }
    ok(bits_at_end(&in));
}

static void
the_lowest_bit_comes_first(void)
{
    uint8_t buffer[2];
    struct bits_out out;

    bits_out_init(&out, buffer, sizeof(buffer));
    bits_put(&out, 5, 3);
    bits_put(&out, 0x41, 7);
    ok_int(bits_out_bytes(&out), 2);
    ok_int(buffer[0], 0x0d);
    ok_int(buffer[1], 0x02);
}

static void
a_full_buffer_is_remembered(void)
{
    uint8_t buffer[2] = {0, 0x5a};
    struct bits_out out;

    bits_out_init(&out, buffer, 1);
    bits_put(&out, 1, 7);
    bits_put(&out, 3, 2);
    bits_put(&out, 1, 1);
    ok_int(out.bad, 1);
    ok_int(out.count, 7);
    ok_int(buffer[1], 0x5a);
}

static void
reading_past_the_end_gives_zeros_and_is_remembered(void)
{
    static const uint8_t one[] = {0xff};
    struct bits_in in;

    bits_in_init(&in, one, 1);
    ok_int(bits_get(&in, 5), 31);
    ok_int(bits_get(&in, 4), 0);
    ok_int(bits_get(&in, 1), 0);
    ok_int(in.bad, 1);
    ok(!bits_at_end(&in));
}

static void
the_end_is_the_last_byte_with_zeros(void)
{
    static const uint8_t clean[] = {0x07, 0}, dirty[] = {0x0f};
    struct bits_in in;

    bits_in_init(&in, clean, 1);
    bits_get(&in, 3);
    ok(bits_at_end(&in));
    bits_in_init(&in, clean, 2);
    bits_get(&in, 3);
    ok(!bits_at_end(&in));
    bits_in_init(&in, dirty, 1);
    bits_get(&in, 3);
    ok(!bits_at_end(&in));
}

static void
a_range_needs_so_many_bits(void)
{
    ok_int(bits_needed(0), 0);
    ok_int(bits_needed(1), 1);
    ok_int(bits_needed(2), 2);
    ok_int(bits_needed(255), 8);
    ok_int(bits_needed(256), 9);
    ok_int(bits_needed(UINT64_MAX), 64);
}

TAP_MAIN(FACT(what_is_put_is_got_at_every_width),
         FACT(the_lowest_bit_comes_first), FACT(a_full_buffer_is_remembered),
         FACT(reading_past_the_end_gives_zeros_and_is_remembered),
         FACT(the_end_is_the_last_byte_with_zeros),
         FACT(a_range_needs_so_many_bits))
