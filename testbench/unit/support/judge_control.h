/* judge_control: a slow judge of packets of control, who counts transfers and fills a table of nodes. Include
 * it after <cmocka.h>'s four headers. */
#ifndef ROUNDCAST_JUDGE_CONTROL_H
#define ROUNDCAST_JUDGE_CONTROL_H

#include "testbench/unit/support/cube_runs.h"

#define CONTROL_JUDGE_NODES 64 /* at most */

static inline bool control_judge_read(const char *text, struct schedule *schedule, struct err *err)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    *schedule = (struct schedule){0};
    bool read = schedule_read(file, "c.sched", schedule, err);
    fclose(file);
    return read;
}

/* A packet of data, or of control, has come to a node before step k, or has left the node where it starts. */
static inline bool control_judge_was_there(const struct schedule *schedule, uint32_t node, uint32_t packet,
                                           size_t k)
{
    const struct demand *demand = schedule_demand_of(schedule, packet);
    bool there = demand->control == NULL && demand->source == node;
    for (size_t t = 0; t < schedule->step[k].first; t++) {
        struct transfer sent = schedule->transfer[t];
        there = there || (sent.packet == packet &&
                          (sent.destination == node || (sent.source == node && demand->source == node)));
    }
    return there;
}

/* Does each of the nodes that are counted have one part, or is it the source? Parts stand by their first
 * nodes. */
static inline bool control_judge_has_its_parts(const struct schedule *schedule, const struct demand *demand)
{
    const struct control *control = demand->control;
    uint32_t parts_of[CONTROL_JUDGE_NODES] = {0}, last = 0;
    for (uint32_t which = 0; which < control->part_count; which++) {
        const struct control *part = schedule_demand_of(schedule, control->part[which])->control;
        bool itself = part->node_count == 1 && part->first_node == demand->source;
        if (itself || part->node_count == 0 || (which > 0 && part->first_node <= last))
            return false;
        last = part->first_node;
        for (uint32_t node = 0; node < part->node_count; node++)
            parts_of[last + node]++;
    }
    for (uint32_t node = 0; node < CONTROL_JUDGE_NODES; node++) {
        bool counted = node >= control->first_node && node - control->first_node < control->node_count;
        bool itself = node == demand->source && parts_of[node] == 0;
        if (parts_of[node] != (counted && !itself))
            return false;
    }
    return true;
}

/* The packets of the set that start at the nodes that are counted. */
static inline uint32_t control_judge_count_set(const struct cube_set *set, const struct control *control)
{
    uint32_t packets = 0;
    for (uint32_t k = 0; k < set->count; k++)
        packets +=
            set->node[k] >= control->first_node && set->node[k] - control->first_node < control->node_count;
    return packets;
}

/* The breaches of one demand: at its line, and at the line where its value leaves. */
static inline enum err_code control_judge_at_line(const struct schedule *schedule, const struct cube_set *set,
                                                  const struct demand *demand)
{
    const struct control *control = demand->control;
    if (control->node_count > 0 && !control_judge_has_its_parts(schedule, demand))
        return ERR_PARTS;
    uint32_t value = control->node_count > 0 ? control_judge_count_set(set, control) : control->part_count;
    return control->value == value ? ERR_NONE : ERR_VALUE;
}

static inline bool control_judge_leaves_early(const struct schedule *schedule, const struct demand *demand)
{
    size_t t = 0;
    while (t < schedule->transfer_count && (schedule->transfer[t].packet != demand->first_packet ||
                                            schedule->transfer[t].source != demand->source))
        t++;
    bool early = false;
    for (uint32_t which = 0; t < schedule->transfer_count && which < demand->control->part_count; which++)
        early = early || !control_judge_was_there(schedule, demand->source, demand->control->part[which],
                                                  schedule_step_of(schedule, t));
    return early;
}

/* All breaches; the first is one at a line, if there is any. */
static inline uint64_t control_judge(const struct schedule *schedule, const struct cube_set *set,
                                     enum err_code *first)
{
    uint64_t breaches = 0;
    *first = ERR_NONE;
    for (size_t d = 0; d < schedule->demand_count; d++) {
        enum err_code code = schedule->demand[d].control != NULL
                                 ? control_judge_at_line(schedule, set, &schedule->demand[d])
                                 : ERR_NONE;
        breaches += code != ERR_NONE;
        *first = *first == ERR_NONE ? code : *first;
    }
    for (size_t d = 0; d < schedule->demand_count; d++) {
        bool early =
            schedule->demand[d].control != NULL && control_judge_leaves_early(schedule, &schedule->demand[d]);
        breaches += early;
        *first = *first == ERR_NONE && early ? ERR_EARLY : *first;
    }
    return breaches;
}

#endif
