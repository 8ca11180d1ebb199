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
  localparam bit [5:0] RunStop = 6'd17;
  localparam bit [5:0] RunOperator = 6'd18;
  localparam bit [5:0] Kind = 6'd32;
  localparam bit [5:0] Settings = 6'd33;
  localparam bit [5:0] Tables = 6'd34;
  localparam bit [5:0] SettingPeriod = 6'd35;
  localparam bit [5:0] ProgramRows = 6'd36;
  localparam bit [5:0] Banks = 6'd37;
  localparam bit [5:0] Columns = 6'd38;
  localparam bit [5:0] FieldBits = 6'd39;
  localparam bit [5:0] Splits = 6'd40;
  localparam bit [5:0] Shared = 6'd41;
  localparam bit [5:0] BuiltOperators = 6'd42;
  localparam bit [5:0] InterruptState = 6'd48;
  localparam bit [5:0] InterruptEnable = 6'd49;
  localparam bit [5:0] InterruptTest = 6'd50;
  localparam bit [5:0] RunCount = 6'd51;
  localparam bit [5:0] CycleCount = 6'd52;
  localparam bit [5:0] ErrorCause = 6'd53;

  localparam int IdMagicLow = 8, IdMagicBits = 24;
  localparam int IdVersionLow = 0, IdVersionBits = 8;
  localparam int StatusDoneLow = 1, StatusDoneBits = 1;
  localparam int StatusBusyLow = 0, StatusBusyBits = 1;
  localparam int RunPeriodFirstLow = 16, RunPeriodFirstBits = 16;
  localparam int RunPeriodPeriodLow = 0, RunPeriodPeriodBits = 16;
  localparam int RunPacketsStreamLow = 31, RunPacketsStreamBits = 1;
  localparam int KindNetworkLow = 8, KindNetworkBits = 8;
  localparam int KindMachineLow = 0, KindMachineBits = 8;
  localparam int SettingsOwnLow = 13, SettingsOwnBits = 1;
  localparam int SettingsCombineLow = 12, SettingsCombineBits = 1;
  localparam int SettingsRangesLow = 11, SettingsRangesBits = 1;
  localparam int SettingsReconfigLow = 10, SettingsReconfigBits = 1;
  localparam int SettingsComputedLow = 9, SettingsComputedBits = 1;
  localparam int SettingsIndexLow = 8, SettingsIndexBits = 1;
  localparam int SettingsModeLow = 0, SettingsModeBits = 8;
  localparam int InterruptStateErrorLow = 1, InterruptStateErrorBits = 1;
  localparam int InterruptStateDoneLow = 0, InterruptStateDoneBits = 1;
  localparam int InterruptEnableErrorLow = 1, InterruptEnableErrorBits = 1;
  localparam int InterruptEnableDoneLow = 0, InterruptEnableDoneBits = 1;
  localparam int InterruptTestErrorLow = 1, InterruptTestErrorBits = 1;
  localparam int InterruptTestDoneLow = 0, InterruptTestDoneBits = 1;
  localparam int ErrorCauseRouterLow = 31, ErrorCauseRouterBits = 1;
  localparam int ErrorCauseFlagsLow = 28, ErrorCauseFlagsBits = 3;
  localparam int ErrorCauseNumberLow = 0, ErrorCauseNumberBits = 28;
  /* verilator lint_on UNUSEDPARAM */

endpackage

`default_nettype wire
