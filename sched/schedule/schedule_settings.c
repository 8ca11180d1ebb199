/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_settings.h"

#include "sched/base/arena.h"

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
     * the step */
    uint32_t *copies, *now;
    void *memory;
};

static bool walk_open(struct walk *walk, const struct schedule *schedule,
                      const struct multistage *net, struct err *err)
{
    bool blocks = net != NULL && multistage_blocks(net);
    bool copies = net != NULL && multistage_copies(net);
    *walk = (struct walk){.schedule = schedule,
                          .net = net,
                          .combines = net != NULL ? multistage_combines(net)
                                                  : model_combines(schedule->model)};
    walk->memory = arena_new(
        (const struct arena_array[]){
            ARENA(walk->sends, schedule->nodes), ARENA(walk->receives, schedule->nodes),
            ARENA(walk->lane, blocks ? (size_t)net->levels * net->ports : 0),
            ARENA(walk->copies, copies ? schedule->nodes : 0),
            ARENA(walk->now, copies ? schedule->nodes : 0)},
        5);
    if (!blocks)
        walk->lane = NULL;
    if (!copies)
        walk->copies = walk->now = NULL;
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

static bool may_join(const struct walk *walk, const struct transfer *t)
{
    if (walk->copies != NULL)
        return may_copy(walk, t);
    bool joins =
        agrees(&walk->sends[t->source], walk->settings, t->destination) &&
        (walk->combines || agrees(&walk->receives[t->destination], walk->settings, t->source));
    for (unsigned level = 0; joins && walk->lane != NULL && level < walk->net->levels; level++)
        joins = agrees(lane_of(walk, t, level), walk->settings, t->source);
    return joins;
}

/* Adds the next step to the current setting, or starts a new setting with it. */
static void walk_step(struct walk *walk, size_t step)
{
    const struct schedule *schedule = walk->schedule;
    const struct transfer *first = schedule->transfer + schedule->step[step].first;
    const struct transfer *end = schedule->transfer + schedule_step_end(schedule, step);
    for (const struct transfer *t = first; walk->copies != NULL && t < end; t++)
        walk->now[t->source]++;
    bool held = step > 0;
    for (const struct transfer *t = first; held && t < end; t++)
        held = may_join(walk, t);
    walk->settings += !held;
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
