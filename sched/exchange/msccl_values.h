/* SPDX-License-Identifier: Apache-2.0 */
/* msccl_values: what the chunks of a program contain while it runs, and the transfers that move it.
 *
 * A value is a chunk of an input, or a combination of chunks of one number: the contributions of a
 * set of GPUs. The origin of a content is the transfers by which its GPU received it:
 *
 *     re  s 0 → i 0     s 0      GPU 2, origin transfer 5
 *                       i 0      GPU 1, no origin; afterwards GPUs 1 and 2, origin transfer 5
 */
#ifndef ROUNDCAST_MSCCL_VALUES_H
#define ROUNDCAST_MSCCL_VALUES_H

#include "sched/exchange/msccl_program.h"

/* A value that an input contains at the beginning. */
struct msccl_value {
    /* packet 0: no output of another GPU contains the value at the end */
    uint32_t gpu, chunk, packet;
};

/* The content of a chunk: 1 + the number of its value, the round since which the chunk has it, and
 * 1 + the number of its origin; 0: none. */
struct msccl_content {
    size_t value;
    uint64_t since;
    size_t origin;
};

/* The number of a chunk, and the number of GPUs that contribute to a combination of such chunks. */
struct msccl_combined {
    uint32_t chunk, count;
};

/* One transfer, or several that were combined. */
struct msccl_origin {
    size_t move;     /* the transfer; SIZE_MAX: several */
    uint64_t latest; /* of several: when the latest of them was first used */
};

/* A transfer of a chunk. */
struct msccl_move {
    uint32_t from, to;
    size_t value; /* as in a content */
    uint64_t round;
    /* the order of execution: when the receiver received it, or first combined or sent it */
    uint64_t used;
    bool is_used;
    /* when the sender first used the latest transfer of the origin; 0 without an origin */
    uint64_t known;
};

struct msccl_values {
    const struct msccl *msccl;
    const struct msccl_value *input; /* [chunks] not owned; values 1 … chunks, then combinations */
    size_t words;                    /* of a set of GPUs */
    struct msccl_combined *combined;
    uint64_t *set;    /* [combined · words] a bit for each GPU */
    uint64_t *single; /* [words] used for a chunk of an input */
    struct msccl_origin *origin;
    struct msccl_move *move;
    size_t combinations, combined_room, set_room, origins, origin_room, moves, move_room;
    uint64_t now; /* number of the event that is executed */
};

/* Initialises the values. E104. Free it with msccl_values_free. */
bool msccl_values_begin(const struct msccl *msccl, const struct msccl_value input[],
                        struct msccl_values *values, struct err *err);

void msccl_values_free(struct msccl_values *values);

/* Returns the number of the chunk that a value combines. */
uint32_t msccl_values_chunk(const struct msccl_values *values, size_t value);

/* Returns the set of GPUs that contribute to a value, a bit for each: of a combination until the
 * next one is made, of a chunk of an input until the next call. O(GPUs / 64). */
const uint64_t *msccl_values_set(const struct msccl_values *values, size_t value);

/* Returns the number of GPUs that contribute to a value. */
uint32_t msccl_values_count(const struct msccl_values *values, size_t value);

/* Combines the content of two chunks at a step; *result may be one of them. E104; E208 for chunks
 * with different numbers; E311 for a contribution that both have. O(GPUs / 64). */
bool msccl_values_combine(struct msccl_values *values, size_t step, const struct msccl_content *a,
                          const struct msccl_content *b, struct msccl_content *result,
                          struct err *err);

/* Records a transfer, whose content has this origin at the sender. *origin is its origin at the
 * receiver. E104. */
bool msccl_values_move(struct msccl_values *values, const struct msccl_move *move, size_t origin,
                       size_t *arrives, struct err *err);

/* Records that the content of an origin was received. Precondition: it was not used before. */
void msccl_values_arrive(struct msccl_values *values, size_t origin);

#endif
