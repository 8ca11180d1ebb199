/* SPDX-License-Identifier: Apache-2.0 */
/* drawing_reduce: how a packet is combined: partial results and the contributors in them.
 *
 *     reduce, n = 4               0   (2)   (3)
 *     round 1   2→0  3→1               | 2   | 3
 *     round 2   1→0               1   (0)   (1)        node 0: 0,2   node 1: 1,3
 *                                      :    /
 *                                 2   ((0))            node 0: 0-3, the result
 */
#include "sched/draw/drawing.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NOT_DRAWN UINT32_MAX
#define CONTRIBUTORS_TEXT 48

/* What a node, or a router, has of the packet. */
struct holder {
    uint32_t index;     /* of its last partial result in the drawing; NOT_DRAWN */
    bool has, received; /* it has a partial result; it has received one */
};

/* A transfer that is on its way. */
struct flight {
    uint64_t arrives;
    size_t transfer;
    uint32_t from; /* index of what is sent */
};

struct tracer {
    const char *name;
    const struct schedule *schedule;
    const struct demand *demand;
    struct drawing *drawing;
    size_t words;          /* of a set of contributors */
    struct holder *holder; /* [all] */
    uint64_t *all,
        *got; /* [all · words]: contributors in the partial result, in what was received */
    struct flight *flight; /* [transfers of the packet]; those from `first` on have not arrived */
    uint64_t *sent;        /* [transfers of the packet · words] */
    size_t flights, first;
    void *memory;
};

static uint64_t *set_of(const struct tracer *tracer, uint64_t *sets, size_t which)
{
    return sets + which * tracer->words;
}

static size_t transfers_of(const struct schedule *schedule, uint32_t packet)
{
    size_t count = 0;
    for (size_t at = 0; at < schedule->transfer_count; at++)
        count += schedule->transfer[at].packet == packet;
    return count;
}

static bool tracer_new(struct tracer *tracer, uint32_t packet, struct err *err)
{
    const struct schedule *schedule = tracer->schedule;
    const size_t all = schedule->topology.all, count = transfers_of(schedule, packet);
    tracer->words = (schedule->nodes + (size_t)63) / 64;
    const struct arena_array arrays[] = {
        ARENA(tracer->holder, all), ARENA(tracer->all, all * tracer->words),
        ARENA(tracer->got, all * tracer->words), ARENA(tracer->flight, count + 1),
        ARENA(tracer->sent, (count + 1) * tracer->words)};
    tracer->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (tracer->memory == NULL)
        return err_no_memory(err, "the contributors of %zu partial results", all + count);
    for (size_t node = 0; node < all; node++)
        tracer->holder[node].index = NOT_DRAWN;
    for (uint32_t k = 0; k < schedule_starts(schedule, tracer->demand); k++) {
        const uint32_t node = schedule_start(tracer->demand, k);
        tracer->holder[node].has = true;
        set_of(tracer, tracer->all, node)[node / 64] |= UINT64_C(1) << node % 64;
    }
    return true;
}

/* -- Contributors as text ---------------------------------------------------------------------- */

static bool has_bit(const uint64_t set[], uint32_t node)
{
    return set[node / 64] >> node % 64 & 1;
}

/* Returns the contributors as "0,2,5-7", or, if that is long, as "9 nodes". Returns NULL if there
 * is no memory. */
static char *contributors_text(const struct tracer *tracer, const uint64_t set[])
{
    char text[CONTRIBUTORS_TEXT] = "", number[32];
    uint32_t count = 0, nodes = tracer->schedule->nodes;
    bool fits = true;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t last = node;
        if (!has_bit(set, node))
            continue;
        while (last + 1 < nodes && has_bit(set, last + 1))
            last++;
        count += last - node + 1;
        snprintf(number, sizeof number, last > node ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32,
                 text[0] != '\0' ? "," : "", node, last);
        fits = fits && strlen(text) + strlen(number) < 24;
        if (fits)
            text_append(text, sizeof text, "%s", number);
        node = last;
    }
    if (!fits)
        snprintf(text, sizeof text, "%" PRIu32 " nodes", count);
    return strdup(text);
}

/* -- Partial results --------------------------------------------------------------------------- */

/* Draws the partial result of a node from a time on. E104. */
static bool add_partial(struct tracer *tracer, uint32_t node, uint64_t time, struct err *err)
{
    struct drawing *drawing = tracer->drawing;
    const bool router = node >= tracer->schedule->nodes;
    struct drawing_node partial = {
        .parent = DRAWING_NO_PARENT,
        .number = node,
        .kind = router ? DRAWING_ROUTER : DRAWING_PLAIN,
        .time = time,
        .text = contributors_text(tracer, set_of(tracer, tracer->all, node))};
    if (partial.text == NULL)
        return err_no_memory(err, "the contributors of a partial result");
    if (!drawing_append(drawing, partial, err)) {
        free(partial.text);
        return false;
    }
    tracer->holder[node].index = (uint32_t)drawing->count - 1;
    return true;
}

static bool refuse_sender(const struct tracer *tracer, size_t k, size_t transfer, struct err *err)
{
    const struct schedule *schedule = tracer->schedule;
    const struct transfer *now = &schedule->transfer[transfer];
    char time[SCHEDULE_TIME_TEXT], sender[TOPOLOGY_NODE_TEXT];
    return err_set(err, ERR_NOT_HELD,
                   "%s:%" PRIu64 ": %s: node %s sends packet %" PRIu32
                   ", of which it has nothing; expected a contribution or a receipt before",
                   tracer->name, schedule_line(schedule, transfer),
                   schedule_time_text(schedule, schedule->step[k].time, time),
                   topology_node_text(&schedule->topology, now->source, sender), now->packet);
}

/* Sends what the source of a transfer has in step k. */
static bool depart(struct tracer *tracer, size_t k, size_t transfer, struct err *err)
{
    const struct transfer *now = &tracer->schedule->transfer[transfer];
    const uint64_t time = schedule_row(tracer->schedule, k);
    const bool received = schedule_combining(tracer->schedule, transfer) & COMBINING_RECEIVED;
    struct holder *holder = &tracer->holder[now->source];
    if (received ? !holder->received : !holder->has)
        return refuse_sender(tracer, k, transfer, err);
    if (holder->index == NOT_DRAWN && !add_partial(tracer, now->source, time, err))
        return false;
    tracer->flight[tracer->flights] =
        (struct flight){time + tracer->schedule->lambda.numerator, transfer, holder->index};
    memcpy(set_of(tracer, tracer->sent, tracer->flights++),
           set_of(tracer, received ? tracer->got : tracer->all, now->source),
           tracer->words * sizeof *tracer->sent);
    return true;
}

/* Adds the contributors of a transfer to those of its destination, or replaces them. */
static void combine(struct tracer *tracer, size_t which, bool replaces)
{
    const uint32_t node = tracer->schedule->transfer[tracer->flight[which].transfer].destination;
    const uint64_t *sent = set_of(tracer, tracer->sent, which);
    uint64_t *all = set_of(tracer, tracer->all, node), *got = set_of(tracer, tracer->got, node);
    for (size_t word = 0; word < tracer->words; word++) {
        all[word] = sent[word] | (replaces ? 0 : all[word]);
        got[word] = sent[word] | (replaces ? 0 : got[word]);
    }
    tracer->holder[node].has = tracer->holder[node].received = true;
}

/* Draws the receipt of a transfer: with other receipts of its node at this time, if there are
 * some. */
static bool arrive(struct tracer *tracer, size_t which, struct err *err)
{
    const struct flight flight = tracer->flight[which];
    const unsigned combining = schedule_combining(tracer->schedule, flight.transfer);
    const uint32_t node = tracer->schedule->transfer[flight.transfer].destination;
    struct drawing *drawing = tracer->drawing;
    const uint32_t before = tracer->holder[node].index;
    const bool replaces = combining & COMBINING_REPLACE;
    const bool again = before != NOT_DRAWN && drawing->node[before].time == flight.arrives;
    combine(tracer, which, replaces);
    if (again) {
        free(drawing->node[before].text);
        drawing->node[before].text = contributors_text(tracer, set_of(tracer, tracer->all, node));
        if (drawing->node[before].text == NULL)
            return err_no_memory(err, "the contributors of a partial result");
    } else if (!add_partial(tracer, node, flight.arrives, err)) {
        return false;
    }
    const uint32_t to = tracer->holder[node].index;
    if (!again && !replaces && before != NOT_DRAWN &&
        !drawing_add_arrow(drawing, (struct drawing_arrow){before, to, true, NULL}, err))
        return false;
    const char *text = combining & COMBINING_RECEIVED ? "received" : NULL;
    return drawing_add_arrow(drawing, (struct drawing_arrow){flight.from, to, false, text}, err);
}

/* Draws the receipts up to a time. */
static bool arrive_until(struct tracer *tracer, uint64_t time, struct err *err)
{
    for (; tracer->first < tracer->flights && tracer->flight[tracer->first].arrives <= time;
         tracer->first++)
        if (!arrive(tracer, tracer->first, err))
            return false;
    return true;
}

static bool trace(struct tracer *tracer, uint32_t packet, uint64_t last, struct err *err)
{
    const struct schedule *schedule = tracer->schedule;
    for (size_t k = 0; k < schedule->step_count; k++) {
        const uint64_t time = schedule_row(schedule, k);
        if (time + schedule->lambda.numerator > last)
            break;
        if (!arrive_until(tracer, time, err))
            return false;
        for (size_t at = schedule->step[k].first; at < schedule_step_end(schedule, k); at++)
            if (schedule->transfer[at].packet == packet && !depart(tracer, k, at, err))
                return false;
    }
    if (!arrive_until(tracer, UINT64_MAX, err))
        return false;
    return tracer->drawing->count > 0 ||
           drawing_packet_refuse(tracer->name, schedule, packet, last, err);
}

/* -- Results ----------------------------------------------------------------------------------- */

/* Returns whether a node has the result that it wants. */
static bool has_result(const struct tracer *tracer, uint32_t node)
{
    const struct reduction *reduction = tracer->demand->reduction;
    const uint64_t *set = set_of(tracer, reduction->exclusive ? tracer->got : tracer->all, node);
    bool right = tracer->holder[node].received || !reduction->exclusive, contributes = false;
    for (uint32_t k = 0; k < schedule_starts(tracer->schedule, tracer->demand); k++) {
        const uint32_t from = schedule_start(tracer->demand, k);
        const bool counts = !reduction->prefix || from < node + !reduction->exclusive;
        contributes = contributes || from == node;
        right = right && has_bit(set, from) == counts;
    }
    if (reduction->prefix)
        return right && contributes;
    for (uint32_t k = 0; right && k < tracer->demand->wanted_count; k++)
        if (tracer->demand->wanted[k] == node)
            return true;
    return right && tracer->demand->wanted_count == 0;
}

static void mark_results(struct tracer *tracer)
{
    for (uint32_t node = 0; node < tracer->schedule->nodes; node++)
        if (tracer->holder[node].index != NOT_DRAWN && has_result(tracer, node))
            tracer->drawing->node[tracer->holder[node].index].kind = DRAWING_RESULT;
}

bool drawing_reduction(const char *name, const struct schedule *schedule, uint32_t packet,
                       uint64_t last, struct drawing *drawing, struct err *err)
{
    if (schedule->topology.all > DRAWING_MOST_CONTRIBUTORS)
        return err_set(err, ERR_TOO_BIG,
                       "%s: %" PRIu32 " nodes and routers; expected at most %d, because each "
                       "partial result is drawn with its contributors",
                       name, schedule->topology.all, DRAWING_MOST_CONTRIBUTORS);
    struct tracer tracer = {.name = name,
                            .schedule = schedule,
                            .demand = schedule_demand_of(schedule, packet),
                            .drawing = drawing};
    if (!schedule_check_unshared(name, schedule, err) ||
        !drawing_packet_init(schedule, packet, "partial results, with contributors, over", drawing,
                             err))
        return false;
    drawing->shows_branches = false;
    bool traced = tracer_new(&tracer, packet, err) && trace(&tracer, packet, last, err);
    if (traced)
        mark_results(&tracer);
    else
        drawing_free(drawing);
    free(tracer.memory);
    return traced;
}
