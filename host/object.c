#include <config.h>

#include "object.h"
#include "refuse.h"
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More is no plugin; the bound keeps a listing from reading a disk image. */
#define OBJECT_BYTES_MAX (512u << 20)

#if defined(__x86_64__)
#    define OBJECT_MACHINE EM_X86_64
#elif defined(__aarch64__)
#    define OBJECT_MACHINE EM_AARCH64
#elif defined(__riscv)
#    define OBJECT_MACHINE EM_RISCV
#elif defined(__powerpc64__)
#    define OBJECT_MACHINE EM_PPC64
#elif defined(__arm__)
#    define OBJECT_MACHINE EM_ARM
#elif defined(__i386__)
#    define OBJECT_MACHINE EM_386
#else
#    error "name this machine's ELF number here and below"
#endif

static const struct {
    unsigned number;
    const char *name;
} machines[] = {
    {EM_X86_64,  "x86-64"    },
    {EM_AARCH64, "arm64"     },
    {EM_RISCV,   "RISC-V"    },
    {EM_PPC64,   "POWER"     },
    {EM_ARM,     "32-bit ARM"},
    {EM_386,     "32-bit x86"},
};

static const char *
machine_name(unsigned number)
{
    size_t i;

    for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
        if (machines[i].number == number)
            return machines[i].name;
    return "another processor";
}

/* Whether `bytes` at `offset` lie within the file. */
static int
holds(const struct object *o, uint64_t offset, uint64_t bytes)
{
    return offset <= o->count && bytes <= o->count - offset;
}

static int
read_all(struct object *o, int fd)
{
    size_t at = 0;
    ssize_t got;

    while (at < o->count) {
        got = read(fd, o->bytes + at, o->count - at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            break;
        at += (size_t)got;
    }
    o->count = at;
    return 0;
}

static int
read_file(struct object *o, const char *file, char *why)
{
    struct stat status;
    /* Without O_NONBLOCK a FIFO of that name would hang the host. */
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int err;

    if (fd < 0) {
        err = -errno;
        return refuse(why, err, "%s: cannot be read: %s", file, strerror(-err));
    }
    err = fstat(fd, &status) < 0 ? -errno : 0;
    if (err < 0)
        refuse(why, err, "%s: cannot be read: %s", file, strerror(-err));
    else if (S_ISDIR(status.st_mode))
        err = refuse(why, -ENOEXEC,
                     "%s: is a folder, expected a plugin's file; name the .so "
                     "in it",
                     file);
    else if (!S_ISREG(status.st_mode) || status.st_size > OBJECT_BYTES_MAX)
        err = refuse(why, -ENOEXEC,
                     "%s: is not a regular file under %u MiB, expected a "
                     "shared object (.so)",
                     file, OBJECT_BYTES_MAX >> 20);
    if (err < 0)
        goto out;
    o->count = (size_t)status.st_size;
    o->bytes = malloc(o->count + 1);
    if (o->bytes == NULL)
        err = refuse(why, -ENOMEM, "%s: no memory to read it", file);
    else if ((err = read_all(o, fd)) < 0)
        refuse(why, err, "%s: cannot be read: %s", file, strerror(-err));
out:
    close(fd);
    return err;
}

/* What the first bytes say: ELF, of our class and processor, shared. */
static int
judge_header(const struct object *o, const ElfW(Ehdr) * h, char *why)
{
    static const unsigned char class_here =
        sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

    if (o->count < EI_NIDENT || memcmp(o->bytes, ELFMAG, SELFMAG) != 0)
        return refuse(why, -ENOEXEC,
                      "%s: is not an ELF file, expected a shared object (.so) "
                      "as a compiler makes it with -shared",
                      o->file);
    if (o->bytes[EI_CLASS] != class_here || o->bytes[EI_DATA] != ELFDATA2LSB)
        return refuse(why, -ENOEXEC,
                      "%s: is built for a %s-bit %s-endian machine, this host "
                      "runs on %s; build it for this machine",
                      o->file, o->bytes[EI_CLASS] == ELFCLASS64 ? "64" : "32",
                      o->bytes[EI_DATA] == ELFDATA2LSB ? "little" : "big",
                      machine_name(OBJECT_MACHINE));
    if (o->count < sizeof(*h))
        return refuse(why, -ENOEXEC,
                      "%s: is cut short within its ELF header (%zu bytes); "
                      "copy or build it again",
                      o->file, o->count);
    if (h->e_machine != OBJECT_MACHINE)
        return refuse(why, -ENOEXEC,
                      "%s: is built for %s, this host runs on %s; build it "
                      "for this machine",
                      o->file, machine_name(h->e_machine),
                      machine_name(OBJECT_MACHINE));
    if (h->e_type != ET_DYN)
        return refuse(why, -ENOEXEC,
                      "%s: is an ELF file but not a shared object; link it "
                      "with -shared",
                      o->file);
    return 0;
}

/* A segment that the file does not hold would be a bus error once mapped. */
static int
judge_extent(struct object *o, const ElfW(Ehdr) * h, char *why)
{
    uint64_t end = h->e_shoff + (uint64_t)h->e_shnum * h->e_shentsize;
    ElfW(Phdr) segment;
    size_t i;

    if (h->e_phentsize != sizeof(segment) || h->e_phnum == 0)
        return refuse(why, -ENOEXEC,
                      "%s: has no program headers that can be read; build it "
                      "again",
                      o->file);
    if (!holds(o, h->e_phoff, (uint64_t)h->e_phnum * sizeof(segment)))
        goto cut_short;
    o->segments = o->bytes + h->e_phoff;
    o->segment_count = h->e_phnum;
    for (i = 0; i < o->segment_count; i++) {
        memcpy(&segment, o->segments + i * sizeof(segment), sizeof(segment));
        if (!holds(o, segment.p_offset, segment.p_filesz))
            goto cut_short;
    }
    /* The last thing in most files, so what a broken copy loses first. */
    if (h->e_shoff > o->count || end > o->count)
        goto cut_short;
    return 0;

cut_short:
    return refuse(why, -ENOEXEC,
                  "%s: is cut short (%zu bytes, its headers speak of more); "
                  "copy or build it again",
                  o->file, o->count);
}

/* Where in the file an address of the loaded object lies, or NULL. */
static const uint8_t *
at_address(const struct object *o, uint64_t address, uint64_t bytes)
{
    ElfW(Phdr) segment;
    uint64_t into;
    size_t i;

    for (i = 0; i < o->segment_count; i++) {
        memcpy(&segment, o->segments + i * sizeof(segment), sizeof(segment));
        if (segment.p_type != PT_LOAD || address < segment.p_vaddr)
            continue;
        into = address - segment.p_vaddr;
        if (into <= segment.p_filesz && bytes <= segment.p_filesz - into)
            return o->bytes + segment.p_offset + into;
    }
    return NULL;
}

static int
dynamic_entry(const struct object *o, size_t index, ElfW(Dyn) * out)
{
    if (index >= o->dynamic_count)
        return 0;
    memcpy(out, o->dynamic + index * sizeof(*out), sizeof(*out));
    return out->d_tag != DT_NULL;
}

/* Finds the dynamic section and its strings; leaves NULL what is not sound. */
static void
find_dynamic(struct object *o)
{
    uint64_t strings = 0, bytes = 0;
    ElfW(Phdr) segment;
    ElfW(Dyn) entry;
    const uint8_t *at;
    size_t i;

    for (i = 0; i < o->segment_count; i++) {
        memcpy(&segment, o->segments + i * sizeof(segment), sizeof(segment));
        if (segment.p_type != PT_DYNAMIC)
            continue;
        o->dynamic = o->bytes + segment.p_offset;
        o->dynamic_count = segment.p_filesz / sizeof(entry);
    }
    for (i = 0; dynamic_entry(o, i, &entry); i++) {
        if (entry.d_tag == DT_STRTAB)
            strings = entry.d_un.d_ptr;
        else if (entry.d_tag == DT_STRSZ)
            bytes = entry.d_un.d_val;
    }
    at = bytes > 0 ? at_address(o, strings, bytes) : NULL;
    if (at == NULL || at[bytes - 1] != '\0')
        return;
    o->strings = (const char *)at;
    o->string_bytes = bytes;
}

int
object_read(struct object *o, const char *file, char *why)
{
    ElfW(Ehdr) header;
    int err;

    memset(o, 0, sizeof(*o));
    memset(&header, 0, sizeof(header));
    o->file = file;
    err = read_file(o, file, why);
    if (err < 0)
        goto fail;
    memcpy(&header, o->bytes,
           o->count < sizeof(header) ? o->count : sizeof(header));
    err = judge_header(o, &header, why);
    if (err < 0)
        goto fail;
    err = judge_extent(o, &header, why);
    if (err < 0)
        goto fail;
    find_dynamic(o);
    return 0;

fail:
    object_free(o);
    return err;
}

void
object_free(struct object *o)
{
    free(o->bytes);
    memset(o, 0, sizeof(*o));
}

/* One note segment: header, owner, descriptor, each padded to `align`. */
static size_t
notes_of_segment(const uint8_t *at, size_t count, size_t align,
                 const char *owner, uint32_t type, const uint8_t **bytes,
                 size_t *byte_count)
{
    size_t owner_bytes = strlen(owner) + 1, found = 0, name, note;
    ElfW(Nhdr) header;

    while (count >= sizeof(header)) {
        memcpy(&header, at, sizeof(header));
        at += sizeof(header);
        count -= sizeof(header);
        name = ((size_t)header.n_namesz + align - 1) & ~(align - 1);
        if (name > count)
            break;
        note = ((size_t)header.n_descsz + align - 1) & ~(align - 1);
        /* The last one's padding may be missing. */
        if (header.n_descsz > count - name)
            break;
        if (note > count - name)
            note = count - name;
        if (header.n_type == type && header.n_namesz == owner_bytes &&
            memcmp(at, owner, owner_bytes) == 0 && found++ == 0) {
            *bytes = at + name;
            *byte_count = header.n_descsz;
        }
        at += name + note;
        count -= name + note;
    }
    return found;
}

size_t
object_note(const struct object *o, const char *owner, uint32_t type,
            const uint8_t **bytes, size_t *count)
{
    const uint8_t *other;
    size_t i, other_count, found = 0;
    ElfW(Phdr) segment;

    for (i = 0; i < o->segment_count; i++) {
        memcpy(&segment, o->segments + i * sizeof(segment), sizeof(segment));
        if (segment.p_type != PT_NOTE)
            continue;
        found += notes_of_segment(o->bytes + segment.p_offset, segment.p_filesz,
                                  segment.p_align == 8 ? 8 : 4, owner, type,
                                  found == 0 ? bytes : &other,
                                  found == 0 ? count : &other_count);
    }
    return found;
}

const char *
object_needs(const struct object *o, size_t index)
{
    ElfW(Dyn) entry;
    size_t i;

    for (i = 0; dynamic_entry(o, i, &entry); i++)
        if (entry.d_tag == DT_NEEDED && index-- == 0)
            return entry.d_un.d_val < o->string_bytes
                       ? o->strings + entry.d_un.d_val
                       : "";
    return NULL;
}

/* How many entries the symbol table has: the hash table alone says it. */
static size_t
symbol_count(const struct object *o, uint64_t hash)
{
    uint32_t buckets, first, chain, last = 0, i;
    const uint8_t *at = at_address(o, hash, 16), *list;
    uint32_t bloom;

    if (at == NULL)
        return 0;
    memcpy(&buckets, at, 4);
    memcpy(&first, at + 4, 4);
    memcpy(&bloom, at + 8, 4);
    hash += 16 + (uint64_t)bloom * sizeof(ElfW(Addr));
    list = at_address(o, hash, (uint64_t)buckets * 4);
    for (i = 0; list != NULL && i < buckets; i++) {
        memcpy(&chain, list + (size_t)i * 4, 4);
        last = chain > last ? chain : last;
    }
    if (list == NULL || last < first)
        return first; /* it defines nothing */
    hash += (uint64_t)buckets * 4;
    do {
        at = at_address(o, hash + (uint64_t)(last - first) * 4, 4);
        if (at == NULL)
            return last;
        memcpy(&chain, at, 4);
        last++;
    } while (!(chain & 1));
    return last;
}

const char *
object_defines(const struct object *o, size_t index)
{
    uint64_t symbols = 0, hash = 0;
    const uint8_t *at;
    ElfW(Dyn) entry;
    ElfW(Sym) symbol;
    size_t i, count;

    for (i = 0; dynamic_entry(o, i, &entry); i++) {
        if (entry.d_tag == DT_SYMTAB)
            symbols = entry.d_un.d_ptr;
        else if (entry.d_tag == DT_GNU_HASH)
            hash = entry.d_un.d_ptr;
    }
    count = hash != 0 ? symbol_count(o, hash) : 0;
    for (i = 0; i < count; i++) {
        at = at_address(o, symbols + i * sizeof(symbol), sizeof(symbol));
        if (at == NULL)
            return NULL;
        memcpy(&symbol, at, sizeof(symbol));
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_name < o->string_bytes &&
            index-- == 0)
            return o->strings + symbol.st_name;
    }
    return NULL;
}

int
object_mentions(const struct object *o, const char *symbol)
{
    size_t bytes = strlen(symbol) + 1;
    const char *at = o->strings;
    size_t left = o->string_bytes;

    while (at != NULL && (at = memmem(at, left, symbol, bytes)) != NULL) {
        if (at > o->strings && at[-1] == '\0')
            return 1;
        at++;
        left = o->string_bytes - (size_t)(at - o->strings);
    }
    return 0;
}
