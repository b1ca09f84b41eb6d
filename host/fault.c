/*
 * The handler runs while anything may be broken: it takes no lock, allocates
 * nothing, and writes with write(2) alone. So it can see only what was put
 * ready: the thread's marks, and a table of mapped objects with atomic entries.
 */
#include <config.h>

#include "fault.h"
#include "instance.h"
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define MARKS_MAX   8
#define OBJECTS_MAX 128
#define STACK_BYTES (64u << 10)

/* A sanitizer's own report says more, and needs the signals for it. */
#ifdef HP_SANITIZED
#    define HANDLES_FAULTS 0
#else
#    define HANDLES_FAULTS 1
#endif

struct marks {
    struct fault_mark list[MARKS_MAX];
    unsigned depth;
};

struct object_range {
    _Atomic uintptr_t start; /* 0: unused; written last */
    _Atomic uintptr_t end;
    _Atomic int is_plugin;
    char name[64]; /* without its folder */
};

/* A handler gets no argument of ours, so these three stand here. */
static _Thread_local struct marks marks;
static _Thread_local void *alternate_stack;
static struct object_range objects[OBJECTS_MAX];

struct fault_mark *
fault_enter(void)
{
    unsigned depth = marks.depth++;

    return depth < MARKS_MAX ? &marks.list[depth] : NULL;
}

const struct fault_mark *
fault_newest(void)
{
    unsigned depth = marks.depth < MARKS_MAX ? marks.depth : MARKS_MAX;

    return depth > 0 ? &marks.list[depth - 1] : NULL;
}

const struct fault_mark *
fault_leave(void)
{
    if (marks.depth == 0)
        return NULL;
    marks.depth--;
    return marks.depth < MARKS_MAX ? &marks.list[marks.depth] : NULL;
}

/* ---- the table of mapped objects ---- */

struct survey {
    uintptr_t of_plugin;
    uint8_t seen[OBJECTS_MAX];
};

static void
range_of(const struct dl_phdr_info *info, uintptr_t *start, uintptr_t *end)
{
    const ElfW(Phdr) * segment;
    uintptr_t from, to;
    int i;

    *start = UINTPTR_MAX;
    *end = 0;
    for (i = 0; i < info->dlpi_phnum; i++) {
        segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD)
            continue;
        from = info->dlpi_addr + segment->p_vaddr;
        to = from + segment->p_memsz;
        *start = from < *start ? from : *start;
        *end = to > *end ? to : *end;
    }
}

static const char *
name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    /* The dynamic linker leaves the program's own name empty. */
    if (path[0] == '\0')
        return "hardpoint";
    return slash != NULL ? slash + 1 : path;
}

/* The place of this object in the table: its own, or a free one; NULL when
 * the table is full. */
static struct object_range *
place_of(const char *name, uintptr_t start, uintptr_t end)
{
    struct object_range *o, *unused = NULL;

    for (o = objects; o < objects + OBJECTS_MAX; o++) {
        if (o->start == start && o->end == end &&
            strncmp(o->name, name, sizeof(o->name) - 1) == 0)
            return o;
        if (o->start == 0 && unused == NULL)
            unused = o;
    }
    return unused;
}

static int
see_object(struct dl_phdr_info *info, size_t bytes, void *context)
{
    struct survey *survey = context;
    struct object_range *o;
    uintptr_t start, end;
    const char *name = name_of(info->dlpi_name);

    (void)bytes;
    range_of(info, &start, &end);
    o = place_of(name, start, end);
    if (end == 0 || o == NULL)
        return 0;
    if (o->start == 0) {
        snprintf(o->name, sizeof(o->name), "%s", name);
        o->is_plugin = 0;
        o->end = end;
        o->start = start;
    }
    if (survey->of_plugin >= start && survey->of_plugin < end)
        o->is_plugin = 1;
    survey->seen[o - objects] = 1;
    return 0;
}

void
fault_learn_objects(const void *of_plugin)
{
    struct survey survey = {(uintptr_t)of_plugin, {0}};
    size_t i;

    dl_iterate_phdr(see_object, &survey);
    for (i = 0; i < OBJECTS_MAX; i++)
        if (!survey.seen[i])
            objects[i].start = 0;
}

/* ---- the handler ---- */

/* A line that is put together without stdio. */
struct line {
    char text[512];
    size_t count;
};

static void
put(struct line *line, const char *text)
{
    while (*text != '\0' && line->count < sizeof(line->text) - 1)
        line->text[line->count++] = *text++;
}

static void
put_number(struct line *line, uint64_t value, unsigned base)
{
    char digits[24];
    size_t at = sizeof(digits) - 1;

    digits[at] = '\0';
    do {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    put(line, digits + at);
}

static const char *
signal_name(int number)
{
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGILL:
        return "SIGILL";
    default:
        return "SIGABRT";
    }
}

static uintptr_t
program_counter(const void *context)
{
    const ucontext_t *u = context;

#if defined(__x86_64__)
    return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)u->uc_mcontext.pc;
#else
    (void)u;
    return 0;
#endif
}

static const struct object_range *
object_at(uintptr_t address)
{
    size_t i;

    for (i = 0; i < OBJECTS_MAX; i++)
        if (objects[i].start != 0 && address >= objects[i].start &&
            address < objects[i].end)
            return &objects[i];
    return NULL;
}

static void
put_who(struct line *line, const struct object_range *o)
{
    unsigned depth = marks.depth < MARKS_MAX ? marks.depth : MARKS_MAX;
    const struct fault_mark *mark;

    if (depth > 0) {
        mark = &marks.list[depth - 1];
        put(line, mark->label);
        put(line, ", call ");
        put(line, mark->call);
        if (mark->tick != INSTANCE_NO_TICK) {
            put(line, ", tick ");
            put_number(line, mark->tick, 10);
        }
    } else if (o != NULL && o->is_plugin) {
        put(line, "a thread of its own of ");
        put(line, o->name);
    } else {
        put(line, "the host");
    }
}

static void
report(int number, uintptr_t at)
{
    const struct object_range *o = object_at(at);
    struct line line = {"", 0};
    ssize_t written;

    put(&line, "hardpoint: fatal: ");
    put(&line, signal_name(number));
    put(&line, " in ");
    put_who(&line, o);
    put(&line, ", at ");
    if (o != NULL) {
        put(&line, o->name);
        put(&line, "+");
        at -= o->start;
    }
    put(&line, "0x");
    put_number(&line, at, 16);
    line.text[line.count++] = '\n';
    written = write(STDERR_FILENO, line.text, line.count);
    (void)written;
}

/* SA_RESETHAND has put the default action back: a fault in here ends it too. */
static void
on_fault(int number, siginfo_t *info, void *context)
{
    (void)info;
    report(number, program_counter(context));
    raise(number);
}

void
instance_install_fault_handler(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action;
    size_t i;

    if (!HANDLES_FAULTS)
        return;
    memset(&action, 0, sizeof(action));
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    fault_learn_objects(NULL);
    for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        sigaction(numbers[i], &action, NULL);
}

void
instance_thread_init(void)
{
    stack_t stack = {.ss_size = STACK_BYTES};

    if (!HANDLES_FAULTS || alternate_stack != NULL)
        return;
    stack.ss_sp = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    /* Without one, only a stack overflow goes unreported. */
    if (stack.ss_sp == MAP_FAILED)
        return;
    if (sigaltstack(&stack, NULL) == 0)
        alternate_stack = stack.ss_sp;
    else
        munmap(stack.ss_sp, STACK_BYTES);
}

void
instance_thread_finish(void)
{
    stack_t none = {.ss_flags = SS_DISABLE};

    if (alternate_stack == NULL)
        return;
    sigaltstack(&none, NULL);
    munmap(alternate_stack, STACK_BYTES);
    alternate_stack = NULL;
}
