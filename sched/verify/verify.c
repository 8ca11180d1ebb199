/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify/verify.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/text.h"
#include "sched/base/threads.h"
#include "sched/verify/verifier.h"
#include "sched/verify/verify_rules.h"

#include <inttypes.h>
#include <stdlib.h>

/* Minimum number of transfers for which two threads gain more than they cost, some milliseconds. */
#define PARALLEL_TRANSFERS ((size_t)1 << 18)

/* Returns whether both nodes hold the same packets: they are one node, or endpoints that share a
 * memory. `shared` is at most 1 if none do. */
static bool is_same_memory(uint32_t shared, uint32_t one, uint32_t other)
{
    return one == other || (shared > 1 && one / shared == other / shared);
}

/* Returns whether a demand wants its packets in the memory of a node. */
static bool is_wanted(const struct demand *demand, uint32_t shared, uint32_t node)
{
    const uint32_t last = shared > 1 ? node / shared * shared + (shared - 1) : node;
    if (demand->wanted_count == 0)
        return true;
    uint32_t low = 0, high = demand->wanted_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (demand->wanted[middle] <= last)
            low = middle;
        else
            high = middle;
    }
    return is_same_memory(shared, demand->wanted[low], node);
}

/* Returns whether a transfer brings its packet to a node that wants it. */
static bool is_at_home(struct verifier *v, struct home home, struct transfer now)
{
    const uint32_t shared = v->held.shared;
    if (home.wanted == VERIFIER_SOME)
        return is_wanted(verifier_demand_of(v, now.packet), shared, now.destination);
    return home.wanted == VERIFIER_ALL || is_same_memory(shared, home.wanted, now.destination);
}

/* Delivers the packets of a step. A transfer that breaks a rule also delivers its packet, so that
 * each illegal line is counted once, without its consequences. */
static void deliver_step(struct verifier *v, size_t k)
{
    const struct transfer *transfer = v->schedule->transfer;
    size_t end = schedule_step_end(v->schedule, k), all = v->schedule->transfer_count;
    for (size_t index = v->schedule->step[k].first; index < end; index++) {
        if (index + VERIFY_AHEAD < all)
            held_fetch(&v->held, transfer[index + VERIFY_AHEAD].destination,
                       transfer[index + VERIFY_AHEAD].packet);
        struct transfer now = transfer[index];
        struct home home = verifier_home_of(v, now.packet);
        if (home.wanted == VERIFIER_COMBINED) {
            held_add(&v->held, now.destination, now.packet);
            v->report->arrivals++;
        } else if (!is_same_memory(v->held.shared, now.destination, home.source) &&
                   held_add(&v->held, now.destination, now.packet)) {
            v->report->arrivals++;
            v->met += now.destination < v->schedule->nodes && is_at_home(v, home, now);
        } else {
            v->report->redundant++;
        }
    }
}

/* Returns whether wanted node `which` is the first one of its memory. */
static bool is_first_of_memory(const struct schedule *schedule, const struct demand *demand,
                               uint32_t which)
{
    return which == 0 ||
           !is_same_memory(schedule->topology.shared, schedule_wanter(demand, which - 1),
                           schedule_wanter(demand, which));
}

/* Returns the number of memories in which a demand wants its packets. */
static uint32_t wanted_memories(const struct schedule *schedule, const struct demand *demand)
{
    const uint32_t shared = schedule->topology.shared, nodes = schedule_wanters(schedule, demand);
    uint32_t memories = 0;
    if (shared <= 1)
        return nodes;
    if (demand->wanted_count == 0)
        return (nodes + shared - 1) / shared;
    for (uint32_t which = 0; which < nodes; which++)
        memories += is_first_of_memory(schedule, demand, which);
    return memories;
}

/* Returns the number of pairs (memory, packet) of a demand that are not satisfied at the start. */
static uint64_t demanded(const struct schedule *schedule, const struct demand *demand)
{
    uint64_t packets = (uint64_t)demand->last_packet - demand->first_packet + 1;
    if (demand->reduction != NULL) /* verify_reductions checks it */
        return 0;
    bool own = demand->source < schedule->nodes &&
               is_wanted(demand, schedule->topology.shared, demand->source);
    return packets * (wanted_memories(schedule, demand) - own);
}

/* Reports the unmet pairs of a demand, by packet and memory: all of them as long as breaches are
 * reported, otherwise the first. It skips only pairs that are met, so its time is at most
 * proportional to the transfers and the reports. Returns the number of reports. */
static uint64_t report_unmet(struct verifier *v, const struct demand *demand)
{
    const struct schedule *schedule = v->schedule;
    const uint32_t nodes = schedule_wanters(schedule, demand);
    uint64_t reports = 0;
    if (demand->reduction != NULL)
        return 0;
    for (uint32_t packet = demand->first_packet; packet <= demand->last_packet; packet++) {
        for (uint32_t which = 0; which < nodes; which++) {
            const uint32_t node = schedule_wanter(demand, which);
            if (!is_first_of_memory(schedule, demand, which) || verifier_holds(v, node, packet))
                continue;
            char end[SCHEDULE_TIME_TEXT];
            verifier_breach(v, schedule->transfer_count, ERR_UNMET,
                            "after %s: node %" PRIu32 " has not received packet %" PRIu32
                            "; the demand wants it there",
                            schedule_time_text(schedule, schedule->end, end), node, packet);
            reports++;
            if (v->visit == NULL)
                return reports;
        }
    }
    return reports;
}

/* Returns the sum of `demanded` over all demands. */
static uint64_t all_demanded(const struct schedule *schedule)
{
    uint64_t wanted = 0;
    for (size_t which = 0; which < schedule->demand_count; which++)
        wanted += demanded(schedule, &schedule->demand[which]);
    return wanted;
}

static bool check_demands(struct verifier *v, bool idempotent)
{
    const struct schedule *schedule = v->schedule;
    uint64_t wanted = all_demanded(schedule);
    uint64_t reports = 0;
    for (size_t which = 0; wanted > v->met && which < schedule->demand_count; which++)
        if ((reports += report_unmet(v, &schedule->demand[which])) > 0 && v->visit == NULL)
            break;
    if (wanted > v->met)
        v->breaches += wanted - v->met - reports;
    return !schedule->has_reductions || verify_reductions(v, idempotent);
}

/* Records the homes of at most as many packets as there are transfers. Packets beyond that number
 * rarely move, however many a demand claims. */
static bool note_homes(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    v->homes = (uint32_t)MIN(schedule->transfer_count, schedule->packets);
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
        return err_set(v->err, ERR_TOO_BIG, "%s: %zu round%s; expected fewer than %" PRIu32,
                       v->name, schedule->step_count, text_s(schedule->step_count), UINT32_MAX);
    uint32_t all = schedule->topology.all;
    v->port = calloc(all, sizeof *v->port);
    const struct model_row *model = model_row(schedule->model);
    bool meets = (model->pairs && !model->half_duplex) || model->copies || model->combines;
    const bool both = model->copies && model->combines;
    if (meets)
        v->meeting = calloc((size_t)all << both, sizeof *v->meeting);
    if (both)
        v->partners = calloc(2 * (size_t)all, sizeof *v->partners);
    if (v->port == NULL || (meets && v->meeting == NULL) || (both && v->partners == NULL) ||
        !verify_ports_allocate(v) || !verify_calls_allocate(v) || !verify_tree_allocate(v) ||
        !verify_arcs_allocate(v) || !verify_control_allocate(v))
        return err_set(v->err, ERR_TOO_BIG, "%s: no memory to check %" PRIu32 " node%s", v->name,
                       schedule->nodes, text_s(schedule->nodes));
    if (schedule->transfer_count >= all) /* else most of the array may stay untouched */
        memory_large_pages(v->port, all * sizeof *v->port);
    if (!note_homes(v) ||
        !held_init(&v->held, all, schedule->packets, schedule->transfer_count, v->err))
        return false;
    v->held.shared = schedule->topology.shared;
    return true;
}

/* Returns whether this or the other walk found a breach. In that case one thread checks everything
 * again, in order. */
static bool is_over(const struct verifier *v)
{
    if (v->over == NULL)
        return false;
    if (v->breaches > 0)
        atomic_store_explicit(v->over, true, memory_order_relaxed);
    return atomic_load_explicit(v->over, memory_order_relaxed);
}

/* Checks all steps in order. A packet is available λ after its step, which in a round model is the
 * next step. */
static void walk_steps(struct verifier *v, enum verifier_walk walk)
{
    const struct schedule *schedule = v->schedule;
    const verify_check check = verify_checks[schedule->model][walk];
    size_t delivered = walk == VERIFIER_PORTS ? schedule->step_count : 0;
    for (size_t k = 0; k < schedule->step_count && !is_over(v); k++) {
        while (delivered < k && schedule->step[delivered].time + schedule->lambda.numerator <=
                                    schedule->step[k].time)
            deliver_step(v, delivered++);
        while (schedule->step[v->since - 1].time + schedule->lambda.denominator <=
               schedule->step[k].time)
            v->since++;
        check(v, k);
    }
    while (delivered < schedule->step_count && !is_over(v))
        deliver_step(v, delivered++);
}

static void release(struct verifier *v)
{
    free(v->port);
    free(v->meeting);
    free(v->partners);
    free(v->home);
    free(v->uses);
    free(v->ring);
    free(v->call);
    free(v->lane);
    free(v->arc);
    free(v->left);
    held_free(&v->held);
}

/* Returns whether nodes have only the rule of one port, on a complete graph. Other rules depend on
 * the packets that nodes hold. */
static bool has_walks(const struct schedule *schedule)
{
    return topology_joins_all(&schedule->topology) && schedule->ports <= 1;
}

/* Returns whether the schedule is legal. The packets that nodes hold and the ports that are busy
 * are independent, so two threads check them in one walk each. */
static bool holds_by_two(struct verifier *v)
{
    atomic_bool over = false;
    struct verifier walk[2] = {*v, *v};
#pragma omp parallel for num_threads(2)
    for (unsigned which = 0; which < 2; which++) {
        walk[which].err = NULL;
        walk[which].over = &over;
        walk_steps(&walk[which], which == 0 ? VERIFIER_HELD : VERIFIER_PORTS);
    }
    threads_rest(2);
    return walk[0].breaches == 0 && walk[1].breaches == 0 &&
           walk[0].met == all_demanded(v->schedule);
}

static bool verify(size_t least, bool idempotent, const struct verifier *fresh)
{
    const struct schedule *schedule = fresh->schedule;
    const struct verify_report none = {.end = schedule->end, .transfers = schedule->transfer_count};
    struct verifier v = *fresh;
    *v.report = none;
    bool ready = allocate(&v) && verify_control_values(&v);
    bool two = ready && v.breaches == 0 && has_walks(schedule) && v.visit == NULL &&
               threads_for(schedule->transfer_count, least) > 1;
    bool walked = two && holds_by_two(&v);
    bool counted = !walked || !schedule->has_reductions || verify_reductions(&v, idempotent);
    bool held = walked && counted && v.breaches == 0;
    ready = ready && counted;
    if (two && !held && ready) { /* finding the first breach requires both checks */
        release(&v);
        v = *fresh;
        *v.report = none;
        ready = allocate(&v) && verify_control_values(&v);
    }
    if (ready && !held) {
        walk_steps(&v, VERIFIER_ALL_RULES);
        held = check_demands(&v, idempotent) && v.breaches == 0;
        if (v.breaches > 0 && v.err != NULL)
            v.err->further = v.breaches - 1;
    }
    release(&v);
    return held;
}

bool verify_schedule_from(size_t least, const char *name, const struct schedule *schedule,
                          struct verify_report *report, struct err *err)
{
    return verify(least, false,
                  &(struct verifier){.name = name,
                                     .schedule = schedule,
                                     .report = report,
                                     .err = err,
                                     .since = 1,
                                     .demand = schedule->demand});
}

bool verify_schedule(const char *name, const struct schedule *schedule,
                     struct verify_report *report, struct err *err)
{
    return verify_schedule_from(PARALLEL_TRANSFERS, name, schedule, report, err);
}

bool verify_idempotent(const char *name, const struct schedule *schedule,
                       struct verify_report *report, struct err *err)
{
    return verify(PARALLEL_TRANSFERS, true,
                  &(struct verifier){.name = name,
                                     .schedule = schedule,
                                     .report = report,
                                     .err = err,
                                     .since = 1,
                                     .demand = schedule->demand});
}

bool verify_each(const char *name, const struct schedule *schedule,
                 bool (*visit)(void *with, const struct err *breach), void *with,
                 struct verify_report *report, struct err *err)
{
    return verify(PARALLEL_TRANSFERS, false,
                  &(struct verifier){.name = name,
                                     .schedule = schedule,
                                     .report = report,
                                     .err = err,
                                     .visit = visit,
                                     .with = with,
                                     .since = 1,
                                     .demand = schedule->demand});
}
