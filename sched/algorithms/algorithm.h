/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm: the table of algorithms, one file each, that schedule the collectives.
 *
 * An algorithm for a complete graph is written for source 0; algorithm_build renames the nodes for
 * any other source (v becomes (v + source) mod n), so that algorithms need not handle it. In a tree
 * routers serve their children left to right, wherever the source is, so that renaming does not
 * work. On a topology other than the complete graph an algorithm therefore builds for the source
 * itself.
 */
#ifndef ROUNDCAST_ALGORITHM_H
#define ROUNDCAST_ALGORITHM_H

#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

#include <stdbool.h>
#include <stdint.h>

/* -- Guarantees -------------------------------------------------------------------------------- */

/* The end that a paper's theorem guarantees for an algorithm. A bound is a lower limit for every
 * algorithm; a guarantee is an upper limit for one algorithm. */

struct guarantee {
    uint64_t end;        /* no schedule of the algorithm ends later: rounds or ticks */
    const char *formula; /* the formula as text */
    const char *source;  /* paper and theorem */
};

/* Fills *guarantee with an end in rounds or ticks. Returns true. */
bool guarantee_set(struct guarantee *guarantee, uint64_t end, const char *formula,
                   const char *source);

/* Fills *guarantee with a real number of units of `ticks` ticks each, rounded down to whole ticks,
 * because every end is whole. Returns false, without changing *guarantee, if the end is 2^62 ticks
 * or more. */
bool guarantee_set_real(struct guarantee *guarantee, double units, uint32_t ticks,
                        const char *formula, const char *source);

/* -- Algorithms -------------------------------------------------------------------------------- */

/* Value of `end` if the end is known only after the schedule has been built. */
#define ALGORITHM_UNKNOWN UINT64_MAX

struct algorithm {
    const char *name;
    const char *alias;           /* a former name, which is still accepted; NULL: none */
    const char *summary;         /* one line for `list` */
    const char *source;          /* paper and section */
    unsigned models;             /* bit 1u << model for each model that it keeps */
    const char *because;         /* why it keeps no other model of its topology; NULL: unstated */
    enum topology_kind topology; /* the topology it schedules; default: complete graph */
    enum collective_kind kind;   /* default: broadcast */
    /* names of the methods, the default first, then NULL; NULL: there is only one method */
    const char *const *methods;
    /* Bits of the models in which the collective's own name selects this algorithm, if several
     * algorithms of the topology schedule that collective. */
    unsigned usual_models;
    unsigned method_models; /* bits of the models in which there is a choice of methods; 0: all */
    /* Bits of the models in which the algorithm itself uses several ports of a node. In other
       models a broadcast is built of stripes (below), and every other algorithm uses one
       port. */
    unsigned several_ports;
    /* Returns whether every packet keeps to one port of each node (route/ports_to_nodes.h), so that
       a network can run the schedule. NULL: never. Stripes always do. Precondition: several
       ports. */
    bool (*keeps_ports)(const struct collective *collective);
    bool streams; /* can broadcast a stream of unknown length (struct collective) */
    /* Number of ports up to which all packets of a demand go by the same tree, whatever their
     * number is; a reduction combines them by the same tree for all nodes that want the same
     * result. 0: none, and for algorithms that reverse another one, which decides (best_by). */
    uint32_t same_trees;
    /* A node may send a partial result while it stores a receipt of it, for some n, m and λ;
     * endpoints of machines cannot (route/partial_results.h). */
    bool mixes;

    /* Returns whether a method draws from the collective's seed. NULL: no method does. */
    bool (*draws)(unsigned method);

    /* Returns the degree d of the algorithm's trees with the earliest end for this n, m and λ; 0 if
     * no degree is legal. NULL if the algorithm has no degree. Precondition: n ≥ 2. */
    uint32_t (*best_degree)(const struct collective *collective);

    /* Returns the algorithm whose schedule is reversed to reduce first; NULL if none is legal. NULL
     * if the algorithm reverses no other schedule. Precondition: n ≥ 2. */
    const struct algorithm *(*best_by)(const struct collective *collective);

    /* Checks that the algorithm accepts this n, m, model, λ and degree (0 if no degree is legal),
     * beyond what `models` says. NULL: always. E103 with the legal range. Precondition: n ≥ 2. */
    bool (*accepts)(const struct collective *collective, struct err *err);

    /* Returns the end of the schedule without building it: the last round, or the time in ticks
     * (schedule.h). ALGORITHM_UNKNOWN if the end is known only after building, or if there is no
     * memory. Precondition: accepts, n ≥ 2, the degree is chosen. */
    uint64_t (*end)(const struct collective *collective);

    /* Fills *guarantee with the end that the paper's theorem guarantees. Returns false if the
     * theorem does not cover the collective. NULL: no theorem. Precondition: as `end`. */
    bool (*guarantee)(const struct collective *collective, struct guarantee *guarantee);

    /* Appends the steps to a schedule that already has its packets and demands: for source 0 in a
     * complete graph, for the collective's source in other topologies. It may add demands for
     * packets of its own, such as control packets. Precondition: as `end`, and the sources are
     * known. */
    bool (*build)(const struct collective *collective, struct schedule *schedule, struct err *err);
};

/* All algorithms, in the order in which `list` and `plan` print; ends with NULL. */
extern const struct algorithm *const algorithm_table[];

/* Returns whether the algorithm sends or combines all packets of a demand by the same trees, over
 * the ports of the collective. */
static inline bool algorithm_has_same_trees(const struct algorithm *algorithm,
                                            const struct collective *collective)
{
    return MAX(collective->ports, 1) <= algorithm->same_trees;
}

/* Finds an algorithm by its name or its former name. Returns NULL if there is none; E103 suggests
 * the nearest name. */
const struct algorithm *algorithm_find(const char *name, struct err *err);

/* Finds the algorithm that a name selects on a topology. The name of a collective, such as scatter
 * or all-to-all, selects the topology's own algorithm for that collective: if it `reverses` a given
 * schedule, one that does so, otherwise the only one that keeps the model (NULL: the first model of
 * the topology), or the one with the model in usual_models, or else one that states a reason for
 * not keeping the model. Any other name is looked up by algorithm_find. Returns NULL if there is
 * none; E103 suggests the nearest name. O(algorithms). */
const struct algorithm *algorithm_find_on(const char *name, enum topology_kind topology,
                                          const enum model *model, bool reverses, struct err *err);

/* Returns the collective with the algorithm's kind, and with the best degree and the best algorithm
 * to reverse where none was given. Precondition: n ≥ 1. */
struct collective algorithm_choose(const struct algorithm *algorithm,
                                   const struct collective *collective);

/* Checks that n, m, source and sources are in their ranges, and that the sources ascend. E102.
 * O(m). */
bool algorithm_check_range(const struct collective *collective, struct err *err);

/* Checks that the algorithm can schedule the collective: the ranges of n, m, source and λ, the
 * model, topology, ports, degree and method, and the hook `accepts`. E102, E103. */
bool algorithm_check(const struct algorithm *algorithm, const struct collective *collective,
                     struct err *err);

/* Returns the end of the schedule without building it, with the best degree if none is given; 0 for
 * n = 1. ALGORITHM_UNKNOWN if the end is known only after building, or if there is no memory.
 * Precondition: algorithm_check. */
uint64_t algorithm_end(const struct algorithm *algorithm, const struct collective *collective);

/* Fills *guarantee with the end that a theorem guarantees, with the best degree if none is given.
 * Returns false, without changing *guarantee, if no theorem covers the collective, for several
 * ports, for half-duplex links, or for n = 1. Precondition: algorithm_check. */
bool algorithm_guarantee(const struct algorithm *algorithm, const struct collective *collective,
                         struct guarantee *guarantee);

/* Returns whether a network has the ports that the schedule needs: each node has one port, or every
 * packet keeps to one port of each node. */
bool algorithm_keeps_ports(const struct algorithm *algorithm, const struct collective *collective);

/* Returns the number of methods; 1 if they have no names. */
unsigned algorithm_methods(const struct algorithm *algorithm);

/* Returns the name of a method; NULL if that model has only one. */
const char *algorithm_method_name(const struct algorithm *algorithm, enum model model,
                                  unsigned method);

/* Returns the algorithm's default model. */
enum model algorithm_model(const struct algorithm *algorithm);

/* Checks the collective and builds its schedule; n = 1 is a legal broadcast without transfers.
 * `schedule` must be zero or freed. E102, E103 (also for simultaneous broadcasts of unknown
 * sources), E104. */
bool algorithm_build(const struct algorithm *algorithm, const struct collective *collective,
                     struct schedule *schedule, struct err *err);

/* -- Several ports ----------------------------------------------------------------------------- */

/* Broadcasts over k ports of each node, by an algorithm that uses one port.
 *
 *     path, n = 3, m = 3, k = 2     round 1    0→1 1, 2
 *     stripe 0: packets 1, 3        round 2    0→1 3  1→2 1, 2
 *     stripe 1: packet 2            round 3    1→2 3
 *
 * Packet p belongs to stripe (p - 1) mod k. Each stripe is a broadcast of ⌈m/k⌉ or ⌊m/k⌋ packets by
 * the algorithm, and uses one port of each node. So the schedule takes as long as ⌈m/k⌉ packets
 * over one port. */

/* Returns whether the collective is built of stripes: several ports are given, and the algorithm
 * broadcasts in a complete graph and does not use several ports itself. */
bool stripes_are_built(const struct algorithm *algorithm, const struct collective *collective);

/* Returns the collective of the largest stripe, or a copy of the collective if it has no stripes.
 * O(1). */
struct collective stripes_of(const struct algorithm *algorithm,
                             const struct collective *collective);

/* Appends the steps of all stripes, for source 0. Preconditions: stripes_are_built, and the degree
 * is chosen. Errors as algorithm_build. O(transfers). */
bool stripes_build(const struct algorithm *algorithm, const struct collective *collective,
                   struct schedule *schedule, struct err *err);

#endif
