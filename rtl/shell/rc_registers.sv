// SPDX-License-Identifier: Apache-2.0
// rc_registers: the numbers of the registers, and the lowest bits and widths of their
// fields. Generated from registers.txt by `make registers`; docs/machine.md describes them.
`default_nettype none

package rc_registers;

  /* verilator lint_off UNUSEDPARAM */                // not every design uses every one

  localparam int NumberBits = 6;

  localparam bit [5:0] Id = 6'd0;
  localparam bit [5:0] Ports = 6'd1;
  localparam bit [5:0] Width = 6'd2;
  localparam bit [5:0] Packets = 6'd3;
  localparam bit [5:0] Flits = 6'd4;
  localparam bit [5:0] Rows = 6'd5;
  localparam bit [5:0] Latency = 6'd6;
  localparam bit [5:0] Routers = 6'd7;
  localparam bit [5:0] RunRows = 6'd8;
  localparam bit [5:0] RunFlits = 6'd9;
  localparam bit [5:0] RunRowCycles = 6'd10;
  localparam bit [5:0] Status = 6'd11;
  localparam bit [5:0] RunSinglePort = 6'd12;
  localparam bit [5:0] Steps = 6'd13;
  localparam bit [5:0] RunPeriod = 6'd14;
  localparam bit [5:0] RunPackets = 6'd15;
  localparam bit [5:0] RunReconfigure = 6'd16;

  localparam int IdMagicLow = 8, IdMagicBits = 24;
  localparam int IdVersionLow = 0, IdVersionBits = 8;
  localparam int StatusDoneLow = 1, StatusDoneBits = 1;
  localparam int StatusBusyLow = 0, StatusBusyBits = 1;
  localparam int RunPeriodFirstLow = 16, RunPeriodFirstBits = 16;
  localparam int RunPeriodPeriodLow = 0, RunPeriodPeriodBits = 16;
  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
