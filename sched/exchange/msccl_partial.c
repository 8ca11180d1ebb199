/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_run.h"
#include "sched/exchange/partials.h"

#include <inttypes.h>
#include <stdlib.h>

/* A program that combines, as the source of partial results. */
struct source {
    const struct msccl *msccl;
    const struct msccl_values *values;
    struct msccl_results results;
    struct partials_move *move; /* [moves] */
    uint32_t *number;           /* [packets + 1]: the chunk of a packet */
};

static const uint64_t *content(const void *with, size_t move)
{
    const struct source *source = with;
    return msccl_values_set(source->values, source->values->move[move].value);
}

static const uint64_t *contributors(const void *with, uint32_t packet)
{
    const struct source *source = with;
    return msccl_values_set(source->values, source->results.whole[source->number[packet]]);
}

static uint64_t number_of(const void *with, uint32_t packet)
{
    const struct source *source = with;
    return source->number[packet];
}

/* Lists the transfers with their packets, and the chunks of the packets. */
static bool list_moves(struct source *source, struct err *err)
{
    const struct msccl_values *values = source->values;
    for (size_t chunk = 0; chunk < source->results.numbers; chunk++)
        source->number[source->results.packet[chunk]] = (uint32_t)chunk;
    for (size_t k = 0; k < values->moves; k++) {
        const struct msccl_move *move = &values->move[k];
        uint32_t chunk = msccl_values_chunk(values, move->value);
        uint32_t packet = chunk < source->results.numbers ? source->results.packet[chunk] : 0;
        if (packet == 0)
            return err_set(err, ERR_DEMAND,
                           "%s: chunk %" PRIu32 " goes from GPU %" PRIu32 " to GPU %" PRIu32
                           ", and no output has a result of it in the end; expected one",
                           source->msccl->name, chunk, move->from, move->to);
        source->move[k] = (struct partials_move){
            {move->from, move->to, packet}, move->round, move->known, move->used};
    }
    return true;
}

bool msccl_partial_schedule(const struct msccl *msccl, const struct msccl_content contents[],
                            const struct msccl_values *values, struct schedule *schedule,
                            struct err *err)
{
    struct source source = {.msccl = msccl, .values = values};
    if (!msccl_results_find(msccl, contents, values, &source.results, schedule, err))
        return false;
    source.move = calloc(values->moves + 1, sizeof *source.move);
    source.number = calloc(schedule->packets + (size_t)1, sizeof *source.number);
    bool found = (source.move != NULL && source.number != NULL) ||
                 err_no_memory(err, "%zu transfers", values->moves);
    const struct partials partials = {.name = msccl->name,
                                      .node = "GPU",
                                      .piece = "chunk",
                                      .words = values->words,
                                      .moves = values->moves,
                                      .move = source.move,
                                      .with = &source,
                                      .content = content,
                                      .contributors = contributors,
                                      .number = number_of};
    found = found && list_moves(&source, err) && partials_schedule(&partials, schedule, err);
    free(source.move);
    free(source.number);
    msccl_results_free(&source.results);
    return found;
}
