// SPDX-License-Identifier: Apache-2.0
// stream_stop_properties: a stream ends when the host stops it, whenever it does.
//
// The rows of a run have 3 cycles, the fewest. The run has R rows and P packets; the tail is R - P.
//
//  1. The first stop that comes before the last cycle of row r, and not before that of row r - 1,
//     makes r + 1 the number of packets if r + 1 < P, in the last cycle of row r; otherwise, and
//     if the run is no stream, it has no effect. Later stops have none.
//  2. In the last cycle of a row, finish_o is high exactly if the number of packets was replaced in
//     the row that is the tail before it.
//
// Assumed: the first cycle is the only reset; start_i is high only while no run is in progress; R
// and P are constant during a run; 1 <= P <= R.
`default_nettype none

module stream_stop_properties #(
  parameter int RowBits = 2
) (
  input  wire             clk_i,
  input  wire             start_i,
  input  wire             stream_i,
  input  wire             stop_i,
  input  wire [RowBits:0] rows_i,
  input  wire [RowBits:0] packets_i,
  output wire             cover_stopped_o,
  output wire             cover_ignored_o,
  output wire             cover_short_o
);

  logic             first_q = 1'b1;
  wire              rst = first_q;
  logic             active_q = 1'b0;
  logic [1:0]       cycle_q;
  logic [RowBits:0] row_q;
  logic [RowBits:0] rows_q, packets_q;
  logic             stream_q, asked_q, taken_q, take_q;
  logic [RowBits:0] last_q;                          // of a stopped run: its last row

  wire              take, finish;
  wire [RowBits:0]  packets;
  wire [RowBits:0]  tail   = rows_q - packets_q;
  wire              ending = active_q && cycle_q == 2'd1;
  wire              takes  = ending && stream_q && (asked_q || stop_i) && !taken_q &&
      row_q + 1'b1 < packets_q;

  rc_stream_stop #(.RowBits(RowBits)) u_stream_stop (
    .clk_i, .rst_i(rst), .start_i, .stream_i, .stop_i, .ending_i(ending),
    .row_i(row_q[RowBits-1:0]), .rows_i, .packets_i, .take_o(take), .packets_o(packets),
    .finish_o(finish)
  );

  always_comb begin
    assume (rows_i <= (RowBits+1)'(1 << RowBits) && packets_i >= (RowBits+1)'(1) &&
            packets_i <= rows_i);
    if (start_i) assume (!rst && !active_q);
    if (active_q) assume (rows_i == rows_q && packets_i == packets_q && stream_i == stream_q);
  end

  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    take_q  <= takes;
    if (start_i) begin
      active_q  <= 1'b1;
      cycle_q   <= '0;
      row_q     <= '0;
      rows_q    <= rows_i;
      packets_q <= packets_i;
      stream_q  <= stream_i;
      asked_q   <= 1'b0;
      taken_q   <= 1'b0;
    end else if (active_q) begin
      asked_q <= asked_q || stop_i;
      if (takes) begin
        taken_q <= 1'b1;
        last_q  <= row_q + tail;
      end
      cycle_q <= cycle_q == 2'd2 ? '0 : cycle_q + 1'b1;
      if (cycle_q == 2'd2) begin
        row_q <= row_q + 1'b1;
        if (finish || row_q == rows_q - 1'b1) active_q <= 1'b0;
      end
    end
  end

  always_comb if (!rst && active_q) begin
    taken: assert (take == take_q);
    if (take) packets_begun: assert (packets == row_q + 1'b1 && cycle_q == 2'd2);
    if (cycle_q == 2'd2) ends: assert (finish == (taken_q && row_q == last_q));
  end

`ifndef REFUTE
  // Invariants for the induction.
  (* hierconn *) wire             \u_stream_stop.pending_q , \u_stream_stop.stopped_q ;
  (* hierconn *) wire             \u_stream_stop.more_q ;
  (* hierconn *) wire [RowBits:0] \u_stream_stop.tail_q , \u_stream_stop.left_q ;

  always_comb if (!rst && active_q) begin
    assert (cycle_q <= 2'd2 && row_q < rows_q && packets_q <= rows_q && packets_q != '0 &&
            rows_q <= (RowBits+1)'(1 << RowBits));
    assert ( \u_stream_stop.stopped_q == taken_q);
    if (!taken_q) assert ( \u_stream_stop.pending_q == asked_q);
    if (cycle_q != '0) begin
      assert ( \u_stream_stop.more_q == (row_q + 1'b1 < packets_q));
      assert ( \u_stream_stop.tail_q == tail);
      assert (packets == row_q + 1'b1);
    end
    if (taken_q) begin
      assert (row_q <= last_q && last_q < rows_q - 1'b1);
      assert ( \u_stream_stop.left_q ==
          last_q - row_q + (RowBits+1)'(cycle_q != 2'd2));
    end
  end
`endif

  assign cover_stopped_o = active_q && finish && cycle_q == 2'd2 && row_q == (RowBits+1)'(2) &&
      tail == (RowBits+1)'(1);
  assign cover_ignored_o = active_q && asked_q && !taken_q && row_q == rows_q - 1'b1 &&
      rows_q > packets_q && stream_q;
  assign cover_short_o   = active_q && finish && take && tail == '0;

endmodule

`default_nettype wire
