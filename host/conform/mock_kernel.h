/*
 * The kernel's side of a pad, by umockdev: event nodes that take effects and
 * play them as the kernel would. Its calls come on a thread of its own; who
 * looks at a pad while that may be moving it takes its lock.
 *
 * umockdev stands between the program and libc: it must be started with
 * MOCK_KERNEL_PRELOAD in LD_PRELOAD.
 */
#ifndef MOCK_KERNEL_H
#define MOCK_KERNEL_H

#include <errno.h>
#include <linux/input.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <umockdev.h>
#include <unistd.h>

#define MOCK_KERNEL_PRELOAD "libumockdev-preload.so.0"
#define SLOTS               16

/* The kernel's side of one pad. */
struct kernel {
    pthread_mutex_t lock;
    const char *node, *name, *phys, *uniq;
    struct input_id id;
    unsigned long ff[FF_MAX / 64 + 1];
    int slots;
    int upload_errno; /* what the next uploads answer; 0: they succeed */
    int write_errno;
    _Atomic int is_stuck; /* an upload waits for as long */
    int is_gone;
    struct ff_effect effects[SLOTS];
    int used[SLOTS], playing[SLOTS];
    uint64_t played_ns[SLOTS]; /* when it was told last */
    int uploads, plays, stops, gains, gain;
};

static struct kernel pads[2];
static UMockdevTestbed *testbed;
static GMainLoop *loop;
static pthread_t kernel_thread;

static uint64_t
monotonic_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct kernel *
kernel_of(UMockdevIoctlClient *client)
{
    const char *node = umockdev_ioctl_client_get_devnode(client);
    int i;

    for (i = 0; i < 2; i++)
        if (pads[i].node != NULL && strcmp(pads[i].node, node) == 0)
            return &pads[i];
    return NULL;
}

/* Writes an answer into what the caller's pointer points to. */
static void
answer(UMockdevIoctlClient *client, const void *bytes, size_t count,
       size_t capacity)
{
    UMockdevIoctlData *pointer = umockdev_ioctl_client_get_arg(client);
    UMockdevIoctlData *data =
        umockdev_ioctl_data_resolve(pointer, 0, capacity, NULL);

    if (count > capacity)
        count = capacity;
    umockdev_ioctl_data_update(data, 0, (guint8 *)bytes, (gint)count);
    umockdev_ioctl_data_unref(data);
}

static int
free_slot(const struct kernel *k)
{
    int i;

    for (i = 0; i < k->slots && k->used[i]; i++)
        ;
    return i < k->slots ? i : -1;
}

static int
upload(struct kernel *k, UMockdevIoctlClient *client)
{
    UMockdevIoctlData *pointer = umockdev_ioctl_client_get_arg(client);
    UMockdevIoctlData *data =
        umockdev_ioctl_data_resolve(pointer, 0, sizeof(struct ff_effect), NULL);
    struct ff_effect effect;
    guint8 *bytes;
    int got, result = 0;

    umockdev_ioctl_data_retrieve(data, &bytes, &got);
    memcpy(&effect, bytes, sizeof(effect));
    g_free(bytes);
    while (k->is_stuck)
        usleep(1000);
    if (k->upload_errno != 0)
        result = k->upload_errno;
    else if (effect.id < 0)
        effect.id = (__s16)free_slot(k);
    else if (effect.id >= SLOTS || !k->used[effect.id])
        result = EINVAL;
    if (result == 0 && effect.id < 0)
        result = ENOSPC;
    if (result == 0) {
        k->effects[effect.id] = effect;
        k->used[effect.id] = 1;
        k->uploads++;
        umockdev_ioctl_data_update(data, 0, (guint8 *)&effect, sizeof(effect));
    }
    umockdev_ioctl_data_unref(data);
    return result;
}

static int
take_ioctl(struct kernel *k, UMockdevIoctlClient *client)
{
    unsigned long request = umockdev_ioctl_client_get_request(client);
    size_t room = _IOC_SIZE(request);

    if (k->is_gone)
        return ENODEV;
    if (request == EVIOCSFF)
        return upload(k, client);
    if (request == EVIOCGID)
        answer(client, &k->id, sizeof(k->id), room);
    else if (request == EVIOCGEFFECTS)
        answer(client, &k->slots, sizeof(k->slots), room);
    else if (_IOC_NR(request) == _IOC_NR(EVIOCGBIT(EV_FF, 0)))
        answer(client, k->ff, sizeof(k->ff), room);
    else if (_IOC_NR(request) == _IOC_NR(EVIOCGNAME(0)))
        answer(client, k->name, strlen(k->name) + 1, room);
    else if (_IOC_NR(request) == _IOC_NR(EVIOCGPHYS(0)))
        answer(client, k->phys, strlen(k->phys) + 1, room);
    else if (_IOC_NR(request) == _IOC_NR(EVIOCGUNIQ(0)))
        answer(client, k->uniq, strlen(k->uniq) + 1, room);
    else
        return ENOTTY;
    return 0;
}

static gboolean
on_ioctl(UMockdevIoctlBase *base, UMockdevIoctlClient *client, void *unused)
{
    struct kernel *k = kernel_of(client);
    int err;

    (void)base;
    (void)unused;
    if (k == NULL)
        return FALSE;
    pthread_mutex_lock(&k->lock);
    err = take_ioctl(k, client);
    pthread_mutex_unlock(&k->lock);
    umockdev_ioctl_client_complete(client, err == 0 ? 0 : -1, err);
    return TRUE;
}

static int
take_event(struct kernel *k, const struct input_event *e)
{
    if (k->is_gone)
        return ENODEV;
    if (k->write_errno != 0)
        return k->write_errno;
    if (e->type != EV_FF)
        return 0;
    if (e->code == FF_GAIN) {
        k->gains++;
        k->gain = e->value;
    } else if (e->code < SLOTS && k->used[e->code]) {
        k->playing[e->code] = e->value;
        k->played_ns[e->code] = monotonic_ns();
        *(e->value ? &k->plays : &k->stops) += 1;
    }
    return 0;
}

static gboolean
on_write(UMockdevIoctlBase *base, UMockdevIoctlClient *client, void *unused)
{
    struct kernel *k = kernel_of(client);
    UMockdevIoctlData *data = umockdev_ioctl_client_get_arg(client);
    struct input_event event;
    guint8 *bytes;
    int got, err;

    (void)base;
    (void)unused;
    if (k == NULL)
        return FALSE;
    umockdev_ioctl_data_retrieve(data, &bytes, &got);
    memset(&event, 0, sizeof(event));
    memcpy(&event, bytes,
           (size_t)got < sizeof(event) ? (size_t)got : sizeof(event));
    g_free(bytes);
    pthread_mutex_lock(&k->lock);
    err = take_event(k, &event);
    pthread_mutex_unlock(&k->lock);
    umockdev_ioctl_client_complete(client, err == 0 ? got : -1, err);
    return TRUE;
}

static void *
run_kernel(void *unused)
{
    (void)unused;
    g_main_loop_run(loop);
    return NULL;
}

static void
plug_in(struct kernel *k, const char *node)
{
    char text[200];
    UMockdevIoctlBase *base = umockdev_ioctl_base_new();

    k->node = node;
    snprintf(text, sizeof(text),
             "P: /devices/%s\nN: input/%s\nE: DEVNAME=%s\n"
             "E: SUBSYSTEM=input\n",
             strrchr(node, '/') + 1, strrchr(node, '/') + 1, node);
    umockdev_testbed_add_from_string(testbed, text, NULL);
    g_signal_connect(base, "handle-ioctl", G_CALLBACK(on_ioctl), NULL);
    g_signal_connect(base, "handle-write", G_CALLBACK(on_write), NULL);
    umockdev_testbed_attach_ioctl(testbed, node, base, NULL);
}

static void
set_bit(unsigned long *bits, unsigned bit)
{
    bits[bit / 64] |= 1ul << (bit % 64);
}

static void
make_pad(struct kernel *k)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    memset(k, 0, sizeof(*k));
    k->lock = lock;
    k->name = "Test Pad";
    k->phys = "usb-0000:00:14.0-2/input0";
    k->uniq = "";
    k->id.bustype = BUS_USB;
    k->id.vendor = 0x045e;
    k->id.product = 0x028e;
    k->slots = SLOTS;
    k->gain = -1;
    set_bit(k->ff, FF_RUMBLE);
    set_bit(k->ff, FF_GAIN);
}

static void
start_kernel(void)
{
    testbed = umockdev_testbed_new();
    loop = g_main_loop_new(NULL, FALSE);
    pthread_create(&kernel_thread, NULL, run_kernel, NULL);
    /* A loop that is told to quit before it runs would run for ever. */
    while (!g_main_loop_is_running(loop))
        usleep(100);
}

static void
stop_kernel(void)
{
    g_main_loop_quit(loop);
    pthread_join(kernel_thread, NULL);
    g_main_loop_unref(loop);
    g_object_unref(testbed);
    memset(pads, 0, sizeof(pads));
}

#endif
