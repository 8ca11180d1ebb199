/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_c: a C function that executes a schedule by MPI, for a user's own program. It consists of the
 * text of mpi/execute.h, which the ranks of this project also run, a table of the operations of
 * each rank, and the function. */
#include "sched/exchange/exchange.h"
#include "sched/exchange/mpi_c_combined.h"
#include "sched/exchange/operations.h"

#include <inttypes.h>

#define MOST_NODES 4096
#define PER_LINE 4

/* The assembler includes the file, relative to the root of the sources; the Makefile has the
 * rule. */
extern const char mpi_c_execute[];
__asm__(".section .rodata\n.global mpi_c_execute\n.type mpi_c_execute, @object\nmpi_c_execute:\n"
        ".incbin \"mpi/execute.h\"\n.byte 0\n.size mpi_c_execute, . - mpi_c_execute\n.previous\n");

static const char function[] =
    "/* Execute the schedule on a communicator of ROUNDCAST_RANKS ranks, which all call it.\n"
    " *\n"
    " * `buffer` has a place of `bytes` bytes for each packet that starts at the rank or that it\n"
    " * wants, in the order of their numbers. The rank has filled in those that start there, and\n"
    " * finds the others when the function returns. roundcast_kept[rank] is how many there are.\n"
    " *\n"
    " * Returns MPI_SUCCESS; MPI_ERR_COMM for another number of ranks, MPI_ERR_COUNT for negative\n"
    " * bytes, MPI_ERR_NO_MEM; or what MPI returned. */\n"
    "int roundcast_run(void *buffer, int bytes, int by_dependency, MPI_Comm comm);\n"
    "\n"
    "int roundcast_run(void *buffer, int bytes, int by_dependency, MPI_Comm comm)\n"
    "{\n"
    "    int rank = 0, ranks = 0, error = MPI_Comm_size(comm, &ranks);\n"
    "    if (error == MPI_SUCCESS)\n"
    "        error = MPI_Comm_rank(comm, &rank);\n"
    "    if (error != MPI_SUCCESS)\n"
    "        return error;\n"
    "    if (ranks != ROUNDCAST_RANKS || bytes < 0)\n"
    "        return bytes < 0 ? MPI_ERR_COUNT : MPI_ERR_COMM;\n"
    "    int first = roundcast_first[rank], operations = roundcast_first[rank + 1] - first;\n"
    "    size_t spare = (size_t)roundcast_spare[rank] * (size_t)bytes;\n"
    "    struct execute_rank run = {\n"
    "        .operation = roundcast_operation + first,\n"
    "        .operations = operations,\n"
    "        .kept = roundcast_kept[rank],\n"
    "        .kept_bytes = buffer,\n"
    "        .spare_bytes = malloc(spare + 1),\n"
    "        .request = malloc(((size_t)operations + 1) * sizeof(MPI_Request)),\n"
    "        .bytes = bytes,\n"
    "        .comm = comm};\n"
    "    if (run.spare_bytes == NULL || run.request == NULL)\n"
    "        error = MPI_ERR_NO_MEM;\n"
    "    else\n"
    "        error = by_dependency ? execute_by_dependency(&run) : execute_by_rounds(&run);\n"
    "    free(run.spare_bytes);\n"
    "    free(run.request);\n"
    "    return error;\n"
    "}\n";

/* Writes a table with an entry for each rank, computed from its rows; with `sum`, the sum of the
 * entries of all lower ranks. */
static void put_table(FILE *to, struct ranks *ranks, const char *name,
                      uint32_t (*entry)(const struct ranks *), bool sum)
{
    uint32_t before = 0, nodes = ranks->schedule->nodes;
    fprintf(to, "static const int %s[] = {", name);
    for (uint32_t rank = 0; rank < nodes; rank++) {
        ranks_look(ranks, rank);
        fprintf(to, "%s%" PRIu32,
                rank == 0        ? "\n    "
                : rank % 16 == 0 ? ",\n    "
                                 : ", ",
                sum ? before : entry(ranks));
        before += entry(ranks);
    }
    if (sum)
        fprintf(to, ", %" PRIu32, before);
    fputs("};\n", to);
}

static uint32_t rows_of(const struct ranks *ranks)
{
    return ranks->rows;
}

static uint32_t kept_of(const struct ranks *ranks)
{
    return ranks->kept;
}

static uint32_t spare_of(const struct ranks *ranks)
{
    return ranks->places - ranks->kept;
}

static int needs_of(const struct rank_row *row)
{
    if (row->needs == RANKS_START)
        return -1; /* EXECUTE_START */
    return row->needs == RANKS_RECEIPT ? -2 : (int)row->needs;
}

static void put_operations(FILE *to, struct ranks *ranks)
{
    fputs("/* What each rank does: step, peer, tag, place, needs. */\n"
          "static const struct execute_operation roundcast_operation[] = {\n",
          to);
    for (uint32_t rank = 0; rank < ranks->schedule->nodes; rank++) {
        ranks_look(ranks, rank);
        fprintf(to, "    /* rank %" PRIu32 " */\n", rank);
        for (uint32_t which = 0; which < ranks->rows; which++) {
            fputs(which % PER_LINE == 0 ? "    " : " ", to);
            const struct rank_row *row = &ranks->row[which];
            fprintf(to, "{%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %d},", row->step,
                    row->peer, row->tag, row->place, needs_of(row));
            if (which % PER_LINE == PER_LINE - 1 || which + 1 == ranks->rows)
                fputc('\n', to);
        }
    }
    fputs("    {0, 0, 0, 0, 0}};\n", to);
}

static void put_all(FILE *to, struct ranks *ranks)
{
    const struct schedule *schedule = ranks->schedule;
    fprintf(to,
            "/* Written by roundcast: %" PRIu32 " packets, %" PRIu32 " ranks, %zu transfers in %zu "
            "steps. */\n%s\n#include <stdlib.h>\n\n#define ROUNDCAST_RANKS %" PRIu32 "\n\n",
            schedule->packets, schedule->nodes, schedule->transfer_count, schedule->step_count,
            mpi_c_execute, schedule->nodes);
    put_operations(to, ranks);
    fputs("/* Of each rank: its first operation; places of packets in the buffer; others. */\n",
          to);
    put_table(to, ranks, "roundcast_first", rows_of, true);
    put_table(to, ranks, "roundcast_kept", kept_of, false);
    put_table(to, ranks, "roundcast_spare", spare_of, false);
    fprintf(to, "\n%s", function);
}

static bool write_mpi_c(FILE *to, const struct schedule *schedule,
                        const struct exchange_options *options, struct err *err)
{
    struct ranks ranks;
    (void)options;
    if (schedule->has_reductions)
        return mpi_c_write_combined(to, schedule, err);
    if (!ranks_new(schedule, &ranks, err))
        return false;
    put_all(to, &ranks);
    ranks_free(&ranks);
    return true;
}

const struct exchange_format exchange_mpi_c = {
    .name = "mpi-c",
    .what = "a function of C, for MPI",
    .suffix = "c",
    .most = MOST_NODES,
    .write = write_mpi_c,
};
