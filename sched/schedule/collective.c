/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule/collective.h"

#include "sched/base/text.h"

#include <string.h>

static uint64_t none(uint64_t n)
{
    (void)n;
    return 0;
}

static uint64_t one(uint64_t n)
{
    (void)n;
    return 1;
}

static uint64_t each(uint64_t n)
{
    return n;
}

static uint64_t others(uint64_t n)
{
    return n - 1;
}

static uint64_t pairs(uint64_t n)
{
    return n * (n - 1);
}

/* -- The demands ------------------------------------------------------------------------------- */

static void from_each(uint32_t n, uint32_t which, uint32_t *from, uint32_t *to)
{
    (void)n;
    *from = which;
    *to = 0;
}

static void to_source(uint32_t n, uint32_t which, uint32_t *from, uint32_t *to)
{
    (void)n;
    *from = which + 1;
    *to = 0;
}

/* In a reduce-scatter demand `which` is from all nodes, written as node 0, to node `which`. */
static void to_each(uint32_t n, uint32_t which, uint32_t *from, uint32_t *to)
{
    (void)n;
    *from = 0;
    *to = which;
}

/* The demands of node 0 to all other nodes come first, then those of node 1, … */
static void from_pairs(uint32_t n, uint32_t which, uint32_t *from, uint32_t *to)
{
    uint32_t other = which % (n - 1);
    *from = which / (n - 1);
    *to = other + (other >= *from);
}

/* -- The packets ------------------------------------------------------------------------------- */

static uint32_t first_packet(uint32_t n, uint32_t from, uint32_t to)
{
    (void)n, (void)from, (void)to;
    return 1;
}

static uint32_t packet_of_receiver(uint32_t n, uint32_t from, uint32_t to)
{
    (void)n, (void)from;
    return to;
}

static uint32_t packet_of_other(uint32_t n, uint32_t from, uint32_t to)
{
    (void)n, (void)to;
    return from;
}

static uint32_t packet_of_sender(uint32_t n, uint32_t from, uint32_t to)
{
    (void)n, (void)to;
    return from + 1;
}

static uint32_t packet_of_pair(uint32_t n, uint32_t from, uint32_t to)
{
    return from * (n - 1) + to + (to < from);
}

static uint32_t packet_of_result(uint32_t n, uint32_t from, uint32_t to)
{
    (void)n, (void)from;
    return to + 1;
}

static const char *const reduce_scatter_aliases[] = {"reducescatter", "multinode-accumulation",
                                                     NULL};
static const char *const exclusive_scan_aliases[] = {"exscan", NULL};
static const char *const all_reduce_aliases[] = {"allreduce", NULL};
static const char *const all_gather_aliases[] = {"multinode", "allgather", NULL};
static const char *const total_exchange_aliases[] = {"exchange", "all-to-all", "alltoall", NULL};

const struct collective_row collective_rows[COLLECTIVE_KINDS] = {
    [COLLECTIVE_BROADCAST] = {"broadcast", NULL, one, from_each, first_packet, .to_all = true,
                              .rooted = true, .counted = true},
    [COLLECTIVE_SCATTER] = {"scatter", NULL, others, from_pairs, packet_of_receiver,
                            .rooted = true},
    [COLLECTIVE_GATHER] = {"gather", NULL, others, to_source, packet_of_other, .rooted = true,
                           .inward = true},
    [COLLECTIVE_ALL_GATHER] = {"all-gather", all_gather_aliases, each, from_each, packet_of_sender,
                               .to_all = true},
    [COLLECTIVE_TOTAL_EXCHANGE] = {"total-exchange", total_exchange_aliases, pairs, from_pairs,
                                   packet_of_pair},
    [COLLECTIVE_SIMULTANEOUS] = {"simultaneous", NULL, none, from_each, first_packet,
                                 .to_all = true, .counted = true, .listed = true},
    [COLLECTIVE_TRAFFIC] = {"traffic", NULL, none, from_each, first_packet, .weighed = true},
    [COLLECTIVE_DEMANDS] = {"demands", NULL, none, from_each, first_packet, .weighed = true,
                            .written = true},
    [COLLECTIVE_REDUCE] = {"reduce", NULL, one, from_each, first_packet, .rooted = true,
                           .inward = true, .counted = true, .combined = true,
                           .reversed = COLLECTIVE_BROADCAST},
    [COLLECTIVE_REDUCE_SCATTER] = {"reduce-scatter", reduce_scatter_aliases, each, to_each,
                                   packet_of_result, .combined = true,
                                   .reversed = COLLECTIVE_ALL_GATHER},
    [COLLECTIVE_ALL_REDUCE] = {"all-reduce", all_reduce_aliases, one, from_each, first_packet,
                               .to_all = true, .counted = true, .combined = true,
                               .reversed = COLLECTIVE_BROADCAST},
    [COLLECTIVE_SCAN] = {"scan", NULL, one, from_each, first_packet, .to_all = true,
                         .counted = true, .combined = true, .prefix = true},
    [COLLECTIVE_EXCLUSIVE_SCAN] = {"exclusive-scan", exclusive_scan_aliases, one, from_each,
                                   first_packet, .to_all = true, .counted = true, .combined = true,
                                   .prefix = true, .exclusive = true}};

bool collective_parse(const char *name, enum collective_kind *kind)
{
    for (unsigned which = 0; which < COLLECTIVE_KINDS; which++)
        if (strcmp(collective_rows[which].name, name) == 0 ||
            text_is_one_of(name, collective_rows[which].aliases)) {
            *kind = (enum collective_kind)which;
            return true;
        }
    return false;
}
