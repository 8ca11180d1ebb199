/* SPDX-License-Identifier: Apache-2.0 */
/* algorithm: the table of algorithms, one file each, that schedule the collectives.
 *
 * An algorithm of a complete graph is written for source 0; algorithm_build renames the nodes for
 * any other source (v becomes (v + source) mod n), so that algorithms need not handle it. In a tree
 * routers serve their children left to right, wherever the source is, so that renaming does not
 * work. In a tree or hypercube an algorithm therefore builds for the source itself.
 */
#ifndef ROUNDCAST_ALGORITHM_H
#define ROUNDCAST_ALGORITHM_H

#include "sched/algorithms/guarantee.h"
#include "sched/schedule/collective.h"
#include "sched/schedule/schedule.h"

/* Returned by `end` if the end is known only after the schedule has been built. */
#define ALGORITHM_UNKNOWN UINT64_MAX

struct algorithm {
    const char *name;
    const char *alias;           /* a former name, which is still accepted; NULL: none */
    const char *summary;         /* one line for `list` */
    const char *source;          /* paper and section */
    unsigned models;             /* bit 1u << model for each model that it keeps */
    const char *because;         /* why it keeps no other model of its topology; NULL: not said */
    enum topology_kind topology; /* where it is at home; what is not said is a complete graph … */
    enum collective_kind kind;   /* … and a broadcast */
    /* names, the usual one first, ending with NULL; NULL: there is one way only */
    const char *const *methods;
    /* Bits of the models in which the collective's own name means this algorithm, where several
     * algorithms of the topology schedule it. */
    unsigned usual_models;
    unsigned method_models; /* bits of the models in which there is a choice of methods; 0: all */
    /* Bits of the models in which the algorithm itself uses several ports of a node. In others a
       broadcast is built of stripes (stripes.h), and an algorithm of another kind has one port. */
    unsigned several_ports;
    /* Returns whether every packet keeps to one port of each node (route/ports_to_nodes.h), so that
       a network runs the schedule. NULL: never. Stripes always do. Precondition: several ports. */
    bool (*keeps_ports)(const struct collective *collective);
    bool streams; /* it can broadcast packets whose number is not known (struct collective) */

    /* Returns true if a method draws from the collective's seed. NULL: no method does. */
    bool (*draws)(unsigned method);

    /* Returns the degree d of the algorithm's trees with the earliest end for this n, m and λ; 0 if
     * no degree is legal. NULL if the algorithm has no degree. Precondition: n ≥ 2. */
    uint32_t (*best_degree)(const struct collective *collective);

    /* The algorithm whose schedule, reversed, reduces first; NULL if there is none. NULL if the
     * algorithm reverses no other one. Precondition: n ≥ 2. */
    const struct algorithm *(*best_by)(const struct collective *collective);

    /* Are this n, m, model, λ and degree (0 if no degree is legal) legal for the algorithm, beyond
     * `models`? NULL: always. E103 with the legal range. Precondition: n ≥ 2. */
    bool (*accepts)(const struct collective *collective, struct err *err);

    /* Returns the end of the schedule without building it: the last round, or the time in ticks
     * (schedule.h). ALGORITHM_UNKNOWN if the end is known only after building, or if there is no
     * memory. Precondition: accepts, n ≥ 2, the degree is chosen. */
    uint64_t (*end)(const struct collective *collective);

    /* Fills *guarantee with what the paper's theorem guarantees for the end; false if it covers no
     * such collective. NULL: no theorem. Precondition: as `end`. */
    bool (*guarantee)(const struct collective *collective, struct guarantee *guarantee);

    /* Appends the steps to a schedule that already has its packets and demands: for source 0 in a
     * complete graph, for the collective's in a tree or hypercube. It may add demands for packets
     * of its own. Precondition: as `end`, and the sources are known. */
    bool (*build)(const struct collective *collective, struct schedule *schedule, struct err *err);
};

/* All algorithms, in the order in which `list` and `plan` print; ends with NULL. */
extern const struct algorithm *const algorithm_table[];

/* Finds an algorithm by its name or its former name. Returns NULL if there is none; E103 suggests
 * the nearest name. */
const struct algorithm *algorithm_find(const char *name, struct err *err);

/* Finds the algorithm that a name means on a topology. The name of a collective, such as scatter or
 * all-to-all, means the topology's own algorithm for that collective: the only one that keeps the
 * model (NULL: the first model of the topology), or the one whose usual_models has it, or else the
 * one that says why it does not keep the model. Any other
 * name is that of algorithm_find. E103 suggests the nearest. O(algorithms). */
const struct algorithm *algorithm_find_on(const char *name, enum topology_kind topology,
                                          const enum model *model, struct err *err);

/* Returns the collective with the algorithm's kind, and with the best degree if none was given.
 * Precondition: n ≥ 1. */
struct collective algorithm_choose(const struct algorithm *algorithm,
                                   const struct collective *collective);

/* Checks that n, m, source and sources are in their ranges and the sources in ascending order.
 * E102. O(m). */
bool algorithm_check_range(const struct collective *collective, struct err *err);

/* Checks that the algorithm can schedule the collective: the ranges of n, m, source and λ, the
 * model, the degree, and the hook `accepts`. E102, E103. */
bool algorithm_check(const struct algorithm *algorithm, const struct collective *collective,
                     struct err *err);

/* Returns the end of the schedule without building it, with the best degree if none is given (0 for
 * n = 1). ALGORITHM_UNKNOWN if the end is known only after building, or if there is no memory.
 * Precondition: algorithm_check. */
uint64_t algorithm_end(const struct algorithm *algorithm, const struct collective *collective);

/* Fills *guarantee with what a theorem guarantees for the end of the schedule, with the best degree
 * if none is given. Returns false, without changing *guarantee, if no theorem covers the
 * collective, or for n = 1. Precondition: algorithm_check. */
bool algorithm_guarantee(const struct algorithm *algorithm, const struct collective *collective,
                         struct guarantee *guarantee);

/* Returns whether a network has the ports that the schedule needs: a node has one, or every packet
 * keeps to one. */
bool algorithm_keeps_ports(const struct algorithm *algorithm, const struct collective *collective);

/* Number of methods, 1 if they have no names. */
unsigned algorithm_methods(const struct algorithm *algorithm);

/* Returns the name of a method; NULL if there is no choice in that model. */
const char *algorithm_method_name(const struct algorithm *algorithm, enum model model,
                                  unsigned method);

/* Returns the algorithm's default model. */
enum model algorithm_model(const struct algorithm *algorithm);

/* Checks the collective and builds its schedule; n = 1 is a legal broadcast without transfers.
 * `schedule` must be zero or freed. E102, E103, also for simultaneous broadcasts of unknown
 * sources, E104. */
bool algorithm_build(const struct algorithm *algorithm, const struct collective *collective,
                     struct schedule *schedule, struct err *err);

#endif
