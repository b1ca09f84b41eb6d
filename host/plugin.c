#include <config.h>

#include "fault.h"
#include "float_control.h"
#include "log.h"
#include "note.h"
#include "object.h"
#include "plugin.h"
#include "plugin_judge.h"
#include "refuse.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY "hp_plugin_v1"

struct plugin {
    void *handle; /* of dlopen */
    const struct hp_plugin *table;
    struct hp_note note;
    char file[PATH_MAX]; /* with a slash, so that nothing is searched */
};

/*
 * In a sanitizer build a plugin stays mapped, else the reports that come at
 * exit could not name its lines. Never RTLD_GLOBAL or RTLD_DEEPBIND: plugins
 * do not see each other's symbols, and deep binding breaks malloc replacement.
 */
static int
open_mode(void)
{
#ifdef HP_SANITIZED
    return RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
#else
    return RTLD_NOW | RTLD_LOCAL;
#endif
}

/* Turns what dlopen says into a refusal; it may name just the dependency. */
static int
refuse_open(const char *file, const char *said, char *why)
{
    static const char absent[] = ": cannot open shared object file";
    const char *at, *colon;

    if (said == NULL)
        said = "no reason given";
    at = strstr(said, absent);
    colon = strchr(said, ':');
    if (at != NULL && colon == at &&
        strncmp(said, file, (size_t)(at - said)) != 0)
        return refuse(why, -ELIBACC,
                      "%s: needs the shared library %.*s, which is not found "
                      "here%s; install it, or add its folder to "
                      "LD_LIBRARY_PATH",
                      file, (int)(at - said), said,
                      strstr(said, "No such file") != NULL ? ""
                                                           : " or unreadable");
    if (strstr(said, "undefined symbol") != NULL)
        return refuse(why, -ENOEXEC,
                      "%s: cannot be loaded, expected every symbol in the "
                      "libraries it names: %s; link it with -Wl,-z,defs to "
                      "see what is missing",
                      file, said);
    return refuse(why, -ENOEXEC,
                  "%s: cannot be loaded: %s; build it again on this machine",
                  file, said);
}

/* dlopen, with the floating-point state as it was before. */
static int
open_object(struct plugin *p, char *why)
{
    uint64_t before = float_control(), after;
    const char *said;

    /* What an earlier failure left behind must not count as this one's. */
    dlerror();
    p->handle = dlopen(p->file, open_mode());
    said = p->handle == NULL ? dlerror() : NULL;
    after = float_control();
    if (after != before) {
        float_control_set(before);
        log_warning("plugin: %s changed the floating-point control state when "
                    "loaded (%llx to %llx); it was put back; build it without "
                    "-ffast-math",
                    p->file, (unsigned long long)before,
                    (unsigned long long)after);
    }
    if (p->handle == NULL)
        return refuse_open(p->file, said, why);
    return 0;
}

/*
 * The exported table and its size. dlsym looks into the dependencies too, so
 * what it finds must belong to the object that was opened.
 */
static int
find_table(struct plugin *p, size_t *bytes, char *why)
{
    struct link_map *own = NULL, *of_symbol = NULL;
    const ElfW(Sym) *symbol = NULL;
    void *table, *extra;
    Dl_info info;

    *bytes = 0;
    dlerror();
    table = dlsym(p->handle, ENTRY);
    if (table == NULL)
        return refuse(why, -ENOEXEC,
                      "%s: does not export " ENTRY
                      ", the table of every plugin; define it with HP_PLUGIN, "
                      "and link with the version script of this project or "
                      "none",
                      p->file);
    if (dlinfo(p->handle, RTLD_DI_LINKMAP, &own) != 0 || own == NULL ||
        dladdr1(table, &info, &extra, RTLD_DL_LINKMAP) == 0 ||
        (of_symbol = extra) == NULL || of_symbol->l_addr != own->l_addr)
        return refuse(why, -ENOEXEC,
                      "%s: does not export " ENTRY
                      " itself, a library that it links to does (%s); define "
                      "it in the plugin with HP_PLUGIN",
                      p->file,
                      of_symbol != NULL ? of_symbol->l_name : "unknown");
    if (dladdr1(table, &info, &extra, RTLD_DL_SYMENT) != 0 &&
        (symbol = extra) != NULL)
        *bytes = symbol->st_size;
    p->table = table;
    return 0;
}

/* All that can be known from the bytes, before any code runs. */
static int
judge_file(struct plugin *p, uint32_t kind, const char *name, char *why)
{
    struct object object;
    int err = object_read(&object, p->file, why);

    if (err < 0)
        return err;
    err = note_of_object(&object, &p->note, why);
    /* No note or a broken one: either way it is not a plugin. */
    if (err < 0)
        err = -ENOEXEC;
    else
        err = plugin_judge_note(p->file, &p->note, kind, name, why);
    if (err == 0)
        err = plugin_judge_object(&object, why);
    object_free(&object);
    return err;
}

int
plugin_open(struct plugin **out, const char *file, uint32_t kind,
            const char *name, char *why)
{
    struct plugin *p = calloc(1, sizeof(*p));
    size_t bytes;
    int err;

    if (p == NULL)
        return refuse(why, -ENOMEM, "%s: no memory to load it", file);
    if (snprintf(p->file, sizeof(p->file), "%s%s",
                 strchr(file, '/') == NULL ? "./" : "",
                 file) >= (int)sizeof(p->file)) {
        err =
            refuse(why, -ENAMETOOLONG, "%.64s...: the path is too long", file);
        goto fail;
    }
    err = judge_file(p, kind, name, why);
    if (err < 0)
        goto fail;
    err = open_object(p, why);
    if (err < 0)
        goto fail;
    err = find_table(p, &bytes, why);
    if (err < 0)
        goto fail;
    err = plugin_judge_table(p->file, p->table, bytes, &p->note, why);
    if (err < 0)
        goto fail;
    fault_learn_objects(p->table);
    *out = p;
    return 0;

fail:
    plugin_close(p);
    return err;
}

void
plugin_close(struct plugin *p)
{
    if (p == NULL)
        return;
    if (p->handle != NULL) {
        dlclose(p->handle);
        fault_learn_objects(NULL);
    }
    free(p);
}

const struct hp_plugin *
plugin_table(const struct plugin *plugin)
{
    return plugin->table;
}

const char *
plugin_file(const struct plugin *plugin)
{
    return plugin->file;
}
