// SPDX-License-Identifier: Apache-2.0
// struct_array_field: a field of an element of an array of structs, which Yosys 0.23 reads as
// another wire. Only the ban of this construct rejects it: Verilator accepts it correctly, and
// Yosys accepts it with a wrong meaning.
`default_nettype none

module struct_array_field (input wire [7:0] flits_i, output wire [3:0] flit_o);
  typedef struct packed {
    logic       valid;
    logic [2:0] word;
  } flit_t;
  flit_t flits [2];
  assign flits[0] = flits_i[3:0];
  assign flits[1] = flits_i[7:4];
  assign flit_o = {flits[1].valid, flits[0].word};
endmodule

`default_nettype wire
