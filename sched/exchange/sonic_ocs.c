/* SPDX-License-Identifier: Apache-2.0 */
/* sonic_ocs: cross-connects of an optical circuit switch, as commands of SONiC
 * (`config ocs cross-connect`).
 *
 *     round 1   0 → 1         # round 1
 *     round 2   0 → 2, 1 → 3  config ocs cross-connect add 1A-2B safe
 *                             # round 2
 *                             config ocs cross-connect delete 1A-2B
 *                             config ocs cross-connect add 1A-3B,2A-4B safe
 *
 * Node v sends into port A v + 1 and receives from port B v + 1. A circuit carries packets in one
 * direction. It stays until another circuit needs one of its ports, so that a round changes as few
 * circuits as possible; circuits are deleted before others are added. Rounds without packets, and
 * the packets of a circuit, are not in the file. */
#include "sched/exchange/exchange.h"

#include <inttypes.h>

#define PORTS 64 /* ports of a side that the commands accept */

/* The circuits of the switch: 1 + the node at the other end, 0 for none. */
struct circuits {
    uint32_t to[PORTS], from[PORTS];
};

static void delete_circuit(FILE *to, struct circuits *circuits, uint32_t source)
{
    uint32_t destination = circuits->to[source] - 1;
    fprintf(to, "config ocs cross-connect delete %" PRIu32 "A-%" PRIu32 "B\n", source + 1,
            destination + 1);
    circuits->to[source] = circuits->from[destination] = 0;
}

/* Deletes the circuits that use a port of a transfer, unless they are its circuit. */
static void free_ports(FILE *to, struct circuits *circuits, const struct transfer *transfer)
{
    if (circuits->to[transfer->source] == transfer->destination + 1)
        return;
    if (circuits->to[transfer->source] > 0)
        delete_circuit(to, circuits, transfer->source);
    if (circuits->from[transfer->destination] > 0)
        delete_circuit(to, circuits, circuits->from[transfer->destination] - 1);
}

/* Adds the circuits of a round that do not exist, in one command. */
static void add_circuits(FILE *to, struct circuits *circuits, const struct transfer transfer[],
                         size_t count)
{
    bool some = false;
    for (size_t k = 0; k < count; k++) {
        uint32_t source = transfer[k].source, destination = transfer[k].destination;
        if (circuits->to[source] == destination + 1)
            continue;
        fprintf(to, "%s%" PRIu32 "A-%" PRIu32 "B", some ? "," : "config ocs cross-connect add ",
                source + 1, destination + 1);
        circuits->to[source] = destination + 1;
        circuits->from[destination] = source + 1;
        some = true;
    }
    if (some)
        fputs(" safe\n", to);
}

static bool write_sonic_ocs(FILE *to, const struct schedule *schedule,
                            const struct exchange_options *options, struct err *err)
{
    (void)options, (void)err;
    struct circuits circuits = {.to = {0}};
    for (size_t k = 0; k < schedule->step_count && !ferror(to); k++) {
        size_t first = schedule->step[k].first, end = schedule_step_end(schedule, k);
        fprintf(to, "# round %" PRIu64 "\n", schedule->step[k].time);
        for (size_t index = first; index < end; index++)
            free_ports(to, &circuits, &schedule->transfer[index]);
        add_circuits(to, &circuits, &schedule->transfer[first], end - first);
    }
    return true;
}

const struct exchange_format exchange_sonic_ocs = {
    .name = "sonic-ocs",
    .what = "optical cross-connects, for SONiC",
    .suffix = "ocs",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES | EXCHANGE_PORTS,
    .most = PORTS,
    .write = write_sonic_ocs,
};
