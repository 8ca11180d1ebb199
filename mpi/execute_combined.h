/* SPDX-License-Identifier: Apache-2.0 */
/* execute_combined: executes the actions of one MPI rank from a table, for a schedule that combines
 * packets.
 *
 * Sends and receives of a step are started together. Before the next action of another kind, or of
 * another step, the rank waits for them.
 */
#ifndef EXECUTE_COMBINED_H
#define EXECUTE_COMBINED_H

#include <mpi.h>
#include <string.h>

enum execute_kind {
    EXECUTE_SEND,    /* the packet in `place` to rank `other` */
    EXECUTE_RECEIVE, /* from rank `other` into `place` */
    EXECUTE_COPY,    /* place = other */
    EXECUTE_BELOW,   /* place = other op place */
    EXECUTE_ABOVE    /* place = place op other; `other` changes, too */
};

struct execute_action {
    int step; /* of a send or receive; else 0 */
    enum execute_kind kind;
    int place, other;
};

struct execute_combined {
    const struct execute_action *action;
    int actions;
    int kept; /* places below it are in kept_bytes, the others in spare_bytes */
    char *kept_bytes, *spare_bytes;
    MPI_Request *request; /* [actions] */
    int count;            /* elements of a packet */
    MPI_Datatype type;
    size_t bytes; /* of a packet */
    MPI_Op op;
    MPI_Comm comm;
};

static inline char *execute_place(const struct execute_combined *rank, int place)
{
    return place < rank->kept ? rank->kept_bytes + (size_t)place * rank->bytes
                              : rank->spare_bytes + (size_t)(place - rank->kept) * rank->bytes;
}

static int execute_change(const struct execute_combined *rank, const struct execute_action *action)
{
    char *place = execute_place(rank, action->place), *other = execute_place(rank, action->other);
    int error = MPI_SUCCESS;
    if (action->kind == EXECUTE_BELOW)
        return MPI_Reduce_local(other, place, rank->count, rank->type, rank->op);
    if (action->kind == EXECUTE_ABOVE)
        error = MPI_Reduce_local(place, other, rank->count, rank->type, rank->op);
    memcpy(place, other, rank->bytes);
    return error;
}

static int execute_message(const struct execute_combined *rank, const struct execute_action *action,
                           MPI_Request *request)
{
    char *place = execute_place(rank, action->place);
    return action->kind == EXECUTE_SEND
               ? MPI_Isend(place, rank->count, rank->type, action->other, 0, rank->comm, request)
               : MPI_Irecv(place, rank->count, rank->type, action->other, 0, rank->comm, request);
}

/* Executes all actions. Returns an MPI error code. */
static inline int execute_combined(const struct execute_combined *rank)
{
    int error = MPI_SUCCESS, started = 0, step = 0;
    for (int which = 0; which <= rank->actions && error == MPI_SUCCESS; which++) {
        const struct execute_action *action = &rank->action[which];
        int message = which < rank->actions && action->kind <= EXECUTE_RECEIVE;
        if (started > 0 && (!message || action->step != step)) {
            error = MPI_Waitall(started, rank->request, MPI_STATUSES_IGNORE);
            started = 0;
        }
        if (which == rank->actions || error != MPI_SUCCESS)
            break;
        step = action->step;
        error = message ? execute_message(rank, action, &rank->request[started++])
                        : execute_change(rank, action);
    }
    return error;
}

#endif
