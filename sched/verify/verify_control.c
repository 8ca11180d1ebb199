/* SPDX-License-Identifier: Apache-2.0 */
/* verify_control: checks the values of control packets. Each value is counted again from the data
 * packets that start at each node, so that no value relies on another one. Parts determine only
 * how, and when, the source can know the value. */
#include "sched/verify/verify_rules.h"

#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

bool verify_control_allocate(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    v->data = schedule_data_packets(schedule);
    if (v->data == schedule->packets)
        return true;
    v->left = calloc(schedule->demand_count, sizeof *v->left);
    return v->left != NULL;
}

/* Returns before[x], the number of data packets that start at nodes 0 … x - 1; NULL with E104. */
static uint32_t *count_starts(struct verifier *v)
{
    const struct schedule *schedule = v->schedule;
    uint32_t *before = calloc((size_t)schedule->nodes + 1, sizeof *before);
    if (before == NULL) {
        err_set(v->err, ERR_TOO_BIG, "%s: no memory to count the packets of %" PRIu32 " node%s",
                v->name, schedule->nodes, text_s(schedule->nodes));
        return NULL;
    }
    for (size_t d = 0; d < schedule->demand_count && schedule->demand[d].control == NULL; d++)
        before[schedule->demand[d].source + 1] +=
            schedule->demand[d].last_packet - schedule->demand[d].first_packet + 1;
    for (uint32_t node = 0; node < schedule->nodes; node++)
        before[node + 1] += before[node];
    return before;
}

/* Returns whether the source and the parts together form the nodes, in order; otherwise *node is
 * the first node that differs. A part must not consist of the source alone, which counts its own
 * packets. */
static bool are_made_up(const struct schedule *schedule, const struct demand *demand,
                        uint32_t *node)
{
    const struct control *control = demand->control;
    uint32_t end = control->first_node + control->node_count;
    *node = control->first_node;
    for (uint32_t which = 0; which < control->part_count; which++) {
        const struct control *part = schedule_demand_of(schedule, control->part[which])->control;
        bool itself = part->node_count == 1 && part->first_node == demand->source;
        *node += *node == demand->source && *node < end && *node != part->first_node;
        if (itself || part->node_count == 0 || part->first_node != *node ||
            part->node_count > end - *node)
            return false;
        *node += part->node_count;
    }
    *node += *node == demand->source && *node < end;
    return *node == end;
}

static void check_value(struct verifier *v, size_t which, const uint32_t before[])
{
    const struct demand *demand = &v->schedule->demand[which];
    const struct control *control = demand->control;
    uint32_t first = control->first_node, end = first + control->node_count, node;
    if (control->node_count == 0 && control->value != control->part_count)
        verifier_breach_demand(v, which, ERR_VALUE,
                               "packet %" PRIu32 " of control carries %" PRIu32
                               "; expected %" PRIu32 ", as many packets as it counts",
                               demand->first_packet, control->value, control->part_count);
    else if (control->node_count > 0 && !are_made_up(v->schedule, demand, &node))
        verifier_breach_demand(v, which, ERR_PARTS,
                               "packet %" PRIu32 " of control counts nodes %" PRIu32 " … %" PRIu32
                               ", and its parts go astray at node %" PRIu32
                               "; expected node %" PRIu32
                               " itself and parts for each of the others, in order",
                               demand->first_packet, first, end - 1, node, demand->source);
    else if (control->node_count > 0 && control->value != before[end] - before[first])
        verifier_breach_demand(
            v, which, ERR_VALUE,
            "packet %" PRIu32 " of control carries %" PRIu32 "; expected %" PRIu32
            ", the packets that start at nodes %" PRIu32 " … %" PRIu32,
            demand->first_packet, control->value, before[end] - before[first], first, end - 1);
}

bool verify_control_values(struct verifier *v)
{
    if (v->left == NULL)
        return true;
    uint32_t *before = count_starts(v);
    for (size_t which = 0; before != NULL && which < v->schedule->demand_count; which++)
        if (v->schedule->demand[which].control != NULL)
            check_value(v, which, before);
    free(before);
    return before != NULL;
}

/* Returns whether the source of a value that leaves now has a part. A part that the source computed
 * itself is available after it has left. */
static bool is_there(const struct verifier *v, uint32_t source, uint32_t part, uint32_t stamp)
{
    if (held_test(&v->held, source, part))
        return true;
    const struct demand *demand = schedule_demand_of(v->schedule, part);
    uint32_t left = v->left[demand - v->schedule->demand];
    return demand->source == source && (demand->control == NULL || (left != 0 && left < stamp));
}

/* Returns the first part that the source does not have; 0 if it has all. */
static uint32_t missing_part(const struct verifier *v, const struct demand *demand, uint32_t stamp)
{
    const struct control *control = demand->control;
    uint32_t which = 0;
    while (which < control->part_count && is_there(v, demand->source, control->part[which], stamp))
        which++;
    return which < control->part_count ? control->part[which] : 0;
}

bool verify_control_early(struct verifier *v, size_t index, uint32_t stamp)
{
    const struct transfer *now = &v->schedule->transfer[index];
    const struct demand *demand = verifier_demand_of(v, now->packet);
    uint32_t *left = &v->left[demand - v->schedule->demand];
    if (now->source != demand->source || *left != 0)
        return false;
    *left = stamp;
    return missing_part(v, demand, stamp) != 0;
}

void verify_control_breach(struct verifier *v, size_t index, uint32_t stamp)
{
    const struct transfer *now = &v->schedule->transfer[index];
    uint32_t part = missing_part(v, verifier_demand_of(v, now->packet), stamp);
    bool own = schedule_demand_of(v->schedule, part)->source == now->source;
    char time[SCHEDULE_TIME_TEXT], name[TOPOLOGY_NODE_TEXT];
    verifier_breach(v, index, ERR_EARLY,
                    "%s: node %s sends packet %" PRIu32 ", whose value is made of packet %" PRIu32
                    "; expected that one to have %s it %s",
                    verifier_time_of(v, index, time),
                    topology_node_text(&v->schedule->topology, now->source, name), now->packet,
                    part, own ? "left" : "reached",
                    model_has_times(v->schedule->model) ? "by then" : "in an earlier round");
}
