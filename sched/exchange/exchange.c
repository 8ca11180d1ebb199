/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/exchange.h"

#include "sched/base/text.h"
#include "sched/schedule/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

const struct exchange_format *const exchange_table[] = {
#define TABLE_ROW(name) &exchange_##name,
    EXCHANGE_TABLE(TABLE_ROW)
#undef TABLE_ROW
        NULL};

/* Returns whether the format can be written, or read. */
static bool supports(const struct exchange_format *format, bool written)
{
    return written ? format->write != NULL : exchange_is_read(format);
}

const char *exchange_names(bool written, char text[EXCHANGE_NAMES])
{
    text[0] = '\0';
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if (supports(*row, written))
            text_append(text, EXCHANGE_NAMES, "%s%s", text[0] != '\0' ? "|" : "", (*row)->name);
    return text;
}

const struct exchange_format *exchange_find(const char *name, bool written, struct err *err)
{
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if (supports(*row, written) && strcmp((*row)->name, name) == 0)
            return *row;
    char names[EXCHANGE_NAMES];
    err_set(err, ERR_OPTION, "%.40s: no such format; expected %s", name,
            exchange_names(written, names));
    return NULL;
}

/* Returns the features of a schedule, as bits. */
static unsigned features_of(const struct schedule *schedule)
{
    bool routers = topology_has_routers(&schedule->topology);
    bool control = schedule_data_packets(schedule) < schedule->packets;
    return (routers ? EXCHANGE_TREE : 0u) | (control ? EXCHANGE_CONTROL : 0u) |
           (model_has_times(schedule->model) ? EXCHANGE_TIMES : 0u) |
           (model_copies(schedule->model) ? EXCHANGE_COPIES : 0u) |
           (model_combines(schedule->model) ? EXCHANGE_FABRIC : 0u) |
           (schedule->topology.arcs > 0 || schedule->ports > 1 ? EXCHANGE_PORTS : 0u) |
           (schedule->has_reductions ? EXCHANGE_COMBINES : 0u);
}

/* Rejects a schedule with a feature that the format cannot express, and names the feature. */
static bool check_supported(const struct exchange_format *format, const struct schedule *schedule,
                            struct err *err)
{
    static const char *const name[] = {"a tree with routers",
                                       "packets of control",
                                       "times in place of rounds",
                                       "packets that the network copies",
                                       "several packets from or to a node in a round",
                                       "packets that are combined",
                                       "packets that the network combines"};
    unsigned lacks = (format->lacks | EXCHANGE_FABRIC) & features_of(schedule);
    for (unsigned bit = 0; bit < sizeof name / sizeof *name; bit++)
        if (lacks >> bit & 1)
            return err_set(err, ERR_UNSUPPORTED,
                           "%s: the schedule has %s, which the format cannot express; expected a "
                           "schedule without",
                           format->name, name[bit]);
    return schedule->nodes <= format->most ||
           err_set(err, ERR_RANGE, "%s: %" PRIu32 " node%s; expected 1 … %" PRIu32, format->name,
                   schedule->nodes, text_s(schedule->nodes), format->most);
}

const char *exchange_executor_name(unsigned which)
{
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        for (unsigned k = 0; (*row)->executor != NULL && (*row)->executor(k) != NULL; k++)
            if (which-- == 0)
                return (*row)->executor(k);
    return NULL;
}

/* Writes the names of the formats with executors: "a or b". Returns text. */
static const char *names_with_executors(char text[EXCHANGE_NAMES])
{
    const char *name[sizeof exchange_table / sizeof *exchange_table];
    size_t count = 0;
    for (const struct exchange_format *const *row = exchange_table; *row != NULL; row++)
        if ((*row)->executor != NULL)
            name[count++] = (*row)->name;
    return text_list(name, count, " or ", text, EXCHANGE_NAMES);
}

bool exchange_check_options(const struct exchange_format *format,
                            const struct exchange_options *options, struct err *err)
{
    char names[EXCHANGE_NAMES];
    return options->executor == 0 || format->executor != NULL ||
           err_set(err, ERR_OPTION, "{executor}: %s has no executors; expected {to} %s",
                   format->name, names_with_executors(names));
}

bool exchange_write(const struct exchange_format *format, FILE *to, const char *name,
                    const struct schedule *schedule, const struct exchange_options *options,
                    struct err *err)
{
    if (!exchange_check_options(format, options, err) || !check_supported(format, schedule, err) ||
        !schedule_check_unshared("the schedule", schedule, err))
        return false;
    errno = 0;
    if (!format->write(to, schedule, options, err))
        return false;
    fflush(to);
    return !ferror(to) || err_set(err, ERR_WRITE, "%s: cannot write: %s", name, strerror(errno));
}
