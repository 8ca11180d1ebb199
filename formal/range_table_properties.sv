// SPDX-License-Identifier: Apache-2.0
// range_table_properties: the table of splits holds, for each word, what the host wrote last.
//
//  1. The table shows {gives, others, nodes} of the word that the host wrote last at a row, and of
//     no other row or table.
//  2. One cycle after host_re_memory_i the host reads the same fields in their places, and 0 if the
//     table is not selected.
//
// The proof follows an arbitrary row, from the first time that it is written.
`default_nettype none

module range_table_properties #(
  parameter int Splits    = 4,
  parameter int NodeBits  = 3,
  parameter int SplitBits = 1 + 2 * NodeBits,
  parameter int RowBits   = $clog2(Splits)
) (
  input  wire               clk_i,
  input  wire               host_we_table_i,
  input  wire               host_re_memory_i,
  input  wire               host_select_i,
  input  wire [RowBits-1:0] host_row_i,
  input  wire [31:0]        host_data_i,
  input  wire [RowBits-1:0] row_i,                   // the row that the proof follows
  output wire               cover_read_o
);

  wire [Splits*SplitBits-1:0] splits;
  wire [31:0]                 rdata;

  rc_range_table #(.Splits(Splits), .NodeBits(NodeBits)) u_table (
    .clk_i, .splits_o(splits), .host_we_table_i, .host_re_memory_i, .host_select_i, .host_row_i,
    .host_data_i, .host_rdata_o(rdata)
  );

  logic [RowBits-1:0] row_q;
  logic               written_q = 1'b0, asked_q = 1'b0, past_q = 1'b0, none_q = 1'b0;
  logic [31:0]        word_q, due_q;

  wire mine   = host_select_i && host_row_i == row_q;
  wire writes = past_q && host_we_table_i && mine;

  always_ff @(posedge clk_i) begin
    past_q <= 1'b1;
    row_q  <= past_q ? row_q : row_i;
    if (writes) begin
      written_q <= 1'b1;
      word_q    <= {host_data_i[31], 15'(host_data_i[16 +: NodeBits]),
                    16'(host_data_i[NodeBits-1:0])};
    end
    if (host_re_memory_i) begin
      asked_q <= past_q && written_q && mine;
      none_q  <= !host_select_i;
      due_q   <= word_q;
    end
  end

  always_comb begin
    if (past_q && written_q)
      shown: assert (splits[row_q*SplitBits +: SplitBits] ==
                     {word_q[31], word_q[16 +: NodeBits], word_q[NodeBits-1:0]});
    if (asked_q) read: assert (rdata == due_q);
    if (none_q) other: assert (rdata == '0);
  end

`ifndef REFUTE
  always_comb if (written_q) assert (past_q && word_q[30:16+NodeBits] == '0 &&
                                     word_q[15:NodeBits] == '0);
`endif

  assign cover_read_o = asked_q && rdata == 32'h80070005;

endmodule

`default_nettype wire
