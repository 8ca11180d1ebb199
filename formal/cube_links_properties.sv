// SPDX-License-Identifier: Apache-2.0
// cube_links_properties: in a hypercube, the neighbour over a dimension receives what a node sends
// over that dimension.
//
// Dimension j = 1 ... d of node x leads to the node whose number differs in bit j-1 only. A node
// sends over it from endpoint x d + j-1 or from port j-1 of its router.
//
//  1. The words that the endpoint and the router of a node send over a dimension, ORed, are on the
//     router port of the neighbour Pad clocked cycles later, and no other words are. The word on an
//     idle lane of a router is not sent.
//  2. The endpoint of the neighbour receives the same word; in a self-timed cube, the highest two
//     bits of a header (the kind) are removed.
//  3. If reception is open, the nodes receive the number of flit k of a row exactly Pad + 1 cycles
//     after the endpoints and routers were instructed to read flit k.
//
// For any contents of tables and memories, host accesses, starts and resets. Assumed: nothing.
`default_nettype none

module cube_links_properties #(
  parameter int Dimensions = 2,
  parameter int Auto       = 0,
  parameter int Pad        = 1,
  parameter int Width      = Auto != 0 ? Dimensions + 4 : 2,
  parameter int Rows       = Auto != 0 ? 8 : 2,      // sums take 2 d + 1 rows, packets follow
  parameter int LaneBits   = Width + 1,
  parameter int Nodes      = 1 << Dimensions,
  parameter int Endpoints  = Nodes * Dimensions
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        host_we_i,
  input  wire        host_re_i,
  input  wire [31:0] host_addr_i,
  input  wire [31:0] host_wdata_i,
  input  wire        start_i,
  output wire        cover_all_o
);


  // The ports of the machine are not checked.
  if (Auto == 0) begin : g
    (* keep *)
    rc_cube_machine #(
      .Dimensions(Dimensions), .Depth(2), .Pad(Pad), .Width(Width), .Rows(Rows)
    ) u_machine (
      .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o(),
      .host_error_o(), .start_i, .busy_o(), .run_o(), .done_o(), .error_o(), .irq_o(),
      .obs_strobe_o(), .obs_o()
    );
  end else begin : g
    (* keep *)
    rc_cube_auto_machine #(
      .Dimensions(Dimensions), .Depth(2), .Pad(Pad), .Width(Width), .Packets(4 << Dimensions),
      .Rows(Rows)
    ) u_machine (
      .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o(),
      .host_error_o(), .start_i, .busy_o(), .run_o(), .done_o(), .error_o(), .irq_o(),
      .obs_strobe_o(), .obs_o()
    );
  end

  // Words of each node and dimension, in the order of the endpoints.
  wire [Endpoints*LaneBits-1:0] sent, stored, routed, got;
  (* hierconn *) wire           \g.u_machine.ce , \g.u_machine.u_shell.rx_open ;
  (* hierconn *) wire [7+$clog2(Rows):0] \g.u_machine.step ;
  wire                          ce   = \g.u_machine.ce ;
  wire [4:0]                    step = \g.u_machine.step [4:0];

  for (genvar e = 0; e < Endpoints; e++) begin : \g.u_machine.u_shell.g_node
    (* hierconn *) wire [LaneBits-1:0] \u_endpoint.lane_o , \u_endpoint.lane_i ;
    assign sent[e*LaneBits +: LaneBits]   = \u_endpoint.lane_o ;
    assign stored[e*LaneBits +: LaneBits] = \u_endpoint.lane_i ;
  end

  for (genvar n = 0; n < (Auto == 0 ? Nodes : 0); n++) begin : \g.u_machine.g_routers.g_router
    (* hierconn *) wire [Dimensions*LaneBits-1:0] \u_router.lanes_i , \u_router.lanes_o ;
    assign routed[n*Dimensions*LaneBits +: Dimensions*LaneBits] = \u_router.lanes_o ;
    assign got[n*Dimensions*LaneBits +: Dimensions*LaneBits]    = \u_router.lanes_i ;
  end

  for (genvar n = 0; n < (Auto == 0 ? 0 : Nodes); n++) begin : \g.u_machine.g_node
    (* hierconn *) wire [Dimensions*LaneBits-1:0] \u_node.lanes_i , \u_node.lanes_o ;
    assign routed[n*Dimensions*LaneBits +: Dimensions*LaneBits] = \u_node.lanes_o ;
    assign got[n*Dimensions*LaneBits +: Dimensions*LaneBits]    = \u_node.lanes_i ;
  end

  // In the first cycles the registers of the links contain arbitrary words.
  logic [1:0] clocked_q = '0;
  always_ff @(posedge clk_i) if (ce && clocked_q < 2'(Pad)) clocked_q <= clocked_q + 1'b1;

  for (genvar x = 0; x < Nodes; x++) begin : g_node
    for (genvar j = 1; j <= Dimensions; j++) begin : g_dimension
      localparam int From = (x * Dimensions + j - 1) * LaneBits;
      localparam int To   = ((x ^ (1 << (j - 1))) * Dimensions + j - 1) * LaneBits;
      wire [LaneBits-1:0] own    = sent[From +: LaneBits];
      wire [LaneBits-1:0] others = routed[From +: LaneBits];
      wire [LaneBits-1:0] both   = own | (Auto != 0 || others[Width] ? others : '0);
      wire [LaneBits-1:0] word, kind;

      if (Pad == 0) begin : g_wire
        assign word = both;
      end else begin : g_registers
        logic [Pad*LaneBits-1:0] word_q;
        always_ff @(posedge clk_i) if (ce) word_q <= (Pad*LaneBits)'({word_q, both});
        assign word = word_q[(Pad-1)*LaneBits +: LaneBits];
      end

      wire header = Auto != 0 && step[2] && !step[0];
      assign kind = header ? (LaneBits)'(3) << (Width - 2) : '0;

      always_comb if (clocked_q == 2'(Pad)) begin
        assert (got[To +: LaneBits] == word);
        assert (stored[To +: LaneBits] == (word & ~kind));
      end
    end
  end

  // Control of the nodes, for packets of two flits: {..., tx_en, tx_flit, rx_en, rx_last, rx_flit}.
  logic [2*(Pad+1)-1:0] reported_q;                      // {tx_en, tx_flit}, newest in lowest bits
  logic                 open_q, reset_q;
  logic [2:0]           cycles_q = '0;

  always_ff @(posedge clk_i) begin
    reported_q <= (2*(Pad+1))'({reported_q, step[4:3]});
    open_q  <= \g.u_machine.u_shell.rx_open ;
    reset_q <= rst_i;
    if (cycles_q <= 3'(Pad)) cycles_q <= cycles_q + 1'b1;
  end

  wire [1:0] reported = reported_q[2*Pad +: 2];
  always_comb if (cycles_q > 3'(Pad)) begin
    assert (step[2] == (reported[1] && open_q && !reset_q));
    if (step[2]) assert (step[0] == reported[0]);
  end

  // Cover: a word of ones arrives over every dimension, at any node.
  wire [Dimensions-1:0] comes;
  for (genvar j = 0; j < Dimensions; j++) begin : g_comes
    wire [Nodes-1:0] ones;
    for (genvar n = 0; n < Nodes; n++) begin : g_node
      assign ones[n] = &got[(n*Dimensions+j)*LaneBits +: LaneBits];
    end
    assign comes[j] = |ones;
  end
  assign cover_all_o = cycles_q > 3'(Pad) && step[2] && &comes;

endmodule

`default_nettype wire
