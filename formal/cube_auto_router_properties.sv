// SPDX-License-Identifier: Apache-2.0
// cube_auto_router_properties: the flag of the router of a node of a self-timed hypercube.
//
//  1. `not held` is set two cycles after a tx_en in which an output was selected to send and then
//     sent nothing, and for no other reason; it stays until the next start.
//  2. An output that is not selected to send delivers no valid word.
//
// The words on the outputs are those of rc_router_core.sv (router_core_properties.sv). Assumed: no
// output sends a packet that arrived over its own port. The first cycle is a reset.
`default_nettype none

module cube_auto_router_properties #(
  parameter int Ports    = 2,
  parameter int Depth    = 2,
  parameter int Width    = 1,
  parameter int LaneBits = Width + 1
) (
  input  wire                      clk_i,
  input  wire                      start_i,
  input  wire                      tx_en_i,
  input  wire                      tx_flit_i,
  input  wire [Ports-1:0]          send_valid_i,
  input  wire [Ports-1:0]          send_port_i,
  input  wire [Ports-1:0]          read_slot_i,
  input  wire                      rx_en_i,
  input  wire                      rx_last_i,
  input  wire                      rx_flit_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire                      cover_held_o,
  output wire                      cover_lacks_o
);

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  wire [Ports*LaneBits-1:0] lanes;
  wire                      not_held;

  // There are two ports, slots and flits, so one bit selects each.
  rc_cube_auto_router #(.Ports(Ports), .Depth(Depth), .Width(Width)) u_router (
    .clk_i, .rst_i(!running_q), .start_i, .tx_en_i, .tx_flit_i, .send_valid_i, .send_port_i,
    .read_slot_i, .rx_en_i, .rx_last_i, .rx_flit_i, .lanes_i, .lanes_o(lanes), .write_slot_o(),
    .not_held_o(not_held)
  );

  // The cycle before, and whether an output sent nothing then.
  logic [Ports-1:0] sends_q = '0;
  logic             past_q = 1'b0, lacks_q = 1'b0, clear_q, was_q;
  wire  [Ports-1:0] carries;
  for (genvar p = 0; p < Ports; p++) begin : g_output
    assign carries[p] = lanes[p*LaneBits+Width];
    always_comb assume (!send_valid_i[p] || 32'(send_port_i[p]) != p);
  end

  always_ff @(posedge clk_i) begin
    past_q  <= running_q;
    sends_q <= {Ports{tx_en_i}} & send_valid_i;
    lacks_q <= |(sends_q & ~carries);
    clear_q <= start_i;
    was_q   <= not_held;
  end

  always_comb begin
    if (running_q && !past_q) lowered: assert (!not_held);
    if (past_q) begin
      rises: assert (not_held == (!clear_q && (was_q || lacks_q)));
      idle: assert ((carries & ~sends_q) == '0);
    end
  end

  assign cover_held_o  = past_q && sends_q == '1 && carries == '1 && !not_held;
  assign cover_lacks_o = past_q && not_held && sends_q == '1 && carries == '1;

endmodule

`default_nettype wire
