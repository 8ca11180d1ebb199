/* SPDX-License-Identifier: Apache-2.0 */
/* test_engine_names: the names of compiled engines, and machines for which there is none.
 *
 * A name lists the parameters of the RTL in which machines differ; expected are names written by
 * hand from the parameters. Machines of more ports than an engine has are rejected before a library
 * is looked for, when an engine is opened and when it is built. Counter-case: a machine of as many
 * ports, whose library is looked for where none is.
 */
#include "testbench/engine/engine.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/cube_lab.h"
#include "tests/support/range_lab.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static struct machine operating(void)
{
    struct machine machine = support_machine(3, 1, 2);
    machine.combines = machine.keeps_own = true;
    machine.operators = 5;
    return machine;
}

static struct machine cube(unsigned dimensions)
{
    struct machine machine = {.kind = MACHINE_CUBE,
                              .topology = cube_lab_make(dimensions),
                              .width = 8,
                              .log2_packets = 1,
                              .log2_flits = 2,
                              .log2_rows = 3,
                              .depth = {0, 4},
                              .reads = 1};
    return machine;
}

static void names(void **state)
{
    (void)state;
    struct machine shared = support_machine(3, 1, 2);
    shared.shared = 2;
    const struct {
        struct machine machine;
        bool traced;
        const char *name;
    } cases[] = {
        {range_lab_machine(8), false,
         "rtl-rc_multistage_machine-ports8-ranges1-splits8-pipe1-pad1-width16-packets8-flits8-"
         "rows64"},
        {operating(), true,
         "rtl-rc_multistage_machine-ports8-combine2-operators5-pipe1-pad2-width16-packets16-"
         "flits8-rows64-traced"},
        {shared, false,
         "rtl-rc_multistage_machine-ports8-shared2-pipe1-pad2-width16-packets16-flits8-rows64"},
        {cube(2), false,
         "rtl-rc_cube_machine-dimensions2-depth4-reads1-pad0-width8-packets2-flits4-rows8"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char name[ENGINE_NAME_ROOM];
        engine_name_of(ENGINE_RTL, &cases[k].machine, cases[k].traced, name);
        assert_string_equal(name, cases[k].name);
    }
}

static void ports(void **state)
{
    (void)state;
    /* 2048 ports of a network, 1024 endpoints of routers: 2^7 nodes of 7, 2^8 nodes of 8 */
    const struct machine largest[] = {support_machine(11, 1, 0), cube(7)};
    const struct machine larger[] = {support_machine(12, 1, 0), cube(8)};
    static const char *const messages[] = {
        "rtl: 4096 ports; expected at most 2048 (csim takes more)",
        "rtl: 2048 ports; expected at most 1024 (csim takes more)"};
    assert_int_equal(setenv("ROUNDCAST_ENGINES", "/nowhere", 1), 0);
    for (size_t k = 0; k < 2; k++) {
        struct engine engine;
        struct err err = {0};
        assert_false(engine_build(ENGINE_RTL, &larger[k], false, &err));
        support_error(&err, ERR_NETWORK, messages[k]);
        assert_false(engine_open(ENGINE_RTL, &larger[k], false, &engine, &err));
        support_error(&err, ERR_NETWORK, messages[k]);
        assert_false(engine_build(ENGINE_RTL, &largest[k], false, &err));
        support_error(&err, ERR_TOOL, "not in ROUNDCAST_ENGINES");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(ports)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
