/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/rc_driver.h"

#define MAGIC UINT32_C(0x526e64) /* "Rnd" */
#define VERSION 2
#define STATUS_BUSY (UINT32_C(1) << RC_STATUS_BUSY_LOW)
#define STATUS_DONE (UINT32_C(1) << RC_STATUS_DONE_LOW)
#define INTERRUPT_DONE (UINT32_C(1) << RC_INTERRUPT_STATE_DONE_LOW)
#define INTERRUPTS (INTERRUPT_DONE | UINT32_C(1) << RC_INTERRUPT_STATE_ERROR_LOW)
#define PACKET_REGION (UINT32_C(4) << 28)
#define REGION(address) ((address) >> 28 & 7)
#define FIELD(address) ((address)&UINT32_C(0x0fffffff))

static bool read_register(const struct rc_driver *driver, enum rc_register which, uint32_t *word)
{
    return driver->bus->read(driver->bus->self, (uint32_t)which, word, 1);
}

static bool write_register(const struct rc_driver *driver, enum rc_register which, uint32_t word)
{
    const uint32_t pair[1][2] = {{(uint32_t)which, word}};
    return driver->bus->write(driver->bus->self, pair, 1);
}

/* Returns the number of bits of the numbers below `count`. */
static unsigned bits_below(uint32_t count)
{
    unsigned bits = 0;
    while (bits < 32 && (UINT64_C(1) << bits) < count)
        bits++;
    return bits;
}

/* Reads the registers from Ports to Routers, and from Kind to Shared. */
static bool read_sizes(struct rc_driver *driver)
{
    uint32_t *const at[] = {&driver->ports, &driver->width,   &driver->packets, &driver->flits,
                            &driver->rows,  &driver->latency, &driver->routers};
    uint32_t *const more[] = {&driver->kind,           &driver->settings,     &driver->tables,
                              &driver->setting_period, &driver->program_rows, &driver->banks,
                              &driver->columns,        &driver->field_bits,   &driver->splits,
                              &driver->shared};
    for (unsigned k = 0; k < sizeof at / sizeof *at; k++)
        if (!read_register(driver, (enum rc_register)(RC_PORTS + k), at[k]))
            return false;
    for (unsigned k = 0; k < sizeof more / sizeof *more; k++)
        if (!read_register(driver, (enum rc_register)(RC_KIND + k), more[k]))
            return false;
    return true;
}

enum rc_result rc_driver_discover(struct rc_driver *driver, const struct rc_bus *bus)
{
    uint32_t id;
    driver->bus = bus;
    if (!read_register(driver, RC_ID, &id))
        return RC_BUS;
    if (id >> RC_ID_MAGIC_LOW != MAGIC)
        return RC_NO_MACHINE;
    if ((id & ((UINT32_C(1) << RC_ID_VERSION_BITS) - 1)) != VERSION)
        return RC_VERSION;
    if (!read_sizes(driver))
        return RC_BUS;
    driver->parts = driver->width / 32 + 1;
    driver->flit_shift = bits_below(driver->parts);
    driver->slot_shift = driver->flit_shift + bits_below(driver->flits);
    driver->node_shift = driver->slot_shift + bits_below(driver->packets);
    return RC_OK;
}

/* Reports whether the machine has the address, as far as its sizes tell, and can hold the word of a
 * register of the run. */
static bool fits(const struct rc_driver *driver, uint32_t address, uint32_t word)
{
    const uint32_t field = FIELD(address);
    switch (REGION(address)) {
    case 0: /* registers: of the run only */
        if (field == RC_RUN_ROWS)
            return word <= driver->rows;
        if (field == RC_RUN_FLITS)
            return word >= 1 && word <= driver->flits;
        return field > RC_RUN_FLITS && field < RC_KIND && field != RC_STATUS;
    case 4: /* packet memories */
        return field >> driver->node_shift < driver->ports;
    case 1: /* tables */
    case 2: /* programs */
    case 3:
        return field >> driver->field_bits == 0;
    default:
        return false;
    }
}

/* RC_BUSY, RC_BUS, or RC_OK if no run is in progress. */
static enum rc_result check_idle(const struct rc_driver *driver)
{
    uint32_t status;
    if (!read_register(driver, RC_STATUS, &status))
        return RC_BUS;
    return status & STATUS_BUSY ? RC_BUSY : RC_OK;
}

enum rc_result rc_driver_load(const struct rc_driver *driver, const uint32_t image[][2],
                              size_t words)
{
    for (size_t k = 0; k < words; k++)
        if (!fits(driver, image[k][0], image[k][1]))
            return RC_IMAGE;
    enum rc_result idle = check_idle(driver);
    if (idle != RC_OK)
        return idle;
    return driver->bus->write(driver->bus->self, image, words) ? RC_OK : RC_BUS;
}

enum rc_result rc_driver_start(const struct rc_driver *driver)
{
    enum rc_result idle = check_idle(driver);
    if (idle != RC_OK)
        return idle;
    return write_register(driver, RC_STATUS, 1) ? RC_OK : RC_BUS;
}

enum rc_result rc_driver_interrupts(const struct rc_driver *driver, bool enable)
{
    return write_register(driver, RC_INTERRUPT_STATE, INTERRUPTS) &&
                   write_register(driver, RC_INTERRUPT_ENABLE, enable ? INTERRUPTS : 0)
               ? RC_OK
               : RC_BUS;
}

/* Returns the result of a run that has ended. */
static enum rc_result result_of_run(const struct rc_driver *driver)
{
    uint32_t cause;
    if (!read_register(driver, RC_ERROR_CAUSE, &cause))
        return RC_BUS;
    return cause == 0 ? RC_OK : RC_FLAGS;
}

enum rc_result rc_driver_poll(const struct rc_driver *driver, uint32_t tries)
{
    for (; tries > 0; tries--) {
        uint32_t status;
        if (!read_register(driver, RC_STATUS, &status))
            return RC_BUS;
        if (status & STATUS_DONE)
            return result_of_run(driver);
    }
    return RC_TIME_OUT;
}

enum rc_result rc_driver_wait(const struct rc_driver *driver, uint32_t tries)
{
    for (; tries > 0; tries--) {
        uint32_t state;
        if (driver->bus->wait != NULL)
            driver->bus->wait(driver->bus->self);
        if (!read_register(driver, RC_INTERRUPT_STATE, &state))
            return RC_BUS;
        if (!(state & INTERRUPT_DONE))
            continue;
        return write_register(driver, RC_INTERRUPT_STATE, state) ? result_of_run(driver) : RC_BUS;
    }
    return RC_TIME_OUT;
}

enum rc_result rc_driver_read_packet(const struct rc_driver *driver, uint32_t node, uint32_t slot,
                                     uint32_t word[], uint32_t flits)
{
    if (node >= driver->ports || slot >= driver->packets || flits > driver->flits)
        return RC_RANGE;
    const uint32_t packet = PACKET_REGION | node << driver->node_shift | slot << driver->slot_shift;
    if (driver->parts == 1) /* adjacent addresses */
        return driver->bus->read(driver->bus->self, packet, word, flits) ? RC_OK : RC_BUS;
    for (uint32_t flit = 0; flit < flits; flit++, word += driver->parts) {
        const uint32_t address = packet | flit << driver->flit_shift;
        if (!driver->bus->read(driver->bus->self, address, word, driver->parts))
            return RC_BUS;
    }
    return RC_OK;
}

enum rc_result rc_driver_error(const struct rc_driver *driver, struct rc_error *error)
{
    uint32_t cause, cycles;
    if (!read_register(driver, RC_ERROR_CAUSE, &cause) ||
        !read_register(driver, RC_CYCLE_COUNT, &cycles))
        return RC_BUS;
    error->router = cause >> RC_ERROR_CAUSE_ROUTER_LOW & 1;
    error->flags = cause >> RC_ERROR_CAUSE_FLAGS_LOW & ((1u << RC_ERROR_CAUSE_FLAGS_BITS) - 1);
    error->number = cause & ((UINT32_C(1) << RC_ERROR_CAUSE_NUMBER_BITS) - 1);
    error->cycles = cycles;
    return RC_OK;
}

const char *rc_driver_text(enum rc_result result)
{
    switch (result) {
    case RC_OK:
        return "success";
    case RC_BUS:
        return "the bus reported an error";
    case RC_NO_MACHINE:
        return "there is no machine at this address";
    case RC_VERSION:
        return "the machine has another version of the registers";
    case RC_IMAGE:
        return "the image is for another machine";
    case RC_BUSY:
        return "a run is in progress";
    case RC_TIME_OUT:
        return "the run has not ended";
    case RC_FLAGS:
        return "a node or router has a flag";
    case RC_RANGE:
        return "there is no such node, slot or flit";
    }
    return "unknown result";
}

const char *rc_driver_flag(const struct rc_error *error)
{
    if (error->flags & 4)
        return error->router ? "overflow" : "missing";
    if (error->flags & 2)
        return error->router ? "twice" : "unexpected";
    return error->flags & 1 ? "not held" : "none";
}
