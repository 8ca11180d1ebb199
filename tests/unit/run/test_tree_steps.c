/* SPDX-License-Identifier: Apache-2.0 */
/* test_tree_steps: packets of a tree that move although they should not, and packets that should
 * move but do not.
 *
 * State space. The machines and jobs of tree_fault_rig.h, on csim and on RTL. Every output of every
 * router sends a packet in a row after the schedule's last row: a leaf flags a packet that it does
 * not expect; a packet that goes to another router is observed at no leaf, but the machine moves
 * packets for one step too many. Also a schedule whose last step no leaf observes, on a machine
 * that omits it.
 */
#include "sched/machine/machine_address.h"
#include "sched/route/route.h"
#include "sched/shape/wiring.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/tree_fault_rig.h"

#include <inttypes.h>
#include <stdio.h>

/* Adds a row after the schedule's last, in which nothing moves; then makes each output in turn send
 * in it. */
static void add_row(struct tree_fault_rig *rig, void *data)
{
    struct tree_fault_lab *lab = &rig->lab;
    const struct machine *machine = &lab->machine;
    const uint32_t row = lab->replay.run.rows++;
    unsigned *count = data;
    char text[80];
    snprintf(text, sizeof text, "run: packets moved until step %u; expected until step %u", row + 1,
             row);
    support_true(image_append(&lab->rest, MACHINE_RUN_ROWS, row + 1, &lab->err), &lab->err);
    for (int program = MACHINE_SEND; program <= MACHINE_RECEIVE; program++)
        tree_fault_lab_write(lab,
                             MACHINE_ALL_NODES | machine_program_address(
                                                     machine, (enum machine_region)program, 0, row),
                             0);
    for (uint32_t router = 0; router < machine_routers(machine); router++)
        for (uint32_t column = 0; column < 1u << machine_column_bits(machine); column++)
            tree_fault_lab_write(lab, machine_table_address(machine, router, row, column), 0);
    assert_int_equal(tree_fault_lab_judge(lab).count, 0);
    for (uint32_t router = 0; router < machine_routers(machine); router++) {
        unsigned level = topology_level(&machine->topology, router + machine->topology.nodes);
        uint32_t ports = machine->topology.router_ports[level];
        for (uint32_t output = 0; output < ports; output++) {
            const struct image_word change = {
                machine_table_address(machine, router, row, output * machine->reads),
                machine_send_word((output == 0 ? 1 : 0) * machine->reads)};
            struct tree_replay_reported reported = tree_fault_lab_change(lab, &change, 1);
            bool to_leaf = level == 1 && output < machine->topology.children[1];
            assert_true(reported.count > 0);
            if (lab->router_flags[router] == 0)
                support_error(&lab->err, to_leaf ? ERR_FLAG : ERR_LATE, to_leaf ? ": node " : text);
            count[to_leaf]++;
        }
    }
    tree_fault_rig_reload(rig);
}

/* Runs a schedule that ends with a transfer that no leaf observes, on a machine that omits the
 * transfer. */
static void end_early(struct tree_fault_rig *rig, void *data)
{
    struct tree_fault_lab *lab = &rig->lab;
    const struct schedule *schedule = &lab->job.schedule;
    struct schedule longer = tree_fault_rig_changed(rig, schedule->transfer_count);
    struct verify_report verified;
    struct image image;
    struct err err = {0};
    char text[80];
    support_true(verify_schedule("longer", &longer, &verified, &err), &err);
    support_true(route_schedule(&longer, &lab->machine, &lab->job.payload, &image, &err), &err);
    tree_fault_lab_unload(lab);
    tree_fault_lab_load(lab, &longer, &image);
    assert_int_equal(tree_fault_lab_judge(lab).count, 0);
    const struct image_word change = {machine_program_address(&lab->machine, MACHINE_SEND,
                                                              longer.demand[0].source,
                                                              (uint32_t)schedule->end),
                                      0};
    assert_int_equal(tree_fault_lab_change(lab, &change, 1).count, 1);
    snprintf(text, sizeof text,
             "run: packets moved until step %" PRIu64 "; expected until step %" PRIu64,
             schedule->end, longer.end);
    support_error(&lab->err, ERR_LATE, text);
    ++*(unsigned *)data;
    tree_fault_rig_reload(rig);
    image_free(&image);
    schedule_free(&longer);
}

static void longer_runs(enum engine_kind kind)
{
    unsigned count[2] = {0};
    tree_fault_rig_each(kind, add_row, count);
    print_message("packets that move after the last step: %u to routers, %u to leaves\n", count[0],
                  count[1]);
    assert_int_equal(count[0], TREE_FAULT_RIG_JOBS * (4 + 4 + 4 + 4));
    assert_int_equal(count[1], TREE_FAULT_RIG_JOBS * (4 + 6));
}

static void shorter_runs(enum engine_kind kind)
{
    unsigned count = 0;
    tree_fault_rig_each(kind, end_early, &count);
    assert_int_equal(count, TREE_FAULT_RIG_TREES * TREE_FAULT_RIG_JOBS);
}

TREE_FAULT_RIG_ON(longer_runs)
TREE_FAULT_RIG_ON(shorter_runs)

int main(void)
{
    const struct CMUnitTest tests[] = {TREE_FAULT_RIG_BOTH(longer_runs),
                                       TREE_FAULT_RIG_BOTH(shorter_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
