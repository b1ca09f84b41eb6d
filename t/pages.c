/* Read-only memory, as --enable-checks has it: built with HP_CHECKS always. */
#include "pages.h"
#include "tap.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES 10000 /* more than a page, and no whole number of them */

/* The signal that a child gets when it writes there; 0: none. */
static int
signal_of_write(volatile char *at)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own */
        *at = 1;
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void
new_memory_is_zero_and_closed(void)
{
    char *memory = pages_create(BYTES);
    size_t i, set = 0;

    if (!ok(memory != NULL))
        return;
    for (i = 0; i < BYTES; i++)
        set += memory[i] != 0;
    ok_int(set, 0);
    ok_int(signal_of_write(memory), SIGSEGV);
    ok_int(signal_of_write(memory + BYTES - 1), SIGSEGV);
    pages_destroy(memory, BYTES);
}

static void
open_memory_can_be_written(void)
{
    char *memory = pages_create(BYTES);

    if (!ok(memory != NULL))
        return;
    pages_open(memory, BYTES);
    ok_int(signal_of_write(memory), 0);
    ok_int(signal_of_write(memory + BYTES - 1), 0);
    pages_destroy(memory, BYTES);
}

static void
closed_memory_keeps_what_was_written(void)
{
    char *memory = pages_create(BYTES);

    if (!ok(memory != NULL))
        return;
    pages_open(memory, BYTES);
    memory[0] = 17;
    memory[BYTES - 1] = 4;
    pages_close(memory, BYTES);
    ok_int(memory[0], 17);
    ok_int(memory[BYTES - 1], 4);
    ok_int(signal_of_write(memory), SIGSEGV);
    ok_int(signal_of_write(memory + BYTES - 1), SIGSEGV);
    pages_destroy(memory, BYTES);
}

static void
no_bytes_are_memory_too(void)
{
    void *memory = pages_create(0);

    if (!ok(memory != NULL))
        return;
    pages_open(memory, 0);
    pages_close(memory, 0);
    pages_destroy(memory, 0);
    pages_destroy(NULL, BYTES);
}

TAP_MAIN(FACT(new_memory_is_zero_and_closed), FACT(open_memory_can_be_written),
         FACT(closed_memory_keeps_what_was_written),
         FACT(no_bytes_are_memory_too))
