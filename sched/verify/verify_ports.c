/* SPDX-License-Identifier: Apache-2.0 */
/* verify_ports: the rule of send-receive where a node has several ports: it sends no more packets
 * in a round than it has ports, and receives no more. */
#include "sched/verify/verifier.h"

#include <inttypes.h>
#include <stdlib.h>

/* How many packets a node sends, or receives, in the step of the stamp. */
struct uses {
    uint32_t stamp, count;
};

bool verify_ports_allocate(struct verifier *v)
{
    if (v->schedule->ports <= 1)
        return true;
    v->uses = calloc(2 * (size_t)v->schedule->topology.all, sizeof *v->uses);
    return v->uses != NULL;
}

/* Count one more; false if there is no port left for it. */
static bool use(struct verifier *v, struct uses *uses, uint32_t stamp)
{
    if (uses->stamp != stamp)
        *uses = (struct uses){.stamp = stamp};
    return ++uses->count <= v->schedule->ports;
}

static void breach(struct verifier *v, size_t index, uint32_t node, bool sends)
{
    char time[SCHEDULE_TIME_TEXT];
    verifier_breach(v, index, ERR_ONE_PORT,
                    "%s: node %" PRIu32 " %s packet %" PRIu32 " over no port; at most %" PRIu32
                    " per round",
                    verifier_time_of(v, index, time), node, sends ? "sends" : "receives",
                    v->schedule->transfer[index].packet, v->schedule->ports);
}

void verify_ports_step(struct verifier *v, size_t k)
{
    const struct schedule *schedule = v->schedule;
    struct uses *sent = v->uses, *received = v->uses + schedule->topology.all;
    uint32_t stamp = (uint32_t)k + 1;
    for (size_t index = schedule->step[k].first; index < schedule_step_end(schedule, k); index++) {
        struct transfer now = schedule->transfer[index];
        bool sends = use(v, &sent[now.source], stamp);
        bool receives = use(v, &received[now.destination], stamp);
        if (!verifier_holds(v, now.source, now.packet))
            verifier_breach_not_held(v, index);
        else if (verifier_is_early(v, index, stamp))
            verify_control_breach(v, index, stamp);
        else if (!sends || !receives)
            breach(v, index, sends ? now.destination : now.source, !sends);
    }
}
