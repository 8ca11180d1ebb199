// SPDX-License-Identifier: Apache-2.0
// rc_ram: a memory with one write port and one read port, both clocked.
//
// Every table and packet memory of the machines is an rc_ram or rc_column_ram, so that each maps to
// a block RAM if the target has them. The read register keeps its word until the next read. If a
// word is read and written in the same cycle, simulation returns the old word and hardware returns
// any word; logic that needs the new word forwards it. (Without no_rw_check, Yosys would add a
// comparator and a copy of the word to every block RAM to return the old word: three times the
// flip-flops of an endpoint.) A word may be written in parts.
`default_nettype none
`include "../common/rc_require.svh"
`include "../common/rc_ram_style.svh"

module rc_ram #(
  parameter int Width = 1,                           // bits of a word, >= 1
  parameter int Depth = 2,                           // words, a power of two >= 2
  // bits of a part, which has a write enable of its own; the last part may have fewer
  parameter int Part  = Width,
  /* verilator lint_off UNUSED */                    // simulators read no attributes
  parameter Style = `RC_RAM_STYLE,                   // "auto", "block" or "distributed"
  /* verilator lint_on UNUSED */
  parameter bit [1023:0] Init = '0,                  // file of its initial contents (rc_initial.sv)
  parameter bit Cleared = 1'b0,                      // 1: initial contents 0; excludes Init
  localparam int AddrBits = $clog2(Depth),
  localparam int Parts    = Part >= 1 ? (Width + Part - 1) / Part : 1
) (
  input  wire                 clk_i,
  input  wire                 strobe_i,              // a memory of this group is written
  input  wire  [Parts-1:0]    we_i,                  // this memory is selected; with its parts
  input  wire  [AddrBits-1:0] waddr_i,
  input  wire  [Width-1:0]    wdata_i,
  input  wire                 re_i,
  input  wire  [AddrBits-1:0] raddr_i,
  output logic [Width-1:0]    rdata_o                // one cycle after re_i
);

  `RC_REQUIRE(Width, Width >= 1, "Width must be 1 or more")
  `RC_REQUIRE(Depth, Depth >= 2 && (Depth & (Depth - 1)) == 0,
              "Depth must be a power of two, 2 or more")
  `RC_REQUIRE(Cleared, !Cleared || Init == '0, "Cleared must be 0 with Init")

  (* no_rw_check, ram_style = Style *)
  logic [Width-1:0] mem [Depth];

  if (Init != '0 && !Cleared) begin : g_initial
    initial $readmemh({Init, ".mem"}, mem);
  end

  // In several loops, because Yosys takes quadratic time for one.
  if (Cleared) begin : g_cleared
    localparam int Loop = Depth < 256 ? Depth : 256;

    for (genvar low = 0; low < Depth; low = low + Loop) begin : g_part
      initial for (int word = low; word < low + Loop; word++) mem[word] = '0;
    end
  end

  if (Parts == 1) begin : g_whole
    // The order of the two statements determines the word that a colliding read returns. Nothing
    // else reads mem, so the write may be blocking, which saves a simulator from queueing it. With
    // nested conditions, a simulator skips all memories of a group at once if none of them is
    // written. Not always_ff, because $readmemh also writes mem.
    always @(posedge clk_i) begin
      if (re_i) rdata_o <= mem[raddr_i];
      if (strobe_i) begin
        /* verilator lint_off BLKSEQ */
        if (we_i[0]) mem[waddr_i] = wdata_i;
        /* verilator lint_on BLKSEQ */
      end
    end
  end else begin : g_parts
    always_ff @(posedge clk_i) begin
      if (re_i) rdata_o <= mem[raddr_i];
    end

    // One process per part, as in rc_column_ram.sv.
    for (genvar p = 0; p < Parts; p++) begin : g_part
      localparam int Bits = p == Parts - 1 ? Width - p * Part : Part;

      always @(posedge clk_i) begin
        if (strobe_i) begin
          if (we_i[p]) mem[waddr_i][p*Part +: Bits] <= wdata_i[p*Part +: Bits];
        end
      end
    end
  end

endmodule

`default_nettype wire
