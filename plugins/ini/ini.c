/*
 * The reader. inih parses; this file hands it one judged line at a time.
 *
 * inih 55, left alone, reads a line over 199 bytes as two, cuts sections and
 * keys at 49 bytes, takes ":" for "=", drops what follows a "]", tells no line
 * numbers and goes on after an error. So each line is judged before inih sees
 * it, and one that it would mangle is reported and handed over as empty.
 */
#include "ini.h"
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Where bytes come from: a stream or memory. */
struct source {
    FILE *file;
    const char *next; /* when there is no file */
    const char *end;
};

static const char byte_order_mark[] = "\xef\xbb\xbf";

struct reader {
    const struct ini_handler *handler;
    struct source source;
    int problems;

    char
        line[INI_LINE_MAX + 4]; /* what inih will see; a byte-order mark fits */
    int line_number;
    int column; /* of the first byte of `line`: 1, after a byte-order mark 4 */
    int homeless; /* the heading above was refused: what stands under it too */
    int lost;     /* the setting above was refused: its further lines go too */

    char section[INI_SECTION_MAX + 1];
    char key[INI_KEY_MAX + 1]; /* of the setting that is being gathered */
    char *value;
    size_t value_bytes;
    int key_line;
    int value_column;
    int gathering;
    struct ini_part *parts; /* of the value, grown as needed */
    size_t part_count, part_capacity;
    int out_of_memory;
};

/* clang-format off */
__attribute__((format(printf, 3, 4)))
/* clang-format on */
static void
report(struct reader *r, int column, const char *format, ...)
{
    struct ini_problem problem = {r->line_number, column, NULL};
    char sentence[256];
    va_list list;

    va_start(list, format);
    vsnprintf(sentence, sizeof(sentence), format, list);
    va_end(list);
    problem.sentence = sentence;
    r->problems++;
    r->handler->problem(r->handler->context, &problem);
}

/* Gives the setting that was gathered; the next line is not part of it. */
static void
deliver(struct reader *r)
{
    struct ini_item item = {
        r->section, r->key,          r->value, r->key_line,
        1,          r->value_column, r->parts, r->part_count};

    if (!r->gathering)
        return;
    r->gathering = 0;
    r->value[r->value_bytes] = '\0';
    r->handler->item(r->handler->context, &item);
}

static int
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int
next_byte(struct source *s)
{
    if (s->file != NULL)
        return getc(s->file);
    return s->next < s->end ? (unsigned char)*s->next++ : EOF;
}

/* A line's length over all, and the first byte of it that no text has. */
struct measure {
    size_t bytes;
    size_t control_at; /* from 1; 0: none */
    int control;
};

/* Reads one line into r->line, without its end and cut to what fits. 0 at the
 * end of the source. */
static int
read_line(struct reader *r, struct measure *m)
{
    int c, previous = 0;

    memset(m, 0, sizeof(*m));
    while ((c = next_byte(&r->source)) != EOF && c != '\n') {
        if (m->bytes < sizeof(r->line) - 1)
            r->line[m->bytes] = (char)c;
        m->bytes++;
        if (previous == '\r' && m->control_at == 0) {
            m->control_at = m->bytes - 1;
            m->control = '\r';
        }
        if (m->control_at == 0 &&
            ((c < ' ' && c != '\t' && c != '\r') || c == 0x7f)) {
            m->control_at = m->bytes;
            m->control = c;
        }
        previous = c;
    }
    if (c == EOF && m->bytes == 0)
        return 0;
    if (previous == '\r')
        m->bytes--;
    r->line[m->bytes < sizeof(r->line) ? m->bytes : sizeof(r->line) - 1] = '\0';
    return 1;
}

/* The first ; that begins a comment, or the end of the text. inih agrees. */
static const char *
text_end(const char *text)
{
    const char *p;

    for (p = text; *p != '\0'; p++)
        if (*p == ';' && p > text && is_blank(p[-1]))
            break;
    return p;
}

static int
column_of(const struct reader *r, const char *p)
{
    return r->column + (int)(p - r->line);
}

/* Each judge_ returns whether inih may see the line. */

static int
judge_heading(struct reader *r)
{
    const char *name = r->line + 1;
    const char *end = strchr(name, ']');
    const char *comment = text_end(r->line);
    const char *after;

    if (end == NULL || end > comment) {
        report(r, column_of(r, r->line),
               "found a heading without \"]\", expected [NAME]");
        return 0;
    }
    if (end == name || is_blank(*name) || is_blank(end[-1])) {
        report(r, column_of(r, name),
               "found %s in a heading, expected [NAME] without blanks around "
               "the name",
               end == name ? "no name" : "a blank");
        return 0;
    }
    if (end - name > INI_SECTION_MAX) {
        report(r, column_of(r, name),
               "found a section name of %d bytes, expected at most %d",
               (int)(end - name), INI_SECTION_MAX);
        return 0;
    }
    after = end + 1 + strspn(end + 1, " \t");
    if (*after != '\0' && *after != ';' && *after != '#') {
        report(r, column_of(r, after),
               "found \"%.40s\" after a heading, expected the end of the line: "
               "settings go on lines of their own",
               after);
        return 0;
    }
    return 1;
}

static int
judge_setting(struct reader *r)
{
    const char *comment = text_end(r->line);
    const char *equals = strchr(r->line, '=');
    const char *colon = strchr(r->line, ':');
    const char *end;

    if (colon != NULL && colon < comment &&
        (equals == NULL || colon < equals)) {
        report(r, column_of(r, colon),
               "found \":\" before any \"=\", expected KEY = VALUE");
        return 0;
    }
    if (equals == NULL || equals > comment) {
        report(r, column_of(r, r->line),
               "found \"%.*s\" without \"=\", expected KEY = VALUE, or an "
               "indented line that goes on with the value above",
               (int)strcspn(r->line, " \t"), r->line);
        return 0;
    }
    for (end = equals; end > r->line && is_blank(end[-1]); end--)
        ;
    if (end == r->line) {
        report(r, column_of(r, equals),
               "found \"=\" without a key before it, expected KEY = VALUE");
        return 0;
    }
    /* To a reader it is a comment, to inih a value that nobody can print. */
    if (equals[1] == ';') {
        report(r, column_of(r, equals + 1),
               "found \";\" right after \"=\", expected a value, or a blank "
               "before a comment");
        return 0;
    }
    if (end - r->line > INI_KEY_MAX) {
        report(r, column_of(r, r->line),
               "found a key of %d bytes, expected at most %d",
               (int)(end - r->line), INI_KEY_MAX);
        return 0;
    }
    return 1;
}

static int
judge_continuation(struct reader *r, const char *text)
{
    if (r->lost || r->homeless)
        return 0;
    if (*text == '[') {
        r->homeless = 1;
        report(r, column_of(r, text),
               "found an indented heading, expected \"[\" at the line's "
               "start: an indented line goes on with the value above");
        return 0;
    }
    if (!r->gathering) {
        report(r, column_of(r, text),
               "found an indented line with no setting above it, expected a "
               "key at the line's start: indented lines go on with a value");
        return 0;
    }
    return 1;
}

static int
starts_with_mark(const char *line)
{
    return strncmp(line, byte_order_mark, strlen(byte_order_mark)) == 0;
}

/* What inih would read wrongly whatever stands in the line. */
static int
judge_bytes(struct reader *r, const struct measure *m)
{
    if (m->bytes > INI_LINE_MAX) {
        report(r, r->column + INI_LINE_MAX,
               "found a line of %zu bytes, expected at most %d: let a long "
               "value go on over indented lines",
               m->bytes, INI_LINE_MAX);
        return 0;
    }
    if (m->control_at != 0) {
        report(r, r->column + (int)m->control_at - 1,
               "found the byte 0x%02x, expected text: is this an INI file?",
               (unsigned)m->control);
        return 0;
    }
    if (starts_with_mark(r->line)) {
        report(r, r->column,
               "found a byte-order mark, expected one at most, at the file's "
               "start: were two files joined?");
        return 0;
    }
    return 1;
}

/* A line that begins at its first byte ends the setting before it. */
static int
judge_line(struct reader *r, const struct measure *m)
{
    const char *text = r->line + strspn(r->line, " \t");
    int indented = text != r->line;
    int fit = judge_bytes(r, m);

    if (fit && (*text == '\0' || *text == ';' || *text == '#'))
        return 0; /* a comment: nothing begins or ends */
    if (!indented) {
        deliver(r);
        r->lost = 0;
    }
    if (fit && indented)
        return judge_continuation(r, text);
    if (fit && *text == '[') {
        fit = judge_heading(r);
        r->homeless = !fit;
    } else if (fit) {
        fit = judge_setting(r) && !r->homeless;
    }
    if (!fit)
        r->lost = 1;
    return fit;
}

static void
skip_byte_order_mark(struct reader *r, struct measure *m)
{
    r->column = 1;
    if (r->line_number != 1 || !starts_with_mark(r->line))
        return;
    memmove(r->line, r->line + 3, strlen(r->line + 3) + 1);
    m->bytes -= 3;
    if (m->control_at != 0)
        m->control_at -= 3;
    r->column = 4;
}

/* inih asks for a heading's text only with its first setting; a section
 * without any is told here. */
static void
begin_section(struct reader *r)
{
    struct ini_item item = {r->section, NULL, NULL, r->line_number,
                            1,          1,    NULL, 0};
    size_t bytes = strcspn(r->line + 1, "]");

    memcpy(r->section, r->line + 1, bytes);
    r->section[bytes] = '\0';
    r->handler->item(r->handler->context, &item);
}

/* inih's fgets: gives the next line, emptied when inih must not see it. */
static char *
give_line(char *out, int room, void *context)
{
    struct reader *r = context;
    struct measure m;

    if (!read_line(r, &m))
        return NULL;
    r->line_number++;
    skip_byte_order_mark(r, &m);
    if (!judge_line(r, &m))
        r->line[0] = '\0';
    /* inih leaves comments in a value's further lines. */
    r->line[text_end(r->line) - r->line] = '\0';
    if (strlen(r->line) >= (size_t)room) {
        report(r, 1, "found a line of %zu bytes, but this inih reads only %d",
               strlen(r->line), room - 1);
        r->line[0] = '\0';
    }
    if (r->line[0] == '[')
        begin_section(r);
    memcpy(out, r->line, strlen(r->line) + 1);
    return out;
}

void
ini_place(const struct ini_item *item, size_t offset, int *line, int *column)
{
    size_t i;

    *line = item->line;
    *column = item->value_column;
    for (i = 0; i < item->part_count && item->parts[i].offset <= offset; i++) {
        *line = item->parts[i].line;
        *column = item->parts[i].column + (int)(offset - item->parts[i].offset);
    }
}

/* Notes that the value goes on here with the line's text. */
static void
note_part(struct reader *r, int column)
{
    size_t capacity = r->part_capacity * 2 + 16;
    struct ini_part *parts;

    if (r->part_count == r->part_capacity) {
        parts = realloc(r->parts, capacity * sizeof(*parts));
        if (parts == NULL) {
            r->out_of_memory = 1;
            return;
        }
        r->parts = parts;
        r->part_capacity = capacity;
    }
    r->parts[r->part_count++] = (struct ini_part){
        .offset = r->value_bytes,
        .line = r->line_number,
        .column = column,
    };
}

static void
begin_setting(struct reader *r, const char *key)
{
    const char *equals = strchr(r->line, '=');
    const char *value = equals + 1 + strspn(equals + 1, " \t");

    if (value == text_end(value) || (*value == ';' && value > equals + 1))
        value = equals + 1;
    snprintf(r->key, sizeof(r->key), "%s", key);
    r->key_line = r->line_number;
    r->value_column = column_of(r, value);
    r->value_bytes = 0;
    r->part_count = 0;
    r->gathering = 1;
}

/* inih's handler: called once for each line of a value. */
static int
take_value(void *context, const char *section, const char *key,
           const char *value)
{
    struct reader *r = context;
    size_t bytes = strlen(value);

    (void)section; /* ours, which cannot have been cut */
    if (!is_blank(r->line[0]))
        begin_setting(r, key);
    if (bytes == 0)
        return 1;
    if (r->value_bytes + (r->value_bytes != 0) + bytes > INI_VALUE_MAX) {
        report(r, r->column,
               "found a value of over %d bytes, expected less: \"%s\" begins "
               "at line %d",
               INI_VALUE_MAX, r->key, r->key_line);
        r->gathering = 0;
        r->lost = 1;
        return 1;
    }
    if (r->value_bytes != 0)
        r->value[r->value_bytes++] = ' ';
    note_part(r, is_blank(r->line[0])
                     ? column_of(r, r->line + strspn(r->line, " \t"))
                     : r->value_column);
    memcpy(r->value + r->value_bytes, value, bytes);
    r->value_bytes += bytes;
    return 1;
}

static int
read_all(struct reader *r)
{
    int refused;

    r->value = malloc(INI_VALUE_MAX + 1);
    if (r->value == NULL)
        return -ENOMEM;
    refused = ini_parse_stream(give_line, r, take_value, r);
    deliver(r);
    free(r->value);
    free(r->parts);
    if (r->out_of_memory)
        return -ENOMEM;
    if (refused > 0 && r->problems == 0) {
        r->line_number = refused;
        report(r, 1, "found a line that inih refuses, expected KEY = VALUE");
    }
    if (r->source.file != NULL && ferror(r->source.file))
        return errno > 0 ? -errno : -EIO;
    return refused < 0 ? -ENOMEM : r->problems;
}

int
ini_read(FILE *file, const struct ini_handler *handler)
{
    struct reader r = {.handler = handler, .source = {.file = file}};

    errno = 0;
    return read_all(&r);
}

int
ini_read_bytes(const void *bytes, size_t count,
               const struct ini_handler *handler)
{
    struct reader r = {.handler = handler};

    r.source.next = count > 0 ? bytes : "";
    r.source.end = r.source.next + count;
    return read_all(&r);
}
