/* SPDX-License-Identifier: Apache-2.0 */
/* execute: executes the operations of one MPI rank from a table.
 *
 * Round by round, all operations of a round are under way at once, and the next ones begin when
 * they have ended here: no barrier. By dependency alone, all receipts are under way from the
 * beginning, and each packet is sent as soon as it has come.
 */
#ifndef EXECUTE_H
#define EXECUTE_H

#include <mpi.h>

#define EXECUTE_START -1   /* a sending needs nothing: the packet starts here */
#define EXECUTE_RECEIPT -2 /* no sending, a receipt */

struct execute_operation {
    int step, peer, tag;
    int place; /* of the packet */
    int needs; /* of a sending: the receipt of its packet, an earlier one; or one of those above */
};

struct execute_rank {
    const struct execute_operation *operation;
    int operations;
    int kept; /* places below it are in kept_bytes, the others in spare_bytes */
    char *kept_bytes, *spare_bytes;
    MPI_Request *request; /* [operations] */
    int bytes;            /* of a packet */
    MPI_Comm comm;
};

static int execute_start(const struct execute_rank *rank, int which)
{
    const struct execute_operation *operation = &rank->operation[which];
    MPI_Request *request = &rank->request[which];
    int spare = operation->place - rank->kept;
    char *packet = spare < 0 ? rank->kept_bytes + (size_t)operation->place * (size_t)rank->bytes
                             : rank->spare_bytes + (size_t)spare * (size_t)rank->bytes;
    return operation->needs == EXECUTE_RECEIPT
               ? MPI_Irecv(packet, rank->bytes, MPI_BYTE, operation->peer, operation->tag,
                           rank->comm, request)
               : MPI_Isend(packet, rank->bytes, MPI_BYTE, operation->peer, operation->tag,
                           rank->comm, request);
}

/* Start those operations of first … end - 1 that need `needs`. */
static int execute_start_all(const struct execute_rank *rank, int first, int end, int needs)
{
    int error = MPI_SUCCESS;
    for (int which = first; which < end && error == MPI_SUCCESS; which++)
        if (rank->operation[which].needs == needs)
            error = execute_start(rank, which);
    return error;
}

/* Returns what MPI returns. */
static inline int execute_by_rounds(const struct execute_rank *rank)
{
    int error = MPI_SUCCESS;
    for (int first = 0, end; first < rank->operations && error == MPI_SUCCESS; first = end) {
        for (end = first;
             end < rank->operations && rank->operation[end].step == rank->operation[first].step;)
            end++;
        error = execute_start_all(rank, first, end, EXECUTE_RECEIPT);
        for (int which = first; which < end && error == MPI_SUCCESS; which++)
            if (rank->operation[which].needs != EXECUTE_RECEIPT)
                error = execute_start(rank, which);
        if (error == MPI_SUCCESS)
            error = MPI_Waitall(end - first, rank->request + first, MPI_STATUSES_IGNORE);
    }
    return error;
}

/* Returns what MPI returns. */
static inline int execute_by_dependency(const struct execute_rank *rank)
{
    for (int which = 0; which < rank->operations; which++)
        rank->request[which] = MPI_REQUEST_NULL;
    int done = 0, error = execute_start_all(rank, 0, rank->operations, EXECUTE_RECEIPT);
    if (error == MPI_SUCCESS)
        error = execute_start_all(rank, 0, rank->operations, EXECUTE_START);
    while (error == MPI_SUCCESS) {
        error = MPI_Waitany(rank->operations, rank->request, &done, MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS || done == MPI_UNDEFINED)
            break;
        error = execute_start_all(rank, done + 1, rank->operations, done);
    }
    return error;
}

#endif
