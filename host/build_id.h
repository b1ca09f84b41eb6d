/* What tells one build of a program or a plugin from another. */
#ifndef BUILD_ID_H
#define BUILD_ID_H

#define BUILD_ID_BYTES 64

/*
 * The linker's build id of an ELF file in hexadecimal; of one without, "crc32:"
 * and the checksum of the file. "unknown" when it cannot be read.
 */
void build_id_of(const char *file, char out[BUILD_ID_BYTES]);
/* The same of the running program. */
void build_id_own(char out[BUILD_ID_BYTES]);

#endif
