#include "net_address.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* "::1", "[::1]": told at once, no name server is asked. */
static int
is_ipv6(const char *text)
{
    struct in6_addr six;

    return text[0] == '[' || inet_pton(AF_INET6, text, &six) == 1;
}

int
net_resolve(const char *name, uint32_t *host, char *why, size_t why_bytes)
{
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *found = NULL;
    int err;

    *host = 0;
    if (name == NULL || name[0] == '\0')
        return 0;
    if (is_ipv6(name)) {
        snprintf(why, why_bytes,
                 "net: \"%s\" is an IPv6 address, and ENet speaks IPv4 only: "
                 "give an IPv4 address, or a name that has one",
                 name);
        return -EHOSTUNREACH;
    }
    err = getaddrinfo(name, NULL, &hints, &found);
    if (err != 0) {
        snprintf(why, why_bytes,
                 "net: no IPv4 address for \"%s\" (%s), and ENet speaks IPv4 "
                 "only: check the name, or give an IPv4 address",
                 name, gai_strerror(err));
        return -EHOSTUNREACH;
    }
    *host = ((struct sockaddr_in *)found->ai_addr)->sin_addr.s_addr;
    freeaddrinfo(found);
    return 0;
}

/* The kernel lets only an own address be bound. */
int
net_is_own_address(uint32_t host)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = host};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), own;

    if (fd < 0)
        return 0;
    own = host != 0 &&
          bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0;
    close(fd);
    return own;
}

void
net_print_address(uint32_t host, uint16_t port, char *text, size_t count)
{
    struct in_addr address = {.s_addr = host};
    char dotted[INET_ADDRSTRLEN] = "";

    inet_ntop(AF_INET, &address, dotted, sizeof(dotted));
    snprintf(text, count, "%s:%u", dotted, port);
}
