/*
 * Runs a fuzzer's target over its committed corpus, without a fuzzer: every
 * compiler can, in every check. Each file also goes in cut to each of its
 * lengths. The corpus is $HP_SRC/t/corpus/CORPUS.
 */
#include "tap.h"
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>

#define FILE_BYTES_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static size_t
read_file(const char *path, uint8_t *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t count = 0;

    if (ok(file != NULL)) {
        count = fread(bytes, 1, FILE_BYTES_MAX, file);
        fclose(file);
    }
    return count;
}

/* From memory of just its size, so that a sanitizer sees a read past it. */
static void
feed(const uint8_t *bytes, size_t count)
{
    uint8_t *copy = malloc(count + 1);

    if (ok(copy != NULL)) {
        memcpy(copy, bytes, count);
        ok_int(LLVMFuzzerTestOneInput(copy, count), 0);
    }
    free(copy);
}

static void
the_target_holds_for_its_corpus(void)
{
    static uint8_t bytes[FILE_BYTES_MAX];
    const char *top = getenv("HP_SRC");
    char folder[2048], path[4096];
    struct dirent *entry;
    size_t count, cut;
    int files = 0;
    DIR *dir;

    snprintf(folder, sizeof(folder), "%s/t/corpus/%s", top != NULL ? top : ".",
             CORPUS);
    dir = opendir(folder);
    if (!ok(dir != NULL))
        return;
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        count = read_file(path, bytes);
        feed(bytes, count);
        for (cut = 0; cut < count; cut++)
            feed(bytes, cut);
        files++;
    }
    closedir(dir);
    printf("# %d files\n", files);
    ok(files > 0);
}

TAP_MAIN(FACT(the_target_holds_for_its_corpus))
