// SPDX-License-Identifier: Apache-2.0
// stream_endpoint_tb: drives rc_stream_endpoint.sv with random rows and random handshakes that
// follow AXI4-Stream, for its assertions (tests/cli/assertions.sh). Prints the words accepted at
// both streams. With Withdraws, the source withdraws words that are not accepted yet.
`default_nettype none

module stream_endpoint_tb #(
  parameter bit Withdraws = 0
);

  logic       clk = 1'b0, rst = 1'b1, valid = 1'b0, ready = 1'b0;
  logic       send = 1'b0, tx_en = 1'b0, recv = 1'b0, rx_en = 1'b0, rx_last = 1'b0;
  logic [7:0] word = '0;
  logic [8:0] lane = '0;
  wire        accepted, received;
  int         sent_words = 0, received_words = 0;

  rc_stream_endpoint #(.Width(8)) u_endpoint (
    .clk_i(clk), .rst_i(rst), .clear_i(rst), .s_axis_tvalid_i(valid), .s_axis_tready_o(accepted),
    .s_axis_tdata_i(word), .m_axis_tvalid_o(received), .m_axis_tready_i(ready),
    .m_axis_tdata_o(), .m_axis_tlast_o(), .send_i(send), .tx_en_i(tx_en), .lane_o(),
    .recv_i(recv), .rx_en_i(rx_en), .rx_last_i(rx_last), .lane_i(lane), .flags_o()
  );

  always #5 clk = ~clk;

  logic taken = 1'b0;                                // the word is accepted at the next edge

  initial begin
    repeat (2) @(negedge clk);
    rst = 1'b0;
    for (int cycle = 0; cycle < 1000; cycle++) begin
      {send, tx_en, recv, rx_en, rx_last, ready} = 6'($urandom);
      lane = 9'($urandom);
      if (taken || !valid || Withdraws) {valid, word} = 9'($urandom);
      #1 taken = valid && accepted;
      if (taken) sent_words = sent_words + 1;
      if (received && ready) received_words = received_words + 1;
      @(negedge clk);
    end
    $display("%0d words sent, %0d received", sent_words, received_words);
    $finish(0);
  end

endmodule

`default_nettype wire
