/* SPDX-License-Identifier: Apache-2.0 */
/* test_driver: the driver of driver/ on csim (test_driver_rtl: on the RTL and its netlist).
 *
 * A broadcast over benes:8, of flits of 1 to 17 words, is loaded, run, waited for by polling and by
 * interrupt, and read back; a node that expects nothing is the cause of the error. Each result of
 * the driver has a case: a bus that fails, a machine that is none or has other registers, images
 * for larger machines, accesses during a run, a run that does not end in time, and packets that do
 * not exist. An image that is rejected is not written in part. The sizes that the driver discovers
 * are those of the request.
 */
#include "driver/rc_mmio.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/driver_lab.h"

#include <string.h>

static void broadcasts_are_driven(void **state)
{
    (void)state;
    static const unsigned widths[] = {16, 31, 32, 33, 64, 512};
    for (unsigned k = 0; k < sizeof widths / sizeof *widths; k++)
        driver_lab_broadcasts(ENGINE_CSIM, widths[k]);
}

static void machines_are_discovered(void **state)
{
    (void)state;
    struct driver_lab lab;
    driver_lab_open(&lab, ENGINE_CSIM, 16);
    struct rc_driver *driver = &lab.driver;
    assert_int_equal(rc_driver_discover(driver, &lab.bus), RC_OK);
    assert_int_equal(driver->ports, 8);
    assert_int_equal(driver->width, 16);
    assert_int_equal(driver->parts, 1);
    assert_int_equal(driver->packets, 16);
    assert_int_equal(driver->flits, 8);
    assert_int_equal(driver->rows, 64);
    assert_int_equal(driver->latency, 5);
    assert_int_equal(driver->routers, 0);
    assert_int_equal(driver->tables, 64);
    assert_int_equal(driver->banks, 5);
    assert_int_equal(driver->field_bits, 3 + 4 + 3);
    assert_int_equal(driver->splits, 0);
    assert_int_equal(driver->shared, 1);
    lab.wrong_number = RC_ID;
    lab.wrong_word = 0;
    assert_int_equal(rc_driver_discover(driver, &lab.bus), RC_NO_MACHINE);
    lab.wrong_word = UINT32_C(0x526e6401);
    assert_int_equal(rc_driver_discover(driver, &lab.bus), RC_VERSION);
    lab.broken = true;
    assert_int_equal(rc_driver_discover(driver, &lab.bus), RC_BUS);
    driver_lab_close(&lab);
    driver_lab_open(&lab, ENGINE_CSIM, 64); /* flits of 3 parts, whose numbers have 2 bits */
    assert_int_equal(rc_driver_discover(driver, &lab.bus), RC_OK);
    assert_int_equal(driver->width, 64);
    assert_int_equal(driver->parts, 3);
    assert_int_equal(driver->field_bits, 3 + 4 + 3 + 2);
    driver_lab_close(&lab);
}

/* Changes a pair of the image, loads it, and restores it. */
static void refuses_pair(struct driver_lab *lab, size_t which, uint32_t address, uint32_t word)
{
    uint32_t kept[2];
    memcpy(kept, lab->pair[which], sizeof kept);
    const uint64_t written = lab->writes;
    lab->pair[which][0] = address;
    lab->pair[which][1] = word;
    assert_int_equal(rc_driver_load(&lab->driver, lab->pair, lab->job.image.count), RC_IMAGE);
    assert_int_equal(lab->writes, written);
    memcpy(lab->pair[which], kept, sizeof kept);
}

static void other_images_are_refused(void **state)
{
    (void)state;
    struct driver_lab lab;
    driver_lab_open(&lab, ENGINE_CSIM, 16);
    const size_t last = lab.job.image.count - 1;
    assert_int_equal(rc_driver_discover(&lab.driver, &lab.bus), RC_OK);
    refuses_pair(&lab, 0, RC_RUN_ROWS, 65);
    refuses_pair(&lab, 1, RC_RUN_FLITS, 9);
    refuses_pair(&lab, 1, RC_RUN_FLITS, 0);
    refuses_pair(&lab, last, RC_STATUS, 1);
    refuses_pair(&lab, last, RC_PORTS, 8);
    refuses_pair(&lab, last, RC_INTERRUPT_ENABLE, 3);
    refuses_pair(&lab, last, UINT32_C(0x40000400), 0); /* packet memory of node 8 */
    refuses_pair(&lab, last, UINT32_C(0x20000400), 0); /* send program: more than 10 bits */
    refuses_pair(&lab, last, UINT32_C(0x50000000), 0); /* flags */
    assert_int_equal(rc_driver_load(&lab.driver, lab.pair, last + 1), RC_OK);
    driver_lab_close(&lab);
}

static void a_run_closes_the_machine(void **state)
{
    (void)state;
    struct driver_lab lab;
    uint32_t word[8];
    driver_lab_open(&lab, ENGINE_CSIM, 16);
    struct rc_driver *driver = &lab.driver;
    assert_int_equal(rc_driver_discover(driver, &lab.bus), RC_OK);
    assert_int_equal(rc_driver_load(driver, lab.pair, lab.job.image.count), RC_OK);
    assert_int_equal(rc_driver_start(driver), RC_OK);
    assert_int_equal(rc_driver_start(driver), RC_BUSY);
    assert_int_equal(rc_driver_load(driver, lab.pair, lab.job.image.count), RC_BUSY);
    assert_int_equal(rc_driver_read_packet(driver, 0, 0, word, 1), RC_BUS);
    assert_int_equal(rc_driver_poll(driver, 1), RC_TIME_OUT);
    driver_lab_idle(&lab, 1000);
    assert_int_equal(rc_driver_poll(driver, 1), RC_OK);
    assert_int_equal(rc_driver_read_packet(driver, 7, 0, word, 1), RC_OK);
    assert_int_equal(rc_driver_read_packet(driver, 8, 0, word, 1), RC_RANGE);
    assert_int_equal(rc_driver_read_packet(driver, 0, 16, word, 1), RC_RANGE);
    assert_int_equal(rc_driver_read_packet(driver, 0, 0, word, 9), RC_RANGE);
    driver_lab_close(&lab);
}

static void interrupts_time_out(void **state)
{
    (void)state;
    struct driver_lab lab;
    driver_lab_open(&lab, ENGINE_CSIM, 16);
    assert_int_equal(rc_driver_discover(&lab.driver, &lab.bus), RC_OK);
    assert_int_equal(rc_driver_wait(&lab.driver, 2), RC_TIME_OUT);
    lab.bus.wait = NULL;
    assert_int_equal(rc_driver_wait(&lab.driver, 2), RC_TIME_OUT);
    lab.broken = true;
    assert_int_equal(rc_driver_wait(&lab.driver, 2), RC_BUS);
    assert_int_equal(rc_driver_poll(&lab.driver, 2), RC_BUS);
    assert_int_equal(rc_driver_start(&lab.driver), RC_BUS);
    assert_int_equal(rc_driver_interrupts(&lab.driver, true), RC_BUS);
    assert_int_equal(rc_driver_error(&lab.driver, &(struct rc_error){0}), RC_BUS);
    driver_lab_close(&lab);
}

static void results_have_texts(void **state)
{
    (void)state;
    for (enum rc_result result = RC_OK; result <= RC_RANGE; result++)
        for (enum rc_result other = RC_OK; other < result; other++)
            assert_string_not_equal(rc_driver_text(result), rc_driver_text(other));
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 0}), "none");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 1}), "not held");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 4}), "missing");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 2, .router = true}), "twice");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 5, .router = true}), "overflow");
}

/* A memory in place of a machine: its registers are those of a machine with fields of 10 bits. */
static void words_are_mapped(void **state)
{
    (void)state;
    static uint32_t memory[16 << 10];
    struct rc_mmio mmio;
    struct rc_driver driver;
    uint32_t word[2];
    assert_int_equal(rc_mmio_open(&mmio, &driver, memory, NULL), RC_NO_MACHINE);
    memory[RC_ID] = UINT32_C(0x526e6402);
    memory[RC_PORTS] = 8;
    memory[RC_PACKETS] = 16;
    memory[RC_FLITS] = 8;
    memory[RC_FIELD_BITS] = 10;
    assert_int_equal(rc_mmio_open(&mmio, &driver, memory, NULL), RC_OK);
    const uint32_t image[][2] = {{UINT32_C(0xc0000001), 5}, {UINT32_C(0x40000081), 6}};
    assert_int_equal(rc_driver_load(&driver, image, 2), RC_OK);
    assert_int_equal(memory[(12 << 10) + 1], 5);         /* all nodes, region 4 */
    assert_int_equal(memory[(4 << 10) + 8 * 16 + 1], 6); /* node 1 */
    assert_int_equal(rc_driver_read_packet(&driver, 1, 0, word, 2), RC_OK);
    assert_int_equal(word[1], 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broadcasts_are_driven),    cmocka_unit_test(machines_are_discovered),
        cmocka_unit_test(other_images_are_refused), cmocka_unit_test(a_run_closes_the_machine),
        cmocka_unit_test(interrupts_time_out),      cmocka_unit_test(results_have_texts),
        cmocka_unit_test(words_are_mapped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
