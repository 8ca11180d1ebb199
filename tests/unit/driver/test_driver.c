/* SPDX-License-Identifier: Apache-2.0 */
/* test_driver: the driver of driver/ on csim (test_driver_rtl: on the RTL and its netlist).
 *
 * A broadcast over benes:8, of flits of 1 to 17 words, is loaded, run, waited for by polling and by
 * interrupt, and read back; a node that expects nothing is the cause of the error. Each result of
 * the driver has a case: a bus that fails at each access of each call, a machine that is none or
 * has other registers, images for larger machines, accesses during a run, a run that does not end
 * in time, and packets that do not exist. An image that is rejected is not written in part. The
 * sizes that the driver discovers are those of the request.
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
    assert_string_equal(rc_driver_text((enum rc_result)(RC_RANGE + 1)), "unknown result");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 0}), "none");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 1}), "not held");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 4}), "missing");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 2, .router = true}), "twice");
    assert_string_equal(rc_driver_flag(&(struct rc_error){.flags = 5, .router = true}), "overflow");
}

/* -- A bus that fails -------------------------------------------------------------------------- */

#define REGISTERS 64 /* more than there are */

/* A bus of registers, whose access number `failing`, from 1, fails, and all after it. */
struct failing_bus {
    uint32_t memory[REGISTERS];
    unsigned accesses, failing;
};

static bool accesses(struct failing_bus *bus)
{
    return ++bus->accesses < bus->failing;
}

static bool write_failing(void *self, const uint32_t pair[][2], size_t count)
{
    (void)pair, (void)count;
    return accesses(self);
}

static bool read_failing(void *self, uint32_t address, uint32_t word[], size_t count)
{
    struct failing_bus *bus = self;
    for (size_t k = 0; k < count; k++)
        word[k] = address + k < REGISTERS ? bus->memory[address + k] : 0;
    return accesses(bus);
}

/* The calls of the driver. 18 registers are read to discover a machine: Id, Ports … Routers, and
 * Kind … Shared. Two flits of 3 words are read one by one. A wait reads and clears the interrupt,
 * and then reads the cause of an error. */
enum call { DISCOVER, LOAD, START, INTERRUPTS_ON, INTERRUPTS_OFF, POLL, WAIT, READ, ERROR };

static enum rc_result call_driver(enum call call, struct rc_driver *driver,
                                  const struct rc_bus *bus)
{
    static const uint32_t image[][2] = {{RC_RUN_ROWS, 1}};
    uint32_t word[6];
    struct rc_error error;
    switch (call) {
    case DISCOVER:
        return rc_driver_discover(driver, bus);
    case LOAD:
        return rc_driver_load(driver, image, 1);
    case START:
        return rc_driver_start(driver);
    case INTERRUPTS_ON:
        return rc_driver_interrupts(driver, true);
    case INTERRUPTS_OFF:
        return rc_driver_interrupts(driver, false);
    case POLL:
        return rc_driver_poll(driver, 1);
    case WAIT:
        return rc_driver_wait(driver, 1);
    case READ:
        return rc_driver_read_packet(driver, 0, 0, word, 2);
    case ERROR:
        return rc_driver_error(driver, &error);
    }
    return RC_OK;
}

static void each_access_may_fail(void **state)
{
    (void)state;
    static const struct {
        enum call call;
        unsigned accesses;
    } calls[] = {{DISCOVER, 18}, {LOAD, 2}, {START, 2}, {INTERRUPTS_ON, 2}, {INTERRUPTS_OFF, 2},
                 {POLL, 2},      {WAIT, 3}, {READ, 2},  {ERROR, 2}};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        for (unsigned failing = 1; failing <= calls[k].accesses + 1; failing++) {
            struct failing_bus memory = {.failing = UINT32_MAX};
            const struct rc_bus bus = {&memory, write_failing, read_failing, NULL};
            struct rc_driver driver;
            memory.memory[RC_ID] = UINT32_C(0x526e6402);
            memory.memory[RC_PORTS] = 8;
            memory.memory[RC_WIDTH] = 64;
            memory.memory[RC_PACKETS] = 16;
            memory.memory[RC_FLITS] = 8;
            memory.memory[RC_ROWS] = 64;
            memory.memory[RC_FIELD_BITS] = 12;
            assert_int_equal(rc_driver_discover(&driver, &bus), RC_OK);
            const bool ended = calls[k].call == POLL || calls[k].call == WAIT;
            memory.memory[RC_STATUS] = ended ? UINT32_C(1) << RC_STATUS_DONE_LOW : 0;
            memory.memory[RC_INTERRUPT_STATE] = UINT32_C(1) << RC_INTERRUPT_STATE_DONE_LOW;
            memory.accesses = 0;
            memory.failing = failing;
            assert_int_equal(call_driver(calls[k].call, &driver, &bus),
                             failing <= calls[k].accesses ? RC_BUS : RC_OK);
            assert_int_equal(memory.accesses,
                             failing <= calls[k].accesses ? failing : calls[k].accesses);
        }
}

/* -- Memory in place of a machine -------------------------------------------------------------- */

/* A memory in place of a machine: its registers are those of a machine with fields of 10 bits. */
static unsigned waits;

static void count_wait(void)
{
    waits++;
}

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
    assert_int_equal(rc_driver_wait(&driver, 3), RC_TIME_OUT); /* without a function that waits */
    assert_int_equal(rc_mmio_open(&mmio, &driver, memory, count_wait), RC_OK);
    assert_int_equal(rc_driver_wait(&driver, 3), RC_TIME_OUT);
    assert_int_equal(waits, 3);
    /* The largest number of packets takes 32 bits of an address. */
    memory[RC_PACKETS] = UINT32_MAX;
    memory[RC_FLITS] = 1;
    assert_int_equal(rc_mmio_open(&mmio, &driver, memory, NULL), RC_OK);
    assert_int_equal(driver.node_shift, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broadcasts_are_driven),    cmocka_unit_test(machines_are_discovered),
        cmocka_unit_test(other_images_are_refused), cmocka_unit_test(a_run_closes_the_machine),
        cmocka_unit_test(interrupts_time_out),      cmocka_unit_test(results_have_texts),
        cmocka_unit_test(each_access_may_fail),     cmocka_unit_test(words_are_mapped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
