// SPDX-License-Identifier: Apache-2.0
// rc_ram_style: how synthesis implements the memories (rc_ram.sv, rc_column_ram.sv).
//
// Their attribute ram_style has the value RC_RAM_STYLE, a string, which Yosys and Vivado read:
//
//     "auto"           as the tool chooses from the size; the default
//     "block"          as block RAM, however small the memory is
//     "distributed"    in the LUTs
//
// The macro is defined on the command line of the tool (docs/integrate.md). A single memory has
// another style if its parameter Style is set.
`ifndef RC_RAM_STYLE
`define RC_RAM_STYLE "auto"
`endif
