// SPDX-License-Identifier: Apache-2.0
// stream_endpoint_properties: properties of an endpoint with AXI4-Stream.
//
// For any rows, lanes, streams, clears and resets:
//
//  1. A word is accepted on s_axis in the cycles of flits to send, and in no others. It is on the
//     lane in the next cycle; otherwise the lane is not valid.
//  2. A word on m_axis stays unchanged until it is accepted, unless there is a reset.
//  3. A word that arrives as expected is on m_axis in the next cycle, once, unless the word before
//     it is not accepted: then it is lost and the flag `missing` is set.
//  4. The flags are set by their causes, and by nothing else, and stay set until clear_i.
//
// Nothing is assumed.
`default_nettype none

module stream_endpoint_properties #(
  parameter int Width = 2
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             clear_i,
  input  wire             s_valid_i,
  input  wire [Width-1:0] s_data_i,
  input  wire             m_ready_i,
  input  wire             send_i,
  input  wire             tx_en_i,
  input  wire             recv_i,
  input  wire             rx_en_i,
  input  wire             rx_last_i,
  input  wire [Width:0]   lane_i,
  output wire             cover_back_to_back_o,
  output wire             cover_lost_o
);

  wire             s_ready, m_valid, m_last;
  wire [Width-1:0] m_data;
  wire [Width:0]   lane;
  wire [2:0]       flags;

  rc_stream_endpoint #(.Width(Width)) u_endpoint (
    .clk_i, .rst_i, .clear_i, .s_axis_tvalid_i(s_valid_i), .s_axis_tready_o(s_ready),
    .s_axis_tdata_i(s_data_i), .m_axis_tvalid_o(m_valid), .m_axis_tready_i(m_ready_i),
    .m_axis_tdata_o(m_data), .m_axis_tlast_o(m_last), .send_i, .tx_en_i, .lane_o(lane), .recv_i,
    .rx_en_i, .rx_last_i, .lane_i, .flags_o(flags)
  );

  logic             seen_q = 1'b0;                   // a cycle ago there was a cycle
  logic             reset_q, sent_q, waits_q, last_q, arrives_q, stray_q, empty_q, clear_q;
  logic             late_q, accepted_q;
  logic [Width-1:0] s_data_q, m_data_q, word_q;
  logic [2:0]       flags_q;
  logic             rx_last_q;

  always_ff @(posedge clk_i) begin
    seen_q     <= 1'b1;
    reset_q    <= rst_i;
    clear_q    <= clear_i;
    sent_q     <= s_valid_i && s_ready;
    s_data_q   <= s_data_i;
    empty_q    <= tx_en_i && send_i && !s_valid_i;
    waits_q    <= m_valid && !m_ready_i;             // the word on m_axis is not accepted
    accepted_q <= m_valid && m_ready_i;
    m_data_q   <= m_data;
    last_q     <= m_last;
    arrives_q  <= rx_en_i && recv_i && lane_i[Width];
    late_q     <= rx_en_i && recv_i && !lane_i[Width];
    stray_q    <= rx_en_i && !recv_i && lane_i[Width];
    word_q     <= lane_i[Width-1:0];
    rx_last_q  <= rx_last_i;
    flags_q    <= flags;
  end

  always_comb begin
    only_flits: assert (s_ready == (tx_en_i && send_i));
  end

  always_comb if (seen_q) begin
    on_the_lane: assert (lane[Width] == sent_q);
    the_word: assert (!sent_q || lane[Width-1:0] == s_data_q);
    // m_axis
    a_reset: assert (!reset_q || !m_valid);
    stays: assert (!waits_q || reset_q || (m_valid && m_data == m_data_q && m_last == last_q));
    delivered: assert (!arrives_q || waits_q || reset_q
                       || (m_valid && m_data == word_q && m_last == rx_last_q));
    nothing_else: assert (!m_valid || waits_q || arrives_q);
    // flags
    missing: assert (flags[2] == (!clear_q && (flags_q[2] || late_q || (arrives_q && waits_q))));
    unexpected: assert (flags[1] == (!clear_q && (flags_q[1] || stray_q)));
    not_held: assert (flags[0] == (!clear_q && (flags_q[0] || empty_q)));
  end

  // Covers: two words in consecutive cycles, the first of which is accepted; a word that is lost.
  assign cover_back_to_back_o = seen_q && accepted_q && arrives_q && m_valid;
  assign cover_lost_o         = seen_q && arrives_q && waits_q && !clear_q && flags[2];

endmodule

`default_nettype wire
