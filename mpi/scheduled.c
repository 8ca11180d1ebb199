/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/subject.h"

#include "mpi/pattern.h"

#include <inttypes.h>
#include <stdlib.h>

static int needs_of(const struct rank_row *row)
{
    if (row->needs == RANKS_START)
        return EXECUTE_START;
    return row->needs == RANKS_RECEIPT ? EXECUTE_RECEIPT : (int)row->needs;
}

bool scheduled_new(const struct schedule *schedule, bool by_dependency, struct scheduled *scheduled,
                   struct err *err)
{
    struct ranks *ranks = &scheduled->ranks;
    *scheduled = (struct scheduled){.by_dependency = by_dependency};
    MPI_Comm_rank(MPI_COMM_WORLD, &scheduled->number);
    if (!ranks_new(schedule, ranks, err))
        return false;
    ranks_look(ranks, (uint32_t)scheduled->number);
    scheduled->operation = calloc(ranks->rows + 1, sizeof *scheduled->operation);
    scheduled->rank =
        (struct execute_rank){.operation = scheduled->operation,
                              .operations = (int)ranks->rows,
                              .kept = (int)ranks->kept,
                              .request = calloc(ranks->rows + 1, sizeof *scheduled->rank.request),
                              .comm = MPI_COMM_WORLD};
    if (scheduled->operation == NULL || scheduled->rank.request == NULL)
        return err_no_memory(err, "%" PRIu32 " operations", ranks->rows);
    for (uint32_t which = 0; which < ranks->rows; which++) {
        const struct rank_row *row = &ranks->row[which];
        scheduled->operation[which] = (struct execute_operation){
            (int)row->step, (int)row->peer, (int)row->tag, (int)row->place, needs_of(row)};
    }
    return true;
}

bool scheduled_size(struct scheduled *scheduled, uint32_t bytes, struct err *err)
{
    struct execute_rank *rank = &scheduled->rank;
    free(rank->kept_bytes);
    rank->bytes = (int)bytes;
    rank->kept_bytes = calloc(scheduled->ranks.places + (size_t)1, bytes);
    rank->spare_bytes =
        rank->kept_bytes == NULL ? NULL : rank->kept_bytes + (size_t)rank->kept * bytes;
    return rank->kept_bytes != NULL ||
           err_no_memory(err, "%" PRIu32 " packets of %" PRIu32 " bytes", scheduled->ranks.places,
                         bytes);
}

void scheduled_free(struct scheduled *scheduled)
{
    free(scheduled->operation);
    free(scheduled->rank.request);
    free(scheduled->rank.kept_bytes);
    ranks_free(&scheduled->ranks);
}

static bool starts_here(const struct scheduled *scheduled, uint32_t place)
{
    const struct ranks *ranks = &scheduled->ranks;
    return place < ranks->kept &&
           schedule_demand_of(ranks->schedule, ranks->packet[place])->source ==
               (uint32_t)scheduled->number;
}

static char *bytes_of(const struct scheduled *scheduled, uint32_t place)
{
    return scheduled->rank.kept_bytes + place * (size_t)scheduled->rank.bytes;
}

static void fill(void *with, uint32_t repetition)
{
    const struct scheduled *scheduled = with;
    for (uint32_t place = 0; place < scheduled->ranks.places; place++)
        pattern_fill(bytes_of(scheduled, place), (size_t)scheduled->rank.bytes,
                     (struct pattern){scheduled->ranks.packet[place], repetition, 0},
                     !starts_here(scheduled, place));
}

static int call(void *with)
{
    const struct scheduled *scheduled = with;
    return scheduled->by_dependency ? execute_by_dependency(&scheduled->rank)
                                    : execute_by_rounds(&scheduled->rank);
}

static bool check(void *with, uint32_t repetition, struct err *err)
{
    const struct scheduled *scheduled = with;
    bool well = true;
    for (uint32_t place = 0; well && place < scheduled->ranks.places; place++)
        well = pattern_check(bytes_of(scheduled, place), (size_t)scheduled->rank.bytes,
                             (struct pattern){scheduled->ranks.packet[place], repetition, 0},
                             scheduled->number, "the schedule", err);
    return well;
}

uint64_t scheduled_checked(const struct scheduled *scheduled)
{
    uint64_t places = 0;
    for (uint32_t place = 0; place < scheduled->ranks.places; place++)
        places += !starts_here(scheduled, place);
    return places * (uint64_t)scheduled->rank.bytes;
}

struct subject scheduled_subject(struct scheduled *scheduled)
{
    return (struct subject){scheduled, fill, call, check};
}
