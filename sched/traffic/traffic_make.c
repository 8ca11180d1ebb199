/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/traffic/traffic.h"

#include "sched/base/arena.h"
#include "sched/base/rng.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Draws one of the other nodes. */
static uint32_t draw_other(struct rng *rng, uint32_t nodes, uint32_t node)
{
    uint32_t other = rng_below(rng, nodes - 1);
    return other + (other >= node);
}

static bool uniform(const uint32_t number[], uint64_t seed, struct traffic *traffic,
                    struct err *err)
{
    struct rng rng = {seed};
    for (uint32_t node = 0; node < traffic->nodes; node++)
        for (uint32_t p = 0; p < number[0]; p++)
            if (!traffic_add(traffic, node, draw_other(&rng, traffic->nodes, node), 1, err))
                return false;
    return true;
}

/* Adds one cycle through all nodes (Sattolo 1986), so that no node sends to itself. */
static bool permutation(const uint32_t number[], uint64_t seed, struct traffic *traffic,
                        struct err *err)
{
    struct rng rng = {seed};
    uint32_t nodes = traffic->nodes, *to = malloc(nodes * sizeof *to);
    if (to == NULL)
        return err_no_memory(err, "a permutation of %" PRIu32 " nodes", nodes);
    for (uint32_t node = 0; node < nodes; node++)
        to[node] = node;
    for (uint32_t node = nodes - 1; node > 0; node--) {
        uint32_t other = rng_below(&rng, node), kept = to[node];
        to[node] = to[other];
        to[other] = kept;
    }
    bool added = true;
    for (uint32_t node = 0; node < nodes && added; node++)
        added = traffic_add(traffic, node, to[node], number[0], err);
    free(to);
    return added;
}

static bool hot(const uint32_t number[], uint64_t seed, struct traffic *traffic, struct err *err)
{
    struct rng rng = {seed};
    for (uint32_t node = 0; node < traffic->nodes; node++)
        for (uint32_t p = 0; p < number[0]; p++) {
            bool is_hot = node != 0 && rng_below(&rng, 100) < number[1];
            uint32_t to = is_hot ? 0 : draw_other(&rng, traffic->nodes, node);
            if (!traffic_add(traffic, node, to, 1, err))
                return false;
        }
    return true;
}

static bool blocks(const uint32_t number[], uint64_t seed, struct traffic *traffic, struct err *err)
{
    (void)seed;
    for (uint32_t node = 0; node < traffic->nodes; node++) {
        uint32_t first = node - node % number[1];
        for (uint32_t to = first; to < first + number[1] && to < traffic->nodes; to++)
            if (to != node && !traffic_add(traffic, node, to, number[0], err))
                return false;
    }
    return true;
}

/* -- Zipf -------------------------------------------------------------------------------------- */

/* Nodes in random order; the r-th of them (from 1) has the weight 2^32 / r. */
struct zipf {
    uint32_t nodes, *node;
    uint64_t *sum; /* sum[nodes]: the sum of the weights up to and including a position */
    void *memory;
};

static bool zipf_begin(struct zipf *zipf, uint32_t nodes, struct rng *rng, struct err *err)
{
    zipf->nodes = nodes;
    zipf->memory = arena_new(
        (const struct arena_array[]){ARENA(zipf->node, nodes), ARENA(zipf->sum, nodes)}, 2);
    if (zipf->memory == NULL)
        return err_no_memory(err, "the positions of %" PRIu32 " nodes", nodes);
    rng_permutation(rng, nodes, zipf->node);
    uint64_t sum = 0;
    for (uint32_t position = 0; position < nodes; position++)
        zipf->sum[position] = sum += (UINT64_C(1) << 32) / (position + 1);
    return true;
}

/* Draws a node. The sums are below 2^32 · 17, so the bias of the remainder is below 2^-27. */
static uint32_t zipf_draw(const struct zipf *zipf, struct rng *rng)
{
    uint64_t drawn = rng_next(rng) % zipf->sum[zipf->nodes - 1];
    uint32_t low = 0, high = zipf->nodes - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (zipf->sum[middle] > drawn)
            high = middle;
        else
            low = middle + 1;
    }
    return zipf->node[low];
}

static bool zipf(const uint32_t number[], uint64_t seed, struct traffic *traffic, struct err *err)
{
    struct rng rng = {seed};
    struct zipf zipf;
    if (!zipf_begin(&zipf, traffic->nodes, &rng, err))
        return false;
    bool added = true;
    for (uint32_t node = 0; node < traffic->nodes && added; node++)
        for (uint32_t p = 0; p < number[0] && added; p++) {
            uint32_t to = zipf_draw(&zipf, &rng);
            while (to == node)
                to = zipf_draw(&zipf, &rng);
            added = traffic_add(traffic, node, to, 1, err);
        }
    free(zipf.memory);
    return added;
}

/* Sends a token to `experts` different experts; packets to experts of the same node do not use the
 * network. */
static bool experts_of_token(const struct zipf *zipf, uint32_t node, uint32_t experts,
                             struct rng *rng, struct traffic *traffic, struct err *err)
{
    uint32_t chosen[64];
    for (uint32_t k = 0; k < experts; k++) {
        bool again = true;
        while (again) {
            chosen[k] = zipf_draw(zipf, rng);
            again = false;
            for (uint32_t before = 0; before < k; before++)
                again = again || chosen[before] == chosen[k];
        }
        if (!traffic_add(traffic, node, chosen[k], 1, err))
            return false;
    }
    return true;
}

static bool experts(const uint32_t number[], uint64_t seed, struct traffic *traffic,
                    struct err *err)
{
    struct rng rng = {seed};
    struct zipf zipf;
    if (number[1] > traffic->nodes)
        return err_set(err, ERR_RANGE,
                       "moe: %" PRIu32 " experts of %" PRIu32
                       "; expected no more than there are nodes",
                       number[1], traffic->nodes);
    if (!zipf_begin(&zipf, traffic->nodes, &rng, err))
        return false;
    bool added = true;
    for (uint32_t node = 0; node < traffic->nodes && added; node++)
        for (uint32_t token = 0; token < number[0] && added; token++)
            added = experts_of_token(&zipf, node, number[1], &rng, traffic, err);
    free(zipf.memory);
    return added;
}

/* -- Neighbours -------------------------------------------------------------------------------- */

/* Adds traffic between neighbours. Nodes are in rows of `width`, the largest divisor that is at
 * most the number of rows. Each node has neighbours to the left, right, above and below, around the
 * edges. */
static bool halo(const uint32_t number[], uint64_t seed, struct traffic *traffic, struct err *err)
{
    (void)seed;
    uint32_t nodes = traffic->nodes, width = 1;
    for (uint32_t divisor = 1; (uint64_t)divisor * divisor <= nodes; divisor++)
        width = nodes % divisor == 0 ? divisor : width;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t row = node - node % width, column = node % width;
        uint32_t to[4] = {row + (column + 1) % width, row + (column + width - 1) % width,
                          (uint32_t)((node + (uint64_t)width) % nodes),
                          (uint32_t)((node + (uint64_t)nodes - width) % nodes)};
        for (unsigned side = 0; side < 4; side++)
            if (to[side] != node && !traffic_add(traffic, node, to[side], number[0], err))
                return false;
    }
    return true;
}

/* -- The table --------------------------------------------------------------------------------- */

#define MOST (UINT32_C(1) << 24)

const struct traffic_pattern traffic_patterns[] = {
    {"uniform", "uniform:K", 1, {1}, {MOST}, uniform},
    {"permutation", "permutation:K", 1, {1}, {MOST}, permutation},
    {"hot", "hot:K,P", 2, {1, 0}, {MOST, 100}, hot},
    {"zipf", "zipf:K", 1, {1}, {MOST}, zipf},
    {"blocks", "blocks:K,B", 2, {1, 2}, {MOST, MOST}, blocks},
    {"moe", "moe:T,E", 2, {1, 1}, {MOST, 64}, experts},
    {"halo", "halo:K", 1, {1}, {MOST}, halo},
    {0}};

static bool refuse_text(const char *text, struct err *err)
{
    char forms[300] = "", name[TEXT_WORD + 1];
    struct text_nearest nearest = {0};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    for (const struct traffic_pattern *row = traffic_patterns; row->name != NULL; row++) {
        text_append(forms, sizeof forms, "%s%s", forms[0] == '\0' ? "one of " : " ", row->syntax);
        text_look(&nearest, name, row->name);
    }
    if (nearest.name == NULL || nearest.distance == 0)
        return err_set(err, ERR_OPTION, "{pattern}: '%.40s'; expected %s", text, forms);
    return err_unknown(err, ERR_OPTION, "pattern", text, nearest.name, forms);
}

static bool parse_numbers(const struct traffic_pattern *row, const char *text,
                          uint32_t number[TRAFFIC_NUMBERS], struct err *err)
{
    const char *at = text + strlen(row->name);
    for (unsigned k = 0; k < row->numbers; k++) {
        if (*at != (k == 0 ? ':' : ',') || at[1] < '0' || at[1] > '9')
            return refuse_text(text, err);
        char *end;
        unsigned long long value = strtoull(at + 1, &end, 10);
        if (value < row->least[k] || value > row->most[k])
            return err_set(err, ERR_RANGE,
                           "{pattern}: %.20s of %s is out of range; expected %" PRIu32
                           " … %" PRIu32,
                           at + 1, row->syntax, row->least[k], row->most[k]);
        number[k] = (uint32_t)value;
        at = end;
    }
    return *at == '\0' || refuse_text(text, err);
}

bool traffic_make(const char *text, uint32_t nodes, uint64_t seed, struct traffic *traffic,
                  struct err *err)
{
    const struct traffic_pattern *row = traffic_patterns;
    size_t length = strcspn(text, ":");
    while (row->name != NULL &&
           (strlen(row->name) != length || strncmp(row->name, text, length) != 0))
        row++;
    uint32_t number[TRAFFIC_NUMBERS] = {0};
    if (row->name == NULL)
        return refuse_text(text, err);
    *traffic = (struct traffic){.nodes = nodes};
    bool made = parse_numbers(row, text, number, err) && row->make(number, seed, traffic, err) &&
                traffic_finish(traffic, err);
    if (!made)
        traffic_free(traffic);
    return made;
}
