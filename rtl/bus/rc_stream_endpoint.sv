// SPDX-License-Identifier: Apache-2.0
// rc_stream_endpoint: an endpoint of rc_multistage_fabric.sv with AXI4-Stream in place of a packet
// memory.
//
//     cycle              c-1   c     c+L   c+L+1
//     tx_en_i, send_i    ▔▔▔▔▔▔▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
//     s_axis_tready      ▔▔▔▔▔▔▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁     takes the word of a flit
//     lane_o                   word
//     rx_en_i, recv_i                ▔▔▔▔▔▔▁▁▁▁
//     lane_i                         word
//     m_axis_tdata                         word
//
// send_i and recv_i, from the schedule, state whether the port sends and receives in the row whose
// flits are due: send_i from the cycle after send_fetch_o to the last tx_en_i of the row, recv_i
// from the cycle after recv_fetch_o to rx_last_i.
//
// Between rows and runs both streams wait: s_axis_tready is low, and a word stays on m_axis_tdata
// until it is accepted. Within a row the network does not wait. A word that is missing on s_axis
// sends nothing and sets `not held`. A word that arrives while the one before it is still not
// accepted is lost and sets `missing`, as does a word that does not arrive; a word that arrives
// without recv_i sets `unexpected` and is dropped. Place a FIFO at either stream if needed.
`default_nettype none
`include "../common/rc_assert.svh"
`include "../common/rc_require.svh"

module rc_stream_endpoint #(
  parameter int Width = 8                            // >= 1; of AXI4-Stream a multiple of 8
) (
  input  wire              clk_i,
  input  wire              rst_i,                    // drops the word on m_axis_tdata
  input  wire              clear_i,                  // clears the flags
  // packets to send
  input  wire              s_axis_tvalid_i,
  output wire              s_axis_tready_o,
  input  wire  [Width-1:0] s_axis_tdata_i,
  // packets received; tlast with the last flit of a row
  output logic             m_axis_tvalid_o,
  input  wire              m_axis_tready_i,
  output logic [Width-1:0] m_axis_tdata_o,
  output logic             m_axis_tlast_o,
  // the fabric
  input  wire              send_i,
  input  wire              tx_en_i,
  output logic [Width:0]   lane_o,                   // {valid, word}
  input  wire              recv_i,
  input  wire              rx_en_i,
  input  wire              rx_last_i,
  input  wire  [Width:0]   lane_i,
  output wire  [2:0]       flags_o                   // {missing, unexpected, not held}
);

  `RC_REQUIRE(Width, Width >= 1, "Width must be 1 or more")

  assign s_axis_tready_o = tx_en_i & send_i;

  always_ff @(posedge clk_i) begin
    lane_o <= {s_axis_tready_o & s_axis_tvalid_i, s_axis_tdata_i & {Width{s_axis_tready_o}}};
  end

  wire due     = rx_en_i & recv_i;
  wire arrived = rx_en_i & lane_i[Width];
  wire waits   = m_axis_tvalid_o & ~m_axis_tready_i;
  wire takes   = due & arrived & ~waits;

  always_ff @(posedge clk_i) begin
    m_axis_tvalid_o <= ~rst_i & (takes | waits);
    if (takes) begin
      m_axis_tdata_o <= lane_i[Width-1:0];
      m_axis_tlast_o <= rx_last_i;
    end
  end

  logic missing_q, unexpected_q, not_held_q;

  always_ff @(posedge clk_i) begin
    missing_q    <= ~clear_i & (missing_q | (due & ~takes));
    unexpected_q <= ~clear_i & (unexpected_q | (arrived & ~recv_i));
    not_held_q   <= ~clear_i & (not_held_q | (s_axis_tready_o & ~s_axis_tvalid_i));
  end

  assign flags_o = {missing_q, unexpected_q, not_held_q};

  `RC_ASSERT_RESET(rst_i)
  `RC_EXPECT_STABLE(sent_word, Width + 1, s_axis_tvalid_i && !s_axis_tready_o,
                    {s_axis_tvalid_i, s_axis_tdata_i}, "s_axis changes before it is accepted")
  `RC_ASSERT_STABLE(received_word, Width + 2, m_axis_tvalid_o && !m_axis_tready_i,
                    {m_axis_tvalid_o, m_axis_tlast_o, m_axis_tdata_o},
                    "m_axis changes before it is accepted")
  `RC_ASSERT_KNOWN(handshake_known, {m_axis_tvalid_o, s_axis_tready_o}, "a handshake is unknown")

endmodule

`default_nettype wire
