/* SPDX-License-Identifier: Apache-2.0 */
/* compare: exported functions against the collectives of the library, on the same bytes.
 *
 * <functions.h>, which the test writes, has a line for each function:
 *
 *     F(name, collective, ranks, root, m)
 *
 * Each runs on the first `ranks` of all, if there are so many, round by round and by dependency,
 * with packets of several sizes. A line is printed for each one, with `differs` at those whose
 * bytes are not what the library says. Buffers are laid out as the exported text says, by packets
 * as docs/formats.md numbers them; a block is m packets.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum collective { BROADCAST, SCATTER, GATHER, ALL_GATHER, EXCHANGE };

#define F(name, collective, ranks, root, m) int name(void *, int, int, MPI_Comm);
#include <functions.h>
#undef F

static const struct function {
    const char *name;
    int (*run)(void *, int, int, MPI_Comm);
    enum collective collective;
    int ranks, root, m;
} functions[] = {
#define F(name, collective, ranks, root, m) {#name, name, collective, ranks, root, m},
#include <functions.h>
#undef F
};

/* What rank `from` has for rank `to`, or for all: any bytes. */
static void make(char *bytes, int count, int from, int to)
{
    for (int which = 0; which < count; which++)
        bytes[which] = (char)(which * 7 + from * 31 + to * 113 + (which >> 5) + 1);
}

struct buffers {
    char *send, *receive; /* of the library: a block for each rank */
    char *own;            /* of the function */
    int block, rank;
};

static void put(const struct buffers *b, int to, int from)
{
    memcpy(b->own + (size_t)to * (size_t)b->block, b->send + (size_t)from * (size_t)b->block,
           (size_t)b->block);
}

/* Fill in what starts here. Packets to others of a source are those of ranks root + 1, root + 2 …;
 * in an exchange those of lower sources come first. */
static void fill(const struct function *f, const struct buffers *b)
{
    for (int to = 0; to < f->ranks; to++)
        make(b->send + (size_t)to * (size_t)b->block, b->block, b->rank, to);
    memset(b->own, 0x55, (size_t)(2 * f->ranks) * (size_t)b->block);
    if (f->collective == BROADCAST && b->rank == f->root)
        put(b, 0, 0);
    if (f->collective == SCATTER && b->rank == f->root)
        for (int p = 1; p < f->ranks; p++)
            put(b, p - 1, (f->root + p) % f->ranks);
    if (f->collective == GATHER && b->rank != f->root)
        put(b, 0, 0);
    if (f->collective == ALL_GATHER)
        put(b, b->rank, 0);
    if (f->collective == EXCHANGE)
        for (int to = 0, at = b->rank; to < f->ranks; to++)
            if (to != b->rank)
                put(b, at++, to);
}

static void call_library(const struct function *f, const struct buffers *b, MPI_Comm comm)
{
    if (f->collective == BROADCAST) {
        memcpy(b->receive, b->send, (size_t)b->block);
        MPI_Bcast(b->receive, b->block, MPI_BYTE, f->root, comm);
    } else if (f->collective == SCATTER) {
        MPI_Scatter(b->send, b->block, MPI_BYTE, b->receive, b->block, MPI_BYTE, f->root, comm);
    } else if (f->collective == GATHER) {
        MPI_Gather(b->send, b->block, MPI_BYTE, b->receive, b->block, MPI_BYTE, f->root, comm);
    } else if (f->collective == ALL_GATHER) {
        MPI_Allgather(b->send, b->block, MPI_BYTE, b->receive, b->block, MPI_BYTE, comm);
    } else {
        MPI_Alltoall(b->send, b->block, MPI_BYTE, b->receive, b->block, MPI_BYTE, comm);
    }
}

static int same(const struct buffers *b, int own, int library)
{
    return memcmp(b->own + (size_t)own * (size_t)b->block,
                  b->receive + (size_t)library * (size_t)b->block, (size_t)b->block) == 0;
}

static int compare(const struct function *f, const struct buffers *b)
{
    int good = 1, rank = b->rank;
    if (f->collective == BROADCAST || (f->collective == SCATTER && rank != f->root))
        good = same(b, 0, 0);
    if (f->collective == GATHER && rank == f->root)
        for (int p = 1; p < f->ranks; p++)
            good = good && same(b, p - 1, (f->root + p) % f->ranks);
    if (f->collective == ALL_GATHER)
        for (int from = 0; from < f->ranks; from++)
            good = good && same(b, from, from);
    if (f->collective == EXCHANGE)
        for (int from = 0; from < f->ranks; from++)
            good =
                good && (from == rank || same(b, from < rank ? from : from + f->ranks - 2, from));
    return good;
}

static int try_one(const struct function *f, int bytes, int by_dependency, MPI_Comm comm)
{
    struct buffers b = {.block = bytes * f->m};
    size_t blocks = (size_t)f->ranks * (size_t)b.block;
    int all, error;
    MPI_Comm_rank(comm, &b.rank);
    b.send = malloc(blocks);
    b.receive = malloc(blocks);
    b.own = malloc(2 * blocks);
    fill(f, &b);
    call_library(f, &b, comm);
    error = f->run(b.own, bytes, by_dependency, comm);
    int good = error == MPI_SUCCESS && compare(f, &b);
    free(b.send);
    free(b.receive);
    free(b.own);
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, comm);
    return all;
}

/* Another number of ranks, and a negative size, are refused. */
static int refuses(const struct function *f, MPI_Comm comm)
{
    MPI_Comm other;
    int rank, good;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split(comm, rank == 0, 0, &other);
    good = f->run(NULL, 1, 0, other) == MPI_ERR_COMM && f->run(NULL, -1, 0, comm) == MPI_ERR_COUNT;
    MPI_Comm_free(&other);
    return good;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 24, 5000};
    int rank, world, failures = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
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
            good &= try_one(f, sizes[run / 2], run % 2, comm);
        good &= refuses(f, comm);
        failures += !good;
        MPI_Comm_free(&comm);
        if (rank == 0)
            printf("%s %s\n", f->name, good ? "same" : "differs");
    }
    MPI_Finalize();
    return failures > 0;
}
