/* SPDX-License-Identifier: Apache-2.0 */
/* verify_reducing: the common part of the checks of reductions: the transfers of one packet, and
 * the nodes that take part in them. */
#ifndef ROUNDCAST_VERIFY_REDUCING_H
#define ROUNDCAST_VERIFY_REDUCING_H

#include "sched/verify/verifier.h"

#define COLUMNS 64 /* destinations that are counted at once */
#define NOT_LOCAL UINT32_MAX

/* Counts for each column, as bits: counted at least once, at least twice. */
struct weight {
    uint64_t once, twice;
};

/* Contributors first … last - 1, by position; none if they are equal. */
struct interval {
    uint32_t first, last;
};

/* The state of a node for the current packet. */
struct place {
    uint32_t node;
    /* position among the contributors; NOT_LOCAL: the node does not contribute */
    uint32_t position;
    uint32_t copy;               /* nodes with equal numbers hold copies of one result */
    struct weight own, received; /* how often they are counted in the results */
    bool is_split;               /* the received contributions are on both sides of its own */
    struct interval all, only_received; /* for ordered reductions */
    uint8_t count_own, count_received;  /* how often the traced contributor is included, up to 2 */
    uint32_t same;                      /* number of wanting nodes that hold the same copy */
};

/* A transfer of the packet. */
struct hop {
    size_t index;
    uint32_t from, to; /* indices of the places */
    unsigned combining;
    uint32_t copy;
    struct weight weight; /* how often its content is counted */
    bool is_split;        /* it carries contributions on both sides of the sender's own */
    struct interval carries;
    /* columns in which the receiver's own contribution counts when the transfer arrives */
    uint64_t live_own;
    uint8_t count;
};

/* A destination, with its copy of a result or its node as key. */
struct pair {
    uint32_t by, node;
};

struct reducing {
    struct verifier *v;
    bool idempotent;
    size_t *by_packet; /* [transfers] indices, ascending by packet, then index */
    uint32_t *local;   /* [all] place of a node; NOT_LOCAL: it takes part in no transfer */

    /* the state of one packet */
    const struct demand *demand;
    uint32_t packet;
    uint32_t contributors;
    size_t hops, places, room;
    struct hop *hop;
    struct place *place;
    uint32_t *column;      /* [COLUMNS] place of each destination */
    struct pair *pair;     /* [2 · hops] */
    uint32_t destinations; /* destinations that take part in a transfer */
    size_t *event;         /* [2 · hops] in order of time: twice the hop, plus 1 for its arrival */
};

/* Returns the position of a contributor; NOT_LOCAL if the node does not contribute. O(log
 * contributors). */
uint32_t reducing_position(const struct schedule *schedule, const struct demand *demand,
                           uint32_t node);

/* Returns the node that has a position. */
static inline uint32_t reducing_node(const struct demand *demand, uint32_t position)
{
    const struct reduction *reduction = demand->reduction;
    return reduction->contributor_count > 0 ? reduction->contributor[position] : position;
}

/* Calls `packet` for each combined packet that is sent, with its transfers index[0 … hops-1], and
 * `unsent` for each range of packets of a demand that are not sent, until one of them returns
 * false. The state of the packet has its demand, number and contributors. Precondition: only v,
 * idempotent and column are set. E104. O(transfers + nodes), without the calls. */
bool reducing_each(struct reducing *reducing,
                   bool (*packet)(struct reducing *reducing, const size_t index[], size_t hops),
                   bool (*unsent)(struct reducing *reducing, uint32_t packets));
void reducing_free(struct reducing *reducing);

/* Sets up the state of one packet with the transfers index[0 … hops-1]. E104. O(hops · log
 * steps). */
bool reducing_begin_packet(struct reducing *reducing, const size_t index[], size_t hops);
void reducing_end_packet(struct reducing *reducing);

/* Checks that an ordered packet combines only partial results of adjacent intervals. Returns true
 * if it does: then `all` and, unless it is split, `only_received` of each place have the
 * contributions of their interval, each once. O(hops). */
bool reducing_check_order(struct reducing *reducing);

#endif
