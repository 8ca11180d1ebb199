// SPDX-License-Identifier: Apache-2.0
// fat_tree_links_properties: in a tree of routers, the neighbour of a node receives what the node
// sends.
//
// Node n of level l-1 is child n mod k_l of router n / k_l of level l; leaves are the nodes of
// level 0. Lane i of the branch between them has number n c_l + i at its lower end; at its upper
// end it is port (n mod k_l) c_l + i of the router. The ports of a router to its own parent follow.
//
//  1. The router above receives, on each lane, exactly what a leaf or a router sends up, Pad
//     clocked cycles later; the same holds for the downward direction. A leaf receives 0 if no
//     packet arrives.
//  2. If reception is open, the routers receive the number of flit k of a row exactly Pad + 1
//     cycles after the nodes were instructed to read it. A word is on the lane one cycle after it
//     was read, so a flit and its number arrive together.
//
// For any contents of tables and memories, host accesses, starts and resets. Assumed: nothing.
`default_nettype none

module fat_tree_links_properties #(
  parameter int Height           = 2,
  parameter bit [383:0] Children = 384'h20002,
  parameter bit [383:0] Capacity = 384'h20001,
  parameter bit [383:0] Depth    = 384'h20002,
  parameter bit [383:0] Queue    = 384'h20002,
  parameter int Auto             = 0,
  parameter int Pad              = 1,
  parameter int Width            = 3,
  parameter int Leaves           = 4,                // the product of Children
  parameter int Most             = 2,                // largest element of Capacity
  parameter int LaneBits         = Width + 1
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        host_we_i,
  input  wire        host_re_i,
  input  wire [31:0] host_addr_i,
  input  wire [31:0] host_wdata_i,
  input  wire        start_i,
  output wire        cover_up_o,
  output wire        cover_down_o
);

  // The ports of the machine are not checked.
  (* keep *)
  rc_fat_tree_machine #(
    .Height(Height), .Children(Children), .Capacity(Capacity), .Depth(Depth), .Queue(Queue),
    .Auto(Auto), .Pad(Pad), .Width(Width)
  ) u_machine (
    .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o(),
    .host_error_o(), .start_i, .busy_o(), .run_o(), .done_o(), .error_o(), .irq_o(),
    .obs_strobe_o(), .obs_o()
  );

  // Words that are sent and received on the branches below each level, lane by lane.
  localparam int Bits = Leaves * Most * LaneBits;
  wire [Bits-1:0] up_sent [Height+1], up_got [Height+1], down_sent [Height+1], down_got [Height+1];

  function automatic int nodes(input int level);
    nodes = 1;
    for (int l = level + 1; l <= Height; l++) nodes = nodes * 32'(Children[(l-1)*16 +: 16]);
  endfunction

  for (genvar leaf = 0; leaf < Leaves; leaf++) begin : \u_machine.u_shell.g_node
    (* hierconn *) wire [LaneBits-1:0] \u_endpoint.lane_o , \u_endpoint.lane_i ;
    assign up_sent[1][leaf*LaneBits +: LaneBits]  = \u_endpoint.lane_o ;
    assign down_got[1][leaf*LaneBits +: LaneBits] = \u_endpoint.lane_i ;
  end

  for (genvar l = 1; l <= Height; l++) begin : \u_machine.g_level
    localparam int Below = 32'(Children[(l-1)*16 +: 16]) * 32'(Capacity[(l-1)*16 +: 16]);
    localparam int Above = l < Height ? 32'(Capacity[l*16 +: 16]) : 0;
    localparam int Ports = Below + Above;

    for (genvar j = 0; j < nodes(l); j++) begin : g_router
      (* hierconn *) wire [Ports*LaneBits-1:0] lanes_in, lanes_out;
      assign up_got[l][j*Below*LaneBits +: Below*LaneBits]    = lanes_in[0 +: Below*LaneBits];
      assign down_sent[l][j*Below*LaneBits +: Below*LaneBits] = lanes_out[0 +: Below*LaneBits];
      if (Above != 0) begin : g_above
        assign up_sent[l+1][j*Above*LaneBits +: Above*LaneBits] =
            lanes_out[Below*LaneBits +: Above*LaneBits];
        assign down_got[l+1][j*Above*LaneBits +: Above*LaneBits] =
            lanes_in[Below*LaneBits +: Above*LaneBits];
      end
    end
  end

  (* hierconn *) wire \u_machine.ce ;
  logic past_q = 1'b0;
  always_ff @(posedge clk_i) past_q <= 1'b1;

  for (genvar l = 1; l <= Height; l++) begin : g_branches
    localparam int Lanes = nodes(l - 1) * 32'(Capacity[(l-1)*16 +: 16]);
    for (genvar n = 0; n < Lanes; n++) begin : g_lane
      wire [LaneBits-1:0] up, down, got;
      if (Pad == 0) begin : g_wire
        assign up   = up_sent[l][n*LaneBits +: LaneBits];
        assign down = down_sent[l][n*LaneBits +: LaneBits];
      end else begin : g_registers
        logic [Pad*LaneBits-1:0] up_q, down_q;
        always_ff @(posedge clk_i) begin
          if ( \u_machine.ce ) begin
            up_q   <= (Pad*LaneBits)'({up_q, up_sent[l][n*LaneBits +: LaneBits]});
            down_q <= (Pad*LaneBits)'({down_q, down_sent[l][n*LaneBits +: LaneBits]});
          end
        end
        assign up   = up_q[(Pad-1)*LaneBits +: LaneBits];
        assign down = down_q[(Pad-1)*LaneBits +: LaneBits];
      end
      assign got = down_got[l][n*LaneBits +: LaneBits];

      // In the first cycles the registers of the links contain arbitrary words.
      logic [1:0] clocked_q = '0;
      always_ff @(posedge clk_i) begin
        if ( \u_machine.ce && clocked_q < 2'(Pad)) clocked_q <= clocked_q + 1'b1;
      end
      always_comb if (clocked_q == 2'(Pad)) begin
        assert (up_got[l][n*LaneBits +: LaneBits] == up);
        assert (got == (l == 1 && !down[Width] ? '0 : down));
      end
    end
  end

  // Control of the routers: {single_port, forward, send_fetch, send_row, tx_en, tx_flit, rx_en,
  // rx_last, rx_flit}, of two rows and two flits.
  (* hierconn *) wire [8:0] \u_machine.step ;
  (* hierconn *) wire       \u_machine.u_shell.rx_open ;
  wire                rx_en = \u_machine.step [2];
  logic [2*(Pad+1)-1:0] reported_q;                      // {tx_en, tx_flit}, newest in lowest bits
  logic               open_q, reset_q;
  logic [2:0]         cycles_q = '0;

  always_ff @(posedge clk_i) begin
    reported_q <= (2*(Pad+1))'({reported_q, \u_machine.step [4:3]});
    open_q  <= \u_machine.u_shell.rx_open ;
    reset_q <= rst_i;
    if (cycles_q <= 3'(Pad)) cycles_q <= cycles_q + 1'b1;
  end

  wire [1:0] reported = reported_q[2*Pad +: 2];
  always_comb if (cycles_q > 3'(Pad)) begin
    assert (rx_en == (reported[1] && open_q && !reset_q));
    if (rx_en) assert ( \u_machine.step [0] == reported[0]);
  end

  // Covers: a word of ones on each upward lane, or on each downward lane, of the top level.
  localparam int Top = nodes(Height - 1) * 32'(Capacity[(Height-1)*16 +: 16]);
  assign cover_up_o   = past_q && rx_en && &up_got[Height][0 +: Top*LaneBits];
  assign cover_down_o = past_q && rx_en && &down_got[1][0 +: Leaves*LaneBits];

endmodule

`default_nettype wire
