// SPDX-License-Identifier: Apache-2.0
// rc_setting_counter: computes, for each row, its position in the setting period and the repetition
// of the period.
//
// Row r is at position (first + r) mod period, in repetition floor((first + r) / period). A memory
// with one word per position is read at setting_phase_o when fetch_i is high. base_o is repetition
// * period of that row; like the word of the memory, it is available from the next cycle on.
`default_nettype none
`include "../common/rc_require.svh"

module rc_setting_counter #(
  parameter int SettingPeriod = 2,                       // a power of two >= 2
  parameter int BaseBits  = 1,
  localparam int SettingPhaseBits = SettingPeriod > 1 ? $clog2(SettingPeriod) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  start_i,
  input  wire                  fetch_i,              // a row is fetched in this cycle
  // constant from start_i on
  input  wire  [15:0]          first_i,              // < period_i
  input  wire  [15:0]          period_i,             // 1 ... SettingPeriod
  input  wire  [BaseBits:0]    packets_i,            // with computed programs: packets
  output logic [SettingPhaseBits-1:0] setting_phase_o,
  // base of the last row that was fetched, and the base less packets_i in two's complement
  output logic [BaseBits-1:0]  base_o,
  output logic [BaseBits:0]    excess_o,
  // the same of the next row, two cycles after a fetch or a start
  output wire  [BaseBits-1:0]  next_base_o,
  output logic [BaseBits:0]    next_excess_o
);

  `RC_REQUIRE(SettingPeriod, SettingPeriod >= 2 && (SettingPeriod & (SettingPeriod - 1)) == 0,
              "SettingPeriod must be a power of two, 2 or more")

  logic [SettingPhaseBits-1:0] last_q;  // registered, as the comparisons in rc_sequencer.sv are
  logic [BaseBits-1:0]  base_q;

  wire last   = setting_phase_o == last_q;
  wire unused = &{1'b0, first_i};

  always_ff @(posedge clk_i) begin
    last_q <= SettingPhaseBits'(period_i - 1'b1);
  end

  always_ff @(posedge clk_i) begin
    if (rst_i | start_i) begin
      setting_phase_o <= SettingPhaseBits'(first_i);
      base_q  <= '0;
    end else if (fetch_i) begin
      setting_phase_o <= last ? '0 : setting_phase_o + 1'b1;
      if (last) base_q <= base_q + BaseBits'(period_i);
    end
  end

  always_ff @(posedge clk_i) begin
    next_excess_o <= (BaseBits+1)'(base_q) - packets_i;
    if (fetch_i) begin
      base_o  <= base_q;
      excess_o <= (BaseBits+1)'(base_q) - packets_i;
    end
  end

  assign next_base_o = base_q;

endmodule

`default_nettype wire
