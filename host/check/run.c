#include <config.h>

#include "../config.h"
#include "memory.h"
#include "run.h"
#include <clock.h>
#include <digest.h>
#include <errno.h>
#include <fcntl.h>
#include <float_control.h>
#include <jobs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One rule a process, and the calls are told to it from everywhere: what it
 * watches stands at file scope. */
static struct plugin *the_plugin;
static struct clock *the_clock;
static struct jobs *the_jobs; /* other ranges at each call */
static int watches_memory;
static const char *changed_floats;
static _Thread_local uint64_t floats_before;

static const struct run_kind *
kind_of(const struct run *r)
{
    static const struct run_kind *const kinds[] = {
        [HP_KIND_SIM] = &run_sim,
        [HP_KIND_BROADCASTER] = &run_broadcaster,
        [HP_KIND_PREDICTOR] = &run_predictor,
        [HP_KIND_CUES] = &run_cues,
        [HP_KIND_HAPTICS] = &run_haptics,
        [HP_KIND_INPUT] = &run_input,
        [HP_KIND_AGENT] = &run_agent,
    };

    return kinds[r->table->kind];
}

/* ---- calls ---- */

void
run_watch_memory(int yes)
{
    watches_memory = yes;
}

const char *
run_changed_floats(void)
{
    return changed_floats;
}

void
run_enter(struct instance *i, const char *call, uint64_t tick, enum run_tag tag)
{
    instance_enter(i, call, tick);
    floats_before = float_control();
    if (watches_memory && tag == RUN_REALTIME)
        memory_begin();
}

void
run_leave(struct instance *i, const char *call, uint64_t tick, enum run_tag tag)
{
    unsigned times = watches_memory && tag == RUN_REALTIME ? memory_end() : 0;

    if (float_control() != floats_before) {
        changed_floats = call;
        float_control_set(floats_before);
    }
    instance_leave(i);
    if (times > 0)
        check_fail("%s allocated or freed memory %u times at tick %llu; "
                   "allocate in start what it needs",
                   call, times, (unsigned long long)tick);
}

int
run_judge(struct run *r, const char *call, int result, int one)
{
    if (result > one)
        check_fail("%s returned %d at tick %llu, expected 0%s or a negative "
                   "errno",
                   call, result, (unsigned long long)r->tick, one ? ", 1" : "");
    return result;
}

/* ---- instances ---- */

struct plugin *
run_plugin(const struct check *c)
{
    char why[PLUGIN_WHY_MAX] = "";

    if (the_plugin == NULL &&
        plugin_open(&the_plugin, c->file, 0, NULL, why) < 0)
        check_fail("%s", why);
    if (the_clock == NULL && clock_create_real(&the_clock) < 0)
        check_skip("no memory");
    if (the_jobs == NULL && jobs_create_shuffled(&the_jobs, c->seed) < 0)
        check_skip("no memory");
    return the_plugin;
}

/* What a row that must be given is given, when nobody says: enough to start
 * most plugins with. */
static void
fill_required(const struct hp_param *row, char *out, size_t bytes)
{
    int fd;

    switch (row->type) {
    case HP_PARAM_FLAG:
        snprintf(out, bytes, "yes");
        break;
    case HP_PARAM_INT:
    case HP_PARAM_REAL:
        snprintf(out, bytes, "%.15g", row->minimum);
        break;
    case HP_PARAM_CHOICE:
        snprintf(out, bytes, "%.*s", (int)strcspn(row->choices, "|"),
                 row->choices);
        break;
    case HP_PARAM_PATH:
        snprintf(out, bytes, "%.60s.file", row->name);
        fd = open(out, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd >= 0)
            close(fd);
        break;
    default:
        snprintf(out, bytes, "text");
        break;
    }
}

static int
is_set(const struct check *c, const char *extra, const char *name)
{
    size_t length = strlen(name);
    int i;

    if (extra != NULL && strncmp(extra, name, length) == 0 &&
        extra[length] == ' ')
        return 1;
    for (i = 0; i < c->setting_count; i++)
        if (strncmp(c->settings[i], name, length) == 0 &&
            c->settings[i][length] == '=')
            return 1;
    return 0;
}

/* The section as it would stand in an INI file. */
static void
write_section(const struct check *c, const struct hp_plugin *t,
              const char *extra, FILE *to)
{
    const struct hp_param *row;
    char value[128];
    uint32_t i;
    int s;

    fprintf(to, "[%s.%s]\n", plugin_kind_name(t->kind), t->name);
    for (i = 0; i < t->param_count; i++) {
        row = (const void *)((const char *)t->params +
                             (size_t)i * t->param_stride);
        if (!(row->flags & HP_PARAM_REQUIRED) || is_set(c, extra, row->name))
            continue;
        fill_required(row, value, sizeof(value));
        fprintf(to, "%s = %s\n", row->name, value);
    }
    for (s = 0; s < c->setting_count; s++) {
        const char *equals = strchr(c->settings[s], '=');
        size_t length = (size_t)(equals - c->settings[s]);

        if (extra != NULL && strncmp(extra, c->settings[s], length) == 0 &&
            extra[length] == ' ')
            continue;
        fprintf(to, "%.*s = %s\n", (int)length, c->settings[s], equals + 1);
    }
    if (extra != NULL)
        fprintf(to, "%s\n", extra);
}

struct config *
run_config(const struct check *c, const char *extra, char *why,
           size_t why_bytes)
{
    const struct hp_plugin *t = plugin_table(run_plugin(c));
    char section[64], *text = NULL, *problems = NULL;
    struct config *config = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    int count;

    if (file == NULL || config_create(&config) < 0)
        check_skip("no memory");
    write_section(c, t, extra, file);
    fclose(file);
    config_read_text(config, "plugins check", text);
    free(text);
    snprintf(section, sizeof(section), "%s.%s", plugin_kind_name(t->kind),
             t->name);
    config_bind(config, section, t->params, t->param_count, t->param_stride);
    count = config_finish(config);
    if (count == 0)
        return config;
    file = open_memstream(&problems, &bytes);
    if (file != NULL) {
        config_print_problems(config, file);
        fclose(file);
        snprintf(why, why_bytes, "%.*s", (int)strcspn(problems, "\n"),
                 problems);
        free(problems);
    }
    config_destroy(config);
    return NULL;
}

struct instance *
run_create(const struct check *c, struct config *config, uint32_t side)
{
    struct instance *i = NULL;

    instance_create(&i, run_plugin(c), config, the_clock, side);
    if (i != NULL)
        i->jobs = the_jobs;
    return i;
}

static uint32_t
side_of(uint32_t kind)
{
    return kind == HP_KIND_SIM || kind == HP_KIND_BROADCASTER ||
                   kind == HP_KIND_AGENT
               ? HP_SIDE_SERVER
               : HP_SIDE_CLIENT;
}

/* Errors that say "not on this machine" rather than "wrong". */
static int
is_absence(int err)
{
    return err == -ENODEV || err == -ENXIO || err == -EACCES ||
           err == -ENOENT || err == -EPERM || err == -EBUSY;
}

static struct instance *
started(const struct check *c, const struct hp_limits *limits, uint32_t side)
{
    char why[512] = "";
    struct config *config = run_config(c, NULL, why, sizeof(why));
    struct instance *i;
    int err;

    if (config == NULL)
        check_fail("the host refuses its section: %s; give it what it needs "
                   "by -s KEY=VALUE",
                   why);
    i = run_create(c, config, side);
    if (i == NULL)
        check_fail("create fails with presets%s",
                   c->setting_count > 0 ? " and -s" : "");
    /* A sim is asked for its schema before it starts. */
    if (i->table->kind == HP_KIND_SIM)
        RUN_CALL(i, INSTANCE_NO_TICK, RUN_MAIN, "schema",
                 (void)((const struct hp_sim_ops *)i->ops)->schema(i->self));
    err = instance_start(i, limits);
    if (is_absence(err))
        check_skip("start says %s%s%s; give it its device, or -s KEY=VALUE",
                   strerrorname_np(-err), i->failure[0] != '\0' ? ": " : "",
                   i->failure);
    if (err < 0)
        check_fail("start fails at %u/%u Hz: %s%s%s", limits->rate_num,
                   limits->rate_den, strerrorname_np(-err),
                   i->failure[0] != '\0' ? ": " : "", i->failure);
    return i;
}

void
run_open(struct run *r, const struct check *c, uint64_t seed, uint32_t rate_num,
         uint32_t rate_den)
{
    const struct hp_plugin *t = plugin_table(run_plugin(c));
    uint32_t side = side_of(t->kind);

    memset(r, 0, sizeof(*r));
    r->table = t;
    r->ops = t->ops;
    r->output = DIGEST_SEED;
    chance_init(&r->chance, seed);
    if (world_view_create(&r->view) < 0)
        check_skip("no memory");
    r->limits = world_limits(t->kind, side, rate_num, rate_den);
    r->instance = started(c, &r->limits, side);
    if (t->kind == HP_KIND_BROADCASTER)
        r->far_end = started(c, &r->limits, HP_SIDE_CLIENT);
    kind_of(r)->open(r);
}

static void
end(struct instance *i)
{
    struct config *config = i == NULL ? NULL : i->config;

    instance_destroy(i); /* stops it first */
    config_destroy(config);
}

void
run_close(struct run *r)
{
    end(r->instance);
    end(r->far_end);
    world_view_destroy(&r->view);
    free(r->records);
    r->instance = r->far_end = NULL;
    r->records = NULL;
}

void
run_tick(struct run *r)
{
    kind_of(r)->tick(r);
    r->tick++;
}

void
run_aside(struct run *r)
{
    if (kind_of(r)->aside != NULL)
        kind_of(r)->aside(r);
}

void
run_step(struct run *r)
{
    run_tick(r);
    run_aside(r);
}

void
run_any(struct run *r)
{
    kind_of(r)->any(r);
}
