/*
 * A force-feedback pad of uinput's: what the kernel asks of it is a line each on
 * standard output.
 *
 *     pad_uinput [SLOTS [ANSWER_MS]]
 *
 *     node /dev/input/eventN
 *     upload ID STRONG WEAK LENGTH
 *     erase ID
 *     play ID VALUE
 *     gain VALUE
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void
answer_upload(int fd, int number, int answer_ms)
{
    struct uinput_ff_upload u = {.request_id = (__u32)number};

    ioctl(fd, UI_BEGIN_FF_UPLOAD, &u);
    usleep((useconds_t)answer_ms * 1000);
    printf("upload %d %u %u %u\n", u.effect.id,
           u.effect.u.rumble.strong_magnitude, u.effect.u.rumble.weak_magnitude,
           u.effect.replay.length);
    u.retval = 0;
    ioctl(fd, UI_END_FF_UPLOAD, &u);
}

static void
answer_erase(int fd, int number)
{
    struct uinput_ff_erase e = {.request_id = (__u32)number};

    ioctl(fd, UI_BEGIN_FF_ERASE, &e);
    printf("erase %u\n", e.effect_id);
    e.retval = 0;
    ioctl(fd, UI_END_FF_ERASE, &e);
}

/* The event node that belongs to a sysfs name. */
static void
tell_node(int fd)
{
    char name[64] = "", path[128];
    struct dirent *entry;
    DIR *folder;

    ioctl(fd, UI_GET_SYSNAME(sizeof(name)), name);
    snprintf(path, sizeof(path), "/sys/devices/virtual/input/%s", name);
    folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (strncmp(entry->d_name, "event", 5) == 0)
            printf("node /dev/input/%s\n", entry->d_name);
    if (folder != NULL)
        closedir(folder);
}

int
main(int argc, char **argv)
{
    int slots = argc > 1 ? atoi(argv[1]) : 16;
    int answer_ms = argc > 2 ? atoi(argv[2]) : 0;
    struct uinput_setup setup = {
        .id = {BUS_USB, 0x045e, 0x028e, 1},
          .ff_effects_max = (__u32)slots
    };
    int fd = open("/dev/uinput", O_RDWR);
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    struct input_event e;

    setvbuf(stdout, NULL, _IOLBF, 0);
    snprintf(setup.name, sizeof(setup.name), "Guest Pad");
    ioctl(fd, UI_SET_EVBIT, EV_KEY);
    ioctl(fd, UI_SET_KEYBIT, BTN_A);
    ioctl(fd, UI_SET_KEYBIT, BTN_B);
    ioctl(fd, UI_SET_EVBIT, EV_FF);
    ioctl(fd, UI_SET_FFBIT, FF_RUMBLE);
    ioctl(fd, UI_SET_FFBIT, FF_GAIN);
    if (fd < 0 || ioctl(fd, UI_DEV_SETUP, &setup) < 0 ||
        ioctl(fd, UI_DEV_CREATE) < 0) {
        perror("uinput");
        return 1;
    }
    usleep(200000);
    tell_node(fd);
    while (poll(&wait, 1, -1) >= 0) {
        if (read(fd, &e, sizeof(e)) != sizeof(e))
            continue;
        if (e.type == EV_UINPUT && e.code == UI_FF_UPLOAD)
            answer_upload(fd, e.value, answer_ms);
        else if (e.type == EV_UINPUT && e.code == UI_FF_ERASE)
            answer_erase(fd, e.value);
        else if (e.type == EV_FF && e.code == FF_GAIN)
            printf("gain %d\n", e.value);
        else if (e.type == EV_FF)
            printf("play %u %d\n", e.code, e.value);
    }
    return 0;
}
