// SPDX-License-Identifier: Apache-2.0
// rc_host_word: a word of a packet memory as the host reads it: a word of up to 31 bits at once, a
// wider one in the parts of rc_address_map.sv.
//
//     cycle c      host_re_memory_i, parts_i    the part that is read
//     cycle c+1    word_i, host_word_o          {held, word} of the memory; the word of the host
`default_nettype none

module rc_host_word #(
  parameter int Width = 1,                           // bits of a word, 1 ... 512
  localparam int Parts = rc_address_map::parts(Width)
) (
  input  wire              clk_i,
  input  wire              host_re_memory_i,
  input  wire  [Parts-1:0] parts_i,                  // one bit: the part that is accessed
  input  wire  [Width:0]   word_i,                   // {held, word}
  output wire  [31:0]      host_word_o
);

  if (Parts == 1) begin : g_word
    assign host_word_o = {word_i[Width], 31'(word_i[Width-1:0])};

    wire unused = &{1'b0, clk_i, host_re_memory_i, parts_i};
  end else begin : g_parts
    localparam int WordBits = 32 * Parts - 1;        // the last part has unused bits

    wire  [32*Parts-1:0] words = {word_i[Width], WordBits'(word_i[Width-1:0])};
    wire  [32*Parts-1:0] shown;
    logic [Parts-1:0]    read_q;                     // the part that is read

    for (genvar p = 0; p < Parts; p++) begin : g_part
      assign shown[p*32 +: 32] = words[p*32 +: 32] & {32{read_q[p]}};
    end

    always_ff @(posedge clk_i) begin
      if (host_re_memory_i) read_q <= parts_i;
    end

    rc_or_tree #(.Words(Parts), .Width(32)) u_word (.words_i(shown), .word_o(host_word_o));
  end

endmodule

`default_nettype wire
