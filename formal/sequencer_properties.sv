// SPDX-License-Identifier: Apache-2.0
// sequencer_properties: a run has the timing that rc_sequencer.sv specifies, for any rows, flits
// and cycles.
//
// Cycle t is counted from the cycle with start_i. A run has R rows of C cycles, and packets of F
// flits.
//
//  1. Row r is fetched in cycle 1 + r*C, and in no other; its wavefront enters one cycle later.
//  2. Flits are sent in the first F cycles of a row (without barriers: in all its cycles); cycle c
//     of row r is cycle 2 + r*C + c of the run. The last flit of a row is marked, and no other.
//  3. With barriers (F <= C), flit c is sent in cycle c of a row. Without barriers (C divides F),
//     flit p mod F is sent in cycle 2 + p.
//  4. run_o is high in cycles 4 ... 3 + R*C: R*C cycles in all. rx_open_o is high two cycles
//     earlier.
//  5. The lanes are clocked from cycle 1 until done_o rises in cycle 4 + R*C; done_o stays high
//     until the next start. next_active_o is active_o of the next cycle.
//  6. A run of no rows fetches and sends nothing, and is done in cycle 2.
//  7. ending_o is high in the cycle before the last one of a row, if it has two or more.
//
// Assumed: the first four cycles are the only reset; start_i is high only while no run is in
// progress; R, F and C are constant during a run; 1 <= F <= C, or C divides F.
`default_nettype none

module sequencer_properties #(
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
  output wire                 cover_done_o,
  output wire                 cover_streams_o,
  output wire                 cover_again_o
);

  localparam int Bits = RowBits + CycleBits + 1;     // width of a cycle number

  wire                active, next_active, run, done, fetch, wave_fetch, tx_en, tx_last, rx_open;
  wire                ending;
  wire [RowBits-1:0]  row, wave_row;
  wire [FlitBits-1:0] tx_flit;

  logic [2:0]           age_q = '0;
  logic                 started_q = 1'b0, again_q = 1'b0;
  logic [Bits-1:0]      t_q;                         // saturates
  logic [RowBits:0]     rows_q;                      // rows of the run
  logic [FlitBits:0]    flits_q;
  logic [CycleBits-1:0] row_cycles_q;
  wire                  rst = age_q < 3'd4;
  wire [Bits-1:0]       length = Bits'(rows_q) * Bits'(row_cycles_q);
  wire                  idle = !started_q || t_q >= length + Bits'(4) ||
      (length == '0 && t_q >= Bits'(2));

  rc_sequencer #(.Rows(Rows), .Flits(Flits), .CycleBits(CycleBits)) u_sequencer (
    .clk_i, .rst_i(rst), .start_i, .finish_i(1'b0), .rows_i, .flits_i, .row_cycles_i,
    .reconfigure_i('0), .length_i('0), .next_phase_o(), .ending_o(ending),
    .active_o(active), .next_active_o(next_active), .run_o(run), .done_o(done), .fetch_o(fetch),
    .row_o(row), .wave_fetch_o(wave_fetch), .wave_row_o(wave_row),
    .tx_en_o(tx_en), .tx_last_o(tx_last), .tx_flit_o(tx_flit), .rx_open_o(rx_open)
  );

  logic activated_q = 1'b0, next_active_q;

  always_ff @(posedge clk_i) {activated_q, next_active_q} <= {!rst, next_active};

  always_ff @(posedge clk_i) begin
    if (rst) age_q <= age_q + 1'b1;
    if (start_i) begin
      started_q    <= 1'b1;
      again_q      <= started_q && length != '0;
      t_q          <= Bits'(1);
      rows_q       <= rows_i;
      flits_q      <= flits_i;
      row_cycles_q <= row_cycles_i;
    end else if (started_q && t_q != '1) begin
      t_q <= t_q + 1'b1;
    end
  end

  // Returns 1 if the parameters are legal for a run with or without barriers.
  function automatic logic legal(input [RowBits:0] rows, input [FlitBits:0] flits,
                                 input [CycleBits-1:0] row_cycles);
    legal = rows <= (RowBits+1)'(Rows) && flits != '0 && flits <= (FlitBits+1)'(Flits) &&
            row_cycles != '0 &&
                (CycleBits'(flits) <= row_cycles || CycleBits'(flits) % row_cycles == '0);
  endfunction

  always_comb begin
    assume (legal(rows_i, flits_i, row_cycles_i));
    if (start_i) assume (!rst && idle);
    if (!idle) assume (rows_i == rows_q && flits_i == flits_q && row_cycles_i == row_cycles_q);
  end

  // Expected position in the run of a fetch (p1), and of a wavefront and a flit (p2).
  wire [Bits-1:0] p1 = t_q - Bits'(1), p2 = t_q - Bits'(2);
  wire            in1 = started_q && t_q >= Bits'(1) && p1 < length;
  wire            in2 = started_q && t_q >= Bits'(2) && p2 < length;
  wire [Bits-1:0] row1 = p1 / Bits'(row_cycles_q), cycle1 = p1 % Bits'(row_cycles_q);
  wire [Bits-1:0] row2 = p2 / Bits'(row_cycles_q), cycle2 = p2 % Bits'(row_cycles_q);
  wire            streams = row_cycles_q < CycleBits'(flits_q);
  wire            row_end = cycle2 == Bits'(row_cycles_q) - 1'b1;

  always_comb begin
    if (started_q) legal_run: assert (legal(rows_q, flits_q, row_cycles_q));
    if (!rst) begin
      fetch_on_time: assert (fetch == (in1 && cycle1 == '0));
      if (fetch) row_of_fetch: assert (Bits'(row) == row1);
      wave_on_time: assert (wave_fetch == (in2 && cycle2 == '0));
      if (wave_fetch) row_of_wave: assert (Bits'(wave_row) == row2);
      flit_on_time: assert (tx_en == (in2 && cycle2 < Bits'(flits_q)));
      if (tx_en) flit_number: assert (Bits'(tx_flit) == (streams ? p2 % Bits'(flits_q) : cycle2));
      flit_last: assert (tx_last ==
          (tx_en && (streams ? row_end : cycle2 == Bits'(flits_q) - 1'b1)));
      run_on_time: assert (run == (started_q && t_q >= Bits'(4) && t_q < length + Bits'(4)));
      open_on_time: assert (rx_open == in2);
      clocked: assert (active ==
          (started_q && (length == '0 ? t_q == Bits'(1) : t_q < length + Bits'(4))));
      done_on_time: assert (done == (started_q && idle));
      active_next: assert (!activated_q || active == next_active_q);
      ending_on_time: assert (ending == (in1 && cycle1 + Bits'(2) == Bits'(row_cycles_q)));
    end
  end

`ifndef REFUTE
  // Invariants for the induction: the state of the sequencer.
  (* hierconn *) wire                 \u_sequencer.busy_q , \u_sequencer.busy2_q ;
  (* hierconn *) wire                 \u_sequencer.begins_q , \u_sequencer.ends_q ;
  (* hierconn *) wire                 \u_sequencer.sends_q , \u_sequencer.single_q ;
  (* hierconn *) wire [RowBits:0]     \u_sequencer.row_q , \u_sequencer.last_row_q ;
  (* hierconn *) wire [CycleBits-1:0] \u_sequencer.count_q ;
  (* hierconn *) wire [FlitBits-1:0]  \u_sequencer.flit_q , \u_sequencer.last_flit_q ,
      \u_sequencer.last_count_q ;

  always_comb if (!rst) begin
    assert ( \u_sequencer.busy_q == in1);
    assert ( \u_sequencer.busy2_q ==
        (started_q && t_q >= Bits'(3) && t_q < length + Bits'(3)));
    if (started_q) assert (t_q != '0);
    if (in1) begin
      assert ( \u_sequencer.single_q == (row_cycles_q == CycleBits'(1)) &&
          \u_sequencer.last_row_q == rows_q - 1'b1 &&
          \u_sequencer.last_flit_q == FlitBits'(flits_q - 1'b1) &&
          \u_sequencer.last_count_q == FlitBits'(flits_q + 1'b1));
      assert (Bits'( \u_sequencer.row_q ) == row1);
      assert ( \u_sequencer.count_q == CycleBits'(cycle1 + Bits'(2)));
      assert ( \u_sequencer.begins_q == (cycle1 == '0));
      assert ( \u_sequencer.ends_q ==
          (cycle1 != '0 && cycle1 == Bits'(row_cycles_q) - 1'b1));
      assert ( \u_sequencer.sends_q == (cycle1 < Bits'(flits_q)));
      assert (Bits'( \u_sequencer.flit_q ) == (streams ? p1 % Bits'(flits_q)
          : cycle1 < Bits'(flits_q) ? cycle1 : '0));
    end
  end
`endif

  assign cover_done_o    = done && length == Bits'(6) && rows_q == (RowBits+1)'(2);
  assign cover_streams_o = streams && row_cycles_q == CycleBits'(2) && row2 == Bits'(2) &&
      tx_last &&
                           tx_flit == FlitBits'(1);
  assign cover_again_o   = again_q && run;

endmodule

`default_nettype wire
