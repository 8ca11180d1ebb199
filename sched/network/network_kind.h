/* SPDX-License-Identifier: Apache-2.0 */
/* network_kind: the router of a kind of multistage network, behind one front. Each FILE of
 * MULTISTAGE_TABLE (multistage.h) has one; network_router.h says what they do. */
#ifndef ROUNDCAST_NETWORK_KIND_H
#define ROUNDCAST_NETWORK_KIND_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

struct network_kind {
    void *(*make)(const struct multistage *net, struct err *err); /* NULL: E104, E401 */
    void (*free)(void *router);
    bool (*route)(void *router, const uint32_t circuit[], uint32_t *row, struct err *err);
    /* whose router it is of shapes that are not multistage_is_regular; NULL: its own */
    const struct network_kind *irregular;
};

/* Defines the row of FILE by functions that know the type of their router. */
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
NETWORK_KIND_DECLARE(, clos_any, ) /* of irregular shapes */
#undef NETWORK_KIND_DECLARE

#endif
