/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the registers of a machine, and the lowest bits and widths of their fields.
 * Generated from rtl/shell/registers.txt by `make registers`; docs/machine.md describes them.
 */
#ifndef ROUNDCAST_MACHINE_REGISTERS_H
#define ROUNDCAST_MACHINE_REGISTERS_H

#define MACHINE_REGISTER_BITS 6 /* of a register number */

enum machine_register {
    MACHINE_ID = 0,
    MACHINE_PORTS = 1,
    MACHINE_WIDTH = 2,
    MACHINE_PACKETS = 3,
    MACHINE_FLITS = 4,
    MACHINE_ROWS = 5,
    MACHINE_LATENCY = 6,
    MACHINE_ROUTERS = 7,
    MACHINE_RUN_ROWS = 8,
    MACHINE_RUN_FLITS = 9,
    MACHINE_RUN_ROW_CYCLES = 10,
    MACHINE_STATUS = 11,
    MACHINE_RUN_SINGLE_PORT = 12,
    MACHINE_STEPS = 13,
    MACHINE_RUN_PERIOD = 14,
    MACHINE_RUN_PACKETS = 15,
    MACHINE_RUN_RECONFIGURE = 16
};

#define MACHINE_ID_MAGIC_LOW 8
#define MACHINE_ID_MAGIC_BITS 24
#define MACHINE_ID_VERSION_LOW 0
#define MACHINE_ID_VERSION_BITS 8
#define MACHINE_STATUS_DONE_LOW 1
#define MACHINE_STATUS_DONE_BITS 1
#define MACHINE_STATUS_BUSY_LOW 0
#define MACHINE_STATUS_BUSY_BITS 1
#define MACHINE_RUN_PERIOD_FIRST_LOW 16
#define MACHINE_RUN_PERIOD_FIRST_BITS 16
#define MACHINE_RUN_PERIOD_PERIOD_LOW 0
#define MACHINE_RUN_PERIOD_PERIOD_BITS 16

#endif
