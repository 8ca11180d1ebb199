/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/subject.h"

#include "mpi/combined.h"
#include "mpi/pattern.h"
#include "sched/base/text.h"
#include "sched/exchange/operations.h"

#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* A collective of MPI. A rank has a block for each other rank, or one block for all ranks. */
struct library_row {
    enum collective_kind kind;
    const char *name;
    int (*call)(const struct library *library);
    bool block_to_each, block_from_each, in_place;
    bool reduces; /* combines the blocks of all ranks, byte by byte */
};

static int broadcast(const struct library *library)
{
    return MPI_Bcast(library->receive, library->block, MPI_BYTE, library->root, MPI_COMM_WORLD);
}

static int scatter(const struct library *library)
{
    return MPI_Scatter(library->send, library->block, MPI_BYTE, library->receive, library->block,
                       MPI_BYTE, library->root, MPI_COMM_WORLD);
}

static int gather(const struct library *library)
{
    return MPI_Gather(library->send, library->block, MPI_BYTE, library->receive, library->block,
                      MPI_BYTE, library->root, MPI_COMM_WORLD);
}

static int all_gather(const struct library *library)
{
    return MPI_Allgather(library->send, library->block, MPI_BYTE, library->receive, library->block,
                         MPI_BYTE, MPI_COMM_WORLD);
}

static int all_to_all(const struct library *library)
{
    return MPI_Alltoall(library->send, library->block, MPI_BYTE, library->receive, library->block,
                        MPI_BYTE, MPI_COMM_WORLD);
}

static int reduce(const struct library *library)
{
    return MPI_Reduce(library->send, library->receive, library->block, MPI_BYTE, MPI_BXOR,
                      library->root, MPI_COMM_WORLD);
}

static int reduce_scatter(const struct library *library)
{
    return MPI_Reduce_scatter(library->send, library->receive, library->counts, MPI_BYTE, MPI_BXOR,
                              MPI_COMM_WORLD);
}

static int all_reduce(const struct library *library)
{
    return MPI_Allreduce(library->send, library->receive, library->block, MPI_BYTE, MPI_BXOR,
                         MPI_COMM_WORLD);
}

static int scan(const struct library *library)
{
    return MPI_Scan(library->send, library->receive, library->block, MPI_BYTE, MPI_BXOR,
                    MPI_COMM_WORLD);
}

static int exclusive_scan(const struct library *library)
{
    return MPI_Exscan(library->send, library->receive, library->block, MPI_BYTE, MPI_BXOR,
                      MPI_COMM_WORLD);
}

static const struct library_row rows[] = {
    {COLLECTIVE_BROADCAST, "MPI_Bcast", broadcast, false, false, true, false},
    {COLLECTIVE_SCATTER, "MPI_Scatter", scatter, true, false, false, false},
    {COLLECTIVE_GATHER, "MPI_Gather", gather, false, true, false, false},
    {COLLECTIVE_ALL_GATHER, "MPI_Allgather", all_gather, false, true, false, false},
    {COLLECTIVE_TOTAL_EXCHANGE, "MPI_Alltoall", all_to_all, true, true, false, false},
    {COLLECTIVE_REDUCE, "MPI_Reduce", reduce, false, false, false, true},
    {COLLECTIVE_REDUCE_SCATTER, "MPI_Reduce_scatter", reduce_scatter, true, false, false, true},
    {COLLECTIVE_ALL_REDUCE, "MPI_Allreduce", all_reduce, false, false, false, true},
    {COLLECTIVE_SCAN, "MPI_Scan", scan, false, false, false, true},
    {COLLECTIVE_EXCLUSIVE_SCAN, "MPI_Exscan", exclusive_scan, false, false, false, true},
};

void library_new(const struct schedule *schedule, struct library *library)
{
    struct collective collective;
    struct schedule complete = *schedule; /* the demands of a hypercube are those of a complete
                                           * graph */
    complete.topology = topology_complete(schedule->nodes);
    *library = (struct library){.schedule = schedule};
    MPI_Comm_rank(MPI_COMM_WORLD, &library->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &library->ranks);
    if (!schedule_collective(&complete, &collective))
        return;
    library->m = collective.m;
    library->root = (int)collective.source;
    for (size_t which = 0; which < sizeof rows / sizeof *rows; which++)
        if (rows[which].kind == collective.kind)
            library->row = &rows[which];
}

const char *library_name(const struct library *library)
{
    return library->row != NULL ? library->row->name : NULL;
}

void library_free(struct library *library)
{
    free(library->send);
    free(library->receive);
    free(library->counts);
    library->send = library->receive = NULL;
    library->counts = NULL;
}

bool library_size(struct library *library, uint32_t bytes, struct err *err)
{
    if (library->row == NULL)
        return true;
    uint64_t block = library->m * (uint64_t)bytes;
    if (block > INT_MAX)
        return err_set(err, ERR_RANGE,
                       "--bytes: %" PRIu32 " packet%s of %" PRIu32 " byte%s; expected at most %d "
                       "bytes together, which %s can count",
                       library->m, text_s(library->m), bytes, text_s(bytes), INT_MAX,
                       library->row->name);
    library_free(library);
    library->bytes = (int)bytes;
    library->block = (int)block;
    library->send = calloc((size_t)library->ranks, block);
    library->receive = calloc((size_t)library->ranks, block);
    library->counts = calloc((size_t)library->ranks, sizeof *library->counts);
    for (int rank = 0; library->counts != NULL && rank < library->ranks; rank++)
        library->counts[rank] = library->block;
    return (library->send != NULL && library->receive != NULL && library->counts != NULL) ||
           err_no_memory(err, "%d blocks of %d bytes", library->ranks, library->block);
}

/* Return the packets of a demand in the buffer of the sender or of a receiver. */
static char *sent_bytes(const struct library *library, const struct demand *demand)
{
    size_t block = library->row->block_to_each ? *demand->wanted : 0;
    return (library->row->in_place ? library->receive : library->send) +
           block * (size_t)library->block;
}

static char *received_bytes(const struct library *library, const struct demand *demand)
{
    size_t block = library->row->block_from_each ? demand->source : 0;
    return library->receive + block * (size_t)library->block;
}

static void fill_demand(const struct library *library, const struct demand *demand, char *bytes,
                        uint32_t repetition, bool to_come)
{
    for (uint32_t p = demand->first_packet; p <= demand->last_packet; p++)
        pattern_fill(bytes + (p - demand->first_packet) * (size_t)library->bytes,
                     (size_t)library->bytes, (struct pattern){p, repetition, 0}, to_come);
}

/* Returns the place of a combined packet in the block of its receiver. */
static size_t place_in_block(const struct library *library, uint32_t packet)
{
    return (packet - 1) % library->m * (size_t)library->bytes;
}

/* Fills in the contributions of this rank to all combined packets, and wrong results. */
static void fill_combined(const struct library *library, uint32_t repetition)
{
    memset(library->receive, 0x5a, (size_t)library->block);
    for (uint32_t p = 1; p <= library->schedule->packets; p++) {
        const struct demand *demand = schedule_demand_of(library->schedule, p);
        size_t block = library->row->block_to_each ? *demand->wanted : 0;
        pattern_fill(library->send + block * (size_t)library->block + place_in_block(library, p),
                     (size_t)library->bytes,
                     (struct pattern){p, repetition, (uint32_t)library->rank}, false);
    }
}

/* Checks the results of this rank. The contributions have been sent, so that their buffer has room
 * for the expected bytes. */
static bool check_combined(const struct library *library, uint32_t repetition, struct err *err)
{
    bool well = true;
    for (uint32_t p = 1; well && p <= library->schedule->packets; p++) {
        const struct combined_result result = {(uint32_t)library->rank, p, repetition};
        const struct pattern_place place = {library->row->name, library->rank, p,
                                            (size_t)library->bytes};
        if (combined_expect(library->schedule, &result, library->send, place.count))
            well = pattern_compare(library->receive + place_in_block(library, p), library->send,
                                   &place, err);
    }
    return well;
}

static void fill(void *with, uint32_t repetition)
{
    const struct library *library = with;
    if (library->row->reduces) {
        fill_combined(library, repetition);
        return;
    }
    for (size_t d = 0; d < library->schedule->demand_count; d++) {
        const struct demand *demand = &library->schedule->demand[d];
        if (demand_wants(demand, (uint32_t)library->rank))
            fill_demand(library, demand, received_bytes(library, demand), repetition, true);
        if (demand->source == (uint32_t)library->rank)
            fill_demand(library, demand, sent_bytes(library, demand), repetition, false);
    }
}

static int call(void *with)
{
    const struct library *library = with;
    return library->row->call(library);
}

static bool check(void *with, uint32_t repetition, struct err *err)
{
    const struct library *library = with;
    bool well = true;
    if (library->row->reduces)
        return check_combined(library, repetition, err);
    for (size_t d = 0; well && d < library->schedule->demand_count; d++) {
        const struct demand *demand = &library->schedule->demand[d];
        bool wanted = demand_wants(demand, (uint32_t)library->rank);
        const char *bytes = received_bytes(library, demand);
        for (uint32_t p = demand->first_packet; well && wanted && p <= demand->last_packet; p++)
            well = pattern_check(bytes + (p - demand->first_packet) * (size_t)library->bytes,
                                 (size_t)library->bytes, (struct pattern){p, repetition, 0},
                                 library->rank, library->row->name, err);
    }
    return well;
}

struct subject library_subject(struct library *library)
{
    return (struct subject){library, fill, call, check};
}
