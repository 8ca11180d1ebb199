/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/judge_control.h"

#define JUDGE_CONTROL_NODES 64 /* maximum number of nodes */

bool judge_control_was_there(const struct schedule *schedule, uint32_t node, uint32_t packet,
                             size_t k)
{
    const struct demand *demand = schedule_demand_of(schedule, packet);
    bool there = demand->control == NULL && demand->source == node;
    for (size_t t = 0; t < schedule->step[k].first; t++) {
        struct transfer sent = schedule->transfer[t];
        there = there ||
                (sent.packet == packet &&
                 (sent.destination == node || (sent.source == node && demand->source == node)));
    }
    return there;
}

/* Returns whether each counted node belongs to exactly one part, or is the source. Parts are sorted
 * by their first nodes. */
static bool judge_control_has_its_parts(const struct schedule *schedule,
                                        const struct demand *demand)
{
    const struct control *control = demand->control;
    uint32_t parts_of[JUDGE_CONTROL_NODES] = {0}, last = 0;
    for (uint32_t which = 0; which < control->part_count; which++) {
        const struct control *part = schedule_demand_of(schedule, control->part[which])->control;
        bool itself = part->node_count == 1 && part->first_node == demand->source;
        if (itself || part->node_count == 0 || (which > 0 && part->first_node <= last))
            return false;
        last = part->first_node;
        for (uint32_t node = 0; node < part->node_count; node++)
            parts_of[last + node]++;
    }
    for (uint32_t node = 0; node < JUDGE_CONTROL_NODES; node++) {
        bool counted =
            node >= control->first_node && node - control->first_node < control->node_count;
        bool itself = node == demand->source && parts_of[node] == 0;
        if (parts_of[node] != (counted && !itself))
            return false;
    }
    return true;
}

/* Returns the number of packets of the set that start at the counted nodes. */
static uint32_t judge_control_count_set(const struct cube_runs_set *set,
                                        const struct control *control)
{
    uint32_t packets = 0;
    for (uint32_t k = 0; k < set->count; k++)
        packets += set->node[k] >= control->first_node &&
                   set->node[k] - control->first_node < control->node_count;
    return packets;
}

/* Finds the violations of one demand: at its line, and at the line where its value is sent. */
static enum err_code judge_control_at_line(const struct schedule *schedule,
                                           const struct cube_runs_set *set,
                                           const struct demand *demand)
{
    const struct control *control = demand->control;
    if (control->node_count > 0 && !judge_control_has_its_parts(schedule, demand))
        return ERR_PARTS;
    uint32_t value =
        control->node_count > 0 ? judge_control_count_set(set, control) : control->part_count;
    return control->value == value ? ERR_NONE : ERR_VALUE;
}

static bool judge_control_leaves_early(const struct schedule *schedule, const struct demand *demand)
{
    size_t t = 0;
    while (t < schedule->transfer_count && (schedule->transfer[t].packet != demand->first_packet ||
                                            schedule->transfer[t].source != demand->source))
        t++;
    bool early = false;
    for (uint32_t which = 0; t < schedule->transfer_count && which < demand->control->part_count;
         which++)
        early = early ||
                !judge_control_was_there(schedule, demand->source, demand->control->part[which],
                                         schedule_step_of(schedule, t));
    return early;
}

uint64_t judge_control(const struct schedule *schedule, const struct cube_runs_set *set,
                       enum err_code *first)
{
    uint64_t breaches = 0;
    *first = ERR_NONE;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        enum err_code code = schedule->demand[d].control != NULL
                                 ? judge_control_at_line(schedule, set, &schedule->demand[d])
                                 : ERR_NONE;
        breaches += code != ERR_NONE;
        *first = *first == ERR_NONE ? code : *first;
    }
    for (size_t d = 0; d < schedule->demand_count; d++) {
        bool early = schedule->demand[d].control != NULL &&
                     judge_control_leaves_early(schedule, &schedule->demand[d]);
        breaches += early;
        *first = *first == ERR_NONE && early ? ERR_EARLY : *first;
    }
    return breaches;
}
