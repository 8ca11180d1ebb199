/* SPDX-License-Identifier: Apache-2.0 */
/* test_engines_no_memory: csim of machines with rare endpoints, without memory.
 *
 * State space: machines with ranges, with shared memories, that combine, and that keep their own
 * packets apart, also with flits of several words × the number of the allocation that fails ×
 * whether all allocations after it fail too; exhaustive. An engine that cannot be opened reports
 * E104 and releases all memory. Counter-case: with enough memory each engine opens, and its memory
 * is counted until it is closed. (test_no_memory runs commands on the common machines.)
 *
 * tags: no-memory
 */
#include "testbench/engine/engine.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/range_lab.h"
#include "tests/support/running.h"
#include "tests/support/setting_period_lab.h"

#include <omp.h>

/* Opens and closes an engine. Returns whether it opened. */
static bool open_engine(const struct machine *machine, struct err *err)
{
    struct engine engine;
    const bool opened = engine_open(ENGINE_CSIM, machine, false, &engine, err);
    if (opened)
        engine_close(&engine);
    return opened;
}

static void fail_each(const char *name, const struct machine *machine)
{
    struct engine engine;
    struct err err = {0};
    int64_t left;
    support_true(open_engine(machine, &err), &err); /* allocates what the C library keeps */
    no_memory_begin(0, false);
    support_true(engine_open(ENGINE_CSIM, machine, false, &engine, &err), &err);
    const uint64_t calls = no_memory_end(&left);
    assert_true(left > 0);
    engine_close(&engine);
    for (uint64_t call = 1; call <= calls; call++)
        for (int on = 0; on < 2; on++) {
            running("%s, call %lu", name, (unsigned long)call);
            err = (struct err){0};
            no_memory_begin(call, on);
            const bool opened = open_engine(machine, &err);
            no_memory_end(&left);
            assert_int_equal(left, 0);
            assert_int_equal(err.code, opened ? ERR_NONE : ERR_TOO_BIG);
            assert_false(opened && on);
        }
}

static struct machine machine_of(const char *network)
{
    struct machine machine =
        setting_period_lab_machine(network, (struct setting_period_lab_how){MACHINE_FULL, false});
    machine.width = 16;
    machine.log2_packets = 3;
    machine.log2_flits = 1;
    machine.log2_rows = 3;
    return machine;
}

static void engines_report_missing_memory(void **state)
{
    (void)state;
    const struct machine ranges = range_lab_machine(5);
    fail_each("ranges", &ranges);
    struct machine machine = machine_of("benes:8");
    machine.shared = 2;
    fail_each("shared", &machine);
    machine.width = 64;
    fail_each("several words", &machine);
    machine = machine_of("benes:4");
    machine.combines = true;
    fail_each("combines", &machine);
    machine.keeps_own = true;
    fail_each("keeps its own", &machine);
    machine.width = 64;
    fail_each("keeps its own, several words", &machine);
}

int main(void)
{
    omp_set_num_threads(1);
    no_memory_prepare();
    const struct CMUnitTest tests[] = {cmocka_unit_test(engines_report_missing_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
