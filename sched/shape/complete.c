/* SPDX-License-Identifier: Apache-2.0 */
/* complete: the complete graph of n processors. */
#include "sched/base/scan.h"
#include "sched/base/text.h"
#include "sched/shape/topology.h"

#include <inttypes.h>
#include <string.h>

struct topology topology_complete(uint32_t nodes)
{
    return (struct topology){
        .kind = TOPOLOGY_COMPLETE, .nodes = nodes, .all = nodes, .endpoints = 1};
}

/* Reads `shared 2`, the number of nodes that share a memory, if it is there. */
static bool read_shared(struct scan *scan, struct topology *topology, struct err *err)
{
    char word[SCAN_WORD];
    uint64_t shared;
    scan_blanks(scan);
    if (scan_peek(scan) < 'a' || scan_peek(scan) > 'z')
        return true;
    if (!scan_word(scan, "'shared'", word, err))
        return false;
    if (strcmp(word, "shared") != 0)
        return scan_error(scan, err, ERR_SYNTAX,
                          "unexpected '%s'; expected 'shared' or the end of the line", word);
    if (!scan_number(scan, "number of nodes that share a memory", 2, topology->nodes, &shared, err))
        return false;
    topology->shared = (uint32_t)shared;
    return true;
}

/* Reads `22`, the number of processors, or `22 shared 2`. */
static bool read_topology(struct scan *scan, struct topology *topology, struct err *err)
{
    uint64_t nodes;
    if (!scan_number(scan, "number of nodes", 1, TOPOLOGY_MAX_NODES, &nodes, err))
        return false;
    *topology = topology_complete((uint32_t)nodes);
    return read_shared(scan, topology, err);
}

static const char *text_of(const struct topology *topology, char text[TOPOLOGY_TEXT])
{
    snprintf(text, TOPOLOGY_TEXT, "%" PRIu32, topology->nodes);
    if (topology->shared > 0)
        text_append(text, TOPOLOGY_TEXT, " shared %" PRIu32, topology->shared);
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
