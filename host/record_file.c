#include <config.h>

#include "crc32.h"
#include "record_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How often a pipe that takes nothing is looked at again, and how often once the
 * host ends. */
#define SLICE_MS    100
#define LAST_SLICES 20

/* A header's limit, before it is known what its own limits are. */
#define FIRST_FRAME_MAX (64u << 20)

static void
put_u32(uint8_t *to, uint32_t value)
{
    struct bytes_out out;

    bytes_out_init(&out, to, 4);
    bytes_put_u32(&out, value);
}

static uint32_t
get_u32(const uint8_t *from)
{
    struct bytes_in in;

    bytes_in_init(&in, from, 4);
    return bytes_get_u32(&in);
}

/* Of length, sequence and payload: a block moved elsewhere is wrong too. */
static uint32_t
block_crc(const uint8_t *head, const uint8_t *payload, size_t count)
{
    return crc32_add(crc32_add(0, head, 8), payload, count);
}

/* ---- writing ---- */

/* The recording of a host that crashed and was started again is the one that
 * matters: it is not written over. */
static int
put_aside(const char *path)
{
    char old[PATH_MAX];
    struct stat status;

    if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
        return 0; /* open says what is wrong */
    if (snprintf(old, sizeof(old), "%s.old", path) >= (int)sizeof(old))
        return -ENAMETOOLONG;
    return rename(path, old) < 0 ? -errno : 0;
}

static int
write_all(struct record_writer *w, const uint8_t *bytes, size_t count)
{
    struct pollfd ready = {.fd = w->fd, .events = POLLOUT};
    int slices = 0;
    ssize_t put;

    while (count > 0) {
        put = write(w->fd, bytes, count);
        if (put > 0) {
            bytes += put;
            count -= (size_t)put;
            w->bytes += (uint64_t)put;
            continue;
        }
        if (put == 0)
            return -EIO;
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN)
            return -errno;
        if (poll(&ready, 1, SLICE_MS) == 0 && w->hurry != NULL && *w->hurry &&
            ++slices > LAST_SLICES)
            return -ETIMEDOUT;
    }
    return 0;
}

int
record_writer_open(struct record_writer *w, const char *path)
{
    int err;

    memset(w, 0, sizeof(*w));
    w->fd = -1;
    w->block = malloc(RECORD_HEAD_BYTES + RECORD_BLOCK_MAX);
    if (w->block == NULL)
        return -ENOMEM;
    err = put_aside(path);
    if (err == 0) {
        /* Without O_NONBLOCK a pipe that nobody reads would hang the host. */
        w->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
        err = w->fd < 0 ? -errno
                        : write_all(w, (const uint8_t *)RECORD_MAGIC,
                                    RECORD_MAGIC_BYTES);
    }
    if (err < 0)
        record_writer_close(w);
    return err;
}

int
record_writer_close(struct record_writer *w)
{
    int err = w->err;

    if (w->block != NULL && w->fd >= 0 && close(w->fd) < 0 && err == 0)
        err = -errno;
    free(w->block);
    memset(w, 0, sizeof(*w));
    w->fd = -1;
    return err;
}

void
record_writer_flush(struct record_writer *w)
{
    if (w->count == 0 || w->err < 0)
        return;
    put_u32(w->block, (uint32_t)w->count);
    put_u32(w->block + 4, w->sequence++);
    put_u32(w->block + 8,
            block_crc(w->block, w->block + RECORD_HEAD_BYTES, w->count));
    w->err = write_all(w, w->block, RECORD_HEAD_BYTES + w->count);
    w->count = 0;
}

static void
gather(struct record_writer *w, const uint8_t *bytes, size_t count)
{
    size_t part;

    while (count > 0) {
        part = RECORD_BLOCK_MAX - w->count;
        if (part > count)
            part = count;
        memcpy(w->block + RECORD_HEAD_BYTES + w->count, bytes, part);
        w->count += part;
        bytes += part;
        count -= part;
        if (w->count < RECORD_BLOCK_MAX)
            continue;
        record_writer_flush(w);
        w->count = 0; /* also when it could not be written */
    }
}

void
record_writer_put(struct record_writer *w, enum record_kind kind,
                  const uint8_t *body, size_t bytes)
{
    uint8_t head[16];
    struct bytes_out out;

    bytes_out_init(&out, head, sizeof(head));
    bytes_put_u8(&out, (uint8_t)kind);
    bytes_put_varint(&out, bytes);
    gather(w, head, out.count);
    gather(w, body, bytes);
}

/* ---- reading ---- */

static size_t
take(struct record_reader *r, void *to, size_t count)
{
    size_t left = r->memory_bytes - r->memory_at;

    if (r->file != NULL)
        return fread(to, 1, count, r->file);
    if (count > left)
        count = left;
    if (count > 0)
        memcpy(to, r->memory + r->memory_at, count);
    r->memory_at += count;
    return count;
}

static int
judge_magic(struct record_reader *r)
{
    char magic[RECORD_MAGIC_BYTES];

    r->frame_max = FIRST_FRAME_MAX;
    r->offset = RECORD_MAGIC_BYTES;
    if (take(r, magic, sizeof(magic)) == sizeof(magic) &&
        memcmp(magic, RECORD_MAGIC, sizeof(magic)) == 0)
        return 0;
    return -ENOMSG;
}

int
record_reader_open(struct record_reader *r, const char *path)
{
    struct stat status;
    int err;

    memset(r, 0, sizeof(*r));
    r->file = fopen(path, "rbe");
    if (r->file == NULL)
        return -errno;
    if (fstat(fileno(r->file), &status) == 0 && S_ISDIR(status.st_mode))
        err = -EISDIR;
    else
        err = judge_magic(r);
    if (err < 0)
        record_reader_close(r);
    return err;
}

int
record_reader_open_memory(struct record_reader *r, const void *bytes,
                          size_t count)
{
    memset(r, 0, sizeof(*r));
    r->memory = bytes;
    r->memory_bytes = count;
    return judge_magic(r);
}

void
record_reader_close(struct record_reader *r)
{
    if (r->file != NULL)
        fclose(r->file);
    free(r->bytes);
    memset(r, 0, sizeof(*r));
}

static int
make_room(struct record_reader *r, size_t count)
{
    size_t capacity = r->capacity == 0 ? 2 * RECORD_BLOCK_MAX : r->capacity;
    uint8_t *bytes;

    if (r->at > 0) {
        memmove(r->bytes, r->bytes + r->at, r->count - r->at);
        r->count -= r->at;
        r->at = 0;
    }
    while (capacity < r->count + count)
        capacity *= 2;
    if (capacity == r->capacity)
        return 0;
    bytes = realloc(r->bytes, capacity);
    if (bytes == NULL)
        return -ENOMEM;
    r->bytes = bytes;
    r->capacity = capacity;
    return 0;
}

/* One more block's payload: 1, 0 at the end, -ENOMEM. */
static int
read_block(struct record_reader *r)
{
    uint8_t head[RECORD_HEAD_BYTES];
    size_t got = take(r, head, sizeof(head)), count;

    if (got == 0)
        return 0;
    r->state = RECORD_TORN;
    if (got < sizeof(head))
        return 0;
    count = get_u32(head);
    r->state = RECORD_DAMAGED;
    if (count == 0 || count > RECORD_BLOCK_MAX ||
        get_u32(head + 4) != r->sequence)
        return 0;
    if (make_room(r, count) < 0)
        return -ENOMEM;
    r->state = RECORD_TORN;
    if (take(r, r->bytes + r->count, count) < count)
        return 0;
    r->state = RECORD_DAMAGED;
    if (get_u32(head + 8) != block_crc(head, r->bytes + r->count, count))
        return 0;
    r->state = RECORD_WHOLE;
    r->count += count;
    r->offset += RECORD_HEAD_BYTES + count;
    r->sequence++;
    return 1;
}

/* Whether the payload at hand begins with a whole frame: 1; 0: more is needed;
 * -EBADMSG. */
static int
find_frame(struct record_reader *r, struct record_frame *out)
{
    struct bytes_in in;
    uint64_t bytes;

    if (r->count == r->at)
        return 0;
    bytes_in_init(&in, r->bytes + r->at, r->count - r->at);
    out->kind = bytes_get_u8(&in);
    bytes = bytes_get_varint(&in);
    if (in.bad)
        return r->count - r->at > 16 ? -EBADMSG : 0;
    if (bytes > r->frame_max)
        return -EBADMSG;
    if (bytes > bytes_left(&in))
        return 0;
    out->bytes = (size_t)bytes;
    out->body = in.bytes + in.at;
    r->at += in.at + out->bytes;
    return 1;
}

int
record_reader_next(struct record_reader *r, struct record_frame *out)
{
    int found, more;

    if (r->state != RECORD_WHOLE)
        return 0;
    while ((found = find_frame(r, out)) == 0) {
        more = read_block(r);
        if (more < 0)
            return more;
        if (more == 0) {
            if (r->state == RECORD_WHOLE && r->at < r->count)
                r->state = RECORD_TORN;
            return 0;
        }
    }
    if (found < 0) {
        r->state = RECORD_DAMAGED;
        return 0;
    }
    return 1;
}
