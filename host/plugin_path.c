/* Where plugins lie, and which of a kind there are. */
#include <config.h>

#include "plugin.h"
#include "plugin_params.h"
#include "refuse.h"
#include <dirent.h>
#include <errno.h>
#include <ini/ini.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDERS_MAX \
    ((int)(sizeof(((struct plugin_path *)0)->folders) / sizeof(char *)))

/* What a refusal lists; more names than this help nobody. */
#define NAMES_MAX 48

static const char *const kind_names[] = {
    [HP_KIND_SIM] = "sim",
    [HP_KIND_BROADCASTER] = "broadcaster",
    [HP_KIND_PREDICTOR] = "predictor",
    [HP_KIND_CUES] = "cues",
    [HP_KIND_HAPTICS] = "haptics",
    [HP_KIND_INPUT] = "input",
    [HP_KIND_AGENT] = "agent",
};
#define KINDS (sizeof(kind_names) / sizeof(kind_names[0]))

const char *
plugin_kind_name(uint32_t kind)
{
    return kind < KINDS ? kind_names[kind] : NULL;
}

uint32_t
plugin_kind_by_name(const char *name)
{
    uint32_t kind;

    for (kind = 1; kind < KINDS; kind++)
        if (strcmp(kind_names[kind], name) == 0)
            return kind;
    return 0;
}

static int
add_folder(struct plugin_path *path, const char *folder, size_t length)
{
    int i;

    for (i = 0; i < path->count; i++)
        if (strncmp(path->folders[i], folder, length) == 0 &&
            path->folders[i][length] == '\0')
            return 0;
    if (length == 0)
        return 0;
    if (path->count == FOLDERS_MAX)
        return -E2BIG;
    path->folders[path->count] = strndup(folder, length);
    if (path->folders[path->count] == NULL)
        return -ENOMEM;
    path->count++;
    return 0;
}

static int
add_list(struct plugin_path *path, const char *list)
{
    size_t length;
    int err = 0;

    for (; err == 0 && list != NULL && *list != '\0';
         list += length + (list[length] == ':')) {
        length = strcspn(list, ":");
        err = add_folder(path, list, length);
    }
    return err;
}

/* plugins/.libs beside the running program, if that is there. */
static int
add_build_tree(struct plugin_path *path)
{
    static const char below[] = "/plugins/.libs";
    char folder[PATH_MAX];
    struct stat status;
    ssize_t length;
    char *slash;

    length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    if (length < 0)
        return 0;
    folder[length] = '\0';
    slash = strrchr(folder, '/');
    if (slash == NULL ||
        (size_t)(slash - folder) + sizeof(below) > sizeof(folder))
        return 0;
    memcpy(slash, below, sizeof(below));
    if (stat(folder, &status) < 0 || !S_ISDIR(status.st_mode))
        return 0;
    return add_folder(path, folder, strlen(folder));
}

static int
finish_unless(struct plugin_path *path, int err)
{
    if (err == 0)
        return path->count;
    plugin_path_finish(path);
    return err;
}

int
plugin_path_init(struct plugin_path *path, const char *configured)
{
    int err;

    memset(path, 0, sizeof(*path));
    err = add_list(path, configured);
    if (err == 0)
        err = add_list(path, getenv("HARDPOINT_PLUGIN_PATH"));
    if (err == 0)
        err = add_build_tree(path);
    if (err == 0)
        err = add_list(path, HP_PLUGINDIR);
    return finish_unless(path, err);
}

int
plugin_path_of(struct plugin_path *path, const char *list)
{
    memset(path, 0, sizeof(*path));
    return finish_unless(path, add_list(path, list));
}

void
plugin_path_finish(struct plugin_path *path)
{
    int i;

    for (i = 0; i < path->count; i++)
        free(path->folders[i]);
    memset(path, 0, sizeof(*path));
}

struct names {
    char text[NAMES_MAX][32];
    const char *pointers[NAMES_MAX]; /* in order of the alphabet */
    size_t count;
};

/* Adds the NAME of KIND_NAME.so unless it is there, in its place. */
static void
add_name(struct names *names, const char *prefix, const char *entry)
{
    size_t prefix_bytes = strlen(prefix), bytes = strlen(entry), at, i;
    char *name = names->text[names->count % NAMES_MAX];

    if (names->count == NAMES_MAX || bytes < prefix_bytes + 5 ||
        bytes - prefix_bytes - 3 >= sizeof(names->text[0]) ||
        strncmp(entry, prefix, prefix_bytes) != 0 ||
        entry[prefix_bytes] != '_' || strcmp(entry + bytes - 3, ".so") != 0)
        return;
    bytes -= prefix_bytes + 1 + 3;
    memcpy(name, entry + prefix_bytes + 1, bytes);
    name[bytes] = '\0';
    if (!plugin_name_is_good(name))
        return;
    for (at = 0; at < names->count; at++) {
        if (strcmp(names->pointers[at], name) == 0)
            return;
        if (strcmp(names->pointers[at], name) > 0)
            break;
    }
    for (i = names->count++; i > at; i--)
        names->pointers[i] = names->pointers[i - 1];
    names->pointers[at] = name;
}

static void
collect_names(const struct plugin_path *path, const char *kind,
              struct names *names)
{
    struct dirent *entry;
    DIR *folder;
    int i;

    names->count = 0;
    for (i = 0; i < path->count; i++) {
        folder = opendir(path->folders[i]);
        if (folder == NULL)
            continue;
        while ((entry = readdir(folder)) != NULL)
            add_name(names, kind, entry->d_name);
        closedir(folder);
    }
}

__attribute__((format(printf, 3, 4))) static void
append(char *why, size_t *at, const char *format, ...)
{
    va_list arguments;
    int written;

    va_start(arguments, format);
    written = vsnprintf(why + *at, PLUGIN_WHY_MAX - *at, format, arguments);
    va_end(arguments);
    if (written > 0)
        *at += (size_t)written;
    if (*at >= PLUGIN_WHY_MAX)
        *at = PLUGIN_WHY_MAX - 1;
}

/* "no haptics plugin "trce" (haptics_trce.so) in A, B; did you mean "trace"?
 * There are: null, trace" */
static void
say_not_found(const struct plugin_path *path, const char *kind,
              const char *name, char *why)
{
    struct names names;
    const char *nearest;
    size_t at = 0, i;

    collect_names(path, kind, &names);
    append(why, &at, "no %s plugin \"%.64s\" (%s_%.64s.so) in ", kind, name,
           kind, name);
    for (i = 0; i < (size_t)path->count; i++)
        append(why, &at, "%s%s", i == 0 ? "" : ", ", path->folders[i]);
    nearest = ini_nearest(name, names.pointers, names.count,
                          sizeof(names.pointers[0]));
    if (nearest != NULL)
        append(why, &at, "; did you mean \"%s\"?", nearest);
    append(why, &at, "%s",
           names.count == 0  ? "; there is none of that kind there, set "
                               "[host] plugin_path or HARDPOINT_PLUGIN_PATH"
           : nearest == NULL ? "; there are: "
                             : " There are: ");
    for (i = 0; i < names.count; i++)
        append(why, &at, "%s%s", i == 0 ? "" : ", ", names.pointers[i]);
}

int
plugin_find(const struct plugin_path *path, uint32_t kind, const char *name,
            char *file, size_t file_bytes, char *why)
{
    const char *kind_name = plugin_kind_name(kind);
    struct stat status;
    int i, length;

    if (kind_name == NULL)
        return refuse(why, -ENOENT, "there is no plugin kind %u",
                      (unsigned)kind);
    for (i = 0; plugin_name_is_good(name) && i < path->count; i++) {
        length = snprintf(file, file_bytes, "%s/%s_%s.so", path->folders[i],
                          kind_name, name);
        if (length > 0 && (size_t)length < file_bytes &&
            stat(file, &status) == 0)
            return 0;
    }
    if (why != NULL)
        say_not_found(path, kind_name, name, why);
    return -ENOENT;
}
