// broadcaster_@name@ - sends the nearest records whole, as plain numbers.
//
// A plain beginning: no baselines, no packing of bits. The bytes, all
// little-endian:
//
//     2             count of records
//     count times   each number of the record, in order of the schema, as a
//                   4-byte count of steps from the field's minimum on
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <hardpoint/broadcaster.h>
#include <limits>
#include <new>
#include <vector>

#define HP_NAME    "@name@"
#define HP_VERSION "0.1.0"
#define HP_SUMMARY "the nearest records whole, as plain numbers"
#define HP_LICENSE "0BSD"
#define HP_AUTHOR  "You"

namespace
{

constexpr uint32_t head_bytes = 2;
constexpr uint32_t number_bytes = 4;

template <class T>
T
load(const char *at)
{
    T value;

    std::memcpy(&value, at, sizeof(value));
    return value;
}

template <class T>
void
store(char *at, double value)
{
    T as = static_cast<T>(value);

    std::memcpy(at, &as, sizeof(as));
}

// One number of a record: a field has several of them in a vector.
struct number {
    uint32_t type; // HP_FIELD_*
    uint32_t offset;
    double step;
    double minimum;
    uint32_t most; // in steps

    double read(const char *record) const
    {
        const char *at = record + offset;

        switch (type) {
        case HP_FIELD_U8:
            return load<uint8_t>(at);
        case HP_FIELD_U16:
            return load<uint16_t>(at);
        case HP_FIELD_U32:
            return load<uint32_t>(at);
        case HP_FIELD_I16:
            return load<int16_t>(at);
        case HP_FIELD_I32:
            return load<int32_t>(at);
        case HP_FIELD_F64:
            return load<double>(at);
        default:
            return double(load<float>(at));
        }
    }

    void write(char *record, double value) const
    {
        char *at = record + offset;

        switch (type) {
        case HP_FIELD_U8:
            return store<uint8_t>(at, value);
        case HP_FIELD_U16:
            return store<uint16_t>(at, value);
        case HP_FIELD_U32:
            return store<uint32_t>(at, value);
        case HP_FIELD_I16:
            return store<int16_t>(at, value);
        case HP_FIELD_I32:
            return store<int32_t>(at, value);
        case HP_FIELD_F64:
            return store<double>(at, value);
        default:
            return store<float>(at, value);
        }
    }

    // In whole steps, kept within the range; a NaN is the minimum.
    uint32_t steps(double value) const
    {
        double count = std::floor((value - minimum) / step + 0.5);

        if (!(count > 0))
            return 0;
        return count < most ? uint32_t(count) : most;
    }
};

uint32_t
bytes_of(uint32_t type)
{
    if (type == HP_FIELD_U8)
        return 1;
    if (type == HP_FIELD_U16 || type == HP_FIELD_I16)
        return 2;
    return type == HP_FIELD_F64 ? 8 : 4;
}

} // namespace

struct hp_instance {
    const hp_host *host;
    std::vector<number> numbers;
    std::vector<char> chosen;  // by index in the view; entities_max
    std::vector<char> decoded; // records; entities_max
    uint32_t record_bytes = 0;
    uint32_t entities_max = 0;
};

namespace
{

// ---- its life, all [main]; nothing may be thrown into the host ----

int
create(const hp_host *host, hp_instance **out)
{
    *out = new (std::nothrow) hp_instance{host, {}, {}, {}};
    return *out == nullptr ? -ENOMEM : 0;
}

// The numbers of one field. False: it has more steps than four bytes hold.
bool
add_field(std::vector<number> &numbers, const hp_field &field)
{
    bool is_real = field.type == HP_FIELD_F32 || field.type == HP_FIELD_F64 ||
                   field.type == HP_FIELD_QUATERNION;
    uint32_t count = field.type == HP_FIELD_QUATERNION ? 4 : field.count;
    double step = is_real ? field.step : 1;
    double most = std::floor((field.maximum - field.minimum) / step + 0.5);

    if (!(step > 0) ||
        !(most >= 0 && most <= std::numeric_limits<uint32_t>::max()))
        return false;
    for (uint32_t i = 0; i < count; i++)
        numbers.push_back({field.type, field.offset + i * bytes_of(field.type),
                           step, field.minimum, uint32_t(most)});
    return true;
}

// All memory that the later calls use is allocated here.
int
start(hp_instance *self, const hp_limits *limits)
{
    const hp_schema &schema = *limits->schema;
    auto at = reinterpret_cast<const char *>(schema.fields);

    self->record_bytes = schema.record_bytes;
    self->entities_max = limits->entities_max;
    try {
        for (uint32_t i = 0; i < schema.field_count; i++) {
            auto field = reinterpret_cast<const hp_field *>(
                at + size_t(i) * schema.field_stride);
            if (!add_field(self->numbers, *field))
                return self->host->fail(
                    self->host, -EINVAL,
                    "a field of the schema has too many steps");
        }
        self->chosen.resize(self->entities_max);
        self->decoded.resize(size_t(self->entities_max) * self->record_bytes);
    } catch (const std::bad_alloc &) {
        return -ENOMEM;
    }
    return 0;
}

void
stop(hp_instance *self)
{
    self->numbers = {};
    self->chosen = {};
    self->decoded = {};
}

void
destroy(hp_instance *self)
{
    delete self;
}

// ---- server ----

// [tick] Nothing is remembered of a client.
int
join(hp_instance *, uint32_t)
{
    return 0;
}

void
leave(hp_instance *, uint32_t)
{
}

void
acked(hp_instance *, uint32_t, uint64_t)
{
}

const char *
record_at(const hp_view *view, uint32_t index)
{
    return static_cast<const char *>(view->entities) +
           size_t(index) * view->stride;
}

// Squared, as only the order matters; the own record is before any other.
double
distance_m2(const hp_view *view, uint32_t index)
{
    double sum = 0;

    if (view->own == HP_INDEX_NONE || view->own == index)
        return view->own == index ? -1 : 0;
    auto a = load<hp_entity>(record_at(view, view->own));
    auto b = load<hp_entity>(record_at(view, index));
    for (int i = 0; i < 3; i++)
        sum += (a.position_m[i] - b.position_m[i]) *
               (a.position_m[i] - b.position_m[i]);
    return sum;
}

// Marks up to `room` of the first `count` records. Returns how many: one that
// is nowhere (NaN) is not near.
uint32_t
choose(hp_instance *self, const hp_view *view, uint32_t count, uint32_t room)
{
    constexpr double far = std::numeric_limits<double>::infinity();
    uint32_t chosen;

    std::fill_n(self->chosen.begin(), count, 0);
    for (chosen = 0; chosen < room; chosen++) {
        uint32_t nearest = count;
        double least = far;
        for (uint32_t i = 0; i < count; i++) {
            double distance = self->chosen[i] ? far : distance_m2(view, i);
            if (distance < least) {
                least = distance;
                nearest = i;
            }
        }
        if (nearest == count)
            break;
        self->chosen[nearest] = 1;
    }
    return chosen;
}

uint8_t *
put(uint8_t *at, uint32_t value, uint32_t bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        *at++ = uint8_t(value);
    return at;
}

// [tick]
int
encode(hp_instance *self, uint32_t, const hp_view *view, hp_byte_sink *sink)
{
    uint32_t count = std::min(view->count, self->entities_max);
    uint8_t *at = sink->bytes;

    sink->count = 0;
    if (sink->capacity < head_bytes)
        return -ENOSPC;
    uint32_t room = (sink->capacity - head_bytes) /
                    (number_bytes * uint32_t(self->numbers.size()));
    if (room == 0 && count > 0)
        return -ENOSPC;
    at = put(at, choose(self, view, count, std::min(room, count)), head_bytes);
    for (uint32_t i = 0; i < count; i++) {
        if (!self->chosen[i])
            continue;
        for (const number &n : self->numbers)
            at = put(at, n.steps(n.read(record_at(view, i))), number_bytes);
    }
    sink->count = uint32_t(at - sink->bytes);
    return 0;
}

// ---- client ----

uint32_t
get(const uint8_t *at, uint32_t bytes)
{
    uint32_t value = 0;

    for (uint32_t i = 0; i < bytes; i++)
        value |= uint32_t(at[i]) << (8 * i);
    return value;
}

// One record into `record`. False: a number is out of its range.
bool
get_record(const hp_instance *self, const uint8_t *at, char *record)
{
    std::memset(record, 0, self->record_bytes);
    for (const number &n : self->numbers) {
        uint32_t steps = get(at, number_bytes);
        if (steps > n.most)
            return false;
        n.write(record, n.minimum + steps * n.step);
        at += number_bytes;
    }
    return true;
}

// [tick] Untrusted bytes: the sink is touched only when all of them are good.
int
decode(hp_instance *self, uint64_t, const uint8_t *bytes, uint32_t count,
       hp_view_sink *sink)
{
    uint32_t record_wire = number_bytes * uint32_t(self->numbers.size());
    int32_t slot = -1;

    if (count < head_bytes)
        return -EBADMSG;
    uint32_t records = get(bytes, head_bytes);
    if (records > self->entities_max || records > sink->capacity ||
        count - head_bytes != records * record_wire)
        return -EBADMSG;
    for (uint32_t i = 0; i < records; i++) {
        char *record = &self->decoded[size_t(i) * self->record_bytes];
        if (!get_record(self, bytes + head_bytes + size_t(i) * record_wire,
                        record))
            return -EBADMSG;
        // In order of slot, so that none is there twice.
        int32_t next = load<hp_entity>(record).slot;
        if (next <= slot)
            return -EBADMSG;
        slot = next;
    }
    for (uint32_t i = 0; i < records; i++)
        std::copy_n(
            &self->decoded[size_t(i) * self->record_bytes], self->record_bytes,
            static_cast<char *>(sink->entities) + size_t(i) * sink->stride);
    sink->count = records;
    return 0;
}

const hp_broadcaster_ops ops = {
    sizeof(ops), 0, join, leave, acked, encode, decode,
};

// ---- what the host reads first: a note in the file, then the table ----

HP_PLUGIN_NOTE(HP_KIND_BROADCASTER, HP_PLUGIN_DETERMINISTIC);

} // namespace

HP_PLUGIN = {
    HP_PLUGIN_HEAD(HP_KIND_BROADCASTER, HP_PLUGIN_DETERMINISTIC),
    HP_NO_PARAMS,
    create,
    start,
    stop,
    destroy,
    &ops,
    nullptr /* extension */,
    nullptr /* reload */,
};
