/* SPDX-License-Identifier: Apache-2.0 */
/* verify_cube: the rules of the all-port model in hypercubes: each arc carries one packet in a
 * round. */
#include "sched/verify/verifier.h"

#include <inttypes.h>
#include <stdlib.h>

bool verify_cube_allocate(struct verifier *v)
{
    const struct topology *cube = &v->schedule->topology;
    if (cube->dimensions == 0)
        return true;
    v->arc = calloc((size_t)cube->nodes * cube->dimensions, sizeof *v->arc);
    return v->arc != NULL;
}

static void breach_arc(struct verifier *v, size_t index, unsigned dimension)
{
    const struct transfer *transfer = v->schedule->transfer, *now = &transfer[index];
    size_t before = index;
    do
        before--;
    while (transfer[before].source != now->source ||
           transfer[before].destination != now->destination);
    char time[SCHEDULE_TIME_TEXT];
    verifier_breach(v, index, ERR_LANE,
                    "%s: the arc from node %" PRIu32 " to node %" PRIu32
                    " over dimension %u carries packets %" PRIu32 " and %" PRIu32
                    "; at most 1 per round",
                    verifier_time_of(v, index, time), now->source, now->destination, dimension,
                    transfer[before].packet, now->packet);
}

static void check(struct verifier *v, size_t index, uint32_t stamp)
{
    struct transfer now = v->schedule->transfer[index];
    unsigned dimension = topology_dimension(now.source, now.destination);
    uint32_t *taken =
        &v->arc[(size_t)now.source * v->schedule->topology.dimensions + dimension - 1];
    if (!verifier_holds(v, now.source, now.packet))
        verifier_breach_not_held(v, index);
    else if (verifier_is_early(v, index, stamp))
        verify_control_breach(v, index, stamp);
    else if (*taken == stamp)
        breach_arc(v, index, dimension);
    *taken = stamp;
}

void verify_cube_step(struct verifier *v, size_t k)
{
    size_t end = schedule_step_end(v->schedule, k);
    for (size_t index = v->schedule->step[k].first; index < end; index++)
        check(v, index, (uint32_t)k + 1);
}
