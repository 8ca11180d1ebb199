/* SPDX-License-Identifier: Apache-2.0 */
/* driver_lab: the driver of driver/ on an engine: its bus is the host port, and an address that
 * starts a run raises the pin, as the bus wrappers do.
 */
#ifndef ROUNDCAST_DRIVER_LAB_H
#define ROUNDCAST_DRIVER_LAB_H

#include "driver/rc_driver.h"
#include "testbench/engine/engine.h"
#include "tests/support/support.h"

struct driver_lab {
    struct machine machine;
    struct support_job job; /* a broadcast of two packets over benes:8 */
    uint32_t (*pair)[2];    /* its image, job.image.count words */
    struct engine engine;
    struct dut_outputs outputs;
    struct rc_bus bus;
    struct rc_driver driver;
    uint64_t writes;       /* words written */
    uint32_t wrong_number; /* reads of this register return wrong_word; UINT32_MAX: none */
    uint32_t wrong_word;
    bool broken; /* every access fails */
};

/* Opens an engine with a machine of 8 ports and flits of `width` bits, resets it, and routes the
 * broadcast. Close it with driver_lab_close. */
void driver_lab_open(struct driver_lab *lab, enum engine_kind kind, unsigned width);
void driver_lab_close(struct driver_lab *lab);

/* Simulates cycles without an access. */
void driver_lab_idle(struct driver_lab *lab, unsigned cycles);

/* Discovers the machine, broadcasts, waiting by polling and by interrupt, and reads back every
 * packet of every node; then broadcasts to a node that expects nothing, and reads the error. */
void driver_lab_broadcasts(enum engine_kind kind, unsigned width);

#endif
