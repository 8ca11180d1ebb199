// SPDX-License-Identifier: Apache-2.0
// setting_counter_properties: setting phases and repetitions of rows, for any first < period <=
// SettingPeriod and any pattern of fetches.
//
// Row 0 is the first row that is fetched after a start. For row r, without an upper limit:
//
//  1. When row r is fetched, and in the cycles since the fetch before, setting_phase_o is (first +
//     r) mod period.
//  2. From the next cycle on, until the next fetch, base_o is floor((first + r) / period) * period,
//     truncated to its width.
//  3. excess_o is the base less packets. Two cycles after a start or a fetch, until the next fetch,
//     next_base_o and next_excess_o are these of row r.
//
// The reference divides. Its count of first + r wraps at a number that all periods and 2^BaseBits
// divide, which changes neither result. A start or a reset, in any cycle, begins a new run; a row
// fetched in the same cycle belongs to the run before.
//
// Assumed: first, period and packets are constant from the start on.
`default_nettype none

module setting_counter_properties #(
  parameter int SettingPeriod = 4,                       // 2 or 4
  parameter int BaseBits  = 4,
  parameter int SettingPhaseBits = $clog2(SettingPeriod)
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        start_i,
  input  wire        fetch_i,
  input  wire [15:0] first_i,
  input  wire [15:0] period_i,
  input  wire [BaseBits:0] packets_i,
  output wire        cover_repeat_o,
  output wire        cover_again_o
);

  wire [SettingPhaseBits-1:0] setting_phase;
  wire [BaseBits-1:0]  base, next_base;
  wire [BaseBits:0]    excess, next_excess;

  rc_setting_counter #(.SettingPeriod(SettingPeriod), .BaseBits(BaseBits)) u_setting_counter (
    .clk_i, .rst_i, .start_i, .fetch_i, .first_i, .period_i, .setting_phase_o(setting_phase),
    .packets_i, .base_o(base), .excess_o(excess), .next_base_o(next_base),
    .next_excess_o(next_excess)
  );

  localparam int All = 3 << BaseBits;                // a multiple of 1, 2, 3, 4, as BaseBits >= 2

  logic                started_q = 1'b0, fetched_q = 1'b0, again_q = 1'b0;
  logic [15:0]         first_q, period_q;            // parameters of the run
  logic [BaseBits+1:0] row_q;                        // first + r of the next row
  logic [BaseBits-1:0] base_q;                       // base of the last row
  logic [BaseBits:0]   packets_q, excess_q;           // of the run; excess of the last row
  logic                settled_q = 1'b0;             // no start and no fetch in the cycle before

  wire [SettingPhaseBits:0] period = period_q[SettingPhaseBits:0];
  wire [BaseBits+1:0] repetition = row_q / (BaseBits+2)'(period);
  wire [BaseBits-1:0] next   = BaseBits'(repetition * (BaseBits+2)'(period));
  wire [BaseBits+1:0] rest   = row_q % (BaseBits+2)'(period);

  always_ff @(posedge clk_i) begin
    if (fetch_i && started_q) begin
      fetched_q <= 1'b1;
      row_q     <= (32'(row_q) == All - 1) ? '0 : row_q + 1'b1;
      base_q    <= next;
      excess_q  <= (BaseBits+1)'(next) - packets_i;
    end
    settled_q <= started_q && !fetch_i && !start_i && !rst_i;
    if (start_i || rst_i) begin
      started_q <= 1'b1;
      again_q   <= started_q;
      first_q   <= first_i;
      period_q  <= period_i;
      packets_q <= packets_i;
      row_q     <= (BaseBits+2)'(first_i);
    end
  end

  always_comb begin
    assume (period_i >= 16'd1 && period_i <= 16'(SettingPeriod) && first_i < period_i);
    if (started_q && !start_i && !rst_i) begin
      assume (first_i == first_q && period_i == period_q);
      assume (packets_i == packets_q);
    end
  end

  always_comb begin
    if (started_q) which_setting_phase: assert (32'(setting_phase) == 32'(rest));
    if (fetched_q) which_repeat: assert (base == base_q);
    if (fetched_q) which_excess: assert (excess == excess_q);
    if (settled_q) which_next: assert (next_base == next &&
                                       next_excess == (BaseBits+1)'(next) - packets_q);
  end

`ifndef REFUTE
  // Invariants of the induction: the base of the next row, and the counters of the reference.
  (* hierconn *) wire [BaseBits-1:0] \u_setting_counter.base_q ;
  always_comb if (fetched_q) assert (started_q);
  always_comb if (started_q) begin
    assert ( \u_setting_counter.base_q == next);
    assert (32'(row_q) < All && period_q >= 16'd1 && period_q <= 16'(SettingPeriod));
  end
`endif

  // Covers: before the first row of the third repetition, with a period of three and first at its
  // last setting phase; the second repetition of a later run, with the longest period.
  assign cover_repeat_o  = fetched_q && period == (SettingPhaseBits+1)'(3) && first_q == 16'd2 &&
      rest == '0 && base == BaseBits'(3);
  assign cover_again_o = fetched_q && again_q && base == BaseBits'(SettingPeriod) &&
      base == BaseBits'(period) &&
                         repetition != '0 && first_q == 16'd1;

endmodule

`default_nettype wire
