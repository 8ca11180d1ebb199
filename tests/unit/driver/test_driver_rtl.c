/* SPDX-License-Identifier: Apache-2.0 */
/* test_driver_rtl: the broadcast of test_driver on the RTL and on its netlist. */
#include "tests/support/cmocka_all.h"
#include "tests/support/driver_lab.h"

static void broadcasts_are_driven(void **state)
{
    (void)state;
    driver_lab_broadcasts(ENGINE_RTL);
    driver_lab_broadcasts(ENGINE_NETLIST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(broadcasts_are_driven)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
