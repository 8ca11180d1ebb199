/* SPDX-License-Identifier: Apache-2.0 */
/* fault: loaded before MPI, it makes one thing fail, by the variable FAULT:
 *
 *     RANK:MESSAGE   a byte of this message of the rank, from 0, is changed on its way; what the
 *                    sender has in memory stays as it was
 *     start          no send and no receipt starts: MPI_Isend and MPI_Irecv return an error
 *     wait           MPI_Waitall and MPI_Waitany wait, and return an error
 *     result         MPI_Scatter and MPI_Reduce_scatter change a byte of what a rank receives
 *     collective     MPI_Scatter and MPI_Reduce_scatter return an error
 *     fmemopen, open_memstream
 *                    the function of this name fails
 *     memory:CALL    the call with this number, from 1, that allocates at least FAULT_BYTES fails
 *     after:AGREEMENTS:CALL, after:AGREEMENTS:CALL:RANK
 *                    when the ranks have agreed so often (MPI_Allreduce), the call with this
 *                    number, from 1, fails that allocates memory for the program itself, and not
 *                    for a library that it is linked with; at all ranks, or at one
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define FAULT_BYTES 3000000

/* The allocator of the C library under its other names. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

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

/* --- collectives ------------------------------------------------------------------------------ */

static unsigned agreements;

int MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm comm)
{
    int error = PMPI_Allreduce(send, receive, count, type, operation, comm);
    agreements++;
    return error;
}

/* Applies the fault of a collective to what has been received. */
static int end_collective(char *received, int error)
{
    if (is_fault("result"))
        received[0] ^= 1;
    return is_fault("collective") ? MPI_ERR_OTHER : error;
}

int MPI_Scatter(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                int receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm)
{
    return end_collective(receive, PMPI_Scatter(send, send_count, send_type, receive, receive_count,
                                                receive_type, root, comm));
}

int MPI_Reduce_scatter(const void *send, void *receive, const int counts[], MPI_Datatype type,
                       MPI_Op operation, MPI_Comm comm)
{
    return end_collective(receive,
                          PMPI_Reduce_scatter(send, receive, counts, type, operation, comm));
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Returns whether code of the program itself is at this address. */
static int is_of_program(const void *address)
{
    Dl_info of, program;
    const void *entry = (const void *)getauxval(AT_ENTRY);
    return dladdr(address, &of) != 0 && dladdr(entry, &program) != 0 &&
           of.dli_fbase == program.dli_fbase;
}

/* Returns whether the fault is one of this rank; `only` is the only rank that has it, or -1. */
static int is_here(int only)
{
    int rank = only;
    if (only >= 0)
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == only;
}

/* Returns whether this call of an allocator fails. */
static int fails(size_t bytes, const void *caller)
{
    static unsigned large, own;
    unsigned after, number;
    int only = -1;
    const char *fault = getenv("FAULT");
    if (fault == NULL)
        return 0;
    if (sscanf(fault, "memory:%u", &number) == 1)
        return bytes >= FAULT_BYTES && ++large == number;
    return sscanf(fault, "after:%u:%u:%d", &after, &number, &only) >= 2 && agreements >= after &&
           is_of_program(caller) && ++own == number && is_here(only);
}

void *malloc(size_t size)
{
    return fails(0, __builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(count * size, __builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(0, __builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

FILE *fmemopen(void *bytes, size_t size, const char *mode)
{
    FILE *(*real)(void *, size_t, const char *) = dlsym(RTLD_NEXT, "fmemopen");
    errno = ENOMEM;
    return is_fault("fmemopen") ? NULL : real(bytes, size, mode);
}

FILE *open_memstream(char **bytes, size_t *size)
{
    FILE *(*real)(char **, size_t *) = dlsym(RTLD_NEXT, "open_memstream");
    errno = ENOMEM;
    return is_fault("open_memstream") ? NULL : real(bytes, size);
}
