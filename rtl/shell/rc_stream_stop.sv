// SPDX-License-Identifier: Apache-2.0
// rc_stream_stop: ends a stream when the host asks for it.
//
// The source of a stream begins packet r, counted from 0, in row r. A run of rows_i rows is for at
// most packets_i packets; its last rows_i - packets_i rows, the tail, deliver the last packets.
// stop_i makes the packet of the current row the last one, and the run ends after as many further
// rows as the tail has:
//
//     row     ...  r-1     r     r+1   ...   r + tail
//     stop_i                 |
//     take_o                  |  packets_o = r + 1
//     finish_o                                      |
//
// A stop takes effect if it comes before the last cycle of a row: in the cycle before the last one
// it is decided, so that take_o and packets_o are valid in the last cycle. A stop in the row of the
// last packet, or later, changes nothing. Rows have 3 cycles or more.
`default_nettype none

module rc_stream_stop #(
  parameter int RowBits = 1
) (
  input  wire               clk_i,
  input  wire               rst_i,
  input  wire               start_i,
  input  wire               stream_i,                // the run is a stream
  input  wire               stop_i,                  // high for one cycle
  input  wire               ending_i,                // the cycle before the last one of a row
  input  wire [RowBits-1:0] row_i,
  // constant from start_i to take_o
  input  wire [RowBits:0]   rows_i,
  input  wire [RowBits:0]   packets_i,               // at most rows_i
  output logic              take_o,                  // packets_o replaces packets_i
  output logic [RowBits:0]  packets_o,
  output logic              finish_o                 // in the last cycle of a row: it is the last
);

  logic             pending_q, stopped_q;
  logic             more_q;                          // packets follow that of the current row
  logic [RowBits:0] tail_q, left_q;                  // left_q: rows after the current one

  wire take = ending_i & stream_i & (pending_q | stop_i) & more_q & ~stopped_q;

  // Registered, as the comparisons in rc_sequencer.sv are: they change with a row only.
  always_ff @(posedge clk_i) begin
    packets_o <= (RowBits+1)'(row_i) + 1'b1;
    more_q    <= (RowBits+1)'(row_i) + 1'b1 < packets_i;
    tail_q    <= rows_i - packets_i;
  end

  always_ff @(posedge clk_i) begin
    take_o <= take & ~rst_i;
    if (rst_i | start_i) begin
      pending_q <= 1'b0;
      stopped_q <= 1'b0;
      finish_o  <= 1'b0;
    end else begin
      pending_q <= (pending_q | stop_i) & ~stopped_q;
      if (take) begin
        stopped_q <= 1'b1;
        left_q    <= tail_q;
        finish_o  <= tail_q == '0;
      end else if (ending_i & stopped_q) begin
        left_q    <= left_q - 1'b1;
        finish_o  <= left_q == (RowBits+1)'(1);
      end
    end
  end

endmodule

`default_nettype wire
