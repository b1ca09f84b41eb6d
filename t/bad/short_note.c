/* A note that ends in the middle of its name. */
#include "bad.h"

__attribute__((section(".note.hardpoint"), used,
               aligned(4))) static const struct {
    uint32_t owner_bytes, note_bytes, type;
    char owner[12];
    uint32_t size;
    uint16_t major, minor, min_minor, kind;
    uint32_t flags;
    char name[4];
} note = {10, 20, 1, "Hardpoint", 20, 1, 0, 0, 7, 0, "bad"};
BAD_TABLE;
