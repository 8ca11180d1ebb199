/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/verify.h"

#include "sched/base/memory.h"
#include "sched/base/plural.h"
#include "sched/verify/verifier.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#define AHEAD 32 /* transfers: how early to fetch what one asks for */

const struct demand *verifier_demand_of(struct verifier *v, uint32_t packet)
{
    if (packet < v->demand->first_packet || packet > v->demand->last_packet)
        v->demand = schedule_demand_of(v->schedule, packet);
    return v->demand;
}

static bool is_wanted(const struct demand *demand, uint32_t node)
{
    if (demand->wanted_count == 0)
        return true;
    uint32_t low = 0, high = demand->wanted_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (demand->wanted[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return demand->wanted[low] == node;
}

static void tell(struct verifier *v, uint64_t line, enum err_code code, const char *format,
                 va_list arguments)
{
    char text[300];
    plural_format(text, sizeof text, format, arguments);
    err_set(v->err, code, "%.150s:%" PRIu64 ": %s", v->name, line, text);
}

void verifier_breach(struct verifier *v, size_t index, enum err_code code, const char *format, ...)
{
    if (v->breaches++ > 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    tell(v, schedule_line(v->schedule, index), code, format, arguments);
    va_end(arguments);
}

void verifier_breach_demand(struct verifier *v, size_t which, enum err_code code,
                            const char *format, ...)
{
    if (v->breaches++ > 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    tell(v, schedule_demand_line(v->schedule, which), code, format, arguments);
    va_end(arguments);
}

/* The last transfer before `index` that `node` sends or receives. Precondition: there is one. */
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

/* "round 3" or "time 5/2": when a transfer is sent. */
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

static void breach_pairing(struct verifier *v, size_t index, uint32_t node)
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

static void breach_half_duplex(struct verifier *v, size_t index, uint32_t node)
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

/* Note what the node meets; false if it has met something else in this round. */
static inline bool meet(struct verifier *v, uint32_t stamp, uint32_t node, uint32_t with)
{
    struct meeting *meeting = &v->meeting[node];
    if (meeting->stamp == stamp && meeting->with != with)
        return false;
    *meeting = (struct meeting){stamp, with};
    return true;
}

/* Is it a packet that its sender has begun to send just now, to another node? */
static inline bool is_copy(const struct verifier *v, const struct transfer *now, uint32_t stamp)
{
    const struct meeting *meeting = &v->meeting[now->source];
    return meeting->stamp == stamp && meeting->with == now->packet;
}

/* Does the sender of a transfer send something else at that time? */
static inline __attribute__((always_inline)) bool
sends_twice(struct verifier *v, const struct transfer *now, uint32_t stamp, enum model model)
{
    if (model == MODEL_FABRIC_MULTICAST)
        return !meet(v, stamp, now->source, now->packet);
    return v->port[now->source].sent >= v->since &&
           !(model == MODEL_FABRIC_POSTAL && is_copy(v, now, stamp));
}

/* The rules of a step for one transfer; the first one that it breaks counts. Receipts are as far
 * apart as their sends, so the latter tell. `model` is a constant where this is inlined. */
static inline __attribute__((always_inline)) void check(struct verifier *v, size_t index,
                                                        uint32_t stamp, enum model model)
{
    struct transfer now = v->schedule->transfer[index];
    struct port *source = &v->port[now.source], *destination = &v->port[now.destination];
    if (!verifier_holds(v, now.source, now.packet))
        verifier_breach_not_held(v, index);
    else if (verifier_is_early(v, index, stamp))
        verify_control_breach(v, index, stamp);
    else if (model == MODEL_TELEPHONE && !meet(v, stamp, now.source, now.destination))
        breach_pairing(v, index, now.source);
    else if (model == MODEL_TELEPHONE && !meet(v, stamp, now.destination, now.source))
        breach_pairing(v, index, now.destination);
    else if (model == MODEL_TELEGRAPH && source->received == stamp)
        breach_half_duplex(v, index, now.source);
    else if (model == MODEL_TELEGRAPH && destination->sent == stamp)
        breach_half_duplex(v, index, now.destination);
    else if (sends_twice(v, &now, stamp, model))
        verifier_breach_twice(v, index, now.source, true);
    else if (destination->received >= v->since)
        verifier_breach_twice(v, index, now.destination, false);
    source->sent = stamp;
    destination->received = stamp;
    if (model == MODEL_FABRIC_POSTAL)
        v->meeting[now.source] = (struct meeting){stamp, now.packet};
}

/* Nodes lie all over memory: fetch what checking a transfer will ask for. */
static inline void fetch(const struct verifier *v, size_t index)
{
    if (index >= v->schedule->transfer_count)
        return;
    struct transfer next = v->schedule->transfer[index];
    __builtin_prefetch(&v->port[next.source], 1);
    __builtin_prefetch(&v->port[next.destination], 1);
    held_fetch(&v->held, next.source, next.packet);
}

static inline __attribute__((always_inline)) void check_all(struct verifier *v, size_t k,
                                                            enum model model)
{
    size_t end = schedule_step_end(v->schedule, k);
    for (size_t index = v->schedule->step[k].first; index < end; index++) {
        if (model == MODEL_POSTAL || model == MODEL_FABRIC_POSTAL) /* in rounds they are at hand */
            fetch(v, index + AHEAD);
        check(v, index, (uint32_t)k + 1, model);
    }
}

static void check_step(struct verifier *v, size_t k)
{
    switch (v->schedule->model) {
    case MODEL_TELEPHONE:
        check_all(v, k, MODEL_TELEPHONE);
        break;
    case MODEL_TELEGRAPH:
        check_all(v, k, MODEL_TELEGRAPH);
        break;
    case MODEL_POSTAL:
        check_all(v, k, MODEL_POSTAL);
        break;
    case MODEL_FABRIC_POSTAL:
        check_all(v, k, MODEL_FABRIC_POSTAL);
        break;
    case MODEL_FABRIC_MULTICAST:
        check_all(v, k, MODEL_FABRIC_MULTICAST);
        break;
    case MODEL_SINGLE_PORT:
    case MODEL_MULTIPORT:
        verify_tree_step(v, k);
        break;
    case MODEL_ALL_PORT:
        verify_cube_step(v, k);
        break;
    case MODEL_SEND_RECEIVE:
    case MODEL_COUNT:
        if (v->uses != NULL)
            verify_ports_step(v, k);
        else
            check_all(v, k, MODEL_SEND_RECEIVE);
        break;
    }
}

/* Does a transfer bring its packet where it is wanted? */
static bool is_at_home(struct verifier *v, struct home home, struct transfer now)
{
    if (home.wanted == VERIFIER_SOME)
        return is_wanted(verifier_demand_of(v, now.packet), now.destination);
    return home.wanted == VERIFIER_ALL || home.wanted == now.destination;
}

/* What a step brings is held when it has arrived. A transfer that broke a rule delivers all the
 * same: each wrong line counts once, and not again in all that follows from it. */
static void deliver_step(struct verifier *v, size_t k)
{
    const struct transfer *transfer = v->schedule->transfer;
    size_t end = schedule_step_end(v->schedule, k), all = v->schedule->transfer_count;
    for (size_t index = v->schedule->step[k].first; index < end; index++) {
        if (index + AHEAD < all)
            held_fetch(&v->held, transfer[index + AHEAD].destination,
                       transfer[index + AHEAD].packet);
        struct transfer now = transfer[index];
        struct home home = verifier_home_of(v, now.packet);
        if (now.destination != home.source && held_add(&v->held, now.destination, now.packet)) {
            v->report->arrivals++;
            v->met += now.destination < v->schedule->nodes && is_at_home(v, home, now);
        } else {
            v->report->redundant++;
        }
    }
}

/* How many pairs (node, packet) a demand asks for that are not there from the start. */
static uint64_t demanded(const struct schedule *schedule, const struct demand *demand)
{
    uint64_t packets = (uint64_t)demand->last_packet - demand->first_packet + 1;
    uint64_t nodes = demand->wanted_count == 0 ? schedule->nodes : demand->wanted_count;
    return packets * (nodes - is_wanted(demand, demand->source));
}

/* Tell the first unmet pair of a demand, by packet and node. Passes over what is met only, so over
 * no more than the transfers. */
static bool tell_unmet(struct verifier *v, const struct demand *demand)
{
    const struct schedule *schedule = v->schedule;
    uint32_t nodes = demand->wanted_count == 0 ? schedule->nodes : demand->wanted_count;
    for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
        for (uint32_t which = 0; which < nodes; which++) {
            uint32_t node = demand->wanted_count == 0 ? which : demand->wanted[which];
            if (verifier_holds(v, node, packet))
                continue;
            char end[SCHEDULE_TIME_TEXT];
            verifier_breach(v, schedule->transfer_count, ERR_UNMET,
                            "after %s: node %" PRIu32 " has not received packet %" PRIu32
                            "; the demand wants it there",
                            schedule_time_text(schedule, schedule->end, end), node, packet);
            return true;
        }
    }
    return false;
}

static void check_demands(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    uint64_t wanted = 0;
    for (size_t which = 0; which < schedule->demand_count; which++)
        wanted += demanded(schedule, &schedule->demand[which]);
    if (wanted == v->met)
        return;
    for (size_t which = 0; which < schedule->demand_count; which++)
        if (tell_unmet(v, &schedule->demand[which]))
            break;
    v->breaches += wanted - v->met - 1;
}

/* Note the homes of no more packets than there are transfers: others hardly move, however many a
 * demand claims. */
static bool note_homes(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    v->homes = schedule->transfer_count < schedule->packets ? (uint32_t)schedule->transfer_count
                                                            : schedule->packets;
    v->home = malloc(v->homes * sizeof *v->home + 1);
    if (v->home == NULL)
        return err_no_memory(v->err, "the sources of %" PRIu32 " packets", v->homes);
    for (size_t which = 0; which < schedule->demand_count; which++) {
        const struct demand *demand = &schedule->demand[which];
        const struct home home = verifier_home(demand);
        for (uint32_t packet = demand->first_packet;
             packet <= demand->last_packet && packet <= v->homes; packet++)
            v->home[packet - 1] = home;
    }
    return true;
}

static bool allocate(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    if (schedule->step_count >= UINT32_MAX)
        return err_set(v->err, ERR_TOO_BIG, "%s: %zu rounds; expected fewer than %" PRIu32, v->name,
                       schedule->step_count, UINT32_MAX);
    uint32_t all = schedule->topology.all;
    v->port = calloc(all, sizeof *v->port);
    bool meets = schedule->model == MODEL_TELEPHONE || model_copies(schedule->model);
    if (meets)
        v->meeting = calloc(all, sizeof *v->meeting);
    if (v->port == NULL || (meets && v->meeting == NULL) || !verify_ports_allocate(v) ||
        !verify_tree_allocate(v) || !verify_cube_allocate(v) || !verify_control_allocate(v))
        return err_set(v->err, ERR_TOO_BIG, "%s: no memory to check %" PRIu32 " nodes", v->name,
                       schedule->nodes);
    if (schedule->transfer_count >= all) /* else most of it may stay untouched */
        memory_large_pages(v->port, all * sizeof *v->port);
    return note_homes(v) &&
           held_init(&v->held, all, schedule->packets, schedule->transfer_count, v->err);
}

/* Check all steps in order, each with what has arrived by then: λ after its own step, which in a
 * round model is the next one. */
static void check_steps(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    size_t delivered = 0;
    for (size_t k = 0; k < schedule->step_count; k++) {
        while (delivered < k && schedule->step[delivered].time + schedule->lambda.numerator <=
                                    schedule->step[k].time)
            deliver_step(v, delivered++);
        while (schedule->step[v->since - 1].time + schedule->lambda.denominator <=
               schedule->step[k].time)
            v->since++;
        check_step(v, k);
    }
    while (delivered < schedule->step_count)
        deliver_step(v, delivered++);
}

bool verify_schedule(const char *name, const struct schedule *schedule,
                     struct verify_report *report, struct err *err)
{
    *report = (struct verify_report){.end = schedule->end, .transfers = schedule->transfer_count};
    struct verifier v = {.name = name,
                         .schedule = schedule,
                         .report = report,
                         .err = err,
                         .since = 1,
                         .demand = schedule->demand};
    bool held = allocate(&v) && verify_control_values(&v);
    if (held) {
        check_steps(&v);
        check_demands(&v);
        held = v.breaches == 0;
        if (!held && err != NULL)
            err->further = v.breaches - 1;
    }
    free(v.port);
    free(v.meeting);
    free(v.home);
    free(v.uses);
    free(v.lane);
    free(v.arc);
    free(v.left);
    held_free(&v.held);
    return held;
}
