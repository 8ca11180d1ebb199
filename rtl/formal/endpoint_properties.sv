// endpoint_properties: when an endpoint raises its flags and reports a packet, for any programs and words.
//
// A flit is expected when rx_en_i is high and the row that was fetched last has a packet to receive.
//
//  1. Unexpected rises in the cycle in which a word arrives that is not expected, missing in the one in
//     which an expected one does not; both stay until the next start, and rise for no other reason.
//  2. A packet is reported as complete up to a flit exactly if that flit is expected and arrives, and since
//     the fetch of its row nothing was missing or unexpected.
//  3. A word leaves one cycle after tx_en_i only if the row fetched for sending has a packet to send; when
//     none leaves the lane is 0, so that an idle lane carries nothing.
//  4. If it has one and no word leaves, `not held` rises in that cycle, and for no other reason; it stays
//     until the next start.
//
// The host reads the fetched row of one program all the time, by which the property sees its valid bit:
// of the receive program (Region = 1) for 1 and 2, of the send program (Region = 0) for 3 and 4. The
// property does not see into the packet memory: which words are held is left to the testbench.
// Assumed: a row is fetched at least every fourth cycle (rule 2 remembers no more than that).
`default_nettype none

module endpoint_properties #(
  parameter int Width      = 2,
  parameter int Packets    = 2,
  parameter int Flits      = 2,
  parameter int Rows       = 2,
  parameter int Region     = 1,
  parameter int PacketBits = $clog2(Packets),
  parameter int FlitBits   = $clog2(Flits),
  parameter int RowBits    = $clog2(Rows)
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  clear_i,
  input  wire                  single_i,
  input  wire                  fetch_i,
  input  wire [RowBits-1:0]    row_i,
  input  wire                  tx_en_i,
  input  wire [FlitBits-1:0]   tx_flit_i,
  input  wire                  rx_fetch_i,
  input  wire [RowBits-1:0]    rx_row_i,
  input  wire                  rx_en_i,
  input  wire [FlitBits-1:0]   rx_flit_i,
  input  wire [Width:0]        lane_i,
  input  wire                  host_we_send_i,
  input  wire                  host_we_recv_i,
  input  wire                  host_we_packet_i,
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits-1:0]   host_flit_i,
  input  wire [31:0]           host_wdata_i,
  output wire                  cover_flags_o,
  output wire                  cover_complete_o,
  output wire                  cover_sent_o
);

  wire [Width:0] lane;
  wire [31:0]    obs, rdata;

  endpoint #(.Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows)) u_endpoint (
    .clk_i, .rst_i, .clear_i, .single_i, .fetch_i, .row_i, .tx_en_i, .tx_flit_i, .lane_o(lane),
    .rx_fetch_i, .rx_row_i, .rx_en_i, .rx_flit_i, .lane_i, .obs_o(obs),
    .host_req_i(1'b1), .host_all_i(1'b1), .host_node_i(1'b0),
    .host_we_send_i, .host_we_recv_i, .host_we_packet_i, .host_re_i(1'b1),
    .host_row_i, .host_packet_i, .host_flit_i, .host_wdata_i, .host_region_i(2'(Region)),
    .host_rdata_o(rdata)
  );

  wire program_valid = rdata[31];

  // From the third cycle on the host sees what it reads; the first is a reset, which lowers the flags.
  logic [2:0] age_q = '0;
  wire        seen = age_q >= 3'd3;
  always_ff @(posedge clk_i) if (!seen) age_q <= age_q + 1'b1;
  always_comb if (!seen) assume (rst_i);

  if (Region == 1) begin : g_receive
    logic [1:0] since_q = '0;                        // cycles since a fetch
    logic       unexpected_q = 1'b0, missing_q = 1'b0, broken_q;
    wire        arrived    = lane_i[Width];
    wire        expected   = rx_en_i && program_valid;
    wire        unexpected = arrived && !expected;
    wire        missing    = expected && !arrived;

    always_ff @(posedge clk_i) begin
      since_q      <= rx_fetch_i ? 2'd0 : since_q + 2'd1;
      unexpected_q <= !rst_i && !clear_i && (unexpected_q || unexpected);
      missing_q    <= !rst_i && !clear_i && (missing_q || missing);
      broken_q     <= !rx_fetch_i && (broken_q || unexpected || missing);
    end

    always_comb if (since_q == 2'd3 || !seen) assume (rx_fetch_i);
    always_comb if (seen) begin
      unexpected_rises: assert (obs[29] == (unexpected_q || unexpected));
      missing_rises: assert (obs[30] == (missing_q || missing));
      complete: assert (obs[31] == (expected && arrived && !broken_q));
    end

    assign cover_flags_o    = seen && unexpected_q && missing_q && !unexpected && !missing;
    assign cover_complete_o = seen && obs[31] && rx_flit_i == '1 && !unexpected_q && !missing_q;
    assign cover_sent_o     = 1'b0;
  end else begin : g_send
    logic sending_q, not_held_q = 1'b0;
    wire  not_held = sending_q && !lane[Width];

    always_ff @(posedge clk_i) begin
      sending_q  <= tx_en_i && program_valid;
      not_held_q <= !rst_i && !clear_i && (not_held_q || (seen && not_held));
    end

    always_comb if (seen) begin
      idle_lane: assert (sending_q || lane == '0);
      not_held_rises: assert (obs[28] == (not_held_q || not_held));
    end

    assign cover_flags_o    = seen && not_held_q && !not_held;
    assign cover_complete_o = 1'b0;
    assign cover_sent_o     = seen && lane == '1;
  end

endmodule

`default_nettype wire
