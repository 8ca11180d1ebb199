/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/verifier.h"

#include <inttypes.h>
#include <stdarg.h>

const struct demand *verifier_demand_of(struct verifier *v, uint32_t packet)
{
    if (packet < v->demand->first_packet || packet > v->demand->last_packet)
        v->demand = schedule_demand_of(v->schedule, packet);
    return v->demand;
}

bool verifier_has_partial(struct verifier *v, size_t index)
{
    const struct transfer *now = &v->schedule->transfer[index];
    const struct demand *demand = verifier_demand_of(v, now->packet);
    if (demand->reduction == NULL)
        return verifier_holds(v, now->source, now->packet);
    bool own = !(schedule_combining(v->schedule, index) & COMBINING_RECEIVED) &&
               verify_contributes(v->schedule, demand, now->source);
    return own || held_test(&v->held, now->source, now->packet);
}

static void report_breach(struct verifier *v, uint64_t line, enum err_code code, const char *format,
                          va_list arguments)
{
    struct err inner, breach = {0};
    err_vset(&inner, code, format, arguments);
    err_at(&breach, &inner, "%.150s:%" PRIu64, v->name, line);
    if (v->breaches == 0)
        err_copy(v->err, &breach);
    if (v->visit != NULL && !v->visit(v->with, &breach))
        v->visit = NULL;
    v->breaches++;
}

void verifier_breach(struct verifier *v, size_t index, enum err_code code, const char *format, ...)
{
    if (!verifier_reports(v)) {
        v->breaches++;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    report_breach(v, schedule_line(v->schedule, index), code, format, arguments);
    va_end(arguments);
}

void verifier_breach_demand(struct verifier *v, size_t which, enum err_code code,
                            const char *format, ...)
{
    if (!verifier_reports(v)) {
        v->breaches++;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    report_breach(v, schedule_demand_line(v->schedule, which), code, format, arguments);
    va_end(arguments);
}

/* Returns the last transfer before `index` that `node` sends or receives. Precondition: there is
 * one. */
static size_t earlier(const struct verifier *v, size_t index, uint32_t node, bool sends,
                      bool receives)
{
    const struct transfer *transfer = v->schedule->transfer;
    do
        index--;
    while (!(sends && transfer[index].source == node) &&
           !(receives && transfer[index].destination == node));
    return index;
}

/* Writes the time of a transfer: "round 3" or "time 5/2". */
const char *verifier_time_of(const struct verifier *v, size_t index, char text[SCHEDULE_TIME_TEXT])
{
    return schedule_time_text(v->schedule,
                              v->schedule->step[schedule_step_of(v->schedule, index)].time, text);
}

void verifier_breach_twice(struct verifier *v, size_t index, uint32_t node, bool sends)
{
    size_t before = earlier(v, index, node, sends, !sends);
    char now[SCHEDULE_TIME_TEXT], then[SCHEDULE_TIME_TEXT];
    uint32_t first = v->schedule->transfer[before].packet,
             second = v->schedule->transfer[index].packet;
    char name[TOPOLOGY_NODE_TEXT];
    topology_node_text(&v->schedule->topology, node, name);
    if (model_has_times(v->schedule->model))
        verifier_breach(v, index, ERR_ONE_PORT,
                        "%s: node %s %s packet %" PRIu32 " less than 1 after packet %" PRIu32
                        " of %s; at most 1 at a time",
                        verifier_time_of(v, index, now), name, sends ? "sends" : "receives", second,
                        first, verifier_time_of(v, before, then));
    else
        verifier_breach(v, index, ERR_ONE_PORT,
                        "%s: node %s %s packets %" PRIu32 " and %" PRIu32 "; at most 1 per round",
                        verifier_time_of(v, index, now), name, sends ? "sends" : "receives", first,
                        second);
}

void verifier_breach_both(struct verifier *v, size_t index, uint32_t sender, uint32_t receiver)
{
    char time[SCHEDULE_TIME_TEXT];
    verifier_breach(v, index, ERR_ONE_PORT,
                    "%s: node %" PRIu32 " sends packet %" PRIu32 " to several nodes, of which "
                    "node %" PRIu32 " receives it from several; expected packets that the network "
                    "copies or combines, not both",
                    verifier_time_of(v, index, time), sender, v->schedule->transfer[index].packet,
                    receiver);
}

void verifier_breach_pairing(struct verifier *v, size_t index, uint32_t node)
{
    const struct transfer *before = &v->schedule->transfer[earlier(v, index, node, true, true)];
    const struct transfer *now = &v->schedule->transfer[index];
    char time[SCHEDULE_TIME_TEXT];
    verifier_breach(v, index, ERR_PAIRING,
                    "%s: node %" PRIu32 " is paired with nodes %" PRIu32 " and %" PRIu32
                    "; at most 1 partner per round",
                    verifier_time_of(v, index, time), node,
                    before->source == node ? before->destination : before->source,
                    now->source == node ? now->destination : now->source);
}

void verifier_breach_half_duplex(struct verifier *v, size_t index, uint32_t node)
{
    const struct transfer *before = &v->schedule->transfer[earlier(v, index, node, true, true)];
    const struct transfer *now = &v->schedule->transfer[index];
    bool sends_now = now->source == node;
    char time[SCHEDULE_TIME_TEXT];
    verifier_breach(v, index, ERR_HALF_DUPLEX,
                    "%s: node %" PRIu32 " sends packet %" PRIu32 " and receives packet %" PRIu32
                    "; only one of both per round",
                    verifier_time_of(v, index, time), node,
                    sends_now ? now->packet : before->packet,
                    sends_now ? before->packet : now->packet);
}

void verifier_breach_not_held(struct verifier *v, size_t index)
{
    const struct transfer *now = &v->schedule->transfer[index];
    char time[SCHEDULE_TIME_TEXT], name[TOPOLOGY_NODE_TEXT];
    verifier_breach(v, index, ERR_NOT_HELD,
                    "%s: node %s sends packet %" PRIu32
                    ", which it does not hold; expected it to arrive %s",
                    verifier_time_of(v, index, time),
                    topology_node_text(&v->schedule->topology, now->source, name), now->packet,
                    model_has_times(v->schedule->model) ? "by then" : "in an earlier round");
}
