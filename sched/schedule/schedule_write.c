/* SPDX-License-Identifier: Apache-2.0 */
/* schedule_write: writes the canonical text of a schedule. It formats numbers itself, because
 * printf would dominate the time for large schedules.
 *
 * Transfers, except those of trees, are formatted in parts, by several threads (OMP_NUM_THREADS) if
 * there are many. A thread that finishes a part writes all parts that are next in order, unless
 * another thread is writing; no thread waits while there is a free buffer for the text of another
 * part. The bytes are the same for any number of threads.
 */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/digits.h"
#include "sched/base/files.h"
#include "sched/base/threads.h"
#include "sched/schedule/schedule.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK (1u << 18)
#define PART ((size_t)1 << 14) /* transfers of a part */
/* buffers for the text of parts, for each thread if there are several */
#define BUFFERS 16u
/* minimum number of parts for which threads gain more than they cost */
#define PARALLEL_PARTS 16u
#define NUMBER_MOST 10u /* maximum digits of a number */
/* Maximum number of bytes of the lines of a transfer and its step. */
#define LINES_MOST (3 * (NUMBER_MOST + 1) + SCHEDULE_TIME_TEXT + 1)
#define RECEIVED " received" /* words of a transfer of a combined packet */
#define REPLACE " replace"

struct sink {
    FILE *to;
    int error; /* errno of the first failure; 0 if none failed */
    size_t used;
    struct digits_table digits;
    char block[BLOCK];
};

/* Keeps errno in the sink, because the writing thread may be another one, with its own errno. */
static void give(struct sink *sink, const char *text, size_t bytes)
{
    if (fwrite(text, 1, bytes, sink->to) != bytes && sink->error == 0)
        sink->error = errno;
}

static void drain(struct sink *sink)
{
    give(sink, sink->block, sink->used);
    sink->used = 0;
}

static void put_text(struct sink *sink, const char *text)
{
    for (size_t length = strlen(text); length > 0;) {
        size_t room = BLOCK - sink->used, part = MIN(length, room);
        memcpy(sink->block + sink->used, text, part);
        sink->used += part;
        text += part;
        length -= part;
        if (sink->used == BLOCK)
            drain(sink);
    }
}

/* Writes `before`, the number and `after`; before and after are one word each. */
static void put_number(struct sink *sink, const char *before, uint32_t number, const char *after)
{
    char text[DIGITS_PUT_ROOM];
    *digits_put(&sink->digits, text, number) = '\0';
    put_text(sink, before);
    put_text(sink, text);
    put_text(sink, after);
}

/* Writes `word`, then numbers separated by commas; writes nothing for an empty list. */
static void put_list(struct sink *sink, const char *word, const uint32_t number[], uint32_t count)
{
    for (uint32_t which = 0; which < count; which++)
        put_number(sink, which > 0 ? "," : word, number[which], "");
}

/* Writes a range: `4`, or `4-7`. */
static void put_range(struct sink *sink, const char *word, uint32_t first, uint32_t last)
{
    put_number(sink, word, first, "");
    if (last > first)
        put_number(sink, "-", last, "");
}

/* Writes the value of a control packet, and its origin. */
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

/* Writes `reduce 1-4 0 *`, and `ordered` if the reduction is ordered. */
static void put_reduction(struct sink *sink, const struct demand *demand)
{
    const struct reduction *reduction = demand->reduction;
    put_range(sink, "reduce ", demand->first_packet, demand->last_packet);
    put_text(sink, " ");
    if (demand->wanted_count == 0)
        put_text(sink, reduction->exclusive ? "exclusive" : reduction->prefix ? "prefix" : "*");
    put_list(sink, "", demand->wanted, demand->wanted_count);
    put_text(sink, " ");
    if (reduction->contributor_count == 0)
        put_text(sink, "*");
    put_list(sink, "", reduction->contributor, reduction->contributor_count);
    put_text(sink, reduction->ordered ? " ordered\n" : "\n");
}

static void put_demand(struct sink *sink, const struct topology *topology,
                       const struct demand *demand)
{
    char source[TOPOLOGY_NODE_TEXT];
    if (demand->reduction != NULL) {
        put_reduction(sink, demand);
        return;
    }
    put_range(sink, demand->control != NULL ? "control " : "demand ", demand->first_packet,
              demand->last_packet);
    put_text(sink, " ");
    put_text(sink, topology_node_text(topology, demand->source, source));
    put_text(sink, " ");
    if (demand->wanted_count == 0)
        put_text(sink, "*");
    put_list(sink, "", demand->wanted, demand->wanted_count);
    if (demand->control != NULL)
        put_control(sink, demand->control);
    put_text(sink, "\n");
}

static void put_topology(struct sink *sink, const struct topology *topology)
{
    char text[TOPOLOGY_TEXT];
    put_text(sink, "\ntopology ");
    put_text(sink, topology_row(topology)->name);
    put_text(sink, " ");
    put_text(sink, topology_row(topology)->text(topology, text));
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
        put_demand(sink, &schedule->topology, &schedule->demand[which]);
}

/* Writes a transfer over a branch of a tree, with the lane if the branch has several. */
static void put_hop(struct sink *sink, const struct schedule *schedule, size_t index)
{
    const struct topology *tree = &schedule->topology;
    const struct transfer *transfer = &schedule->transfer[index];
    char text[TOPOLOGY_NODE_TEXT];
    put_text(sink, topology_node_text(tree, transfer->source, text));
    put_text(sink, " ");
    put_text(sink, topology_node_text(tree, transfer->destination, text));
    bool lanes = tree->capacity[topology_branch(tree, transfer->source, transfer->destination)] > 1;
    put_number(sink, " ", transfer->packet, "");
    if (lanes)
        put_number(sink, " ", schedule->lane[index], "");
    unsigned combining = schedule_combining(schedule, index);
    put_text(sink, combining & COMBINING_RECEIVED ? RECEIVED : "");
    put_text(sink, combining & COMBINING_REPLACE ? REPLACE "\n" : "\n");
}

/* Writes "round 4" or "time 5/2" for step k. Returns one past its newline. */
static char *put_step(const struct schedule *schedule, size_t k, char *to)
{
    schedule_time_text(schedule, schedule->step[k].time, to);
    to += strlen(to);
    *to++ = '\n';
    return to;
}

static void put_tree_step(struct sink *sink, const struct schedule *schedule, size_t k)
{
    char line[SCHEDULE_TIME_TEXT + 1];
    *put_step(schedule, k, line) = '\0';
    put_text(sink, line);
    size_t end = schedule_step_end(schedule, k);
    for (size_t index = schedule->step[k].first; index < end; index++)
        put_hop(sink, schedule, index);
}

static inline char *put_transfer(const struct digits_table *digits, struct transfer transfer,
                                 unsigned combining, char *to)
{
    to = digits_put(digits, to, transfer.source);
    *to++ = ' ';
    to = digits_put(digits, to, transfer.destination);
    *to++ = ' ';
    to = digits_put(digits, to, transfer.packet);
    if (combining & COMBINING_RECEIVED)
        to = stpcpy(to, RECEIVED);
    if (combining & COMBINING_REPLACE)
        to = stpcpy(to, REPLACE);
    *to++ = '\n';
    return to;
}

/* The text of a part: its transfers and the steps that begin there. */
struct buffer {
    char *text;
    size_t bytes;
    atomic_bool full;
};

struct writing {
    struct sink *sink;
    const struct schedule *schedule;
    size_t parts, buffers;
    struct buffer *buffer;     /* [buffers]: part p uses buffer p % buffers */
    atomic_size_t taken;       /* number of parts that are formatted or being formatted */
    atomic_size_t given;       /* number of parts that were written */
    atomic_flag is_given_some; /* a thread is writing parts */
};

static void put_part(const struct writing *writing, size_t which)
{
    const struct schedule *schedule = writing->schedule;
    struct buffer *buffer = &writing->buffer[which % writing->buffers];
    size_t first = which * PART, left = schedule->transfer_count - first;
    size_t end = first + MIN(left, PART);
    char *to = buffer->text;
    for (size_t k = schedule_step_of(schedule, first), index = first; index < end; k++) {
        size_t step_end = schedule_step_end(schedule, k);
        if (schedule->step[k].first == index)
            to = put_step(schedule, k, to);
        for (step_end = MIN(step_end, end); index < step_end; index++)
            to = put_transfer(&writing->sink->digits, schedule->transfer[index],
                              schedule_combining(schedule, index), to);
    }
    buffer->bytes = (size_t)(to - buffer->text);
    atomic_store(&buffer->full, true);
}

/* Writes the parts that are next in order, unless another thread is writing. */
static void give_parts(struct writing *writing)
{
    bool others = atomic_flag_test_and_set(&writing->is_given_some);
    if (others)
        return;
    for (size_t given = atomic_load(&writing->given); given < writing->parts; given++) {
        struct buffer *buffer = &writing->buffer[given % writing->buffers];
        if (!atomic_load(&buffer->full))
            break;
        if (writing->sink->error == 0)
            give(writing->sink, buffer->text, buffer->bytes);
        atomic_store(&buffer->full, false);
        atomic_store(&writing->given, given + 1);
    }
    atomic_flag_clear(&writing->is_given_some);
}

/* Formats and writes parts until none is left; runs in each thread. */
static void put_parts(struct writing *writing)
{
    for (size_t which; (which = atomic_fetch_add(&writing->taken, 1)) < writing->parts;) {
        while (which - atomic_load(&writing->given) >= writing->buffers) {
            give_parts(writing);
            sched_yield();
        }
        put_part(writing, which);
        give_parts(writing);
    }
}

/* Writes all steps, except in trees. */
static bool put_steps(struct sink *sink, const struct schedule *schedule, struct err *err)
{
    size_t transfers = schedule->transfer_count, most = MIN(transfers, PART);
    struct writing writing = {.sink = sink,
                              .schedule = schedule,
                              .parts = (transfers + PART - 1) / PART,
                              .is_given_some = ATOMIC_FLAG_INIT};
    unsigned workers = threads_for(writing.parts, PARALLEL_PARTS);
    writing.buffers = workers == 1 ? 1 : BUFFERS * workers;
    char *text;
    size_t words = schedule->combining_count > 0 ? sizeof RECEIVED REPLACE : 0;
    size_t room = most * (LINES_MOST + words) + DIGITS_PUT_ROOM;
    void *memory = arena_new((const struct arena_array[]){ARENA(writing.buffer, writing.buffers),
                                                          ARENA(text, writing.buffers * room)},
                             2);
    if (memory == NULL)
        return err_no_memory(err, "the text of %zu transfers", writing.buffers * most);
    for (size_t which = 0; which < writing.buffers; which++)
        writing.buffer[which].text = text + which * room;
    drain(sink);
#pragma omp parallel num_threads(workers) if (workers > 1)
    put_parts(&writing);
    /* a thread may have finished the last part while another one was about to stop writing */
    give_parts(&writing);
    threads_rest(workers);
    free(memory);
    return true;
}

static struct sink *open_sink(FILE *to, const char *name, struct err *err)
{
    struct sink *sink = malloc(sizeof *sink);
    if (sink == NULL) {
        err_set(err, ERR_TOO_BIG, "%s: no memory to write", name);
        return NULL;
    }
    sink->to = to;
    sink->error = 0;
    sink->used = 0;
    digits_fill(&sink->digits);
    return sink;
}

static bool close_sink(struct sink *sink, const char *name, struct err *err)
{
    drain(sink);
    if (fflush(sink->to) != 0 && sink->error == 0)
        sink->error = errno;
    int error = sink->error;
    free(sink);
    return error == 0 || files_refuse_output(name, error, err);
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
    bool hops = topology_has_routers(&schedule->topology);
    for (size_t k = 0; hops && k < schedule->step_count; k++)
        put_tree_step(sink, schedule, k);
    if (!hops && schedule->transfer_count > 0 && !put_steps(sink, schedule, err)) {
        free(sink);
        return false;
    }
    char end[RATIONAL_TEXT];
    put_text(sink, "end ");
    put_text(sink, rational_text(schedule->end, schedule->lambda.denominator, end));
    put_text(sink, "\n");
    return close_sink(sink, name, err);
}
