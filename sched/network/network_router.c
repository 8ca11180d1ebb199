/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/network/network_router.h"

#include "sched/network/network_kind.h"

#include <stdlib.h>

struct network_router {
    const struct network_kind *kind;
    void *router;
};

static const struct network_kind *const kinds[] = {
#define NETWORK_ROUTER_KIND(name, file, number) [number] = &network_kind_##file,
    MULTISTAGE_TABLE(NETWORK_ROUTER_KIND)
#undef NETWORK_ROUTER_KIND
};

void network_router_free(struct network_router *router)
{
    if (router == NULL)
        return;
    if (router->router != NULL)
        router->kind->free(router->router);
    free(router);
}

struct network_router *network_router_new(const struct multistage *net, struct err *err)
{
    struct network_router *router = calloc(1, sizeof *router);
    if (router == NULL) {
        err_no_memory(err, "a router");
        return NULL;
    }
    router->kind = kinds[net->kind];
    if (router->kind->irregular != NULL && !multistage_is_regular(net))
        router->kind = router->kind->irregular;
    router->router = router->kind->make(net, err);
    if (router->router == NULL) {
        network_router_free(router);
        return NULL;
    }
    return router;
}

bool network_route(struct network_router *router, const uint32_t circuit[], uint32_t *row,
                   struct err *err)
{
    return router->kind->route(router->router, circuit, row, err);
}
