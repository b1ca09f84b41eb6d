/*
 * hardpoint-compare: results of `hardpoint bench --json` from several machines
 * or dates as one Markdown table. A program of its own, since the host itself
 * reads no JSON.
 */
#include "chart.h"
#include "cmd.h"
#include "report.h"
#include "table.h"
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
usage(FILE *to)
{
    fprintf(to,
            "usage: hardpoint compare FILE... [--svg PICTURE]\n\n"
            "Prints the results that `hardpoint bench --json FILE` wrote as a "
            "Markdown table,\nand says where they were not measured alike.\n\n"
            "  --svg PICTURE          draws each stage's distributions side by "
            "side as well\n");
}

/* All are tried, so that every fault is told at once. */
static int
open_all(struct report *reports, char **paths, int count)
{
    int i, err, status = CMD_OK;

    for (i = 0; i < count; i++) {
        err = report_open(&reports[i], paths[i]);
        if (err == -EINVAL && status == CMD_OK)
            status = CMD_CONFIG;
        else if (err < 0 && err != -EINVAL)
            status = CMD_NO_INPUT;
    }
    return status;
}

static int
draw(const char *picture, const struct report *reports, int count)
{
    int err = chart_write(picture, reports, count);

    if (err == 0)
        return CMD_OK;
    fprintf(stderr,
            "hardpoint compare: --svg: cannot write %s: %s; name a file in a "
            "folder that is there and yours\n",
            picture, strerror(-err));
    return CMD_UNAVAILABLE;
}

/* `--svg a.json b.json`, the picture forgotten, would cost a measurement. */
static int
is_report_name(const char *picture)
{
    size_t length = strlen(picture);

    return length >= 5 && strcmp(picture + length - 5, ".json") == 0;
}

static int
compare(const char *picture, char **paths, int count)
{
    struct report *reports = calloc((size_t)count, sizeof(*reports));
    int i, status;

    if (reports == NULL) {
        fprintf(stderr, "compare: no memory for %d reports\n", count);
        return CMD_NO;
    }
    status = open_all(reports, paths, count);
    if (status == CMD_OK) {
        table_print(stdout, reports, count);
        table_warn(stdout, reports, count);
        if (fflush(stdout) != 0 || ferror(stdout)) {
            fprintf(stderr, "compare: cannot write the table\n");
            status = CMD_NO;
        }
    }
    if (status == CMD_OK && picture != NULL)
        status = draw(picture, reports, count);
    for (i = 0; i < count; i++)
        report_close(&reports[i]);
    free(reports);
    return status;
}

int
main(int argc, char **argv)
{
    static const struct option options[] = {
        {"help", no_argument,       NULL, 'h'},
        {"svg",  required_argument, NULL, 's'},
        {NULL,   0,                 NULL, 0  },
    };
    const char *picture = NULL;
    int c;

    while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (c == 's') {
            picture = optarg;
            continue;
        }
        usage(c == 'h' ? stdout : stderr);
        return c == 'h' ? CMD_OK : CMD_USAGE;
    }
    if (optind == argc) {
        usage(stderr);
        return CMD_USAGE;
    }
    if (picture != NULL && is_report_name(picture)) {
        fprintf(stderr,
                "hardpoint compare: --svg: %s is named as a report, expected "
                "the picture to draw; name it first: --svg picture.svg %s\n",
                picture, picture);
        return CMD_USAGE;
    }
    return compare(picture, argv + optind, argc - optind);
}
