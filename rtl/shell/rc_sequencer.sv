// SPDX-License-Identifier: Apache-2.0
// rc_sequencer: walks through the rows of a run.
//
// A row lasts row_cycles_i cycles. A run is of one of two kinds:
//
//     with barriers     row_cycles_i >= flits + latency: a row begins when the last flit of the one
//                       before is stored, or later; flits 0 ... flits_i-1 leave in the first
//                       flits_i cycles.
//     without           row_cycles_i divides flits and latency: flits leave in all cycles, and a
//                       packet takes flits / row_cycles rows, from any row on. All nodes send the
//                       same flit in a cycle, (cycle of the run) mod flits, so a packet begins with
//                       the flit that is due.
//
// For a row whose first flit is on the lanes in cycle c:
//
//     c-2        fetch_o, row_o                      the send programs are read
//     c-1        wave_fetch_o, wave_row_o            the wavefront enters the network
//     c-1+k      tx_en_o, tx_flit_o, tx_last_o       the packet memories are read, for flit k of
//                                                    the row
//
// Cycle 0 is the cycle in which the first flit of row 0 is on the lanes. run_o is high in cycles
// 1 ... rows * row_cycles, those in which the observation port shows what was stored at the end of
// the cycle before.
//
// With Reconfig a setting of the network is held for several rows, and reconfigure_i cycles pass
// before the first of them is fetched, in which nothing else happens: cycles of rows and of the run
// come so much later. The setting's number of rows, less 1, is there from the cycle after that
// fetch on, so row_cycles_i is 2 or more. Such runs have barriers.
`default_nettype none
`include "../common/rc_require.svh"

module rc_sequencer #(
  parameter int Rows      = 2,                       // a power of two >= 2
  parameter int Flits     = 2,                       // a power of two >= 2
  parameter int CycleBits = 16,                      // bits of row_cycles_i
  parameter int Reconfig  = 0,                       // 1: a setting is held for several rows
  localparam int RowBits  = $clog2(Rows),
  localparam int FlitBits = $clog2(Flits)
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 start_i,               // one cycle, when the machine is idle
  input  wire                 finish_i,              // the run ends with this row
  // constant from start_i until done_o
  input  wire [RowBits:0]     rows_i,             // 0 ... Rows
  input  wire [FlitBits:0]    flits_i,            // 1 ... Flits
  input  wire [CycleBits-1:0] row_cycles_i,       // flits_i + latency or more, or a divisor of both
  // Reconfig: cycles that a change of settings takes
  input  wire [31:0]          reconfigure_i,
  // Reconfig: rows of the setting behind its first, in the cycle after that was fetched
  input  wire [RowBits-1:0]   length_i,
  output logic                active_o,           // from start to done: the fabric is clocked
  output logic                run_o,
  output logic                done_o,             // from the end of a run until the next start
  output wire                 fetch_o,
  output wire                 next_phase_o,       // ... of a row that has a setting of its own
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
  logic [CycleBits-1:0] cycle_q;                     // of the row
  logic                 begins_q, ends_q;            // it is the first, the last of two or more
  logic                 sends_q;                     // flits of the row are left
  logic [FlitBits-1:0]  flit_q;                      // the next to leave; rows do not reset it

  // What the registers of the run say, registered: constant during a run. That a row ends is known
  // a cycle before, as a comparison of so many bits would be the longest path of the machine.
  logic [CycleBits-1:0] before_q;                    // the last cycle of a row but one
  logic                 single_q;                    // a row is one cycle
  logic [FlitBits-1:0]  last_flit_q;
  logic [RowBits:0]     last_row_q;

  always_ff @(posedge clk_i) begin
    before_q    <= row_cycles_i - CycleBits'(2);
    single_q    <= row_cycles_i == CycleBits'(1);
    last_flit_q <= FlitBits'(flits_i - 1'b1);
    last_row_q  <= rows_i - 1'b1;
  end

  wire pause;                                        // while a setting changes
  wire row_end  = !pause && (ends_q || single_q);
  wire last_row = row_q == last_row_q;
  wire flit_now = busy_q && !pause && sends_q;
  // flits of the row, behind this one: while any is left the cycle is below flits_i
  wire no_more  = FlitBits'(cycle_q) == last_flit_q;
  wire flit_end = flit_q == last_flit_q;

  // rx_open_o is high two cycles earlier than run_o: then the receivers heed the wavefront. Without
  // barriers that of the last latency / row_cycles rows, which send nothing, reaches them when the
  // run is over and the host may be reading what they hold.
  assign fetch_o   = busy_q && begins_q && !pause;
  assign row_o     = row_q[RowBits-1:0];
  assign rx_open_o = busy1_q;

  // With finish_i a row is the last, whatever rows_i says: it is looked at in the row's last cycle.
  // That is flits_i + latency - 2 cycles or more behind the first flit on the lanes: a row needs
  // more than those for a machine that heeds what came.
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
    end else if (start_i) begin
      busy_q   <= rows_i != '0;
      row_q    <= '0;
      cycle_q  <= '0;
      begins_q <= 1'b1;
      ends_q   <= 1'b0;
      sends_q  <= 1'b1;
      flit_q   <= '0;
    end else if (busy_q && !pause) begin
      cycle_q  <= row_end ? '0 : cycle_q + 1'b1;
      begins_q <= row_end;
      ends_q   <= cycle_q == before_q;
      sends_q  <= row_end || (sends_q && !no_more);
      if (flit_now) flit_q <= flit_end ? '0 : flit_q + 1'b1;
      if (row_end) row_q <= row_q + 1'b1;
      if ((row_end && last_row) || (row_end && finish_i)) busy_q <= 1'b0;
    end
  end

  // What is left of a setting, and how long the change to the next has taken.

  if (Reconfig != 0) begin : g_reconfig
    logic               fresh_q;                     // length_i is of a row that was just fetched
    logic [RowBits-1:0] left_q;
    logic [31:0]        waited_q;                    // cycles, with this one
    logic               changed_q;                   // it has changed
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
      active_o <= start_i || busy_q || busy1_q || busy2_q;
      done_o   <= !start_i && (done_o || (active_o && !busy_q && !busy1_q && !busy2_q));
    end
  end

endmodule

`default_nettype wire
