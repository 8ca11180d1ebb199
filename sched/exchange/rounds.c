/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/rounds.h"

#include "sched/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool rounds_have(enum model model, struct err *err)
{
    bool rounds = !model_has_times(model) && !model_copies(model) && !model_combines(model);
    return (rounds && topology_rows[model_topology(model)]->joins == NULL) ||
           err_set(err, ERR_ALGORITHM,
                   "{model}: cannot find rounds under %s; expected send-receive, telephone or "
                   "telegraph",
                   model_name(model));
}

bool rounds_begin(struct rounds *rounds, uint32_t nodes, enum model model, struct err *err)
{
    *rounds = (struct rounds){.nodes = nodes,
                              .model = model,
                              .sends = calloc(nodes, sizeof *rounds->sends),
                              .receives = calloc(nodes, sizeof *rounds->receives),
                              .partners = calloc(nodes, sizeof *rounds->partners)};
    if (rounds->sends != NULL && rounds->receives != NULL && rounds->partners != NULL)
        return true;
    rounds_free(rounds);
    return err_no_memory(err, "the rounds of %u nodes", nodes);
}

void rounds_free(struct rounds *rounds)
{
    for (uint32_t node = 0; node < rounds->nodes; node++) {
        if (rounds->sends != NULL)
            free(rounds->sends[node].word);
        if (rounds->receives != NULL)
            free(rounds->receives[node].word);
        if (rounds->partners != NULL)
            free(rounds->partners[node].of);
    }
    free(rounds->sends);
    free(rounds->receives);
    free(rounds->partners);
    free(rounds->placed);
    *rounds = (struct rounds){0};
}

/* Returns a word of the bits of the rounds in which a node is busy; 0 after the last word. */
static uint64_t word_of(const struct busy *busy, size_t word)
{
    return word < busy->words ? busy->word[word] : 0;
}

/* Returns the first round, from `ready` on, in which both the sender and the receiver are free. */
static uint64_t first_free(const struct busy *sends, const struct busy *receives, uint64_t ready)
{
    size_t word = ready / 64;
    uint64_t taken =
        word_of(sends, word) | word_of(receives, word) | ((UINT64_C(1) << ready % 64) - 1);
    while (taken == UINT64_MAX) {
        word++;
        taken = word_of(sends, word) | word_of(receives, word);
    }
    return word * UINT64_C(64) + (unsigned)__builtin_ctzll(~taken);
}

static bool is_busy(const struct busy *busy, uint64_t round)
{
    return word_of(busy, round / 64) >> round % 64 & 1;
}

/* Returns whether a node has a partner other than this one. */
static bool has_other(const struct partners *partners, uint64_t round, uint32_t partner)
{
    uint32_t of = round < partners->room ? partners->of[round] : 0;
    return of != 0 && of != partner + 1;
}

/* Returns whether the model permits the transfer in a round in which its sender and its receiver
 * are free. */
static bool allows(const struct rounds *rounds, const struct transfer *transfer, uint64_t round)
{
    uint32_t from = transfer->source, to = transfer->destination;
    const struct model_row *model = model_row(rounds->model);
    if (model->half_duplex)
        return !is_busy(&rounds->receives[from], round) && !is_busy(&rounds->sends[to], round);
    return !model->pairs || (!has_other(&rounds->partners[from], round, to) &&
                             !has_other(&rounds->partners[to], round, from));
}

static bool pair(struct partners *partners, uint64_t round, uint32_t partner)
{
    if (round >= partners->room) {
        size_t before = partners->room;
        uint32_t *larger = memory_grow(partners->of, round + 1, &partners->room, sizeof *larger);
        if (larger == NULL)
            return false;
        memset(larger + before, 0, (partners->room - before) * sizeof *larger);
        partners->of = larger;
    }
    partners->of[round] = partner + 1;
    return true;
}

static bool take(struct busy *busy, uint64_t round)
{
    size_t word = round / 64;
    if (word >= busy->words) {
        size_t before = busy->words;
        uint64_t *larger = memory_grow(busy->word, word + 1, &busy->words, sizeof *larger);
        if (larger == NULL)
            return false;
        memset(larger + before, 0, (busy->words - before) * sizeof *larger);
        busy->word = larger;
    }
    busy->word[word] |= UINT64_C(1) << round % 64;
    return true;
}

static bool has_room(struct rounds *rounds)
{
    struct placed *larger =
        memory_grow(rounds->placed, rounds->count + 1, &rounds->room, sizeof *larger);
    if (larger == NULL)
        return false;
    rounds->placed = larger;
    return true;
}

/* Returns the first round from `ready` on in which the model permits the transfer. */
static uint64_t first_allowed(const struct rounds *rounds, const struct transfer *transfer,
                              uint64_t ready)
{
    const struct busy *sends = &rounds->sends[transfer->source];
    const struct busy *receives = &rounds->receives[transfer->destination];
    uint64_t round = first_free(sends, receives, ready);
    while (!allows(rounds, transfer, round))
        round = first_free(sends, receives, round + 1);
    return round;
}

/* Places a transfer in a round that permits it. E104. */
static bool put(struct rounds *rounds, const struct transfer *transfer, uint64_t round,
                struct err *err)
{
    const struct model_row *model = model_row(rounds->model);
    bool paired = !model->pairs || model->half_duplex ||
                  (pair(&rounds->partners[transfer->source], round, transfer->destination) &&
                   pair(&rounds->partners[transfer->destination], round, transfer->source));
    if (!paired || !has_room(rounds) || !take(&rounds->sends[transfer->source], round) ||
        !take(&rounds->receives[transfer->destination], round))
        return err_no_memory(err, "%zu transfers", rounds->count);
    rounds->placed[rounds->count++] = (struct placed){.round = round, .transfer = *transfer};
    return true;
}

bool rounds_place(struct rounds *rounds, struct transfer transfer, uint64_t ready, uint64_t *round,
                  struct err *err)
{
    *round = first_allowed(rounds, &transfer, ready);
    return put(rounds, &transfer, *round, err);
}

bool rounds_can_join(const struct rounds *rounds, const struct transfer transfer[], size_t count)
{
    const struct model_row *model = model_row(rounds->model);
    bool can = true;
    for (size_t k = 0; can && k < count; k++)
        for (size_t j = 0; can && j < k; j++) {
            const struct transfer *a = &transfer[k], *b = &transfer[j];
            bool meets = a->source == b->destination || a->destination == b->source;
            bool returns = a->source == b->destination && a->destination == b->source;
            can = a->source != b->source && a->destination != b->destination &&
                  !(meets && model->half_duplex) && !(meets && model->pairs && !returns);
        }
    return can;
}

bool rounds_place_together(struct rounds *rounds, const struct transfer transfer[], size_t count,
                           uint64_t ready, uint64_t *round, struct err *err)
{
    *round = ready;
    for (size_t same = 0, k = 0; same < count; k = (k + 1) % count) {
        uint64_t first = first_allowed(rounds, &transfer[k], *round);
        same = first > *round ? 1 : same + 1;
        *round = first;
    }
    bool placed = true;
    for (size_t k = 0; placed && k < count; k++)
        placed = put(rounds, &transfer[k], *round, err);
    return placed;
}

bool rounds_omit(struct rounds *rounds, struct err *err)
{
    /* The last round is at most the number of transfers, because no round before it is empty. */
    uint64_t *number = calloc(rounds->count + 2, sizeof *number);
    size_t kept = 0;
    if (number == NULL)
        return err_no_memory(err, "%zu transfers", rounds->count);
    for (size_t k = 0; k < rounds->count; k++)
        if (rounds->placed[k].transfer.packet > 0)
            number[rounds->placed[k].round] = 1;
    for (uint64_t round = 1; round <= rounds->count; round++)
        number[round] += number[round - 1];
    for (size_t k = 0; k < rounds->count; k++) {
        struct placed placed = rounds->placed[k];
        placed.round = number[placed.round];
        if (placed.transfer.packet > 0)
            rounds->placed[kept++] = placed;
    }
    rounds->count = kept;
    free(number);
    return true;
}

/* Sorts the transfers by round, stably. */
static void sort(const struct rounds *rounds, size_t end[], struct placed sorted[])
{
    for (size_t k = 0; k < rounds->count; k++)
        end[rounds->placed[k].round + 1]++;
    for (uint64_t round = 1; round <= rounds->count + 1; round++)
        end[round] += end[round - 1];
    for (size_t k = 0; k < rounds->count; k++)
        sorted[end[rounds->placed[k].round]++] = rounds->placed[k];
}

bool rounds_finish(const struct rounds *rounds, struct schedule *schedule, struct err *err)
{
    /* The last round is at most the number of transfers, as in rounds_omit. */
    size_t *end = calloc(rounds->count + 2, sizeof *end);
    struct placed *sorted = calloc(rounds->count + 1, sizeof *sorted);
    bool done = end != NULL && sorted != NULL;
    if (!done)
        err_no_memory(err, "%zu transfers", rounds->count);
    else
        sort(rounds, end, sorted);
    for (size_t k = 0; done && k < rounds->count; k++) {
        if (k == 0 || sorted[k].round > sorted[k - 1].round) {
            if (k > 0)
                schedule_close_step(schedule, 0);
            done = schedule_open_step(schedule, sorted[k].round, 1, err) != NULL;
        }
        done = done && schedule_append(schedule, sorted[k].transfer, err) &&
               (sorted[k].combining == 0 ||
                schedule_set_combining(schedule, schedule->transfer_count - 1, sorted[k].combining,
                                       err));
    }
    if (done && rounds->count > 0)
        schedule_close_step(schedule, 0);
    free(end);
    free(sorted);
    return done;
}
