/* SPDX-License-Identifier: Apache-2.0 */
/* decompose: decomposes traffic into a few settings that stay for several rounds, for machines on
 * which a reconfiguration takes time (the price).
 *
 *     traffic       settings             served
 *     . 5 1         1 2 0    5 rounds    0 → 1: 5   1 → 2: 2   2 → 0: 5
 *     . . 2         2 - 0    2 rounds    0 → 2: 1   2 → 0: 2
 *     7 . .         7 rounds, two reconfigurations; no node has more than 7 packets or 2 partners
 *
 * A setting is a partial permutation: a receiver for each sender, or none. It stays for as many
 * rounds as its busiest circuit has packets left. A circuit without packets is idle. A
 * reconfiguration of one or all circuits takes time in which no packet is sent; the first setting
 * requires one, too.
 */
#ifndef ROUNDCAST_DECOMPOSE_H
#define ROUNDCAST_DECOMPOSE_H

#include "sched/traffic/traffic.h"

#define DECOMPOSE_IDLE UINT32_MAX

struct decomposition {
    uint32_t nodes;
    size_t count, room;
    uint64_t *duration; /* duration[count]: rounds, 1 or more */
    uint32_t *to;       /* to[count][nodes]: the receiver of each sender, or DECOMPOSE_IDLE */
};

struct decompose_method {
    const char *name, *summary, *source;
    /* Returns whether the traffic is small enough that the method takes a few seconds at most. */
    bool (*fits)(const struct traffic *traffic);
    /* Adds settings that carry all traffic to an empty decomposition, if a reconfiguration takes
     * `price` rounds. E104. */
    bool (*decompose)(const struct traffic *traffic, uint64_t price, uint64_t seed,
                      struct decomposition *decomposition, struct err *err);
    /* The program that the method requires (E501 if it is missing); NULL: none. A method with a
     * program runs only if it is named. */
    const char *solver;
};

/* The methods, fastest first; the list ends with NULL. */
extern const struct decompose_method *const decompose_methods[];

/* Returns the method with a name; NULL if there is none, with E103 and the list of names. */
const struct decompose_method *decompose_find(const char *name, struct err *err);

/* Finds the best decomposition by one method or, if it is NULL, by all methods that fit the traffic
 * and require no solver; the result is tidied. Methods count in rounds, so a reconfiguration is
 * rounded up to rounds; the exact cost decides between results. Random choices depend on the seed
 * only. Preconditions: the traffic has an entry; `decomposition` is zero or freed. E104, and the
 * errors of a solver. */
bool decompose(const struct decompose_method *method, const struct traffic *traffic,
               struct traffic_cost cost, uint64_t seed, struct decomposition *decomposition,
               struct err *err);

/* Appends a copy of a setting. E104. */
bool decomposition_add(struct decomposition *decomposition, const uint32_t to[], uint64_t duration,
                       struct err *err);

void decomposition_free(struct decomposition *decomposition);

/* Returns the rounds of all settings. */
uint64_t decomposition_rounds(const struct decomposition *decomposition);

/* Returns the duration of all rounds and of a reconfiguration before each setting. */
uint64_t decomposition_makespan(const struct decomposition *decomposition,
                                struct traffic_cost cost);

/* Removes circuits that serve nothing, shortens settings to what their busiest circuit needs, and
 * joins neighbouring settings that do not contradict each other. The makespan never grows. A packet
 * takes the first setting with its circuit. E104. O(settings · nodes · log entries). */
bool decomposition_tidy(const struct traffic *traffic, struct decomposition *decomposition,
                        struct err *err);

/* The packets that each entry still has to send while settings are applied in order. */
struct decompose_left {
    const struct traffic *traffic;
    size_t *first;  /* first[nodes + 1]: the first entry of each sender */
    uint32_t *left; /* left[traffic->count] */
    void *memory;
};

/* Initialises `left` with all packets of the traffic. Free it with decompose_left_free. E104. */
bool decompose_left_new(const struct traffic *traffic, struct decompose_left *left,
                        struct err *err);
void decompose_left_free(struct decompose_left *left);

/* Returns the entry of a circuit; NULL if there is none. O(log entries). */
uint32_t *decompose_left_of(const struct decompose_left *left, uint32_t source,
                            uint32_t destination);

/* -- Planes ------------------------------------------------------------------------------------ */

/* Distributes the settings of a decomposition over several networks side by side.
 *
 *     settings 5 5 4, price 1      plane 0  |1 5    |1 2|
 *                                  plane 1  |1 3  |1 4   |
 *
 * A node has a port on each plane, and each plane is set independently. A setting can be on two
 * planes, even at the same time, for a part of its rounds on each. Its circuits then divide the
 * same packets, and it costs one more reconfiguration. */

#define PLANES_MAX 4096

struct plane_part {
    uint32_t plane;    /* 0 … planes - 1 */
    size_t setting;    /* of the decomposition */
    uint64_t duration; /* rounds, 1 or more */
};

struct planes {
    uint64_t makespan; /* of the plane that ends last: all its rounds and reconfigurations */
    size_t count;
    struct plane_part *part; /* plane by plane */
};

/* Distributes all rounds of a decomposition over 1 … PLANES_MAX planes. For one plane the makespan
 * is that of the decomposition; for S planes it is at most ⌊makespan / S⌋ plus a reconfiguration
 * and a round. Precondition: `planes` is zero or freed. E104. O(settings · log makespan). */
bool planes_share(const struct decomposition *decomposition, struct traffic_cost cost,
                  uint32_t count, struct planes *planes, struct err *err);
void planes_free(struct planes *planes);

/* -- Rounds of traffic ------------------------------------------------------------------------- */

/* Assigns a round to every packet of a demand, so that no node sends or receives two packets in
 * a round. The number of rounds is the number of packets that the busiest node sends or
 * receives, which is the fewest possible (König 1916).
 *
 * The packets are the edges of a bipartite multigraph from senders to receivers; a colour is a
 * round. Nodes that together have at most D packets, the maximum of a node, share a vertex: the
 * edges of a vertex get different rounds, so the edges of each of its nodes do, too. Two
 * consecutive vertices have more than D packets together; hence the graph has room for at most
 * twice as many edges as packets, plus 2D, however uneven the demand is (the idea: Alon 2003; Cole
 * and Hopcroft 1982).
 *
 * colour.h colours large graphs in time proportional to the packets unless nearly all nodes are as
 * busy as the busiest. In that case, or if the graph is small, vertices are padded with edges that
 * are not sent, and colour.h colours the regular graph.
 *
 * Packets that all nodes v send to node v + s, for some s, are not coloured: such a shift fills a
 * round, so the remaining packets of the busiest nodes are one fewer. An all-to-all exchange
 * consists of shifts only. */

/* Sets *round_of to the round, from 0, of each packet: round_of[traffic->packets], entry by entry.
 * The caller frees it. `degree` is that of traffic_load. E104. O(packets · (log degree + log
 * nodes)) expected. */
bool traffic_rounds(const struct traffic *traffic, uint64_t degree, uint32_t **round_of,
                    struct err *err);

#endif
