/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/sccl.h"

#include "sched/exchange/operations.h"

#include <inttypes.h>
#include <string.h>

/* Writes a number of a list; *put counts the numbers written so far. */
static void put_item(FILE *to, uint32_t number, size_t *put)
{
    fprintf(to, "%s%" PRIu32, (*put)++ > 0 ? ", " : "", number);
}

/* Writes the addresses of each node: those of the packets that start there, or that it has at the
 * end. */
static void put_map(FILE *to, const struct schedule *schedule, const char *name, bool wanted)
{
    fprintf(to, "\"%s\": {\n", name);
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        size_t put = 0;
        fprintf(to, "  \"%" PRIu32 "\": [", node);
        for (size_t d = 0; d < schedule->demand_count; d++) {
            const struct demand *demand = &schedule->demand[d];
            bool starts = demand->reduction != NULL ? demand_contributes(demand, node)
                                                    : demand->source == node;
            if (wanted ? demand_wants(demand, node) : starts)
                for (uint32_t p = demand->first_packet; p <= demand->last_packet; p++)
                    put_item(to, p - 1, &put);
        }
        fprintf(to, "]%s\n", node + 1 < schedule->nodes ? "," : "");
    }
    fputs("},\n", to);
}

static void put_steps(FILE *to, const struct schedule *schedule)
{
    fputs("\"steps\": [", to);
    for (size_t k = 0; k < schedule->step_count; k++) {
        fprintf(to, "%s\n  {\"msccl_type\": \"step\", \"rounds\": 1, \"sends\": [",
                k > 0 ? "," : "");
        for (size_t index = schedule->step[k].first; index < schedule_step_end(schedule, k);
             index++) {
            const struct transfer *transfer = &schedule->transfer[index];
            fprintf(to, "%s[%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]",
                    index > schedule->step[k].first ? ", " : "", transfer->packet - 1,
                    transfer->source, transfer->destination);
        }
        fputs("]}", to);
    }
    fputs("],\n", to);
}

/* Returns whether a node wants the contribution of another one to the packets of a demand. */
static bool wants_of(const struct demand *demand, uint32_t node, uint32_t of)
{
    const struct reduction *reduction = demand->reduction;
    bool lower = reduction == NULL || !reduction->prefix || of < node ||
                 (of == node && !reduction->exclusive);
    return lower && demand_wants(demand, node);
}

/* Writes a chunk that starts at a node: a packet, or the node's contribution to it. */
static void put_chunk(FILE *to, const struct schedule *schedule, const struct demand *demand,
                      uint32_t packet, uint32_t source, size_t *chunks)
{
    size_t put = 0;
    fprintf(to, "%s\n    {\"msccl_type\": \"chunk\", \"pre\": [%" PRIu32 "], \"post\": [",
            (*chunks)++ > 0 ? "," : "", source);
    for (uint32_t node = 0; node < schedule->nodes; node++)
        if (wants_of(demand, node, source))
            put_item(to, node, &put);
    fprintf(to, "], \"addr\": %" PRIu32 "}", packet - 1);
}

/* Writes the chunks of a packet; those of a combined packet have one address. */
static void put_packet(FILE *to, const struct schedule *schedule, const struct demand *demand,
                       uint32_t packet, size_t *chunks)
{
    if (demand->reduction == NULL)
        put_chunk(to, schedule, demand, packet, demand->source, chunks);
    for (uint32_t node = 0; node < schedule->nodes; node++)
        if (demand_contributes(demand, node))
            put_chunk(to, schedule, demand, packet, node, chunks);
}

static void put_collective(FILE *to, const struct schedule *schedule)
{
    fprintf(to,
            "\"collective\": {\n  \"msccl_type\": \"collective\", \"name\": \"roundcast\", "
            "\"nodes\": %" PRIu32 ", \"runtime_name\": \"custom\", \"triggers\": {},\n"
            "  \"chunks\": [",
            schedule->nodes);
    size_t chunks = 0;
    for (size_t d = 0; d < schedule->demand_count; d++)
        for (uint32_t p = schedule->demand[d].first_packet; p <= schedule->demand[d].last_packet;
             p++)
            put_packet(to, schedule, &schedule->demand[d], p, &chunks);
    fputs("]\n},\n", to);
}

/* Writes the list of all nodes except one. */
static void put_others(FILE *to, uint32_t nodes, uint32_t node)
{
    size_t put = 0;
    fputc('[', to);
    for (uint32_t other = 0; other < nodes; other++)
        if (other != node)
            put_item(to, other, &put);
    fputc(']', to);
}

/* Writes switches that limit the sends, and the receipts, of a node to one packet a round for each
 * port. */
static void put_ports(FILE *to, const struct schedule *schedule)
{
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        fprintf(to, "%s\n    [[%" PRIu32 "], ", node > 0 ? "," : "", node);
        put_others(to, schedule->nodes, node);
        fprintf(to, ", %" PRIu32 ", \"sends %" PRIu32 "\"], [", schedule->ports, node);
        put_others(to, schedule->nodes, node);
        fprintf(to, ", [%" PRIu32 "], %" PRIu32 ", \"receives %" PRIu32 "\"]", node,
                schedule->ports, node);
    }
}

static void put_topology(FILE *to, const struct schedule *schedule)
{
    const struct topology *topology = &schedule->topology;
    bool complete = topology_joins_all(topology);
    fputs("\"topology\": {\n  \"msccl_type\": \"topology\", \"name\": \"roundcast\",\n"
          "  \"switches\": [",
          to);
    if (complete)
        put_ports(to, schedule);
    fputs("],\n  \"links\": [", to);
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        size_t put = 0;
        fprintf(to, "%s\n    [", node > 0 ? "," : "");
        for (uint32_t from = 0; from < schedule->nodes; from++)
            put_item(to,
                     complete ? from != node : topology_row(topology)->joins(topology, from, node),
                     &put);
        fputc(']', to);
    }
    fputs("]\n}\n", to);
}

bool sccl_write(FILE *to, const struct schedule *schedule, const struct exchange_options *options,
                struct err *err)
{
    (void)options;
    if (schedule->has_reductions && !sccl_check_combined(schedule, err))
        return false;
    fputs("{\"msccl_type\": \"algorithm\", \"name\": \"roundcast\",\n", to);
    fprintf(to,
            "\"instance\": {\"msccl_type\": \"instance\", \"steps\": %zu, \"extra_rounds\": 0, "
            "\"chunks\": 1,\n  \"pipeline\": null, \"extra_memory\": null, "
            "\"allow_exchange\": false},\n",
            schedule->step_count);
    put_map(to, schedule, "input_map", false);
    put_map(to, schedule, "output_map", true);
    put_steps(to, schedule);
    put_collective(to, schedule);
    put_topology(to, schedule);
    fputs("}\n", to);
    return true;
}

static bool is_sccl(const char *head)
{
    return *head == '{' && strstr(head, "\"msccl_type\"") != NULL;
}

const struct exchange_format exchange_sccl = {
    .name = "sccl",
    .what = "JSON, for SCCL and msccl-tools",
    .suffix = "json",
    .lacks = EXCHANGE_TREE | EXCHANGE_CONTROL | EXCHANGE_TIMES | EXCHANGE_COPIES,
    .most = SCCL_NODES,
    .write = sccl_write,
    .read = sccl_read,
    .is_like = is_sccl,
};
