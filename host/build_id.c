#include <config.h>

#include "build_id.h"
#include "crc32.h"
#include "object.h"
#include <elf.h>
#include <stdio.h>

void
build_id_of(const char *file, char out[BUILD_ID_BYTES])
{
    struct object o;
    const uint8_t *bytes;
    size_t count, i;

    snprintf(out, BUILD_ID_BYTES, "unknown");
    if (object_read(&o, file, NULL) < 0)
        return;
    if (object_note(&o, "GNU", NT_GNU_BUILD_ID, &bytes, &count) > 0 &&
        count > 0 && 2 * count < BUILD_ID_BYTES)
        for (i = 0; i < count; i++)
            snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    else
        snprintf(out, BUILD_ID_BYTES, "crc32:%08x",
                 crc32_add(0, o.bytes, o.count));
    object_free(&o);
}

void
build_id_own(char out[BUILD_ID_BYTES])
{
    build_id_of("/proc/self/exe", out);
}
