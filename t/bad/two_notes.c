/* A note twice, and they differ. */
#include "bad.h"

BAD_NOTE;
__attribute__((section(".note.hardpoint"), used,
               aligned(4))) static const struct hp_note_section second = {
    sizeof(HP_NOTE_OWNER),
    sizeof(struct hp_note),
    HP_NOTE_TYPE,
    HP_NOTE_OWNER,
    {sizeof(struct hp_note), 1, 0, 0, HP_KIND_SIM, 0, "other", "", "", "", ""}
};
BAD_TABLE;
