/* collective: what is asked for. */
#ifndef ROUNDCAST_COLLECTIVE_H
#define ROUNDCAST_COLLECTIVE_H

#include "sched/base/rational.h"
#include "sched/schedule/model.h"
#include "sched/shape/topology.h"

#include <stddef.h>

/* Which packets there are, of n processors, with `source` or not: all m of a broadcast, else one
 * for each pair.
 *
 *     broadcast   1 … m            from the source to all
 *     scatter     p = 1 … n-1      from the source to the p-th of the others
 *     gather      p = 1 … n-1      from the p-th of the others to the source
 *     multinode   x + 1            from x to all
 *     exchange    x(n-1) + p       from x to the p-th of the others
 *     simultaneous  1 … m          the p-th from the p-th of `sources` to all
 *
 * in ascending order of the leaves for source 0; for another source moved as topology_move moves
 * them. A hypercube has broadcast, multinode and simultaneous. */
enum collective_kind {
    COLLECTIVE_BROADCAST,
    COLLECTIVE_SCATTER,
    COLLECTIVE_GATHER,
    COLLECTIVE_MULTINODE,
    COLLECTIVE_EXCHANGE,
    COLLECTIVE_SIMULTANEOUS,
    COLLECTIVE_KINDS
};

/* What is asked of a kind; its demands are those for source 0, from 0 on by ascending packet. */
struct collective_row {
    const char *name;
    uint64_t (*demands)(uint64_t n); /* of n processors */
    void (*demand)(uint32_t n, uint32_t which, uint32_t *from, uint32_t *to);
    uint32_t (*packet)(uint32_t n, uint32_t from, uint32_t to); /* that goes from one to another */
    /* a packet is for all others, else for one */
    bool to_all;
    bool counted; /* there are m packets, else one for each demand */
    bool listed;  /* their sources are asked for, one by one */
};

extern const struct collective_row collective_rows[COLLECTIVE_KINDS];

/* Who is told how far a schedule has come while it is built: `done` transfers of about `all`; tell
 * = NULL: nobody. */
struct watch {
    void (*tell)(void *with, size_t done, size_t all);
    void *with;
};

struct collective {
    uint32_t n; /* processors, 1 … SCHEDULE_MAX_NODES */
    /* packets of a broadcast, 1 … SCHEDULE_MAX_PACKETS, or of simultaneous ones, also 0; 1 in
       others */
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
    struct watch watch;
};

/* "broadcast", "scatter", … */
static inline const char *collective_name(enum collective_kind kind)
{
    return collective_rows[kind].name;
}

/* How many demands a collective of n processors has; and packets, but for broadcasts, which have m.
 * Those of simultaneous ones depend on the sources: 0. */
static inline uint64_t collective_demands(enum collective_kind kind, uint64_t n)
{
    return collective_rows[kind].demands(n);
}

static inline uint64_t collective_packets(const struct collective *collective)
{
    const struct collective_row *row = &collective_rows[collective->kind];
    return row->counted ? collective->m : row->demands(collective->n);
}

/* How many receipts are demanded: no schedule of the collective has fewer transfers. */
static inline uint64_t collective_receipts(const struct collective *collective)
{
    bool to_all = collective_rows[collective->kind].to_all;
    return collective_packets(collective) * (to_all ? collective->n - UINT64_C(1) : 1);
}

/* The packet from one leaf of a tree to another, for source 0 (algorithm.h); a scatter's or
 * gather's other leaf and an exchange's pair are distinct. */
static inline uint32_t collective_packet(enum collective_kind kind, uint32_t n, uint32_t from,
                                         uint32_t to)
{
    return collective_rows[kind].packet(n, from, to);
}

#endif
