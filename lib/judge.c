/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/roundcast/judge.h"
#include "lib/inside.h"
#include "sched/base/compare.h"
#include "sched/bound/bound.h"
#include "sched/exchange/compact.h"
#include "sched/exchange/recognise.h"
#include "sched/plan/plan.h"
#include "sched/verify/verify.h"

#include <string.h>

static enum roundcast_aspect aspect_of(enum err_code code)
{
    switch (code) {
    case ERR_NOT_HELD:
    case ERR_EARLY:
    case ERR_UNORDERED:
        return ROUNDCAST_ORDER;
    case ERR_ONE_PORT:
    case ERR_PAIRING:
    case ERR_HALF_DUPLEX:
    case ERR_LANE:
        return ROUNDCAST_PORTS;
    default:
        return ROUNDCAST_CONTENTS;
    }
}

static bool add_breach(void *with, const struct err *breach)
{
    struct roundcast_judgement *judgement = with;
    struct roundcast_breaches *of = &judgement->aspect[aspect_of(breach->code)];
    if (of->count++ == 0)
        inside_fail(breach, &of->first);
    return true;
}

/* Finds the collective of the best schedule: traffic is planned as general demands, because a list
 * of packets is no matrix. */
static bool find_collective(const struct schedule *schedule, struct collective *collective)
{
    if (!schedule_find_collective(schedule, collective))
        return false;
    if (collective_rows[collective->kind].weighed) {
        collective->kind = COLLECTIVE_DEMANDS;
        collective->m = 1;
        collective->demands = schedule;
        collective->load = (struct traffic_load){.packets = schedule->packets};
    }
    if (topology_joins_all(&schedule->topology))
        collective->topology = NULL;
    return true;
}

/* Keeps the tightest bound of the collective, if the schedule can have no earlier end. */
static void find_bound(const struct collective *collective, struct roundcast_judgement *judgement)
{
    uint64_t bound;
    const struct bound *by = bound_tightest(collective, &bound);
    if (by == NULL || bound < judgement->verdict.bound)
        return;
    judgement->verdict.has_bound = true;
    judgement->verdict.bound = bound;
    judgement->formula = by->formula;
    judgement->source = by->source;
}

/* Finds the algorithm of the collective's kind that ends first, if it ends before the best one
 * known. On a tree, hypercube, torus or mesh a plan has the algorithms of all kinds. E104. */
static bool find_best_of(const struct schedule *schedule, const struct collective *collective,
                         struct roundcast_judgement *judgement, struct err *err)
{
    struct plan plan = {0};
    struct err inner = {0};
    bool planned = plan_make(collective, &schedule->model, true, &plan, &inner);
    for (size_t k = 0; planned && k < plan.count; k++) {
        const struct plan_row *row = &plan.row[k];
        const struct algorithm *algorithm = row->algorithm;
        if (algorithm->kind != collective->kind || row->end == ALGORITHM_UNKNOWN ||
            (judgement->best != NULL && row->end >= judgement->best_end))
            continue;
        judgement->best = algorithm->name;
        judgement->best_method = row->method > 0 ? algorithm->methods[row->method] : NULL;
        judgement->best_end = row->end;
    }
    bool no_memory = plan.no_memory;
    plan_free(&plan);
    if (no_memory)
        return err_no_memory(err, "the schedules of other algorithms");
    return planned || inner.code != ERR_TOO_BIG || err_copy(err, &inner);
}

/* Finds the bound, and the schedule that ends first: of an algorithm for the collective, or, on a
 * tree, hypercube, torus or mesh, of a search for any demands. E104. */
static bool find_best(const struct schedule *schedule, struct roundcast_judgement *judgement,
                      struct err *err)
{
    struct collective collective, any;
    if (!find_collective(schedule, &collective))
        return true;
    if (schedule->nodes > 1)
        find_bound(&collective, judgement);
    if (!find_best_of(schedule, &collective, judgement, err))
        return false;
    any = collective;
    any.kind = COLLECTIVE_DEMANDS;
    any.m = 1;
    any.demands = schedule;
    any.load = (struct traffic_load){.packets = schedule->packets};
    return collective.topology == NULL || collective_rows[collective.kind].weighed ||
           collective_rows[collective.kind].combined || schedule->ports > 1 ||
           find_best_of(schedule, &any, judgement, err);
}

/* Finds the rounds after compaction, if the schedule can be compacted. E104. */
static bool find_compact(const struct roundcast_schedule *schedule,
                         struct roundcast_judgement *judgement, struct err *err)
{
    struct schedule copy = {0};
    struct err inner = {0};
    if (!schedule_copy(&schedule->schedule, &copy, err))
        return false;
    const struct rounds_rules rules = compact_rules_of(&copy);
    judgement->has_compact = compact_schedule(schedule->name, &rules, &copy, &inner);
    judgement->compact = judgement->has_compact ? copy.end : 0;
    schedule_free(&copy);
    return judgement->has_compact || inner.code != ERR_TOO_BIG || err_copy(err, &inner);
}

static bool judge(const struct roundcast_schedule *schedule, struct roundcast_judgement *judgement,
                  struct err *err)
{
    const struct schedule *it = &schedule->schedule;
    struct verify_report report;
    struct err first = {0};
    uint64_t bound = 0;
    bool holds = verify_each(schedule->name, it, add_breach, judgement, &report, &first);
    if (!holds && err_exit_status(first.code) != 1)
        return err_copy(err, &first);
    recognise_text(it, judgement->collective);
    judgement->verdict = (struct roundcast_verdict){.holds = holds,
                                                    .has_bound = bound_of_schedule(it, &bound),
                                                    .end = report.end,
                                                    .transfers = report.transfers,
                                                    .arrivals = report.arrivals,
                                                    .redundant = report.redundant,
                                                    .violations = holds ? 0 : first.further + 1};
    judgement->verdict.bound = bound;
    return find_best(it, judgement, err) && find_compact(schedule, judgement, err);
}

bool roundcast_judge(const struct roundcast_schedule *schedule,
                     struct roundcast_judgement *judgement, struct roundcast_error *error)
{
    struct err err = {0};
    struct roundcast_judgement made = {.best = NULL};
    if (!judge(schedule, &made, &err))
        return inside_fail(&err, error);
    *judgement = made;
    return true;
}

bool roundcast_request_of(const struct roundcast_schedule *schedule,
                          struct roundcast_request *request)
{
    const struct schedule *it = &schedule->schedule;
    struct collective found;
    if (!topology_joins_all(&it->topology) || it->topology.shared > 0 ||
        !schedule_collective(it, &found) || collective_rows[found.kind].weighed)
        return false;
    request->collective = collective_name(found.kind);
    request->nodes = found.n;
    request->packets = found.m;
    request->source = collective_rows[found.kind].rooted ? found.source : 0;
    request->model = model_name(it->model);
    request->ports = it->ports > 1 ? schedule->ports : NULL;
    request->lambda = model_has_times(it->model) ? schedule->lambda : NULL;
    return true;
}

bool roundcast_solves(const struct roundcast_schedule *schedule,
                      const struct roundcast_request *request)
{
    const struct schedule *it = &schedule->schedule;
    const char *collective = request->collective != NULL ? request->collective : "broadcast";
    struct roundcast_request found = {0};
    struct request asked;
    struct err err = {0};
    return inside_request(request, INSIDE_PROBLEM, &asked, &err) &&
           roundcast_request_of(schedule, &found) && strcmp(found.collective, collective) == 0 &&
           found.nodes == request->nodes && found.packets == request->packets &&
           found.source == request->source && MAX(it->ports, 1) == MAX(asked.problem.ports, 1) &&
           (!model_has_times(it->model) || rational_equal(it->lambda, asked.problem.lambda));
}
