#include <config.h>

#include "plugin_world.h"
#include "tap.h"
#include <dlfcn.h>
#include <errno.h>
#include <note.h>
#include <object.h>
#include <sys/stat.h>
#include <unistd.h>

static char why[PLUGIN_WHY_MAX];

static const char *
null_file(void)
{
    return world_file("plugins/.libs/haptics_null.so");
}

/* The whole of a file; freed by the caller. */
static unsigned char *
slurp(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(1 << 20);

    *count = file == NULL ? 0 : fread(bytes, 1, 1 << 20, file);
    if (file != NULL)
        fclose(file);
    return bytes;
}

static void
spew(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL)
        return;
    fwrite(bytes, 1, count, file);
    fclose(file);
}

static void
a_kind_has_its_name_both_ways(void)
{
    uint32_t kind;

    for (kind = HP_KIND_SIM; kind <= HP_KIND_AGENT; kind++)
        ok_int(plugin_kind_by_name(plugin_kind_name(kind)), kind);
    ok(plugin_kind_name(0) == NULL);
    ok(plugin_kind_name(HP_KIND_AGENT + 1) == NULL);
    ok_int(plugin_kind_by_name("pilot"), 0);
}

static void
a_note_is_read_without_loading(void)
{
    struct hp_note note;

    ok_int(note_read(null_file(), &note, why), 0);
    ok_text(note.name, "null");
    ok_int(note.kind, HP_KIND_HAPTICS);
    ok_int(note.abi_major, HP_ABI_MAJOR);
    ok(!world_is_mapped("haptics_null.so"));
}

static void
a_plugin_opens_and_leaves_nothing_behind(void)
{
    struct plugin *p = NULL;
    int i;

    for (i = 0; i < 5; i++) {
        ok_int(plugin_open(&p, null_file(), HP_KIND_HAPTICS, "null", why), 0);
        ok_text(plugin_table(p)->name, "null");
        ok_text(plugin_file(p), null_file());
        ok(world_is_mapped("haptics_null.so"));
        plugin_close(p);
#ifndef HP_SANITIZED
        ok(!world_is_mapped("haptics_null.so"));
#endif
    }
    plugin_close(NULL);
}

static void
another_kind_or_name_is_refused_before_loading(void)
{
    struct plugin *p = NULL;

    ok_int(plugin_open(&p, null_file(), HP_KIND_INPUT, NULL, why), -EINVAL);
    ok(strstr(why, "is a plugin of kind haptics, expected input") != NULL);
    ok_int(plugin_open(&p, null_file(), 0, "trace", why), -EINVAL);
    ok(strstr(why, "calls itself \"null\", expected \"trace\"") != NULL);
    ok(p == NULL);
}

static void
a_stale_dlerror_does_not_blame_the_next_plugin(void)
{
    struct plugin *p = NULL;

    ok(dlopen("/nonexistent/at/all.so", RTLD_NOW) == NULL);
    ok_int(plugin_open(&p, null_file(), 0, NULL, why), 0);
    ok(dlsym(RTLD_DEFAULT, "hp_no_such_symbol") == NULL);
    plugin_close(p);
    ok_int(plugin_open(&p, null_file(), 0, NULL, why), 0);
    plugin_close(p);
}

static void
what_is_no_shared_object_says_what_it_is(void)
{
    char folder[] = "/tmp/hp-plugin-XXXXXX", path[64];
    struct hp_note note;

    ok(mkdtemp(folder) != NULL);
    snprintf(path, sizeof(path), "%s/x.so", folder);
    ok_int(note_read(path, &note, why), -ENOENT);
    ok(strstr(why, "No such file") != NULL);
    ok_int(note_read(folder, &note, why), -ENOEXEC);
    ok(strstr(why, "is a folder") != NULL);
    spew(path, "", 0);
    ok_int(note_read(path, &note, why), -ENOEXEC);
    ok(strstr(why, "is not an ELF file") != NULL);
    spew(path, "#!/bin/sh\necho no\n", 18);
    ok_int(note_read(path, &note, why), -ENOEXEC);
    ok(strstr(why, "is not an ELF file") != NULL);
    unlink(path);
    ok_int(mkfifo(path, 0600), 0);
    ok_int(note_read(path, &note, why), -ENOEXEC);
    ok(strstr(why, "is not a regular file") != NULL);
    unlink(path);
    rmdir(folder);
}

/* A bus error is what a mapped but missing segment would give. */
static void
a_file_cut_anywhere_is_refused(void)
{
    char path[] = "/tmp/hp-plugin-XXXXXX";
    struct plugin *p = NULL;
    size_t count, cut;
    unsigned char *bytes = slurp(null_file(), &count);
    int fd = mkstemp(path);

    ok(fd >= 0);
    close(fd);
    ok(count > 4096);
    for (cut = 0; cut < count; cut += cut < 64 ? 1 : 61) {
        spew(path, bytes, cut);
        if (!ok_int(plugin_open(&p, path, 0, NULL, why), -ENOEXEC))
            break;
    }
    ok(strstr(why, "is cut short") != NULL);
    unlink(path);
    free(bytes);
}

/* Offsets, counts and sizes of every header take odd values here; what is
 * asked for is an answer, whichever. */
static void
a_file_with_any_byte_changed_is_answered(void)
{
    static const unsigned char odd[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    char path[] = "/tmp/hp-plugin-XXXXXX";
    struct hp_note note;
    size_t count, at, i;
    unsigned char *bytes = slurp(null_file(), &count), kept;
    int fd = mkstemp(path), answers = 0;

    ok(fd >= 0);
    ok_int(pwrite(fd, bytes, count, 0), count);
    for (at = 0; at < 1024; at++) {
        kept = bytes[at];
        for (i = 0; i < sizeof(odd); i++) {
            ok_int(pwrite(fd, &odd[i], 1, (off_t)at), 1);
            answers += note_read(path, &note, why) <= 0;
        }
        ok_int(pwrite(fd, &kept, 1, (off_t)at), 1);
    }
    ok_int(answers, 5 * 1024);
    close(fd);
    unlink(path);
    free(bytes);
}

/* As above for whole words anywhere: the tables behind the headers. Under a
 * sanitizer or valgrind a read outside the file is a failure. */
static void
a_file_with_any_word_changed_is_answered(void)
{
    static const uint32_t odd[] = {0, 1, 0x7fffffff, 0x80000000, UINT32_MAX};
    char path[] = "/tmp/hp-plugin-XXXXXX";
    struct object object;
    struct hp_note note;
    size_t count, at, index;
    unsigned char *bytes = slurp(null_file(), &count);
    int fd = mkstemp(path), answers = 0, turn;
    uint32_t dice = 1;

    ok(fd >= 0);
    ok_int(pwrite(fd, bytes, count, 0), count);
    for (turn = 0; turn < 4000; turn++) {
        dice = dice * 1664525 + 1013904223;
        at = (dice >> 8) % (count / 4) * 4;
        ok_int(pwrite(fd, &odd[turn % 5], 4, (off_t)at), 4);
        if (object_read(&object, path, why) == 0) {
            for (index = 0; object_needs(&object, index) != NULL; index++)
                answers += strlen(object_needs(&object, index)) > 4000;
            answers += object_mentions(&object, "hp_nobody_has_this");
            answers += note_of_object(&object, &note, why) <= 0;
            object_free(&object);
        } else {
            answers++;
        }
        ok_int(pwrite(fd, bytes + at, 4, (off_t)at), 4);
    }
    ok_int(answers, 4000);
    close(fd);
    unlink(path);
    free(bytes);
}

static void
another_machine_is_named(void)
{
    char path[] = "/tmp/hp-plugin-XXXXXX";
    struct hp_note note;
    size_t count;
    unsigned char *bytes = slurp(null_file(), &count);
    int fd = mkstemp(path);

    ok(fd >= 0);
    close(fd);
    bytes[18] = 21; /* e_machine: 64-bit POWER */
    bytes[19] = 0;
    spew(path, bytes, count);
    ok_int(note_read(path, &note, why), -ENOEXEC);
    ok(strstr(why, "is built for POWER, this host runs on") != NULL);
    bytes[5] = 2; /* big-endian */
    spew(path, bytes, count);
    ok_int(note_read(path, &note, why), -ENOEXEC);
    ok(strstr(why, "64-bit big-endian machine") != NULL);
    unlink(path);
    free(bytes);
}

static void
a_name_is_found_in_the_first_folder_that_has_it(void)
{
    struct plugin_path path;
    char file[512], configured[1200];

    snprintf(configured, sizeof(configured), "/nonexistent::%s",
             world_file("plugins/.libs"));
    ok(plugin_path_init(&path, configured) >= 3);
    ok_text(path.folders[0], "/nonexistent");
    ok_int(plugin_find(&path, HP_KIND_HAPTICS, "null", file, sizeof(file), why),
           0);
    ok_text(file, null_file());
    plugin_path_finish(&path);
    ok_int(path.count, 0);
}

static void
a_name_that_is_not_there_gets_a_suggestion(void)
{
    struct plugin_path path;
    char file[512];

    ok(plugin_path_init(&path, world_file("plugins/.libs")) > 0);
    ok_int(
        plugin_find(&path, HP_KIND_HAPTICS, "trcae", file, sizeof(file), why),
        -ENOENT);
    ok(strstr(why, "no haptics plugin \"trcae\" (haptics_trcae.so) in ") ==
       why);
    ok(strstr(why, "did you mean \"trace\"?") != NULL);
    ok(strstr(why, "null, ") != NULL && strstr(why, ", trace") != NULL);
    ok_int(plugin_find(&path, HP_KIND_HAPTICS, "../haptics/null", file,
                       sizeof(file), why),
           -ENOENT);
    ok_int(plugin_find(&path, 99, "null", file, sizeof(file), why), -ENOENT);
    plugin_path_finish(&path);
}

static void
too_many_folders_are_refused(void)
{
    struct plugin_path path;

    ok_int(plugin_path_init(&path, "/1:/2:/3:/4:/5:/6:/7:/8:/9:/10:/11:/12:"
                                   "/13:/14:/15:/16:/17"),
           -E2BIG);
    ok_int(path.count, 0);
}

TAP_MAIN(FACT(a_kind_has_its_name_both_ways),
         FACT(a_note_is_read_without_loading),
         FACT(a_plugin_opens_and_leaves_nothing_behind),
         FACT(another_kind_or_name_is_refused_before_loading),
         FACT(a_stale_dlerror_does_not_blame_the_next_plugin),
         FACT(what_is_no_shared_object_says_what_it_is),
         FACT(a_file_cut_anywhere_is_refused),
         FACT(a_file_with_any_byte_changed_is_answered),
         FACT(a_file_with_any_word_changed_is_answered),
         FACT(another_machine_is_named),
         FACT(a_name_is_found_in_the_first_folder_that_has_it),
         FACT(a_name_that_is_not_there_gets_a_suggestion),
         FACT(too_many_folders_are_refused))
