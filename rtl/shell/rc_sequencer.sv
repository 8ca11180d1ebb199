// SPDX-License-Identifier: Apache-2.0
// rc_sequencer: steps through the rows of a run.
//
// A row lasts row_cycles_i cycles. A run has one of two timings:
//
//     with barriers     row_cycles_i >= flits + latency: a row begins after the last flit of the
//                       row before it is stored; flits 0 ... flits_i-1 leave in its first
//                       flits_i cycles.
//     without barriers  row_cycles_i divides flits and latency: flits leave in all cycles, and a
//                       packet takes flits / row_cycles rows, starting in any row. All nodes send
//                       flit (cycle of the run) mod flits in a cycle, so a packet begins with the
//                       flit that is due.
//
// For a row whose first flit is on the lanes in cycle c:
//
//     c-2        fetch_o, row_o                      the send programs are read
//     c-1        wave_fetch_o, wave_row_o            the wavefront enters the network
//     c-1+k      tx_en_o, tx_flit_o, tx_last_o       the packet memories are read, for flit k of
//                                                    the row
//
// Cycle 0 is the cycle in which the first flit of row 0 is on the lanes, three cycles after
// start_i. run_o is high in cycles 1 ... rows * row_cycles, in each of which the observation port
// reports the packet that was completed at the end of the cycle before, if any.
//
// With Reconfig, a setting is kept for several rows (reconfiguration). reconfigure_i cycles pass
// before the first of these rows is fetched, without any other activity; later rows and the end of
// the run are delayed accordingly. The number of rows of the setting, less 1, is available from the
// cycle after that fetch on, so row_cycles_i must be 2 or more. These runs have barriers.
`default_nettype none
`include "../common/rc_assert.svh"
`include "../common/rc_require.svh"

module rc_sequencer #(
  parameter int Rows      = 2,                       // a power of two >= 2
  parameter int Flits     = 2,                       // a power of two >= 2
  parameter int CycleBits = 16,                      // bits of row_cycles_i
  parameter int Reconfig  = 0,                       // 1: a setting is kept for several rows
  localparam int RowBits  = $clog2(Rows),
  localparam int FlitBits = $clog2(Flits)
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 start_i,  // high for one cycle, while the machine is idle
  input  wire                 finish_i,  // the run ends with this row, whatever rows_i is
  // constant from start_i until done_o
  input  wire [RowBits:0]     rows_i,             // 0 ... Rows
  input  wire [FlitBits:0]    flits_i,            // 1 ... Flits
  input  wire [CycleBits-1:0] row_cycles_i,       // flits_i + latency or more, or a divisor of both
  input  wire [31:0]          reconfigure_i,      // with Reconfig: cycles of a reconfiguration
  // with Reconfig: rows of the setting after its first, in the cycle after the fetch of that row
  input  wire [RowBits-1:0]   length_i,
  output logic                active_o,           // from start to done: enables the lanes
  output wire                 next_active_o,        // active_o of the next cycle, without a reset
  output logic                run_o,
  output logic                done_o,             // high from the end of a run until the next start
  output wire                 fetch_o,
  output wire                 next_phase_o,       // the fetched row begins a setting
  output wire                 ending_o,           // the cycle before the last one of a row
  output wire  [RowBits-1:0]  row_o,
  output logic                wave_fetch_o,
  output logic [RowBits-1:0]  wave_row_o,
  output logic                tx_en_o,
  output logic                tx_last_o,
  output logic [FlitBits-1:0] tx_flit_o,
  output wire                 rx_open_o
);

  `RC_REQUIRE(Rows, Rows >= 2 && (Rows & (Rows - 1)) == 0, "Rows must be a power of two, 2 or more")
  `RC_REQUIRE(Flits, Flits >= 2 && (Flits & (Flits - 1)) == 0,
              "Flits must be a power of two, 2 or more")

  logic                 busy_q, busy1_q, busy2_q;    // busy1, busy2: delayed to cycles c-1 and c
  logic [RowBits:0]     row_q;
  // the cycle of the row and 2: equal to row_cycles_i in the second last cycle
  logic [CycleBits-1:0] count_q;
  logic                 begins_q, ends_q;  // first cycle of the row; last one of two or more
  logic                 sends_q;                     // flits of the row remain
  logic [FlitBits-1:0]  flit_q;                      // the next flit; not reset by a row

  // Values derived from the registers of the run, constant during a run. The end of a row is
  // determined one cycle ahead, because a comparison of so many bits would be the longest path of
  // the machine.
  logic                 single_q;                    // a row lasts one cycle
  logic [FlitBits-1:0]  last_flit_q, last_count_q;   // flit_q and count_q of the last flit
  logic [RowBits:0]     last_row_q;

  always_ff @(posedge clk_i) begin
    single_q     <= row_cycles_i == CycleBits'(1);
    last_flit_q  <= FlitBits'(flits_i - 1'b1);
    last_count_q <= FlitBits'(flits_i + 1'b1);
    last_row_q   <= rows_i - 1'b1;
  end

  wire pause;                                        // high during a reconfiguration
  wire row_end  = !pause && (ends_q || single_q);
  wire last_row = row_q == last_row_q;
  wire flit_now = busy_q && !pause && sends_q;
  // no flits of the row remain after this one; while any remains, count_q < flits_i + 2
  wire no_more  = FlitBits'(count_q) == last_count_q;
  wire flit_end = flit_q == last_flit_q;

  // rx_open_o is high two cycles earlier than run_o; the receivers accept the wavefront only then.
  // Without barriers, the wavefront of the last latency / row_cycles rows, which send nothing,
  // reaches them after the run, when the host may be reading their memories.
  assign fetch_o   = busy_q && begins_q && !pause;
  assign row_o     = row_q[RowBits-1:0];
  wire   second_last = count_q == row_cycles_i;      // cycle of the row
  assign ending_o  = busy_q && !pause && second_last;
  assign rx_open_o = busy1_q;

  // finish_i is sampled in the last cycle of a row and makes that row the last one. That cycle is
  // at least flits_i + latency - 2 cycles after the first flit of the row is on the lanes; a
  // machine whose finish_i depends on arrivals needs longer rows.
  //
  // The counters are cleared while there is no run, not by start_i, and busy_q has no enable: the
  // path from start_i to an enable would be one of the longest of the machine.
  always_ff @(posedge clk_i) begin
    if (rst_i) busy_q <= 1'b0;
    else busy_q <= (start_i && rows_i != '0) || (busy_q && !(row_end && (last_row || finish_i)));

    if (!busy_q) begin
      row_q    <= '0;
      count_q  <= CycleBits'(2);
      begins_q <= 1'b1;
      ends_q   <= 1'b0;
      sends_q  <= 1'b1;
      flit_q   <= '0;
    end else if (!pause) begin
      count_q  <= row_end ? CycleBits'(2) : count_q + 1'b1;
      begins_q <= row_end;
      ends_q   <= second_last;
      sends_q  <= row_end || (sends_q && !no_more);
      if (flit_now) flit_q <= flit_end ? '0 : flit_q + 1'b1;
      if (row_end) row_q <= row_q + 1'b1;
    end
  end

  // Remaining rows of a setting, and elapsed cycles of a reconfiguration.

  if (Reconfig != 0) begin : g_reconfig
    logic               fresh_q;  // length_i belongs to the row fetched in the cycle before
    logic [RowBits-1:0] left_q;
    logic [31:0]        waited_q;                    // elapsed cycles, including this one
    logic               changed_q;                   // the reconfiguration is complete
    wire                last = left_q == '0;

    assign pause  = busy_q && begins_q && last && !changed_q;
    assign next_phase_o = fetch_o && last;

    always_ff @(posedge clk_i) begin
      waited_q  <= pause ? waited_q + 1'b1 : 32'd1;
      changed_q <= pause ? waited_q == reconfigure_i : reconfigure_i == '0;
    end

    always_ff @(posedge clk_i) begin
      if (rst_i || start_i) begin
        fresh_q <= 1'b0;
        left_q  <= '0;
      end else begin
        fresh_q <= next_phase_o;
        if (fresh_q) left_q <= length_i;
        else if (fetch_o && !last) left_q <= left_q - 1'b1;
      end
    end
  end else begin : g_reconfig
    assign pause  = 1'b0;
    assign next_phase_o = fetch_o;
    wire unused = &{1'b0, reconfigure_i, length_i};
  end

  always_ff @(posedge clk_i) begin
    wave_fetch_o <= fetch_o;
    wave_row_o   <= row_q[RowBits-1:0];
    tx_en_o      <= flit_now;
    tx_last_o    <= flit_now && (row_end || no_more);
    tx_flit_o    <= flit_q;
  end

  assign next_active_o = start_i || busy_q || busy1_q || busy2_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy1_q  <= 1'b0;
      busy2_q  <= 1'b0;
      run_o    <= 1'b0;
      active_o <= 1'b0;
      done_o   <= 1'b0;
    end else begin
      busy1_q  <= busy_q;
      busy2_q  <= busy1_q;
      run_o    <= busy2_q;
      active_o <= next_active_o;
      done_o   <= !start_i && (done_o || (active_o && !busy_q && !busy1_q && !busy2_q));
    end
  end

  `RC_ASSERT_RESET(rst_i)
  `RC_EXPECT(start_idle, !start_i || !active_o, "a run is started during a run")
  `RC_ASSERT(row_range, !fetch_o || row_q < rows_i, "a row after the last one is fetched")
  `RC_ASSERT(flit_range, !tx_en_o || (FlitBits+1)'(tx_flit_o) < flits_i,
             "a flit after the last one is sent")
  `RC_ASSERT(last_sent, !tx_last_o || tx_en_o, "the last flit of a row is not sent")
  `RC_ASSERT(done_idle, !done_o || !(active_o || run_o), "a run is done and active")
  `RC_ASSERT_KNOWN(outputs_known, {active_o, run_o, done_o, fetch_o, wave_fetch_o, tx_en_o},
                   "an output is unknown")

endmodule

`default_nettype wire
