/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/rules.h"

#include "sched/base/text.h"
#include "sched/verify/verify.h"
#include "tests/support/judge_reduce.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TRANSFERS 4096
#define MOST_PAIRS (UINT64_C(1) << 20) /* nodes · packets */
#define MOST_COMBINING 128             /* maximum number of nodes if packets are combined */

struct rules {
    const struct schedule *schedule;
    uint64_t *time;    /* [transfers] */
    uint64_t *arrival; /* time from which on the node may forward the packet; RULES_NEVER: never */
    uint32_t *origin;  /* [packets + 1] */
    struct rules_verdict verdict;
};

/* Nodes of several ports, half-duplex links and trees given by their parents have second judges of
 * their own: test_verify_ports, test_placement, test_tree_any. */
bool rules_can_judge(const struct schedule *schedule)
{
    const struct topology *topology = &schedule->topology;
    bool few = !schedule->has_reductions || topology->all <= MOST_COMBINING;
    bool plain = schedule->ports <= 1 && !topology->half_duplex && !topology->any;
    return few && plain && schedule->transfer_count <= MOST_TRANSFERS &&
           (uint64_t)schedule->topology.all * (schedule->packets + 1) <= MOST_PAIRS;
}

static void break_rule(struct rules *rules, enum err_code code, uint64_t time)
{
    unsigned which = (unsigned)code - RULES_FIRST;
    rules->verdict.legal = false;
    rules->verdict.broken[which] = true;
    if (time < rules->verdict.first[which])
        rules->verdict.first[which] = time;
}

static const struct demand *demand_of(const struct schedule *schedule, uint32_t packet)
{
    for (size_t d = 0; d < schedule->demand_count; d++)
        if (packet >= schedule->demand[d].first_packet && packet <= schedule->demand[d].last_packet)
            return &schedule->demand[d];
    return NULL;
}

static uint64_t *arrival_of(const struct rules *rules, uint32_t packet, uint32_t node)
{
    return &rules->arrival[(size_t)packet * rules->schedule->topology.all + node];
}

/* -- Two transfers ----------------------------------------------------------------------------- */

/* Returns whether two transfers occupy a port at the same time. A round is an instant. In models
 * with times a sender is busy for a unit, b ticks, and a receiver for the last unit of λ, so two
 * transfers overlap at both if they are sent less than a unit apart. */
static bool overlap(const struct rules *rules, uint64_t earlier, uint64_t later)
{
    uint64_t busy =
        model_has_times(rules->schedule->model) ? rules->schedule->lambda.denominator : 1;
    return later - earlier < busy;
}

/* Returns whether the network can combine a transfer with others: the packet is combined, and the
 * receiver combines it with its own partial result. */
static bool combinable(const struct schedule *schedule, size_t i)
{
    const uint32_t packet = schedule->transfer[i].packet;
    return schedule_combining(schedule, i) == 0 && demand_of(schedule, packet)->reduction != NULL;
}

/* Checks that each node sends and receives on one port. Copies of one packet, sent at the same
 * time, count as one if the network makes copies; so do arrivals of one packet in a round if the
 * network combines them. */
static bool break_ports(const struct rules *rules, size_t i, size_t j)
{
    const struct schedule *schedule = rules->schedule;
    const struct transfer *a = &schedule->transfer[i], *b = &schedule->transfer[j];
    bool one = a->packet == b->packet && rules->time[i] == rules->time[j];
    bool copies = one && model_copies(schedule->model);
    bool combined = one && model_combines(schedule->model) && combinable(schedule, i) &&
                    combinable(schedule, j);
    return (a->source == b->source && !copies) || (a->destination == b->destination && !combined);
}

/* Checks that each node of a pair has the other node as its only partner. */
static bool break_pairing(const struct transfer *a, const struct transfer *b)
{
    bool share = a->source == b->source || a->source == b->destination ||
                 a->destination == b->source || a->destination == b->destination;
    bool same = (a->source == b->source && a->destination == b->destination) ||
                (a->source == b->destination && a->destination == b->source);
    return share && !same;
}

static bool same_link(const struct rules *rules, size_t i, size_t j)
{
    const struct transfer *a = &rules->schedule->transfer[i], *b = &rules->schedule->transfer[j];
    return a->source == b->source && a->destination == b->destination &&
           schedule_lane(rules->schedule, i) == schedule_lane(rules->schedule, j);
}

/* Returns whether a transfer is one of several from its sender, or to its receiver, at its time. */
static bool is_one_of(const struct rules *rules, size_t i, bool from)
{
    const struct transfer *transfer = rules->schedule->transfer;
    bool found = false;
    for (size_t j = 0; j < rules->schedule->transfer_count; j++)
        found = found || (i != j && rules->time[i] == rules->time[j] &&
                          (from ? transfer[i].source == transfer[j].source
                                : transfer[i].destination == transfer[j].destination));
    return found;
}

/* A network that copies and combines does not copy what it combines. */
static void judge_copies_of_combined(struct rules *rules)
{
    const enum model model = rules->schedule->model;
    if (!model_copies(model) || !model_combines(model))
        return;
    for (size_t i = 0; i < rules->schedule->transfer_count; i++)
        if (is_one_of(rules, i, true) && is_one_of(rules, i, false))
            break_rule(rules, ERR_ONE_PORT, rules->time[i]);
}

/* Judges transfers i and j; j is not earlier than i. */
static void judge_pair(struct rules *rules, size_t i, size_t j)
{
    const struct transfer *a = &rules->schedule->transfer[i], *b = &rules->schedule->transfer[j];
    const uint64_t when = rules->time[j];
    const enum model model = rules->schedule->model;
    const bool linked = !topology_joins_all(&rules->schedule->topology);
    if (linked && model_row(model)->one_link) {
        if (a->source == b->source)
            break_rule(rules, ERR_ONE_PORT, when);
        return;
    }
    if (linked) {
        if (same_link(rules, i, j))
            break_rule(rules, ERR_LANE, when);
        return;
    }
    if (break_ports(rules, i, j))
        break_rule(rules, ERR_ONE_PORT, when);
    if (model == MODEL_TELEPHONE && break_pairing(a, b))
        break_rule(rules, ERR_PAIRING, when);
    if (model == MODEL_TELEGRAPH && (a->source == b->destination || a->destination == b->source))
        break_rule(rules, ERR_HALF_DUPLEX, when);
}

static void judge_pairs(struct rules *rules)
{
    size_t count = rules->schedule->transfer_count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && overlap(rules, rules->time[i], rules->time[j]); j++)
            judge_pair(rules, i, j);
}

/* -- Packets ----------------------------------------------------------------------------------- */

/* Computes the first time at which each node that receives a packet may forward it. */
static void fill_arrivals(struct rules *rules)
{
    const struct schedule *schedule = rules->schedule;
    size_t cells = (size_t)schedule->topology.all * (schedule->packets + 1);
    memset(rules->arrival, 0xff, cells * sizeof *rules->arrival);
    for (size_t d = 0; d < schedule->demand_count; d++)
        for (uint32_t p = schedule->demand[d].first_packet; p <= schedule->demand[d].last_packet;
             p++)
            *arrival_of(rules, p, rules->origin[p] = schedule->demand[d].source) = 0;
    uint64_t takes = model_has_times(schedule->model) ? schedule->lambda.numerator : 1;
    for (size_t i = 0; i < schedule->transfer_count; i++) {
        const struct transfer *t = &schedule->transfer[i];
        uint64_t *arrival = arrival_of(rules, t->packet, t->destination);
        if (demand_of(schedule, t->packet)->reduction != NULL) {
            rules->verdict.arrivals++;
            continue;
        }
        rules->verdict.arrivals += *arrival == RULES_NEVER;
        if (rules->time[i] + takes < *arrival)
            *arrival = rules->time[i] + takes;
    }
}

static void judge_held(struct rules *rules)
{
    for (size_t i = 0; i < rules->schedule->transfer_count; i++) {
        const struct transfer *t = &rules->schedule->transfer[i];
        if (demand_of(rules->schedule, t->packet)->reduction == NULL &&
            *arrival_of(rules, t->packet, t->source) > rules->time[i])
            break_rule(rules, ERR_NOT_HELD, rules->time[i]);
    }
}

static void judge_demands(struct rules *rules)
{
    const struct schedule *schedule = rules->schedule;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        uint32_t nodes = demand->wanted_count ? demand->wanted_count : schedule->nodes;
        if (demand->reduction != NULL)
            continue;
        for (uint32_t p = demand->first_packet; p <= demand->last_packet; p++)
            for (uint32_t k = 0; k < nodes; k++)
                rules->verdict.unmet +=
                    *arrival_of(rules, p, demand->wanted_count ? demand->wanted[k] : k) ==
                    RULES_NEVER;
    }
    if (rules->verdict.unmet > 0)
        break_rule(rules, ERR_UNMET, RULES_NEVER);
}

/* -- Values ------------------------------------------------------------------------------------ */

static uint32_t packets_of_nodes(const struct schedule *schedule, uint32_t first, uint32_t count)
{
    uint32_t packets = 0;
    for (size_t d = 0; d < schedule->demand_count; d++)
        if (schedule->demand[d].control == NULL && schedule->demand[d].source >= first &&
            schedule->demand[d].source < first + count)
            packets += schedule->demand[d].last_packet - schedule->demand[d].first_packet + 1;
    return packets;
}

/* Checks that the counted nodes are those of the parts, in order, and the source, if it is one of
 * them. */
static bool made_up(const struct schedule *schedule, const struct demand *demand)
{
    const struct control *control = demand->control;
    uint32_t next = control->first_node, end = next + control->node_count;
    for (uint32_t k = 0; k < control->part_count; k++) {
        const struct control *part = demand_of(schedule, control->part[k])->control;
        if (part == NULL || part->node_count == 0)
            return false;
        /* the source itself is in no part, or in the part of more nodes */
        next += part->first_node == next + 1 && next == demand->source;
        if (part->first_node != next ||
            (part->node_count == 1 && part->first_node == demand->source))
            return false;
        next += part->node_count;
    }
    return next + (next == demand->source) == end || next == end;
}

static void judge_values(struct rules *rules)
{
    const struct schedule *schedule = rules->schedule;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *demand = &schedule->demand[d];
        const struct control *control = demand->control;
        if (control == NULL)
            continue;
        uint32_t counted = control->node_count > 0 ? packets_of_nodes(schedule, control->first_node,
                                                                      control->node_count)
                                                   : control->part_count;
        if (control->value != counted)
            break_rule(rules, ERR_VALUE, RULES_NEVER);
        if (control->node_count > 0 && !made_up(schedule, demand))
            break_rule(rules, ERR_PARTS, RULES_NEVER);
    }
}

/* Returns whether a node knew a part before a time. Its own data packets are known from the
 * beginning, its own control packets once they have been sent. */
static bool was_known(const struct rules *rules, uint32_t part, uint32_t node, uint64_t time)
{
    const struct schedule *schedule = rules->schedule;
    if (rules->origin[part] != node || demand_of(schedule, part)->control == NULL)
        return *arrival_of(rules, part, node) <= time;
    for (size_t i = 0; i < schedule->transfer_count && rules->time[i] < time; i++)
        if (schedule->transfer[i].packet == part && schedule->transfer[i].source == node)
            return true;
    return false;
}

static void judge_early(struct rules *rules)
{
    const struct schedule *schedule = rules->schedule;
    for (size_t i = 0; i < schedule->transfer_count; i++) {
        const struct transfer *t = &schedule->transfer[i];
        const struct control *control = demand_of(schedule, t->packet)->control;
        if (control == NULL || t->source != rules->origin[t->packet])
            continue;
        for (uint32_t k = 0; k < control->part_count; k++)
            if (!was_known(rules, control->part[k], t->source, rules->time[i]))
                break_rule(rules, ERR_EARLY, rules->time[i]);
    }
}

static void judge_reductions(struct rules *rules)
{
    const struct judge_reduce verdict = judge_reduce(rules->schedule, false);
    if (verdict.not_held > 0)
        break_rule(rules, ERR_NOT_HELD, verdict.first_not_held);
    if (verdict.uncounted > 0)
        break_rule(rules, ERR_UNCOUNTED, RULES_NEVER);
    if (verdict.twice > 0)
        break_rule(rules, ERR_TWICE, RULES_NEVER);
    if (verdict.unordered)
        break_rule(rules, ERR_UNORDERED, RULES_NEVER);
}

/* -- All --------------------------------------------------------------------------------------- */

struct rules_verdict rules_judge(const struct schedule *schedule)
{
    size_t cells = (size_t)schedule->topology.all * (schedule->packets + 1);
    struct rules rules = {.schedule = schedule,
                          .time = malloc((schedule->transfer_count + 1) * sizeof *rules.time),
                          .arrival = malloc(cells * sizeof *rules.arrival),
                          .origin = calloc(schedule->packets + 1, sizeof *rules.origin),
                          .verdict = {.legal = true}};
    if (rules.time == NULL || rules.arrival == NULL || rules.origin == NULL)
        abort();
    memset(rules.verdict.first, 0xff, sizeof rules.verdict.first);
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t i = schedule->step[k].first; i < schedule_step_end(schedule, k); i++)
            rules.time[i] = schedule->step[k].time;
    fill_arrivals(&rules);
    judge_pairs(&rules);
    judge_copies_of_combined(&rules);
    judge_held(&rules);
    judge_demands(&rules);
    judge_values(&rules);
    judge_early(&rules);
    if (schedule->has_reductions)
        judge_reductions(&rules);
    free(rules.time);
    free(rules.arrival);
    free(rules.origin);
    return rules.verdict;
}

/* Returns whether the first breach that verify reported is one of the earliest. Breaches of demands
 * and values have no time. */
static bool reported_rightly(const struct schedule *schedule, const struct rules_verdict *verdict,
                             const struct err *err)
{
    unsigned which = (unsigned)err->code - RULES_FIRST;
    if (err->code < ERR_ONE_PORT || err->code > ERR_UNORDERED || !verdict->broken[which])
        return false;
    uint64_t least = RULES_NEVER;
    for (unsigned rule = 0; rule < RULES_COUNT; rule++)
        least = verdict->first[rule] < least ? verdict->first[rule] : least;
    if (err->code == ERR_UNMET || err->code >= ERR_UNCOUNTED)
        return least == RULES_NEVER;
    if (err->code == ERR_VALUE || err->code == ERR_PARTS)
        return true;
    char when[SCHEDULE_TIME_TEXT], part[SCHEDULE_TIME_TEXT + 8];
    snprintf(part, sizeof part, ": %s: ", schedule_time_text(schedule, least, when));
    return verdict->first[which] == least && strstr(err->text, part) != NULL;
}

const char *rules_disagree(const struct schedule *schedule)
{
    static char text[800];
    struct err err = {0};
    struct verify_report report;
    bool legal = verify_schedule("input", schedule, &report, &err);
    const struct rules_verdict verdict = rules_judge(schedule);
    if (!legal && err.code == ERR_TOO_BIG)
        return NULL;
    if (legal == verdict.legal && (legal || reported_rightly(schedule, &verdict, &err)) &&
        (!legal || report.arrivals == verdict.arrivals))
        return NULL;
    snprintf(text, sizeof text, "verify: %s [E%d]; the second judge:", legal ? "legal" : err.text,
             (int)err.code);
    for (unsigned rule = 0; rule < RULES_COUNT; rule++)
        if (verdict.broken[rule])
            text_append(text, sizeof text, " E%u at %lld", rule + RULES_FIRST,
                        (long long)verdict.first[rule]);
    text_append(text, sizeof text, "%s; arrivals %llu and %llu", verdict.legal ? " legal" : "",
                (unsigned long long)report.arrivals, (unsigned long long)verdict.arrivals);
    return text;
}
