/* SPDX-License-Identifier: Apache-2.0 */
/* booksim_anynet: the topology of a schedule, for the network `anynet` of BookSim (its reader:
 * src/networks/anynet.cpp).
 *
 *     a complete graph of 3 nodes     router 0 node 0
 *                                     router 1 node 1 router 0
 *                                     router 2 node 2 router 0 router 1
 *
 * A processor has a router of its own, except the leaves of a tree, whose routers are numbered from
 * 0. A link of the file leads in both directions. The file does not list the transfers. */
#include "sched/exchange/exchange.h"

#include <inttypes.h>

#define MOST_NODES 4096

/* Checks that each branch of a tree has one lane in each direction: the reader keeps one link
 * between two routers. E208. */
static bool check_lanes(const struct topology *topology, struct err *err)
{
    for (unsigned level = 1; topology_has_routers(topology) && level <= topology->height; level++)
        if (topology->capacity[level] > 1)
            return err_set(err, ERR_UNSUPPORTED,
                           "booksim-anynet: the branches at level %u of the tree have %" PRIu32
                           " lanes, which the format cannot express; expected 1",
                           level, topology->capacity[level]);
    return !topology->half_duplex ||
           err_set(err, ERR_UNSUPPORTED,
                   "booksim-anynet: the lanes of the tree are half-duplex, which the format cannot "
                   "express; expected lanes in both directions");
}

static bool is_joined(const struct topology *topology, uint32_t node, uint32_t other)
{
    return topology_joins_all(topology) || topology_row(topology)->joins(topology, node, other);
}

static bool write_booksim_anynet(FILE *to, const struct schedule *schedule,
                                 const struct exchange_options *options, struct err *err)
{
    const struct topology *topology = &schedule->topology;
    bool tree = topology_has_routers(topology);
    uint32_t first = tree ? topology->nodes : 0; /* the node of router 0 */
    (void)options;
    if (!check_lanes(topology, err))
        return false;
    for (uint32_t node = first; node < topology->all && !ferror(to); node++) {
        fprintf(to, "router %" PRIu32, node - first);
        if (!tree)
            fprintf(to, " node %" PRIu32, node);
        for (uint32_t other = 0; other < node; other++)
            if (is_joined(topology, node, other))
                fprintf(to, " %s %" PRIu32, other < first ? "node" : "router",
                        other < first ? other : other - first);
        fputc('\n', to);
    }
    return true;
}

const struct exchange_format exchange_booksim_anynet = {
    .name = "booksim-anynet",
    .what = "the topology, for BookSim",
    .suffix = "anynet",
    .lacks = EXCHANGE_TIMES | EXCHANGE_COPIES,
    .most = MOST_NODES,
    .write = write_booksim_anynet,
};
