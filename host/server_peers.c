/* Who comes, goes and says what: the server between its ticks. */
#include "log.h"
#include "server_private.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define HELLO_WITHIN_NS 10000000000ull

/* A client that plays sends something each tick: silent is one that has not
 * for so many ticks, and so long. */
#define TWIN_SILENT_TICKS 4
#define TWIN_SILENT_NS    250000000ull
#define TWIN_GRACE_NS     100000000ull

/* ---- one client's comings and goings ---- */

void
server_send(struct server *s, const struct session *c, enum net_channel channel,
            int count)
{
    if (count > 0)
        net_send(s->net, c->peer, channel, s->message, (size_t)count);
}

void
server_refuse(struct server *s, struct session *c, uint16_t code,
              const char *sentence)
{
    struct proto_refusal refusal = {.code = code};

    snprintf(refusal.sentence, sizeof(refusal.sentence), "%.*s",
             (int)sizeof(refusal.sentence) - 1, sentence);
    server_send(s, c, NET_CONTROL,
                proto_put_refusal(s->message, NET_MESSAGE_MAX, &refusal));
    net_disconnect(s->net, c->peer, code);
    c->refused = 1;
}

static void
forget_twin(struct server *s, struct session *c)
{
    s->twins -= c->twin_ns != 0;
    c->twin_ns = 0;
}

static void
leave_sim(struct server *s, uint32_t client)
{
    instance_enter(s->sim, "leave", s->schedule.next);
    s->sim_ops->leave(s->sim->self, client);
    instance_leave(s->sim);
    record_leave(s->record, client);
}

static void
leave_world(struct server *s, struct session *c)
{
    if (c->state != SESSION_JOINED)
        return;
    leave_sim(s, c->client);
    instance_enter(s->broadcaster, "leave", s->schedule.next);
    s->broadcaster_ops->leave(s->broadcaster->self, c->client);
    instance_leave(s->broadcaster);
    s->clients[c->client] = NULL;
    s->joined--;
    forget_twin(s, c);
    c->state = SESSION_CONNECTED;
    c->opened_ns = server_now(s); /* it is on its way out, not mute */
}

/* ---- a player whose program has died and comes again ---- */

/* ENet takes half a minute to miss a peer, so that a stall costs nobody the
 * game. Who comes again from the same address under the same name meanwhile
 * takes the place of the one before, when that one is silent. */

static int
is_silent(const struct server *s, const struct session *c, uint64_t now_ns)
{
    uint64_t silent_ns = TWIN_SILENT_TICKS * tick_period_ns(s->config.rate);

    if (silent_ns < TWIN_SILENT_NS)
        silent_ns = TWIN_SILENT_NS;
    return now_ns > c->heard_ns + silent_ns;
}

static int
is_same_host(const struct server *s, const struct session *a,
             const struct session *b)
{
    struct net_peer_stats of_a, of_b;
    size_t length;

    if (net_peer_stats(s->net, a->peer, &of_a) < 0 ||
        net_peer_stats(s->net, b->peer, &of_b) < 0)
        return 0;
    length = strcspn(of_a.address, ":");
    return length == strcspn(of_b.address, ":") &&
           memcmp(of_a.address, of_b.address, length) == 0;
}

static void
drop_twin(struct server *s, struct session *c)
{
    log_info("server: \"%s\" (client %u) was silent and has joined again: "
             "the old one leaves",
             c->name, c->client);
    server_refuse(s, c, PROTO_REFUSED_TWIN,
                  "another of your name has joined from your address while "
                  "you were silent");
    leave_world(s, c);
}

/* Before `name` joins as `c`. */
static void
find_twins(struct server *s, const struct session *c, const char *name,
           uint64_t now_ns)
{
    struct session *other;
    uint32_t i;

    for (i = 0; i < s->config.clients_max; i++) {
        other = s->clients[i];
        if (other == NULL || strcmp(other->name, name) != 0 ||
            !is_same_host(s, other, c))
            continue;
        if (is_silent(s, other, now_ns)) {
            drop_twin(s, other);
            continue;
        }
        s->twins += other->twin_ns == 0;
        other->twin_ns = now_ns;
    }
}

/* What was on its way when the twin came is no sign of life. */
static void
hear(struct server *s, struct session *c, uint64_t arrived_ns)
{
    c->heard_ns = arrived_ns;
    if (c->twin_ns != 0 && arrived_ns > c->twin_ns + TWIN_GRACE_NS)
        forget_twin(s, c);
}

void
server_drop_twins(struct server *s)
{
    uint64_t now_ns = server_now(s);
    uint32_t i;

    for (i = 0; s->twins > 0 && i < s->config.clients_max; i++)
        if (s->clients[i] != NULL && s->clients[i]->twin_ns != 0 &&
            is_silent(s, s->clients[i], now_ns))
            drop_twin(s, s->clients[i]);
}

/* ---- who is not wanted ---- */

void
server_drop_mute(struct server *s)
{
    uint64_t now_ns = server_now(s);
    struct session *c;
    uint32_t i;

    for (i = 0; i < s->session_count; i++) {
        c = &s->sessions[i];
        if (c->state != SESSION_CONNECTED ||
            now_ns < c->opened_ns + HELLO_WITHIN_NS)
            continue;
        server_refuse(s, c, PROTO_REFUSED_ABUSE,
                      "connected and said no Hello for ten seconds");
        c->opened_ns = now_ns; /* not once a tick while it goes */
    }
}

static void
drop_banned(struct server *s)
{
    struct session *c;
    uint32_t i;

    for (i = 0; i < s->session_count; i++) {
        c = &s->sessions[i];
        if (c->state == SESSION_FREE || !net_is_banned(s->net, c->peer))
            continue;
        log_info("server: \"%s\" is banned and leaves", c->name);
        server_refuse(s, c, PROTO_REFUSED_BANNED,
                      "this address is banned here");
        leave_world(s, c);
    }
}

void
server_take_bans(struct server *s)
{
    struct bans *next;

    /* The one before waits to be freed by whoever gave us this one. */
    if (atomic_load_explicit(&s->bans_next, memory_order_relaxed) == NULL ||
        atomic_load_explicit(&s->bans_old, memory_order_acquire) != NULL)
        return;
    next = atomic_exchange_explicit(&s->bans_next, NULL, memory_order_acquire);
    net_set_bans(s->net, next);
    atomic_store_explicit(&s->bans_old, s->bans, memory_order_release);
    s->bans = next;
    drop_banned(s);
}

/* ---- joining ---- */

static uint32_t
free_client(const struct server *s)
{
    uint32_t i;

    for (i = 0; i < s->config.clients_max; i++)
        if (s->clients[i] == NULL)
            return i;
    return HP_CLIENT_NONE;
}

/* Into the world and the broadcaster, or an error and in neither. */
static int
enter_world(struct server *s, uint32_t client, const char *options)
{
    int err;

    s->sim->failure[0] = '\0';
    instance_enter(s->sim, "join", s->schedule.next);
    err = s->sim_ops->join(s->sim->self, client, options);
    instance_leave(s->sim);
    record_join(s->record, client, err, options);
    if (err < 0)
        return err;
    instance_enter(s->broadcaster, "join", s->schedule.next);
    err = s->broadcaster_ops->join(s->broadcaster->self, client);
    instance_leave(s->broadcaster);
    if (err < 0)
        leave_sim(s, client);
    return err;
}

static void
take_hello(struct server *s, struct session *c, const struct net_event *event)
{
    struct proto_hello hello;
    char why[PROTO_OPTIONS_MAX + sizeof(s->sim->failure) + 64];
    uint32_t client;
    int err = proto_get_hello(event->bytes, event->count, &hello);

    if (err < 0 || c->state != SESSION_CONNECTED) {
        server_refuse(s, c, PROTO_REFUSED_ABUSE,
                      "the Hello is malformed or doubled");
        return;
    }
    if (hello.version != PROTO_VERSION) {
        snprintf(why, sizeof(why),
                 "this server speaks protocol %d and the client %u: install "
                 "the same release on both",
                 PROTO_VERSION, hello.version);
        server_refuse(s, c, PROTO_REFUSED_VERSION, why);
        return;
    }
    if (atomic_load_explicit(&s->stopping, memory_order_relaxed)) {
        server_refuse(s, c, PROTO_REFUSED_SHUTDOWN, SERVER_SHUTS_DOWN);
        return;
    }
    find_twins(s, c, hello.name, event->arrived_ns);
    client = free_client(s);
    if (client == HP_CLIENT_NONE) {
        snprintf(why, sizeof(why),
                 "the server is full: %u of %u places are taken", s->joined,
                 s->config.clients_max);
        server_refuse(s, c, PROTO_REFUSED_FULL, why);
        return;
    }
    err = enter_world(s, client, hello.options);
    if (err < 0) {
        snprintf(why, sizeof(why), "cannot join with options \"%s\": %s",
                 hello.options,
                 s->sim->failure[0] ? s->sim->failure : strerror(-err));
        server_refuse(s, c, PROTO_REFUSED_OPTIONS, why);
        return;
    }
    session_join(c, client, &hello, s->schedule.next);
    s->clients[client] = c;
    s->joined++;
    s->welcome->client = client;
    s->welcome->tick = s->schedule.next == 0 ? 0 : s->schedule.next - 1;
    server_send(s, c, NET_CONTROL,
                proto_put_welcome(s->message, NET_MESSAGE_MAX, s->welcome));
    log_info("server: \"%s\" joins as client %u", c->name, client);
}

/* ---- messages ---- */

static void
snapshot_acked(void *context, struct session *c, uint64_t tick)
{
    struct server *s = context;

    instance_enter(s->broadcaster, "acked", tick);
    s->broadcaster_ops->acked(s->broadcaster->self, c->client, tick);
    instance_leave(s->broadcaster);
}

static int
take_input(struct server *s, struct session *c, const struct net_event *event)
{
    uint64_t newest = s->schedule.next == 0 ? 0 : s->schedule.next - 1;

    if (c->state != SESSION_JOINED)
        return 0; /* still on its way when we let it go */
    return session_take_input(c, event->bytes, event->count, event->arrived_ns,
                              newest, s->limits->window_ticks, snapshot_acked,
                              s);
}

static int
take_ping(struct server *s, struct session *c, const struct net_event *event)
{
    struct proto_ping ping;
    int err = proto_get_ping(event->bytes, event->count, &ping);

    if (err < 0)
        return err;
    if (ping.path == PROTO_PATH_TICK) {
        if (c->ping_count < SESSION_PINGS_MAX)
            c->pings[c->ping_count++] = ping;
        return 0;
    }
    server_send(s, c, event->channel,
                proto_put_ping(s->message, NET_MESSAGE_MAX, PROTO_PONG, &ping));
    return 0;
}

/* Whether the message is within what its sender may send. */
static int
is_in_bounds(struct server *s, struct session *c, uint64_t arrived_ns)
{
    int turn = session_count_message(c, s->messages_a_second, arrived_ns);

    if (turn != -EBUSY)
        return turn;
    log_warning("server: client \"%s\" floods and is dropped: more than %u "
                "messages a second for %d s",
                c->name, s->messages_a_second, SESSION_RATE_SECONDS);
    server_refuse(s, c, PROTO_REFUSED_RATE,
                  "too many messages: four times what a client sends");
    c->seconds_over = 0;
    return 0;
}

static void
take_message(struct server *s, struct session *c, const struct net_event *event)
{
    int err = -EBADMSG;

    if (c->refused || !is_in_bounds(s, c, event->arrived_ns))
        return;
    switch (proto_peek(event->bytes, event->count)) {
    case PROTO_HELLO:
        if (event->channel != NET_CONTROL)
            break;
        take_hello(s, c, event);
        return;
    case PROTO_INPUT:
        err = take_input(s, c, event);
        break;
    case PROTO_PING:
        err = take_ping(s, c, event);
        break;
    default:
        break;
    }
    if (err < 0 && session_fault(c, event->arrived_ns)) {
        log_warning("server: client \"%s\" sent too many malformed messages "
                    "and is dropped",
                    c->name);
        server_refuse(s, c, PROTO_REFUSED_ABUSE,
                      "too many malformed messages in ten seconds");
        c->faults = 0;
    }
}

void
server_drain(struct server *s)
{
    struct net_event event;
    struct session *c;

    while (net_receive(s->net, &event) > 0) {
        c = &s->sessions[event.peer];
        switch (event.type) {
        case NET_CONNECTED:
            leave_world(s, c);
            session_open(c, event.peer, event.arrived_ns);
            break;
        case NET_DISCONNECTED:
            if (c->state == SESSION_JOINED)
                log_info("server: \"%s\" (client %u) has left", c->name,
                         c->client);
            leave_world(s, c);
            c->state = SESSION_FREE;
            break;
        case NET_MESSAGE:
            hear(s, c, event.arrived_ns);
            if (c->state != SESSION_FREE)
                take_message(s, c, &event);
            break;
        }
    }
}
