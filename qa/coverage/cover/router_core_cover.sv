// SPDX-License-Identifier: Apache-2.0
// router_core_cover: each output of a router sent packets of each other input, and of another one
// in the next cycle.
`default_nettype none

module router_core_cover #(
  parameter int Ports      = 2,
  parameter int Reads      = 1,
  parameter int SourceBits = 1
) (
  input wire                        clk_i,
  input wire                        tx_en_i,
  input wire [Ports-1:0]            send_valid_i,
  input wire [Ports*SourceBits-1:0] send_source_i
);

  for (genvar o = 0; o < Ports; o++) begin : g_output
    wire  [SourceBits-1:0] source = send_source_i[o*SourceBits +: SourceBits];
    wire                   sends  = tx_en_i && send_valid_i[o];
    logic [SourceBits-1:0] source_q;
    logic                  sends_q;

    always_ff @(posedge clk_i) begin
      sends_q <= sends;
      if (sends) source_q <= source;
    end

    another_source_in_the_next_cycle: cover property
      (@(posedge clk_i) sends && sends_q && source != source_q);
    for (genvar i = 0; i < Ports; i++) begin : g_input
      if (i != o) begin : g_other
        sent_of_the_input: cover property (@(posedge clk_i) sends && 32'(source) / Reads == i);
      end
    end
  end

endmodule

`default_nettype wire
