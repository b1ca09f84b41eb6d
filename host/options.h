/*
 * The host's own INI keys as rows, the single source of parsing, `check`,
 * `show`, conf/hardpoint.ini and hardpoint.ini(5).
 *
 *     [host]     role = solo, tick_rate_hz = 60, snapshot_every = 1,
 *                plugin_path, catch_up_ticks_max = 4, spin_us = 0,
 *                timer_slack_ns = 1, realtime = no, lock_memory = no,
 *                entities_max = 256, budget_percent = 50
 *     [client]   name, join
 *     [net]      address, port = 4776, clients_max = 16,
 *                service = event | tick, phase = lock | off,
 *                bans (path)
 *     [net.simulator]  delay_ms, jitter_ms, loss_percent, duplicate_percent,
 *                reorder_percent, seed = 1
 *     [plugins]  sim, broadcaster, predictor, cues, haptics, input, agent
 *     [haptics]  effects (path of effects.ini)
 *     [metrics]  json
 *     [log]      level format
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <hardpoint/plugin.h>
#include <stdio.h>

struct options_section {
    const char *name;
    const char *sentence;
    const struct hp_param *rows;
    uint32_t row_count;
};

/* Every section; the count by `count`. */
const struct options_section *options_sections(uint32_t *count);

struct config;
/* Binds them all. */
int options_bind(struct config *c);

/* conf/hardpoint.ini: every key with its default and sentence. */
void options_print_example(FILE *to);
/* The list of sections and keys of hardpoint.ini(5), in mdoc. */
void options_print_man(FILE *to);

/* The same for any rows, as plugins have them: the lines of a section, the list
 * of a manual, and "1 to 65535 ticks", "event or tick", "yes or no", or "" for
 * text. A row without a default must be given. */
void options_print_keys(FILE *to, const struct hp_param *rows, uint32_t count,
                        uint32_t stride);
void options_print_man_keys(FILE *to, const struct hp_param *rows,
                            uint32_t count, uint32_t stride);
void options_describe_values(const struct hp_param *row, char *out,
                             size_t bytes);

#endif
