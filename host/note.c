#include "note.h"
#include "object.h"
#include "refuse.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

/* Ends a text and takes out what could steer a terminal. */
static void
tidy(char *text, size_t bytes)
{
    unsigned char *at;

    text[bytes - 1] = '\0';
    for (at = (unsigned char *)text; *at != '\0'; at++)
        if (*at < ' ' || *at == 0x7f)
            *at = '?';
}

int
note_of_object(const struct object *o, struct hp_note *out, char *why)
{
    const uint8_t *bytes = NULL;
    size_t count = 0;
    size_t found = object_note(o, HP_NOTE_OWNER, HP_NOTE_TYPE, &bytes, &count);

    memset(out, 0, sizeof(*out));
    if (found == 0)
        return refuse(why, -ENOMSG,
                      "%s: is a shared object without a Hardpoint note, "
                      "expected one in section .note.hardpoint; if it is a "
                      "plugin, put HP_PLUGIN_NOTE in its source and build it "
                      "again",
                      o->file);
    if (found > 1)
        return refuse(why, -EBADMSG,
                      "%s: has %zu Hardpoint notes, expected one; put "
                      "HP_PLUGIN_NOTE in one source file only",
                      o->file, found);
    memcpy(out, bytes, count < sizeof(*out) ? count : sizeof(*out));
    tidy(out->name, sizeof(out->name));
    tidy(out->version, sizeof(out->version));
    tidy(out->summary, sizeof(out->summary));
    tidy(out->license, sizeof(out->license));
    tidy(out->author, sizeof(out->author));
    /* Of another major only the head is the same; its caller refuses it. */
    if (count < offsetof(struct hp_note, kind) || out->size != count ||
        (out->abi_major == HP_ABI_MAJOR && count < sizeof(*out)))
        return refuse(why, -EBADMSG,
                      "%s: its Hardpoint note is %zu bytes long and says %u, "
                      "expected %zu; build it again with HP_PLUGIN_NOTE of "
                      "hardpoint/plugin.h",
                      o->file, count, (unsigned)out->size, sizeof(*out));
    return 0;
}

int
note_read(const char *file, struct hp_note *out, char *why)
{
    struct object object;
    int err = object_read(&object, file, why);

    memset(out, 0, sizeof(*out));
    if (err < 0)
        return err;
    err = note_of_object(&object, out, why);
    object_free(&object);
    return err;
}
