/*
 * The command line, the children and the TAP lines. This process never loads
 * the plugin: it reads the note to know the kind, and forks before there is
 * any thread.
 */
#include <config.h>

#include "check.h"
#include <clock.h>
#include <cmd.h>
#include <cmd_flags.h>
#include <errno.h>
#include <instance.h>
#include <limits.h>
#include <log.h>
#include <note.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMAND      "plugins check"
#define LIMIT_NS     UINT64_C(20000000000)
#define SENTENCE_MAX 1024

enum {
    CHILD_KEPT = 0,
    CHILD_BROKEN = 1,
    CHILD_SKIPPED = 77
};

/* Where the child writes its sentence; check_fail comes from anywhere. */
static int sentence_fd = -1;

/* ---- chance ---- */

void
chance_init(struct chance *r, uint64_t seed)
{
    /* Zero would stay zero; near seeds must not give near numbers. */
    r->state = (seed + 1) * 0x9e3779b97f4a7c15u;
    chance_next(r);
    chance_next(r);
}

uint64_t
chance_next(struct chance *r)
{
    if (r->state == 0)
        r->state = 1;
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * 0x2545f4914f6cdd1du;
}

uint32_t
chance_below(struct chance *r, uint32_t below)
{
    return (uint32_t)((chance_next(r) >> 32) * below >> 32);
}

double
chance_real(struct chance *r)
{
    return (double)(chance_next(r) >> 11) / 4503599627370496.0 - 1;
}

/* ---- in the child ---- */

static void
end_child(int status, const char *format, va_list arguments)
{
    char sentence[SENTENCE_MAX];
    int length = vsnprintf(sentence, sizeof(sentence), format, arguments);
    ssize_t written;

    if (length >= (int)sizeof(sentence))
        length = sizeof(sentence) - 1;
    written = write(sentence_fd, sentence, (size_t)length);
    (void)written;
    _exit(status);
}

void
check_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    end_child(CHILD_BROKEN, format, arguments);
    va_end(arguments);
    abort();
}

void
check_skip(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    end_child(CHILD_SKIPPED, format, arguments);
    va_end(arguments);
    abort();
}

uint64_t
check_apart(const struct check *c,
            uint64_t (*part)(const struct check *c, int argument), int argument)
{
    uint64_t answer = 0;
    int ends[2], status = 0;
    ssize_t moved;
    pid_t child;

    if (pipe(ends) < 0 || (child = fork()) < 0)
        check_skip("no process: %s", strerror(errno));
    if (child == 0) {
        answer = part(c, argument);
        moved = write(ends[1], &answer, sizeof(answer));
        _exit(moved == sizeof(answer) ? CHILD_KEPT : CHILD_SKIPPED);
    }
    close(ends[1]);
    moved = read(ends[0], &answer, sizeof(answer));
    close(ends[0]);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    if (WEXITSTATUS(status) != CHILD_KEPT || moved != sizeof(answer))
        _exit(WEXITSTATUS(status));
    return answer;
}

static void
run_child(const struct check *c, const struct rule *rule, int errors)
{
    dup2(c->output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    log_set_level(HP_LOG_ERROR);
    instance_install_fault_handler();
    instance_thread_init();
    rule->run(c);
    _exit(CHILD_KEPT);
}

/* ---- around it ---- */

struct result {
    int status; /* of waitpid */
    int is_late;
    char sentence[SENTENCE_MAX];
    char errors[SENTENCE_MAX]; /* the last that it wrote there */
};

/* The last bytes of what the child wrote to standard error. */
static void
read_errors(int fd, struct result *out)
{
    off_t end = lseek(fd, 0, SEEK_END);
    off_t from = end > SENTENCE_MAX - 1 ? end - (SENTENCE_MAX - 1) : 0;
    ssize_t got = pread(fd, out->errors, SENTENCE_MAX - 1, from);

    out->errors[got > 0 ? got : 0] = '\0';
}

/* Waits for the pipe's end, which is the child's, or for the limit. */
static void
read_sentence(int fd, pid_t child, struct result *out)
{
    uint64_t until_ns = clock_monotonic_ns() + LIMIT_NS, now_ns;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    size_t used = 0;
    ssize_t got = 1;

    while (got > 0) {
        now_ns = clock_monotonic_ns();
        if (now_ns >= until_ns ||
            poll(&wait, 1, (int)((until_ns - now_ns) / 1000000) + 1) <= 0) {
            out->is_late = clock_monotonic_ns() >= until_ns;
            if (!out->is_late)
                continue;
            kill(child, SIGKILL);
            break;
        }
        got = read(fd, out->sentence + used, SENTENCE_MAX - 1 - used);
        used += got > 0 ? (size_t)got : 0;
        if (used == SENTENCE_MAX - 1)
            break;
    }
    out->sentence[used] = '\0';
}

/* -1: no process can be made. */
static int
try_rule(struct check *c, const struct rule *rule, struct result *out)
{
    int ends[2], errors = memfd_create("errors", MFD_CLOEXEC);
    pid_t child;

    memset(out, 0, sizeof(*out));
    c->output = memfd_create("output", MFD_CLOEXEC);
    if (errors < 0 || c->output < 0 || pipe(ends) < 0)
        return -1;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        close(ends[0]);
        sentence_fd = ends[1];
        run_child(c, rule, errors);
    }
    close(ends[1]);
    if (child > 0) {
        read_sentence(ends[0], child, out);
        waitpid(child, &out->status, 0);
        read_errors(errors, out);
    }
    close(ends[0]);
    close(errors);
    close(c->output);
    return child < 0 ? -1 : 0;
}

/* As TAP's remarks: each line behind a #. */
static void
remark(const char *label, const char *text)
{
    size_t length;

    while (*text != '\0') {
        length = strcspn(text, "\n");
        if (length > 0)
            printf("# %s%.*s\n", label, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void
tell_broken(const struct check *c, const struct rule *rule,
            const struct result *r)
{
    remark("", r->sentence);
    if (r->is_late)
        printf("# it did not end within %llu s\n",
               (unsigned long long)(LIMIT_NS / 1000000000));
    else if (WIFSIGNALED(r->status))
        printf("# the plugin ended the process: %s\n",
               strsignal(WTERMSIG(r->status)));
    remark("", r->errors);
    printf("# again: hardpoint plugins check %s --only %s --seed %llu\n",
           c->file, rule->name, (unsigned long long)c->seed);
}

/* Tries a rule and tells it. Returns 1 when it was kept, 0 when skipped, -1
 * when broken. `unusable` says why it need not be tried, or is "". */
static int
tell_rule(struct check *c, const struct rule *rule, int number, int why,
          char *unusable)
{
    struct result r;
    int is_skipped, is_kept;

    if (unusable[0] != '\0') {
        printf("ok %d - %s: %s # SKIP %s\n", number, rule->name, rule->sentence,
               unusable);
        return 0;
    }
    if (try_rule(c, rule, &r) < 0)
        snprintf(r.sentence, sizeof(r.sentence), "no process: %s",
                 strerror(errno));
    is_skipped = !r.is_late && WIFEXITED(r.status) &&
                 WEXITSTATUS(r.status) == CHILD_SKIPPED;
    is_kept = !r.is_late && WIFEXITED(r.status) &&
              WEXITSTATUS(r.status) == CHILD_KEPT;
    printf("%sok %d - %s: %s%s%s\n", is_skipped || is_kept ? "" : "not ",
           number, rule->name, rule->sentence, is_skipped ? " # SKIP " : "",
           is_skipped ? r.sentence : "");
    if (why)
        remark("why: ", rule->why);
    if (!is_kept && !is_skipped)
        tell_broken(c, rule, &r);
    fflush(stdout);
    if (is_kept)
        return 1;
    if (rule->flags & RULE_FIRST)
        snprintf(unusable, SENTENCE_MAX, "%s%s",
                 is_skipped ? r.sentence : "for want of ",
                 is_skipped ? "" : rule->name);
    return is_skipped ? 0 : -1;
}

/* ---- the list ---- */

static const struct rule *const lists[] = {rules_any, rules_sim,
                                           rules_broadcaster, rules_client};
#define LISTS (sizeof(lists) / sizeof(lists[0]))

static int
is_for(const struct rule *rule, uint32_t kind, const char *only)
{
    return (rule->kinds == RULE_ALL_KINDS ||
            (rule->kinds & RULE_KIND(kind)) != 0) &&
           (only == NULL || strcmp(only, rule->name) == 0);
}

static int
check_all(struct check *c, uint32_t kind, const char *only, int why)
{
    char unusable[SENTENCE_MAX] = "";
    const struct rule *rule;
    int count = 0, number = 0, broken = 0;
    size_t l;

    for (l = 0; l < LISTS; l++)
        for (rule = lists[l]; rule->name != NULL; rule++)
            count += is_for(rule, kind, only);
    if (count == 0) {
        fprintf(stderr,
                "hardpoint plugins check: there is no rule \"%s\" for %s; "
                "without --only all are listed\n",
                only, plugin_kind_name(kind));
        return CMD_USAGE;
    }
    printf("1..%d\n", count);
    for (l = 0; l < LISTS; l++)
        for (rule = lists[l]; rule->name != NULL; rule++)
            if (is_for(rule, kind, only))
                broken += tell_rule(c, rule, ++number, why, unusable) < 0;
    return broken > 0 ? CMD_NO : CMD_OK;
}

/* Rules write files in a folder of their own, which then goes again. */
static int
check_in_scratch(struct check *c, uint32_t kind, const char *only, int why)
{
    char command[128];
    int status;

    snprintf(c->scratch, sizeof(c->scratch), "/tmp/hardpoint-check-XXXXXX");
    if (mkdtemp(c->scratch) == NULL || chdir(c->scratch) < 0) {
        perror("hardpoint plugins check: no folder in /tmp to work in");
        return CMD_UNAVAILABLE;
    }
    status = check_all(c, kind, only, why);
    snprintf(command, sizeof(command), "rm -rf -- %s", c->scratch);
    if (chdir("/") < 0 || system(command) != 0)
        fprintf(stderr, "hardpoint plugins check: %s is left behind\n",
                c->scratch);
    return status;
}

/* ---- the command line ---- */

static void
usage(FILE *to)
{
    fprintf(to,
            "usage: hardpoint plugins check FILE [--seed N] [--why] "
            "[--only RULE] [-s KEY=VALUE]\n"
            "\n"
            "Tries every rule of its kind on a plugin, each in a process of "
            "its own, and prints\nTAP. -s sets a key of the plugin; --why "
            "explains each rule; --seed varies what is\nrandom (1 unless "
            "told).\n");
}

/* A value that names a file is made absolute: the rules run elsewhere. */
static int
add_setting(struct check *c, const char *given)
{
    const char *equals = strchr(given, '=');
    char path[PATH_MAX], *setting = NULL;

    if (equals == NULL || equals == given ||
        c->setting_count == CHECK_SETTINGS_MAX) {
        fprintf(stderr,
                "hardpoint plugins check: found -s %s, expected KEY=VALUE\n",
                given);
        return -EINVAL;
    }
    if (realpath(equals + 1, path) == NULL)
        snprintf(path, sizeof(path), "%s", equals + 1);
    if (asprintf(&setting, "%.*s=%s", (int)(equals - given), given, path) < 0)
        return -ENOMEM;
    c->settings[c->setting_count++] = setting;
    return 0;
}

static int
read_seed(const char *text, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 10);
    if (errno == 0 && text[0] >= '0' && text[0] <= '9' && *end == '\0')
        return 0;
    fprintf(stderr,
            "hardpoint plugins check: found --seed %s, expected a number from "
            "0 on\n",
            text);
    return -EINVAL;
}

static int
check_command(struct check *check, int argc, char **argv)
{
    static const struct option longs[] = {
        {"seed", required_argument, NULL, 'S'},
        {"only", required_argument, NULL, 'o'},
        {"why",  no_argument,       NULL, 'w'},
        {"help", no_argument,       NULL, 'h'},
        {NULL,   0,                 NULL, 0  }
    };
    char file[PATH_MAX], why_not[PLUGIN_WHY_MAX];
    const char *only = NULL;
    struct hp_note note;
    int flag, why = 0;

    while ((flag = cmd_flag(COMMAND, argc, argv, ":hs:", longs)) != -1) {
        if (flag == 'h') {
            usage(stdout);
            return CMD_OK;
        }
        if (flag == '?' ||
            (flag == 'S' && read_seed(optarg, &check->seed) < 0) ||
            (flag == 's' && add_setting(check, optarg) < 0))
            return CMD_USAGE;
        if (flag == 'o')
            only = optarg;
        why |= flag == 'w';
    }
    if (optind == argc) {
        usage(stderr);
        return CMD_USAGE;
    }
    if (optind + 1 < argc)
        return cmd_too_many(COMMAND, argv[optind + 1]);
    if (realpath(argv[optind], file) == NULL) {
        fprintf(stderr,
                "hardpoint plugins check: %s: %s; name the file of a "
                "plugin\n",
                argv[optind], strerror(errno));
        return CMD_NO_INPUT;
    }
    check->file = file;
    if (note_read(file, &note, why_not) < 0 ||
        plugin_kind_name(note.kind) == NULL)
        note.kind = 0; /* the first rule will say why */
    return check_in_scratch(check, note.kind, only, why);
}

int
main(int argc, char **argv)
{
    struct check check = {.seed = 1};
    int status = check_command(&check, argc, argv);

    while (check.setting_count > 0)
        free((void *)check.settings[--check.setting_count]);
    return status;
}
