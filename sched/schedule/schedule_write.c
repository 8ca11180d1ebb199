/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_write: the canonical text of a schedule. One block, numbers by hand: printf would be the
 * cost of a big schedule. */
#include "sched/base/digits.h"
#include "sched/base/files.h"
#include "sched/schedule/schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK (1u << 20)
#define LINE_ROOM (4 * DIGITS_PUT_ROOM) /* of a transfer, and behind it */

struct sink {
    FILE *to;
    bool failed;
    size_t used;
    struct digits_table digits;
    char block[BLOCK];
};

static void drain(struct sink *sink)
{
    if (fwrite(sink->block, 1, sink->used, sink->to) != sink->used)
        sink->failed = true;
    sink->used = 0;
}

static void put_text(struct sink *sink, const char *text)
{
    for (size_t length = strlen(text); length > 0;) {
        size_t room = BLOCK - sink->used, part = length < room ? length : room;
        memcpy(sink->block + sink->used, text, part);
        sink->used += part;
        text += part;
        length -= part;
        if (sink->used == BLOCK)
            drain(sink);
    }
}

/* `before`, the number, `after`; before and after are a word each. */
static void put_number(struct sink *sink, const char *before, uint32_t number, const char *after)
{
    char text[DIGITS_PUT_ROOM];
    *digits_put(&sink->digits, text, number) = '\0';
    put_text(sink, before);
    put_text(sink, text);
    put_text(sink, after);
}

/* `word`, then numbers with commas between; nothing at all if there are none. */
static void put_list(struct sink *sink, const char *word, const uint32_t number[], uint32_t count)
{
    for (uint32_t which = 0; which < count; which++)
        put_number(sink, which > 0 ? "," : word, number[which], "");
}

/* `4`, or `4-7`. */
static void put_range(struct sink *sink, const char *word, uint32_t first, uint32_t last)
{
    put_number(sink, word, first, "");
    if (last > first)
        put_number(sink, "-", last, "");
}

/* The value, and what it is made of. */
static void put_control(struct sink *sink, const struct control *control)
{
    bool nodes = control->node_count > 0;
    put_number(sink, " ", control->value, "");
    if (nodes)
        put_range(sink, " nodes ", control->first_node,
                  control->first_node + control->node_count - 1);
    else if (control->part_count == 0)
        put_text(sink, " none");
    put_list(sink, nodes ? " from " : " packets ", control->part, control->part_count);
}

static void put_demand(struct sink *sink, const struct demand *demand)
{
    put_range(sink, demand->control != NULL ? "control " : "demand ", demand->first_packet,
              demand->last_packet);
    put_number(sink, " ", demand->source, " ");
    if (demand->wanted_count == 0)
        put_text(sink, "*");
    put_list(sink, "", demand->wanted, demand->wanted_count);
    if (demand->control != NULL)
        put_control(sink, demand->control);
    put_text(sink, "\n");
}

static void put_topology(struct sink *sink, const struct topology *topology)
{
    if (topology->kind == TOPOLOGY_COMPLETE) {
        put_number(sink, "\ntopology complete ", topology->nodes, "");
        return;
    }
    if (topology->kind == TOPOLOGY_HYPERCUBE) {
        put_number(sink, "\ntopology hypercube ", topology->dimensions, "");
        return;
    }
    put_text(sink, "\ntopology tree");
    for (unsigned level = 1; level <= topology->height; level++)
        put_number(sink, " ", topology->children[level], "");
    put_text(sink, " capacity");
    for (unsigned level = 1; level <= topology->height; level++)
        put_number(sink, " ", topology->capacity[level], "");
}

static void put_header(struct sink *sink, const struct schedule *schedule)
{
    put_text(sink, "roundcast-schedule 1\nalgorithm ");
    put_text(sink, schedule->algorithm);
    put_topology(sink, &schedule->topology);
    put_text(sink, "\nmodel ");
    put_text(sink, model_name(schedule->model));
    if (model_has_times(schedule->model)) {
        char lambda[RATIONAL_TEXT];
        put_text(sink, " ");
        put_text(sink,
                 rational_text(schedule->lambda.numerator, schedule->lambda.denominator, lambda));
    }
    if (schedule->ports > 1)
        put_number(sink, " ", schedule->ports, "");
    put_text(sink, "\n");
    for (size_t which = 0; which < schedule->demand_count; which++)
        put_demand(sink, &schedule->demand[which]);
}

/* A transfer over a branch of a tree; the lane if there are several. */
static void put_hop(struct sink *sink, const struct schedule *schedule, size_t index)
{
    const struct topology *tree = &schedule->topology;
    const struct transfer *transfer = &schedule->transfer[index];
    char text[TOPOLOGY_NODE_TEXT];
    put_text(sink, topology_node_text(tree, transfer->source, text));
    put_text(sink, " ");
    put_text(sink, topology_node_text(tree, transfer->destination, text));
    bool lanes = tree->capacity[topology_branch(tree, transfer->source, transfer->destination)] > 1;
    put_number(sink, " ", transfer->packet, lanes ? " " : "\n");
    if (lanes)
        put_number(sink, "", schedule->lane[index], "\n");
}

static void put_step(struct sink *sink, const struct schedule *schedule, size_t k)
{
    char time[SCHEDULE_TIME_TEXT];
    put_text(sink, schedule_time_text(schedule, schedule->step[k].time, time));
    put_text(sink, "\n");
    size_t end = schedule_step_end(schedule, k);
    for (size_t index = schedule->step[k].first;
         schedule->topology.kind == TOPOLOGY_TREE && index < end; index++)
        put_hop(sink, schedule, index);
    if (schedule->topology.kind == TOPOLOGY_TREE)
        return;
    for (size_t index = schedule->step[k].first; index < end; index++) {
        if (BLOCK - sink->used < LINE_ROOM)
            drain(sink);
        const struct transfer *transfer = &schedule->transfer[index];
        char *start = sink->block + sink->used;
        char *at = digits_put(&sink->digits, start, transfer->source);
        *at++ = ' ';
        at = digits_put(&sink->digits, at, transfer->destination);
        *at++ = ' ';
        at = digits_put(&sink->digits, at, transfer->packet);
        *at++ = '\n';
        sink->used += (size_t)(at - start);
    }
}

static struct sink *open_sink(FILE *to, const char *name, struct err *err)
{
    struct sink *sink = malloc(sizeof *sink);
    if (sink == NULL) {
        err_set(err, ERR_TOO_BIG, "%s: no memory to write", name);
        return NULL;
    }
    sink->to = to;
    sink->failed = false;
    sink->used = 0;
    digits_fill(&sink->digits);
    errno = 0;
    return sink;
}

static bool close_sink(struct sink *sink, const char *name, struct err *err)
{
    drain(sink);
    bool failed = fflush(sink->to) != 0 || sink->failed;
    free(sink);
    return !failed || files_refuse_output(name, errno, err);
}

bool schedule_write_head(FILE *to, const char *name, const struct schedule *schedule,
                         struct err *err)
{
    struct sink *sink = open_sink(to, name, err);
    if (sink == NULL)
        return false;
    put_header(sink, schedule);
    return close_sink(sink, name, err);
}

bool schedule_write(FILE *to, const char *name, const struct schedule *schedule, struct err *err)
{
    struct sink *sink = open_sink(to, name, err);
    if (sink == NULL)
        return false;
    put_header(sink, schedule);
    for (size_t k = 0; k < schedule->step_count && !sink->failed; k++)
        put_step(sink, schedule, k);
    char end[RATIONAL_TEXT];
    put_text(sink, "end ");
    put_text(sink, rational_text(schedule->end, schedule->lambda.denominator, end));
    put_text(sink, "\n");
    return close_sink(sink, name, err);
}
