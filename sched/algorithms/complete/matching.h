/* SPDX-License-Identifier: Apache-2.0 */
/* matching: the parts of the algorithm of matching.c: roles, odd n, and nodes of several ports. */
#ifndef ROUNDCAST_MATCHING_H
#define ROUNDCAST_MATCHING_H

#include "sched/algorithms/complete/holdings.h"
#include "sched/base/compare.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

#include <stdint.h>

/* -- Roles ------------------------------------------------------------------------------------- */

/* The roles of the nodes in the matching algorithm (explained in matching.c).
 *
 * E is the even number of roles including the source's, E = 2^k + 2ℓ with 0 ≤ ℓ < 2^{k-1}. The
 * other E - 1 roles are positions, set after set:
 *
 *     ℓ = 0    T_0 … T_{k-1}
 *     ℓ > 0    T_0 … T_{j-1}  X  T_j … T_{k-1}  Z  Y          2^{j-1} ≤ ℓ < 2^j
 *
 * A group is a run of positions that are mated with a run of T_{k-1}, Y or Z, in the same way in
 * every round. All groups together mate every position except that of r, the first of T_{k-1}.
 *
 * Bar-Noy, Kipnis and Schieber, sections 3 (ℓ = 0) and 4. */

#define MATCHING_MAX_GROUPS 40 /* T_0 … T_{k-2}, one of them split, and X split: k + 2 at most */

struct matching_group {
    uint32_t first, mates, count; /* positions first + a and mates + a meet */
    uint32_t age;                 /* a member sends its mate M_{t-age} */
    uint32_t next, mates_next;    /* the positions of both in the next round */
};

struct matching_roles {
    uint32_t count;      /* E - 1 */
    uint32_t taker;      /* the position of r; T_{k-1} begins with it */
    uint32_t stay;       /* start of Z and Y, whose members keep their roles; `count` for ℓ = 0 */
    uint32_t common_age; /* every mate sends M_{t-common_age} */
    unsigned group_count;
    struct matching_group group[MATCHING_MAX_GROUPS];
};

/* Fills the roles for E = `even`, E ≥ 2. The r of a round has position 0 in the next round. O(log
 * E). */
void matching_roles(uint32_t even, struct matching_roles *roles);

/* Returns the packet that M_{t-age} stands for in round t: 0 if there is none, `last` = m if
 * M_{t-age} comes after the last packet. */
static inline uint32_t matching_packet(uint64_t t, uint32_t age, uint32_t last)
{
    if (t <= age)
        return 0;
    return (uint32_t)MIN(t - age, last);
}

/* -- Odd n ------------------------------------------------------------------------------------- */

/* In the telephone model with odd n, in every round one node has no partner.
 *
 * The algorithm of matching.c for even E = n - 1 assigns roles to E - 1 nodes besides the source,
 * which leaves one node without a role. The roles rotate as follows: r, which receives M_t from the
 * source, needs no packet for that and sends none. So the node that idled in round t - 1 is r in
 * round t, and a member of T_{k-1} idles in round t instead of becoming r: the cycle of the sets
 * has one more station.
 *
 *     source ─M_t─► r     T_0 ─► T_1 ─► … ─► T_{k-1} ─► idle ─► r = the next T_0
 *
 * No send is lost, but each packet is missed by one node: the node that idled when it should have
 * received M_{t-k-1} (M_{t-k} for ℓ = 0). n = 5, E = 4, k = 2, the initial roles and round t:
 *
 *     T_0  T_1  idle
 *      1   2 3   4         0→4: M_t   1→3: M_{t-1}   3→1: M_{t-2}   2 idles
 *      4   1 3   2         the roles of round t+1
 *
 * Any node of T_{k-1} may idle: matching_odd_run lists the choices. Once the source has sent all
 * packets it may rest: r and the node that would idle exchange packets. After m - 1 + ⌈log2 E⌉
 * main rounds, final rounds repair the misses. Several choices are tried, until one ends at
 * bound_end or, for later choices, within one round of it.
 *
 * Bar-Noy, Kipnis and Schieber, section 5, only sketch an algorithm that ends within
 * (m-1) + ⌈log2 n⌉ + m/(n-1) + O(1); the construction is our own.
 */

/* The hooks of algorithm.h, for odd n ≥ 3. Exactly m - 1 + k + ⌈m / (n-1)⌉ rounds for n = 2^k + 1,
 * and ⌈log2 n⌉ for m = 1 (the binomial tree); docs/algorithms/complete.md lists the measured rounds
 * for other n. The end is known by closed form or by running the choices without building, if that
 * takes less than about half a second; otherwise it is ALGORITHM_UNKNOWN. A build performs
 * one run (matching_odd_run) for each choice that is tried, mostly 20 or fewer, and one more run
 * if the first choice is not the best. Choices that would exchange no nodes are not tried. */
uint64_t matching_odd_end(const struct collective *collective);
bool matching_odd_build(const struct collective *collective, struct schedule *schedule,
                        struct err *err);

/* -- Runs of odd n ----------------------------------------------------------------------------- */

/* One run of the matching algorithm for odd n in the telephone model.
 *
 * The comment above explains the construction. It leaves some choices open; a run uses one set of
 * choices. */

/* How members of Y and Z, which never idle in their roles, are made to idle. The node of T_{k-1}
 * that misses the fewest packets idles, so that misses are spread over all nodes. A member of Y or
 * Z that misses few packets is exchanged with a node of T_{k-1} that misses many. In the long run
 * this costs no rounds, because a node that lacks its nominal packet sends another useful packet
 * (the oldest). */
struct matching_odd_choice {
    uint32_t lead;  /* minimum difference in misses for an exchange; 0: never exchange */
    uint64_t start; /* first round with exchanges */
    bool last;      /* also in the last main round, if the node of T_{k-1} misses no fewer */
    uint32_t rest;  /* last main rounds in which node 0 rests if the idle node can replace it */
};

#define MATCHING_ODD_LEADS 3 /* leads are 0 … 3 */

struct matching_odd_run {
    uint32_t n, m;
    struct matching_roles roles; /* for E = n - 1 */
    uint32_t settled;            /* packets 1 … settled are due at all nodes */
    uint64_t t;                  /* the current round */
    uint32_t idle;               /* the node that idles, or idled in the previous round */

    /* [lead]: the last round of a run without exchanges in which this lead would exchange two
     * nodes; 0 if there is none */
    uint64_t apart[MATCHING_ODD_LEADS + 1];

    struct holdings holdings;
    void *memory;      /* storage of all arrays (arena.h) */
    uint32_t *missing; /* [node]: number of packets 1 … settled that it lacks */
    uint32_t *idled;   /* [node]: number of rounds in which it idled */
    uint32_t *role;    /* [position]: node */
    uint32_t *next;    /* roles of the next round; between rounds scratch for n nodes */
    bool *paired;      /* [node], in a final round */
    uint64_t *marks;   /* scratch, a bit for each node, all 0 */
    uint32_t *bucket;  /* scratch, [n + 1] */

    struct schedule *schedule; /* NULL: only count the rounds */
    struct transfer *scratch;  /* [n]: the transfers of a round without a schedule */
    struct transfer *transfer; /* transfers of the round */
    size_t count;
};

/* Prepares runs for n and m of a collective, n odd and ≥ 3. E104. Free with
 * matching_odd_run_free. */
bool matching_odd_run_init(struct matching_odd_run *run, const struct collective *collective,
                           struct err *err);
void matching_odd_run_free(struct matching_odd_run *run);

/* Simulates all rounds and appends them to `schedule` unless it is NULL. Returns their number, or 0
 * with E104 (only with a schedule). May be called repeatedly. m - 1 + ⌈log2(n - 1)⌉ main rounds of
 * O(n·(1 + m/64)), then up to ⌈m/2⌉ final rounds of O(i²·m/64), in which the i ≤ min(n, m) nodes
 * that lack a packet meet. */
uint64_t matching_odd_run(struct matching_odd_run *run, struct matching_odd_choice choice,
                          struct schedule *schedule, struct err *err);

/* After a run of lead 0, returns whether a run of this choice would also exchange no nodes, apart
 * from `last`, and so would be identical. */
bool matching_odd_is_none(const struct matching_odd_run *run, struct matching_odd_choice choice);

/* -- Several ports ----------------------------------------------------------------------------- */

/* The matching algorithm for nodes of k ports, m/k + log n / log (k+1) rounds.
 *
 * The ports of all nodes are divided among independent streams. A stream of p ports has roles of
 * its own (ports_roles.h) and delivers p (T - L_p) + 1 packets to all nodes in T rounds, where L_p
 * is ⌈log n / log (p+1)⌉. One stream of all ports is best where it exists, for nearly all n ≥ 3k.
 * Otherwise
 *
 *     k ≥ n - 1      streams of n - 1 ports each, which take two rounds for a batch, and
 *                    streams of the remaining ports
 *     n < 3k         as few equal streams as have roles
 *
 * Packets before the first batch are empty. If m is known, packets after a stream's last packet
 * stand for its last packet, and are not sent to nodes that have it. If m is not known (`stream` of
 * struct collective), they are empty, and the streams take the packets in turn, so that the
 * transfers of a packet do not depend on m.
 *
 * Sources: ports_roles.h. */

/* Returns the end of a broadcast in the send-receive model. O(k log m). */
uint64_t matching_ports_end(const struct collective *collective);

/* Appends the rounds of the broadcast. E104. O(transfers + n log n). */
bool matching_ports_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err);

#endif
