/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/decompose/beam.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Maximum width of a beam; for small tables, which take little time, it is larger. */
#define WIDEST 48
#define WIDEST_SMALL 100

struct minimum {
    uint32_t nodes;
    const uint32_t *table;
    uint32_t *part; /* part[nodes²]: the sum of the permutations that were taken out */
    struct beam *beam;
    struct rng rng;
    struct decomposition best, found;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Returns the maximum number of entries of a row or column: a lower bound of the number of
 * permutations. */
static size_t fewest(const uint32_t table[], uint32_t nodes)
{
    size_t most = 0;
    for (uint32_t a = 0; a < nodes; a++) {
        size_t row = 0, column = 0;
        for (uint32_t b = 0; b < nodes; b++) {
            row += table[a * nodes + b] != 0;
            column += table[b * nodes + a] != 0;
        }
        most = MAX(most, row);
        most = MAX(most, column);
    }
    return most;
}

static unsigned draw(struct rng *rng, unsigned least, unsigned most)
{
    return least + rng_below(rng, most - least + 1);
}

static unsigned widest_of(uint32_t nodes)
{
    return nodes <= BEAM_ALL ? WIDEST_SMALL : WIDEST;
}

static struct beam_rule draw_rule(struct rng *rng, uint32_t nodes, unsigned widest)
{
    if (nodes <= BEAM_ALL)
        return (struct beam_rule){.width = draw(rng, 1, widest),
                                  .filled = draw(rng, 0, 6),
                                  .distinct = draw(rng, 2, 8) * 4,
                                  .noise = draw(rng, 0, 1) * 200,
                                  .sums = draw(rng, 1, 4),
                                  .first = draw(rng, 1, 2)};
    return (struct beam_rule){.width = draw(rng, 1, widest),
                              .bits = 1,
                              .distinct = draw(rng, 2, 6),
                              .shrink = draw(rng, 1, 10) * 60,
                              .bonus = draw(rng, 1, 12) * 20,
                              .noise = draw(rng, 0, 2) * 40};
}

static void swap(struct decomposition *a, struct decomposition *b)
{
    struct decomposition was = *a;
    *a = *b;
    *b = was;
}

/* Searches for a better decomposition of the whole table. */
static bool whole(struct minimum *work, struct beam_rule rule, struct err *err)
{
    size_t limit = work->best.count == 0 ? SIZE_MAX : work->best.count + 1;
    if (beam_search(work->beam, work->table, limit, rule, &work->found, err))
        swap(&work->best, &work->found);
    return err->code == ERR_NONE;
}

static void swap_settings(struct decomposition *decomposition, size_t a, size_t b)
{
    uint64_t duration = decomposition->duration[a];
    decomposition->duration[a] = decomposition->duration[b];
    decomposition->duration[b] = duration;
    for (size_t row = 0; row < decomposition->nodes; row++) {
        uint32_t *one = &decomposition->to[a * decomposition->nodes + row];
        uint32_t *other = &decomposition->to[b * decomposition->nodes + row], was = *one;
        *one = *other;
        *other = was;
    }
}

/* Moves `count` random permutations to the end of the best decomposition and adds them up in
 * part[]. */
static void take_out(struct minimum *work, size_t count)
{
    struct decomposition *best = &work->best;
    size_t nodes = work->nodes;
    memset(work->part, 0, nodes * nodes * sizeof *work->part);
    for (size_t k = 0; k < count; k++) {
        size_t last = best->count - 1 - k;
        swap_settings(best, rng_below(&work->rng, (uint32_t)last + 1), last);
        for (size_t row = 0; row < nodes; row++)
            work->part[row * nodes + best->to[last * nodes + row]] +=
                (uint32_t)best->duration[last];
    }
}

/* Searches for as few or fewer permutations to replace a part of the best decomposition. */
static bool local(struct minimum *work, struct err *err)
{
    struct decomposition *best = &work->best;
    size_t count = best->count, most = MIN(count, 20);
    if (count < 4)
        return true;
    size_t out = draw(&work->rng, 4, (unsigned)most);
    take_out(work, out);
    struct beam_rule rule = draw_rule(&work->rng, work->nodes, 12);
    if (!beam_search(work->beam, work->part, out + 1, rule, &work->found, err))
        return err->code == ERR_NONE;
    const struct decomposition *found = &work->found; /* at most as many as were taken out */
    best->count = count - out;
    memcpy(best->to + best->count * work->nodes, found->to,
           found->count * work->nodes * sizeof *found->to);
    memcpy(best->duration + best->count, found->duration, found->count * sizeof *found->duration);
    best->count += found->count;
    return true;
}

/* Alternates searches of the whole table, which become wider, with searches of parts. */
static bool search(struct minimum *work, double seconds, struct err *err)
{
    double begin = now(), end = begin + seconds, on_whole = 0;
    size_t least = fewest(work->table, work->nodes);
    unsigned most = widest_of(work->nodes);
    struct beam_rule plain = {.width = 2, .bits = 1, .distinct = 4, .shrink = 300, .bonus = 100};
    if (!whole(work, plain, err))
        return false;
    for (unsigned widest = 3; work->best.count > least && now() < end;) {
        double start = now();
        if (on_whole > (start - begin) * 2 / 3) {
            if (!local(work, err))
                return false;
            continue;
        }
        if (!whole(work, draw_rule(&work->rng, work->nodes, widest), err))
            return false;
        widest = widest < most ? widest + widest / 8 + 1 : most;
        on_whole += now() - start;
    }
    return true;
}

bool minimum_search(const uint32_t table[], uint32_t nodes, double seconds, uint64_t seed,
                    struct decomposition *decomposition, struct err *err)
{
    struct err failed = {0};
    struct minimum work = {.nodes = nodes,
                           .table = table,
                           .part = malloc((size_t)nodes * nodes * sizeof *work.part),
                           .rng = {seed},
                           .best.nodes = nodes,
                           .found.nodes = nodes};
    work.beam = beam_new(nodes, widest_of(nodes), &work.rng, &failed);
    bool found = work.beam != NULL && (work.part != NULL || err_no_memory(&failed, "a part")) &&
                 search(&work, seconds, &failed);
    beam_free(work.beam);
    free(work.part);
    decomposition_free(&work.found);
    if (!found)
        decomposition_free(&work.best);
    *decomposition = work.best;
    return found || err_copy(err, &failed);
}
