/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/draw/drawing.h"

#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

#define NOT_DRAWN UINT32_MAX

struct tracer {
    const char *name;
    const struct schedule *schedule;
    struct drawing *drawing;
    uint32_t *index; /* [node or router]: index in the drawing, or NOT_DRAWN */
};

static bool refuse_sender(const struct tracer *tracer, size_t k, size_t transfer, struct err *err)
{
    const struct schedule *schedule = tracer->schedule;
    const struct transfer *now = &schedule->transfer[transfer];
    char time[SCHEDULE_TIME_TEXT], sender[TOPOLOGY_NODE_TEXT];
    return err_set(err, ERR_NOT_HELD,
                   "%s:%" PRIu64 ": %s: node %s sends packet %" PRIu32
                   ", which it does not hold; expected it to arrive before",
                   tracer->name, schedule_line(schedule, transfer),
                   schedule_time_text(schedule, schedule->step[k].time, time),
                   topology_node_text(&schedule->topology, now->source, sender), now->packet);
}

/* Adds a transfer of the packet in step k: its receiver becomes a child of its sender, unless it is
 * already drawn. */
static bool add_receipt(struct tracer *tracer, size_t k, size_t transfer, struct err *err)
{
    const struct transfer *now = &tracer->schedule->transfer[transfer];
    struct drawing *drawing = tracer->drawing;
    if (tracer->index[now->destination] != NOT_DRAWN)
        return true;
    uint32_t sender = tracer->index[now->source];
    uint64_t sent = schedule_row(tracer->schedule, k);
    if (sender != NOT_DRAWN && drawing->count == 1)
        drawing->node[sender].time = sent; /* the first send of the root */
    if (sender == NOT_DRAWN || drawing->node[sender].time > sent)
        return refuse_sender(tracer, k, transfer, err);
    bool router = now->destination >= tracer->schedule->nodes;
    tracer->index[now->destination] = (uint32_t)drawing->count;
    return drawing_append(drawing,
                          (struct drawing_node){.parent = sender,
                                                .number = now->destination,
                                                .kind = router ? DRAWING_ROUTER : DRAWING_PLAIN,
                                                .time = sent + tracer->schedule->lambda.numerator,
                                                .branch = sent},
                          err);
}

/* Reports also the time of the first receipt, if there is one. Returns false. */
bool drawing_packet_refuse(const char *name, const struct schedule *schedule, uint32_t packet,
                           uint64_t last, struct err *err)
{
    uint32_t tick = schedule->lambda.denominator;
    size_t at = 0;
    while (at < schedule->transfer_count && schedule->transfer[at].packet != packet)
        at++;
    if (at == schedule->transfer_count)
        return err_set(err, ERR_RANGE,
                       "%s: no node receives packet %" PRIu32 "; expected a packet that is sent",
                       name, packet);
    uint64_t first =
        schedule_row(schedule, schedule_step_of(schedule, at)) + schedule->lambda.numerator;
    char first_text[RATIONAL_TEXT], last_text[SCHEDULE_TIME_TEXT];
    return err_set(err, ERR_RANGE,
                   "%s: no node receives packet %" PRIu32 " up to %s; expected at least %s", name,
                   packet, schedule_time_text(schedule, last, last_text),
                   rational_text(first, tick, first_text));
}

static bool trace(struct tracer *tracer, uint32_t packet, uint64_t last, struct err *err)
{
    const struct schedule *schedule = tracer->schedule;
    uint32_t source = schedule_demand_of(schedule, packet)->source;
    for (uint32_t node = 0; node < schedule->topology.all; node++)
        tracer->index[node] = NOT_DRAWN;
    tracer->index[source] = 0;
    if (!drawing_append(tracer->drawing,
                        (struct drawing_node){.number = source, .kind = DRAWING_SOURCE}, err))
        return false;
    for (size_t k = 0; k < schedule->step_count; k++) {
        if (schedule_row(schedule, k) + schedule->lambda.numerator > last)
            break;
        for (size_t at = schedule->step[k].first; at < schedule_step_end(schedule, k); at++)
            if (schedule->transfer[at].packet == packet && !add_receipt(tracer, k, at, err))
                return false;
    }
    return tracer->drawing->count > 1 ||
           drawing_packet_refuse(tracer->name, schedule, packet, last, err);
}

bool drawing_packet_init(const struct schedule *schedule, uint32_t packet, const char *what,
                         struct drawing *drawing, struct err *err)
{
    bool timed = model_has_times(schedule->model);
    uint32_t tick = schedule->lambda.denominator;
    char end[RATIONAL_TEXT], lambda[RATIONAL_TEXT], title[640];
    rational_text(schedule->lambda.numerator, tick, lambda);
    snprintf(title, sizeof title,
             "%s\nn = %" PRIu32 ", m = %" PRIu32 ", %s%s%s, %s %s\npacket %" PRIu32
             ": %s the %s their receipts%s",
             schedule->algorithm, schedule->nodes, schedule->packets, model_name(schedule->model),
             timed ? " λ = " : "", timed ? lambda : "", timed ? "time" : "rounds",
             rational_text(schedule->end, tick, end), packet, what,
             timed ? "times of" : "rounds of", timed ? "; at the arrows, when it is sent" : "");
    if (!drawing_init(drawing, title, tick, err))
        return false;
    drawing->tree = schedule->topology;
    drawing->shows_numbers = true;
    drawing->shows_branches = timed;
    return true;
}

bool drawing_broadcast(const char *name, const struct schedule *schedule, uint32_t packet,
                       uint64_t last, struct drawing *drawing, struct err *err)
{
    if (!schedule_check_unshared(name, schedule, err) ||
        !drawing_packet_init(schedule, packet, "nodes over", drawing, err))
        return false;
    uint32_t *index = malloc(schedule->topology.all * sizeof *index);
    struct tracer tracer = {name, schedule, drawing, index};
    bool traced =
        index != NULL
            ? trace(&tracer, packet, last, err)
            : err_set(err, ERR_TOO_BIG, "%s: no memory to draw %" PRIu32 " node%s; expected fewer",
                      name, schedule->topology.all, text_s(schedule->topology.all));
    free(index);
    if (!traced)
        drawing_free(drawing);
    return traced;
}
