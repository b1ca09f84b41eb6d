/*
 * hardpoint plugins doc: the INI keys of a plugin, from its own rows. The rows
 * are behind the table, so the file must be loaded: in a child process, whose
 * end, however sudden, is told and harms nobody.
 */
#include <config.h>

#include "cmd.h"
#include "cmd_flags.h"
#include "instance.h"
#include "json.h"
#include "options.h"
#include "plugin.h"
#include <errno.h>
#include <ini/ini.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A constructor that hangs must not hang us. */
#define CHILD_SECONDS 10

typedef void print_doc(FILE *to, const struct hp_plugin *table);

static void
usage(FILE *to)
{
    fprintf(to, "usage: hardpoint plugins doc NAME|FILE "
                "[--format text|ini|man|json]\n"
                "\n"
                "Prints the INI keys of a plugin. NAME is haptics.null or, "
                "where only one kind\nhas it, null; a FILE has a / in it.\n");
}

static const struct hp_param *
row_of(const struct hp_plugin *t, uint32_t index)
{
    return (const void *)((const char *)t->params +
                          (size_t)index * t->param_stride);
}

/* ---- the four formats ---- */

static void
print_text(FILE *to, const struct hp_plugin *t)
{
    const struct hp_param *row;
    char values[128];
    uint32_t i;

    fprintf(to, "%s.%s %s: %s\n", plugin_kind_name(t->kind), t->name,
            t->version, t->summary);
    if (t->param_count == 0)
        fprintf(to, "\nIt has no keys.\n");
    for (i = 0; i < t->param_count; i++) {
        row = row_of(t, i);
        options_describe_values(row, values, sizeof(values));
        fprintf(to, "\n%s\n    %s\n", row->name, row->sentence);
        if (*values != '\0')
            fprintf(to, "    values: %s\n", values);
        if (row->flags & HP_PARAM_REQUIRED)
            fprintf(to, "    must be given\n");
        else
            fprintf(to, "    default: %s\n",
                    *row->preset != '\0' ? row->preset : "nothing");
        if (row->flags & HP_PARAM_REPEAT)
            fprintf(to, "    may be given again\n");
        if (row->flags & HP_PARAM_LIVE)
            fprintf(to, "    a reload may change it\n");
        if (row->flags & HP_PARAM_SHARED)
            fprintf(to, "    the server's value goes to every client\n");
    }
}

static void
print_ini(FILE *to, const struct hp_plugin *t)
{
    fprintf(to, "; %s\n[%s.%s]\n", t->summary, plugin_kind_name(t->kind),
            t->name);
    options_print_keys(to, t->params, t->param_count, t->param_stride);
}

static void
print_man(FILE *to, const struct hp_plugin *t)
{
    char title[64];
    size_t i;

    snprintf(title, sizeof(title), "%s_%s", plugin_kind_name(t->kind), t->name);
    for (i = 0; title[i] != '\0'; i++)
        if (title[i] >= 'a' && title[i] <= 'z')
            title[i] = (char)(title[i] - 'a' + 'A');
    fprintf(
        to,
        ".Dd November 30, 2026\n.Dt %s 5\n.Os\n.Sh NAME\n.Nm %s_%s\n.Nd %s\n"
        ".Sh DESCRIPTION\n",
        title, plugin_kind_name(t->kind), t->name, t->summary);
    if (t->param_count == 0) {
        fprintf(to, "It has no keys.\n");
    } else {
        fprintf(to,
                "The keys of the section\n.Ql [%s.%s]\nof\n"
                ".Xr hardpoint.ini 5 :\n",
                plugin_kind_name(t->kind), t->name);
        options_print_man_keys(to, t->params, t->param_count, t->param_stride);
    }
    fprintf(to, ".Sh SEE ALSO\n.Xr hardpoint 1 ,\n.Xr hardpoint.ini 5\n");
}

static void
print_json_row(struct json *j, const struct hp_param *row)
{
    static const char *const types[] = {
        [HP_PARAM_FLAG] = "flag",     [HP_PARAM_INT] = "int",
        [HP_PARAM_REAL] = "real",     [HP_PARAM_TEXT] = "text",
        [HP_PARAM_CHOICE] = "choice", [HP_PARAM_PATH] = "path",
        [HP_PARAM_DATA] = "data",
    };

    json_open_object(j, NULL);
    json_text(j, "name", row->name);
    json_text(j, "type", types[row->type]);
    json_text(j, "unit", row->unit);
    json_text(j, "sentence", row->sentence);
    if (row->preset != NULL)
        json_text(j, "preset", row->preset);
    if (row->type == HP_PARAM_INT || row->type == HP_PARAM_REAL) {
        json_real(j, "minimum", row->minimum);
        json_real(j, "maximum", row->maximum);
    }
    if (row->type == HP_PARAM_CHOICE)
        json_text(j, "choices", row->choices);
    json_flag(j, "required", (row->flags & HP_PARAM_REQUIRED) != 0);
    json_flag(j, "repeat", (row->flags & HP_PARAM_REPEAT) != 0);
    json_flag(j, "live", (row->flags & HP_PARAM_LIVE) != 0);
    json_flag(j, "shared", (row->flags & HP_PARAM_SHARED) != 0);
    json_close_object(j);
}

static void
print_json(FILE *to, const struct hp_plugin *t)
{
    struct json j;
    uint32_t i;

    json_init(&j, to);
    json_open_object(&j, NULL);
    json_int(&j, "schema", 1);
    json_text(&j, "kind", plugin_kind_name(t->kind));
    json_text(&j, "name", t->name);
    json_text(&j, "version", t->version);
    json_text(&j, "summary", t->summary);
    json_text(&j, "license", t->license);
    json_text(&j, "author", t->author);
    json_open_array(&j, "parameters");
    for (i = 0; i < t->param_count; i++)
        print_json_row(&j, row_of(t, i));
    json_close_array(&j);
    json_close_object(&j);
    json_finish(&j);
}

/* ---- which file ---- */

/* Every kind that has a plugin of the bare name; returns how many, and the
 * last of them. */
static int
find_bare(const struct plugin_path *path, const char *name, char *file,
          size_t file_bytes)
{
    char found[PATH_MAX], why[PLUGIN_WHY_MAX];
    uint32_t kind;
    int count = 0;

    for (kind = HP_KIND_SIM; kind <= HP_KIND_AGENT; kind++) {
        if (plugin_find(path, kind, name, found, sizeof(found), why) < 0)
            continue;
        snprintf(file, file_bytes, "%s", found);
        count++;
    }
    return count;
}

/* "haptics.null", "haptics_null" or "null" as a file. Told when it is none. */
static int
find_named(const char *text, char *file, size_t file_bytes)
{
    size_t split = strcspn(text, "._");
    char word[16] = "", why[PLUGIN_WHY_MAX] = "";
    struct plugin_path path;
    uint32_t kind;
    int err, count;

    if (split < sizeof(word) && text[split] != '\0')
        snprintf(word, split + 1, "%s", text);
    err = plugin_path_init(&path, "");
    if (err < 0) {
        fprintf(stderr,
                "hardpoint plugins: the plugin path cannot be used: %s\n",
                strerror(-err));
        return err;
    }
    kind = plugin_kind_by_name(word);
    if (kind != 0) {
        err = plugin_find(&path, kind, text + split + 1, file, file_bytes, why);
        if (err < 0)
            fprintf(stderr, "%s\n", why);
    } else {
        count = find_bare(&path, text, file, file_bytes);
        err = count == 1 ? 0 : -ENOENT;
        if (count != 1)
            fprintf(stderr,
                    "hardpoint plugins doc: %d kinds have a plugin \"%s\", "
                    "expected one; write KIND.NAME, as `hardpoint plugins "
                    "list` shows them, or a file with its folder\n",
                    count, text);
    }
    plugin_path_finish(&path);
    return err;
}

/* ---- the child ---- */

static int
print_from_child(const char *file, print_doc *print)
{
    char why[PLUGIN_WHY_MAX] = "";
    struct plugin *plugin = NULL;

    alarm(CHILD_SECONDS);
    instance_install_fault_handler();
    instance_thread_init();
    if (plugin_open(&plugin, file, 0, NULL, why) < 0) {
        fprintf(stderr, "%s\n", why);
        return CMD_NO;
    }
    print(stdout, plugin_table(plugin));
    /* It is not closed: destructors are none of our concern here. */
    return fflush(stdout) == 0 ? CMD_OK : CMD_NO;
}

static int
print_doc_of(const char *file, print_doc *print)
{
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0)
        _exit(print_from_child(file, print));
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("hardpoint plugins doc: no process to load it in");
        return CMD_UNAVAILABLE;
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGPIPE)
        return CMD_NO; /* who reads it has seen enough */
    if (WTERMSIG(status) == SIGALRM)
        fprintf(stderr,
                "%s: was not loaded within %d s; look at what runs in it "
                "before the first call (constructors)\n",
                file, CHILD_SECONDS);
    else
        fprintf(stderr,
                "%s: ended the process that loaded it: %s; look at what runs "
                "in it before the first call (constructors)\n",
                file, strsignal(WTERMSIG(status)));
    return CMD_PLUGIN;
}

/* ---- the command line ---- */

static print_doc *
format_named(const char *name)
{
    static const struct {
        const char *name;
        print_doc *print;
    } formats[] = {
        {"text", print_text},
        {"ini",  print_ini },
        {"man",  print_man },
        {"json", print_json},
    };
    const size_t count = sizeof(formats) / sizeof(formats[0]);
    size_t i;

    for (i = 0; i < count; i++)
        if (strcmp(formats[i].name, name) == 0)
            return formats[i].print;
    fprintf(stderr,
            "hardpoint plugins doc: found --format %s, expected text, ini, man "
            "or json\n",
            name);
    return NULL;
}

int
cmd_plugins_doc(int argc, char **argv)
{
    static const struct option longs[] = {
        {"format", required_argument, NULL, 'f'},
        {"help",   no_argument,       NULL, 'h'},
        {NULL,     0,                 NULL, 0  }
    };
    print_doc *print = print_text;
    char file[PATH_MAX];
    int flag;

    optind = 1;
    while ((flag = cmd_flag("plugins doc", argc, argv, ":h", longs)) != -1) {
        if (flag == 'h') {
            usage(stdout);
            return CMD_OK;
        }
        if (flag == '?' ||
            (flag == 'f' && (print = format_named(optarg)) == NULL))
            return CMD_USAGE;
    }
    if (optind == argc) {
        usage(stderr);
        return CMD_USAGE;
    }
    if (optind + 1 < argc)
        return cmd_too_many("plugins doc", argv[optind + 1]);
    snprintf(file, sizeof(file), "%s", argv[optind]);
    if (strchr(file, '/') == NULL && strstr(file, ".so") == NULL &&
        find_named(argv[optind], file, sizeof(file)) < 0)
        return CMD_NO_INPUT;
    return print_doc_of(file, print);
}
