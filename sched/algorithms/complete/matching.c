/* SPDX-License-Identifier: Apache-2.0 */
/* matching: the optimal algorithm of Bar-Noy, Kipnis and Schieber, m - 1 + ⌈log2 n⌉ rounds.
 *
 * Every node but the source has a role. n = 2^k: the sets T_0 … T_{k-1}, |T_i| = 2^i, and at the
 * start of round t the nodes of T_i hold M_{t-i-1}. T_{k-1} is matched with all the others: its
 * first member r with the source, the next with T_0, T_1, …, T_{k-2} in order. r gets M_t; another
 * u of T_{k-1} gives its mate M_{t-k} and gets M_{t-i-1} from a mate in T_i. Then r becomes T_0,
 * and T_i with its mates becomes T_{i+1}. n = 8, the roles as they start and round t:
 *
 *     T_0  T_1    T_2
 *      1   2 3  4 5 6 7       0→4: M_t   1→5: M_{t-1}   2→6, 3→7: M_{t-2}   5→1, 6→2, 7→3: M_{t-3}
 *      4   1 5  2 3 6 7       the roles of round t+1
 *
 * n = 2^k + 2ℓ, 0 < ℓ < 2^{k-1}: with 2^{j-1} ≤ ℓ < 2^j there are three sets more, X (ℓ nodes),
 * Y (2^j - ℓ) and Z (2ℓ - 2^j), and T_i holds one packet less from i = j on. T_{j-1} is split into
 * T' (ℓ - 2^{j-1}) and T'' (as many as Y), X into X' (as many as Y) and X'' (as many as Z). Y is
 * matched with T'', Z with X'', both stay what they are; T_{j-1} with the mates of T' becomes X, X
 * with the mates of X' becomes T_j.
 *
 * Packets before M_1 are empty, so any first assignment of roles will do; packets after M_m are
 * M_m, and are not sent to nodes that have it: no transfer is redundant. Even n: the rounds are
 * matchings (telephone). Odd n, telephone: matching_odd.h.
 *
 * Bar-Noy, Kipnis and Schieber, "Optimal Multiple Message Broadcasting in Telephone-Like
 * Communication Systems", sections 3 (n = 2^k), 4 (even n), 6 (send-receive), Theorems 4 and 6.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/matching_odd.h"
#include "sched/algorithms/complete/matching_roles.h"
#include "sched/algorithms/complete/matching_small.h"
#include "sched/base/bits.h"

#include <stdlib.h>
#include <string.h>

/* Working state of one round. */
struct round {
    uint64_t t;
    uint32_t last_packet;
    uint32_t dummy; /* the node that does not exist; 0 if all do */
    bool *has_last; /* [node]: holds M_m */
    uint32_t *role; /* [position]: node */
    uint32_t *next; /* the same for the next round */
    struct transfer *transfer;
    size_t count;
};

static inline void add_transfer(struct round *round, uint32_t source, uint32_t destination,
                                uint32_t packet)
{
    if (packet == round->last_packet) {
        if (round->has_last[destination])
            return;
        round->has_last[destination] = true;
    }
    round->transfer[round->count++] = (struct transfer){source, destination, packet};
}

static void run_group(struct round *round, const struct matching_group *group, uint32_t common,
                      uint32_t taker)
{
    const uint32_t *members = round->role + group->first, *mates = round->role + group->mates;
    uint32_t packet = matching_packet(round->t, group->age, round->last_packet);
    for (uint32_t which = 0; which < group->count; which++) {
        uint32_t member = members[which], mate = mates[which];
        bool absent = mate == round->dummy;
        if (common > 0)
            add_transfer(round, absent ? taker : mate, member, common);
        if (packet > 0 && !absent)
            add_transfer(round, member, mate, packet);
    }
    memcpy(round->next + group->next, members, group->count * sizeof *members);
    memcpy(round->next + group->mates_next, mates, group->count * sizeof *mates);
}

static void run_round(struct round *round, const struct matching_roles *roles)
{
    uint32_t last = round->last_packet, taker = round->role[roles->taker];
    uint32_t common = matching_packet(round->t, roles->common_age, last);
    add_transfer(round, 0, taker, matching_packet(round->t, 0, last));
    round->next[0] = taker;
    for (unsigned which = 0; which < roles->group_count; which++)
        run_group(round, &roles->group[which], common, taker);
    uint32_t *role = round->role;
    round->role = round->next;
    round->next = role;
}

static uint64_t optimal_end(const struct collective *collective)
{
    return (uint64_t)collective->m - 1 + bits_log2_up(collective->n);
}

/* Odd n, send-receive: the algorithm runs for n + 1 with a dummy in the last role, which is in Y,
 * or for ℓ = 0 in T_{k-1} and always mated with T_{k-2}; r, which else sends nothing, sends in its
 * place. (The paper puts the dummy in T_{k-1} always; for j = k - 1 that has no mate in
 * T_{k-2}.) */
static bool run(const struct collective *collective, struct round *round, struct schedule *schedule,
                struct err *err)
{
    struct matching_roles roles;
    matching_roles(collective->n + collective->n % 2, &roles);
    for (uint32_t position = 0; position < roles.count; position++)
        round->role[position] = position + 1;
    uint64_t rounds = optimal_end(collective);
    for (round->t = 1; round->t <= rounds; round->t++) {
        round->transfer = schedule_open_step(schedule, round->t, collective->n, err);
        if (round->transfer == NULL)
            return false;
        round->count = 0;
        run_round(round, &roles);
        schedule_close_step(schedule, round->count);
    }
    return true;
}

static bool optimal_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    /* One round's room to spare: a round is opened before it is known how many send in it. */
    if (!schedule_reserve(schedule, optimal_end(collective), (size_t)(n - 1) * m + n, err))
        return false;
    struct round round = {.last_packet = m,
                          .dummy = n % 2 == 0 ? 0 : n,
                          .has_last = calloc((size_t)n + 1, sizeof *round.has_last),
                          .role = malloc((size_t)n * sizeof *round.role),
                          .next = malloc((size_t)n * sizeof *round.next)};
    bool built = round.has_last != NULL && round.role != NULL && round.next != NULL
                     ? run(collective, &round, schedule, err)
                     : err_no_memory(err, "the roles of %u nodes", n);
    free(round.has_last);
    free(round.role);
    free(round.next);
    return built;
}

/* No matching of an odd number of nodes has all of them. */
static bool is_odd_telephone(const struct collective *collective)
{
    return model_row(collective->model)->pairs && collective->n % 2 != 0;
}

static uint64_t matching_end(const struct collective *collective)
{
    if (!is_odd_telephone(collective))
        return optimal_end(collective);
    uint64_t small = matching_small_end(collective);
    return small > 0 ? small : matching_odd_end(collective);
}

static bool matching_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    if (!is_odd_telephone(collective))
        return optimal_build(collective, schedule, err);
    return matching_small_end(collective) > 0 ? matching_small_build(collective, schedule, err)
                                              : matching_odd_build(collective, schedule, err);
}

const struct algorithm algorithm_matching = {
    .name = "matching",
    .summary =
        "optimal except for odd n in the telephone model: rounds are matchings, roles rotate",
    .source = "Bar-Noy, Kipnis, Schieber, sections 3, 4 and 6",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE,
    .usual_models = 1u << MODEL_TELEPHONE,
    .end = matching_end,
    .build = matching_build,
};
