#include "sched/network/network_router.h"

#include "sched/network/benes.h"
#include "sched/network/benes_any.h"
#include "sched/network/clos.h"
#include "sched/network/multicast.h"
#include "sched/network/omega.h"

#include <stdlib.h>

/* One of them is there, the others are NULL. */
struct network_router {
    struct benes_router *benes;
    struct benes_any *any;
    struct clos_router *clos;
    struct omega_router *omega;
    struct multicast_router *multicast;
};

void network_router_free(struct network_router *router)
{
    if (router == NULL)
        return;
    benes_router_free(router->benes);
    benes_any_free(router->any);
    clos_router_free(router->clos);
    omega_router_free(router->omega);
    multicast_router_free(router->multicast);
    free(router);
}

static bool choose(struct network_router *router, const struct multistage *net, struct err *err)
{
    switch (net->kind) {
    case MULTISTAGE_BENES:
        if (multistage_is_power(net->ports))
            return (router->benes = benes_router_new(net->levels, err)) != NULL;
        return (router->any = benes_any_new(net, err)) != NULL;
    case MULTISTAGE_OMEGA:
        return (router->omega = omega_router_new(net, err)) != NULL;
    case MULTISTAGE_CLOS:
        return (router->clos = clos_router_new(net, err)) != NULL;
    case MULTISTAGE_MULTICAST:
        return (router->multicast = multicast_router_new(net, err)) != NULL;
    }
    return err_set(err, ERR_BUG, "network: of kind %d; expected a Beneš, Clos, omega or multicast network",
                   (int)net->kind);
}

struct network_router *network_router_new(const struct multistage *net, struct err *err)
{
    struct network_router *router = calloc(1, sizeof *router);
    if (router == NULL) {
        err_set(err, ERR_TOO_BIG, "network: no memory; expected a smaller network");
        return NULL;
    }
    if (!choose(router, net, err)) {
        network_router_free(router);
        return NULL;
    }
    return router;
}

bool network_route(struct network_router *router, const uint32_t circuit[], uint32_t *row, struct err *err)
{
    if (router->benes != NULL)
        return benes_route(router->benes, circuit, row, err);
    if (router->any != NULL)
        return benes_any_route(router->any, circuit, row, err);
    if (router->clos != NULL)
        return clos_route(router->clos, circuit, row, err);
    if (router->multicast != NULL)
        return multicast_route(router->multicast, circuit, row, err);
    return omega_route(router->omega, circuit, row, NULL, err);
}
