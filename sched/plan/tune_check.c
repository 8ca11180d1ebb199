/* SPDX-License-Identifier: Apache-2.0 */
/* tune_check: checks what all searches of tune require. */
#include "sched/base/text.h"
#include "sched/plan/tune.h"
#include "sched/route/machine_sizing.h"

#include <inttypes.h>

/* Rejects a message that is empty or too large. */
static bool refuse_size(const struct tune_request *request, const char *file, struct err *err)
{
    if (file == NULL)
        return err_out_of_range(err, "bytes", request->bytes, 1, TUNE_MAX_BYTES);
    return err_set(err, ERR_RANGE,
                   "%s: a message of %" PRIu64 " byte%s; expected 1 … %" PRIu64 " bytes", file,
                   request->bytes, text_s(request->bytes), TUNE_MAX_BYTES);
}

/* Checks the collective and the machine of a hypercube. */
static bool check_hypercube(const struct tune_request *request, struct err *err)
{
    const struct collective_row *row = &collective_rows[request->kind];
    if (!row->combined || row->prefix)
        return err_set(err, ERR_UNSUPPORTED,
                       "{dim}: %s in a hypercube; expected {collective} reduce, reduce-scatter "
                       "or all-reduce",
                       collective_name(request->kind));
    if (request->ports > 1)
        return err_set(err, ERR_OPTION, "{ports}: %" PRIu32 " in a hypercube; expected none",
                       request->ports);
    return machine_row(&request->machine)->node_memories ||
           err_set(err, ERR_NETWORK,
                   "{network}: nodes of a hypercube combine in another machine; expected cube");
}

/* Checks the collective and the network of a complete graph. */
static bool check_multistage(const struct tune_request *request, struct err *err)
{
    if (machine_hops(&request->machine))
        return err_set(err, ERR_NETWORK,
                       "{network}: %s is no network of a complete graph; expected a multistage "
                       "network, or {dim} with cube",
                       machine_row(&request->machine)->name);
    return !multistage_blocks(&request->machine.network) ||
           err_set(
               err, ERR_NETWORK,
               "{network}: an omega network may block the rounds; expected one that passes all, "
               "benes:N or clos:m,n,r");
}

bool tune_check(const struct tune_request *request, const char *file, struct err *err)
{
    if (collective_rows[request->kind].exclusive && request->topology != NULL)
        return err_set(
            err, ERR_UNSUPPORTED,
            "{collective}: the result of an exclusive scan is what a node receives "
            "without its own contribution, and nodes of hypercubes keep one partial result "
            "of a packet; expected scan");
    if (!(request->topology != NULL ? check_hypercube : check_multistage)(request, err))
        return false;
    struct machine smallest = request->machine;
    smallest.log2_packets = smallest.log2_flits = smallest.log2_rows = 1;
    if (request->bytes < 1 || request->bytes > TUNE_MAX_BYTES)
        return refuse_size(request, file, err);
    if (request->nodes < 2 || request->nodes > SCHEDULE_MAX_NODES)
        return err_out_of_range(err, "nodes", request->nodes, 2, SCHEDULE_MAX_NODES);
    return machine_check(&smallest, err) &&
           (request->topology != NULL ||
            machine_sizing_check_ports(tune_endpoints(request), &request->machine, err));
}
