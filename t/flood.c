/*
 * Hostile peers against a whole host with an honest player, on the virtual
 * clock: what a flood costs, who is let go, and who never notices.
 */
#include "links_host.h"
#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>
#include <sys/socket.h>
#include <unistd.h>

#define ADDRESSES     250
#define CONNECT_BYTES 56

static struct links_host b;

/* ---- forged datagrams ---- */

/* A socket of its own address in 127.0.0.0/8, towards the server. */
static int
open_from(uint32_t address)
{
    struct sockaddr_in from = {.sin_family = AF_INET,
                               .sin_addr = {htonl(address)}};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_addr = {htonl(INADDR_LOOPBACK)},
                             .sin_port = htons(server_port(b.host.server))};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);

    ok(fd >= 0 && bind(fd, (struct sockaddr *)&from, sizeof(from)) == 0 &&
       connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0);
    return fd;
}

static uint32_t
address_of(uint32_t i)
{
    return 0x7f000000u | (i % 200 + 1) << 16 | (i / 200 + 1) << 8 | 9;
}

/* A CONNECT as ENet's, with a cookie that nobody gave. */
static void
forge(int fd, uint32_t connect_id, uint32_t cookie)
{
    uint8_t bytes[CONNECT_BYTES] = {0x8f, 0xff};

    bytes[8] = 0x82;
    memcpy(bytes + 48, &connect_id, 4);
    memcpy(bytes + 52, &cookie, 4);
    ok_int(send(fd, bytes, sizeof(bytes), 0), sizeof(bytes));
}

static uint64_t
read_all(int fd)
{
    uint8_t bytes[2048];
    uint64_t sum = 0;
    ssize_t got;

    while ((got = recv(fd, bytes, sizeof(bytes), 0)) > 0)
        sum += (uint64_t)got;
    return sum;
}

static struct net_stats
net_figures(void)
{
    struct net_stats s;

    net_stats(b.host.server->net, &s);
    return s;
}

static uint32_t
count_sessions(void)
{
    uint32_t i, count = 0;

    for (i = 0; i < b.host.server->session_count; i++)
        count += b.host.server->sessions[i].state != SESSION_FREE;
    return count;
}

/* The honest player has lost nothing since `before`. */
static void
honest_play_goes_on(struct hp_prediction before)
{
    struct hp_prediction p = links_prediction(&b);

    ok(p.checked > before.checked);
    ok_int(p.wrong, before.wrong);
    ok_int(b.host.client->stages.snapshot_gaps, 0);
    ok_int(b.host.server->report.dropped, 0);
    ok_int(links_cues(&b)->not_one, 0);
}

/* ---- another client, hand-driven ---- */

struct visitor {
    struct net *net;
    int connected, welcome, gone;
    uint32_t reason;
    uint64_t connected_ns;
};

static void
visit(struct visitor *v)
{
    struct net_config config = {.address = "127.0.0.1",
                                .port = server_port(b.host.server),
                                .clock = b.clock};
    char why[256];

    memset(v, 0, sizeof(*v));
    ok_int(net_connect(&v->net, &config, why, sizeof(why)), 0);
}

static void
look(struct visitor *v)
{
    struct net_event event;

    while (net_receive(v->net, &event)) {
        if (event.type == NET_CONNECTED) {
            v->connected = 1;
            v->connected_ns = clock_now_ns(b.clock);
        } else if (event.type == NET_DISCONNECTED) {
            v->gone = 1;
            v->reason = event.reason;
        } else if (proto_peek(event.bytes, event.count) == PROTO_WELCOME) {
            v->welcome = 1;
        }
    }
    net_flush(v->net);
}

static void
pass_with(struct visitor *v, unsigned ms)
{
    while (ms-- > 0) {
        links_run(&b, 0.001);
        look(v);
    }
}

static void
say_hello(struct visitor *v)
{
    struct proto_hello hello = {.version = PROTO_VERSION, .name = "visitor"};
    uint8_t bytes[512];
    int count = proto_put_hello(bytes, sizeof(bytes), &hello);

    ok_int(net_send(v->net, 0, NET_CONTROL, bytes, (size_t)count), 0);
    net_flush(v->net);
}

/* ---- facts ---- */

static void
five_thousand_forged_connects_a_second_change_nothing(void)
{
    static int fds[ADDRESSES];
    struct hp_prediction before;
    struct visitor honest;
    struct mallinfo2 memory;
    uint64_t sent = 0, received = 0, begun_ns;
    uint32_t i, ms, datagrams = 0;

    links_open(&b, "delay=0");
    links_run(&b, 2);
    for (i = 0; i < ADDRESSES; i++)
        fds[i] = open_from(address_of(i));
    before = links_prediction(&b);
    memory = mallinfo2();
    for (ms = 0; ms < 2000; ms++) {
        for (i = 0; i < 5; i++, datagrams++) {
            forge(fds[datagrams % ADDRESSES], datagrams,
                  datagrams % 2 ? 0 : datagrams);
            sent += CONNECT_BYTES;
        }
        links_run(&b, 0.001);
    }
    ok(mallinfo2().uordblks <= memory.uordblks + 4096);
    ok_int(count_sessions(), 1);
    begun_ns = clock_now_ns(b.clock);
    visit(&honest);
    for (ms = 0; ms < 100; ms++) {
        for (i = 0; i < 5; i++, datagrams++) {
            forge(fds[datagrams % ADDRESSES], datagrams, 0);
            sent += CONNECT_BYTES;
        }
        pass_with(&honest, 1);
    }
    ok_int(honest.connected, 1);
    ok(honest.connected_ns - begun_ns < SECOND_NS);
    for (i = 0; i < ADDRESSES; i++) {
        received += read_all(fds[i]);
        close(fds[i]);
    }
    ok(received > 0);
    ok(received * 3 < sent);
    ok_int(net_figures().unproven, datagrams + 2); /* and the honest ones */
    ok_int(net_figures().errors, 0);
    honest_play_goes_on(before);
    net_close(honest.net);
    links_close(&b);
}

static void
one_address_is_challenged_only_so_often(void)
{
    uint32_t i;
    uint64_t before;
    int fd;

    links_open(&b, "delay=0");
    fd = open_from(0x7f010203);
    links_run(&b, 1);
    before = net_figures().unproven;
    for (i = 0; i < 4000; i++) {
        forge(fd, i, 0);
        if (i % 100 == 0)
            links_run(&b, 0.0001);
    }
    links_run(&b, 0.01);
    ok(net_figures().unproven - before <= 2 * 1024);
    ok(net_figures().unanswered >= 4000 - 2 * 1024);
    close(fd);
    links_close(&b);
}

static void
overlong_datagrams_by_the_thousand_cost_no_tick(void)
{
    static const uint8_t large[5000];
    struct hp_prediction before;
    uint32_t ms;
    int fd;

    links_open(&b, "delay=0");
    links_run(&b, 2);
    before = links_prediction(&b);
    fd = open_from(0x7f010204);
    for (ms = 0; ms < 1000; ms++) {
        ok_int(send(fd, large, sizeof(large), 0), sizeof(large));
        ok_int(send(fd, large, 0, 0), 0);
        links_run(&b, 0.001);
    }
    ok(net_figures().forged >= 2000);
    ok_int(net_figures().errors, 0);
    honest_play_goes_on(before);
    close(fd);
    links_close(&b);
}

static void
who_floods_a_proven_connection_is_let_go_with_the_reason(void)
{
    struct proto_ping ping = {.path = PROTO_PATH_TICK};
    struct hp_prediction before;
    struct visitor v;
    uint8_t bytes[64];
    int count = proto_put_ping(bytes, sizeof(bytes), PROTO_PING, &ping), i, ms;

    links_open(&b, "delay=0");
    links_run(&b, 2);
    visit(&v);
    pass_with(&v, 50);
    say_hello(&v);
    pass_with(&v, 50);
    ok_int(v.welcome, 1);
    before = links_prediction(&b);
    for (ms = 0; ms < 9000 && !v.gone; ms++) {
        for (i = 0; i < 3; i++)
            net_send(v.net, 0, NET_INPUTS, bytes, (size_t)count);
        net_flush(v.net);
        pass_with(&v, 1);
        if (ms == 900)
            ok_int(v.gone, 0); /* one second may have its reason */
    }
    ok_int(v.gone, 1);
    ok_int(v.reason, PROTO_REFUSED_RATE);
    honest_play_goes_on(before);
    net_close(v.net);
    links_close(&b);
}

static void
who_sends_rubbish_is_let_go_with_the_reason(void)
{
    struct hp_prediction before;
    struct visitor v;
    uint8_t rubbish[40];
    int i;

    links_open(&b, "delay=0");
    links_run(&b, 2);
    before = links_prediction(&b);
    visit(&v);
    pass_with(&v, 50);
    say_hello(&v);
    pass_with(&v, 50);
    memset(rubbish, 0xee, sizeof(rubbish));
    for (i = 0; i < 15; i++) {
        net_send(v.net, 0, NET_INPUTS, rubbish, sizeof(rubbish));
        pass_with(&v, 10);
    }
    ok_int(v.gone, 0); /* a budget, not a trap */
    net_send(v.net, 0, NET_INPUTS, rubbish, sizeof(rubbish));
    pass_with(&v, 200);
    ok_int(v.gone, 1);
    ok_int(v.reason, PROTO_REFUSED_ABUSE);
    honest_play_goes_on(before);
    net_close(v.net);
    links_close(&b);
}

static void
who_connects_and_says_nothing_holds_no_place(void)
{
    struct visitor v;

    links_open(&b, "delay=0");
    visit(&v);
    pass_with(&v, 9500);
    ok_int(v.connected, 1);
    ok_int(v.gone, 0);
    pass_with(&v, 1000);
    ok_int(v.gone, 1);
    ok_int(v.reason, PROTO_REFUSED_ABUSE);
    ok_int(count_sessions(), 1);
    net_close(v.net);
    links_close(&b);
}

static struct bans *
bans_of(const char *text)
{
    char path[4200];
    struct bans *bans = NULL;
    FILE *file;

    snprintf(path, sizeof(path), "%s/t/flood-bans.txt", getenv("HP_BUILD"));
    file = fopen(path, "w");
    ok(file != NULL);
    fputs(text, file);
    fclose(file);
    if (bans_load(&bans, path, tmpfile()) < 0)
        bans = NULL;
    unlink(path);
    return bans;
}

static void
a_ban_silences_an_address_and_ends_its_connections(void)
{
    int fd;
    char why[256] = "";

    links_open(&b, "delay=0");
    links_run(&b, 1);
    fd = open_from(0x7f070809);
    forge(fd, 1, 0);
    links_run(&b, 0.1);
    ok_int(read_all(fd), 16);
    server_set_bans(b.host.server, bans_of("127.7.0.0/16\n"));
    links_run(&b, 0.1);
    forge(fd, 2, 0);
    links_run(&b, 0.1);
    ok_int(read_all(fd), 0);
    ok_int(net_figures().banned, 1);
    ok_int(client_is_lost(b.host.client, why), 0);

    server_set_bans(b.host.server, bans_of("# all\n127.0.0.1 ; us\n"));
    host_serve(&b.host, SECOND_NS);
    ok_int(client_is_lost(b.host.client, why), 1);
    ok(strstr(why, "banned") != NULL);
    forge(fd, 3, 0); /* and who is no longer in the file is answered */
    b.host.status = 0;
    b.host.client->lost = 0;
    links_run(&b, 0.1);
    ok_int(read_all(fd), 16);
    close(fd);
    links_close(&b);
}

static void
who_is_banned_after_a_long_game_is_told_so(void)
{
    struct visitor v;

    links_open(&b, "delay=0");
    visit(&v);
    pass_with(&v, 50);
    say_hello(&v);
    pass_with(&v, 11000);
    ok_int(v.welcome, 1);
    ok_int(v.gone, 0);
    server_set_bans(b.host.server, bans_of("127.0.0.1\n"));
    host_serve(&b.host, SECOND_NS); /* our own client goes too */
    b.host.status = 0;
    b.host.client->lost = 0;
    pass_with(&v, 200);
    ok_int(v.gone, 1);
    ok_int(v.reason, PROTO_REFUSED_BANNED);
    net_close(v.net);
    links_close(&b);
}

static void
a_ban_file_is_read_line_by_line(void)
{
    struct bans *bans = bans_of("# head\n\n 203.0.113.7 \n"
                                "198.51.100.0/24 ; friends\n0.0.0.1/32\n");

    ok_int(bans_count(bans), 3);
    ok_int(bans_have(bans, inet_addr("203.0.113.7")), 1);
    ok_int(bans_have(bans, inet_addr("203.0.113.8")), 0);
    ok_int(bans_have(bans, inet_addr("198.51.100.255")), 1);
    ok_int(bans_have(bans, inet_addr("198.51.101.0")), 0);
    ok_int(bans_have(NULL, inet_addr("198.51.101.0")), 0);
    bans_destroy(bans);
    ok(bans_of("::1\n") == NULL);
    ok(bans_of("1.2.3.4/33\n") == NULL);
    ok(bans_of("1.2.3\n") == NULL);
    ok(bans_of("1.2.3.4/x\n") == NULL);
    bans = bans_of("0.0.0.0/0\n");
    ok_int(bans_have(bans, inet_addr("9.9.9.9")), 1);
    bans_destroy(bans);
}

TAP_MAIN(FACT(five_thousand_forged_connects_a_second_change_nothing),
         FACT(one_address_is_challenged_only_so_often),
         FACT(overlong_datagrams_by_the_thousand_cost_no_tick),
         FACT(who_floods_a_proven_connection_is_let_go_with_the_reason),
         FACT(who_sends_rubbish_is_let_go_with_the_reason),
         FACT(who_connects_and_says_nothing_holds_no_place),
         FACT(a_ban_silences_an_address_and_ends_its_connections),
         FACT(who_is_banned_after_a_long_game_is_told_so),
         FACT(a_ban_file_is_read_line_by_line))
