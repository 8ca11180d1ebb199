/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the registers of a machine, and the lowest bits and widths of their fields.
 * Generated from rtl/shell/registers.txt by `make registers`; docs/machine.md describes them.
 */
#ifndef RC_REGISTERS_H
#define RC_REGISTERS_H

#define RC_REGISTER_BITS 6 /* of a register number */

enum rc_register {
    RC_ID = 0,
    RC_PORTS = 1,
    RC_WIDTH = 2,
    RC_PACKETS = 3,
    RC_FLITS = 4,
    RC_ROWS = 5,
    RC_LATENCY = 6,
    RC_ROUTERS = 7,
    RC_RUN_ROWS = 8,
    RC_RUN_FLITS = 9,
    RC_RUN_ROW_CYCLES = 10,
    RC_STATUS = 11,
    RC_RUN_SINGLE_PORT = 12,
    RC_STEPS = 13,
    RC_RUN_PERIOD = 14,
    RC_RUN_PACKETS = 15,
    RC_RUN_RECONFIGURE = 16,
    RC_RUN_STOP = 17,
    RC_RUN_OPERATOR = 18,
    RC_KIND = 32,
    RC_SETTINGS = 33,
    RC_TABLES = 34,
    RC_SETTING_PERIOD = 35,
    RC_PROGRAM_ROWS = 36,
    RC_BANKS = 37,
    RC_COLUMNS = 38,
    RC_FIELD_BITS = 39,
    RC_SPLITS = 40,
    RC_SHARED = 41,
    RC_BUILT_OPERATORS = 42,
    RC_INTERRUPT_STATE = 48,
    RC_INTERRUPT_ENABLE = 49,
    RC_INTERRUPT_TEST = 50,
    RC_RUN_COUNT = 51,
    RC_CYCLE_COUNT = 52,
    RC_ERROR_CAUSE = 53
};

/* The registers: name, text, number. */
#define RC_REGISTER_TABLE(X)                   \
    X(ID, "Id", 0)                             \
    X(PORTS, "Ports", 1)                       \
    X(WIDTH, "Width", 2)                       \
    X(PACKETS, "Packets", 3)                   \
    X(FLITS, "Flits", 4)                       \
    X(ROWS, "Rows", 5)                         \
    X(LATENCY, "Latency", 6)                   \
    X(ROUTERS, "Routers", 7)                   \
    X(RUN_ROWS, "RunRows", 8)                  \
    X(RUN_FLITS, "RunFlits", 9)                \
    X(RUN_ROW_CYCLES, "RunRowCycles", 10)      \
    X(STATUS, "Status", 11)                    \
    X(RUN_SINGLE_PORT, "RunSinglePort", 12)    \
    X(STEPS, "Steps", 13)                      \
    X(RUN_PERIOD, "RunPeriod", 14)             \
    X(RUN_PACKETS, "RunPackets", 15)           \
    X(RUN_RECONFIGURE, "RunReconfigure", 16)   \
    X(RUN_STOP, "RunStop", 17)                 \
    X(RUN_OPERATOR, "RunOperator", 18)         \
    X(KIND, "Kind", 32)                        \
    X(SETTINGS, "Settings", 33)                \
    X(TABLES, "Tables", 34)                    \
    X(SETTING_PERIOD, "SettingPeriod", 35)     \
    X(PROGRAM_ROWS, "ProgramRows", 36)         \
    X(BANKS, "Banks", 37)                      \
    X(COLUMNS, "Columns", 38)                  \
    X(FIELD_BITS, "FieldBits", 39)             \
    X(SPLITS, "Splits", 40)                    \
    X(SHARED, "Shared", 41)                    \
    X(BUILT_OPERATORS, "BuiltOperators", 42)   \
    X(INTERRUPT_STATE, "InterruptState", 48)   \
    X(INTERRUPT_ENABLE, "InterruptEnable", 49) \
    X(INTERRUPT_TEST, "InterruptTest", 50)     \
    X(RUN_COUNT, "RunCount", 51)               \
    X(CYCLE_COUNT, "CycleCount", 52)           \
    X(ERROR_CAUSE, "ErrorCause", 53)

#define RC_ID_MAGIC_LOW 8
#define RC_ID_MAGIC_BITS 24
#define RC_ID_VERSION_LOW 0
#define RC_ID_VERSION_BITS 8
#define RC_STATUS_DONE_LOW 1
#define RC_STATUS_DONE_BITS 1
#define RC_STATUS_BUSY_LOW 0
#define RC_STATUS_BUSY_BITS 1
#define RC_RUN_PERIOD_FIRST_LOW 16
#define RC_RUN_PERIOD_FIRST_BITS 16
#define RC_RUN_PERIOD_PERIOD_LOW 0
#define RC_RUN_PERIOD_PERIOD_BITS 16
#define RC_RUN_PACKETS_STREAM_LOW 31
#define RC_RUN_PACKETS_STREAM_BITS 1
#define RC_KIND_NETWORK_LOW 8
#define RC_KIND_NETWORK_BITS 8
#define RC_KIND_MACHINE_LOW 0
#define RC_KIND_MACHINE_BITS 8
#define RC_SETTINGS_OWN_LOW 13
#define RC_SETTINGS_OWN_BITS 1
#define RC_SETTINGS_COMBINE_LOW 12
#define RC_SETTINGS_COMBINE_BITS 1
#define RC_SETTINGS_RANGES_LOW 11
#define RC_SETTINGS_RANGES_BITS 1
#define RC_SETTINGS_RECONFIG_LOW 10
#define RC_SETTINGS_RECONFIG_BITS 1
#define RC_SETTINGS_COMPUTED_LOW 9
#define RC_SETTINGS_COMPUTED_BITS 1
#define RC_SETTINGS_INDEX_LOW 8
#define RC_SETTINGS_INDEX_BITS 1
#define RC_SETTINGS_MODE_LOW 0
#define RC_SETTINGS_MODE_BITS 8
#define RC_INTERRUPT_STATE_ERROR_LOW 1
#define RC_INTERRUPT_STATE_ERROR_BITS 1
#define RC_INTERRUPT_STATE_DONE_LOW 0
#define RC_INTERRUPT_STATE_DONE_BITS 1
#define RC_INTERRUPT_ENABLE_ERROR_LOW 1
#define RC_INTERRUPT_ENABLE_ERROR_BITS 1
#define RC_INTERRUPT_ENABLE_DONE_LOW 0
#define RC_INTERRUPT_ENABLE_DONE_BITS 1
#define RC_INTERRUPT_TEST_ERROR_LOW 1
#define RC_INTERRUPT_TEST_ERROR_BITS 1
#define RC_INTERRUPT_TEST_DONE_LOW 0
#define RC_INTERRUPT_TEST_DONE_BITS 1
#define RC_ERROR_CAUSE_ROUTER_LOW 31
#define RC_ERROR_CAUSE_ROUTER_BITS 1
#define RC_ERROR_CAUSE_FLAGS_LOW 28
#define RC_ERROR_CAUSE_FLAGS_BITS 3
#define RC_ERROR_CAUSE_NUMBER_LOW 0
#define RC_ERROR_CAUSE_NUMBER_BITS 28

#endif
