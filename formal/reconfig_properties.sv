// SPDX-License-Identifier: Apache-2.0
// reconfig_properties: with reconfiguration, a change of the setting takes its number of cycles,
// and nothing else takes longer; for any rows, flits, cycles and lengths of settings.
//
// A run has R rows of C cycles and packets of F flits; a change takes D cycles. A setting that
// begins with row r and has length_i = n lasts until row r + n; the first one begins with row 0.
//
//  1. Row 0 is fetched 1 + D cycles after the start. Every other row is fetched C cycles after the
//     row before, or C + D cycles if it begins a setting. next_phase_o is high when the fetched row
//     begins a setting. There are no other fetches.
//  2. The wavefront enters one cycle after the fetch, and flits 0 ... F-1 are sent from that cycle
//     on, one per cycle. The last one is marked.
//  3. run_o is high from cycle 4 until C + 3 cycles after the last fetch; rx_open_o is high two
//     cycles earlier.
//  4. Then the run is done. A run of no rows is done in cycle 2 and fetches nothing.
//
// The reference counts cycles from the last fetch on, and stores the row that begins the next
// setting. Assumed: as in sequencer_properties.sv, and 2 <= C, F <= C, D <= 3.
`default_nettype none

module reconfig_properties #(
  parameter int Rows      = 4,
  parameter int Flits     = 4,
  parameter int CycleBits = 3,
  parameter int RowBits   = $clog2(Rows),
  parameter int FlitBits  = $clog2(Flits)
) (
  input  wire                 clk_i,
  input  wire                 start_i,
  input  wire [RowBits:0]     rows_i,
  input  wire [FlitBits:0]    flits_i,
  input  wire [CycleBits-1:0] row_cycles_i,
  input  wire [1:0]           change_i,
  input  wire [RowBits-1:0]   length_i,
  output wire                 cover_change_o,
  output wire                 cover_held_o,
  output wire                 cover_again_o
);

  localparam int Bits = CycleBits + 2;               // width of cycle counts from a fetch

  wire                active, run, done, fetch, next_phase, wave_fetch, tx_en, tx_last, rx_open;
  wire [RowBits-1:0]  row, wave_row;
  wire [FlitBits-1:0] tx_flit;

  logic [2:0]           age_q = '0;
  logic                 started_q = 1'b0, again_q = 1'b0;
  logic [2:0]           t_q;                         // cycles from the start; saturates
  logic [Bits-1:0]      gap_q;                       // cycles since the last fetch or start
  logic [RowBits:0]     fetched_q;                   // number of rows fetched
  logic [RowBits+1:0]   next_q;                      // the row that begins the next setting
  logic [RowBits:0]     rows_q;                      // rows of the run
  logic [FlitBits:0]    flits_q;
  logic [CycleBits-1:0] row_cycles_q;
  logic [1:0]           change_q;
  wire                  rst = age_q < 3'd4;

  rc_sequencer #(
    .Rows(Rows), .Flits(Flits), .CycleBits(CycleBits), .Reconfig(1)
  ) u_sequencer (
    .clk_i, .rst_i(rst), .start_i, .finish_i(1'b0), .rows_i, .flits_i, .row_cycles_i,
    .reconfigure_i({30'b0, change_i}), .length_i,
    .active_o(active), .run_o(run), .done_o(done), .fetch_o(fetch), .next_phase_o(next_phase),
    .ending_o(),
    .row_o(row),
    .wave_fetch_o(wave_fetch), .wave_row_o(wave_row),
    .tx_en_o(tx_en), .tx_last_o(tx_last), .tx_flit_o(tx_flit), .rx_open_o(rx_open)
  );

  wire            first  = fetched_q == '0;
  wire            begins = (RowBits+2)'(fetched_q) == next_q;
  wire [Bits-1:0] due    = (first ? Bits'(1) : Bits'(row_cycles_q)) +
      (begins ? Bits'(change_q) : Bits'(0));
  wire            fetches = started_q && fetched_q != rows_q && gap_q == due;
  wire            all     = fetched_q == rows_q;     // all rows are fetched
  wire            empty   = rows_q == '0;
  wire [Bits-1:0] end_gap = Bits'(row_cycles_q) + Bits'(3);
  wire            over    = started_q && (empty ? t_q >= 3'd2 : all && gap_q >= end_gap);
  wire            idle    = !started_q || over;

  always_ff @(posedge clk_i) begin
    if (rst) age_q <= age_q + 1'b1;
    if (start_i) begin
      started_q    <= 1'b1;
      again_q      <= started_q && !empty;
      t_q          <= 3'd1;
      gap_q        <= Bits'(1);
      fetched_q    <= '0;
      next_q       <= '0;
      rows_q       <= rows_i;
      flits_q      <= flits_i;
      row_cycles_q <= row_cycles_i;
      change_q     <= change_i;
    end else if (started_q) begin
      if (t_q != '1) t_q <= t_q + 1'b1;
      if (fetches) begin
        gap_q     <= Bits'(1);
        fetched_q <= fetched_q + 1'b1;
      end else if (gap_q != '1) begin
        gap_q <= gap_q + 1'b1;
      end
      // fetched_q already includes the row fetched in the cycle before.
      if (gap_q == Bits'(1) && !first && (RowBits+2)'(fetched_q) == next_q + 1'b1)
        next_q <= (RowBits+2)'(fetched_q) + (RowBits+2)'(length_i);
    end
  end

  function automatic logic legal(input [RowBits:0] rows, input [FlitBits:0] flits,
                                 input [CycleBits-1:0] row_cycles);
    legal = rows <= (RowBits+1)'(Rows) && flits != '0 && flits <= (FlitBits+1)'(Flits) &&
            row_cycles >= CycleBits'(2) && CycleBits'(flits) <= row_cycles;
  endfunction

  always_comb begin
    assume (legal(rows_i, flits_i, row_cycles_i));
    if (start_i) assume (!rst && idle);
    if (!idle) assume (rows_i == rows_q && flits_i == flits_q && row_cycles_i == row_cycles_q &&
                       change_i == change_q);
  end

  wire sends = started_q && !first && gap_q <= Bits'(flits_q);

  always_comb begin
    if (!rst) begin
      fetch_on_time: assert (fetch == fetches);
      change_on_time: assert (next_phase == (fetches && begins));
      if (fetch) row_of_fetch: assert ((RowBits+1)'(row) == fetched_q);
      wave_on_time: assert (wave_fetch == (started_q && !first && gap_q == Bits'(1)));
      if (wave_fetch) row_of_wave: assert ((RowBits+1)'(wave_row) + 1'b1 == fetched_q);
      flit_on_time: assert (tx_en == sends);
      if (tx_en) flit_number: assert (Bits'(tx_flit) + Bits'(1) == gap_q);
      flit_last: assert (tx_last == (sends && gap_q == Bits'(flits_q)));
      run_on_time: assert (run == (started_q && !empty && t_q >= 3'd4 && !over));
      open_on_time: assert (rx_open ==
          (started_q && !empty && t_q >= 3'd2 && !(all && gap_q > Bits'(row_cycles_q))));
      clocked: assert (active == (started_q && !over));
      done_on_time: assert (done == over);
    end
  end

`ifndef REFUTE
  // Invariants for the induction: the state of the sequencer, and a legal reference.
  (* hierconn *) wire                 \u_sequencer.busy_q , \u_sequencer.busy2_q ;
  (* hierconn *) wire                 \u_sequencer.begins_q , \u_sequencer.ends_q ;
  (* hierconn *) wire                 \u_sequencer.sends_q , \u_sequencer.single_q ;
  (* hierconn *) wire [RowBits:0]     \u_sequencer.row_q ;
  (* hierconn *) wire [CycleBits-1:0] \u_sequencer.count_q ;
  (* hierconn *) wire [FlitBits-1:0]  \u_sequencer.flit_q , \u_sequencer.last_flit_q ,
      \u_sequencer.last_count_q ;
  (* hierconn *) wire [RowBits-1:0]   \u_sequencer.g_reconfig.left_q ;
  (* hierconn *) wire [31:0]          \u_sequencer.g_reconfig.waited_q ;
  (* hierconn *) wire                 \u_sequencer.g_reconfig.fresh_q ;
  (* hierconn *) wire                 \u_sequencer.g_reconfig.changed_q ;
  (* hierconn *) wire [RowBits:0]     \u_sequencer.last_row_q ;

  wire [Bits-1:0] cycles = Bits'(row_cycles_q);
  wire            inside = !first && gap_q < cycles; // after the first cycle of a row
  wire            busy   = started_q && !empty && (!all || inside);

  always_comb if (!rst) begin
    assert ( \u_sequencer.busy_q == busy);
    assert ( \u_sequencer.busy2_q == (started_q && !empty && t_q >= 3'd3 &&
        !(all && gap_q > cycles + Bits'(1))));
    if (started_q) begin
      assert (legal(rows_q, flits_q, row_cycles_q) && fetched_q <= rows_q && gap_q != '0);
      assert (t_q != '0 && (t_q == '1 || Bits'(t_q) >= gap_q || !first));
      assert (first ? next_q == '0 : next_q + 1'b1 >= (RowBits+2)'(fetched_q));
      assert (!first || empty || (Bits'(t_q) == gap_q));
      assert (all || gap_q <= due || gap_q <= cycles);
      if (!first && gap_q < Bits'(7)) assert (Bits'(t_q) > gap_q || t_q == '1);
    end
    if (busy) begin
      assert (! \u_sequencer.single_q &&
          \u_sequencer.last_row_q == rows_q - 1'b1 &&
          \u_sequencer.last_flit_q == FlitBits'(flits_q - 1'b1) &&
          \u_sequencer.last_count_q == FlitBits'(flits_q + 1'b1));
      assert ( \u_sequencer.row_q == (inside ? fetched_q - 1'b1 : fetched_q));
      assert ( \u_sequencer.count_q == CycleBits'((inside ? gap_q : '0) + Bits'(2)));
      assert ( \u_sequencer.begins_q == !inside);
      assert ( \u_sequencer.ends_q == (inside && gap_q == cycles - 1'b1));
      assert ( \u_sequencer.sends_q == (!inside || gap_q < Bits'(flits_q)));
      assert (Bits'( \u_sequencer.flit_q ) == (inside && gap_q < Bits'(flits_q) ? gap_q : '0));
      assert ( \u_sequencer.g_reconfig.waited_q ==
          (inside ? 32'd1 : 32'(gap_q - (first ? Bits'(0) : cycles - 1'b1))));
      if (inside || (!first && gap_q == cycles) ||
          begins) assert ( \u_sequencer.g_reconfig.changed_q
          == (inside ? change_q == '0 : gap_q - (first ? Bits'(1) : cycles) == Bits'(change_q)));
      assert ( \u_sequencer.g_reconfig.fresh_q == (inside && gap_q == Bits'(1) &&
          (RowBits+2)'(fetched_q) == next_q + 1'b1));
      if (! \u_sequencer.g_reconfig.fresh_q )
        assert ((RowBits+2)'( \u_sequencer.g_reconfig.left_q ) == next_q - (RowBits+2)'(fetched_q));
    end
  end
`endif

  // Covers: a change after a setting of two rows; one setting for all rows of a run; a second run.
  assign cover_change_o = next_phase && fetched_q == (RowBits+1)'(2) && change_q == 2'd2;
  assign cover_held_o   = done && rows_q == (RowBits+1)'(3) && next_q == (RowBits+2)'(3) &&
      change_q == 2'd3;
  assign cover_again_o  = again_q && run;

endmodule

`default_nettype wire
