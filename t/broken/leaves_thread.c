/* Its thread goes on after destroy. */
#include "broken.h"
#include <pthread.h>
#include <unistd.h>

static void *
wait_for_ever(void *context)
{
    for (;;)
        pause();
    return context;
}

static int
start(struct hp_instance *self, const struct hp_limits *limits)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, wait_for_ever, NULL) == 0)
        pthread_detach(thread);
    return good_start(self, limits);
}

BROKEN_PLUGIN(HP_KIND_AGENT, BROKEN_NO_PARAMS, good_create, start, good_stop,
              good_destroy, good_agent);
