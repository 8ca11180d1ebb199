/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/reduce/blocks_part.h"

#include "sched/algorithms/reduce/reverse.h"
#include "sched/algorithms/reduce/window_plan.h"
#include "sched/base/bits.h"
#include "sched/base/memory.h"

#include <stdlib.h>

#define FEWER 2 /* rounds that a phase may take less than one that halves the skip */

/* -- The skips --------------------------------------------------------------------------------- */

/* The best way to go on with a skip. */
struct state {
    uint32_t skip, next; /* next: the skip after the next phase; 0: no more phases */
    uint64_t rounds;
};

struct search {
    uint32_t n, blocks;
    size_t count, room;
    struct state *state;
};

/* Returns the largest number of packets of `nodes` consecutive nodes. */
static uint64_t most_of(const struct search *search, uint32_t nodes)
{
    return bits_divide_up((uint64_t)nodes * search->blocks, search->n);
}

/* Returns the rounds in which partial results at `skip` nodes are combined. UINT64_MAX if the
 * packets do not form as many sets of packets that share no node, and if the windows would not only
 * double, because nodes cannot leave their partial results out of what they send. */
static uint64_t rounds_of_windows(const struct search *search, uint32_t skip)
{
    uint64_t sets = most_of(search, skip);
    bool doubles = (skip & (skip - 1)) == 0 || skip == search->n;
    return doubles && search->blocks % sets == 0 ? sets * bits_log2_up(skip) : UINT64_MAX;
}

/* Returns the state of a skip; NULL if it is unknown. */
static const struct state *find(const struct search *search, uint32_t skip)
{
    for (size_t which = 0; which < search->count; which++)
        if (search->state[which].skip == skip)
            return &search->state[which];
    return NULL;
}

static bool add(struct search *search, const struct state *state)
{
    struct state *grown =
        memory_grow(search->state, search->count + 1, &search->room, sizeof *grown);
    if (grown == NULL)
        return false;
    search->state = grown;
    search->state[search->count++] = *state;
    return true;
}

static bool explore(struct search *search, uint32_t skip);

/* Tries a phase that sends the packets of `sends` nodes. Returns false if there is no memory. */
static bool try_phase(struct search *search, uint64_t sends, struct state *best)
{
    uint32_t next = best->skip - (uint32_t)sends;
    if (!explore(search, next))
        return false;
    uint64_t all = 2 * most_of(search, (uint32_t)sends) + find(search, next)->rounds;
    if (all < best->rounds) {
        best->rounds = all;
        best->next = next;
    }
    return true;
}

/* Finds the best way from a skip on: to combine by windows, a phase to a power of two, a phase that
 * halves the skip, or one of up to FEWER rounds less. Returns false if there is no memory. */
static bool explore(struct search *search, uint32_t skip)
{
    if (find(search, skip) != NULL)
        return true;
    struct state best = {.skip = skip, .rounds = rounds_of_windows(search, skip)};
    if (skip == 1)
        return add(search, &best);
    uint32_t half = skip / 2, power = UINT32_C(1) << (bits_log2_up(skip) - 1);
    uint64_t halving = most_of(search, half);
    bool explored = try_phase(search, skip - power, &best);
    for (uint64_t rounds = halving; explored && rounds > 0 && rounds + FEWER >= halving; rounds--)
        explored = try_phase(search, MIN(rounds * search->n / search->blocks, half), &best);
    return explored && add(search, &best);
}

static bool search_run(struct search *search, uint32_t n, uint32_t blocks)
{
    *search = (struct search){.n = n, .blocks = blocks};
    bool found = explore(search, n);
    if (!found)
        free(search->state);
    return found;
}

uint64_t blocks_part_rounds(uint32_t n, uint32_t blocks)
{
    struct search search;
    if (!search_run(&search, n, blocks))
        return UINT64_MAX;
    uint64_t rounds = find(&search, n)->rounds;
    free(search.state);
    return rounds;
}

/* -- The rounds -------------------------------------------------------------------------------- */

/* Returns the first block of the nodes from `node` on, which counts on after n - 1. */
static uint64_t block_from(const struct blocks_part *part, uint64_t node)
{
    return bits_divide_up(node * part->blocks, part->n);
}

/* Appends a round of a phase: each node sends number `which` of the packets that it gives away. */
static bool put_phase_round(const struct blocks_part *part, const struct state *phase,
                            uint64_t which, uint64_t round, struct schedule *schedule,
                            struct err *err)
{
    uint32_t n = part->n;
    size_t count = 0;
    struct transfer *transfer = schedule_open_step(schedule, round, n, err);
    if (transfer == NULL)
        return false;
    for (uint32_t node = 0; node < n; node++) {
        uint64_t block = block_from(part, (uint64_t)node + phase->next) + which;
        uint64_t packet = block % part->blocks;
        if (block < block_from(part, (uint64_t)node + phase->skip) && packet < part->packets)
            transfer[count++] = (struct transfer){node, (node + phase->next) % n,
                                                  (uint32_t)packet + part->before + 1};
    }
    schedule_close_step(schedule, count);
    return true;
}

/* Appends a receipt of the window all-reduce of one packet among `skip` nodes. */
static bool put_receipt(const struct blocks_part *part, const struct window_receipt *receipt,
                        uint32_t skip, uint32_t block, struct schedule *schedule, struct err *err)
{
    uint32_t n = part->n, owner = (uint32_t)((uint64_t)block * n / part->blocks);
    bool put = true;
    for (uint32_t place = 0; put && place < skip; place++) {
        uint32_t to = (place + skip - receipt->ahead) % skip;
        const struct transfer transfer = {(owner + n - place) % n, (owner + n - to) % n,
                                          part->before + block + 1};
        put = schedule_set_combining(schedule, schedule->transfer_count, receipt->combining, err) &&
              schedule_append(schedule, transfer, err);
    }
    return put;
}

/* Appends the window all-reduces among `skip` nodes, in as many sets as packets share a node. */
static bool put_windows(const struct blocks_part *part, uint32_t skip, uint64_t *round,
                        struct schedule *schedule, struct err *err)
{
    struct window_plan plan = {0};
    const struct collective nodes = {.n = skip, .m = 1, .model = MODEL_SEND_RECEIVE};
    uint32_t sets = (uint32_t)bits_divide_up((uint64_t)skip * part->blocks, part->n);
    bool put = skip == 1 || window_plan_init(&plan, &nodes, false, err);
    for (uint32_t set = 0; put && set < sets; set++)
        for (size_t which = 0; put && which < plan.count; which++) {
            put = schedule_open_step(schedule, ++*round, 1, err) != NULL;
            for (uint32_t block = set; put && block < part->packets; block += sets)
                put = put_receipt(part, &plan.receipt[which], skip, block, schedule, err);
            if (put)
                schedule_close_step(schedule, 0);
        }
    window_plan_free(&plan);
    return put;
}

bool blocks_part_build(const struct blocks_part *part, uint64_t *round, struct schedule *schedule,
                       struct err *err)
{
    struct search search;
    size_t first = schedule->step_count;
    uint64_t start = *round, phases;
    if (!search_run(&search, part->n, part->blocks))
        return err_no_memory(err, "the skips of %u nodes", part->n);
    const struct state *phase = find(&search, part->n);
    bool built = true;
    for (; built && phase->next != 0; phase = find(&search, phase->next)) {
        uint64_t rounds = most_of(&search, phase->skip - phase->next);
        for (uint64_t which = 0; built && which < rounds; which++)
            built = put_phase_round(part, phase, which, ++*round, schedule, err);
    }
    phases = *round - start;
    size_t middle = schedule->step_count;
    built = built && put_windows(part, phase->skip, round, schedule, err) &&
            reverse_mirror(schedule, first, middle, *round + start + phases + 1, err);
    *round += phases;
    free(search.state);
    return built;
}
