/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/rounds.h"

#include "sched/base/compare.h"
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

/* Returns whether a bit for each round is enough: nodes have one port, and no other rule counts. */
static bool is_plain(const struct rounds_rules *rules)
{
    const struct model_row *model = model_row(rules->model);
    return topology_joins_all(rules->topology) && rules->ports <= 1 && !model->times &&
           !model->copies && !model->combines && (!model->pairs || model->half_duplex);
}

bool rounds_begin_rules(struct rounds *rounds, const struct rounds_rules *rules, struct err *err)
{
    const uint32_t nodes = rules->topology->nodes;
    *rounds = (struct rounds){.nodes = nodes,
                              .topology = *rules->topology,
                              .model = rules->model,
                              .ports = MAX(rules->ports, 1),
                              .takes = 1,
                              .lasts = 1};
    if (model_has_times(rules->model)) {
        rounds->takes = rules->lambda.numerator;
        rounds->lasts = rules->lambda.denominator;
    }
    bool begun;
    if (is_plain(rules)) {
        rounds->sends = calloc(nodes, sizeof *rounds->sends);
        rounds->receives = calloc(nodes, sizeof *rounds->receives);
        begun = rounds->sends != NULL && rounds->receives != NULL;
    } else {
        begun = rounds_rules_begin(rounds);
    }
    if (begun)
        return true;
    rounds_free(rounds);
    return err_no_memory(err, "the rounds of %u nodes", nodes);
}

bool rounds_begin(struct rounds *rounds, uint32_t nodes, enum model model, struct err *err)
{
    const struct topology complete = topology_complete(nodes);
    return rounds_begin_rules(rounds, &(struct rounds_rules){&complete, model, {1, 1}, 1}, err);
}

void rounds_free(struct rounds *rounds)
{
    for (uint32_t node = 0; node < rounds->nodes; node++) {
        if (rounds->sends != NULL)
            free(rounds->sends[node].word);
        if (rounds->receives != NULL)
            free(rounds->receives[node].word);
    }
    rounds_rules_free(rounds);
    free(rounds->sends);
    free(rounds->receives);
    free(rounds->placed);
    *rounds = (struct rounds){0};
}

/* --- nodes with one port ---------------------------------------------------------------------- */

/* Returns whether the model permits the transfer in a round in which its sender and its receiver
 * are free. */
static bool allows(const struct rounds *rounds, const struct transfer *transfer, uint64_t round)
{
    return !model_row(rounds->model)->half_duplex ||
           (!busy_has(&rounds->receives[transfer->source], round) &&
            !busy_has(&rounds->sends[transfer->destination], round));
}

/* --- all models ------------------------------------------------------------------------------- */

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
static uint64_t first_allowed(const struct rounds *rounds, const struct placed *wanted,
                              uint64_t ready)
{
    if (rounds->sends == NULL)
        return rounds_rules_first(rounds, wanted, ready);
    const struct busy *sends = &rounds->sends[wanted->transfer.source];
    const struct busy *receives = &rounds->receives[wanted->transfer.destination];
    uint64_t round = busy_first(sends, receives, MAX(ready, 1));
    while (!allows(rounds, &wanted->transfer, round))
        round = busy_first(sends, receives, round + 1);
    return round;
}

/* Places a transfer in its round, which permits it. E104. */
static bool put(struct rounds *rounds, struct placed *wanted, struct err *err)
{
    const struct transfer *transfer = &wanted->transfer;
    bool taken = has_room(rounds) &&
                 (rounds->sends == NULL
                      ? rounds_rules_take(rounds, wanted)
                      : busy_set(&rounds->sends[transfer->source], wanted->round) &&
                            busy_set(&rounds->receives[transfer->destination], wanted->round));
    if (!taken)
        return err_no_memory(err, "%zu transfers", rounds->count);
    rounds->placed[rounds->count++] = *wanted;
    rounds->latest = MAX(rounds->latest, wanted->round);
    return true;
}

/* Removes the transfer that was placed last. */
static void take_back(struct rounds *rounds)
{
    const struct placed *last = &rounds->placed[--rounds->count];
    if (rounds->sends == NULL) {
        rounds_rules_release(rounds, last);
        return;
    }
    busy_clear(&rounds->sends[last->transfer.source], last->round);
    busy_clear(&rounds->receives[last->transfer.destination], last->round);
}

bool rounds_place(struct rounds *rounds, struct transfer transfer, uint64_t ready, uint64_t *round,
                  struct err *err)
{
    struct placed wanted = {.transfer = transfer};
    wanted.round = *round = first_allowed(rounds, &wanted, ready);
    return put(rounds, &wanted, err);
}

/* Returns the first round from `ready` on in which the model permits each of the transfers, as far
 * apart as they are, if the others are elsewhere. */
static uint64_t first_alone(const struct rounds *rounds, const struct placed wanted[], size_t count,
                            uint64_t ready)
{
    uint64_t round = ready;
    for (size_t same = 0, k = 0; same < count; k = (k + 1) % count) {
        uint64_t first =
            first_allowed(rounds, &wanted[k], round + wanted[k].round) - wanted[k].round;
        same = first > round ? 1 : same + 1;
        round = first;
    }
    return round;
}

/* Places transfers from `round` on, or none if the model does not permit all of them. E104. */
static bool put_all(struct rounds *rounds, const struct placed wanted[], size_t count,
                    uint64_t round, bool *all, struct err *err)
{
    size_t put_count = 0;
    bool good = true;
    for (*all = true; good && *all && put_count < count; put_count += good && *all) {
        struct placed now = wanted[put_count];
        now.round += round;
        *all = first_allowed(rounds, &now, now.round) == now.round;
        good = !*all || put(rounds, &now, err);
    }
    for (; !*all && put_count > 0; put_count--)
        take_back(rounds);
    return good;
}

bool rounds_place_together(struct rounds *rounds, const struct placed wanted[], size_t count,
                           uint64_t ready, uint64_t *round, bool *together, struct err *err)
{
    /* From here on all nodes are free. Tries that fail raise `latest`, so it is read once. */
    const uint64_t end = rounds->latest + rounds->lasts;
    bool placed = true;
    *together = false;
    for (uint64_t first = ready; placed && !*together; first = *round + 1) {
        *round = first_alone(rounds, wanted, count, first);
        placed = put_all(rounds, wanted, count, *round, together, err);
        if (!*together && *round >= end)
            break;
    }
    return placed;
}

bool rounds_omit(struct rounds *rounds, struct err *err)
{
    uint64_t *number = calloc(rounds->latest + 1, sizeof *number);
    size_t kept = 0;
    if (number == NULL)
        return err_no_memory(err, "%zu transfers", rounds->count);
    for (size_t k = 0; k < rounds->count; k++)
        if (rounds->placed[k].transfer.packet > 0)
            number[rounds->placed[k].round] = 1;
    for (uint64_t round = 1; round <= rounds->latest; round++)
        number[round] += number[round - 1];
    for (size_t k = 0; k < rounds->count; k++) {
        struct placed placed = rounds->placed[k];
        placed.round = number[placed.round];
        if (placed.transfer.packet > 0)
            rounds->placed[kept++] = placed;
    }
    rounds->count = kept;
    rounds->latest = number[rounds->latest];
    free(number);
    return true;
}

/* --- the schedule ----------------------------------------------------------------------------- */

/* Replaces times by their ranks, from 1, so that they can be counted. Returns the times, by rank;
 * NULL with E104. */
static uint64_t *rank_times(const struct rounds *rounds, size_t rank[])
{
    uint64_t *time = malloc((rounds->count + 2) * sizeof *time);
    size_t distinct = 0;
    if (time == NULL)
        return NULL;
    for (size_t k = 0; k < rounds->count; k++)
        time[k + 1] = rounds->placed[k].round;
    qsort(time + 1, rounds->count, sizeof *time, compare_u64);
    for (size_t k = 1; k <= rounds->count; k++)
        if (distinct == 0 || time[k] > time[distinct])
            time[++distinct] = time[k];
    for (size_t k = 0; k < rounds->count; k++) {
        const uint64_t *found =
            bsearch(&rounds->placed[k].round, time + 1, distinct, sizeof *time, compare_u64);
        rank[k] = (size_t)(found - time);
    }
    return time;
}

/* Sorts the transfers by round, stably. In a model with times, or if transfers are placed
 * together, there may be more rounds than transfers: their ranks replace them. */
static bool sort(const struct rounds *rounds, size_t end[], struct placed sorted[])
{
    bool dense = !model_has_times(rounds->model) && rounds->latest <= rounds->count;
    size_t *rank = dense ? NULL : malloc((rounds->count + 1) * sizeof *rank);
    uint64_t *time = rank != NULL ? rank_times(rounds, rank) : NULL;
    bool done = dense || time != NULL;
    for (size_t k = 0; done && k < rounds->count; k++)
        end[(dense ? rounds->placed[k].round : rank[k]) + 1]++;
    for (size_t round = 1; done && round <= rounds->count + 1; round++)
        end[round] += end[round - 1];
    for (size_t k = 0; done && k < rounds->count; k++)
        sorted[end[dense ? rounds->placed[k].round : rank[k]]++] = rounds->placed[k];
    free(rank);
    free(time);
    return done;
}

static bool append(const struct placed *placed, struct schedule *schedule, struct err *err)
{
    bool appended = topology_has_routers(&schedule->topology)
                        ? schedule_append_lane(schedule, placed->transfer, placed->lane, err)
                        : schedule_append(schedule, placed->transfer, err);
    return appended &&
           (placed->combining == 0 ||
            schedule_set_combining(schedule, schedule->transfer_count - 1, placed->combining, err));
}

bool rounds_finish(const struct rounds *rounds, struct schedule *schedule, struct err *err)
{
    size_t *end = calloc(rounds->count + 3, sizeof *end);
    struct placed *sorted = calloc(rounds->count + 1, sizeof *sorted);
    bool done = end != NULL && sorted != NULL && sort(rounds, end, sorted);
    if (!done)
        err_no_memory(err, "%zu transfers", rounds->count);
    for (size_t k = 0; done && k < rounds->count; k++) {
        if (k == 0 || sorted[k].round > sorted[k - 1].round) {
            if (k > 0)
                schedule_close_step(schedule, 0);
            done = schedule_open_step(schedule, sorted[k].round, 1, err) != NULL;
        }
        done = done && append(&sorted[k], schedule, err);
    }
    if (done && rounds->count > 0)
        schedule_close_step(schedule, 0);
    free(end);
    free(sorted);
    return done;
}
