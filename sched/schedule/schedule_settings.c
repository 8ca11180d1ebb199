/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/schedule_settings.h"

#include "sched/base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

/* A circuit of the current setting, by sender, by receiver or by lane; of an earlier one if `since`
 * is less than the number of settings. */
struct end {
    uint64_t since;
    uint32_t partner;
};

struct walk {
    const struct schedule *schedule;
    const struct multistage *net; /* NULL: any that passes all permutations */
    struct end *sends, *receives; /* [nodes] */
    struct end *lane;             /* [levels][ports] of a network that blocks: their senders */
    uint64_t settings;
    size_t circuits; /* of the step that began the setting */
    void *memory;
};

static bool walk_open(struct walk *walk, const struct schedule *schedule,
                      const struct multistage *net, struct err *err)
{
    bool blocks = net != NULL && multistage_blocks(net);
    *walk = (struct walk){.schedule = schedule, .net = net};
    walk->memory = arena_new(
        (const struct arena_array[]){
            ARENA(walk->sends, schedule->nodes), ARENA(walk->receives, schedule->nodes),
            ARENA(walk->lane, blocks ? (size_t)net->levels * net->ports : 0)},
        3);
    if (!blocks)
        walk->lane = NULL;
    return walk->memory != NULL ||
           err_no_memory(err, "the circuits of %" PRIu32 " nodes", schedule->nodes);
}

/* The lane behind level l of an omega network: each level takes a bit of the receiver's number, the
 * highest first, for one of the sender's. */
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

static bool may_join(const struct walk *walk, const struct transfer *t)
{
    bool joins = agrees(&walk->sends[t->source], walk->settings, t->destination) &&
                 agrees(&walk->receives[t->destination], walk->settings, t->source);
    for (unsigned level = 0; joins && walk->lane != NULL && level < walk->net->levels; level++)
        joins = agrees(lane_of(walk, t, level), walk->settings, t->source);
    return joins;
}

/* Has the setting this very circuit? */
static bool has(const struct walk *walk, const struct transfer *t)
{
    const struct end *end = &walk->receives[t->destination];
    return end->since == walk->settings && end->partner == t->source;
}

/* Take the next step: into the setting, or into one of its own. */
static void walk_step(struct walk *walk, size_t step)
{
    const struct schedule *schedule = walk->schedule;
    const struct transfer *first = schedule->transfer + schedule->step[step].first;
    const struct transfer *end = schedule->transfer + schedule_step_end(schedule, step);
    bool copies = walk->net != NULL && multistage_copies(walk->net);
    bool held = step > 0 && (!copies || (size_t)(end - first) == walk->circuits);
    for (const struct transfer *t = first; held && t < end; t++)
        held = copies ? has(walk, t) : may_join(walk, t);
    if (!held) {
        walk->settings++;
        walk->circuits = (size_t)(end - first);
    }
    for (const struct transfer *t = first; t < end; t++) {
        walk->sends[t->source] = (struct end){walk->settings, t->destination};
        walk->receives[t->destination] = (struct end){walk->settings, t->source};
        for (unsigned level = 0; walk->lane != NULL && level < walk->net->levels; level++)
            *lane_of(walk, t, level) = (struct end){walk->settings, t->source};
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

bool schedule_turns(const struct schedule *schedule, const struct multistage *net, uint32_t turns[],
                    struct err *err)
{
    struct walk walk;
    if (!walk_open(&walk, schedule, net, err))
        return false;
    size_t step = 0;
    for (uint64_t row = 0; row < schedule->end; row++) {
        if (step < schedule->step_count && schedule_row(schedule, step) == row)
            walk_step(&walk, step++);
        turns[row] = walk.settings > 0 ? (uint32_t)walk.settings : 1;
    }
    free(walk.memory);
    return true;
}
