// SPDX-License-Identifier: Apache-2.0
// rc_shell_bus.svh: types of the vectors between the shell and its network (rc_shell_bus.sv
// describes them). A module defines the type with its own widths and copies the port:
//
//     typedef `RC_STEP(RowBits, FlitBits) step_t;
//     step_t step;
//     assign step = step_i;              // step.tx_en, step.send_row, ...
//
// The types are macros, because their widths depend on parameters, and because Icarus 11 reads no
// struct of a package. A type must not be the type of a port or of an array: Yosys 0.23
// misinterprets these.
`ifndef RC_STEP

// control of routers
`define RC_STEP(row_bits, flit_bits) \
  struct packed { \
    logic                   single_port; \
    logic                   forward; \
    logic                   send_fetch; \
    logic [(row_bits)-1:0]  send_row; \
    logic                   tx_en; \
    logic [(flit_bits)-1:0] tx_flit; \
    logic                   rx_en; \
    logic                   rx_last; \
    logic [(flit_bits)-1:0] rx_flit; \
  }

// accesses of the host to tables and flags
`define RC_HOST(bank_bits, column_bits, row_bits) \
  struct packed { \
    logic                     we_table; \
    logic                     re_memory; \
    logic                     flags; \
    logic [(bank_bits)-1:0]   bank; \
    logic [(column_bits)-1:0] column; \
    logic [(row_bits)-1:0]    row; \
    logic [31:0]              data; \
  }

`endif
