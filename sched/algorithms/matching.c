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
 * Y (2^j - ℓ) and Z (2ℓ - 2^j), and T_i holds one packet less from i = j on. T_{j-1} is split into T'
 * (ℓ - 2^{j-1}) and T'' (as many as Y), X into X' (as many as Y) and X'' (as many as Z). Y is matched
 * with T'', Z with X'', both stay what they are; T_{j-1} with the mates of T' becomes X, X with the
 * mates of X' becomes T_j.
 *
 * Packets before M_1 are empty, so any first assignment of roles will do; packets after M_m are M_m,
 * and are not sent to who has it: no transfer is redundant. Even n: the rounds are matchings
 * (telephone). Odd n, send-receive: the algorithm runs for n + 1 with a dummy in the last role,
 * which is in Y, or for ℓ = 0 in T_{k-1} and always mated with T_{k-2}; r, which else sends nothing,
 * sends in its place. (The paper puts the dummy in T_{k-1} always; for j = k - 1 that has no mate
 * in T_{k-2}.)
 *
 * Bar-Noy, Kipnis and Schieber, "Optimal Multiple Message Broadcasting in Telephone-Like
 * Communication Systems", sections 3 (n = 2^k), 4 (even n), 6 (send-receive), Theorems 4 and 6.
 */
#include "algorithm.h"

#include <stdlib.h>
#include <string.h>

#define MAX_GROUPS 40 /* T_0 … T_{k-2}, one of them split, and X split: k + 2 at most */

/* Roles are positions 0 … E-2: T_0, …, T_{j-1}, X, T_j, …, T_{k-1}, Z, Y. A group is a run of
 * positions that are mated with a run of T_{k-1}, Y or Z; it does the same in every round. */
struct group {
    uint32_t first, mates, count; /* positions first + a and mates + a meet */
    uint32_t age;                 /* a member sends its mate M_{t-age} */
    uint32_t next, mates_next;    /* the positions of both in the next round */
};

struct plan {
    uint32_t roles;      /* E - 1 */
    uint32_t taker;      /* the position of r */
    uint32_t common_age; /* every mate sends M_{t-common_age} */
    unsigned group_count;
    struct group group[MAX_GROUPS];
};

/* What one round needs. */
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

/* Add the group of `count` roles at `first`; its mates are the next of T_{k-1}. */
static void add_group(struct plan *plan, uint32_t first, uint32_t count, uint32_t age, uint32_t next,
                      uint32_t mates, uint32_t mates_next)
{
    if (count > 0)
        plan->group[plan->group_count++] = (struct group){first, mates, count, age, next, mates_next};
}

/* T_low … T_{high-1} become T_{low+1} … T_{high}. Positions: `at[i]` is where T_i starts. Returns the
 * first position of T_{k-1} that is not mated yet. */
static uint32_t add_trees(struct plan *plan, const uint32_t at[], unsigned low, unsigned high, unsigned later,
                          uint32_t mates)
{
    for (unsigned i = low; i < high; i++) {
        uint32_t size = UINT32_C(1) << i;
        add_group(plan, at[i], size, i + 1 + later, at[i + 1], mates, at[i + 1] + size);
        mates += size;
    }
    return mates;
}

/* E = 2^k: only the sets T_i. */
static void plan_power(struct plan *plan, unsigned k)
{
    uint32_t at[32];
    for (unsigned i = 0; i < k; i++)
        at[i] = (UINT32_C(1) << i) - 1;
    plan->taker = at[k - 1];
    plan->common_age = k;
    add_trees(plan, at, 0, k - 1, 0, plan->taker + 1);
}

/* E = 2^k + 2ℓ with ℓ > 0. */
static void plan_between(struct plan *plan, unsigned k, uint32_t l)
{
    unsigned j = 32 - (unsigned)__builtin_clz(l);
    uint32_t half = UINT32_C(1) << (j - 1);
    uint32_t at[32], x = 2 * half - 1; /* where X starts, behind T_{j-1} */
    for (unsigned i = 0; i < k; i++)
        at[i] = (UINT32_C(1) << i) - 1 + (i >= j ? l : 0);
    uint32_t y_size = 2 * half - l, z_size = 2 * l - 2 * half;
    uint32_t z = at[k - 1] + (UINT32_C(1) << (k - 1)), y = z + z_size;
    plan->taker = at[k - 1];
    plan->common_age = k + 1;

    uint32_t split = l - half; /* the size of T' */
    uint32_t mates = add_trees(plan, at, 0, j - 1, 0, plan->taker + 1);
    add_group(plan, at[j - 1], split, j, x, mates, x + half);
    mates += split;
    add_group(plan, at[j - 1] + split, y_size, j, x + split, y, y);
    add_group(plan, x, y_size, j + 1, at[j], mates, at[j] + l);
    mates += y_size;
    add_group(plan, x + y_size, z_size, j + 1, at[j] + y_size, z, z);
    add_trees(plan, at, j, k - 1, 1, mates);
}

/* The packet that M_{t-age} stands for: 0 if none, m if it is later than the last. */
static uint32_t packet_at(const struct round *round, uint32_t age)
{
    if (round->t <= age)
        return 0;
    uint64_t index = round->t - age;
    return index < round->last_packet ? (uint32_t)index : round->last_packet;
}

static inline void send(struct round *round, uint32_t source, uint32_t destination, uint32_t packet)
{
    if (packet == round->last_packet) {
        if (round->has_last[destination])
            return;
        round->has_last[destination] = true;
    }
    round->transfer[round->count++] = (struct transfer){source, destination, packet};
}

static void run_group(struct round *round, const struct group *group, uint32_t common, uint32_t taker)
{
    const uint32_t *members = round->role + group->first, *mates = round->role + group->mates;
    uint32_t packet = packet_at(round, group->age);
    for (uint32_t which = 0; which < group->count; which++) {
        uint32_t member = members[which], mate = mates[which];
        bool absent = mate == round->dummy;
        if (common > 0)
            send(round, absent ? taker : mate, member, common);
        if (packet > 0 && !absent)
            send(round, member, mate, packet);
    }
    memcpy(round->next + group->next, members, group->count * sizeof *members);
    memcpy(round->next + group->mates_next, mates, group->count * sizeof *mates);
}

static void run_round(struct round *round, const struct plan *plan)
{
    uint32_t taker = round->role[plan->taker], common = packet_at(round, plan->common_age);
    send(round, 0, taker, packet_at(round, 0));
    round->next[0] = taker;
    for (unsigned which = 0; which < plan->group_count; which++)
        run_group(round, &plan->group[which], common, taker);
    uint32_t *role = round->role;
    round->role = round->next;
    round->next = role;
}

static uint64_t matching_end(const struct collective *collective)
{
    return (uint64_t)collective->m - 1 + algorithm_ceil_log2(collective->n);
}

static bool run(const struct collective *collective, struct round *round, struct schedule *schedule,
                struct err *err)
{
    uint32_t even = collective->n + collective->n % 2;
    unsigned k = 31 - (unsigned)__builtin_clz(even);
    uint32_t l = (even - (UINT32_C(1) << k)) / 2;
    struct plan plan = {.roles = even - 1};
    if (l == 0)
        plan_power(&plan, k);
    else
        plan_between(&plan, k, l);

    for (uint32_t position = 0; position < plan.roles; position++)
        round->role[position] = position + 1;
    uint64_t rounds = matching_end(collective);
    for (round->t = 1; round->t <= rounds; round->t++) {
        round->transfer = schedule_open_step(schedule, round->t, collective->n, err);
        if (round->transfer == NULL)
            return false;
        round->count = 0;
        run_round(round, &plan);
        schedule_close_step(schedule, round->count);
    }
    return true;
}

static bool matching_build(const struct collective *collective, struct schedule *schedule, struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    /* One round's room to spare: a round is opened before it is known how many send in it. */
    if (!schedule_reserve(schedule, matching_end(collective), (size_t)(n - 1) * m + n, err))
        return false;
    struct round round = {.last_packet = m,
                          .dummy = n % 2 == 0 ? 0 : n,
                          .has_last = calloc((size_t)n + 1, sizeof *round.has_last),
                          .role = malloc((size_t)n * sizeof *round.role),
                          .next = malloc((size_t)n * sizeof *round.next)};
    bool built = round.has_last != NULL && round.role != NULL && round.next != NULL
                     ? run(collective, &round, schedule, err)
                     : err_set(err, ERR_TOO_BIG, "no memory for the roles of %u nodes", n);
    free(round.has_last);
    free(round.role);
    free(round.next);
    return built;
}

static bool matching_accepts(const struct collective *collective, struct err *err)
{
    if (collective->model == MODEL_TELEPHONE && collective->n % 2 != 0)
        return err_set(
            err, ERR_ALGORITHM,
            "matching on %u nodes in the telephone model is not there yet; expected an even number",
            collective->n);
    return true;
}

const struct algorithm algorithm_matching = {
    .name = "matching",
    .summary = "optimal: every round a matching, roles move on; telephone for even n",
    .source = "Bar-Noy, Kipnis, Schieber, sections 3, 4 and 6",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE,
    .accepts = matching_accepts,
    .end = matching_end,
    .build = matching_build,
};
