/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/passing.h"

#include "sched/base/arena.h"
#include "sched/network/omega.h"
#include "sched/route/settings.h"

#include <stdlib.h>

/* The state for examining rounds one after another. */
struct look {
    const struct schedule *schedule;
    const struct multistage *net;
    struct omega_router *router;
    struct omega_passes *passes;
    void *memory; /* of all arrays (arena.h) */
    uint32_t *to, *pass, *row;
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

/* Routes one round and divides it into passes. A round of a legal schedule is a partial
 * permutation. */
static struct roundcast_round look_at(const struct look *look, size_t step)
{
    struct omega_conflict conflict;
    struct omega_passes_count count;
    route_rows_circuits(look->schedule, step, step + 1, look->net->ports, false, look->to);
    bool passes = omega_route(look->router, look->to, look->row, &conflict, NULL);
    omega_passes_divide(look->passes, look->to, look->pass, &count, NULL);
    struct roundcast_round round = {.round = look->schedule->step[step].time,
                                    .passes = passes,
                                    .needed = count.passes,
                                    .least = count.bound};
    if (passes)
        return round;
    round.stage = conflict.stage;
    round.sw = conflict.sw;
    for (unsigned which = 0; which < 2; which++) {
        round.source[which] = conflict.source[which];
        round.destination[which] = conflict.destination[which];
    }
    return round;
}

bool passing_report(const struct schedule *schedule, const struct multistage *net,
                    const struct roundcast_routing *routing, struct err *err)
{
    struct look look;
    const size_t count = schedule->step_count;
    struct roundcast_round *round = calloc(count + 1, sizeof *round);
    bool looked =
        round != NULL ? open_look(&look, schedule, net, err) : err_no_memory(err, "the rounds");
    for (size_t step = 0; looked && step < count; step++)
        round[step] = look_at(&look, step);
    if (looked)
        routing->passing(routing->with, &(struct roundcast_passing){net->ports, count, round});
    if (round != NULL)
        close_look(&look);
    free(round);
    return looked;
}
