/* SPDX-License-Identifier: Apache-2.0 */
/* collective: the kinds of collective communications, and their packets and demands. */
#ifndef ROUNDCAST_COLLECTIVE_H
#define ROUNDCAST_COLLECTIVE_H

#include "sched/base/compare.h"
#include "sched/base/rational.h"
#include "sched/schedule/model.h"
#include "sched/shape/topology.h"
#include "sched/traffic/traffic.h"

#include <stddef.h>

/* The packets of a collective of n processors, with or without a `source`. A broadcast has m
 * packets; the other kinds have m packets for each demand. With m = 1 the packets are
 *
 *     broadcast   1 … m            from the source to all nodes
 *     scatter     p = 1 … n-1      from the source to the p-th of the other nodes
 *     gather      p = 1 … n-1      from the p-th of the other nodes to the source
 *     all-gather  x + 1            from x to all nodes
 *     total-exchange  x(n-1) + p   from x to the p-th of the other nodes
 *     simultaneous  1 … m          packet p from the p-th of `sources` to all nodes
 *     traffic     any number       entry by entry of a matrix (traffic.h)
 *     demands     any number       the demands of a given schedule
 *     reduce      1 … m            from all nodes, combined, to the source
 *     reduce-scatter  x + 1        from all nodes, combined, to x
 *     all-reduce  1 … m            from all nodes, combined, to all nodes
 *     scan        1 … m            from nodes 0 … x, combined, to x, for each x
 *     exclusive-scan  1 … m        from nodes 0 … x - 1, combined, to x, for each x
 *
 * in ascending order of the processors for source 0. For another source the processors are mapped
 * as topology_move maps them, in a complete graph to (v + source) mod n. algorithm.h names the
 * topology that each algorithm supports. */
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
    COLLECTIVE_EXCLUSIVE_SCAN,
    COLLECTIVE_KINDS
};

/* The properties of a kind. The functions describe the demands for source 0, numbered from 0 by
 * ascending packet. */
struct collective_row {
    const char *name;
    const char *const *aliases; /* other names that are accepted, ending with NULL; NULL: none */
    uint64_t (*demands)(uint64_t n); /* number of demands for n processors */
    void (*demand)(uint32_t n, uint32_t which, uint32_t *from, uint32_t *to);
    /* the packet from one node to another */
    uint32_t (*packet)(uint32_t n, uint32_t from, uint32_t to);
    /* each packet is for all other nodes; false: for one node */
    bool to_all;
    bool rooted;    /* one node is the source of all packets or wants all packets */
    bool inward;    /* one node wants all packets */
    bool counted;   /* the collective has m packets; false: m packets for each demand */
    bool listed;    /* the request lists the source of each packet */
    bool weighed;   /* `load` gives the number of packets */
    bool written;   /* a given schedule defines the demands */
    bool combined;  /* all nodes contribute to a packet, and contributions are combined */
    bool prefix;    /* a node wants its own contribution and those of lower nodes, in order */
    bool exclusive; /* of a prefix: without its own contribution */
    /* for combined kinds: the collective whose schedule they reverse */
    enum collective_kind reversed;
};

extern const struct collective_row collective_rows[COLLECTIVE_KINDS];

struct schedule;  /* schedule.h */
struct algorithm; /* algorithm.h */

/* Receives the progress of a schedule that is being built: `done` transfers of about `all`. If
 * report is NULL, no progress is reported. */
struct watch {
    void (*report)(void *with, size_t done, size_t all);
    void *with;
};

struct collective {
    uint32_t n; /* number of processors, 1 … SCHEDULE_MAX_NODES */
    /* number of packets: of a broadcast 1 … SCHEDULE_MAX_PACKETS, of simultaneous broadcasts also
     * 0, in other kinds for each demand */
    uint32_t m;
    uint32_t source;
    enum model model;
    /* the kind that the algorithm implements, if there is an algorithm */
    enum collective_kind kind;
    struct rational lambda; /* latency of the postal model, ≥ 1; ignored in other models */
    /* degree d, for algorithms that have one; 0: the degree that finishes first */
    uint32_t degree;
    const struct topology *topology; /* topology of n processors; NULL: a complete graph */
    unsigned method;                 /* index in the algorithm's methods */
    uint64_t seed;                   /* seed of a method that draws random numbers */
    /* [m], for simultaneous broadcasts: ascending, a node once for each of its packets. NULL: the
     * sources are not known; an end can still be predicted. Ignored in other kinds. */
    const uint32_t *sources;
    struct traffic_load load;      /* for traffic and demands; zero in other kinds */
    const struct traffic *traffic; /* NULL: not known; an end can still be predicted */
    /* the schedule whose packets are requested; NULL in other kinds */
    const struct schedule *demands;
    /* for demands: find a schedule with the minimum number of rounds */
    bool exact;
    /* A search that is estimated to take longer is rejected with E104; 0: no limit. */
    uint64_t most_nanoseconds;
    /* ports of a node, in the models send-receive and postal; 0 means 1 */
    uint32_t ports;
    /* m is not known in advance, so no transfer of a packet may depend on m */
    bool stream;
    /* a reduction combines all packets by the same trees, whatever their number is */
    bool same_trees;
    bool priced;              /* send-receive traffic for which changes of settings take time */
    struct traffic_cost cost; /* that time, in cycles of a machine; 0 without a price */
    const struct decompose_method *decompose; /* NULL: the method that gives the best result */
    /* the algorithm whose schedule a reduction reverses; NULL: the one that ends first */
    const struct algorithm *by;
    struct watch watch;
};

/* Returns the name of a kind: "broadcast", "scatter", … */
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

/* Returns whether the links of the topology carry packets in one direction at a time. */
static inline bool collective_is_half_duplex(const struct collective *collective)
{
    return collective->topology != NULL && collective->topology->half_duplex;
}

/* Returns the number of demanded receipts, UINT64_MAX on overflow. It is a lower bound of the
 * number of transfers. */
static inline uint64_t collective_receipts(const struct collective *collective)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    uint64_t each = row->to_all || row->combined ? collective->n - UINT64_C(1) : 1;
    uint64_t receipts;
    bool large = __builtin_mul_overflow(collective_packets(collective), each, &receipts);
    return large ? UINT64_MAX : receipts;
}

/* Returns when the packets of a round, counted from 0, are sent (schedule.h) by a schedule that
 * sends in every round. In models with times a round takes one unit of time. */
static inline uint64_t collective_time(const struct collective *collective, uint64_t round)
{
    return model_has_times(collective->model) ? round * collective->lambda.denominator : round + 1;
}

/* Returns the end of a schedule of `rounds` rounds; 0 for none. In models with times the last
 * packet arrives λ after it was sent. */
static inline uint64_t collective_end(const struct collective *collective, uint64_t rounds)
{
    if (rounds == 0)
        return 0;
    uint64_t last = collective_time(collective, rounds - 1);
    return model_has_times(collective->model) ? last + collective->lambda.numerator : last;
}

/* Returns the number of rounds that a node needs to send `packets` packets over all its ports. */
static inline uint64_t collective_over_ports(const struct collective *collective, uint64_t packets)
{
    uint64_t ports = MAX(collective->ports, 1);
    return (packets + ports - 1) / ports;
}

/* Returns the number of endpoints of a multistage network; a node needs one for each port. */
static inline uint64_t collective_endpoints(const struct collective *collective)
{
    return (uint64_t)collective->n * MAX(collective->ports, 1);
}

/* Returns the number of rounds that the busiest node of the traffic needs. */
static inline uint64_t collective_busiest(const struct collective *collective)
{
    return collective_over_ports(collective, collective->load.degree);
}

/* Finds a collective by its name or an alias. Returns false if there is none. */
bool collective_parse(const char *name, enum collective_kind *kind);

/* Returns the node to which a collective with this source moves a node of one with source 0: by an
 * automorphism of the topology where one is used; else in cyclic order. */
static inline uint32_t collective_move(const struct topology *topology, uint32_t node,
                                       uint32_t source)
{
    const struct topology_row *row = topology_row(topology);
    return topology->any || row->move == NULL ? (node + source) % topology->nodes
                                              : row->move(topology, node, source);
}

/* Returns the packet from one processor to another, for source 0 (algorithm.h) and m = 1.
 * Precondition: in a scatter or gather one of them is the source; in a total exchange they
 * differ. */
static inline uint32_t collective_packet(enum collective_kind kind, uint32_t n, uint32_t from,
                                         uint32_t to)
{
    return collective_rows[kind].packet(n, from, to);
}

#endif
