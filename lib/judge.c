/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/roundcast/judge.h"
#include "lib/inside.h"
#include "sched/bound/bound.h"
#include "sched/exchange/compact.h"
#include "sched/exchange/recognise.h"
#include "sched/plan/plan.h"
#include "sched/verify/verify.h"

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
    struct inside_problem problem;
    struct collective *collective = &problem.collective;
    if (!inside_problem_of(schedule, &problem, err))
        return err->code == ERR_NONE;
    const struct collective any = inside_any_demands(schedule, collective);
    const bool is_any = inside_is_any(schedule, collective);
    if (collective_rows[collective->kind].weighed) /* a list of packets is no matrix */
        *collective = any;
    if (schedule->nodes > 1)
        find_bound(collective, judgement);
    const bool found =
        find_best_of(schedule, collective, judgement, err) &&
        (!is_any || collective->demands != NULL || find_best_of(schedule, &any, judgement, err));
    inside_problem_free(&problem);
    return found;
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
