/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/match.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Working memory. Ports are the senders, then the receivers. */
struct slack {
    uint32_t nodes;
    uint64_t price;         /* of each setting */
    struct slack_rule rule; /* of the current search */
    struct match *match;
    uint32_t *value;     /* value[nodes²] */
    int64_t *weight;     /* weight[nodes²] */
    uint64_t *load;      /* load[2 · nodes] */
    uint64_t *after;     /* after[2 · nodes]: loads after the setting that is being tried */
    double *counts;      /* counts[2 · nodes]: weight of a port */
    uint32_t *to, *best; /* [nodes] */
    void *memory;
};

struct slack *slack_new(uint32_t nodes, uint64_t price, struct err *err)
{
    struct slack *work = malloc(sizeof *work);
    size_t n = nodes;
    if (work == NULL || (work->match = match_new(nodes, err)) == NULL) {
        free(work);
        err_no_memory(err, "settings of %" PRIu32 " nodes", nodes);
        return NULL;
    }
    work->nodes = nodes;
    work->price = price;
    if ((work->memory = arena_new(
             (const struct arena_array[]){ARENA(work->value, n * n), ARENA(work->weight, n * n),
                                          ARENA(work->load, 2 * n), ARENA(work->after, 2 * n),
                                          ARENA(work->counts, 2 * n), ARENA(work->to, n),
                                          ARENA(work->best, n)},
             7)) != NULL)
        return work;
    match_free(work->match);
    free(work);
    err_no_memory(err, "settings of %" PRIu32 " nodes", nodes);
    return NULL;
}

void slack_free(struct slack *work)
{
    if (work == NULL)
        return;
    match_free(work->match);
    free(work->memory);
    free(work);
}

/* Computes the load of each port in work->load. Returns the largest load. */
static uint64_t find_loads(struct slack *work, const uint32_t table[])
{
    const uint32_t nodes = work->nodes;
    uint64_t most = 0, *load = work->load;
    memset(load, 0, 2 * (size_t)nodes * sizeof *load);
    for (uint32_t row = 0; row < nodes; row++)
        for (uint32_t column = 0; column < nodes; column++, table++) {
            uint64_t takes = *table == 0 ? 0 : *table + work->price;
            load[row] += takes;
            load[nodes + column] += takes;
        }
    for (uint32_t port = 0; port < 2 * nodes; port++)
        most = MAX(most, load[port]);
    return most;
}

/* Returns by how much a setting with an entry of `packets` reduces the load of its two ports. */
static uint64_t gain(uint32_t packets, uint64_t duration, uint64_t price)
{
    if (packets == 0)
        return 0;
    return packets <= duration ? packets + price : duration;
}

/* Finds the best matching for one duration: work->to. */
static void find_matching(struct slack *work, const uint32_t table[], uint64_t most,
                          uint32_t duration)
{
    const uint32_t nodes = work->nodes;
    const uint64_t price = work->price;
    double scale = work->rule.reach * (double)(duration + price);
    double resolution = (double)MATCH_MAX_WEIGHT / 4 / (double)(duration + price);
    for (uint32_t port = 0; port < 2 * nodes; port++)
        work->counts[port] = exp(-(double)(most - work->load[port]) / scale);
    size_t k = 0;
    for (uint32_t row = 0; row < nodes; row++)
        for (uint32_t column = 0; column < nodes; column++, k++)
            work->weight[k] =
                (int64_t)(resolution * (work->counts[row] + work->counts[nodes + column]) *
                          (double)gain(table[k], duration, price));
    match_best(work->match, nodes, work->weight, work->to);
}

/* Returns the makespan from this setting on if work->to stays for a duration and no slack is lost
 * later, plus a term for the nodes near the busiest one. */
static double judge(struct slack *work, const uint32_t table[], uint32_t duration)
{
    const uint32_t nodes = work->nodes;
    const uint64_t price = work->price;
    uint64_t most = 0, used = 0;
    memcpy(work->after, work->load, 2 * (size_t)nodes * sizeof *work->after);
    for (uint32_t row = 0; row < nodes; row++) {
        uint32_t packets = table[(size_t)row * nodes + work->to[row]];
        uint32_t served = MIN(packets, duration);
        used = MAX(used, served);
        work->after[row] -= gain(packets, duration, price);
        work->after[nodes + work->to[row]] -= gain(packets, duration, price);
    }
    for (uint32_t port = 0; port < 2 * nodes; port++)
        most = MAX(most, work->after[port]);
    double scale = work->rule.reach * ((double)most / 8 + (double)price) / 4 + 1e-9, near = 0;
    for (uint32_t port = 0; port < 2 * nodes; port++)
        near += exp(-(double)(most - work->after[port]) / scale);
    return (double)(used + price) + (double)most + (most > 0 ? scale * log(near) : 0);
}

/* Finds the best setting among all durations that are tried: work->best. Returns its duration. */
static uint32_t choose(struct slack *work, const uint32_t table[], uint64_t most)
{
    const struct slack_rule rule = work->rule;
    const uint32_t nodes = work->nodes;
    size_t values = padded_values(table, (size_t)nodes * nodes, work->value);
    size_t tries = MIN(values, rule.durations);
    double least = INFINITY;
    uint32_t chosen = 0;
    for (size_t k = 0; k < tries; k++) {
        size_t at = (size_t)(((double)k + rule.shift) * (double)values / (double)tries);
        uint32_t duration = work->value[at];
        find_matching(work, table, most, duration);
        double makespan = judge(work, table, duration);
        if (makespan >= least)
            continue;
        least = makespan;
        chosen = duration;
        memcpy(work->best, work->to, nodes * sizeof *work->to);
    }
    return chosen;
}

/* Subtracts the setting from the table; circuits without packets become idle. Returns the duration
 * of the setting. */
static uint32_t take(uint32_t nodes, uint32_t duration, uint32_t table[], uint32_t to[])
{
    uint32_t used = 0;
    for (uint32_t row = 0; row < nodes; row++) {
        uint32_t *packets = &table[(size_t)row * nodes + to[row]];
        uint32_t served = MIN(*packets, duration);
        used = MAX(used, served);
        *packets -= served;
        if (served == 0)
            to[row] = DECOMPOSE_IDLE;
    }
    return used;
}

bool slack_settings(struct slack *work, struct slack_rule rule, uint64_t limit, uint32_t table[],
                    struct decomposition *decomposition, struct err *err)
{
    uint64_t end = 0, most = find_loads(work, table);
    work->rule = rule;
    while (most > 0 && end + most < limit) {
        uint32_t duration = choose(work, table, most);
        uint32_t used = take(work->nodes, duration, table, work->best);
        if (!decomposition_add(decomposition, work->best, used, err))
            return false;
        end += used + work->price;
        most = find_loads(work, table);
    }
    return true;
}
