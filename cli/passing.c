/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/passing.h"

#include "cli/report.h"

#include "sched/base/arena.h"
#include "sched/network/omega.h"
#include "sched/route/settings.h"

#include <inttypes.h>
#include <stdlib.h>

/* Memory for checking rounds one after another. */
struct look {
    const struct schedule *schedule;
    const struct multistage *net;
    struct omega_router *router;
    struct omega_passes *passes;
    void *memory; /* of all arrays (arena.h) */
    uint32_t *to, *pass, *row;
};

/* The result for one round. */
struct seen {
    bool passes;
    struct omega_conflict conflict;
    struct omega_passes_count count;
};

static void close_look(struct look *look)
{
    omega_router_free(look->router);
    omega_passes_free(look->passes);
    free(look->memory);
}

static bool open_look(struct look *look, const struct schedule *schedule,
                      const struct multistage *net, struct err *err)
{
    *look = (struct look){.schedule = schedule, .net = net};
    const struct arena_array arrays[] = {
        ARENA(look->to, net->ports), ARENA(look->pass, net->ports),
        ARENA(look->row, (size_t)multistage_stages(net) * multistage_row_words(net))};
    look->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (look->memory == NULL)
        return err_no_memory(err, "a round");
    look->router = omega_router_new(net, err);
    look->passes = look->router != NULL ? omega_passes_new(net, err) : NULL;
    return look->passes != NULL;
}

/* A round of a legal schedule is a partial permutation: it passes or is blocked, and is divided. */
static void look_at(const struct look *look, size_t step, struct seen *seen)
{
    route_rows_circuits(look->schedule, step, step + 1, look->net->ports, false, look->to);
    seen->passes = omega_route(look->router, look->to, look->row, &seen->conflict, NULL);
    omega_passes_divide(look->passes, look->to, look->pass, &seen->count, NULL);
}

bool passing_print(FILE *to, const struct schedule *schedule, const struct multistage *net,
                   struct err *err)
{
    struct look look;
    bool looked = open_look(&look, schedule, net, err);
    size_t passed = 0;
    for (size_t step = 0; looked && step < schedule->step_count; step++) {
        struct seen seen;
        look_at(&look, step, &seen);
        passed += seen.passes;
        if (seen.passes)
            continue;
        const struct omega_conflict *conflict = &seen.conflict;
        fprintf(to,
                "round %" PRIu64 ": blocked at stage %u, switch %" PRIu32 ": %" PRIu32 " → %" PRIu32
                " and %" PRIu32 " → %" PRIu32 "; %" PRIu32 " passes, at least %" PRIu32 "\n",
                schedule->step[step].time, conflict->stage, conflict->sw, conflict->source[0],
                conflict->destination[0], conflict->source[1], conflict->destination[1],
                seen.count.passes, seen.count.bound);
    }
    if (looked)
        fprintf(to, "%zu of %zu %s omega:%" PRIu32 "\n", passed, schedule->step_count,
                schedule->step_count == 1 ? "round passes" : "rounds pass", net->ports);
    close_look(&look);
    return looked;
}

static json_t *seen_json(const struct schedule *schedule, size_t step, const struct seen *seen)
{
    const struct omega_conflict *conflict = &seen->conflict;
    json_t *round =
        json_pack("{s:I, s:b, s:I}", "round", (json_int_t)schedule->step[step].time, "passes",
                  (int)seen->passes, "needed", (json_int_t)seen->count.passes);
    if (!seen->passes)
        report_json_set(
            &round, "conflict",
            json_pack("{s:i, s:I, s:[[I,I],[I,I]]}", "stage", (int)conflict->stage, "switch",
                      (json_int_t)conflict->sw, "circuits", (json_int_t)conflict->source[0],
                      (json_int_t)conflict->destination[0], (json_int_t)conflict->source[1],
                      (json_int_t)conflict->destination[1]));
    return round;
}

json_t *passing_json(const struct schedule *schedule, const struct multistage *net, struct err *err)
{
    struct look look;
    json_t *rounds = json_array();
    bool looked = open_look(&look, schedule, net, err);
    for (size_t step = 0; looked && step < schedule->step_count; step++) {
        struct seen seen;
        look_at(&look, step, &seen);
        report_json_append(&rounds, seen_json(schedule, step, &seen));
    }
    close_look(&look);
    if (looked && rounds == NULL)
        err_no_memory(err, "the report");
    if (!looked)
        json_decref(rounds);
    return looked ? rounds : NULL;
}
