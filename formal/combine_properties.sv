// SPDX-License-Identifier: Apache-2.0
// combine_properties: rc_combine with some of the operators combines any words by any operator that
// is built as rc_combine with all of them does, which combines them as the definitions say
// (operate.svh), or passes on the only word that counts.
//
// Assumed: the operator is built.
`default_nettype none

module combine_properties #(
  parameter int Width     = 4,
  parameter int Operators = 127
) (
  input  wire             clk_i,
  input  wire [2:0]       operation_i,
  input  wire             only_a_i,
  input  wire             only_b_i,
  input  wire [Width-1:0] a_i,
  input  wire [Width-1:0] b_i,
  output wire             cover_both_o,
  output wire             cover_alone_o
);

  `include "operate.svh"

  wire [Width-1:0] some, all;

  rc_combine #(.Width(Width), .Operators(Operators)) u_some (
    .operation_i, .only_a_i, .only_b_i, .a_i, .b_i, .word_o(some)
  );

  rc_combine #(.Width(Width)) u_all (
    .operation_i, .only_a_i, .only_b_i, .a_i, .b_i, .word_o(all)
  );

  always_comb built: assume (Operators >> operation_i & 1);

  wire [Width-1:0] expected = only_a_i ? a_i : only_b_i ? b_i : operate(operation_i, a_i, b_i);

  always_comb begin
    as_defined: assert (some == expected);
    as_all: assert (some == all);
  end

  wire unused = &{1'b0, clk_i};

  // Covers: two different words are combined; the second of them is left out.
  assign cover_both_o  = !only_a_i && !only_b_i && a_i != b_i && some != '0;
  assign cover_alone_o = only_a_i && !only_b_i && a_i != b_i && some == a_i;

endmodule

`default_nettype wire
