/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/combined.h"

#include "mpi/pattern.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum part { OWN, ALL, GOT, PARTS };

/* Returns the largest number of operations of the rank in a round. */
static size_t most_of(const struct combined *combined)
{
    const struct operations *operations = &combined->operations;
    size_t most = 0, end = operations->first[combined->number + 1];
    for (size_t k = operations->first[combined->number], first = k; k < end; k++) {
        size_t step = schedule_step_of(combined->schedule, operations->operation[k] / 2);
        if (step != schedule_step_of(combined->schedule, operations->operation[first] / 2))
            first = k;
        most = MAX(most, k + 1 - first);
    }
    return most;
}

bool combined_new(const struct schedule *schedule, struct combined *combined, struct err *err)
{
    int number;
    *combined = (struct combined){.schedule = schedule};
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    combined->number = (uint32_t)number;
    if (!operations_new(schedule, &combined->operations, err))
        return false;
    combined->most = most_of(combined);
    combined->request = calloc(combined->most + 1, sizeof *combined->request);
    combined->has = calloc(PARTS * (size_t)schedule->packets, sizeof *combined->has);
    return (combined->request != NULL && combined->has != NULL) ||
           err_no_memory(err, "%" PRIu32 " packets", schedule->packets);
}

/* Returns the number of operations of the rank. */
static size_t operations_of(const struct combined *combined)
{
    const size_t *first = combined->operations.first + combined->number;
    return first[1] - first[0];
}

static void free_buffers(struct combined *combined)
{
    free(combined->own);
    free(combined->all);
    free(combined->got);
    free(combined->arrived);
    free(combined->expected);
}

bool combined_size(struct combined *combined, uint32_t bytes, enum combined_values values,
                   struct err *err)
{
    size_t packets = combined->schedule->packets;
    free_buffers(combined);
    combined->bytes = bytes;
    combined->values = values;
    combined->own = calloc(packets, bytes);
    combined->all = calloc(packets, bytes);
    combined->got = calloc(packets, bytes);
    combined->arrived = calloc(operations_of(combined) + 1, bytes);
    combined->expected = calloc(1, bytes);
    return (combined->own != NULL && combined->all != NULL && combined->got != NULL &&
            combined->arrived != NULL && combined->expected != NULL) ||
           err_no_memory(err, "%zu packets of %" PRIu32 " bytes", packets, bytes);
}

void combined_free(struct combined *combined)
{
    free_buffers(combined);
    free(combined->has);
    free(combined->request);
    operations_free(&combined->operations);
}

/* Returns the bytes of a packet in one of the buffers. */
static char *bytes_of(const struct combined *combined, enum part part, uint32_t packet)
{
    char *const buffer[] = {combined->own, combined->all, combined->got};
    return buffer[part] + (packet - 1) * combined->bytes;
}

static bool *has_of(const struct combined *combined, enum part part, uint32_t packet)
{
    return &combined->has[PARTS * (size_t)(packet - 1) + part];
}

void combined_add(const struct combined *combined, char *to, const char *from)
{
    for (size_t k = 0; combined->values == COMBINED_BYTES && k < combined->bytes; k++)
        to[k] = (char)((uint8_t)to[k] ^ (uint8_t)from[k]);
    for (size_t k = 0; combined->values == COMBINED_FLOATS && k + sizeof(float) <= combined->bytes;
         k += sizeof(float)) {
        float a, b;
        memcpy(&a, to + k, sizeof a);
        memcpy(&b, from + k, sizeof b);
        a += b;
        memcpy(to + k, &a, sizeof a);
    }
    if (combined->values == COMBINED_TREES) {
        uint64_t a, b;
        memcpy(&a, to, sizeof a);
        memcpy(&b, from, sizeof b);
        certificate_add(&a, b);
        memcpy(to, &a, sizeof a);
    }
}

bool combined_starts(const struct demand *demand, uint32_t rank)
{
    return demand->reduction != NULL ? demand_contributes(demand, rank) : demand->source == rank;
}

void combined_contribute(const struct combined *combined, char *bytes, uint32_t packet,
                         uint32_t rank, uint32_t repetition)
{
    const struct pattern pattern = {packet, repetition, rank};
    const uint64_t leaf = certificate_leaf(rank);
    if (combined->values == COMBINED_TREES)
        memcpy(bytes, &leaf, sizeof leaf);
    else if (combined->values == COMBINED_FLOATS)
        pattern_floats(bytes, combined->bytes, pattern);
    else
        pattern_fill(bytes, combined->bytes, pattern, false);
}

static void fill(void *with, uint32_t repetition)
{
    struct combined *combined = with;
    for (uint32_t packet = 1; packet <= combined->schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(combined->schedule, packet);
        bool has = combined_starts(demand, combined->number);
        *has_of(combined, OWN, packet) = has;
        *has_of(combined, ALL, packet) = *has_of(combined, GOT, packet) = false;
        memset(bytes_of(combined, ALL, packet), 0x5a, combined->bytes);
        memset(bytes_of(combined, GOT, packet), 0x5a, combined->bytes);
        if (has)
            combined_contribute(combined, bytes_of(combined, OWN, packet), packet, combined->number,
                                repetition);
    }
}

/* Returns the bytes that the rank sends: what it has received, or its partial result. */
static char *sent_bytes(const struct combined *combined, size_t transfer)
{
    uint32_t packet = combined->schedule->transfer[transfer].packet;
    bool received = schedule_combining(combined->schedule, transfer) & COMBINING_RECEIVED;
    if (received)
        return bytes_of(combined, GOT, packet);
    return bytes_of(combined, *has_of(combined, ALL, packet) ? ALL : OWN, packet);
}

/* Writes what arrived to a buffer, or adds it to what the buffer has. */
static void take(const struct combined *combined, enum part part, uint32_t packet,
                 const char *arrived, bool adds)
{
    char *to = bytes_of(combined, part, packet);
    bool *has = has_of(combined, part, packet);
    if (part == ALL && !*has && *has_of(combined, OWN, packet) && adds) {
        memcpy(to, bytes_of(combined, OWN, packet), combined->bytes);
        *has = true;
    }
    if (*has && adds)
        combined_add(combined, to, arrived);
    else
        memcpy(to, arrived, combined->bytes);
    *has = true;
}

static void combine(const struct combined *combined, size_t transfer, const char *arrived)
{
    uint32_t packet = combined->schedule->transfer[transfer].packet;
    bool combines = schedule_demand_of(combined->schedule, packet)->reduction != NULL;
    bool adds = combines && !(schedule_combining(combined->schedule, transfer) & COMBINING_REPLACE);
    take(combined, ALL, packet, arrived, adds);
    take(combined, GOT, packet, arrived, adds);
    if (!adds)
        *has_of(combined, OWN, packet) = false; /* it is replaced */
}

bool combined_has_arrived(const struct schedule *schedule, size_t transfer, size_t step)
{
    size_t sent = schedule_step_of(schedule, transfer);
    return schedule->step[sent].time + schedule->lambda.numerator <= schedule->step[step].time;
}

/* Executes `count` operations, from operation k of this rank on, which are those of a round. */
static int call_round(const struct combined *combined, size_t k, size_t count)
{
    const size_t *operation = combined->operations.operation + k;
    char *arrived =
        combined->arrived + (k - combined->operations.first[combined->number]) * combined->bytes;
    int error = MPI_SUCCESS;
    for (size_t which = 0; which < count && error == MPI_SUCCESS; which++) {
        const struct transfer *transfer = &combined->schedule->transfer[operation[which] / 2];
        error = operation[which] % 2 == 1
                    ? MPI_Irecv(arrived + which * combined->bytes, (int)combined->bytes, MPI_BYTE,
                                (int)transfer->source, 0, MPI_COMM_WORLD, &combined->request[which])
                    : MPI_Isend(sent_bytes(combined, operation[which] / 2), (int)combined->bytes,
                                MPI_BYTE, (int)transfer->destination, 0, MPI_COMM_WORLD,
                                &combined->request[which]);
    }
    return error == MPI_SUCCESS ? MPI_Waitall((int)count, combined->request, MPI_STATUSES_IGNORE)
                                : error;
}

/* Combines the packets that have arrived before a step; all packets if `step` is the number of
 * steps. *pending is the first operation that may not be combined yet. */
static void combine_arrived(const struct combined *combined, size_t *pending, size_t end,
                            size_t step)
{
    const struct operations *operations = &combined->operations;
    size_t first = operations->first[combined->number];
    for (; *pending < end; ++*pending) {
        size_t operation = operations->operation[*pending];
        if (step < combined->schedule->step_count &&
            !combined_has_arrived(combined->schedule, operation / 2, step))
            break;
        if (operation % 2 == 1)
            combine(combined, operation / 2,
                    combined->arrived + (*pending - first) * combined->bytes);
    }
}

static int call(void *with)
{
    struct combined *combined = with;
    const struct schedule *schedule = combined->schedule;
    const struct operations *operations = &combined->operations;
    size_t k = operations->first[combined->number], pending = k, next;
    size_t end = operations->first[combined->number + 1];
    int error = MPI_SUCCESS;
    for (; k < end && error == MPI_SUCCESS; k = next) {
        size_t step = schedule_step_of(schedule, operations->operation[k] / 2);
        for (next = k;
             next < end && operations->operation[next] / 2 < schedule_step_end(schedule, step);)
            next++;
        combine_arrived(combined, &pending, k, step);
        error = call_round(combined, k, next - k);
    }
    if (error == MPI_SUCCESS)
        combine_arrived(combined, &pending, end, schedule->step_count);
    return error;
}

const char *combined_result_of(const struct combined *combined, const struct demand *demand,
                               uint32_t packet)
{
    if (demand->reduction != NULL && demand->reduction->exclusive)
        return *has_of(combined, GOT, packet) ? bytes_of(combined, GOT, packet) : NULL;
    return bytes_of(combined, *has_of(combined, ALL, packet) ? ALL : OWN, packet);
}

/* The trees of results are compared at rank 0 (combined_trees.c). */
static bool check_later(void *with, uint32_t repetition, struct err *err)
{
    (void)with, (void)repetition, (void)err;
    return true;
}

static bool check(void *with, uint32_t repetition, struct err *err)
{
    const struct combined *combined = with;
    bool well = true;
    for (uint32_t packet = 1; well && packet <= combined->schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(combined->schedule, packet);
        const struct combined_result result = {combined->number, packet, repetition};
        const struct pattern_place place = {"the schedule", (int)combined->number, packet,
                                            combined->bytes};
        if (combined_expect(combined->schedule, &result, combined->expected, combined->bytes))
            well = pattern_compare(combined_result_of(combined, demand, packet), combined->expected,
                                   &place, err);
    }
    return well;
}

struct subject combined_subject(struct combined *combined)
{
    static bool (*const checks[])(void *, uint32_t,
                                  struct err *) = {[COMBINED_BYTES] = check,
                                                   [COMBINED_FLOATS] = combined_check_floats,
                                                   [COMBINED_TREES] = check_later};
    return (struct subject){combined, fill, call, checks[combined->values]};
}
