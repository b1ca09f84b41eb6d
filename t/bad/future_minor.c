/* Needs a minor that is not there yet. */
#include "bad.h"

__attribute__((section(".note.hardpoint"), used,
               aligned(4))) static const struct hp_note_section note = {
    sizeof(HP_NOTE_OWNER),
    sizeof(struct hp_note),
    HP_NOTE_TYPE,
    HP_NOTE_OWNER,
    {sizeof(struct hp_note), 1, 7, 7, HP_KIND_AGENT, 0, HP_NAME, HP_VERSION,
      HP_SUMMARY, HP_LICENSE, HP_AUTHOR}
};
BAD_TABLE;
