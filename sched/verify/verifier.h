/* SPDX-License-Identifier: Apache-2.0 */
/* verifier: the state of a verification and its messages, for verify.c and the rules. */
#ifndef ROUNDCAST_VERIFIER_H
#define ROUNDCAST_VERIFIER_H

#include "sched/schedule/held.h"
#include "sched/verify/verify.h"

#include <stdatomic.h>

/* The last actions of a node, as stamps: step index + 1, 0 for never. */
struct port {
    uint32_t sent, received;
};

/* Telephone: the last node with which a node had a call. In a network that copies: the last packet
 * that a node sent. In a network that combines: the last packet that a node received, 0 if it may
 * not be combined. In a network that does both, of nodes that receive, at [all + node]. */
struct meeting {
    uint32_t stamp, with;
};

/* In a network that combines and copies: the transfers of a node in a step, as the sender or, at
 * [all + node], as the receiver: the node of the first one, and whether there are more. */
struct partners {
    uint32_t stamp, first;
    bool several;
};

/* The node where a packet starts, and the node that wants it: VERIFIER_ALL for every node,
 * VERIFIER_SOME if the demand lists several, VERIFIER_COMBINED if the packet is combined. */
struct home {
    uint32_t source, wanted;
};

#define VERIFIER_ALL UINT32_MAX
#define VERIFIER_SOME (UINT32_MAX - 1)
#define VERIFIER_COMBINED (UINT32_MAX - 2)

/* The checks of a walk over the schedule: all rules; that packets are held and arrive; or the rules
 * of ports. */
enum verifier_walk { VERIFIER_ALL_RULES, VERIFIER_HELD, VERIFIER_PORTS, VERIFIER_WALKS };

struct verifier {
    const char *name;
    const struct schedule *schedule;
    struct verify_report *report;
    struct err *err;
    /* called for each breach until it returns false; NULL: only the first breach is reported */
    bool (*visit)(void *with, const struct err *breach);
    void *with;
    uint64_t breaches;
    atomic_bool *over; /* of two walks: one has found a breach; NULL if there is one walk */
    uint64_t met;      /* demanded pairs (node, packet) that have arrived */
    struct held held;
    struct port *port; /* [all] */
    /* A sender (receiver) with this stamp or a later one is still busy: the step's own stamp,
     * except in models with times. */
    uint32_t since;
    /* [all]; NULL except in the telephone model and in networks that copy or combine */
    struct meeting *meeting;
    struct partners *partners; /* [2 · all]; NULL except in networks that combine and copy */
    struct uses *uses;         /* [2 · all]; NULL if nodes have one port */
    uint32_t *ring;            /* [2 · all][ring_size]; NULL except in models with times */
    uint32_t ring_size;
    /* [largest step]; NULL except in the telephone model with several ports */
    struct call *call;
    uint32_t *lane;              /* stamps of lanes; NULL except in the multiport model */
    uint32_t *arc;               /* [nodes][arcs] stamps of arcs; NULL in models without arcs */
    const struct demand *demand; /* the demand that was used last */
    uint32_t homes;              /* home[] covers packets 1 … homes */
    struct home *home;           /* home[homes], by packet - 1 */
    uint32_t data; /* packets 1 … data carry the payload, those after them are control packets */
    /* [demands] stamps of the first sending of each value; NULL without control packets */
    uint32_t *left;
};

/* Returns the demand of a packet. */
const struct demand *verifier_demand_of(struct verifier *v, uint32_t packet);

static inline struct home verifier_home(const struct demand *demand)
{
    uint32_t wanted = demand->reduction != NULL   ? VERIFIER_COMBINED
                      : demand->wanted_count == 0 ? VERIFIER_ALL
                      : demand->wanted_count == 1 ? demand->wanted[0]
                                                  : VERIFIER_SOME;
    return (struct home){demand->source, wanted};
}

static inline struct home verifier_home_of(struct verifier *v, uint32_t packet)
{
    return packet <= v->homes ? v->home[packet - 1] : verifier_home(verifier_demand_of(v, packet));
}

/* Returns whether a node holds a packet. The node where it starts holds it without a receipt, as do
 * nodes that share its memory. */
static inline bool verifier_holds(struct verifier *v, uint32_t node, uint32_t packet)
{
    uint32_t source = verifier_home_of(v, packet).source;
    bool own =
        v->held.shared > 1 ? source / v->held.shared == node / v->held.shared : source == node;
    return own || held_test(&v->held, node, packet);
}

/* Returns whether the sender of transfer `index` has what it sends. For a combined packet that is
 * its own contribution or a received one; with COMBINING_RECEIVED only the latter. */
bool verifier_has_partial(struct verifier *v, size_t index);

static inline bool verifier_has(struct verifier *v, size_t index)
{
    if (v->schedule->has_reductions)
        return verifier_has_partial(v, index);
    const struct transfer *now = &v->schedule->transfer[index];
    return verifier_holds(v, now->source, now->packet);
}

/* Counts a breach; the first one is reported at the line of transfer `index`. */
void verifier_breach(struct verifier *v, size_t index, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Records a breach at the line of demand `which`. */
void verifier_breach_demand(struct verifier *v, size_t which, enum err_code code,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Writes when a transfer is sent: "round 3" or "time 5/2". Returns text. */
const char *verifier_time_of(const struct verifier *v, size_t index, char text[SCHEDULE_TIME_TEXT]);

/* Report that the node sends (receives) transfer `index` as its second one at a time, and that the
 * sender of the transfer does not hold the packet. */
void verifier_breach_twice(struct verifier *v, size_t index, uint32_t node, bool sends);
void verifier_breach_not_held(struct verifier *v, size_t index);

/* Reports that the network would copy and combine the packet of transfer `index`: its sender
 * `sender` sends to several nodes, and `receiver` receives from several. */
void verifier_breach_both(struct verifier *v, size_t index, uint32_t sender, uint32_t receiver);

/* Report that the node has two partners (telephone), and that it sends and receives (telegraph). */
void verifier_breach_pairing(struct verifier *v, size_t index, uint32_t node);
void verifier_breach_half_duplex(struct verifier *v, size_t index, uint32_t node);

/* Returns whether the text of the next breach is needed. Count a breach without text otherwise. */
static inline bool verifier_reports(const struct verifier *v)
{
    return v->breaches == 0 || v->visit != NULL;
}

/* Verifies like verify_schedule, with two threads from `least` transfers on. */
bool verify_schedule_from(size_t least, const char *name, const struct schedule *schedule,
                          struct verify_report *report, struct err *err);

/* -- Reductions -------------------------------------------------------------------------------- */

/* Checks that each contribution is counted once in each result that a reduction wants.
 *
 * A node has two components of a combined packet: its own contribution, and what it has received.
 * The partial result that it sends is the combination of both. The contribution of node c is
 * counted in the result at node d as often as there are paths from c to d along transfers in order
 * of time. Going back from d counts them for all contributors:
 *
 *     1 2 7    round 1                 back from node 0:   w(0) = 1
 *     3 2 7    round 2                 round 3             w(2) = w(0) = 1
 *     2 0 7    round 3                 rounds 2 and 1      w(3) = w(1) = w(2) = 1
 *
 * The weights are exact and saturate at 2. 64 destinations are counted at once, a bit each in two
 * words, and destinations that hold the same copy of a result are counted once. */

/* Returns whether the node contributes to the combined packets of a demand. O(log contributors). */
bool verify_contributes(const struct schedule *schedule, const struct demand *demand,
                        uint32_t node);

/* Checks all reductions of a schedule. Counts a breach for each wrong triple of packet, destination
 * and contributor (E310, E311), and for each transfer that combines out of order (E312). With
 * `idempotent` a contribution may be counted several times, unless the reduction is ordered.
 * Returns false with E104. O(transfers · ⌈different results of a packet / 64⌉ + nodes), memory
 * O(transfers + nodes). */
bool verify_reductions(struct verifier *v, bool idempotent);

#endif
