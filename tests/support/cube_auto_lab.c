/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/cube_auto_lab.h"

#include "sched/route/machine_sizing.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/tree_machine.h"

struct machine cube_auto_lab_machine(const struct topology *cube, unsigned pad, uint32_t packets,
                                     uint32_t flits)
{
    struct cube_runs_set set = {.count = packets};
    struct schedule schedule;
    struct err err = {0};
    struct machine machine = tree_machine_of(MACHINE_CUBE_AUTO, cube, pad);
    cube_runs_schedule("cube-broadcast", NULL, cube, &set, &schedule);
    support_true(machine_sizing_fit(&schedule, flits, NULL, &machine, &err), &err);
    schedule_free(&schedule);
    return machine;
}

void cube_auto_lab_job(const struct machine *machine, const struct cube_runs_set *set,
                       uint32_t flits, struct support_job *job)
{
    struct schedule schedule;
    cube_runs_schedule("cube-broadcast", NULL, &machine->topology, set, &schedule);
    tree_machine_job(&schedule, machine, flits, job);
}

uint64_t cube_auto_lab_rounds(const struct topology *cube, uint32_t packets)
{
    unsigned d = cube->dimensions;
    return 2 * (uint64_t)((packets + d - 1) / d) + 4 * d;
}

uint64_t cube_auto_lab_run(const struct machine *machine, const struct cube_runs_set *set,
                           uint32_t flits, bool rtl)
{
    struct support_job job;
    cube_auto_lab_job(machine, set, flits, &job);
    uint64_t rounds = cube_auto_lab_rounds(&machine->topology, set->count);
    assert_int_equal(job.image.run.rows, 1u << machine->log2_rows);
    assert_true(rounds <= job.image.run.rows);
    uint64_t receipts = tree_machine_run(&job, rtl, rounds);
    support_job_free(&job);
    return receipts;
}
