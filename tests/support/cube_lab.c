/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/cube_lab.h"

#include "sched/base/rng.h"
#include "sched/bound/bound.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#include <string.h>

struct topology cube_lab_make(unsigned d)
{
    struct topology cube;
    struct err err = {0};
    support_true(topology_hypercube(d, &cube, &err), &err);
    return cube;
}

void cube_lab_build(const char *name, const struct collective *asked, struct schedule *schedule,
                    struct verify_report *report)
{
    const struct algorithm *algorithm = support_algorithm(name);
    struct err err = {0};
    *schedule = (struct schedule){0};
    running("%s --method %u --dim %u, %u packets", name, asked->method, asked->topology->dimensions,
            asked->m);
    support_true(algorithm_build(algorithm, asked, schedule, &err), &err);
    support_true(verify_schedule(name, schedule, report, &err), &err);
    uint64_t end = algorithm_end(algorithm, asked);
    if (end != ALGORITHM_UNKNOWN)
        assert_int_equal(schedule->end, end);
    struct collective chosen = algorithm_choose(algorithm, asked);
    assert_true(schedule->end >= bound_end(&chosen));
    struct guarantee guarantee;
    if (algorithm_guarantee(algorithm, asked, &guarantee))
        assert_true(schedule->end <= guarantee.end);
}

uint64_t cube_lab_rounds(const char *name, const struct topology *cube, const uint32_t source[],
                         uint32_t count)
{
    const struct collective asked = {
        .n = cube->nodes, .m = count, .model = MODEL_ALL_PORT, .topology = cube, .sources = source};
    struct schedule schedule;
    struct verify_report report;
    cube_lab_build(name, &asked, &schedule, &report);
    uint64_t end = schedule.end;
    schedule_free(&schedule);
    return end;
}

uint64_t cube_lab_overlap(const struct topology *cube, const uint32_t source[], uint32_t count,
                          const char *method, uint64_t seed)
{
    unsigned d = cube->dimensions;
    uint64_t before = strncmp(method, "tree", 4) == 0       ? 2 * d + 1
                      : strncmp(method, "exchange", 8) == 0 ? d
                                                            : 0;
    const struct collective asked = {
        .n = cube->nodes,
        .m = count,
        .model = MODEL_ALL_PORT,
        .topology = cube,
        .sources = source,
        .seed = seed,
        .method = support_method(support_algorithm("cube-broadcast"), method)};
    struct schedule schedule;
    struct verify_report report;
    cube_lab_build("cube-broadcast", &asked, &schedule, &report);
    uint64_t end = schedule.end;
    schedule_free(&schedule);
    return end - before;
}

uint64_t cube_lab_used(const struct schedule *schedule, uint64_t before, uint64_t last)
{
    uint64_t used = 0;
    for (size_t k = 0; k < schedule->step_count; k++)
        if (schedule->step[k].time > before && schedule->step[k].time <= last)
            used = schedule->step[k].time - before;
    return used;
}

static void cube_lab_sort(uint32_t node[], uint32_t count)
{
    for (uint32_t at = 1; at < count; at++)
        for (uint32_t low = at; low > 0 && node[low - 1] > node[low]; low--) {
            uint32_t other = node[low];
            node[low] = node[low - 1];
            node[low - 1] = other;
        }
}

void cube_lab_tuple(uint32_t nodes, uint32_t count, uint64_t seed, uint32_t node[])
{
    struct rng rng = {seed};
    for (uint32_t which = 0; which < nodes; which++)
        node[which] = which;
    for (uint32_t place = 0; place < count; place++) {
        uint64_t other = place + rng_next(&rng) % (nodes - place);
        uint32_t drawn = node[other];
        node[other] = node[place];
        node[place] = drawn;
    }
    cube_lab_sort(node, count);
}

void cube_lab_multi(uint32_t nodes, uint32_t count, uint64_t seed, uint32_t node[])
{
    struct rng rng = {seed};
    for (uint32_t which = 0; which < count; which++)
        node[which] = (uint32_t)(rng_next(&rng) % nodes);
    cube_lab_sort(node, count);
}
