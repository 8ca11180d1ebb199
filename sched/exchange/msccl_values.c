/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/msccl_values.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool msccl_values_begin(const struct msccl *msccl, const struct msccl_value input[],
                        struct msccl_values *values, struct err *err)
{
    size_t words = (msccl->gpus + (size_t)63) / 64;
    *values = (struct msccl_values){.msccl = msccl,
                                    .input = input,
                                    .words = words,
                                    .single = calloc(words, sizeof *values->single)};
    return values->single != NULL || err_no_memory(err, "the values of %u GPUs", msccl->gpus);
}

void msccl_values_free(struct msccl_values *values)
{
    free(values->combined);
    free(values->set);
    free(values->single);
    free(values->origin);
    free(values->move);
    *values = (struct msccl_values){0};
}

static bool no_memory(size_t count, struct err *err)
{
    return err_no_memory(err, "%zu values and transfers", count);
}

static bool is_input(const struct msccl_values *values, size_t value)
{
    return value <= values->msccl->chunks;
}

static size_t combination_of(const struct msccl_values *values, size_t value)
{
    return value - values->msccl->chunks - 1;
}

uint32_t msccl_values_chunk(const struct msccl_values *values, size_t value)
{
    return is_input(values, value) ? values->input[value - 1].chunk
                                   : values->combined[combination_of(values, value)].chunk;
}

uint32_t msccl_values_count(const struct msccl_values *values, size_t value)
{
    return is_input(values, value) ? 1 : values->combined[combination_of(values, value)].count;
}

const uint64_t *msccl_values_set(const struct msccl_values *values, size_t value)
{
    if (!is_input(values, value))
        return values->set + combination_of(values, value) * values->words;
    memset(values->single, 0, values->words * sizeof *values->single);
    uint32_t gpu = values->input[value - 1].gpu;
    values->single[gpu / 64] = UINT64_C(1) << gpu % 64;
    return values->single;
}

static bool new_origin(struct msccl_values *values, struct msccl_origin made, size_t *origin,
                       struct err *err)
{
    struct msccl_origin *larger =
        memory_grow(values->origin, values->origins + 1, &values->origin_room, sizeof *larger);
    if (larger == NULL)
        return no_memory(values->origins, err);
    values->origin = larger;
    values->origin[values->origins] = made;
    *origin = ++values->origins;
    return true;
}

/* Records the use of a content. Returns when the latest transfer of its origin was first used. */
static uint64_t use(struct msccl_values *values, size_t origin)
{
    if (origin == 0)
        return 0;
    const struct msccl_origin *of = &values->origin[origin - 1];
    if (of->move == SIZE_MAX)
        return of->latest;
    struct msccl_move *move = &values->move[of->move];
    move->used = move->is_used ? move->used : values->now;
    move->is_used = true;
    return move->used;
}

void msccl_values_arrive(struct msccl_values *values, size_t origin)
{
    struct msccl_move *move = &values->move[values->origin[origin - 1].move];
    move->used = values->now;
}

static bool join_origins(struct msccl_values *values, size_t a, size_t b, size_t *origin,
                         struct err *err)
{
    uint64_t of_a = use(values, a), of_b = use(values, b);
    if (a != 0 && b != 0)
        return new_origin(values, (struct msccl_origin){SIZE_MAX, MAX(of_a, of_b)}, origin, err);
    *origin = MAX(a, b);
    return true;
}

/* Returns the first GPU that both sets have; UINT32_MAX if there is none. */
static uint32_t first_common(const uint64_t a[], const uint64_t b[], size_t words)
{
    for (size_t word = 0; word < words; word++)
        if ((a[word] & b[word]) != 0)
            return (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(a[word] & b[word]);
    return UINT32_MAX;
}

/* Makes room for a combination. E104. */
static bool room_for_combination(struct msccl_values *values, struct err *err)
{
    const size_t wanted = values->combinations + 1;
    void *combined =
        memory_grow(values->combined, wanted, &values->combined_room, sizeof *values->combined);
    if (combined == NULL)
        return no_memory(wanted, err);
    values->combined = combined;
    void *set =
        memory_grow(values->set, wanted * values->words, &values->set_room, sizeof *values->set);
    if (set == NULL)
        return no_memory(wanted, err);
    values->set = set;
    return true;
}

bool msccl_values_combine(struct msccl_values *values, size_t step, const struct msccl_content *a,
                          const struct msccl_content *b, struct msccl_content *result,
                          struct err *err)
{
    uint32_t chunk = msccl_values_chunk(values, a->value);
    uint32_t other = msccl_values_chunk(values, b->value);
    if (chunk != other)
        return msccl_wrong(values->msccl, step, err, ERR_UNSUPPORTED,
                           "combines chunk %" PRIu32 " of an input with chunk %" PRIu32
                           "; expected chunks of one number, which are the packets of a schedule",
                           chunk, other);
    if (!room_for_combination(values, err))
        return false;
    uint64_t *made = values->set + values->combinations * values->words;
    memcpy(made, msccl_values_set(values, a->value), values->words * sizeof *made);
    const uint64_t *added = msccl_values_set(values, b->value);
    uint32_t common = first_common(made, added, values->words);
    if (common != UINT32_MAX)
        return msccl_wrong(values->msccl, step, err, ERR_TWICE,
                           "combines the contribution of GPU %" PRIu32 " to chunk %" PRIu32
                           " with a result that has it; expected it once",
                           common, chunk);
    for (size_t word = 0; word < values->words; word++)
        made[word] |= added[word];
    uint32_t count = msccl_values_count(values, a->value) + msccl_values_count(values, b->value);
    values->combined[values->combinations] = (struct msccl_combined){chunk, count};
    size_t origin = 0;
    if (!join_origins(values, a->origin, b->origin, &origin, err))
        return false;
    *result = (struct msccl_content){values->msccl->chunks + 1 + values->combinations++,
                                     MAX(a->since, b->since), origin};
    return true;
}

bool msccl_values_move(struct msccl_values *values, const struct msccl_move *move, size_t origin,
                       size_t *arrives, struct err *err)
{
    struct msccl_move *larger =
        memory_grow(values->move, values->moves + 1, &values->move_room, sizeof *larger);
    if (larger == NULL)
        return no_memory(values->moves, err);
    values->move = larger;
    uint64_t known = use(values, origin);
    values->move[values->moves] = *move;
    values->move[values->moves].known = known;
    return new_origin(values, (struct msccl_origin){.move = values->moves++}, arrives, err);
}
