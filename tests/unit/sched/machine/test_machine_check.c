/* SPDX-License-Identifier: Apache-2.0 */
/* test_machine_check: machines and runs that are rejected because of a combination of properties.
 *
 * State space: the properties of a machine (routers, ranges, computed programs, operators, a shared
 * packet memory) and the fields of a run: each excludes others. Tested: the legal machine or run
 * beside each limit, and each excluded combination with its code and text.
 */
#include "sched/machine/machine_run.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

/* Returns a machine of routers: a tree of 4 leaves, 2 at each router. */
static struct machine routers(void)
{
    struct machine machine = {.kind = MACHINE_FAT_TREE,
                              .reads = 1,
                              .width = 8,
                              .depth = {[1] = 1, [2] = 1},
                              .log2_packets = 2,
                              .log2_flits = 1,
                              .log2_rows = 4};
    struct err err = {0};
    support_true(topology_parse_tree("2,2", "const", &machine.topology, &err), &err);
    support_true(machine_check(&machine, &err), &err);
    return machine;
}

static void ranges_have_limits(void **state)
{
    (void)state;
    struct machine tree = routers();
    struct err err = {0};
    tree.ranges = true;
    assert_false(machine_check_ranges(&tree, &err));
    support_error(&err, ERR_NETWORK, "programs: ranges require endpoints of their own");
    /* Flits of several words begin with 30 bits for both ends: 15 bits for a node. */
    struct machine wide = MULTISTAGE(15, 1, 0, 64, 1, 1, 1);
    wide.ranges = true;
    support_true(machine_check_ranges(&wide, &err), &err);
    wide = (struct machine)MULTISTAGE(16, 1, 0, 64, 1, 1, 1);
    wide.ranges = true;
    assert_false(machine_check_ranges(&wide, &err));
    support_error(&err, ERR_NETWORK, "width: 64 bits; the two ends of a range have 32 bits");
    /* A flit of one word has to be wide enough, too. */
    wide.width = 31;
    assert_false(machine_check_ranges(&wide, &err));
    support_error(&err, ERR_NETWORK,
                  "width: 31 bits; expected at least 32, because the first flit");
}

static void operators_require_that_packets_are_combined(void **state)
{
    (void)state;
    static const struct {
        bool combines, keeps_own;
        uint32_t operators, shared;
        const char *text; /* NULL: legal */
    } cases[] = {
        {true, false, 1, 0, NULL},
        {true, true, 0, 0, NULL},
        {true, false, 0, 2, "endpoints that share a packet memory do not combine packets"},
        {true, false, MACHINE_ALL_OPERATORS, 0, "operators: set 127"},
        {false, false, 0, 2, NULL},
        {false, false, 1, 0, "operators: set 1; expected some of the operators of a machine that"},
        {false, true, 0, 0, "keeps one partial result of a packet; expected two only on a"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct machine machine = MULTISTAGE(3, 1, 0, 16, 4, 3, 6);
        struct err err = {0};
        machine.combines = cases[k].combines;
        machine.keeps_own = cases[k].keeps_own;
        machine.operators = cases[k].operators;
        machine.shared = cases[k].shared;
        bool legal = machine_check(&machine, &err);
        if (legal != (cases[k].text == NULL))
            fail_msg("case %zu: %s", k, err.text);
        if (!legal)
            support_error(&err, ERR_UNSUPPORTED, cases[k].text);
    }
}

/* Routers of trees combine packets, but their endpoints keep one partial result. */
static void routers_keep_one_result(void **state)
{
    (void)state;
    struct machine tree = routers();
    struct err err = {0};
    tree.combines = true;
    support_true(machine_check(&tree, &err), &err);
    tree.keeps_own = true;
    assert_false(machine_check(&tree, &err));
    support_error(&err, ERR_UNSUPPORTED,
                  "network: fat-tree keeps one partial result of a packet; expected two only on a "
                  "multistage network");
}

static void shared_memories_have_limits(void **state)
{
    (void)state;
    struct machine tree = routers();
    struct err err = {0};
    tree.shared = 2;
    assert_false(machine_check(&tree, &err));
    support_error(&err, ERR_NETWORK, "programs: the endpoints of a node share a memory");
    struct machine ranges = MULTISTAGE(3, 1, 0, 16, 4, 3, 6);
    ranges.ranges = true;
    ranges.log2_splits = 1;
    support_true(machine_check(&ranges, &err), &err);
    ranges.shared = 2;
    assert_false(machine_check(&ranges, &err));
    support_error(&err, ERR_NETWORK, "programs: the endpoints of a node share a memory");
    /* The numbers of a packet and of an endpoint of its node have fewer than 30 bits together. */
    struct machine large = MULTISTAGE(3, 1, 0, 16, 28, 3, 6);
    large.shared = 4;
    assert_false(machine_check(&large, &err));
    support_error(&err, ERR_NETWORK, "machine: 4 endpoints share a memory; expected 2 … 64");
}

/* The machines have 8 ports, 64 rows, packets of up to 8 flits, 16 packets and latency 6. */
static void streams_and_operators_of_runs(void **state)
{
    (void)state;
    struct machine plain = support_machine(3, 1, 1), computed = plain, ranges = plain,
                   combines = plain;
    computed.computed = true;
    computed.log2_period = 4;
    ranges.ranges = true;
    ranges.log2_splits = 1;
    combines.combines = true; /* latency 7 */
    const struct {
        const struct machine *machine;
        struct run run;
        const char *text; /* NULL: legal */
    } cases[] = {
        {&computed, {10, 6, 12, 0, 3, 2, 10, 1, 0, 0}, NULL},
        {&computed, {10, 6, 12, 0, 3, 2, 11, 0, 0, 0}, NULL},
        {&computed, {10, 6, 12, 0, 3, 2, 11, 1, 0, 0}, "a run with period 3, first 2 and 11"},
        {&computed, {10, 6, 12, 0, 3, 2, 10, 2, 0, 0}, "a run with period 3, first 2 and 10"},
        {&computed, {10, 6, 3, 0, 3, 2, 10, 0, 0, 0}, NULL},
        {&computed, {10, 6, 3, 0, 3, 2, 10, 1, 0, 0}, "a run of 10 rows of 6 flits in 3 cycles"},
        {&plain, {10, 6, 12, 0, 0, 0, 0, 1, 0, 0}, "a run with period 0, first 0 and 0 packets"},
        {&plain, {10, 6, 12, 0, 0, 0, 0, 0, 1, 0}, "a run of 10 rows of 6 flits in 12 cycles"},
        {&ranges, {10, 6, 12, 0, 0, 0, 16, 0, 0, 0}, NULL},
        {&ranges, {10, 6, 12, 0, 0, 0, 17, 0, 0, 0}, "17 packets; expected a period of at most"},
        {&ranges, {10, 6, 12, 0, 0, 0, 16, 1, 0, 0}, "a run with period 0, first 0 and 16"},
        {&combines, {10, 2, 1, 0, 0, 0, 0, 0, 6, 0}, NULL},
        {&combines, {10, 2, 1, 0, 0, 0, 0, 0, 7, 0}, "a run of 10 rows of 2 flits in 1 cycle"},
        {&combines, {10, 1, 1, 0, 0, 0, 0, 0, 0, 0}, "a run of 10 rows of 1 flit in 1 cycle"},
        {&plain, {10, 1, 1, 0, 0, 0, 0, 0, 0, 0}, NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct err err = {0};
        bool legal = machine_check_run(cases[k].machine, &cases[k].run, "b.image", &err);
        if (legal != (cases[k].text == NULL))
            fail_msg("case %zu: %s", k, err.text);
        if (!legal)
            support_error(&err, ERR_FIELD_RANGE, cases[k].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_have_limits),
        cmocka_unit_test(operators_require_that_packets_are_combined),
        cmocka_unit_test(routers_keep_one_result),
        cmocka_unit_test(shared_memories_have_limits),
        cmocka_unit_test(streams_and_operators_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
