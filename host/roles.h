/*
 * Who moves which device. Without a [rig.NAME] section every backend moves all
 * that it has; with some, each section is a role that takes one device, and
 * what no role takes stays still. One physical device is never moved by two
 * backends. Pure: the same answer for the same lists, so a device that comes
 * back goes where it was.
 */
#ifndef ROLES_H
#define ROLES_H

#include <hardpoint/haptics.h>
#include <stdint.h>

#define ROLES_MAX          16
#define ROLES_BACKENDS_MAX 4 /* in one role */
#define ROLES_NOBODY       (-1)

struct role {
    char name[32];                         /* "stick" of [rig.stick] */
    char backends[ROLES_BACKENDS_MAX][32]; /* in order of preference */
    uint32_t backend_count;
    char device[96]; /* as roles_is_meant takes it */
    float gain;      /* 0..1 */
};

struct roles {
    uint32_t count; /* 0: every backend moves all that it has */
    struct role list[ROLES_MAX];
};

struct config;

/* Makes the [rig.NAME] sections of a configuration legal and checks them
 * against `backends`, the names in [plugins] haptics (NULL: they are not
 * known). What is wrong becomes a problem of the configuration. */
void roles_bind(struct config *c, const char *const *backends, uint32_t count);
/* The roles of one that was bound, in the order of their names. */
void roles_read(struct roles *roles, const struct config *c);

/* Whether `device` is what a pattern means: all of its name (* and ? as in a
 * shell, in any case), its vendor and product as 045e:028e, its id as `haptics
 * list` prints it, or the serial number or port that the id ends with. */
int roles_is_meant(const char *pattern, const struct hp_device *device);

/* A device that a backend has. */
struct roles_candidate {
    uint32_t backend; /* its place in [plugins] haptics */
    const char *backend_name;
    const struct hp_device *device;
    int is_served;
    int role; /* index, or ROLES_NOBODY */
};

/* Decides about each. Roles choose in the order of their names, each the first
 * of its backends that has a device it means; without roles the backend that
 * stands first in the list has a device that two offer. */
void roles_assign(const struct roles *roles, struct roles_candidate *list,
                  uint32_t count);

#endif
