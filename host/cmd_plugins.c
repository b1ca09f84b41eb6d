/*
 * hardpoint plugins: what is installed, and what a file says of itself. Here
 * only notes are read: no code of a plugin runs, so a broken one can be looked
 * at. What loads one runs in processes of their own: doc, check.
 */
#include <config.h>

#include "cmd.h"
#include "note.h"
#include "object.h"
#include "plugin.h"
#include "plugin_judge.h"
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <ini/ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One file of a folder, good or not. */
struct row {
    char file[PATH_MAX];
    const char *base; /* of file */
    dev_t device;
    ino_t inode;
    struct hp_note note;
    int err;
    char why[PLUGIN_WHY_MAX];
};

struct listing {
    struct row **rows;
    size_t count;
};

static void
usage(FILE *to)
{
    fprintf(to, "usage: hardpoint plugins list [--path FOLDER[:FOLDER...]]\n"
                "       hardpoint plugins inspect FILE...\n"
                "       hardpoint plugins doc NAME|FILE "
                "[--format text|ini|man|json]\n"
                "       hardpoint plugins check FILE [--seed N] [--why] "
                "[--only RULE]\n");
}

/* ---- list ---- */

/* What a look at the file alone tells: the note, or why it is none. */
static void
look(struct row *row)
{
    char expected[PATH_MAX];

    row->err = note_read(row->file, &row->note, row->why);
    if (row->err == 0)
        row->err = plugin_judge_note(row->file, &row->note, 0, NULL, row->why);
    if (row->err < 0)
        return;
    snprintf(expected, sizeof(expected), "%s_%s.so",
             plugin_kind_name(row->note.kind), row->note.name);
    if (strcmp(row->base, expected) == 0)
        return;
    row->err = -EINVAL;
    snprintf(row->why, sizeof(row->why),
             "%.600s: is found under the name %.128s only; rename it",
             row->file, expected);
}

static int
is_known(const struct listing *l, const struct stat *status)
{
    size_t i;

    for (i = 0; i < l->count; i++)
        if (l->rows[i]->device == status->st_dev &&
            l->rows[i]->inode == status->st_ino)
            return 1;
    return 0;
}

static int
add_row(struct listing *l, const char *folder, const char *base)
{
    struct row *row = calloc(1, sizeof(*row));
    struct row **grown;
    struct stat status;
    int length;

    if (row == NULL)
        return -ENOMEM;
    length = snprintf(row->file, sizeof(row->file), "%s/%s", folder, base);
    /* The same folder may be in the path twice. */
    if (length >= (int)sizeof(row->file) || stat(row->file, &status) < 0 ||
        is_known(l, &status)) {
        free(row);
        return 0;
    }
    row->base = strrchr(row->file, '/') + 1;
    row->device = status.st_dev;
    row->inode = status.st_ino;
    look(row);
    grown = realloc(l->rows, (l->count + 1) * sizeof(struct row *));
    if (grown == NULL) {
        free(row);
        return -ENOMEM;
    }
    l->rows = grown;
    l->rows[l->count++] = row;
    return 0;
}

static int
add_files(struct listing *l, const char *folder)
{
    struct dirent *entry;
    DIR *directory = opendir(folder);
    size_t bytes;
    int err = 0;

    if (directory == NULL)
        return -errno;
    while (err == 0 && (entry = readdir(directory)) != NULL) {
        bytes = strlen(entry->d_name);
        if (bytes > 3 && strcmp(entry->d_name + bytes - 3, ".so") == 0)
            err = add_row(l, folder, entry->d_name);
    }
    closedir(directory);
    return err;
}

static void
listing_finish(struct listing *l)
{
    size_t i;

    for (i = 0; i < l->count; i++)
        free(l->rows[i]);
    free(l->rows);
}

/* By kind, then name; files of the same name stay in order of the path. */
static int
in_order(const struct row *a, const struct row *b)
{
    return a->note.kind < b->note.kind ||
           (a->note.kind == b->note.kind &&
            strcmp(a->note.name, b->note.name) <= 0);
}

static void
sort(struct listing *l)
{
    struct row *row;
    size_t i, at;

    for (i = 1; i < l->count; i++) {
        row = l->rows[i];
        for (at = i; at > 0 && !in_order(l->rows[at - 1], row); at--)
            l->rows[at] = l->rows[at - 1];
        l->rows[at] = row;
    }
}

/* The file that the host takes instead, or NULL. */
static const struct row *
hidden_by(const struct listing *l, size_t index)
{
    const struct row *row = l->rows[index];
    size_t i;

    for (i = 0; i < index; i++)
        if (l->rows[i]->err == 0 && strcmp(l->rows[i]->base, row->base) == 0)
            return l->rows[i];
    return NULL;
}

static int
longer(int width, const char *text)
{
    int length = (int)strlen(text);

    return length > width ? length : width;
}

static void
print_table(const struct listing *l)
{
    int kind = 4, name = 4, version = 7;
    const struct row *row;
    size_t i;

    for (i = 0; i < l->count; i++) {
        row = l->rows[i];
        if (row->err < 0)
            continue;
        kind = longer(kind, plugin_kind_name(row->note.kind));
        name = longer(name, row->note.name);
        version = longer(version, row->note.version);
    }
    printf("%-*s  %-*s  %-*s  %-4s  %s\n", kind, "KIND", name, "NAME", version,
           "VERSION", "ABI", "SUMMARY");
    for (i = 0; i < l->count; i++) {
        row = l->rows[i];
        if (row->err == 0 && hidden_by(l, i) == NULL)
            printf("%-*s  %-*s  %-*s  %u.%-2u  %s\n", kind,
                   plugin_kind_name(row->note.kind), name, row->note.name,
                   version, row->note.version, row->note.abi_major,
                   row->note.abi_minor, row->note.summary);
    }
}

/* Returns how many there were. */
static int
print_problems(const struct listing *l)
{
    const struct row *other;
    int problems = 0;
    size_t i;

    for (i = 0; i < l->count; i++) {
        other = hidden_by(l, i);
        if (l->rows[i]->err < 0)
            fprintf(stderr, "%s\n", l->rows[i]->why);
        else if (other != NULL)
            fprintf(stderr,
                    "%s: is hidden by %s, which comes first in the path\n",
                    l->rows[i]->file, other->file);
        problems += l->rows[i]->err < 0;
    }
    return problems;
}

static void
say_none(const struct plugin_path *path)
{
    int i;

    fprintf(stderr, "hardpoint plugins: there is none in");
    for (i = 0; i < path->count; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : ",", path->folders[i]);
    fprintf(stderr, "; name a folder by --path\n");
}

static int
list(const struct plugin_path *path, int every_folder_must_be)
{
    struct listing listing = {NULL, 0};
    int i, err, status = CMD_OK;

    for (i = 0; i < path->count; i++) {
        err = add_files(&listing, path->folders[i]);
        if (err == 0 || (err == -ENOENT && !every_folder_must_be))
            continue;
        fprintf(stderr, "hardpoint plugins: %s: cannot be listed: %s\n",
                path->folders[i], strerror(-err));
        status = CMD_NO_INPUT;
    }
    sort(&listing);
    if (listing.count == 0 && status == CMD_OK)
        say_none(path);
    else
        print_table(&listing);
    if (print_problems(&listing) > 0 && status == CMD_OK)
        status = CMD_NO;
    listing_finish(&listing);
    return status;
}

static int
cmd_list(int argc, char **argv)
{
    static const struct option options[] = {
        {"path", required_argument, NULL, 'p'},
        {NULL,   0,                 NULL, 0  }
    };
    const char *only = NULL;
    struct plugin_path path;
    int c, err, status;

    optind = 1;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c != 'p') {
            usage(stderr);
            return CMD_USAGE;
        }
        only = optarg;
    }
    if (optind < argc) {
        fprintf(stderr,
                "hardpoint plugins list: \"%s\" is one argument too "
                "many; a folder is given by --path\n",
                argv[optind]);
        return CMD_USAGE;
    }
    err = only != NULL ? plugin_path_of(&path, only)
                       : plugin_path_init(&path, "");
    if (err < 0) {
        fprintf(stderr,
                "hardpoint plugins: the plugin path cannot be used: "
                "%s\n",
                strerror(-err));
        return CMD_USAGE;
    }
    status = list(&path, only != NULL);
    plugin_path_finish(&path);
    return status;
}

/* ---- inspect ---- */

static void
print_note(const struct object *o, const struct hp_note *note)
{
    const char *kind = plugin_kind_name(note->kind);
    const char *needed;
    size_t i;

    printf("  kind     %s\n", kind != NULL ? kind : "unknown");
    printf("  name     %s\n", note->name);
    printf("  version  %s\n", note->version);
    printf("  ABI      %u.%u, runs in hosts from %u.%u on\n", note->abi_major,
           note->abi_minor, note->abi_major, note->abi_min_minor);
    printf("  flags    %s0x%08x\n",
           note->flags & HP_PLUGIN_DETERMINISTIC ? "deterministic, " : "",
           (unsigned)note->flags);
    printf("  summary  %s\n", note->summary);
    printf("  license  %s\n", note->license);
    printf("  author   %s\n", note->author);
    printf("  needs   ");
    for (i = 0; (needed = object_needs(o, i)) != NULL; i++)
        printf("%s %s", i == 0 ? "" : ",", needed);
    printf("%s\n", i == 0 ? " nothing" : "");
}

static int
inspect(const char *file)
{
    char why[PLUGIN_WHY_MAX] = "";
    struct object object;
    struct hp_note note;
    int err = object_read(&object, file, why);

    if (err < 0) {
        fprintf(stderr, "%s\n", why);
        return err == -ENOEXEC ? CMD_NO : CMD_NO_INPUT;
    }
    err = note_of_object(&object, &note, why);
    if (err == 0) {
        printf("%s\n", file);
        err = plugin_judge_note(file, &note, 0, NULL, why);
        /* Of another major nothing but the head can be read. */
        if (note.abi_major == HP_ABI_MAJOR)
            print_note(&object, &note);
        else
            printf("  ABI      %u.%u\n", note.abi_major, note.abi_minor);
    }
    if (err == 0)
        err = plugin_judge_object(&object, why);
    object_free(&object);
    if (err < 0) {
        fprintf(stderr, "%s\n", why);
        return CMD_NO;
    }
    printf("  verdict  fit for this host (ABI %d.%d) by its note\n",
           HP_ABI_MAJOR, HP_ABI_MINOR);
    return CMD_OK;
}

static int
cmd_inspect(int argc, char **argv)
{
    int i, status, worst = CMD_OK;

    if (argc < 2 || argv[1][0] == '-') {
        usage(stderr);
        return CMD_USAGE;
    }
    for (i = 1; i < argc; i++) {
        status = inspect(argv[i]);
        fflush(stdout);
        worst = worst == CMD_OK ? status : worst;
    }
    return worst;
}

/* A program of its own, hardpoint-plugins-check: it brings its own malloc. */
static int
cmd_check_rules(int argc, char **argv)
{
    static char name[] = "plugins-check";

    argv[0] = name;
    return cmd_external(argc, argv);
}

int
cmd_plugins(int argc, char **argv)
{
    static const struct {
        const char *name;
        cmd_main *run;
    } parts[] = {
        {"list",    cmd_list       },
        {"inspect", cmd_inspect    },
        {"doc",     cmd_plugins_doc},
        {"check",   cmd_check_rules},
    };
    const size_t count = sizeof(parts) / sizeof(parts[0]);
    const char *nearest;
    size_t i;

    if (argc < 2) {
        usage(stderr);
        return CMD_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        usage(stdout);
        return CMD_OK;
    }
    for (i = 0; i < count; i++)
        if (strcmp(parts[i].name, argv[1]) == 0)
            return parts[i].run(argc - 1, argv + 1);
    nearest = ini_nearest(argv[1], &parts[0].name, count, sizeof(parts[0]));
    fprintf(stderr, "hardpoint plugins: there is no \"%s\"%s%s%s\n", argv[1],
            nearest != NULL ? "; did you mean \"" : "",
            nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "");
    usage(stderr);
    return CMD_USAGE;
}
