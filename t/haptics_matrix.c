/*
 * The fault matrix: everything that may go wrong with a host whose device
 * moves, at a moment that a seed chooses, judged from another process. Prints a
 * table; a device that still moves is a failure. `haptics_matrix.t SEEDS`
 * (1 by default: the short form of every check).
 */
#include "far_side.h"
#include <stdint.h>

#define AT_ONCE   8    /* hosts at a time; more only measure the machine */
#define WITHIN_MS 3000 /* what still moves then is stuck */
#define STAY_MS   200
#define SEEDS_MAX 1000

struct fault {
    const char *name;
    int signal;               /* sent to the host, or 0 */
    enum far_command command; /* told to it, with no signal */
};

static const struct fault faults[] = {
    {"SIGKILL",                  SIGKILL, FAR_FLY      },
    {"SIGSEGV",                  0,       FAR_CRASH    },
    {"SIGSTOP",                  SIGSTOP, FAR_FLY      },
    {"tick thread spins",        0,       FAR_SPIN     },
    {"backend hangs in a write", 0,       FAR_BLOCK    },
    {"nobody repeats the hold",  0,       FAR_STOP_HOLD},
    {"pause, hold repeated",     0,       FAR_PAUSE    },
    {"death, hold repeated",     0,       FAR_DEAD     },
    {"quit amid an effect",      0,       FAR_QUIT     },
    {"second TERM",              0,       FAR_END_NOW  },
};
static const char *const backends[] = {"holds no deadline", "holds deadlines"};

#define FAULTS   (sizeof(faults) / sizeof(faults[0]))
#define BACKENDS 2

/* A judge's verdict: milliseconds to silence, or one of these. */
#define STUCK    (-1)
#define NO_START (-2)

static int
judge(const struct fault *fault, int backend, unsigned seed)
{
    struct far_side f;
    int ms = NO_START;

    srand(seed * 7919 + (unsigned)backend);
    if (far_start(&f, backend == 0,
                  backend == 0 ? &far_ops : &far_unguarded) == 0) {
        usleep((unsigned)rand() % 250000);
        if (fault->signal != 0)
            kill(f.pid, fault->signal);
        else
            far_say(&f, fault->command);
        ms = far_silent_ms(&f, WITHIN_MS, STAY_MS);
    }
    far_end(&f);
    return ms;
}

static int
by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* One cell: `seeds` judges, some at a time. Returns how many were stuck. */
static int
run_cell(const struct fault *fault, int backend, unsigned seeds, int *verdicts)
{
    unsigned begun = 0, ended = 0, i;
    int stuck = 0, unstarted = 0;

    while (ended < seeds) {
        while (begun < seeds && begun - ended < AT_ONCE) {
            if (fork() == 0) {
                verdicts[begun] = judge(fault, backend, begun);
                _exit(0);
            }
            begun++;
        }
        wait(NULL);
        ended++;
    }
    qsort(verdicts, seeds, sizeof(*verdicts), by_size);
    for (i = 0; i < seeds; i++) {
        stuck += verdicts[i] == STUCK;
        unstarted += verdicts[i] == NO_START;
    }
    printf("# | %-26s | %-17s | %5u | %5d | %4d | %4d |%s\n", fault->name,
           backends[backend], seeds, stuck, verdicts[seeds / 2],
           verdicts[seeds - 1], unstarted > 0 ? " some did not start" : "");
    return stuck + unstarted;
}

int
main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, i, b, cell = 0;
    int *verdicts, stuck;

    if (seeds < 1 || seeds > SEEDS_MAX) {
        fprintf(stderr, "haptics_matrix: found %s, expected 1 to %d seeds\n",
                argv[1], SEEDS_MAX);
        return 64;
    }
    verdicts = mmap(NULL, seeds * sizeof(*verdicts), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (verdicts == MAP_FAILED)
        return 70;
    setenv("HARDPOINT_LIBEXEC", getenv("HP_BUILD") ? getenv("HP_BUILD") : ".",
           1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("1..%zu\n# | %-26s | %-17s | seeds | stuck | p50 | max ms |\n",
           FAULTS * BACKENDS, "fault", "the device");
    for (i = 0; i < FAULTS; i++) {
        for (b = 0; b < BACKENDS; b++) {
            stuck = run_cell(&faults[i], (int)b, seeds, verdicts);
            printf("%sok %u - %s: a device that %s is silent\n",
                   stuck ? "not " : "", ++cell, faults[i].name, backends[b]);
        }
    }
    return 0;
}
