/* SPDX-License-Identifier: Apache-2.0 */
/* complete: the complete graph of n processors. */
#include "sched/base/scan.h"
#include "sched/shape/topology.h"

#include <inttypes.h>

struct topology topology_complete(uint32_t nodes)
{
    return (struct topology){
        .kind = TOPOLOGY_COMPLETE, .nodes = nodes, .all = nodes, .endpoints = 1};
}

/* Reads `22`: the number of processors. */
static bool read_topology(struct scan *scan, struct topology *topology, struct err *err)
{
    uint64_t nodes;
    if (!scan_number(scan, "number of nodes", 1, TOPOLOGY_MAX_NODES, &nodes, err))
        return false;
    *topology = topology_complete((uint32_t)nodes);
    return true;
}

static const char *text_of(const struct topology *topology, char text[TOPOLOGY_TEXT])
{
    snprintf(text, TOPOLOGY_TEXT, "%" PRIu32, topology->nodes);
    return text;
}

const struct topology_row topology_complete_row = {
    .name = "complete",
    .title = "complete graph",
    .field = "nodes",
    .machines = "a multistage network",
    .read = read_topology,
    .text = text_of,
};
