// SPDX-License-Identifier: Apache-2.0
// rc_cube_auto_router: the router of a node of a self-timed hypercube: rc_router_core.sv and a
// flag. With one port there is no router, because the endpoint returns the packets that arrived
// over that port.
`default_nettype none
`include "../common/rc_require.svh"

module rc_cube_auto_router #(
  parameter int Ports = 1,                        // >= 1
  parameter int Depth = 1,                        // this and the next: as in rc_router_core.sv
  parameter int Width = 1,
  parameter int Flits = 2,
  localparam int PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int SlotBits = Depth > 1 ? $clog2(Depth) : 1,
  localparam int FlitBits = $clog2(Flits),
  localparam int LaneBits = Width + 1                 // {valid, word}
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  input  wire                      start_i,
  input  wire                      tx_en_i,
  input  wire [FlitBits-1:0]       tx_flit_i,
  input  wire [Ports-1:0]          send_valid_i,
  input  wire [Ports*PortBits-1:0] send_port_i,  // input of each output
  input  wire [Ports*SlotBits-1:0] read_slot_i,
  input  wire                      rx_en_i,
  input  wire                      rx_last_i,
  input  wire [FlitBits-1:0]       rx_flit_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire [Ports*LaneBits-1:0] lanes_o,
  output wire [Ports*SlotBits-1:0] write_slot_o,
  // flag: an output sent from a slot that had received no packet
  output wire                      not_held_o
);

  `RC_REQUIRE(Ports, Ports >= 1, "Ports must be 1 or more")

  if (Ports > 1) begin : g_core
    wire [Ports-1:0] not_held, sends;
    logic            not_held_q;

    rc_router_core #(.Ports(Ports), .Depth(Depth), .Width(Width), .Flits(Flits)) u_core (
      .clk_i,
      .rst_i,
      .ce_i(1'b1),
      .start_i,
      .forward_i(1'b0),
      .tx_en_i,
      .tx_flit_i,
      .send_valid_i,
      .send_source_i(send_port_i),
      .read_slot_i,
      .send_result_i({Ports{1'b0}}), .operand_i({Ports{1'b0}}), .operation_i(3'd0),
      .rx_en_i,
      .rx_last_i,
      .rx_flit_i,
      .lanes_i,
      .lanes_o,
      .sends_o(sends),
      .write_slot_o,
      .not_held_o(not_held)
    );

    always_ff @(posedge clk_i) begin
      if (rst_i | start_i) not_held_q <= 1'b0;
      else if (|not_held) not_held_q <= 1'b1;
    end

    assign not_held_o = not_held_q;

    wire unused = &{1'b0, sends};
  end else begin : g_none
    assign lanes_o      = '0;
    assign write_slot_o = '0;
    assign not_held_o   = 1'b0;

    wire unused =
        &{1'b0, clk_i, rst_i, start_i, tx_en_i, tx_flit_i, send_valid_i, send_port_i, read_slot_i,
          rx_en_i,
                    rx_last_i, rx_flit_i, lanes_i};
  end

endmodule

`default_nettype wire
