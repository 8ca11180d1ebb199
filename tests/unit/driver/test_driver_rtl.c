/* SPDX-License-Identifier: Apache-2.0 */
/* test_driver_rtl: the broadcast of test_driver on the RTL and on its netlist, also with flits of
 * two words. */
#include "tests/support/cmocka_all.h"
#include "tests/support/driver_lab.h"

static void broadcasts_are_driven(void **state)
{
    (void)state;
    driver_lab_broadcasts(ENGINE_RTL, 16);
    driver_lab_broadcasts(ENGINE_NETLIST, 16);
    driver_lab_broadcasts(ENGINE_RTL, 33);
    driver_lab_broadcasts(ENGINE_NETLIST, 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(broadcasts_are_driven)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
