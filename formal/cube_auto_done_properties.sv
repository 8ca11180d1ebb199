// SPDX-License-Identifier: Apache-2.0
// cube_auto_done_properties: when a node of a self-timed hypercube reports that it is done, and
// when it sends `last`, which other nodes must receive before they are done.
//
//  1. A node is done exactly if a complete packet of kind `last` has arrived over each port; for
//     the port of its own tree, a root must have sent `last` itself.
//  2. A root sends its own `last` at most once, in a row in whose fetch its sums report that all
//     packets have arrived and no packet of its tree remains to be sent, neither its own nor one
//     that climbed. It sends `last` over all ports, with the packet count of the sums.
//  3. Otherwise `last` is sent over a port only if it arrived in the row before from the parent in
//     the tree that descends over this port. The same holds for other descending packets.
//  4. A packet that arrived from a parent in the row before is sent by the router over the ports of
//     that tree, from the slot in which it was stored.
//
// cube_auto_sums_properties.sv proves when all packets have arrived. By 3 and 4, a packet of any
// kind descends one arc per row; router_core_properties.sv proves that the router sends packets
// unchanged. Therefore no packet arrives after `last`, which the root sends after all others (2).
//
// Assumed: whole packets of two flits, in rows with the timing of the sequencer, over links without
// registers: flit 0 arrives in the cycle in which it is sent. After a reset, a run begins with row
// 0, and rows are consecutive. No tree descends over the port of the own tree of a root, so no
// `last` arrives there.
`default_nettype none

module cube_auto_done_properties #(
  parameter int Dimensions = 2,
  parameter int Node       = 1,
  parameter int Depth      = 2,
  parameter int Queue      = 2,
  parameter int Packets    = 16,
  parameter int Rows       = 16,
  parameter int PacketBits = $clog2(Packets),
  parameter int Width      = PacketBits + 2,
  parameter int LaneBits   = Width + 1,
  parameter int RowBits    = $clog2(Rows),
  parameter int ListBits   = rc_shell_bus::list_bits(Packets, Rows),
  parameter int HostBits   = rc_shell_bus::host_bits(Dimensions, 1, Rows)
) (
  input  wire                           clk_i,
  input  wire                           next_row_i,        // the next row begins
  input  wire [PacketBits-1:0]          count_i,
  input  wire [Dimensions*LaneBits-1:0] lanes_i,
  output wire                           cover_root_o,
  output wire                           cover_relayed_o,
  output wire                           cover_done_o
);

  localparam int D    = Dimensions;
  localparam int Root = rc_cube_tree::root_of(Node, D);
  localparam int End  = D + 4;                       // the last phase of a row

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  // 0: idle, or the fetch; 1, 2: flits are read; 2, 3: they are on the lanes.
  logic [3:0]         phase_q = '0;
  logic [RowBits-1:0] row_q   = '0;
  wire                fetch   = running_q && phase_q == '0 && next_row_i && row_q != '1;
  always_ff @(posedge clk_i) begin
    phase_q <= phase_q == '0 ? 4'(fetch) : phase_q == 4'(End) ? '0 : phase_q + 1'b1;
    if (phase_q == 4'(End)) row_q <= row_q + 1'b1;
  end
  wire tx_en   = phase_q == 4'd1 || phase_q == 4'd2;
  wire header  = phase_q == 4'd2;
  wire rx_last = phase_q == 4'd3;

  wire [D*LaneBits-1:0] lanes;
  wire                  done;

  rc_cube_auto_node #(
    .Dimensions(D), .Node(Node), .Depth(Depth), .Queue(Queue), .Width(Width), .Packets(Packets),
    .Rows(Rows)
  ) u_node (
    .clk_i, .rst_i(!running_q), .start_i(1'b0), .count_i,
    .step_i({2'b00, fetch, row_q, tx_en, phase_q == 4'd2, header || rx_last, rx_last, rx_last}),
    .lanes_i, .stored_o(), .lanes_o(lanes), .list_o(), .done_o(done),
    .host_i({HostBits{1'b0}}), .host_rdata_o()
  );

  (* hierconn *) wire         \u_node.all_come ;
  (* hierconn *) wire [D-1:0] \u_node.own , \u_node.waits , \u_node.relay , \u_node.relay_last ;
  (* hierconn *) wire [D-1:0] \u_node.done_q ;
  (* hierconn *) wire [PacketBits-1:0] \u_node.of_root ;

  // `last` packets that arrived: over each port at any time (over_q), and in the row (just_q).
  logic [D-1:0] valid_q, is_last_q, over_q = '0, just_q = '0;
  logic [D-1:0] before_q = '0;                       // just_q at the fetch of the row
  logic [D-1:0] is_falling_q, falling_q = '0, fell_q = '0;  // the same for other descending packets
  wire  [D-1:0] valid, reports, sends, expected, falls, sinks, due;
  for (genvar p = 0; p < D; p++) begin : g_port
    localparam int Falls  = rc_cube_tree::tree_over(Node ^ (1 << p), p + 1, D);
    localparam int Parent = Falls == 0 ? 0 : rc_cube_tree::parent(Node, Falls, D);
    wire [LaneBits-1:0] in  = lanes_i[p*LaneBits +: LaneBits];
    wire [LaneBits-1:0] out = lanes[p*LaneBits +: LaneBits];
    assign valid[p]    = in[Width];
    assign reports[p]     = in[Width-1 -: 2] == 2'd3;
    assign sends[p]    = out[Width-1 -: 2] == 2'd3 && out[Width];
    assign expected[p] = Parent != 0 && before_q[(Parent + D - 1) % D];
    assign falls[p]    = in[Width-1 -: 2] == 2'd2;
    assign sinks[p]    = out[Width-1 -: 2] == 2'd2 && out[Width];
    assign due[p]      = Parent != 0 && fell_q[(Parent + D - 1) % D];
  end
  always_comb if (rx_last) assume (valid == valid_q);
  always_comb if (header && Root != 0)
    assume (!valid[(Root + D - 1) % D] || !reports[(Root + D - 1) % D]);

  always_ff @(posedge clk_i) begin
    if (header) begin
      valid_q   <= valid;
      is_last_q <= reports;
      is_falling_q <= falls;
    end
    if (rx_last) begin
      over_q <= over_q | (valid & is_last_q);
      just_q <= valid & is_last_q;
      falling_q <= valid & is_falling_q;
    end
    if (fetch) begin
      before_q <= 32'(row_q) > 2 * D ? just_q : '0;
      fell_q   <= 32'(row_q) > 2 * D ? falling_q : '0;
    end
  end

  // What the router sends: reported[p] is high if it sends a due packet over port p.
  localparam int PortBits = D > 1 ? $clog2(D) : 1;
  (* hierconn *) wire [D-1:0] \u_node.route_valid , \u_node.read_slot , \u_node.write_slot ,
                              \u_node.place ;
  (* hierconn *) wire [D*PortBits-1:0] \u_node.route_port ;
  wire [D-1:0] reported;
  logic        spreads_q = 1'b0;                     // a root sends its packets in this row
  for (genvar p = 0; p < D; p++) begin : g_reported
    localparam int Falls  = rc_cube_tree::tree_over(Node ^ (1 << p), p + 1, D);
    localparam int Parent = Falls == 0 ? 0 : rc_cube_tree::parent(Node, Falls, D);
    localparam int From   = (Parent + D - 1) % D;
    assign reported[p] = spreads_q || !(expected[p] || due[p]) || (\u_node.route_valid [p] &&
        \u_node.route_port [p*PortBits +: PortBits] == PortBits'(From) &&
        \u_node.read_slot [From] != \u_node.write_slot [From]);
  end

  // A root: its state at the fetch of the row, and whether it sent `last` then or before.
  logic                  may_q = 1'b0, ended_q = 1'b0;
  logic [PacketBits-1:0] number_q;
  wire                   come = Root != 0 && \u_node.all_come && 32'(row_q) > 2 * D && !ended_q;
  wire                   may  = come && ! \u_node.own [(Root + D - 1) % D] &&
      ! \u_node.waits [(Root + D - 1) % D];
  always_ff @(posedge clk_i) if (fetch) begin
    spreads_q <= come;
    may_q     <= may;
    number_q  <= \u_node.of_root ;
    ended_q   <= ended_q || may;
  end

  wire [D-1:0] wrong = sends & ~(spreads_q ? {D{may_q}} : expected);
  always_comb if (running_q && header) begin
    nothing_else: assert (wrong == '0);
    everywhere: assert (!may_q || sends == '1);
    no_others: assert (spreads_q || (sinks & ~due) == '0);
    in_time: assert (reported == '1);
  end
  for (genvar p = 0; p < D; p++) begin : g_number
    always_comb if (running_q && rx_last && may_q)
      assert (lanes[p*LaneBits +: PacketBits] == number_q);
  end
  wire [D-1:0] all = Root == 0 ? over_q : over_q | (D'(ended_q) << ((Root + D - 1) % D));
  always_comb if (running_q) exactly: assert (done == (all == '1));

`ifndef REFUTE
  // Invariants for the induction. The kind of a packet is not stored in a buffer.
  wire [D-1:0] plain;
  for (genvar p = 0; p < D; p++) begin : \u_node.u_router.g_core.u_core.g_input
    (* hierconn *) wire             slot_q, full_q;
    (* hierconn *) wire [Width-1:0] \g_read[0].u_buffer.mem[0] , \g_read[0].u_buffer.mem[2] ;
    assign plain[p] = (!(full_q || slot_q) || \g_read[0].u_buffer.mem[0] [Width-1 -: 2] == '0) &&
        (!full_q || \g_read[0].u_buffer.mem[2] [Width-1 -: 2] == '0);
  end
  (* hierconn *) wire \u_node.packets_q ;

  always_comb if (running_q) begin
    assert (phase_q <= 4'(End) && (phase_q == '0 || row_q != '1));
    kinds: assert (plain == '1);
    rows: assert (\u_node.packets_q == (32'(row_q) > 2 * D ||
                                        (phase_q != '0 && 32'(row_q) == 2 * D)));
    ports: assert (\u_node.done_q == all && (Root == 0 || !over_q[(Root + D - 1) % D]));
    if (phase_q == '0 || 32'(phase_q) > 3) begin
      relays: assert ((\u_node.relay & \u_node.relay_last ) == just_q &&
                      \u_node.relay == (just_q | falling_q));
      places: assert ((\u_node.relay & ~( \u_node.place ^ \u_node.write_slot )) == '0);
    end
  end
`endif

  assign cover_root_o    = running_q && header && may_q;
  assign cover_relayed_o = running_q && header && !spreads_q && (sends & expected) != '0;
  assign cover_done_o    = running_q && done;

endmodule

`default_nettype wire
