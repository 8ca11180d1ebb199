/* algorithm: the collectives that we can schedule, one file each, one table.
 *
 * An algorithm is written for source 0; algorithm_build renames the nodes for any other source
 * (v becomes (v + source) mod n), so that no algorithm knows of it.
 */
#ifndef ROUNDCAST_ALGORITHM_H
#define ROUNDCAST_ALGORITHM_H

#include "schedule.h"

/* What is asked for: broadcast packets 1 … m from `source` to n nodes. */
struct collective {
    uint32_t n; /* 1 … SCHEDULE_MAX_NODES */
    uint32_t m; /* 1 … SCHEDULE_MAX_PACKETS */
    uint32_t source;
    enum model model;
};

struct algorithm {
    const char *name;
    const char *summary; /* one line for `list` */
    const char *source;  /* paper and section */
    unsigned models;     /* bit 1u << model for each model that it keeps */

    /* Is this n, m, model legal for the algorithm (beyond `models`)? NULL: always. E103 with the
     * legal range. */
    bool (*accepts)(const struct collective *collective, struct err *err);

    /* Closed form of the last round, without building. Precondition: accepts, n ≥ 2. */
    uint64_t (*rounds)(const struct collective *collective);

    /* Append the rounds to a schedule that is initialised for source 0. Precondition: accepts, n ≥ 2. */
    bool (*build)(const struct collective *collective, struct schedule *schedule, struct err *err);
};

/* All of them, in the order in which `list` and `plan` print; ends with NULL. */
extern const struct algorithm *const algorithm_table[];

/* ⌈log2 n⌉, the rounds that one packet needs to reach n nodes; 0 for n ≤ 1. */
unsigned algorithm_ceil_log2(uint32_t n);

/* By name; NULL with E103 that lists the names. */
const struct algorithm *algorithm_find(const char *name, struct err *err);

/* Can the algorithm do it? Checks ranges of n, m, source, the model, and accepts. E102, E103. */
bool algorithm_check(const struct algorithm *algorithm, const struct collective *collective, struct err *err);

/* The number of rounds by the closed form (0 for n = 1). Precondition: algorithm_check. */
uint64_t algorithm_rounds(const struct algorithm *algorithm, const struct collective *collective);

/* Check and build; n = 1 is a legal broadcast without rounds. `schedule` must be zero or freed. */
bool algorithm_build(const struct algorithm *algorithm, const struct collective *collective,
                     struct schedule *schedule, struct err *err);

#endif
