// SPDX-License-Identifier: Apache-2.0
// endpoint_range_properties: an endpoint with ranges starts with the range that the host wrote.
//
//  1. The host reads the word {valid, last} that it wrote last, in any row; writes to other nodes
//     make no difference.
//  2. If `valid` is set, the first header after a start ends with node `last`; a node without a
//     range sends nothing until it has received a packet.
//
// Assumed: the host addresses a node before it writes, and does not write in the cycle of a read,
// the cycle after it, or the cycle of a start; packets have two flits. The first cycle is a reset.
`default_nettype none

module endpoint_range_properties #(
  parameter int Node     = 1,
  parameter int NodeBits = 2,
  parameter int Width    = 4
) (
  input  wire                clk_i,
  input  wire                start_i,
  input  wire                row_begins_i,
  input  wire                tx_en_i,
  input  wire [4:0]          splits_i,
  input  wire                host_req_i,
  input  wire [NodeBits-1:0] host_node_i,
  input  wire                host_we_send_i,
  input  wire                host_re_send_i,
  input  wire                host_row_i,
  input  wire [31:0]         host_data_i,
  output wire                cover_read_o,
  output wire                cover_sent_o
);

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  wire [31:0]    obs;
  wire [Width:0] lane;

  rc_endpoint #(
    .Width(Width), .Node(Node), .NodeBits(NodeBits), .Ranges(1), .Nodes(4)
  ) u_endpoint (
    .clk_i, .rst_i(!running_q), .start_i, .clear_i(start_i || !running_q),
    .forward_i(1'b0), .same_flit_i(1'b0),
    .send_fetch_i(1'b0), .send_row_i('0), .base_i('0), .tx_en_i, .tx_flit_i('0), .lane_o(lane),
    .recv_fetch_i(1'b0), .recv_row_i('0), .rx_base_i('0),
    .excess_i('0), .rx_excess_i('0), .last_packet_i('0), .recv_prefetch_i(1'b0),
    .packets_i(2'd1), .row_begins_i,
    .last_flit_i(1'b1), .splits_i({5'b0, splits_i}), .rx_en_i(1'b0), .rx_last_i(1'b0),
    .rx_flit_i('0), .lane_i('0), .obs_o(obs), .list_i('0), .count_o(), .host_req_i,
    .host_all_i(1'b0), .host_node_i, .host_we_send_i, .host_we_recv_i(1'b0),
    .host_we_packet_i(1'b0), .host_re_send_i, .host_re_recv_i(1'b0), .host_re_packet_i(1'b0),
    .host_re_flags_i(1'b0), .host_re_memory_i(host_re_send_i), .host_row_i, .host_packet_i('0),
    .host_flit_i('0), .host_data_i
  );

  logic              known_q = 1'b0, mine_q = 1'b0;  // there was an access; to this node
  logic              written_q = 1'b0, asked_q = 1'b0;
  logic              sent_q = 1'b1;                  // after the first header of the run
  logic [NodeBits:0] word_q, run_q;
  wire               leaves = running_q && lane[Width] && !sent_q;

  always_comb begin
    if (host_re_send_i || start_i || !known_q) assume (!host_we_send_i);
    if (!running_q) assume (!start_i && !host_we_send_i && !host_re_send_i);
  end

  always_ff @(posedge clk_i) begin
    if (host_req_i) known_q <= 1'b1;
    if (host_req_i) mine_q <= 32'(host_node_i) == Node;
    if (host_we_send_i && mine_q) begin
      written_q <= 1'b1;
      word_q    <= {host_data_i[31], host_data_i[NodeBits-1:0]};
    end
    asked_q <= host_re_send_i && mine_q && written_q;
    if (leaves) sent_q <= 1'b1;
    if (start_i && written_q) begin
      sent_q <= 1'b0;
      run_q  <= word_q;
    end
    if (start_i && !written_q) sent_q <= 1'b1;
  end

  logic read_q = 1'b0;                               // no write since the word was asked for
  always_ff @(posedge clk_i) read_q <= host_re_send_i;
  always_comb if (read_q) assume (!host_we_send_i);

  always_comb begin
    if (asked_q && read_q)
      read_back: assert (obs == {word_q[NodeBits], 31'(word_q[NodeBits-1:0])});
    if (leaves) begin
      with_range: assert (run_q[NodeBits] && 32'(run_q[NodeBits-1:0]) > Node);
      its_end: assert (lane[NodeBits-1:0] == run_q[NodeBits-1:0]);
    end
  end

`ifndef REFUTE
  // Invariants of the induction: the word, and the range of a run before its first header.
  (* hierconn *) wire [NodeBits:0] \u_endpoint.g_send_range.word_q ;
  (* hierconn *) wire \u_endpoint.selected_q ;
  (* hierconn *) wire \u_endpoint.tx_valid_q ;
  (* hierconn *) wire                \u_endpoint.g_ranges.u_range.heads_q ;
  (* hierconn *) wire                \u_endpoint.g_ranges.u_range.sending_q ;
  (* hierconn *) wire [1:0]          \u_endpoint.g_ranges.u_range.count_q ;
  (* hierconn *) wire [1:0]          \u_endpoint.g_ranges.u_range.sent_q ;
  (* hierconn *) wire [NodeBits-1:0] \u_endpoint.g_ranges.u_range.others_q ;
  wire                heads   = \u_endpoint.g_ranges.u_range.heads_q ;
  wire                sending = \u_endpoint.g_ranges.u_range.sending_q ;
  wire [1:0]          count   = \u_endpoint.g_ranges.u_range.count_q ;
  wire [1:0]          sent    = \u_endpoint.g_ranges.u_range.sent_q ;
  wire [NodeBits-1:0] left    = \u_endpoint.g_ranges.u_range.others_q ;
  wire              ranged = run_q[NodeBits] && 32'(run_q[NodeBits-1:0]) > Node;
  wire [NodeBits:0] others = run_q[NodeBits-1:0] - NodeBits'(Node);
  always_comb if (written_q) assert ( \u_endpoint.g_send_range.word_q == word_q);
  always_comb if (known_q) assert ( \u_endpoint.selected_q == mine_q);
  always_comb if (written_q || !sent_q) assert (known_q && written_q);
  always_comb if (running_q && !sent_q) begin
    assert (count == 2'(run_q[NodeBits]) && sent == '0);
    assert (left == (ranged ? others[NodeBits-1:0] : '0));
    assert (sending == heads);
    assert ( \u_endpoint.tx_valid_q == heads);
    if (heads) assert (ranged);
  end
`endif

  assign cover_read_o = asked_q && read_q && obs == 32'h80000003;
  assign cover_sent_o = leaves && lane[NodeBits-1:0] == 2'd3;

endmodule

`default_nettype wire
