/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_settings.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

/* A circuit of a setting, by sender, by receiver or by lane. It is part of an earlier setting if
 * `since` is less than the number of settings. */
struct end {
    uint64_t since;
    uint32_t partner;
};

struct walk {
    const struct schedule *schedule;
    const struct multistage *net; /* NULL: any network that passes all permutations */
    struct end *sends, *receives; /* [nodes] */
    /* [levels][ports] in a blocking network: the senders that use the lanes */
    struct end *lane;
    bool combines; /* a receiver may have several senders */
    uint64_t settings;
    /* [nodes] in a network that copies: the number of circuits of a sender in its setting, and in
     * the step; if it also combines: the number of receivers of a group (network_router.h), by its
     * label */
    uint32_t *copies, *now;
    /* [nodes] in a network that does both: the sender's group in the step, and the last step in
     * which a node received, counted from 1 */
    uint32_t *label, *seen;
    void *memory;
};

static bool walk_open(struct walk *walk, const struct schedule *schedule,
                      const struct multistage *net, struct err *err)
{
    bool blocks = net != NULL && multistage_blocks(net);
    bool copies = net != NULL && multistage_copies(net);
    bool both = copies && multistage_combines(net);
    *walk = (struct walk){.schedule = schedule,
                          .net = net,
                          .combines = net != NULL ? multistage_combines(net)
                                                  : model_combines(schedule->model)};
    const struct arena_array arrays[] = {
        ARENA(walk->sends, schedule->nodes),
        ARENA(walk->receives, schedule->nodes),
        ARENA(walk->lane, blocks ? (size_t)net->levels * net->ports : 0),
        ARENA(walk->copies, copies ? schedule->nodes : 0),
        ARENA(walk->now, copies ? schedule->nodes : 0),
        ARENA(walk->label, both ? schedule->nodes : 0),
        ARENA(walk->seen, both ? schedule->nodes : 0)};
    walk->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (!blocks)
        walk->lane = NULL;
    if (!copies)
        walk->copies = walk->now = NULL;
    if (!both)
        walk->label = NULL;
    return walk->memory != NULL ||
           err_no_memory(err, "the circuits of %" PRIu32 " nodes", schedule->nodes);
}

/* Returns the lane after a level of an omega network: each level replaces a bit of the sender's
 * number by that of the receiver's, the highest first. */
static struct end *lane_of(const struct walk *walk, const struct transfer *t, unsigned level)
{
    uint32_t taken = ~UINT32_C(0) << (walk->net->levels - 1 - level);
    return &walk->lane[(size_t)level * walk->net->ports +
                       ((t->destination & taken) | (t->source & ~taken))];
}

static bool agrees(const struct end *end, uint64_t setting, uint32_t partner)
{
    return end->since != setting || end->partner == partner;
}

/* Returns whether the setting has exactly this circuit. */
static bool has(const struct walk *walk, const struct transfer *t)
{
    const struct end *end = &walk->receives[t->destination];
    return end->since == walk->settings && end->partner == t->source;
}

/* Returns whether a transfer fits into the setting of a network that copies: its sender then has
 * all its receivers of the setting, and no others. */
static bool may_copy(const struct walk *walk, const struct transfer *t)
{
    bool sends = walk->sends[t->source].since == walk->settings;
    return sends ? has(walk, t) && walk->copies[t->source] == walk->now[t->source]
                 : walk->receives[t->destination].since != walk->settings;
}

/* Returns whether a transfer fits into the setting of a network that combines and copies: no node
 * is in two groups, and a group of the setting has the same receivers in the step. */
static bool may_group(const struct walk *walk, const struct transfer *t)
{
    const uint32_t label = walk->label[t->source];
    const struct end *group = &walk->receives[label], *receives = &walk->receives[t->destination];
    if (!agrees(&walk->sends[t->source], walk->settings, label))
        return false;
    return group->since == walk->settings && group->partner == label
               ? receives->since == walk->settings && receives->partner == label &&
                     walk->copies[label] == walk->now[label]
               : receives->since != walk->settings;
}

static bool may_join(const struct walk *walk, const struct transfer *t)
{
    if (walk->label != NULL)
        return may_group(walk, t);
    if (walk->copies != NULL)
        return may_copy(walk, t);
    bool joins =
        agrees(&walk->sends[t->source], walk->settings, t->destination) &&
        (walk->combines || agrees(&walk->receives[t->destination], walk->settings, t->source));
    for (unsigned level = 0; joins && walk->lane != NULL && level < walk->net->levels; level++)
        joins = agrees(lane_of(walk, t, level), walk->settings, t->source);
    return joins;
}

/* Finds the groups of a step and counts their receivers. */
static void find_groups(struct walk *walk, size_t step, const struct transfer *first,
                        const struct transfer *end)
{
    for (const struct transfer *t = first; t < end; t++)
        walk->label[t->source] = UINT32_MAX;
    for (const struct transfer *t = first; t < end; t++)
        walk->label[t->source] = MIN(walk->label[t->source], t->destination);
    for (const struct transfer *t = first; t < end; t++)
        walk->now[walk->label[t->source]] = 0;
    for (const struct transfer *t = first; t < end; t++)
        if (walk->seen[t->destination] != step + 1) {
            walk->seen[t->destination] = (uint32_t)step + 1;
            walk->now[walk->label[t->source]]++;
        }
}

/* Counts the copies of each sender of a step. */
static void count_copies(struct walk *walk, const struct transfer *first,
                         const struct transfer *end)
{
    for (const struct transfer *t = first; t < end; t++)
        walk->now[t->source]++;
}

/* Adds the groups of a step to the current setting. */
static void add_groups(struct walk *walk, const struct transfer *first, const struct transfer *end)
{
    for (const struct transfer *t = first; t < end; t++) {
        const uint32_t label = walk->label[t->source];
        walk->sends[t->source] = walk->receives[t->destination] =
            (struct end){walk->settings, label};
        walk->copies[label] = walk->now[label];
    }
}

/* Adds the circuits of a step to the current setting. */
static void add_circuits(struct walk *walk, const struct transfer *first,
                         const struct transfer *end)
{
    for (const struct transfer *t = first; t < end; t++) {
        walk->sends[t->source] = (struct end){walk->settings, t->destination};
        walk->receives[t->destination] = (struct end){walk->settings, t->source};
        for (unsigned level = 0; walk->lane != NULL && level < walk->net->levels; level++)
            *lane_of(walk, t, level) = (struct end){walk->settings, t->source};
        if (walk->copies != NULL && walk->now[t->source] > 0) {
            walk->copies[t->source] = walk->now[t->source];
            walk->now[t->source] = 0;
        }
    }
}

/* Adds the next step to the current setting, or starts a new setting with it. */
static void walk_step(struct walk *walk, size_t step)
{
    const struct schedule *schedule = walk->schedule;
    const struct transfer *first = schedule->transfer + schedule->step[step].first;
    const struct transfer *end = schedule->transfer + schedule_step_end(schedule, step);
    if (walk->label != NULL)
        find_groups(walk, step, first, end);
    else if (walk->copies != NULL)
        count_copies(walk, first, end);
    bool held = step > 0;
    for (const struct transfer *t = first; held && t < end; t++)
        held = may_join(walk, t);
    walk->settings += !held;
    if (walk->label != NULL)
        add_groups(walk, first, end);
    else
        add_circuits(walk, first, end);
}

bool schedule_settings(const struct schedule *schedule, uint64_t *settings, struct err *err)
{
    struct walk walk;
    if (!walk_open(&walk, schedule, NULL, err))
        return false;
    for (size_t step = 0; step < schedule->step_count; step++)
        walk_step(&walk, step);
    *settings = walk.settings;
    free(walk.memory);
    return true;
}

bool schedule_setting_changes(const struct schedule *schedule, const struct multistage *net,
                              uint32_t setting_changes[], struct err *err)
{
    struct walk walk;
    if (!walk_open(&walk, schedule, net, err))
        return false;
    size_t step = 0;
    for (uint64_t row = 0; row < schedule->end; row++) {
        if (step < schedule->step_count && schedule_row(schedule, step) == row)
            walk_step(&walk, step++);
        setting_changes[row] = walk.settings > 0 ? (uint32_t)walk.settings : 1;
    }
    free(walk.memory);
    return true;
}
