/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_c_combined: the actions of each rank of a schedule that combines packets.
 *
 *     round 1   1 → 0                      rank 0   receive from 1 into place 1
 *     round 2   0 → 1, replace                      place 0 = place 1 op place 0
 *                                                   send place 0 to 1
 *     all-reduce of one packet             rank 1   send place 0 to 0
 *                                                   receive from 0 into place 1
 *                                                   place 0 = place 1
 *
 * A rank has a place for each packet that it contributes to, starts with or wants, in the user's
 * buffer. After them it has places for the partial results of other packets, for what it has
 * received of packets that it sends without its own contribution or whose result is that of an
 * exclusive scan, and for packets that have arrived and are not combined yet.
 */
#include "sched/exchange/mpi_c_combined.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>

#define NO_PLACE UINT32_MAX
#define PER_LINE 4

/* The assembler includes the file, relative to the root of the sources; the Makefile has the
 * rule. */
extern const char mpi_c_execute_combined[];
__asm__(".section .rodata\n.global mpi_c_execute_combined\n.type mpi_c_execute_combined, @object\n"
        "mpi_c_execute_combined:\n.incbin \"mpi/execute_combined.h\"\n.byte 0\n"
        ".size mpi_c_execute_combined, . - mpi_c_execute_combined\n.previous\n");

static const char function[] =
    "/* Execute the schedule on a communicator of ROUNDCAST_RANKS ranks, which all call it.\n"
    " *\n"
    " * `buffer` has a place of `count` elements of `type` for each packet that the rank\n"
    " * contributes to, starts with or wants, in the order of their numbers. The rank has filled "
    "in\n"
    " * its contributions, and finds its results when the function returns; other places are\n"
    " * changed. roundcast_kept[rank] is how many places there are. Elements have no gaps.\n"
    " *\n"
    " * Returns MPI_SUCCESS; MPI_ERR_COMM for another number of ranks, MPI_ERR_COUNT for a "
    "negative\n"
    " * count, MPI_ERR_OP for an operator that does not commute, if the schedule requires it,\n"
    " * MPI_ERR_NO_MEM; or what MPI returned. */\n"
    "int roundcast_run(void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);\n"
    "\n"
    "int roundcast_run(void *buffer, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)\n"
    "{\n"
    "    MPI_Aint low = 0, extent = 0;\n"
    "    int rank = 0, ranks = 0, commutes = 1, error = MPI_Comm_size(comm, &ranks);\n"
    "    if (error == MPI_SUCCESS)\n"
    "        error = MPI_Comm_rank(comm, &rank);\n"
    "    if (error == MPI_SUCCESS)\n"
    "        error = MPI_Type_get_extent(type, &low, &extent);\n"
    "    if (error == MPI_SUCCESS)\n"
    "        error = MPI_Op_commutative(op, &commutes);\n"
    "    if (error != MPI_SUCCESS)\n"
    "        return error;\n"
    "    if (ranks != ROUNDCAST_RANKS || count < 0)\n"
    "        return count < 0 ? MPI_ERR_COUNT : MPI_ERR_COMM;\n"
    "    if (!commutes && !ROUNDCAST_ORDERED)\n"
    "        return MPI_ERR_OP;\n"
    "    int first = roundcast_first[rank], actions = roundcast_first[rank + 1] - first;\n"
    "    size_t bytes = (size_t)count * (size_t)extent;\n"
    "    struct execute_combined run = {\n"
    "        .action = roundcast_action + first,\n"
    "        .actions = actions,\n"
    "        .kept = roundcast_kept[rank],\n"
    "        .kept_bytes = buffer,\n"
    "        .spare_bytes = malloc((size_t)roundcast_spare[rank] * bytes + 1),\n"
    "        .request = malloc(((size_t)actions + 1) * sizeof(MPI_Request)),\n"
    "        .count = count,\n"
    "        .type = type,\n"
    "        .bytes = bytes,\n"
    "        .op = op,\n"
    "        .comm = comm};\n"
    "    error = MPI_ERR_NO_MEM;\n"
    "    if (run.spare_bytes != NULL && run.request != NULL)\n"
    "        error = execute_combined(&run);\n"
    "    free(run.spare_bytes);\n"
    "    free(run.request);\n"
    "    return error;\n"
    "}\n";

/* What a rank has of a packet, and where. */
struct holder {
    uint32_t place, got;   /* of its partial result, and of what it received; NO_PLACE */
    bool has_all, has_got; /* they have a content */
    bool needs_got;        /* what it received is sent, or is a result */
};

/* A receipt that is not combined yet. */
struct pending {
    size_t transfer;
    uint32_t place;
};

struct writer {
    FILE *to;
    const struct schedule *schedule;
    struct ranks ranks;
    uint32_t rank;
    struct holder *holder;   /* [packets + 1] */
    struct pending *pending; /* [receipts of a rank]; first_pending … pendings - 1 wait */
    size_t first_pending, pendings;
    uint32_t *free_place; /* [receipts of a rank]: places of receipts that are combined */
    uint32_t frees, places;
    uint32_t actions;
    uint32_t *first, *kept, *spare; /* [ranks + 1]: the tables of the file */
    void *memory;
};

/* -- Preparation ------------------------------------------------------------------------------- */

static bool combines_in_order(const struct demand *demand)
{
    return demand->reduction != NULL && demand->reduction->ordered && !demand->reduction->prefix;
}

/* Checks the transfers of packets that are combined in order. */
static bool check_order(const struct schedule *schedule, struct err *err)
{
    for (size_t index = 0; index < schedule->transfer_count; index++) {
        const struct transfer *transfer = &schedule->transfer[index];
        const struct demand *demand = schedule_demand_of(schedule, transfer->packet);
        if (combines_in_order(demand) && (schedule_combining(schedule, index) != 0 ||
                                          !demand_contributes(demand, transfer->source) ||
                                          !demand_contributes(demand, transfer->destination)))
            return err_set(err, ERR_UNSUPPORTED,
                           "mpi-c: packet %" PRIu32 " is combined in order, and a transfer from "
                           "node %" PRIu32 " to node %" PRIu32 " has options, or a node that does "
                           "not contribute; expected none, or a scan",
                           transfer->packet, transfer->source, transfer->destination);
    }
    return true;
}

static bool writer_new(struct writer *writer, struct err *err)
{
    const struct schedule *schedule = writer->schedule;
    if (!check_order(schedule, err) || !ranks_new(schedule, &writer->ranks, err))
        return false;
    const size_t rows = writer->ranks.most_rows + (size_t)1, ranks = schedule->nodes + (size_t)1;
    const struct arena_array arrays[] = {ARENA(writer->holder, schedule->packets + (size_t)1),
                                         ARENA(writer->pending, rows),
                                         ARENA(writer->free_place, rows),
                                         ARENA(writer->first, ranks),
                                         ARENA(writer->kept, ranks),
                                         ARENA(writer->spare, ranks)};
    writer->memory = arena_new(arrays, ARENA_COUNT(arrays));
    return writer->memory != NULL || err_no_memory(err, "the actions of %zu operations", rows);
}

/* Assigns the places of the rank's packets that do not change. */
static void assign_places(struct writer *writer)
{
    const struct schedule *schedule = writer->schedule;
    const struct operations *operations = &writer->ranks.operations;
    writer->places = 0;
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        const struct demand *demand = schedule_demand_of(schedule, packet);
        const bool starts = demand->reduction != NULL ? demand_contributes(demand, writer->rank)
                                                      : demand->source == writer->rank;
        const bool wanted = demand_wants(demand, writer->rank);
        writer->holder[packet] = (struct holder){
            .place = starts || wanted ? writer->places++ : NO_PLACE,
            .got = NO_PLACE,
            .has_all = starts,
            .needs_got = wanted && demand->reduction != NULL && demand->reduction->exclusive};
    }
    writer->kept[writer->rank] = writer->places;
    for (size_t k = operations->first[writer->rank]; k < operations->first[writer->rank + 1]; k++) {
        const size_t index = operations->operation[k] / 2;
        struct holder *holder = &writer->holder[schedule->transfer[index].packet];
        if (holder->place == NO_PLACE)
            holder->place = writer->places++;
        if (operations->operation[k] % 2 == 0 &&
            (schedule_combining(schedule, index) & COMBINING_RECEIVED) != 0)
            holder->needs_got = true;
    }
    for (uint32_t packet = 1; packet <= schedule->packets; packet++)
        if (writer->holder[packet].needs_got)
            writer->holder[packet].got = writer->places++;
    writer->first_pending = writer->pendings = writer->frees = 0;
}

/* -- Actions ----------------------------------------------------------------------------------- */

static void put(struct writer *writer, uint32_t step, const char *kind, uint32_t place,
                uint32_t other)
{
    const uint32_t which = writer->actions - writer->first[writer->rank];
    fprintf(writer->to, "%s{%" PRIu32 ", EXECUTE_%s, %" PRIu32 ", %" PRIu32 "},",
            which == 0              ? "    "
            : which % PER_LINE == 0 ? "\n    "
                                    : " ",
            step, kind, place, other);
    writer->actions++;
}

/* Combines what arrived with the content of a place, or copies it if there is none. */
static void put_change(struct writer *writer, uint32_t place, uint32_t arrived, bool *has,
                       const char *kind)
{
    put(writer, 0, *has ? kind : "COPY", place, arrived);
    *has = true;
}

static void put_receipt(struct writer *writer, const struct pending *pending)
{
    const struct schedule *schedule = writer->schedule;
    const struct transfer *transfer = &schedule->transfer[pending->transfer];
    const struct demand *demand = schedule_demand_of(schedule, transfer->packet);
    struct holder *holder = &writer->holder[transfer->packet];
    const bool replaces = demand->reduction == NULL ||
                          (schedule_combining(schedule, pending->transfer) & COMBINING_REPLACE);
    const bool above = combines_in_order(demand) && transfer->source > transfer->destination;
    if (replaces)
        holder->has_all = holder->has_got = false;
    if (holder->got != NO_PLACE)
        put_change(writer, holder->got, pending->place, &holder->has_got, "BELOW");
    put_change(writer, holder->place, pending->place, &holder->has_all, above ? "ABOVE" : "BELOW");
    writer->free_place[writer->frees++] = pending->place;
}

/* Combines the receipts that have arrived before a step, or all if it is the number of steps. */
static void put_arrived(struct writer *writer, size_t step)
{
    const struct schedule *schedule = writer->schedule;
    for (; writer->first_pending < writer->pendings; writer->first_pending++) {
        const struct pending *pending = &writer->pending[writer->first_pending];
        const size_t sent = schedule_step_of(schedule, pending->transfer);
        if (step < schedule->step_count &&
            schedule->step[sent].time + schedule->lambda.numerator > schedule->step[step].time)
            break;
        put_receipt(writer, pending);
    }
}

static void put_message(struct writer *writer, size_t operation, size_t step)
{
    const struct schedule *schedule = writer->schedule;
    const size_t index = operation / 2;
    const struct transfer *transfer = &schedule->transfer[index];
    const struct holder *holder = &writer->holder[transfer->packet];
    if (operation % 2 == 0) {
        const bool received = schedule_combining(schedule, index) & COMBINING_RECEIVED;
        put(writer, (uint32_t)step, "SEND", received ? holder->got : holder->place,
            transfer->destination);
        return;
    }
    const uint32_t place =
        writer->frees > 0 ? writer->free_place[--writer->frees] : writer->places++;
    writer->pending[writer->pendings++] = (struct pending){index, place};
    put(writer, (uint32_t)step, "RECEIVE", place, transfer->source);
}

static void put_rank(struct writer *writer)
{
    const struct schedule *schedule = writer->schedule;
    const struct operations *operations = &writer->ranks.operations;
    const uint32_t rank = writer->rank;
    size_t step = 0;
    assign_places(writer);
    writer->first[rank] = writer->actions;
    fprintf(writer->to, "    /* rank %" PRIu32 " */\n", rank);
    for (size_t k = operations->first[rank]; k < operations->first[rank + 1]; k++) {
        while (operations->operation[k] / 2 >= schedule_step_end(schedule, step))
            step++;
        put_arrived(writer, step);
        put_message(writer, operations->operation[k], step);
    }
    put_arrived(writer, schedule->step_count);
    for (uint32_t packet = 1; packet <= schedule->packets; packet++) {
        const struct holder *holder = &writer->holder[packet];
        const struct demand *demand = schedule_demand_of(schedule, packet);
        if (holder->has_got && demand->reduction->exclusive && demand_wants(demand, rank))
            put(writer, 0, "COPY", holder->place, holder->got);
    }
    if (writer->actions > writer->first[rank])
        fputc('\n', writer->to);
    writer->spare[rank] = writer->places - writer->kept[rank];
}

/* -- The file ---------------------------------------------------------------------------------- */

static void put_table(FILE *to, const char *name, const uint32_t entry[], uint32_t count)
{
    fprintf(to, "static const int %s[] = {", name);
    for (uint32_t rank = 0; rank < count; rank++)
        fprintf(to, "%s%" PRIu32,
                rank == 0        ? "\n    "
                : rank % 16 == 0 ? ",\n    "
                                 : ", ",
                entry[rank]);
    fputs("};\n", to);
}

/* Returns whether each packet that is combined is combined in order. */
static bool is_ordered(const struct schedule *schedule)
{
    bool ordered = true;
    for (size_t d = 0; d < schedule->demand_count; d++)
        ordered = ordered &&
                  (schedule->demand[d].reduction == NULL || schedule->demand[d].reduction->ordered);
    return ordered;
}

bool mpi_c_write_combined(FILE *to, const struct schedule *schedule, struct err *err)
{
    struct writer writer = {.to = to, .schedule = schedule};
    bool made = writer_new(&writer, err);
    if (made) {
        fprintf(
            to,
            "/* Written by roundcast: %" PRIu32 " packets, %" PRIu32 " ranks, %zu transfers in "
            "%zu steps. */\n%s\n#include <stdlib.h>\n\n#define ROUNDCAST_RANKS %" PRIu32
            "\n#define ROUNDCAST_ORDERED %d /* packets are combined in the order of ranks */\n\n"
            "/* The actions of each rank: step, kind, place, other. */\n"
            "static const struct execute_action roundcast_action[] = {\n",
            schedule->packets, schedule->nodes, schedule->transfer_count, schedule->step_count,
            mpi_c_execute_combined, schedule->nodes, is_ordered(schedule));
        for (writer.rank = 0; writer.rank < schedule->nodes && !ferror(to); writer.rank++)
            put_rank(&writer);
        writer.first[schedule->nodes] = writer.actions;
        fputs("    {0, EXECUTE_COPY, 0, 0}};\n"
              "/* Of each rank: its first action; places of packets in the buffer; others. */\n",
              to);
        put_table(to, "roundcast_first", writer.first, schedule->nodes + 1);
        put_table(to, "roundcast_kept", writer.kept, schedule->nodes);
        put_table(to, "roundcast_spare", writer.spare, schedule->nodes);
        fprintf(to, "\n%s", function);
    }
    free(writer.memory);
    ranks_free(&writer.ranks);
    return made;
}
