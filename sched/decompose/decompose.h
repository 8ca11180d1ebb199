/* SPDX-License-Identifier: Apache-2.0 */
/* decompose: traffic as a few settings that are held, if changing a setting has a price.
 *
 *     traffic       settings, held       served
 *     . 5 1         1 2 0    5 rounds    0 → 1: 5   1 → 2: 2   2 → 0: 5
 *     . . 2         2 - 0    2 rounds    0 → 2: 1   2 → 0: 2
 *     7 . .         7 rounds and two changes; no node has more than 7 packets or 2 partners
 *
 * A setting is a partial permutation: a receiver for each sender, or none. It is held for as many
 * rounds as its busiest circuit has packets left. A circuit that has no more is idle. Changing all
 * circuits or one of them takes time, in which nothing is sent; the first setting is a change, too.
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
    /* Is this traffic so small that it takes a few seconds at most? */
    bool (*fits)(const struct traffic *traffic);
    /* Add settings that carry all of it to an empty decomposition, if a change takes `price`
     * rounds. E104. */
    bool (*decompose)(const struct traffic *traffic, uint64_t price, uint64_t seed,
                      struct decomposition *decomposition, struct err *err);
    /* The program that it needs (E501 without it), NULL: none. It then runs by its name only. */
    const char *solver;
};

/* The fastest first; ends with NULL. */
extern const struct decompose_method *const decompose_methods[];

/* Find one by its name. NULL if there is none; E103 lists the names. */
const struct decompose_method *decompose_find(const char *name, struct err *err);

/* The best of what all methods without a solver that fit the traffic find, or what one method finds
 * (NULL: all), tidied. Methods count in rounds, to which a change is rounded up; of several results
 * the cost decides. What is drawn comes from the seed. The traffic has an entry, or more;
 * `decomposition` must be zero or freed. E104, and those of a solver. */
bool decompose(const struct decompose_method *method, const struct traffic *traffic,
               struct traffic_cost cost, uint64_t seed, struct decomposition *decomposition,
               struct err *err);

/* Append a setting, which is copied. E104. */
bool decomposition_add(struct decomposition *decomposition, const uint32_t to[], uint64_t duration,
                       struct err *err);

void decomposition_free(struct decomposition *decomposition);

/* The rounds of all settings. */
uint64_t decomposition_rounds(const struct decomposition *decomposition);

/* What those take, and a change to each setting. */
uint64_t decomposition_makespan(const struct decomposition *decomposition,
                                struct traffic_cost cost);

/* Drop circuits that serve nothing, hold no setting longer than its busiest circuit needs, and make
 * one of neighbours that do not contradict each other. No makespan grows. Packets take the first
 * setting that has their circuit. E104. O(settings · nodes · log entries). */
bool decomposition_tidy(const struct traffic *traffic, struct decomposition *decomposition,
                        struct err *err);

/* How many packets each circuit of a setting still has to carry, while settings are taken in order:
 *     left[count]: of each entry of the traffic */
struct decompose_left {
    const struct traffic *traffic;
    size_t *first;  /* first[nodes + 1]: a sender's entries */
    uint32_t *left; /* left[traffic->count] */
    void *memory;
};

/* Nothing is served yet. Free it with decompose_left_free. E104. */
bool decompose_left_new(const struct traffic *traffic, struct decompose_left *left,
                        struct err *err);
void decompose_left_free(struct decompose_left *left);

/* The entry of a circuit; NULL if there is none. O(log entries). */
uint32_t *decompose_left_of(const struct decompose_left *left, uint32_t source,
                            uint32_t destination);

#endif
