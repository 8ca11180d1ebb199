/* SPDX-License-Identifier: Apache-2.0 */
/* execute: executes the operations of one MPI rank from a table.
 *
 * By rounds, the rank starts all operations of a round at once and begins the next round when they
 * have ended on this rank; there is no barrier. By dependency, the rank posts all receipts at the
 * beginning and sends each packet as soon as it has arrived.
 */
#ifndef EXECUTE_H
#define EXECUTE_H

#include <mpi.h>

#define EXECUTE_START -1   /* the packet of a send starts at this rank */
#define EXECUTE_RECEIPT -2 /* the operation is a receipt */

struct execute_operation {
    int step, peer, tag;
    int place; /* of the packet */
    int needs; /* of a send: index of the earlier receipt of its packet; or one of the values
                * above */
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

/* Starts those operations of first … end - 1 that depend on `needs`. Returns an MPI error code. */
static int execute_start_all(const struct execute_rank *rank, int first, int end, int needs)
{
    int error = MPI_SUCCESS;
    for (int which = first; which < end && error == MPI_SUCCESS; which++)
        if (rank->operation[which].needs == needs)
            error = execute_start(rank, which);
    return error;
}

/* Executes all operations round by round. Returns an MPI error code. */
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

/* Executes all operations, each send after the receipt of its packet. Returns an MPI error code. */
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
