/* benes_kind: the router of benes:N: benes.h if N is a power of two, else benes_any.h. */
#include "sched/base/bits.h"
#include "sched/network/benes.h"
#include "sched/network/benes_any.h"
#include "sched/network/network_kind.h"

#include <stdlib.h>

/* One of them is there, the other is NULL. */
struct benes_kind {
    struct benes_router *powers;
    struct benes_any *any;
};

static void free_router(void *router)
{
    struct benes_kind *kind = router;
    benes_router_free(kind->powers);
    benes_any_free(kind->any);
    free(kind);
}

static void *make(const struct multistage *net, struct err *err)
{
    struct benes_kind *kind = calloc(1, sizeof *kind);
    if (kind == NULL) {
        err_no_memory(err, "a router");
        return NULL;
    }
    if (bits_is_power(net->ports))
        kind->powers = benes_router_new(net->levels, err);
    else
        kind->any = benes_any_new(net, err);
    if (kind->powers == NULL && kind->any == NULL) {
        free(kind);
        return NULL;
    }
    return kind;
}

static bool route(void *router, const uint32_t circuit[], uint32_t *row, struct err *err)
{
    const struct benes_kind *kind = router;
    return kind->powers != NULL ? benes_route(kind->powers, circuit, row, err)
                                : benes_any_route(kind->any, circuit, row, err);
}

const struct network_kind network_kind_benes = {make, free_router, route};
