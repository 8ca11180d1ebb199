/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/decompose.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool grow(struct decomposition *decomposition, struct err *err)
{
    size_t room = decomposition->room == 0 ? 16 : decomposition->room * 2;
    size_t nodes = decomposition->nodes;
    uint64_t *duration = realloc(decomposition->duration, room * sizeof *duration);
    if (duration != NULL)
        decomposition->duration = duration;
    uint32_t *to = realloc(decomposition->to, room * nodes * sizeof *to);
    if (to != NULL)
        decomposition->to = to;
    if (duration == NULL || to == NULL)
        return err_no_memory(err, "%zu settings of %zu nodes", room, nodes);
    decomposition->room = room;
    return true;
}

bool decomposition_add(struct decomposition *decomposition, const uint32_t to[], uint64_t duration,
                       struct err *err)
{
    if (decomposition->count == decomposition->room && !grow(decomposition, err))
        return false;
    size_t nodes = decomposition->nodes, at = decomposition->count++;
    decomposition->duration[at] = duration;
    memcpy(decomposition->to + at * nodes, to, nodes * sizeof *to);
    return true;
}

void decomposition_free(struct decomposition *decomposition)
{
    free(decomposition->duration);
    free(decomposition->to);
    *decomposition = (struct decomposition){0};
}

uint64_t decomposition_rounds(const struct decomposition *decomposition)
{
    uint64_t rounds = 0;
    for (size_t k = 0; k < decomposition->count; k++)
        rounds += decomposition->duration[k];
    return rounds;
}

uint64_t decomposition_makespan(const struct decomposition *decomposition, struct traffic_cost cost)
{
    return traffic_takes(cost, decomposition_rounds(decomposition), decomposition->count);
}

/* -- The remainder ----------------------------------------------------------------------------- */

bool decompose_left_new(const struct traffic *traffic, struct decompose_left *left, struct err *err)
{
    left->traffic = traffic;
    left->memory = arena_new((const struct arena_array[]){ARENA(left->first, traffic->nodes + 1),
                                                          ARENA(left->left, traffic->count)},
                             2);
    if (left->memory == NULL)
        return err_no_memory(err, "what is left of %zu entries", traffic->count);
    for (size_t k = 0; k < traffic->count; k++) {
        left->first[traffic->entry[k].source + 1] = k + 1;
        left->left[k] = traffic->entry[k].packets;
    }
    for (uint32_t node = 0; node < traffic->nodes; node++)
        if (left->first[node + 1] == 0)
            left->first[node + 1] = left->first[node];
    return true;
}

void decompose_left_free(struct decompose_left *left)
{
    free(left->memory);
    *left = (struct decompose_left){0};
}

uint32_t *decompose_left_of(const struct decompose_left *left, uint32_t source,
                            uint32_t destination)
{
    size_t low = left->first[source], high = left->first[source + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t there = left->traffic->entry[middle].destination;
        if (there == destination)
            return &left->left[middle];
        if (there < destination)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* -- Tidying ----------------------------------------------------------------------------------- */

/* The setting into which others are joined: its connections, and the packets that each circuit
 * serves. */
struct joined {
    uint32_t *to, *from; /* [nodes] */
    uint64_t *served;    /* [nodes], by sender */
    uint64_t duration;
};

static void clear(struct joined *joined, uint32_t nodes)
{
    for (uint32_t node = 0; node < nodes; node++)
        joined->to[node] = joined->from[node] = DECOMPOSE_IDLE;
    memset(joined->served, 0, nodes * sizeof *joined->served);
    joined->duration = 0;
}

/* Subtracts the packets of a setting from the remainder. Circuits without packets become idle. */
static void serve(const struct decompose_left *left, uint64_t duration, uint32_t to[],
                  uint64_t served[])
{
    for (uint32_t node = 0; node < left->traffic->nodes; node++) {
        uint32_t *packets =
            to[node] == DECOMPOSE_IDLE ? NULL : decompose_left_of(left, node, to[node]);
        served[node] = packets == NULL ? 0 : MIN(*packets, duration);
        if (served[node] == 0)
            to[node] = DECOMPOSE_IDLE;
        else
            *packets -= (uint32_t)served[node];
    }
}

static bool agrees(const struct joined *joined, uint32_t nodes, const uint32_t to[])
{
    for (uint32_t node = 0; node < nodes; node++)
        if (to[node] != DECOMPOSE_IDLE && joined->to[node] != to[node] &&
            (joined->to[node] != DECOMPOSE_IDLE || joined->from[to[node]] != DECOMPOSE_IDLE))
            return false;
    return true;
}

static void join(struct joined *joined, uint32_t nodes, const uint32_t to[],
                 const uint64_t served[])
{
    for (uint32_t node = 0; node < nodes; node++) {
        if (to[node] == DECOMPOSE_IDLE)
            continue;
        joined->to[node] = to[node];
        joined->from[to[node]] = node;
        joined->served[node] += served[node];
        joined->duration = MAX(joined->duration, joined->served[node]);
    }
}

/* Appends the joined setting to those that are kept, if it serves any packet. There is room,
 * because it replaces one or more settings. */
static void keep(const struct joined *joined, struct decomposition *decomposition, size_t *kept)
{
    size_t nodes = decomposition->nodes;
    if (joined->duration == 0)
        return;
    decomposition->duration[*kept] = joined->duration;
    memcpy(decomposition->to + *kept * nodes, joined->to, nodes * sizeof *joined->to);
    ++*kept;
}

static bool tidy_once(const struct traffic *traffic, struct decomposition *decomposition,
                      struct err *err)
{
    uint32_t nodes = traffic->nodes;
    struct joined joined = {0};
    uint64_t *served;
    struct decompose_left left = {0};
    void *memory =
        arena_new((const struct arena_array[]){ARENA(joined.to, nodes), ARENA(joined.from, nodes),
                                               ARENA(joined.served, nodes), ARENA(served, nodes)},
                  4);
    if (memory == NULL || !decompose_left_new(traffic, &left, err)) {
        free(memory);
        return err_no_memory(err, "tidying of %" PRIu32 " nodes", nodes);
    }
    size_t kept = 0;
    clear(&joined, nodes);
    for (size_t k = 0; k < decomposition->count; k++) {
        uint32_t *to = decomposition->to + k * nodes;
        serve(&left, decomposition->duration[k], to, served);
        if (!agrees(&joined, nodes, to)) {
            keep(&joined, decomposition, &kept);
            clear(&joined, nodes);
        }
        join(&joined, nodes, to, served);
    }
    keep(&joined, decomposition, &kept);
    decomposition->count = kept;
    decompose_left_free(&left);
    free(memory);
    return true;
}

/* Returns the number of rounds plus the number of circuits, which tidying reduces. */
static uint64_t size(const struct decomposition *decomposition)
{
    uint64_t circuits = 0;
    for (size_t k = 0; k < decomposition->count * decomposition->nodes; k++)
        circuits += decomposition->to[k] != DECOMPOSE_IDLE;
    return decomposition_rounds(decomposition) + circuits;
}

/* Joined settings can serve packets of later settings, which can then be shorter. */
bool decomposition_tidy(const struct traffic *traffic, struct decomposition *decomposition,
                        struct err *err)
{
    uint64_t before;
    do {
        before = size(decomposition);
        if (!tidy_once(traffic, decomposition, err))
            return false;
    } while (size(decomposition) < before);
    return true;
}

/* -- Methods ----------------------------------------------------------------------------------- */

#define METHOD_TABLE(X) \
    X(fewest)           \
    X(busiest)          \
    X(heaviest)         \
    X(birkhoff)         \
    X(solstice)         \
    X(emptiest)         \
    X(slack)            \
    X(search)           \
    X(exact)

#define METHOD_DECLARE(word) extern const struct decompose_method decompose_##word;
METHOD_TABLE(METHOD_DECLARE)
#undef METHOD_DECLARE

const struct decompose_method *const decompose_methods[] = {
#define METHOD_ENTRY(word) &decompose_##word,
    METHOD_TABLE(METHOD_ENTRY)
#undef METHOD_ENTRY
        NULL,
};

const struct decompose_method *decompose_find(const char *name, struct err *err)
{
    char list[200], hint[TEXT_HINT];
    const char *names[ARENA_COUNT(decompose_methods)];
    struct text_nearest nearest = {0};
    size_t count = 0;
    for (; decompose_methods[count] != NULL; count++) {
        names[count] = decompose_methods[count]->name;
        if (strcmp(names[count], name) == 0)
            return decompose_methods[count];
        text_look(&nearest, name, names[count]);
    }
    err_set(err, ERR_ALGORITHM, "{method}: '%.40s' is not a method with a price%s; expected %s",
            name, text_hint(&nearest, hint), text_list(names, count, " or ", list, sizeof list));
    return NULL;
}

/* Runs one method and tidies the result. Methods require an entry, so traffic without packets gets
 * no settings here. */
static bool make(const struct decompose_method *method, const struct traffic *traffic,
                 uint64_t price, uint64_t seed, struct decomposition *made, struct err *err)
{
    *made = (struct decomposition){.nodes = traffic->nodes};
    if (traffic->count == 0)
        return true;
    if (method->decompose(traffic, price, seed, made, err) &&
        decomposition_tidy(traffic, made, err))
        return true;
    decomposition_free(made);
    return false;
}

/* Returns whether the result meets the bound, so that no result can be better. */
static bool is_best(const struct traffic_load *load, struct traffic_cost cost,
                    const struct decomposition *decomposition)
{
    return decomposition->count > 0 &&
           decomposition_makespan(decomposition, cost) == traffic_makespan(load, cost);
}

/* Keeps the better of two results in `best` and frees the other. */
static void keep_better(struct decomposition *best, struct decomposition *made,
                        struct traffic_cost cost)
{
    bool better =
        best->count == 0 || decomposition_makespan(made, cost) < decomposition_makespan(best, cost);
    decomposition_free(better ? best : made);
    if (better)
        *best = *made;
}

bool decompose(const struct decompose_method *method, const struct traffic *traffic,
               struct traffic_cost cost, uint64_t seed, struct decomposition *decomposition,
               struct err *err)
{
    struct traffic_load load;
    const uint64_t price = traffic_change_rounds(cost);
    if (method != NULL)
        return make(method, traffic, price, seed, decomposition, err);
    if (!traffic_load(traffic, &load, err) || !traffic_load_settings(traffic, &load, err))
        return false;
    for (const struct decompose_method *const *each = decompose_methods; *each != NULL; each++) {
        struct decomposition made;
        if ((*each)->solver != NULL || !(*each)->fits(traffic) ||
            is_best(&load, cost, decomposition))
            continue;
        if (!make(*each, traffic, price, seed, &made, err)) {
            decomposition_free(decomposition);
            return false;
        }
        keep_better(decomposition, &made, cost);
    }
    return true;
}
