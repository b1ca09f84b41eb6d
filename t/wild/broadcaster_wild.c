/* The head of the first record alone, and harm from tick 30 on. */
#define HP_NAME   "wild"
#define WILD_KIND HP_KIND_BROADCASTER
#include "wild.h"

static int
wild_join(struct hp_instance *self, uint32_t client)
{
    (void)client;
    return wild_does(self, "join") ? -EIO : 0;
}

static void
wild_leave(struct hp_instance *self, uint32_t client)
{
    (void)self;
    (void)client;
}

static void
wild_acked(struct hp_instance *self, uint32_t client, uint64_t tick)
{
    (void)self;
    (void)client;
    (void)tick;
}

static int
wild_encode(struct hp_instance *self, uint32_t client,
            const struct hp_view *view, struct hp_byte_sink *sink)
{
    (void)client;
    wild_harm(self, view->tick);
    wild_scribble(self, view);
    sink->count = view->count > 0 ? sizeof(struct hp_entity) : 0;
    memcpy(sink->bytes, view->entities, sink->count);
    if (view->tick < WILD_TICK)
        return 0;
    if (wild_does(self, "encode count"))
        sink->count = sink->capacity + 1;
    if (wild_does(self, "encode capacity"))
        sink->count = sink->capacity = 1u << 30;
    if (wild_does(self, "encode rubbish"))
        memset(sink->bytes, 0xa5, sink->count = sink->capacity);
    return wild_does(self, "encode error") ? -EIO : 0;
}

static int
wild_decode(struct hp_instance *self, uint64_t tick, const uint8_t *bytes,
            uint32_t count, struct hp_view_sink *sink)
{
    if (count != 0 && count != sizeof(struct hp_entity))
        return -EBADMSG;
    memset(sink->entities, 0, self->record_bytes);
    memcpy(sink->entities, bytes, count);
    sink->count = count > 0;
    if (tick < WILD_TICK)
        return 0;
    if (wild_does(self, "decode count"))
        sink->count = UINT32_MAX;
    if (wild_does(self, "decode stride"))
        sink->stride = 1u << 30;
    if (wild_does(self, "decode crash"))
        *wild_nowhere = 1;
    return wild_does(self, "decode error") ? -EIO : 0;
}

static const struct hp_broadcaster_ops ops = {
    .size = sizeof(ops),
    .join = wild_join,
    .leave = wild_leave,
    .acked = wild_acked,
    .encode = wild_encode,
    .decode = wild_decode,
};

WILD_PLUGIN;
