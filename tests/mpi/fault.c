/* SPDX-License-Identifier: Apache-2.0 */
/* fault: loaded before MPI, it makes one thing fail, by the variable FAULT:
 *
 *     RANK:MESSAGE   a byte of this message of the rank, from 0, is changed on its way; what the
 *                    sender has in memory stays as it was
 *     start          no send and no receipt starts: MPI_Isend and MPI_Irecv return an error
 *     wait           MPI_Waitall and MPI_Waitany wait, and return an error
 *     memory:CALL    the call with this number, from 1, that allocates at least FAULT_BYTES fails
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAULT_BYTES 3000000

/* The allocator of the C library under its other name. */
void *__libc_calloc(size_t count, size_t size);

static int is_fault(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}

int MPI_Isend(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    static int messages;
    int rank, faulty_rank, faulty_message;
    const char *fault = getenv("FAULT");
    if (is_fault("start"))
        return MPI_ERR_OTHER;
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

int MPI_Irecv(void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return is_fault("start") ? MPI_ERR_OTHER
                             : PMPI_Irecv(bytes, count, type, from, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    int error = PMPI_Waitall(count, request, status);
    return is_fault("wait") ? MPI_ERR_OTHER : error;
}

int MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    int error = PMPI_Waitany(count, request, index, status);
    return is_fault("wait") ? MPI_ERR_OTHER : error;
}

void *calloc(size_t count, size_t size)
{
    static unsigned calls;
    unsigned number;
    const char *fault = getenv("FAULT");
    if (fault != NULL && sscanf(fault, "memory:%u", &number) == 1 && count * size >= FAULT_BYTES &&
        ++calls == number)
        return NULL;
    return __libc_calloc(count, size);
}
