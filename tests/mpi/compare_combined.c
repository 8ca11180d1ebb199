/* SPDX-License-Identifier: Apache-2.0 */
/* compare_combined: exported functions that combine against the collectives of the library.
 *
 * <combined.h>, which the test writes, has a line for each function:
 *
 *     F(name, collective, ranks, root, m)
 *
 * Each runs on the first `ranks` of all, with packets of several sizes and two operators: the sum
 * of integers, and the composition of the maps x → a x + b modulo 2^16, which does not commute.
 * Scans must leave what the library leaves for both; other functions must refuse the second. A line
 * is printed for each function.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum collective { REDUCE, REDUCE_SCATTER, ALL_REDUCE, SCAN, EXSCAN };

#define F(name, collective, ranks, root, m) int name(void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
#include <combined.h>
#undef F

static const struct function {
    const char *name;
    int (*run)(void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    enum collective collective;
    int ranks, root, m;
} functions[] = {
#define F(name, collective, ranks, root, m) {#name, name, collective, ranks, root, m},
#include <combined.h>
#undef F
};

static MPI_Op compose_op;

/* y = x ∘ y for each element: bits 16 … 31 are a, bits 0 … 15 are b. */
static void compose(void *left, void *right, int *count, MPI_Datatype *type)
{
    const uint32_t *x = left;
    uint32_t *y = right;
    (void)type;
    for (int k = 0; k < *count; k++) {
        uint32_t a = (x[k] >> 16) * (y[k] >> 16), b = (x[k] >> 16) * (y[k] & 0xffff) + x[k];
        y[k] = a << 16 | (b & 0xffff);
    }
}

static int is_scan(const struct function *f)
{
    return f->collective == SCAN || f->collective == EXSCAN;
}

static void call_library(const struct function *f, const uint32_t *send, uint32_t *receive,
                         int count, MPI_Op op, MPI_Comm comm)
{
    if (f->collective == REDUCE)
        MPI_Reduce(send, receive, count, MPI_UINT32_T, op, f->root, comm);
    else if (f->collective == REDUCE_SCATTER)
        MPI_Reduce_scatter_block(send, receive, count / f->ranks, MPI_UINT32_T, op, comm);
    else if (f->collective == ALL_REDUCE)
        MPI_Allreduce(send, receive, count, MPI_UINT32_T, op, comm);
    else if (f->collective == SCAN)
        MPI_Scan(send, receive, count, MPI_UINT32_T, op, comm);
    else
        MPI_Exscan(send, receive, count, MPI_UINT32_T, op, comm);
}

/* Returns whether the results of this rank are those of the library. */
static int same(const struct function *f, const uint32_t *own, const uint32_t *library, int count,
                int rank)
{
    if ((f->collective == REDUCE && rank != f->root) || (f->collective == EXSCAN && rank == 0))
        return 1; /* no result */
    if (f->collective == REDUCE_SCATTER) {
        count /= f->ranks;
        own += (size_t)rank * (size_t)count;
    }
    return memcmp(own, library, (size_t)count * sizeof *own) == 0;
}

static int try_one(const struct function *f, int elements, MPI_Op op, MPI_Comm comm)
{
    int count = elements * f->m * (f->collective == REDUCE_SCATTER ? f->ranks : 1), rank, all;
    size_t bytes = (size_t)count * sizeof(uint32_t);
    uint32_t *send = malloc(bytes), *own = malloc(bytes), *library = malloc(bytes);
    MPI_Comm_rank(comm, &rank);
    for (int k = 0; k < count; k++)
        send[k] = ((uint32_t)(k * 7 + rank * 31) | 1) << 16 | (uint32_t)(k * 5 + rank * 113 + 1);
    memcpy(own, send, bytes);
    call_library(f, send, library, count, op, comm);
    int error = f->run(own, elements, MPI_UINT32_T, op, comm);
    int good = error == MPI_SUCCESS && same(f, own, library, count, rank);
    if (op == compose_op && !is_scan(f))
        good = error == MPI_ERR_OP && memcmp(own, send, bytes) == 0;
    free(send);
    free(own);
    free(library);
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, comm);
    return all;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 6, 1250};
    int rank, world, failures = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Op_create(compose, 0, &compose_op);
    for (size_t which = 0; which < sizeof functions / sizeof *functions; which++) {
        const struct function *f = &functions[which];
        MPI_Comm comm;
        int good = 1;
        if (f->ranks > world)
            continue;
        MPI_Comm_split(MPI_COMM_WORLD, rank < f->ranks ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm == MPI_COMM_NULL)
            continue;
        for (int run = 0; run < 6; run++)
            good &= try_one(f, sizes[run / 2], run % 2 == 0 ? MPI_SUM : compose_op, comm);
        good &= f->run(NULL, -1, MPI_INT, MPI_SUM, comm) == MPI_ERR_COUNT;
        failures += !good;
        MPI_Comm_free(&comm);
        if (rank == 0)
            printf("%s %s\n", f->name, good ? "same" : "differs");
    }
    MPI_Op_free(&compose_op);
    MPI_Finalize();
    return failures > 0;
}
