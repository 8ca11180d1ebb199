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

#endif
