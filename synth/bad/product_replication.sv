// SPDX-License-Identifier: Apache-2.0
// product_replication: a replication of zeros by a product of two parameters. Only the ban of this
// construct rejects it: Verilator warns only above 8192 bits, which only the largest machines have.
`default_nettype none

module product_replication #(parameter int Ports = 2, parameter int Bits = 2) (
  output wire [Ports*Bits-1:0] words_o
);
  assign words_o = {Ports*Bits{1'b0}};
endmodule

`default_nettype wire
