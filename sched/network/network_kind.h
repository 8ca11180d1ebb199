/* SPDX-License-Identifier: Apache-2.0 */
/* network_kind: the router of a kind of multistage network. Each FILE of MULTISTAGE_TABLE
 * (multistage.h) defines one; network_router.h states what the functions do. */
#ifndef ROUNDCAST_NETWORK_KIND_H
#define ROUNDCAST_NETWORK_KIND_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

struct network_kind {
    void *(*make)(const struct multistage *net, struct err *err); /* NULL: E104, E401 */
    void (*free)(void *router);
    bool (*route)(void *router, const uint32_t circuit[], uint32_t *row, struct err *err);
    /* the kind that routes shapes that are not multistage_is_regular; NULL: this one */
    const struct network_kind *irregular;
};

/* Defines the row of FILE from functions with typed routers. */
#define NETWORK_KIND(file, new_router, free_router, route_circuits, irregular)           \
    static void *file##_kind_make(const struct multistage *net, struct err *err)         \
    {                                                                                    \
        return new_router(net, err);                                                     \
    }                                                                                    \
    static void file##_kind_free(void *router)                                           \
    {                                                                                    \
        free_router(router);                                                             \
    }                                                                                    \
    static bool file##_kind_route(void *router, const uint32_t circuit[], uint32_t *row, \
                                  struct err *err)                                       \
    {                                                                                    \
        return route_circuits(router, circuit, row, err);                                \
    }                                                                                    \
    const struct network_kind network_kind_##file = {file##_kind_make, file##_kind_free, \
                                                     file##_kind_route, irregular}

#define NETWORK_KIND_DECLARE(name, file, number) \
    extern const struct network_kind network_kind_##file;
MULTISTAGE_TABLE(NETWORK_KIND_DECLARE)
NETWORK_KIND_DECLARE(, clos_any, ) /* for irregular shapes */
#undef NETWORK_KIND_DECLARE

/* --- Partial permutations ----------------------------------------------------------------- */

/* A round is a partial permutation: input i sends to output to[i], or to none if that is
 * MULTISTAGE_IDLE, and no two inputs send to one output.
 */

/* Counts the circuits of to[ports]. Returns false if an output is out of range. O(ports). */
bool partial_count(const uint32_t to[], uint32_t ports, uint32_t *live);

/* Fills from[ports + 1] with the inverse of to[], MULTISTAGE_IDLE for outputs that get nothing;
 * from[ports] is working memory. Returns the number of outputs in use, which is smaller than the
 * number of circuits if two inputs send to one output. Precondition: partial_count returned true.
 * O(ports). */
uint32_t partial_invert(const uint32_t to[], uint32_t ports, uint32_t from[]);

/* Connects idle inputs to idle outputs, both in ascending order, so that from[ports], the inverse
 * of to[ports], becomes a permutation; spare[ports] is overwritten. O(ports). */
void partial_complete(const uint32_t to[], uint32_t ports, uint32_t spare[], uint32_t from[]);

/* Reports the first input that cannot be routed, and the input it conflicts with: E403, `network:
 * …`. Always returns false. holder[ports] is overwritten. O(ports). */
bool partial_refuse(const char *network, const uint32_t to[], uint32_t ports, uint32_t holder[],
                    struct err *err);

/* A round, and working memory in which it becomes a permutation. */
struct partial_round {
    const char *network; /* kind of the network, for messages */
    uint32_t ports;
    const uint32_t *to; /* to[ports] */
    uint32_t *spare;    /* spare[ports], overwritten */
    uint32_t *from;     /* from[ports + 1]: the inverse of the permutation that completes to[] */
};

/* Fills round->from, and counts the circuits of the round. E403 as partial_refuse. O(ports). */
bool partial_permutation(const struct partial_round *round, uint32_t *live, struct err *err);

#endif
