/* SPDX-License-Identifier: Apache-2.0 */
/* fault: loaded before MPI, it changes a byte of what is sent on the way, of one message of a rank:
 * FAULT=RANK:MESSAGE, from 0. What the sender has in memory stays as it was. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int MPI_Isend(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    static int messages;
    int rank, faulty_rank, faulty_message;
    const char *fault = getenv("FAULT");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (fault != NULL && sscanf(fault, "%d:%d", &faulty_rank, &faulty_message) == 2 &&
        rank == faulty_rank && messages++ == faulty_message && count > 0) {
        char *changed = malloc((size_t)count); /* it has to stay until it is sent */
        memcpy(changed, bytes, (size_t)count);
        changed[count / 2] ^= 1;
        bytes = changed;
    }
    return PMPI_Isend(bytes, count, type, to, tag, comm, request);
}
