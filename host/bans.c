#include "bans.h"
#include <arpa/inet.h>
#include <errno.h>
#include <ini/ini.h>
#include <stdlib.h>
#include <string.h>

struct network {
    uint32_t address; /* host order, as the mask */
    uint32_t mask;
};

struct bans {
    uint32_t count;
    uint32_t room;
    struct network *networks;
};

/* A comment's start, blanks and the line's end go. */
static char *
trim(char *line)
{
    char *end;

    line[strcspn(line, "#;\r\n")] = '\0';
    while (*line == ' ' || *line == '\t')
        line++;
    for (end = line + strlen(line);
         end > line && (end[-1] == ' ' || end[-1] == '\t'); end--)
        end[-1] = '\0';
    return line;
}

static int
parse_network(char *text, struct network *out)
{
    char *slash = strchr(text, '/');
    struct in_addr address;
    long long bits = 32;

    if (slash != NULL) {
        *slash = '\0';
        if (ini_parse_int(slash + 1, "", &bits, NULL) < 0 || bits < 0 ||
            bits > 32)
            return -EINVAL;
    }
    if (inet_pton(AF_INET, text, &address) != 1)
        return -EINVAL;
    out->mask = bits == 0 ? 0 : UINT32_MAX << (32 - bits);
    out->address = ntohl(address.s_addr) & out->mask;
    return 0;
}

static int
keep(struct bans *bans, const struct network *network)
{
    struct network *grown;
    uint32_t room = bans->room == 0 ? 16 : 2 * bans->room;

    if (bans->count == bans->room) {
        grown = realloc(bans->networks, room * sizeof(*grown));
        if (grown == NULL)
            return -ENOMEM;
        bans->networks = grown;
        bans->room = room;
    }
    bans->networks[bans->count++] = *network;
    return 0;
}

static int
read_lines(struct bans *bans, FILE *file, const char *path, FILE *errors)
{
    char line[256], shown[256], *text;
    struct network network;
    int number = 0, err = 0;

    while (fgets(line, sizeof(line), file) != NULL) {
        number++;
        text = trim(line);
        if (*text == '\0')
            continue;
        snprintf(shown, sizeof(shown), "%s", text);
        if (parse_network(text, &network) < 0) {
            fprintf(errors,
                    "%s:%d: error: found \"%.80s\", expected an IPv4 address "
                    "or a network, as 203.0.113.7 or 198.51.100.0/24\n",
                    path, number, shown);
            err = -EINVAL;
        } else if (keep(bans, &network) < 0) {
            return -ENOMEM;
        }
    }
    return ferror(file) ? -EIO : err;
}

int
bans_load(struct bans **out, const char *path, FILE *errors)
{
    struct bans *bans = calloc(1, sizeof(*bans));
    FILE *file;
    int err;

    if (bans == NULL)
        return -ENOMEM;
    if (*path == '\0') {
        *out = bans;
        return 0;
    }
    file = fopen(path, "re");
    if (file == NULL) {
        err = -errno;
        goto fail;
    }
    err = read_lines(bans, file, path, errors);
    fclose(file);
    if (err < 0)
        goto fail;
    *out = bans;
    return 0;

fail:
    bans_destroy(bans);
    return err;
}

void
bans_destroy(struct bans *bans)
{
    if (bans == NULL)
        return;
    free(bans->networks);
    free(bans);
}

int
bans_have(const struct bans *bans, uint32_t host)
{
    uint32_t address = ntohl(host), i;

    for (i = 0; bans != NULL && i < bans->count; i++)
        if ((address & bans->networks[i].mask) == bans->networks[i].address)
            return 1;
    return 0;
}

uint32_t
bans_count(const struct bans *bans)
{
    return bans == NULL ? 0 : bans->count;
}
