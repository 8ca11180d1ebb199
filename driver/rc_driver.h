/* SPDX-License-Identifier: Apache-2.0 */
/* rc_driver: drives a machine from a processor or a host: discovers it, loads an image, starts a
 * run, waits for its end by polling or by an interrupt, reads packets back, and explains errors.
 *
 * Freestanding C11: no allocation, no globals, no functions of the C library. The caller provides
 * the accesses to the machine (struct rc_bus); for a memory-mapped machine rc_mmio.h implements
 * them. docs/machine.md specifies the machine, driver/README.md shows a complete program.
 *
 *     struct rc_driver driver;
 *     if (rc_driver_discover(&driver, &bus) == RC_OK &&
 *         rc_driver_load(&driver, image, words) == RC_OK &&
 *         rc_driver_start(&driver) == RC_OK &&
 *         rc_driver_poll(&driver, 1000000) == RC_OK)
 *         rc_driver_read_packet(&driver, node, slot, word, flits);
 */
#ifndef RC_DRIVER_H
#define RC_DRIVER_H

#include "driver/rc_registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the caller reaches a machine. Addresses count 32-bit words (docs/machine.md). A function
 * returns false if the bus reports an error, as it does for an access that the machine rejects. */
struct rc_bus {
    void *self;
    /* Writes pair[k] = {address, word}, k = 0 … count - 1, in this order. Writing 1 to RC_STATUS
     * starts a run, as it does over the buses of rtl/bus. */
    bool (*write)(void *self, const uint32_t pair[][2], size_t count);
    /* Reads `count` words from consecutive addresses. */
    bool (*read)(void *self, uint32_t address, uint32_t word[], size_t count);
    /* Waits until irq_o is high, or for some time; may be NULL, then rc_driver_wait polls. */
    void (*wait)(void *self);
};

enum rc_result {
    RC_OK,
    RC_BUS,        /* the bus reported an error */
    RC_NO_MACHINE, /* the identification is not that of a machine */
    RC_VERSION,    /* the registers have another version than rc_registers.h */
    RC_IMAGE,      /* the image is for a larger machine, or not an image */
    RC_BUSY,       /* a run is in progress */
    RC_TIME_OUT,   /* the run has not ended */
    RC_FLAGS,      /* the run has ended, with a flag set (rc_driver_error) */
    RC_RANGE       /* no such node, slot or flit */
};

/* A machine, as its registers describe it. */
struct rc_driver {
    const struct rc_bus *bus;
    uint32_t ports;   /* endpoints */
    uint32_t width;   /* bits of a flit */
    uint32_t parts;   /* words of a flit: 1 up to 31 bits (docs/machine.md) */
    uint32_t packets; /* slots of a packet memory */
    uint32_t flits;   /* flits of a slot */
    uint32_t rows;    /* rows of a run, at most */
    uint32_t latency; /* cycles */
    uint32_t routers;
    uint32_t kind, settings, tables, setting_period, program_rows, banks, columns;
    uint32_t splits;     /* words of the table of splits; 0: none */
    uint32_t shared;     /* endpoints that share a packet memory; 1: none */
    uint32_t field_bits; /* bits of the field of an address that the bus carries */
    /* of the fields of an address of a packet memory */
    unsigned flit_shift, slot_shift, node_shift;
};

/* Reads the registers that describe the machine. RC_BUS, RC_NO_MACHINE, RC_VERSION. The bus must
 * exist as long as the driver. O(1). */
enum rc_result rc_driver_discover(struct rc_driver *driver, const struct rc_bus *bus);

/* Writes an image: the pairs of the form `c` (roundcast route --image c). Checks the addresses and
 * the registers of the run first, and writes nothing if they do not fit the machine. RC_BUSY,
 * RC_IMAGE, RC_BUS. O(words). */
enum rc_result rc_driver_load(const struct rc_driver *driver, const uint32_t image[][2],
                              size_t words);

/* Starts a run of the loaded image. RC_BUSY, RC_BUS. */
enum rc_result rc_driver_start(const struct rc_driver *driver);

/* Enables or disables the interrupts `done` and `error`, and clears both. RC_BUS. */
enum rc_result rc_driver_interrupts(const struct rc_driver *driver, bool enable);

/* Waits for the end of a run by reading the status up to `tries` times. RC_OK if it has ended
 * without flags; RC_FLAGS, RC_TIME_OUT, RC_BUS. */
enum rc_result rc_driver_poll(const struct rc_driver *driver, uint32_t tries);

/* Waits for the end of a run by an interrupt: calls bus->wait up to `tries` times, until the
 * interrupt `done` is set, and clears the interrupts. Results as those of rc_driver_poll. */
enum rc_result rc_driver_wait(const struct rc_driver *driver, uint32_t tries);

/* Reads the words of the first `flits` flits of a packet: word[flits][parts]. Part k of a flit has
 * its bits 32k … 32k + 31, and the last part also `held`, in bit 31; a flit of up to 31 bits is one
 * word. RC_RANGE, RC_BUS; RC_BUS also during a run. */
enum rc_result rc_driver_read_packet(const struct rc_driver *driver, uint32_t node, uint32_t slot,
                                     uint32_t word[], uint32_t flits);

/* The first error of the last run. */
struct rc_error {
    bool router; /* `number` is that of a router; otherwise of a node */
    uint32_t number;
    uint32_t flags; /* 1 not held; 2 unexpected, of a router: twice; 4 missing, overflow; 0: none */
    uint32_t cycles; /* of the run */
};

/* Reads the first error of the last run. RC_BUS. */
enum rc_result rc_driver_error(const struct rc_driver *driver, struct rc_error *error);

/* Returns a description of a result; statically allocated. */
const char *rc_driver_text(enum rc_result result);

/* Returns the name of the highest flag of an error, "missing" for example; "none" without one. */
const char *rc_driver_flag(const struct rc_error *error);

#endif
