#include <config.h>

#include "../host/config.h"
#include "plugin_world.h"
#include "tap.h"
#include <errno.h>
#include <fenv.h>
#include <hardpoint/hardpoint.h>
#include <instance.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* As in t/plug_life.c. */
enum {
    LIFE_NOTHING = 1,
    LIFE_ROUND_UP = 2,
    LIFE_NULL_WRITE = 3,
    LIFE_ABORT = 4,
    LIFE_OVERFLOW = 5,
    LIFE_OWN_THREAD = 6,
    LIFE_TRAP = 7,
    LIFE_LOG = 8
};

static uint64_t now_ns;
static int64_t mode; /* the one parameter of the plugin */

uint64_t
clock_now_ns(const struct clock *clock)
{
    (void)clock;
    return now_ns;
}

int
config_flag(const struct config *c, const char *section, const char *key,
            int *out)
{
    (void)c, (void)section, (void)key, (void)out;
    return -ENOENT;
}

int
config_int(const struct config *c, const char *section, const char *key,
           uint32_t index, int64_t *out)
{
    (void)c;
    if (strcmp(section, "agent.life") != 0 || strcmp(key, "mode") != 0 ||
        index != 0)
        return -ENOENT;
    *out = mode;
    return 0;
}

int
config_real(const struct config *c, const char *section, const char *key,
            uint32_t index, double *out)
{
    (void)c, (void)section, (void)key, (void)index, (void)out;
    return -ENOENT;
}

int
config_text(const struct config *c, const char *section, const char *key,
            uint32_t index, const char **out)
{
    (void)c, (void)section, (void)key, (void)index, (void)out;
    return -ENOENT;
}

const char *
config_origin(const struct config *c, const char *section, const char *key)
{
    (void)c;
    return strcmp(section, "plugins") == 0 && strcmp(key, "agent") == 0
               ? "solo.ini:7:1"
               : "?";
}

static struct plugin *life;

/* Opens the plugin once, makes an instance, empties the log. */
static int
make(struct instance **out, int64_t of_mode)
{
    char why[PLUGIN_WHY_MAX] = "";

    if (life == NULL && plugin_open(&life, world_file("t/.libs/plug_life.so"),
                                    HP_KIND_AGENT, "life", why) < 0)
        printf("# %s\n", why);
    mode = of_mode;
    *out = NULL;
    world_log[0] = '\0';
    now_ns = UINT64_C(5000000000);
    return instance_create(out, life, (void *)world_log, NULL, HP_SIDE_CLIENT);
}

static void
idle(struct instance *i, uint64_t tick, uint64_t takes_ns)
{
    const struct hp_agent_ops *ops = i->ops;
    struct hp_status status = {.size = sizeof(status), .tick = tick};

    instance_enter(i, "idle", tick);
    ops->idle(i->self, &status, 0);
    now_ns += takes_ns;
    instance_leave(i);
}

static void
an_instance_lives_and_dies_in_order(void)
{
    struct instance *i;
    struct hp_limits limits = {.size = sizeof(limits)};

    ok_int(make(&i, 0), 0);
    ok_text(i->label, "agent.life (client)");
    ok_text(i->section, "agent.life");
    ok_int(instance_start(i, &limits), 0);
    ok_int(i->started, 1);
    instance_stop(i);
    instance_stop(i);
    ok_text(world_log, "agent.life (client): stopped\n");
    instance_destroy(i);
    /* Without start, stop is not called; destroy without stop stops. */
    ok_int(make(&i, 0), 0);
    instance_destroy(i);
    ok_text(world_log, "");
    ok_int(make(&i, 0), 0);
    ok_int(instance_start(i, &limits), 0);
    instance_destroy(i);
    ok_text(world_log, "agent.life (client): stopped\n");
    instance_stop(NULL);
    instance_destroy(NULL);
}

static void
limits_live_until_stop_and_hold_what_the_kind_may_see(void)
{
    static const struct hp_schema schema;
    struct hp_limits limits = {.size = sizeof(limits),
                               .clients_max = 7,
                               .schema = &schema,
                               .model = (const void *)&schema};
    struct instance *i;

    ok_int(make(&i, 5), 0);
    ok_int(instance_start(i, &limits), 0);
    memset(&limits, 0xff, sizeof(limits));
    instance_destroy(i);
    ok_text(world_log, "agent.life (client): its limits stand\n");
}

static void
a_create_that_fails_is_logged_with_its_sentence(void)
{
    struct instance *i;

    ok_int(make(&i, 1), -EINVAL);
    ok(i == NULL);
    ok_text(world_log,
            "agent.life (client): cannot be created: mode 1 never "
            "works: Invalid argument ([plugins] agent, from solo.ini:7:1)\n");
    ok_int(make(&i, 2), -EPROTO);
    ok(strstr(world_log, "create returned 0 but made no instance") != NULL);
    ok_int(make(&i, 3), -EPROTO);
    ok(strstr(world_log, "create returned 7, expected 0 or a negative errno") !=
       NULL);
}

static void
a_start_that_fails_keeps_its_sentence_and_may_be_tried_again(void)
{
    struct hp_limits limits = {.size = sizeof(limits)};
    struct instance *i;
    int turn;

    ok_int(make(&i, 4), 0);
    for (turn = 0; turn < 2; turn++) {
        ok_int(instance_start(i, &limits), -ENODEV);
        ok_text(i->failure, "no such pad");
        ok_int(i->started, 0);
    }
    ok_text(world_log, "");
    instance_destroy(i);
    ok_text(world_log, "");
}

static void
what_a_plugin_logs_is_one_line_under_its_name(void)
{
    struct instance *i;

    ok_int(make(&i, 0), 0);
    idle(i, LIFE_LOG, 0);
    ok_text(world_log, "agent.life (client): one\n");
    ok_int(world_level, HP_LOG_DEBUG);
    instance_destroy(i);
}

static void
a_call_is_timed_and_blamed_at_most_once_a_second(void)
{
    struct instance *i;
    int n;

    ok_int(make(&i, 0), 0);
    i->budget_ns = 8333333;
    idle(i, LIFE_NOTHING, 1000000);
    ok_text(world_log, "");
    for (n = 0; n < 10; n++)
        idle(i, 123, 12300000);
    ok_text(world_log, "agent.life (client): idle took 12.3 ms of a 8.3 ms "
                       "budget at tick 123; 1 calls over budget so far\n");
    now_ns += 1000000000;
    world_log[0] = '\0';
    idle(i, 456, 20000000);
    ok_text(world_log, "agent.life (client): idle took 20.0 ms of a 8.3 ms "
                       "budget at tick 456; 11 calls over budget so far\n");
    ok_int(hist_count(&i->call_ns), 12);
    ok_int(i->over_budget, 11);
    idle(i, INSTANCE_NO_TICK, 20000000);
    ok_int(hist_count(&i->call_ns), 12);
    instance_destroy(i);
}

static void
calls_may_nest_and_none_is_lost(void)
{
    struct instance *i;
    int n;

    ok_int(make(&i, 0), 0);
    for (n = 0; n < 12; n++)
        instance_enter(i, "idle", 1);
    now_ns += 500;
    for (n = 0; n < 12; n++)
        ok_int(instance_leave(i), n < 4 ? 0 : 500);
    ok_int(instance_leave(i), 0);
    instance_enter(NULL, "idle", 1);
    ok_int(instance_leave(NULL), 0);
    ok_int(hist_count(&i->call_ns), 8);
    instance_destroy(i);
}

static void
floating_point_state_is_put_back_and_the_culprit_named_once(void)
{
    struct instance *i;

    ok_int(make(&i, 0), 0);
    idle(i, LIFE_ROUND_UP, 0);
    ok_int(fegetround(), FE_TONEAREST);
    ok(strstr(world_log, "agent.life (client): idle changed the "
                         "floating-point control state (") == world_log);
    world_log[0] = '\0';
    idle(i, LIFE_ROUND_UP, 0);
    ok_int(fegetround(), FE_TONEAREST);
    ok_text(world_log, "");
    instance_destroy(i);
}

/* ---- what the fault handler says ---- */

static void
crash_in_host(struct instance *i)
{
    (void)i;
    raise(SIGFPE);
}

static void
crash_by_null(struct instance *i)
{
    idle(i, LIFE_NULL_WRITE, 0);
}

static void
crash_by_abort(struct instance *i)
{
    idle(i, LIFE_ABORT, 0);
}

static void
crash_by_trap(struct instance *i)
{
    idle(i, LIFE_TRAP, 0);
}

static void
crash_in_own_thread(struct instance *i)
{
    /* Not in a call of the host's: as a thread that the plugin started. */
    const struct hp_agent_ops *ops = i->ops;
    struct hp_status status = {.size = sizeof(status), .tick = LIFE_OWN_THREAD};

    ops->idle(i->self, &status, 0);
}

static void *
overflow(void *argument)
{
    instance_thread_init();
    idle(argument, LIFE_OVERFLOW, 0);
    instance_thread_finish();
    return NULL;
}

static void
crash_by_overflow(struct instance *i)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, overflow, i) == 0)
        pthread_join(thread, NULL);
}

/* Runs `crash` in a child; its standard error and the signal that ended it. */
static int
last_words(void (*crash)(struct instance *), char *said, size_t bytes)
{
    struct instance *i;
    int ends[2], status = 0;
    ssize_t got;
    size_t at = 0;
    pid_t child;

    if (make(&i, 0) < 0 || pipe(ends) < 0)
        return -1;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        instance_install_fault_handler();
        instance_thread_init();
        crash(i);
        _exit(0);
    }
    close(ends[1]);
    while (at + 1 < bytes &&
           (got = read(ends[0], said + at, bytes - 1 - at)) > 0)
        at += (size_t)got;
    said[at] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    instance_destroy(i);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#ifdef HP_SANITIZED
#    define IS_SANITIZED 1
#else
#    define IS_SANITIZED 0
#endif

static void
a_crash_names_plugin_call_and_tick(void)
{
    static const char called[] = "agent.life (client), call idle, tick ";
    const struct {
        void (*crash)(struct instance *);
        int number;
        const char *name, *who, *tick, *place;
    } rows[] = {
        {crash_by_null,       SIGSEGV, "SIGSEGV", called,     "3", "plug_life.so+0x"},
        {crash_by_abort,      SIGABRT, "SIGABRT", called,     "4", "libc.so.6+0x"   },
        {crash_by_trap,       SIGILL,  "SIGILL",  called,     "7", "plug_life.so+0x"},
        {crash_by_overflow,   SIGSEGV, "SIGSEGV", called,     "5", "+0x"            },
        {crash_in_own_thread, SIGSEGV, "SIGSEGV",
         "a thread of its own of plug_life.so",               "",  "plug_life.so+0x"},
        {crash_in_host,       SIGFPE,  "SIGFPE",  "the host", "",  "+0x"            },
    };
    char said[1024], want[256];
    size_t n;

    if (IS_SANITIZED) {
        skip("the sanitizer reports it");
        return;
    }
    for (n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
        ok_int(last_words(rows[n].crash, said, sizeof(said)), rows[n].number);
        snprintf(want, sizeof(want), "hardpoint: fatal: %s in %s%s, at ",
                 rows[n].name, rows[n].who, rows[n].tick);
        if (!ok(strncmp(said, want, strlen(want)) == 0) ||
            !ok(strstr(said, rows[n].place) != NULL))
            printf("# said: %s# want: %s\n", said, want);
        ok(strchr(said, '\n') == said + strlen(said) - 1);
    }
}

TAP_MAIN(FACT(an_instance_lives_and_dies_in_order),
         FACT(limits_live_until_stop_and_hold_what_the_kind_may_see),
         FACT(a_create_that_fails_is_logged_with_its_sentence),
         FACT(a_start_that_fails_keeps_its_sentence_and_may_be_tried_again),
         FACT(what_a_plugin_logs_is_one_line_under_its_name),
         FACT(a_call_is_timed_and_blamed_at_most_once_a_second),
         FACT(calls_may_nest_and_none_is_lost),
         FACT(floating_point_state_is_put_back_and_the_culprit_named_once),
         FACT(a_crash_names_plugin_call_and_tick))
