/* haptics_@name@: what was rendered is printed, and ends at its deadline. */
#include "test_host.h"

#define FILE_NAME "test.out"

static void
render(const struct hp_haptics_ops *ops, struct hp_instance *self, float level,
       uint32_t device)
{
    struct hp_levels levels = {0};
    struct hp_level one = {0};

    one.deadline_ns = 300;
    one.device = device;
    one.generation = 1;
    one.level = level;
    levels.size = sizeof(levels);
    levels.count = 1;
    levels.stride = sizeof(one);
    levels.levels = &one;
    levels.effects = "";
    ops->render(self, &levels);
}

static int
printed(const char *want)
{
    char text[256] = "";
    FILE *file = fopen(FILE_NAME, "r");
    size_t bytes = file == NULL ? 0 : fread(text, 1, sizeof(text) - 1, file);

    if (file != NULL)
        fclose(file);
    text[bytes] = '\0';
    return strcmp(text, want) == 0;
}

int
main(void)
{
    const struct hp_haptics_ops *ops = hp_plugin_v1.ops;
    struct hp_instance *self;
    struct test_host t;

    remove(FILE_NAME);
    test_host_init(&t, HP_SIDE_CLIENT);
    t.settings[0][0] = "file";
    t.settings[0][1] = FILE_NAME;
    t.now_ns = 100;
    self = test_start(&t, NULL);

    render(ops, self, 0.5f, 0);
    ops->work(self, 200);
    ops->work(self, 200);
    check(printed("low 50 high 0\n"), "a level is printed once");
    render(ops, self, 1, 9);
    ops->work(self, 200);
    check(printed("low 50 high 0\n"), "another device's is not");
    t.now_ns = 300;
    ops->work(self, 400);
    check(printed("low 50 high 0\nlow 0 high 0\n"), "it ends at its deadline");
    t.now_ns = 200;
    render(ops, self, 1, 0);
    ops->work(self, 250);
    test_stop(self);
    check(
        printed("low 50 high 0\nlow 0 high 0\nlow 100 high 0\nlow 0 high 0\n"),
        "what runs at the end is stopped");
    remove(FILE_NAME);
    return test_end(4);
}
