// SPDX-License-Identifier: Apache-2.0
// rc_column_ram: a memory like rc_ram.sv whose words are written column by column.
//
// All columns of a row are stored in one memory, so that narrow columns share block RAMs.
`default_nettype none
`include "../common/rc_require.svh"

module rc_column_ram #(
  parameter int Columns  = 1,                        // columns of a word, >= 1
  parameter int Width    = 1,                        // bits of a column, >= 1
  parameter int Depth    = 2,                        // words, a power of two >= 2
  parameter bit [1023:0] Init = '0,                  // file of its initial contents (rc_initial.sv)
  localparam int AddrBits = $clog2(Depth)
) (
  input  wire                      clk_i,
  input  wire                      strobe_i,         // a memory of this group is written
  input  wire  [Columns-1:0]       we_i,             // columns of this memory to write
  input  wire  [AddrBits-1:0]      waddr_i,
  input  wire  [Width-1:0]         wdata_i,          // written to each selected column
  input  wire                      re_i,
  input  wire  [AddrBits-1:0]      raddr_i,
  output logic [Columns*Width-1:0] rdata_o           // one cycle after re_i
);

  `RC_REQUIRE(Columns, Columns >= 1, "Columns must be 1 or more")
  `RC_REQUIRE(Width, Width >= 1, "Width must be 1 or more")
  `RC_REQUIRE(Depth, Depth >= 2 && (Depth & (Depth - 1)) == 0,
              "Depth must be a power of two, 2 or more")

  (* no_rw_check *)
  logic [Columns*Width-1:0] mem [Depth];

  if (Init != '0) begin : g_initial
    initial $readmemh({Init, ".mem"}, mem);
  end

  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= mem[raddr_i];
  end

  // One process per column: for a single process with many conditions, Yosys builds multiplexers in
  // quadratic time. Not always_ff, because no other process may write a variable that an always_ff
  // writes.
  for (genvar c = 0; c < Columns; c++) begin : g_column
    always @(posedge clk_i) begin
      if (strobe_i) begin
        if (we_i[c]) mem[waddr_i][c*Width +: Width] <= wdata_i;
      end
    end
  end

endmodule

`default_nettype wire
