#include "tap.h"
#include <clock.h>
#include <errno.h>
#include <log.h>
#include <pthread.h>
#include <stdlib.h>

#define MS UINT64_C(1000000)

static struct clock *turns;
static struct clock_waiter *waiter;
static FILE *stream;
static char *text;
static size_t text_size;

static void
begin(void)
{
    clock_create_virtual(&turns, 5000 * MS);
    clock_join(turns, &waiter);
    clock_enter(waiter);
    stream = open_memstream(&text, &text_size);
    log_set_stream(stream);
    log_set_level(HP_LOG_INFO);
    log_set_format(LOG_TEXT);
    log_start(turns);
}

static void
pass(uint64_t ns)
{
    clock_wait(waiter, -1, clock_now_ns(turns) + ns, 0);
}

static void
end(const char *want)
{
    log_stop();
    log_set_stream(NULL);
    fclose(stream);
    if (want != NULL)
        ok_text(text, want);
    free(text);
    clock_leave(waiter);
    clock_destroy(turns);
}

static void
a_line_has_its_time_level_and_text(void)
{
    begin();
    log_error("net: cannot listen on port %d", 4776);
    pass(12345 * MS + 678999);
    log_warning("b");
    log_info("c\n");
    end("0.000000 error net: cannot listen on port 4776\n"
        "12.345678 warning b\n12.345678 info c\n");
}

static void
nothing_is_written_before_the_flush(void)
{
    begin();
    log_info("waits");
    fflush(stream);
    ok_int(text_size, 0);
    log_flush();
    ok(text_size > 0);
    end("0.000000 info waits\n");
}

static void
lines_are_written_at_once_before_the_start_and_after_the_stop(void)
{
    stream = open_memstream(&text, &text_size);
    log_set_stream(stream);
    log_info("early %d", 1);
    ok_text(text, "info early 1\n");
    log_set_stream(NULL);
    fclose(stream);
    free(text);
}

static void
lines_above_the_level_are_dropped(void)
{
    begin();
    log_debug("no");
    log_set_level(HP_LOG_DEBUG);
    log_debug("yes");
    log_set_level(HP_LOG_ERROR);
    log_warning("no");
    end("0.000000 debug yes\n");
}

static void
levels_are_read_by_name(void)
{
    uint32_t level = 9;

    ok_int(log_parse_level("error", &level), 0);
    ok_int(level, HP_LOG_ERROR);
    ok_int(log_parse_level("debug", &level), 0);
    ok_int(level, HP_LOG_DEBUG);
    ok_int(log_parse_level("", &level), -EINVAL);
    ok_int(log_parse_level("loud", &level), -EINVAL);
    ok_int(level, HP_LOG_DEBUG);
}

static void
a_repeat_is_folded_until_another_line_comes(void)
{
    int i;

    begin();
    for (i = 0; i < 4; i++)
        log_info("same");
    log_info("other");
    log_info("other");
    end("0.000000 info same\n0.000000 info last line repeated 3 times\n"
        "0.000000 info other\n0.000000 info last line repeated 1 time\n");
}

static void
the_same_text_at_another_level_is_another_line(void)
{
    begin();
    log_info("same");
    log_error("same");
    end("0.000000 info same\n0.000000 error same\n");
}

static void
a_line_that_goes_on_is_told_once_a_second(void)
{
    int i;

    begin();
    for (i = 0; i < 25; i++) {
        log_info("same");
        log_flush();
        pass(100 * MS);
    }
    end("0.000000 info same\n1.000000 info last line repeated 10 times\n"
        "2.000000 info last line repeated 10 times\n"
        "2.400000 info last line repeated 4 times\n");
}

static void
a_name_cannot_forge_a_line_or_reach_the_terminal(void)
{
    begin();
    log_info("peer \"%s\" joined", "x\n0.1 error y\x1b[2J\r\x7f\t");
    log_info("%s", "\xc2\x9b"
                   "31m \xe2\x80\xae \xe2\x80\xa8 \xfe");
    log_info("%s", "\xc3\xbc \xe2\x82\xac \\");
    end("0.000000 info peer \"x\\n0.1 error y\\x1b[2J\\x0d\\x7f\\x09\" joined\n"
        "0.000000 info \\u009b31m \\u202e \\u2028 \\xfe\n"
        "0.000000 info \xc3\xbc \xe2\x82\xac \\\n");
}

static void
a_long_text_is_cut_and_says_so(void)
{
    char longer[2 * LOG_LINE_MAX];
    const char *line;

    begin();
    memset(longer, 'a', sizeof(longer));
    longer[sizeof(longer) - 1] = '\0';
    log_info("%s", longer);
    memset(longer, '\x01', sizeof(longer));
    longer[300] = '\0';
    log_info("%s", longer);
    log_flush();
    line = strchr(text, '\n');
    ok_int(line - text, strlen("0.000000 info ") + LOG_LINE_MAX - 1);
    ok(strncmp(line - 4, "a...", 4) == 0);
    ok_text(text + strlen(text) - 8, "\\x01...\n");
    ok(strlen(line + 1) <= strlen("0.000000 info ") + LOG_LINE_MAX);
    end(NULL);
}

static void
a_full_ring_counts_what_it_loses(void)
{
    int i;

    begin();
    for (i = 0; i < LOG_RING_LINES + 7; i++)
        log_info("line %d", i);
    log_flush();
    ok(strstr(text, "info line 255\n0.000000 warning log: 7 lines lost") !=
       NULL);
    ok(strstr(text, "line 256\n") == NULL);
    log_info("again");
    log_flush();
    ok(strstr(text, "info again\n") != NULL);
    end(NULL);
}

static void *
log_fifty(void *argument)
{
    int i;

    for (i = 0; i < 50; i++)
        log_info("%s %d", (const char *)argument, i);
    return NULL;
}

static int
count_lines(const char *from)
{
    int lines = 0;

    for (; *from != '\0'; from++)
        lines += *from == '\n';
    return lines;
}

/* Each thread's lines, whole and in the thread's own order. */
static void
follow(const char *name)
{
    char line[64];
    const char *at = text;
    int i;

    for (i = 0; i < 50; i++) {
        snprintf(line, sizeof(line), " info %s %d\n", name, i);
        at = strstr(at, line);
        if (!ok(at != NULL))
            return;
    }
}

static void
threads_log_at_once_and_no_line_is_torn(void)
{
    static char names[4][8] = {"ann", "bob", "cid", "dan"};
    pthread_t threads[4];
    int i;

    begin();
    /* Three rounds, so that places of the ring are used again. */
    for (i = 0; i < 12; i++) {
        pthread_create(&threads[i % 4], NULL, log_fifty, names[i % 4]);
        if (i % 4 < 3)
            continue;
        log_flush();
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        pthread_join(threads[2], NULL);
        pthread_join(threads[3], NULL);
        log_flush();
    }
    for (i = 0; i < 4; i++)
        follow(names[i]);
    ok_int(count_lines(text), 600);
    end(NULL);
}

static void
a_flood_of_one_kind_is_cut_and_counted(void)
{
    int i;

    begin();
    for (i = 0; i < 3000; i++) {
        log_info("somebody says %d", i);
        if (i % 100 == 0)
            log_flush();
    }
    log_info("another kind");
    log_flush();
    ok(count_lines(text) < 1010);
    ok(strstr(text, "another kind") != NULL);
    pass(11000 * MS);
    log_flush();
    ok(strstr(text, " more lines of one kind came") != NULL);
    end(NULL);
}

static void
as_json_each_line_is_one_object(void)
{
    begin();
    log_error("net: \"%s\" c:\\d\n", "x\ny\x1b\xfe\xe2\x82\xac");
    pass(12345 * MS + 678999);
    log_warning("b");
    log_set_format(LOG_JSON);
    end("{\"t_s\": 0.000000, \"level\": \"error\", \"text\": "
        "\"net: \\\"x\\\\ny\\\\x1b\\\\xfe\xe2\x82\xac\\\" c:\\\\d\"}\n"
        "{\"t_s\": 12.345678, \"level\": \"warning\", \"text\": \"b\"}\n");
}

static void
as_json_a_line_without_a_time_has_none(void)
{
    stream = open_memstream(&text, &text_size);
    log_set_stream(stream);
    log_set_format(LOG_JSON);
    log_info("early");
    log_set_format(LOG_TEXT);
    log_info("late");
    log_set_stream(NULL);
    fclose(stream);
    ok_text(text, "{\"level\": \"info\", \"text\": \"early\"}\ninfo late\n");
    free(text);
}

static void
as_json_repeats_are_a_number(void)
{
    int i;

    begin();
    log_set_format(LOG_JSON);
    for (i = 0; i < 4; i++)
        log_info("same");
    end("{\"t_s\": 0.000000, \"level\": \"info\", \"text\": \"same\"}\n"
        "{\"t_s\": 0.000000, \"level\": \"info\", "
        "\"text\": \"last line repeated 3 times\", \"repeated\": 3}\n");
}

static void
as_json_lost_and_unwritten_lines_are_numbers(void)
{
    int i;

    begin();
    log_set_format(LOG_JSON);
    for (i = 0; i < LOG_RING_LINES + 7; i++)
        log_info("line %d", i);
    log_flush();
    ok(strstr(text, " came at once\", \"lost\": 7}\n") != NULL);
    for (i = 0; i < 1000; i++) {
        log_info("line %d", i);
        if (i % 100 == 99)
            log_flush();
    }
    pass(11000 * MS);
    log_flush();
    ok(strstr(text, " within ten seconds\", \"unwritten\": 256}\n") != NULL);
    end(NULL);
}

static void
as_json_a_text_of_quotes_alone_is_whole(void)
{
    char quotes[2 * LOG_LINE_MAX];
    const char *line_end;

    memset(quotes, '"', sizeof(quotes));
    quotes[sizeof(quotes) - 1] = '\0';
    begin();
    log_set_format(LOG_JSON);
    log_info("%s", quotes);
    log_flush();
    line_end = strstr(text, "\\\"...\"}\n");
    ok(line_end != NULL && line_end[8] == '\0');
    end(NULL);
}

TAP_MAIN(FACT(a_line_has_its_time_level_and_text),
         FACT(nothing_is_written_before_the_flush),
         FACT(lines_are_written_at_once_before_the_start_and_after_the_stop),
         FACT(lines_above_the_level_are_dropped), FACT(levels_are_read_by_name),
         FACT(a_repeat_is_folded_until_another_line_comes),
         FACT(the_same_text_at_another_level_is_another_line),
         FACT(a_line_that_goes_on_is_told_once_a_second),
         FACT(a_name_cannot_forge_a_line_or_reach_the_terminal),
         FACT(a_long_text_is_cut_and_says_so),
         FACT(a_full_ring_counts_what_it_loses),
         FACT(threads_log_at_once_and_no_line_is_torn),
         FACT(a_flood_of_one_kind_is_cut_and_counted),
         FACT(as_json_each_line_is_one_object),
         FACT(as_json_a_line_without_a_time_has_none),
         FACT(as_json_repeats_are_a_number),
         FACT(as_json_lost_and_unwritten_lines_are_numbers),
         FACT(as_json_a_text_of_quotes_alone_is_whole))
