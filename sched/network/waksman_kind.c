/* waksman_kind: the router of waksman:N, which is the looping walk of benes_any.h. */
#include "sched/network/benes_any.h"
#include "sched/network/network_kind.h"

static void *make(const struct multistage *net, struct err *err)
{
    return benes_any_new(net, err);
}

static void free_router(void *router)
{
    benes_any_free(router);
}

static bool route(void *router, const uint32_t circuit[], uint32_t *row, struct err *err)
{
    return benes_any_route(router, circuit, row, err);
}

const struct network_kind network_kind_waksman = {make, free_router, route};
