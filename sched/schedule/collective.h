/* SPDX-License-Identifier: Apache-2.0 */
/* collective: the kinds of collectives, and their packets and demands. */
#ifndef ROUNDCAST_COLLECTIVE_H
#define ROUNDCAST_COLLECTIVE_H

#include "sched/base/compare.h"
#include "sched/base/rational.h"
#include "sched/schedule/model.h"
#include "sched/shape/topology.h"
#include "sched/traffic/traffic.h"

#include <stddef.h>

/* The packets of a collective of n processors, with or without a `source`: a broadcast has m
 * packets, the others m for each demand. With m = 1 the demands are
 *
 *     broadcast   1 … m            from the source to all
 *     scatter     p = 1 … n-1      from the source to the p-th of the others
 *     gather      p = 1 … n-1      from the p-th of the others to the source
 *     all-gather  x + 1            from x to all
 *     total-exchange  x(n-1) + p   from x to the p-th of the others
 *     simultaneous  1 … m          the p-th from the p-th of `sources` to all
 *     traffic     as many as there are, entry by entry of a matrix (traffic.h)
 *     demands     any: those of a schedule
 *     reduce      1 … m            of all, combined, to the source
 *     reduce-scatter  x + 1        of all, combined, to x
 *     all-reduce  1 … m            of all, combined, to all
 *     scan        1 … m            of nodes 0 … x, combined, to x, for each x
 *
 * in ascending order of the processors for source 0; for another source moved as topology_move
 * moves them, in a complete graph by (v + source) mod n. In a tree m is 1. A complete graph has all
 * but simultaneous; a hypercube has broadcast, all-gather and simultaneous. */
enum collective_kind {
    COLLECTIVE_BROADCAST,
    COLLECTIVE_SCATTER,
    COLLECTIVE_GATHER,
    COLLECTIVE_ALL_GATHER,
    COLLECTIVE_TOTAL_EXCHANGE,
    COLLECTIVE_SIMULTANEOUS,
    COLLECTIVE_TRAFFIC,
    COLLECTIVE_DEMANDS,
    COLLECTIVE_REDUCE,
    COLLECTIVE_REDUCE_SCATTER,
    COLLECTIVE_ALL_REDUCE,
    COLLECTIVE_SCAN,
    COLLECTIVE_KINDS
};

/* The properties of a kind; its demands are those for source 0, numbered from 0 by ascending
 * packet. */
struct collective_row {
    const char *name;
    const char *const *aliases; /* other names that are accepted, ending with NULL; NULL: none */
    uint64_t (*demands)(uint64_t n); /* of n processors */
    void (*demand)(uint32_t n, uint32_t which, uint32_t *from, uint32_t *to);
    uint32_t (*packet)(uint32_t n, uint32_t from, uint32_t to); /* that goes from one to another */
    /* a packet is for all others, else for one */
    bool to_all;
    bool rooted;   /* all packets start at one node, or one node wants them */
    bool inward;   /* one node wants them */
    bool counted;  /* there are m packets, else m for each demand */
    bool listed;   /* their sources are asked for, one by one */
    bool weighed;  /* their load says how many there are */
    bool written;  /* and a schedule which */
    bool combined; /* all nodes contribute to a packet, and contributions are combined */
    bool prefix;   /* a node wants its own contribution and those of lower nodes; in order */
    enum collective_kind reversed; /* of combined ones: the collective that they are backwards */
};

extern const struct collective_row collective_rows[COLLECTIVE_KINDS];

struct schedule;  /* schedule.h */
struct algorithm; /* algorithm.h */

/* Receives the progress of a schedule that is being built: `done` transfers of about `all`. With
 * report = NULL nothing is reported. */
struct watch {
    void (*report)(void *with, size_t done, size_t all);
    void *with;
};

struct collective {
    uint32_t n; /* processors, 1 … SCHEDULE_MAX_NODES */
    /* packets of a broadcast, 1 … SCHEDULE_MAX_PACKETS, or of simultaneous ones, also 0; in others
       of each demand */
    uint32_t m;
    uint32_t source;
    enum model model;
    enum collective_kind kind; /* that of the algorithm, if there is one */
    struct rational lambda;    /* of the postal model, ≥ 1; not looked at in others */
    /* d of the algorithms that have one; 0: the one that finishes first */
    uint32_t degree;
    const struct topology *topology; /* of n processors; NULL: a complete graph */
    unsigned method;                 /* index in the algorithm's methods */
    uint64_t seed;                   /* of what the method draws, if it does */
    /* [m] of simultaneous broadcasts: ascending, a node once for each of its packets; NULL: not
       known, which is enough to predict an end; not looked at in other kinds */
    const uint32_t *sources;
    struct traffic_load load;       /* of traffic; of demands the packets; zero in others */
    const struct traffic *traffic;  /* NULL: not known, which is enough to predict an end */
    const struct schedule *demands; /* whose packets are asked for; NULL in other kinds */
    bool exact;                     /* of demands: in the fewest rounds that there are */
    /* A search that is estimated to take longer is rejected with E104; 0: no limit. */
    uint64_t most_nanoseconds;
    uint32_t ports;           /* of a node, in the models send-receive and postal; 0 or 1: one */
    bool stream;              /* m is not known in advance: no transfer of a packet depends on it */
    bool priced;              /* traffic by send-receive whose changes of settings take time: … */
    struct traffic_cost cost; /* … in cycles of a machine; 0 in others */
    const struct decompose_method *decompose; /* NULL: the best of all */
    /* whose schedule a reduction reverses; NULL: the one that ends first */
    const struct algorithm *by;
    struct watch watch;
};

/* "broadcast", "scatter", … */
static inline const char *collective_name(enum collective_kind kind)
{
    return collective_rows[kind].name;
}

/* Returns the kind of topology that the collective runs on. */
static inline enum topology_kind collective_topology_kind(const struct collective *collective)
{
    return collective->topology != NULL ? collective->topology->kind : TOPOLOGY_COMPLETE;
}

/* Returns the number of demands of a collective of n processors; 0 for simultaneous broadcasts,
 * whose demands depend on the sources. */
static inline uint64_t collective_demands(enum collective_kind kind, uint64_t n)
{
    return collective_rows[kind].demands(n);
}

/* Returns the number of packets; UINT64_MAX on overflow. */
static inline uint64_t collective_packets(const struct collective *collective)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    uint64_t packets;
    if (row->counted || row->weighed)
        return row->counted ? collective->m : collective->load.packets;
    bool large = __builtin_mul_overflow(row->demands(collective->n), collective->m, &packets);
    return large ? UINT64_MAX : packets;
}

/* Returns whether the links of its topology carry packets in one direction at a time. */
static inline bool collective_is_half_duplex(const struct collective *collective)
{
    return collective->topology != NULL && collective->topology->half_duplex;
}

/* Returns the number of demanded receipts, UINT64_MAX on overflow: a lower bound of the number of
 * transfers. */
static inline uint64_t collective_receipts(const struct collective *collective)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    uint64_t each = row->to_all || row->combined ? collective->n - UINT64_C(1) : 1;
    uint64_t receipts;
    bool large = __builtin_mul_overflow(collective_packets(collective), each, &receipts);
    return large ? UINT64_MAX : receipts;
}

/* When the packets of a round, counted from 0, are sent (schedule.h) by a schedule that sends in
 * every round, which in the models with times is a unit. */
static inline uint64_t collective_time(const struct collective *collective, uint64_t round)
{
    return model_has_times(collective->model) ? round * collective->lambda.denominator : round + 1;
}

/* The end of so many rounds, 0 of none: in models with times the last packet arrives λ after it was
 * sent. */
static inline uint64_t collective_end(const struct collective *collective, uint64_t rounds)
{
    if (rounds == 0)
        return 0;
    uint64_t last = collective_time(collective, rounds - 1);
    return model_has_times(collective->model) ? last + collective->lambda.numerator : last;
}

/* The rounds that a node needs to send so many packets over all its ports. */
static inline uint64_t collective_over_ports(const struct collective *collective, uint64_t packets)
{
    uint64_t ports = MAX(collective->ports, 1);
    return (packets + ports - 1) / ports;
}

/* Endpoints of a multistage network that nodes of several ports need. */
static inline uint64_t collective_endpoints(const struct collective *collective)
{
    return (uint64_t)collective->n * MAX(collective->ports, 1);
}

/* The rounds that the busiest node of traffic needs. */
static inline uint64_t collective_busiest(const struct collective *collective)
{
    return collective_over_ports(collective, collective->load.degree);
}

/* Finds a collective by its name or an alias. Returns false if there is none. */
bool collective_parse(const char *name, enum collective_kind *kind);

/* The packet from one processor to another, for source 0 (algorithm.h) and m = 1; a scatter's or
 * gather's other one and an exchange's pair are distinct. */
static inline uint32_t collective_packet(enum collective_kind kind, uint32_t n, uint32_t from,
                                         uint32_t to)
{
    return collective_rows[kind].packet(n, from, to);
}

#endif
