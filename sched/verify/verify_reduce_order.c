/* SPDX-License-Identifier: Apache-2.0 */
/* verify_reduce_order: checks ordered reductions. A partial result covers an interval of
 * contributors, by rank, and may be combined with that of the interval before it or after it. */
#include "sched/verify/verify_reducing.h"

#include "sched/base/compare.h"

#include <inttypes.h>

/* Combines the partial result `b` with `a`. Returns whether their intervals are adjacent, or one is
 * empty. */
static bool join(struct interval *a, struct interval b)
{
    bool joins = a->last == b.first || b.last == a->first;
    if (b.first == b.last)
        return true;
    if (a->first == a->last) {
        *a = b;
        return true;
    }
    *a = (struct interval){MIN(a->first, b.first), MAX(a->last, b.last)};
    return joins;
}

static void breach_order(struct reducing *reducing, const struct hop *hop, struct interval with)
{
    char time[SCHEDULE_TIME_TEXT], name[TOPOLOGY_NODE_TEXT];
    struct verifier *v = reducing->v;
    const struct demand *demand = reducing->demand;
    struct interval now = hop->carries;
    verifier_breach(v, hop->index, ERR_UNORDERED,
                    "%s: node %s combines packet %" PRIu32 " of nodes %" PRIu32 " … %" PRIu32
                    " with that of nodes %" PRIu32 " … %" PRIu32
                    "; expected neighbours, because the reduction is ordered",
                    verifier_time_of(v, hop->index, time),
                    topology_node_text(&v->schedule->topology, reducing->place[hop->to].node, name),
                    reducing->packet, reducing_node(demand, now.first),
                    reducing_node(demand, now.last - 1), reducing_node(demand, with.first),
                    reducing_node(demand, with.last - 1));
}

/* Reports that a node sends received contributions of ranks on both sides of its own. */
static void breach_split(struct reducing *reducing, const struct hop *hop)
{
    char time[SCHEDULE_TIME_TEXT], name[TOPOLOGY_NODE_TEXT];
    struct verifier *v = reducing->v;
    verifier_breach(
        v, hop->index, ERR_UNORDERED,
        "%s: node %s sends what it has received of packet %" PRIu32
        ", of nodes on both sides of it; expected neighbours, because the reduction is "
        "ordered",
        verifier_time_of(v, hop->index, time),
        topology_node_text(&v->schedule->topology, reducing->place[hop->from].node, name),
        reducing->packet);
}

bool reducing_check_order(struct reducing *reducing)
{
    const uint64_t before = reducing->v->breaches;
    for (size_t k = 0; k < 2 * reducing->hops; k++) {
        struct hop *hop = &reducing->hop[reducing->event[k] / 2];
        struct place *from = &reducing->place[hop->from], *to = &reducing->place[hop->to];
        bool only_received = hop->combining & COMBINING_RECEIVED;
        if (reducing->event[k] % 2 == 0) {
            hop->carries = only_received ? from->only_received : from->all;
            hop->is_split = only_received && from->is_split;
            if (hop->is_split)
                breach_split(reducing, hop);
        } else if (hop->combining & COMBINING_REPLACE) {
            to->all = to->only_received = hop->carries;
            to->is_split = false;
        } else {
            struct interval with = to->all;
            if (!join(&to->all, hop->carries) && !hop->is_split)
                breach_order(reducing, hop, with);
            if (!join(&to->only_received, hop->carries))
                to->is_split = true;
        }
    }
    return reducing->v->breaches == before;
}
