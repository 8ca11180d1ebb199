/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_sources.h"

#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* Reads the number at *text and moves *text past it. Too large a number yields a value above
 * UINT32_MAX. */
static uint64_t read_number(const char **text)
{
    uint64_t number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text)
        number = number > UINT32_MAX ? number : number * 10 + (uint64_t)(**text - '0');
    return number;
}

bool cube_sources_parse(const char *text, uint32_t nodes, uint32_t **sources, uint32_t *count,
                        struct err *err)
{
    const char *at = text;
    size_t numbers = 1;
    for (const char *byte = text; *byte != '\0'; byte++)
        numbers += *byte == ',';
    uint32_t *list = malloc(numbers * sizeof *list);
    if (list == NULL || numbers > UINT32_MAX) {
        free(list);
        return err_no_memory(err, "%zu nodes", numbers);
    }
    bool parsed = true;
    for (size_t which = 0; parsed && which < numbers; which++) {
        bool digit = *at >= '0' && *at <= '9';
        uint64_t node = read_number(&at);
        char after = which + 1 < numbers ? ',' : '\0';
        if (!digit || *at++ != after)
            parsed =
                err_set(err, ERR_OPTION, "{sources}: '%.60s'; expected nodes such as 5,0,5", text);
        else if (node >= nodes)
            parsed = err_set(err, ERR_RANGE,
                             "{sources}: node %" PRIu64 " is out of range; expected 0 … %" PRIu32,
                             node, nodes - 1);
        else
            list[which] = (uint32_t)node;
    }
    if (!parsed) {
        free(list);
        return false;
    }
    qsort(list, numbers, sizeof *list, compare_u32);
    *sources = list;
    *count = (uint32_t)numbers;
    return true;
}

/* Sorts list[count] of distinct numbers below `nodes` in ascending order. Returns false if there is
 * no memory. O(nodes). */
static bool sort_distinct(uint32_t nodes, uint32_t count, uint32_t list[])
{
    bool *drawn = calloc(nodes, sizeof *drawn);
    if (drawn == NULL)
        return false;
    for (uint32_t place = 0; place < count; place++)
        drawn[list[place]] = true;
    for (uint32_t node = 0, place = 0; node < nodes; node++)
        if (drawn[node])
            list[place++] = node;
    free(drawn);
    return true;
}

/* Takes the first `count` places of a Fisher–Yates shuffle. */
bool cube_sources_random(uint32_t nodes, uint32_t count, uint64_t seed, uint32_t **sources,
                         struct err *err)
{
    if (count > nodes)
        return err_out_of_range(err, "random", count, 0, nodes);
    uint32_t *list = malloc(nodes * sizeof *list);
    struct rng rng = {seed};
    for (uint32_t node = 0; list != NULL && node < nodes; node++)
        list[node] = node;
    for (uint32_t place = 0; list != NULL && place < count; place++) {
        uint32_t other = place + (uint32_t)(rng_next(&rng) % (nodes - place)), node = list[other];
        list[other] = list[place];
        list[place] = node;
    }
    if (list == NULL || !sort_distinct(nodes, count, list)) {
        free(list);
        return err_no_memory(err, "%" PRIu32 " nodes", nodes);
    }
    *sources = list;
    return true;
}

bool cube_sources_adversary(uint32_t nodes, uint32_t count, uint32_t **sources, struct err *err)
{
    if (count < 1 || count > nodes / 2)
        return err_out_of_range(err, "packets", count, 1, nodes / 2);
    uint32_t *list = malloc(count * sizeof *list);
    if (list == NULL)
        return err_no_memory(err, "%" PRIu32 " nodes", count);
    for (uint32_t place = 0; place < count; place++)
        list[place] = nodes - count + place;
    *sources = list;
    return true;
}

/* -- Preconditions ----------------------------------------------------------------------------- */

bool cube_accepts(const struct collective *collective, struct err *err)
{
    return collective->n == collective->topology->nodes ||
           err_set(err, ERR_ALGORITHM,
                   "%" PRIu32 " node%s; expected %" PRIu32 ", those of the hypercube",
                   collective->n, text_s(collective->n), collective->topology->nodes);
}

bool cube_accepts_no_source(const char *name, const struct collective *collective, struct err *err)
{
    if (collective->source != 0)
        return err_set(err, ERR_ALGORITHM,
                       "%s has no one source, %" PRIu32 " is given; expected source 0", name,
                       collective->source);
    return cube_accepts(collective, err);
}

bool cube_accepts_packets(const char *name, const struct collective *collective, uint32_t least,
                          uint32_t most, struct err *err)
{
    return (collective->m >= least && collective->m <= most) ||
           err_set(err, ERR_ALGORITHM,
                   "%s of %" PRIu32 " packet%s; expected %" PRIu32 " … %" PRIu32, name,
                   collective->m, text_s(collective->m), least, most);
}
