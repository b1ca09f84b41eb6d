/*
 * hardpoint new: a folder that is a plugin project. Its texts are the files of
 * templates/, which the build turns into a table (new.h); in each of them
 * @name@ and its like are replaced.
 */
#include <config.h>

#include "cmd.h"
#include "cmd_flags.h"
#include "new.h"
#include "plugin.h"
#include "plugin_params.h"
#include <errno.h>
#include <ini/ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct project {
    const char *kind;
    const char *name;
    const char *parent; /* the folder to make it in */
    int is_cxx;
    char folder[PATH_MAX];
};

/* What stands for what in a template. */
struct word {
    const char *mark;
    const char *value;
};
#define WORDS_MAX 5

static void
usage(FILE *to)
{
    fprintf(
        to,
        "usage: hardpoint new KIND NAME [--lang c|c++] [--dir FOLDER]\n"
        "\n"
        "Makes FOLDER/NAME (FOLDER is . unless told): a plugin of that "
        "kind that does\nsomething small, its Makefile and its test. Then:\n"
        "\n"
        "    make -C NAME check\n"
        "\n"
        "KIND is sim, broadcaster, predictor, cues, haptics, input or "
        "agent.\n");
}

/* ---- texts ---- */

/* There is one of every name that is asked for below. */
static const char *
template_text(const char *name)
{
    const struct new_template *t = new_templates;

    while (strcmp(t->name, name) != 0)
        t++;
    return t->text;
}

static void
fill_words(const struct project *p, struct word *words)
{
    words[0] = (struct word){"@kind@", p->kind};
    words[1] = (struct word){"@name@", p->name};
    words[2] = (struct word){"@ext@", p->is_cxx ? "cc" : "c"};
    words[3] =
        (struct word){"@compile@", p->is_cxx ? "$(CXX) -std=c++17 $(CXXFLAGS)"
                                             : "$(CC) -std=gnu11 $(CFLAGS)"};
    words[4] = (struct word){"@link@", p->is_cxx ? "$(CXX)" : "$(CC)"};
}

static const struct word *
word_at(const struct word *words, const char *at)
{
    size_t i;

    for (i = 0; i < WORDS_MAX; i++)
        if (strncmp(at, words[i].mark, strlen(words[i].mark)) == 0)
            return &words[i];
    return NULL;
}

static void
write_text(FILE *to, const char *text, const struct word *words)
{
    const struct word *word;

    while (*text != '\0') {
        word = *text == '@' ? word_at(words, text) : NULL;
        if (word == NULL) {
            fputc(*text++, to);
            continue;
        }
        fputs(word->value, to);
        text += strlen(word->mark);
    }
}

/* ---- files ---- */

/* A file of the new folder from a template. A negative errno is told. */
static int
write_file(const struct project *p, const char *file, const char *template)
{
    struct word words[WORDS_MAX];
    char path[PATH_MAX + 64];
    FILE *to;
    int err = 0;

    fill_words(p, words);
    snprintf(path, sizeof(path), "%s/%s", p->folder, file);
    to = fopen(path, "wx");
    if (to == NULL) {
        err = -errno;
    } else {
        write_text(to, template_text(template), words);
        if (ferror(to))
            err = -EIO;
        if (fclose(to) != 0 && err == 0)
            err = -errno;
    }
    if (err < 0)
        fprintf(stderr, "hardpoint new: %s: cannot be written: %s\n", path,
                strerror(-err));
    return err;
}

static int
make_folder(struct project *p)
{
    int length = snprintf(p->folder, sizeof(p->folder), "%s%s%s",
                          strcmp(p->parent, ".") == 0 ? "" : p->parent,
                          strcmp(p->parent, ".") == 0 ? "" : "/", p->name);
    int err;

    if (length >= (int)sizeof(p->folder)) {
        fprintf(stderr, "hardpoint new: the path of --dir is too long\n");
        return -ENAMETOOLONG;
    }
    if (mkdir(p->folder, 0777) == 0)
        return 0;
    err = -errno;
    if (err == -EEXIST)
        fprintf(stderr,
                "hardpoint new: %s is there already, expected no such file or "
                "folder; remove it, or choose another NAME or --dir\n",
                p->folder);
    else
        fprintf(stderr,
                "hardpoint new: %s: the folder cannot be made: %s; --dir names "
                "one that is there and may be written to\n",
                p->folder, strerror(-err));
    return err;
}

/* What was written is left to look at when a file fails. */
static int
make_project(struct project *p)
{
    char source[64], source_template[64], test_template[64];
    const struct {
        const char *file, *template;
    } files[] = {
        {source,        source_template},
        {"test.c",      test_template  },
        {"test_host.h", "test_host.h"  },
        {"Makefile",    "Makefile.new" },
        {"README.md",   "README.new"   },
    };
    const char *ext = p->is_cxx ? "cc" : "c";
    size_t i;
    int err;

    snprintf(source, sizeof(source), "%s.%s", p->name, ext);
    snprintf(source_template, sizeof(source_template), "%s.%s", p->kind, ext);
    snprintf(test_template, sizeof(test_template), "test_%s.c", p->kind);
    err = make_folder(p);
    for (i = 0; err == 0 && i < sizeof(files) / sizeof(files[0]); i++)
        err = write_file(p, files[i].file, files[i].template);
    if (err == 0)
        printf("made %s: %s, test.c, test_host.h, Makefile, README.md\n"
               "next: make -C %s check\n",
               p->folder, source, p->folder);
    return err;
}

/* ---- the command line ---- */

static int
judge_kind(const char *kind)
{
    const char *names[HP_KIND_AGENT];
    const char *nearest;
    uint32_t i;

    if (plugin_kind_by_name(kind) != 0)
        return 0;
    for (i = 0; i < HP_KIND_AGENT; i++)
        names[i] = plugin_kind_name(i + 1);
    nearest = ini_nearest(kind, names, HP_KIND_AGENT, sizeof(names[0]));
    fprintf(stderr,
            "hardpoint new: \"%s\" is no kind, expected sim, broadcaster, "
            "predictor, cues, haptics, input or agent%s%s%s\n",
            kind, nearest != NULL ? "; did you mean \"" : "",
            nearest != NULL ? nearest : "", nearest != NULL ? "\"?" : "");
    return -EINVAL;
}

/* Names that would be another file of the same folder. */
static int
is_taken(const char *name)
{
    return strcmp(name, "test") == 0 || strcmp(name, "test_host") == 0;
}

static int
judge_name(const char *name)
{
    if (plugin_name_is_good(name) && !is_taken(name))
        return 0;
    if (is_taken(name))
        fprintf(stderr,
                "hardpoint new: the name \"%s\" is that of the project's own "
                "test; choose another\n",
                name);
    else
        fprintf(stderr,
                "hardpoint new: \"%s\" cannot be a plugin's name, expected "
                "small letters, digits and _, a letter first, at most %zu of "
                "them; as in \"my_pad\"\n",
                name, sizeof(((struct hp_note *)0)->name) - 1);
    return -EINVAL;
}

static int
judge_language(const char *given, int *is_cxx)
{
    *is_cxx = strcmp(given, "c++") == 0;
    if (*is_cxx || strcmp(given, "c") == 0)
        return 0;
    fprintf(stderr, "hardpoint new: found --lang %s, expected c or c++\n",
            given);
    return -EINVAL;
}

int
cmd_new(int argc, char **argv)
{
    static const struct option longs[] = {
        {"lang", required_argument, NULL, 'l'},
        {"dir",  required_argument, NULL, 'd'},
        {"help", no_argument,       NULL, 'h'},
        {NULL,   0,                 NULL, 0  }
    };
    struct project project = {.parent = "."};
    int flag;

    optind = 1;
    while ((flag = cmd_flag("new", argc, argv, ":h", longs)) != -1) {
        if (flag == 'h') {
            usage(stdout);
            return CMD_OK;
        }
        if (flag == '?' ||
            (flag == 'l' && judge_language(optarg, &project.is_cxx) < 0))
            return CMD_USAGE;
        if (flag == 'd')
            project.parent = optarg;
    }
    if (argc - optind < 2) {
        fprintf(stderr, "hardpoint new: expected a KIND and a NAME\n");
        usage(stderr);
        return CMD_USAGE;
    }
    if (argc - optind > 2)
        return cmd_too_many("new", argv[optind + 2]);
    project.kind = argv[optind];
    project.name = argv[optind + 1];
    if (judge_kind(project.kind) < 0 || judge_name(project.name) < 0)
        return CMD_USAGE;
    return make_project(&project) < 0 ? CMD_NO : CMD_OK;
}
