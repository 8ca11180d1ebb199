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
};

#define NETWORK_KIND_DECLARE(name, file, number) \
    extern const struct network_kind network_kind_##file;
MULTISTAGE_TABLE(NETWORK_KIND_DECLARE)
#undef NETWORK_KIND_DECLARE

#endif
