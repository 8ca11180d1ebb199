/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tree_machine.h"

#include "sched/image/packet_header.h"
#include "sched/route/machine_sizing.h"
#include "sched/route/route.h"
#include "sched/verify/verify.h"
#include "testbench/run/simulate.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/running.h"
#include "tests/support/support.h"

#define TREE_MACHINE_SEED 11

void tree_machine_schedule(const struct tree_machine_case *asked, const struct topology *tree,
                           struct schedule *schedule)
{
    const struct algorithm *algorithm = support_algorithm(asked->algorithm);
    const struct collective collective = {.n = tree->nodes,
                                          .m = 1,
                                          .source = asked->source,
                                          .model = asked->model,
                                          .topology = tree,
                                          .method = support_method(algorithm, asked->method)};
    struct err err = {0};
    struct verify_report verified;
    *schedule = (struct schedule){0};
    running("%s --method %s --source %u on %u leaves, %s", asked->algorithm,
            asked->method ? asked->method : "-", asked->source, tree->nodes,
            model_name(asked->model));
    support_true(algorithm_build(algorithm, &collective, schedule, &err), &err);
    support_true(verify_schedule(asked->algorithm, schedule, &verified, &err), &err);
}

struct machine tree_machine_of(enum machine_kind kind, const struct topology *tree, unsigned pad)
{
    struct machine machine = {.kind = kind, .pad = pad, .width = 16};
    machine.topology = *tree;
    return machine;
}

/* The larger of two, in every memory. */
static void tree_machine_widen(struct machine *machine, const struct machine *other)
{
    const unsigned levels = machine->topology.router_levels;
#define WIDEN(field) machine->field = other->field > machine->field ? other->field : machine->field
    WIDEN(log2_packets);
    WIDEN(log2_flits);
    WIDEN(log2_rows);
    WIDEN(reads);
    for (unsigned level = 1; level <= levels; level++) {
        WIDEN(depth[level]);
        WIDEN(queue[level]);
    }
#undef WIDEN
}

void tree_machine_fit(const struct schedule *schedule, uint32_t flits, struct machine *machine)
{
    struct err err = {0};
    struct machine needed = tree_machine_of(machine->kind, &machine->topology, machine->pad);
    support_true(machine_sizing_fit(schedule, flits, NULL, &needed, &err), &err);
    tree_machine_widen(machine, &needed);
}

void tree_machine_job(const struct schedule *schedule, const struct machine *machine,
                      uint32_t flits, struct support_job *job)
{
    struct err err = {0};
    uint32_t header = machine_header_flits(machine);
    size_t size = (size_t)(flits - header) * machine->width / 8 * schedule->packets;
    *job = (struct support_job){.schedule = *schedule};
    support_true(payload_random(TREE_MACHINE_SEED, size > 1 ? size - 1 : 1, &job->payload, &err),
                 &err);
    job->payload.header_flits = header;
    support_true(payload_cut(&job->payload, schedule->packets, flits, flits, machine->width, &err),
                 &err);
    support_true(packet_header_write(schedule, machine, &job->payload, &err), &err);
    support_true(route_schedule(schedule, machine, &job->payload, &job->image, &err), &err);
}

uint64_t tree_machine_run(const struct support_job *job, bool rtl, uint64_t steps)
{
    const struct simulate_options options = {.engine_count = rtl ? 2 : 1,
                                             .engine = {ENGINE_CSIM, ENGINE_RTL}};
    struct simulate_report report;
    struct err err = {0};
    support_true(simulate(&job->image, &job->schedule, &job->payload, &options, &report, &err),
                 &err);
    assert_int_equal(report.run_cycles, steps * job->image.run.row_cycles);
    assert_true(report.checks.seen > 0 && report.checks.seen == report.checks.expected);
    assert_true(report.checks.packets == report.checks.wanted && report.checks.corrupt == 0);
    return report.checks.seen;
}
