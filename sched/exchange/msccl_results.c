/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_run.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct finder {
    const struct msccl *msccl;
    const struct msccl_content *content;
    const struct msccl_values *values;
    struct msccl_results *results;
    uint32_t root;            /* of a reduce */
    uint32_t *listed, *nodes; /* [gpus]: nodes that want a result; contributors */
};

/* -- reduce, reduce-scatter, all-reduce ---------------------------------------------------------*/

/* Returns whether the outputs of a GPU are required: of all GPUs, or of the root. */
static bool is_required(const struct finder *finder, uint32_t id)
{
    return finder->msccl->collective != MSCCL_REDUCE || id == finder->root;
}

/* Returns whether a value combines the chunks `number` of all GPUs. */
static bool is_whole(const struct finder *finder, size_t value, size_t number)
{
    return value != 0 && msccl_values_chunk(finder->values, value) == number &&
           msccl_values_count(finder->values, value) == finder->msccl->gpus;
}

/* Returns whether a GPU has all results that an output of it must have. */
static bool has_all(const struct finder *finder, uint32_t id)
{
    const struct msccl_output of = msccl_output_of(finder->msccl, id);
    bool whole = of.count > 0;
    for (size_t k = 0; whole && k < of.count; k++)
        whole = is_whole(finder, finder->content[of.first + k].value, of.number + k);
    return whole;
}

/* Finds the root of a reduce: the only GPU with an output, or, in place, the only one that has all
 * results. */
static bool find_root(struct finder *finder, struct err *err)
{
    const struct msccl *msccl = finder->msccl;
    uint32_t with_output = 0, whole = 0, root = 0;
    for (uint32_t id = 0; id < msccl->gpus; id++) {
        with_output += msccl->gpu[id].chunks[MSCCL_OUTPUT] > 0;
        root = msccl->gpu[id].chunks[MSCCL_OUTPUT] > 0 ? id : root;
    }
    finder->root = root;
    if (with_output == 1)
        return true;
    for (uint32_t id = 0; id < msccl->gpus; id++)
        if (has_all(finder, id)) {
            whole++;
            finder->root = id;
        }
    return whole == 1 || err_set(err, ERR_UNMET,
                                 "%s: %" PRIu32 " GPUs have all results of the reduce; expected "
                                 "one, the root",
                                 msccl->name, whole);
}

/* Returns the name of the collective whose outputs those of the program are; NULL if none of the
 * common ones fits. */
static const char *name_of(const struct finder *finder)
{
    static const enum msccl_collective moves[] = {MSCCL_ALL_GATHER, MSCCL_ALL_TO_ALL};
    static const enum msccl_collective reduces[] = {MSCCL_ALL_REDUCE, MSCCL_REDUCE_SCATTER,
                                                    MSCCL_REDUCE};
    for (size_t k = 0; k < 2; k++)
        if (msccl_outputs_are(finder->msccl, moves[k], finder->content, finder->values->input))
            return msccl_collective_names[moves[k]];
    for (size_t k = 0; k < 3; k++) {
        struct msccl other = *finder->msccl;
        struct finder again = *finder;
        struct err none = {0};
        bool is = reduces[k] != other.collective;
        other.collective = reduces[k];
        again.msccl = &other;
        is = is && (reduces[k] != MSCCL_REDUCE || find_root(&again, &none));
        for (uint32_t id = 0; is && id < other.gpus; id++)
            is = !is_required(&again, id) || has_all(&again, id);
        if (is)
            return msccl_collective_names[reduces[k]];
    }
    return NULL;
}

/* Reports chunk k of an output, which is not what the collective requires, or is missing. Returns
 * false. */
static bool wrong_output(const struct finder *finder, uint32_t id, size_t k, struct err *err)
{
    const struct msccl *msccl = finder->msccl;
    const struct msccl_output of = msccl_output_of(msccl, id);
    const char *name = msccl_collective_names[msccl->collective], *other = name_of(finder);
    if (other != NULL)
        return err_set(err, ERR_UNMET,
                       "%s: coll=\"%s\", but the outputs are those of coll=\"%s\"; expected the "
                       "collective that the program is",
                       msccl->name, name, other);
    if (k >= of.count)
        return err_set(err, ERR_UNMET,
                       "%s: GPU %" PRIu32 " has %zu chunks of output; expected %s, as coll=\"%s\" "
                       "requires",
                       msccl->name, id, of.count, k > 0 ? "as many as others" : "some", name);
    size_t value = finder->content[of.first + k].value;
    if (value == 0 || msccl_values_chunk(finder->values, value) != of.number + k)
        return err_set(err, ERR_UNMET,
                       "%s: GPU %" PRIu32 ": chunk %zu of its output has nothing of chunk %zu of "
                       "the inputs; expected the result of all GPUs, as coll=\"%s\" requires",
                       msccl->name, id, k, of.number + k, name);
    const uint64_t *set = msccl_values_set(finder->values, value);
    uint32_t lacks = 0;
    while (set[lacks / 64] >> lacks % 64 & 1)
        lacks++;
    return err_set(err, ERR_UNCOUNTED,
                   "%s: GPU %" PRIu32 ": chunk %zu of its output lacks the contribution of GPU "
                   "%" PRIu32 "; expected those of all GPUs, as coll=\"%s\" requires",
                   msccl->name, id, k, lacks, name);
}

/* Checks the outputs of a reduction, and finds its results. */
static bool find_reduced(struct finder *finder, struct err *err)
{
    const struct msccl *msccl = finder->msccl;
    size_t chunks = 0;
    if (msccl->collective == MSCCL_REDUCE && !find_root(finder, err))
        return false;
    for (uint32_t id = 0; id < msccl->gpus; id++) {
        const struct msccl_output of = msccl_output_of(msccl, id);
        if (!is_required(finder, id))
            continue;
        if (of.count == 0 || (chunks > 0 && of.count != chunks))
            return wrong_output(finder, id, of.count, err);
        chunks = of.count;
        for (size_t k = 0; k < of.count; k++) {
            size_t value = finder->content[of.first + k].value;
            if (!is_whole(finder, value, of.number + k))
                return wrong_output(finder, id, k, err);
            finder->results->whole[of.number + k] = value;
        }
    }
    return true;
}

/* -- custom -------------------------------------------------------------------------------------*/

static bool is_same(const struct finder *finder, size_t a, size_t b)
{
    uint32_t count = msccl_values_count(finder->values, a);
    return count > 1 && count == msccl_values_count(finder->values, b) &&
           memcmp(msccl_values_set(finder->values, a), msccl_values_set(finder->values, b),
                  finder->values->words * sizeof(uint64_t)) == 0;
}

/* Finds the largest combination of each number in the outputs. */
static void find_largest(struct finder *finder)
{
    const struct msccl *msccl = finder->msccl;
    for (uint32_t id = 0; id < msccl->gpus; id++) {
        const struct msccl_output of = msccl_output_of(msccl, id);
        for (size_t k = 0; k < of.count; k++) {
            size_t value = finder->content[of.first + k].value;
            if (value == 0 || msccl_values_count(finder->values, value) < 2)
                continue;
            size_t *whole = &finder->results->whole[msccl_values_chunk(finder->values, value)];
            if (*whole == 0 || msccl_values_count(finder->values, *whole) <
                                   msccl_values_count(finder->values, value))
                *whole = value;
        }
    }
}

/* Returns the value of a number in the output of a GPU with the most contributions; 0 if there is
 * none. */
static size_t best_of(const struct finder *finder, uint32_t id, size_t number)
{
    const struct msccl_output of = msccl_output_of(finder->msccl, id);
    size_t best = 0;
    for (size_t k = 0; k < of.count; k++) {
        size_t value = finder->content[of.first + k].value;
        if (value != 0 && msccl_values_chunk(finder->values, value) == number &&
            (best == 0 ||
             msccl_values_count(finder->values, best) < msccl_values_count(finder->values, value)))
            best = value;
    }
    return best;
}

/* Returns whether each contributor has the combination of those of lower contributors, and of its
 * own contribution unless it is `exclusive`. */
static bool is_prefix(const struct finder *finder, size_t number, uint32_t contributors,
                      bool exclusive)
{
    bool prefix = true;
    for (uint32_t position = exclusive; prefix && position < contributors; position++) {
        size_t value = best_of(finder, finder->nodes[position], number);
        uint32_t end = position + !exclusive;
        prefix = value != 0 && msccl_values_count(finder->values, value) == end;
        const uint64_t *set = prefix ? msccl_values_set(finder->values, value) : NULL;
        for (uint32_t k = 0; prefix && k < end; k++)
            prefix = set[finder->nodes[k] / 64] >> finder->nodes[k] % 64 & 1;
    }
    return prefix;
}

/* Lists the GPUs that contribute to a result. Returns their number. */
static uint32_t list_contributors(const struct finder *finder, size_t whole)
{
    const uint64_t *set = msccl_values_set(finder->values, whole);
    uint32_t count = 0;
    for (uint32_t id = 0; id < finder->msccl->gpus; id++)
        if (set[id / 64] >> id % 64 & 1)
            finder->nodes[count++] = id;
    return count;
}

/* -- demands ------------------------------------------------------------------------------------*/

/* A demand of results that combine the same contributors. */
struct wish {
    struct reduction reduction;
    uint32_t destination;
    bool one; /* only `destination` wants the results */
};

/* Finds the demand of the result with a number. The contributors are in finder->nodes. */
static bool find_wish(struct finder *finder, size_t number, struct wish *wish, struct err *err)
{
    const struct msccl *msccl = finder->msccl;
    uint32_t contributors = list_contributors(finder, finder->results->whole[number]), wanted = 0;
    *wish = (struct wish){.reduction.contributor = finder->nodes};
    wish->reduction.contributor_count = contributors < msccl->gpus ? contributors : 0;
    if (msccl->collective == MSCCL_ALL_REDUCE)
        return true;
    wish->one = true;
    wish->destination = finder->root;
    if (msccl->collective == MSCCL_REDUCE_SCATTER)
        wish->destination = (uint32_t)(number / msccl_output_of(msccl, 0).count);
    if (msccl->collective != MSCCL_CUSTOM)
        return true;
    for (uint32_t id = 0; id < msccl->gpus; id++) {
        size_t best = best_of(finder, id, number);
        if (best != 0 && is_same(finder, best, finder->results->whole[number])) {
            wanted++;
            wish->destination = id;
        }
    }
    if (wanted == 1 && wish->destination > finder->nodes[contributors - 1]) {
        /* The last node of an exclusive scan has the whole result without its contribution. */
        finder->nodes[contributors] = wish->destination;
        wish->reduction.exclusive = is_prefix(finder, number, contributors + 1, true);
        contributors += wish->reduction.exclusive;
    }
    wish->reduction.contributor_count = contributors < msccl->gpus ? contributors : 0;
    wish->reduction.prefix =
        wish->reduction.exclusive || is_prefix(finder, number, contributors, false);
    wish->one = !wish->reduction.prefix && wanted == 1;
    return wish->reduction.prefix || wanted == 1 || wanted == msccl->gpus ||
           err_set(err, ERR_UNSUPPORTED,
                   "%s: %" PRIu32 " GPUs have the result of chunk %zu; expected one, all, or in "
                   "each the contributions of lower ones, as a demand of a schedule has",
                   msccl->name, wanted, number);
}

static bool is_same_wish(const struct wish *a, const struct wish *b)
{
    return a->one == b->one && (!a->one || a->destination == b->destination) &&
           a->reduction.prefix == b->reduction.prefix &&
           a->reduction.exclusive == b->reduction.exclusive &&
           a->reduction.contributor_count == b->reduction.contributor_count &&
           memcmp(a->reduction.contributor, b->reduction.contributor,
                  a->reduction.contributor_count * sizeof(uint32_t)) == 0;
}

static bool add_wish(struct schedule *schedule, const struct wish *wish, uint32_t count,
                     struct err *err)
{
    return count == 0 || schedule_add_reduction(schedule, count, &wish->reduction,
                                                wish->one ? &wish->destination : NULL, err);
}

/* Adds the demands of all results, and numbers their packets. */
static bool add_demands(struct finder *finder, struct schedule *schedule, struct err *err)
{
    uint32_t packets = 0, count = 0;
    struct wish last = {0}, wish = {0};
    for (size_t number = 0; number < finder->results->numbers; number++) {
        if (finder->results->whole[number] == 0)
            continue;
        if (!find_wish(finder, number, &wish, err))
            return false;
        finder->results->packet[number] = ++packets;
        if (count > 0 && is_same_wish(&last, &wish)) {
            count++;
            continue;
        }
        if (!add_wish(schedule, &last, count, err))
            return false;
        count = 1;
        last = wish;
        memcpy(finder->listed, finder->nodes, finder->msccl->gpus * sizeof *finder->nodes);
        last.reduction.contributor = finder->listed;
    }
    if (packets == 0)
        return err_set(err, ERR_DEMAND,
                       "%s: no output has a combination of chunks; expected a reduction",
                       finder->msccl->name);
    return add_wish(schedule, &last, count, err);
}

/* Returns the number of chunks of the longest input. */
static size_t longest_input(const struct msccl *msccl)
{
    size_t most = 1;
    for (uint32_t id = 0; id < msccl->gpus; id++)
        for (unsigned which = 0; which < (msccl->in_place ? 2 : 1); which++)
            most = MAX(most, msccl->gpu[id].chunks[which]);
    return most;
}

bool msccl_results_find(const struct msccl *msccl, const struct msccl_content content[],
                        const struct msccl_values *values, struct msccl_results *results,
                        struct schedule *schedule, struct err *err)
{
    struct finder finder = {msccl, content, values, results, 0, NULL, NULL};
    if (!msccl_reduces(msccl->collective) && msccl->collective != MSCCL_CUSTOM)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: steps combine chunks, and coll=\"%s\" only moves them; expected a "
                       "reduction or custom",
                       msccl->name, msccl_collective_names[msccl->collective]);
    *results = (struct msccl_results){.numbers = longest_input(msccl)};
    const struct arena_array kept[] = {ARENA(results->whole, results->numbers),
                                       ARENA(results->packet, results->numbers)};
    const struct arena_array used[] = {ARENA(finder.listed, msccl->gpus),
                                       ARENA(finder.nodes, msccl->gpus)};
    results->memory = arena_new(kept, ARENA_COUNT(kept));
    void *memory = arena_new(used, ARENA_COUNT(used));
    bool found = results->memory != NULL && memory != NULL;
    if (!found)
        err_no_memory(err, "the outputs of %s", msccl->name);
    if (msccl->collective == MSCCL_CUSTOM && found)
        find_largest(&finder);
    else
        found = found && find_reduced(&finder, err);
    found = found && add_demands(&finder, schedule, err);
    free(memory);
    if (!found)
        msccl_results_free(results);
    return found;
}

void msccl_results_free(struct msccl_results *results)
{
    free(results->memory);
    *results = (struct msccl_results){0};
}
