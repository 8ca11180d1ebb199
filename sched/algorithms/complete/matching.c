/* SPDX-License-Identifier: Apache-2.0 */
/* matching: the optimal algorithm of Bar-Noy, Kipnis and Schieber, m - 1 + ⌈log2 n⌉ rounds.
 *
 * Every node except the source has a role. n = 2^k: the sets T_0 … T_{k-1}, |T_i| = 2^i, and at the
 * start of round t the nodes of T_i hold M_{t-i-1}. T_{k-1} is matched with all the others: its
 * first member r with the source, the next with T_0, T_1, …, T_{k-2} in order. r receives M_t;
 * another u of T_{k-1} sends M_{t-k} to its mate in T_i and receives M_{t-i-1} from it. Then r
 * becomes T_0, and T_i with its mates becomes T_{i+1}. n = 8, the initial roles and round t:
 *     T_0  T_1    T_2
 *      1   2 3  4 5 6 7       0→4: M_t   1→5: M_{t-1}   2→6, 3→7: M_{t-2}   5→1, 6→2, 7→3: M_{t-3}
 *      4   1 5  2 3 6 7       the roles of round t+1
 *
 * n = 2^k + 2ℓ, 0 < ℓ < 2^{k-1}: with 2^{j-1} ≤ ℓ < 2^j there are three more sets, X (ℓ nodes), Y
 * (2^j - ℓ) and Z (2ℓ - 2^j), and T_i holds one packet less from i = j on. T_{j-1} is split into T'
 * (ℓ - 2^{j-1}) and T'' (as many as Y), X into X' (as many as Y) and X'' (as many as Z). Y is
 * matched with T'', Z with X'', and both keep their roles; T_{j-1} with the mates of T' becomes X,
 * and X with the mates of X' becomes T_j.
 *
 * Packets before M_1 are empty, so any initial assignment of roles works; packets after M_m stand
 * for M_m, and are not sent to nodes that have it: no transfer is redundant. If m is not known in
 * advance, packets after M_m are empty, too, and m + ⌈log2 n⌉ rounds are needed (sections 3 and 4).
 * Even n: the rounds are matchings (telephone). Odd n, telephone: matching_odd.c. Several ports:
 * matching_ports.c.
 *
 * Bar-Noy, Kipnis and Schieber, "Optimal Multiple Message Broadcasting in Telephone-Like
 * Communication Systems", sections 3 (n = 2^k), 4 (even n), 6 (send-receive), Theorems 4 and 6.
 */
#include "sched/algorithms/complete/matching.h"
#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

/* Working state of one round. */
struct round {
    uint64_t t;
    uint32_t last_packet;
    bool stream;    /* packets after the last one are empty */
    uint32_t dummy; /* a node that does not exist; 0: all exist */
    bool *has_last; /* [node]: holds M_m */
    uint32_t *role; /* [position]: node */
    uint32_t *next; /* roles of the next round */
    struct transfer *transfer;
    size_t count;
};

/* -- Few nodes --------------------------------------------------------------------------------- */

/* Optimal telephone broadcasts for small odd n, where matching_odd.c needs one more round. A SAT
 * solver found them; they are stored as data. They are all such cases for n ≤ 9 and m ≤ 8
 * (docs/algorithms/complete.md).
 *
 * Source: ours. */

/* Each round ends with '/'. A transfer is three digits: sender, receiver and packet. */
static const struct {
    uint32_t n, m;
    uint64_t rounds;
    const char *transfers;
} stored[] = {
    {5, 5, 7, "011/022 131/043 232 321/034 141 413/015 242 423/145 233 324 412/125 214 344 435/"},
    {7, 2, 4, "011/032 121/062 241 352/131 251 312 461 522 642/"},
    {7, 7, 10,
     "011/032 121/043 151 231 322/034 212 463/055 261 344 433 623/026 152 464 515 641/"
     "067 125 216 454 545/036 165 453 542 617/147 256 366 413 524 635/127 214 362 457 546 637/"},
    {7, 8, 11,
     "011/032 121/053 131 241 312/044 152 362 513/015 251 464 523 642/016 243 361 424 634/"
     "037 126 214 563 654/048 256 367 522 633/165 246 357 428 536 617/"
     "035 258 466 527 647/145 238 325 418 568 655/"},
};

/* Returns the index of a collective's entry; the number of entries if there is none. */
static size_t find(const struct collective *collective)
{
    size_t which = 0, count = sizeof stored / sizeof *stored;
    while (which < count && (stored[which].n != collective->n || stored[which].m != collective->m))
        which++;
    return which;
}

/* Returns the number of rounds of the table's broadcast of m packets among n nodes; 0 if it has
 * none. */
static uint64_t matching_small_end(const struct collective *collective)
{
    size_t which = find(collective);
    return which < sizeof stored / sizeof *stored ? stored[which].rounds : 0;
}

/* Appends the rounds. Precondition: matching_small_end is not 0. E104. */
static bool matching_small_build(const struct collective *collective, struct schedule *schedule,
                                 struct err *err)
{
    const char *text = stored[find(collective)].transfers;
    uint64_t round = 0;
    while (*text != '\0') {
        if (schedule_open_step(schedule, ++round, 1, err) == NULL)
            return false;
        for (; *text != '/'; text += text[3] == ' ' ? 4 : 3) {
            const struct transfer transfer = {(uint32_t)(text[0] - '0'), (uint32_t)(text[1] - '0'),
                                              (uint32_t)(text[2] - '0')};
            if (!schedule_append(schedule, transfer, err))
                return false;
        }
        schedule_close_step(schedule, 0);
        text++;
    }
    return true;
}

/* Returns the packet that the holders of M_{t-age} send; 0 if it is empty. */
static uint32_t packet_of(const struct round *round, uint32_t age)
{
    bool is_after = round->t > (uint64_t)round->last_packet + age;
    return round->stream && is_after ? 0 : matching_packet(round->t, age, round->last_packet);
}

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
    uint32_t packet = packet_of(round, group->age);
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
    uint32_t taker = round->role[roles->taker], packet = packet_of(round, 0);
    uint32_t common = packet_of(round, roles->common_age);
    if (packet > 0)
        add_transfer(round, 0, taker, packet);
    round->next[0] = taker;
    for (unsigned which = 0; which < roles->group_count; which++)
        run_group(round, &roles->group[which], common, taker);
    uint32_t *role = round->role;
    round->role = round->next;
    round->next = role;
}

static uint64_t optimal_end(const struct collective *collective)
{
    /* In a stream the source does not repeat the last packet, which costs a round unless n = 2. */
    bool more = collective->stream && collective->n > 2;
    return (uint64_t)collective->m - !more + bits_log2_up(collective->n);
}

/* Appends the rounds. For odd n (send-receive) the algorithm runs for n + 1 nodes with a dummy in
 * the last role, which is in Y, or for ℓ = 0 in T_{k-1} and always mated with T_{k-2}; r, which
 * otherwise sends nothing, sends in its place. (The paper always puts the dummy in T_{k-1}; for j =
 * k - 1 it then has no mate in T_{k-2}.) */
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
    /* Room for one more round, because a round is opened before its transfers are counted. */
    if (!schedule_reserve(schedule, optimal_end(collective), (size_t)(n - 1) * m + n, err))
        return false;
    struct round round = {.last_packet = m,
                          .stream = collective->stream,
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

/* Returns whether a matching cannot include all nodes: telephone with an odd number of nodes. */
static bool is_odd_telephone(const struct collective *collective)
{
    return model_row(collective->model)->pairs && collective->n % 2 != 0;
}

static bool has_several_ports(const struct collective *collective)
{
    return collective->ports > 1;
}

static uint64_t matching_end(const struct collective *collective)
{
    if (has_several_ports(collective))
        return matching_ports_end(collective);
    if (!is_odd_telephone(collective))
        return optimal_end(collective);
    uint64_t small = matching_small_end(collective);
    return small > 0 ? small : matching_odd_end(collective);
}

static bool matching_build(const struct collective *collective, struct schedule *schedule,
                           struct err *err)
{
    if (has_several_ports(collective))
        return matching_ports_build(collective, schedule, err);
    if (!is_odd_telephone(collective))
        return optimal_build(collective, schedule, err);
    return matching_small_end(collective) > 0 ? matching_small_build(collective, schedule, err)
                                              : matching_odd_build(collective, schedule, err);
}

static bool matching_guarantee(const struct collective *collective, struct guarantee *guarantee)
{
    bool pairs = model_row(collective->model)->pairs;
    return !is_odd_telephone(collective) &&
           guarantee_set(guarantee, optimal_end(collective), "m-1+⌈log n⌉",
                         pairs ? "Bar-Noy, Kipnis, Schieber, Theorem 4"
                               : "Bar-Noy, Kipnis, Schieber, Theorem 6");
}

static bool matching_accepts(const struct collective *collective, struct err *err)
{
    return !collective->stream || !is_odd_telephone(collective) ||
           err_set(err, ERR_ALGORITHM,
                   "{stream}: matching of %u nodes in the model telephone requires the number of "
                   "packets in advance; expected an even number of nodes, or {model} send-receive",
                   collective->n);
}

const struct algorithm algorithm_matching = {
    .name = "matching",
    .summary =
        "optimal except for odd n in the telephone model: rounds are matchings, roles rotate",
    .source = "Bar-Noy, Kipnis, Schieber, sections 3, 4 and 6",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_TELEPHONE,
    .usual_models = 1u << MODEL_TELEPHONE,
    .several_ports = 1u << MODEL_SEND_RECEIVE,
    .streams = true,
    .accepts = matching_accepts,
    .end = matching_end,
    .guarantee = matching_guarantee,
    .build = matching_build,
};
