/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/cube_runs.h"

#include "tests/support/cube_lab.h"
#include "tests/support/tree_machine.h"

struct cube_runs_set cube_runs_set_of(uint32_t nodes, uint64_t bits)
{
    struct cube_runs_set set = {0};
    for (uint32_t node = 0; node < nodes; node++)
        if (bits >> node & 1)
            set.node[set.count++] = node;
    return set;
}

void cube_runs_schedule(const char *name, const char *method, const struct topology *cube,
                        const struct cube_runs_set *set, struct schedule *schedule)
{
    const struct algorithm *algorithm = support_algorithm(name);
    struct collective asked = {.n = cube->nodes,
                               .m = 1,
                               .model = MODEL_ALL_PORT,
                               .topology = cube,
                               .method = support_method(algorithm, method)};
    struct verify_report report;
    if (algorithm->kind == COLLECTIVE_SIMULTANEOUS) {
        asked.m = set->count;
        asked.sources = set->node;
    } else if (algorithm->kind == COLLECTIVE_BROADCAST) {
        asked.m = cube->dimensions;
        asked.source = set->node[0];
    }
    cube_lab_build(name, &asked, schedule, &report);
}

uint64_t cube_runs_alone(const struct schedule *schedule, unsigned pad, uint32_t flits)
{
    struct support_job job;
    struct machine machine = tree_machine_of(MACHINE_CUBE, &schedule->topology, pad);
    tree_machine_fit(schedule, flits, &machine);
    tree_machine_job(schedule, &machine, flits, &job);
    uint64_t receipts = tree_machine_run(&job, false, schedule->end);
    support_job_free(&job);
    return receipts;
}
