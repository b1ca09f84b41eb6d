/*
 * An Xbox One S pad on Bluetooth, by uhid: hid-microsoft and ff-memless stand
 * between, and each line is the very report that the pad would get.
 *
 *     ready
 *     report MILLISECONDS ENABLE LEFT RIGHT STRONG WEAK
 */
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uhid.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A pad of two axes and eight buttons; the rumble report is not in it, since
 * the driver does not look for it there. */
static const __u8 descriptor[] = {
    0x05, 0x01,       /* generic desktop */
    0x09, 0x05,       /* a game pad */
    0xa1, 0x01,       /* */
    0x85, 0x01,       /*   report 1 */
    0x09, 0x30,       /*   x */
    0x09, 0x31,       /*   y */
    0x15, 0x00,       /*   from 0 */
    0x26, 0xff, 0x00, /*   to 255 */
    0x75, 0x08,       /*   8 bits */
    0x95, 0x02,       /*   two of them */
    0x81, 0x02,       /*   input */
    0x05, 0x09,       /*   buttons */
    0x19, 0x01,       /*   1 */
    0x29, 0x08,       /*   to 8 */
    0x25, 0x01,       /* */
    0x75, 0x01,       /* */
    0x95, 0x08,       /* */
    0x81, 0x02,       /*   input */
    0xc0,
};

static unsigned long long
now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long long)t.tv_sec * 1000 +
           (unsigned long long)t.tv_nsec / 1000000;
}

int
main(void)
{
    static struct uhid_event e;
    const __u8 *r = e.u.output.data;
    int fd = open("/dev/uhid", O_RDWR);

    setvbuf(stdout, NULL, _IOLBF, 0);
    e.type = UHID_CREATE2;
    snprintf((char *)e.u.create2.name, sizeof(e.u.create2.name),
             "Xbox Wireless Controller");
    snprintf((char *)e.u.create2.phys, sizeof(e.u.create2.phys), "guest");
    snprintf((char *)e.u.create2.uniq, sizeof(e.u.create2.uniq),
             "aa:bb:cc:dd:ee:ff");
    memcpy(e.u.create2.rd_data, descriptor, sizeof(descriptor));
    e.u.create2.rd_size = sizeof(descriptor);
    e.u.create2.bus = BUS_BLUETOOTH;
    e.u.create2.vendor = 0x045e;
    e.u.create2.product = 0x02fd;
    if (fd < 0 || write(fd, &e, sizeof(e)) < 0) {
        perror("uhid");
        return 1;
    }
    puts("ready");
    while (read(fd, &e, sizeof(e)) > 0)
        if (e.type == UHID_OUTPUT && e.u.output.size >= 6)
            printf("report %llu %u %u %u %u %u\n", now_ms(), r[1], r[2], r[3],
                   r[4], r[5]);
    return 0;
}
