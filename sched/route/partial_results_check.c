/* SPDX-License-Identifier: Apache-2.0 */
/* partial_results_check: which reductions endpoints, leaves and node memories can execute. */
#include "sched/base/compare.h"
#include "sched/route/partial_results.h"

#include <inttypes.h>
#include <stdlib.h>

/* -- What an endpoint can execute -------------------------------------------------------------- */

/* Returns whether a demand is that of an exclusive scan. */
static bool has_exclusive(const struct schedule *schedule)
{
    for (size_t d = 0; d < schedule->demand_count; d++)
        if (schedule->demand[d].reduction != NULL && schedule->demand[d].reduction->exclusive)
            return true;
    return false;
}

/* Returns the first transfer that leaves out its sender's contribution; the number of transfers if
 * none does. */
static size_t first_without_own(const struct schedule *schedule)
{
    for (size_t t = 0; t < schedule->combining_count; t++)
        if (schedule->combining[t] & COMBINING_RECEIVED)
            return t;
    return schedule->transfer_count;
}

bool partial_results_two(const struct schedule *schedule)
{
    return has_exclusive(schedule) || first_without_own(schedule) < schedule->transfer_count;
}

#define EXPECTED_ONE                                                                     \
    "expected one partial result of a packet at each node, because only endpoints of a " \
    "multistage network keep two"

bool partial_results_check_kept(const char *name, const struct schedule *schedule,
                                const struct machine *machine, struct err *err)
{
    char time[SCHEDULE_TIME_TEXT];
    if (machine->keeps_own)
        return true;
    if (has_exclusive(schedule))
        return err_set(err, ERR_UNSUPPORTED,
                       "%.150s: the result of an exclusive scan is what a node has received "
                       "without its own contribution; " EXPECTED_ONE ", as in a scan",
                       name);
    const size_t t = first_without_own(schedule);
    if (t == schedule->transfer_count)
        return true;
    const struct transfer *transfer = &schedule->transfer[t];
    const uint64_t begin = schedule->step[schedule_step_of(schedule, t)].time;
    return err_set(err, ERR_UNSUPPORTED,
                   "%.150s: %s: node %" PRIu32 " sends what it received of packet %" PRIu32
                   " without its own contribution; " EXPECTED_ONE,
                   name, schedule_time_text(schedule, begin, time), transfer->source,
                   transfer->packet);
}

/* A transfer of a packet from or to a node, which begins at a time. */
struct event {
    size_t pair;
    uint64_t time;
    bool sends;
};

static int compare_events(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    return compare_then(COMPARE(a->pair, b->pair), COMPARE(a->time, b->time));
}

/* Returns whether flits of a packet that a node sends from one time on would follow a receipt that
 * began `ticks` before, less than λ, and is not complete. With λ = p/q, flit f of a packet is read
 * in the first of q ticks in which f is due, and stored p - q ticks after the first tick in which
 * it was due for the sender of the receipt: whole units of q ticks lie between both. */
static bool mixes(const struct schedule *schedule, uint64_t ticks)
{
    const uint64_t sending = schedule->lambda.denominator, arriving = schedule->lambda.numerator;
    return (ticks + sending - 1) / sending * sending > arriving - sending;
}

/* Checks the events of all packets at nodes, by pair and time. */
static bool check_events(const char *name, const struct schedule *schedule,
                         const struct event event[], size_t count, struct err *err)
{
    char time[SCHEDULE_TIME_TEXT];
    for (size_t k = 0; k < count; k++) {
        bool mixed = false;
        for (size_t before = k; event[k].sends && before-- > 0 && !mixed;) {
            if (event[before].pair != event[k].pair ||
                event[k].time - event[before].time >= schedule->lambda.numerator)
                break;
            mixed = !event[before].sends && mixes(schedule, event[k].time - event[before].time);
        }
        if (mixed)
            return err_set(err, ERR_UNSUPPORTED,
                           "%.150s: %s: node %zu sends packet %zu while it stores a receipt of it; "
                           "expected a model of rounds, because the flits would be of two partial "
                           "results",
                           name, schedule_time_text(schedule, event[k].time, time),
                           event[k].pair % schedule->nodes, event[k].pair / schedule->nodes + 1);
    }
    return true;
}

static bool check_mixed(const char *name, const struct schedule *schedule, struct err *err)
{
    const size_t count = 2 * schedule->transfer_count;
    struct event *event = calloc(count + 1, sizeof *event);
    if (event == NULL)
        return err_no_memory(err, "%zu transfers", schedule->transfer_count);
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            const uint64_t time = schedule->step[k].time;
            event[2 * t] = (struct event){
                partial_results_pair(schedule, transfer->source, transfer->packet), time, true};
            event[2 * t + 1] = (struct event){
                partial_results_pair(schedule, transfer->destination, transfer->packet), time,
                false};
        }
    qsort(event, count, sizeof *event, compare_events);
    bool right = check_events(name, schedule, event, count, err);
    free(event);
    return right;
}

bool partial_results_check(const char *name, const struct schedule *schedule, struct err *err)
{
    return !schedule->has_reductions || !model_has_times(schedule->model) ||
           check_mixed(name, schedule, err);
}

/* Allocates a zeroed entry for each packet at each node. NULL with E104, which calls the nodes
 * `places`. */
static void *new_entries(const struct schedule *schedule, size_t size, const char *places,
                         struct err *err)
{
    void *entries = calloc((size_t)schedule->packets * schedule->nodes, size);
    if (entries == NULL)
        err_no_memory(err, "%" PRIu32 " packets at %" PRIu32 " %s", schedule->packets,
                      schedule->nodes, places);
    return entries;
}

/* -- What a leaf of several links can execute -------------------------------------------------- */

/* Checks that a leaf uses a packet on the link whose endpoint has its value, and records where a
 * receipt leaves it. *link is 1 + that link; 0: all endpoints of the leaf have its contribution. */
static bool use_link(const char *name, const struct schedule *schedule, size_t index, uint32_t leaf,
                     uint32_t *link, struct err *err)
{
    const uint32_t now = schedule_lane(schedule, index) + 1;
    const bool receives = schedule->transfer[index].destination == leaf;
    char time[SCHEDULE_TIME_TEXT];
    if (*link != 0 && *link != now && !(receives && !partial_results_joins(schedule, index)))
        return err_set(err, ERR_UNSUPPORTED,
                       "%.150s: %s: leaf %" PRIu32 " %s packet %" PRIu32 " on link %" PRIu32
                       ", whose partial result is on link %" PRIu32
                       "; expected one link for all of it, because a leaf has an endpoint on each",
                       name,
                       schedule_time_text(
                           schedule, schedule->step[schedule_step_of(schedule, index)].time, time),
                       leaf, receives ? "receives" : "sends", schedule->transfer[index].packet,
                       now - 1, *link - 1);
    if (receives)
        *link = now;
    return true;
}

bool partial_results_check_links(const char *name, const struct schedule *schedule, struct err *err)
{
    if (!schedule->has_reductions)
        return true;
    uint32_t *link = new_entries(schedule, sizeof *link, "leaves", err);
    if (link == NULL)
        return false;
    bool right = true;
    for (size_t t = 0; right && t < schedule->transfer_count; t++) {
        const struct transfer *transfer = &schedule->transfer[t];
        const uint32_t leaf = MIN(transfer->source, transfer->destination);
        if (leaf < schedule->nodes &&
            schedule_demand_of(schedule, transfer->packet)->reduction != NULL)
            right = use_link(name, schedule, t, leaf,
                             &link[partial_results_pair(schedule, leaf, transfer->packet)], err);
    }
    free(link);
    return right;
}

/* -- What a node memory can execute ------------------------------------------------------------ */

/* What a node memory keeps of a packet that is combined, besides the node's own. */
struct kept {
    uint32_t joined; /* a bit per dimension, from 0: its packet is combined */
    unsigned result; /* dimension of the packet that replaced the others; 0: none did */
};

/* Records a receipt over a dimension. Returns NULL, or what the memory cannot do. */
static const char *keep(struct kept *kept, unsigned dimension, bool joins)
{
    const uint32_t bit = UINT32_C(1) << (dimension - 1);
    const bool joined = kept->joined & bit;
    if (joins && kept->result != 0)
        return "combines it with a result that replaced the partial results";
    if (joins && joined)
        return "combines a second packet that arrives over one arc";
    if (!joins && kept->result != 0 && kept->result != dimension)
        return "receives a second result over another arc";
    kept->joined |= joins ? bit : 0;
    kept->result = joins ? 0 : dimension;
    return NULL;
}

bool partial_results_check_arcs(const char *name, const struct schedule *schedule, struct err *err)
{
    char time[SCHEDULE_TIME_TEXT];
    if (!schedule->has_reductions)
        return true;
    struct kept *all = new_entries(schedule, sizeof *all, "nodes", err);
    if (all == NULL)
        return false;
    bool right = true;
    for (size_t k = 0; right && k < schedule->step_count; k++)
        for (size_t t = schedule->step[k].first; right && t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            if (schedule_demand_of(schedule, transfer->packet)->reduction == NULL)
                continue;
            const char *wrong =
                keep(&all[partial_results_pair(schedule, transfer->destination, transfer->packet)],
                     topology_dimension(transfer->source, transfer->destination),
                     partial_results_joins(schedule, t));
            right = wrong == NULL ||
                    err_set(err, ERR_UNSUPPORTED,
                            "%.150s: %s: node %" PRIu32 " has packet %" PRIu32
                            " and %s; expected one partial result over each arc, then one result, "
                            "because a node keeps one packet of each arc",
                            name, schedule_time_text(schedule, schedule->step[k].time, time),
                            transfer->destination, transfer->packet, wrong);
        }
    free(all);
    return right;
}
