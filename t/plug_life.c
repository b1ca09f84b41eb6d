/* An agent that does to its host what the tick number says: for t/instance.c
 * and t/fault.c. */
#include <errno.h>
#include <fenv.h>
#include <hardpoint/agent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HP_NAME    "life"
#define HP_VERSION "1.0.0"
#define HP_SUMMARY "does as it is told"
#define HP_LICENSE "MIT"
#define HP_AUTHOR  "Hardpoint"

/* What a tick number asks for; t/plug_life.h would be one more file. */
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

struct hp_instance {
    const struct hp_host *host;
    const struct hp_limits *limits;
    int64_t weight;
};

/* volatile, so that no compiler sees through the fault. */
static int *volatile nowhere;

static int
life_create(const struct hp_host *host, struct hp_instance **out)
{
    struct hp_instance *self = NULL;
    int64_t mode;
    int flag = 0;

    host->param_int(host, "mode", 0, &mode);
    if (mode == 1)
        return host->fail(host, -EINVAL, "mode 1 never works\nsecond line");
    if (mode == 2)
        return 0;
    if (mode == 3)
        return 7;
    self = calloc(1, sizeof(*self));
    if (self == NULL)
        return -ENOMEM;
    self->host = host;
    self->weight = mode;
    if (host->param_flag(host, "absent", &flag) != -ENOENT ||
        host->extension(host, "none") != NULL) {
        free(self);
        return -EPROTO;
    }
    *out = self;
    return 0;
}

static int
life_start(struct hp_instance *self, const struct hp_limits *limits)
{
    self->limits = limits;
    if (self->weight == 4)
        return self->host->fail(self->host, -ENODEV, "no such pad");
    return 0;
}

static void
life_stop(struct hp_instance *self)
{
    /* Mode 5 asks what has become of the limits. */
    if (self->weight != 5)
        self->host->log(self->host, HP_LOG_INFO, "stopped");
    else if (self->limits->schema != NULL || self->limits->model != NULL)
        self->host->log(self->host, HP_LOG_INFO, "sees what it may not");
    else if (self->limits->clients_max == 7)
        self->host->log(self->host, HP_LOG_INFO, "its limits stand");
}

static void
life_destroy(struct hp_instance *self)
{
    free(self);
}

static void *
crash(void *argument)
{
    *nowhere = 1;
    return argument;
}

/* Too deep for any stack; the volatile keeps it from becoming a loop. */
static int
dig(volatile int depth)
{
    volatile char room[4096];

    memset((char *)room, depth, sizeof(room));
    if (depth == -1)
        return 0;
    return dig(depth + 1) + room[17];
}

static void
crash_elsewhere(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, crash, NULL) == 0)
        pthread_join(thread, NULL);
}

static void
life_idle(struct hp_instance *self, const struct hp_status *status,
          uint64_t budget_ns)
{
    (void)budget_ns;
    switch (status->tick) {
    case LIFE_ROUND_UP:
        fesetround(FE_UPWARD);
        break;
    case LIFE_NULL_WRITE:
        *nowhere = 1;
        break;
    case LIFE_ABORT:
        abort();
    case LIFE_OVERFLOW:
        dig(0);
        break;
    case LIFE_OWN_THREAD:
        crash_elsewhere();
        break;
    case LIFE_TRAP:
        __builtin_trap();
    case LIFE_LOG:
        self->host->log(self->host, 99, "one\ntwo");
        break;
    default:
        break;
    }
}

static const struct hp_param params[] = {
    {.name = "mode",
     .unit = "",
     .preset = "0",
     .sentence = "what create does",
     .maximum = 9,
     .type = HP_PARAM_INT},
};

static const struct hp_agent_ops ops = {sizeof(ops), 0, life_idle};

HP_PLUGIN_NOTE(HP_KIND_AGENT, 0);
HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_AGENT, 0),
    params,
    HP_PARAMS(params),
    life_create,
    life_start,
    life_stop,
    life_destroy,
    &ops,
    NULL,
    NULL,
};
