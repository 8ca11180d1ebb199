// SPDX-License-Identifier: Apache-2.0
// uart_line_properties: bytes over a serial line, from rc_uart_sender.sv to rc_uart_receiver.sv.
//
//  1. While a byte is sent, no other byte is accepted. The receiver delivers it, without an error,
//     in the cycle in which the sender is ready again, and delivers nothing at other times.
//
// For any bytes, with pauses of any length. A bit has Divider cycles, the smallest number that is
// allowed. Both ends have the same clock, so the receiver samples each bit in its middle. The first
// two cycles are a reset.
`default_nettype none

module uart_line_properties #(
  parameter int Divider = 8
) (
  input  wire       clk_i,
  input  wire       valid_i,
  input  wire [7:0] byte_i,
  output wire       cover_reported_o,
  output wire       cover_two_o
);

  logic [1:0] age_q = '0;
  wire        running = age_q == '1;
  always_ff @(posedge clk_i) age_q <= {age_q[0], 1'b1};

  wire       ready, line, reported, error;
  wire [7:0] heard;

  rc_uart_sender #(.Divider(Divider)) u_sender (
    .clk_i, .rst_i(!running), .valid_i, .ready_o(ready), .byte_i, .tx_o(line)
  );

  rc_uart_receiver #(.Divider(Divider)) u_receiver (
    .clk_i, .rst_i(!running), .rx_i(line), .valid_o(reported), .error_o(error), .byte_o(heard)
  );

  logic       sends_q = 1'b0;                        // a byte was being sent in the cycle before
  logic [7:0] byte_q;
  logic       second_q = 1'b0;
  always_ff @(posedge clk_i) begin
    sends_q <= running && !ready;
    if (running && ready && valid_i) byte_q <= byte_i;
    if (running && reported) second_q <= 1'b1;
  end

  always_comb if (running) begin
    in_time: assert (reported == (sends_q && ready));
    if (reported) as_sent: assert (!error && heard == byte_q);
  end

`ifndef REFUTE
  // Invariants for the induction: the position of the sender in a byte determines the whole state;
  // position 0 is the first cycle of the start bit.
  (* hierconn *) wire [9:0] \u_sender.line_q ;
  (* hierconn *) wire [3:0] \u_sender.bits_q , \u_receiver.samples_q , \u_receiver.bits_q ;
  (* hierconn *) wire [2:0] \u_sender.count_q , \u_receiver.count_q ;
  (* hierconn *) wire       \u_receiver.busy_q , \u_receiver.high_q ;

  wire [3:0] left = \u_sender.bits_q ;
  wire [6:0] at   = 7'(4'd10 - left) * 7'(Divider) + 7'(Divider - 1) - 7'( \u_sender.count_q );
  wire [9:0] bits = {1'b1, byte_q, 1'b0};

  // The line k cycles ago; it was high before the byte.
  wire [4:0] was;
  for (genvar k = 0; k < 5; k++) begin : g_was
    wire [6:0] then = at - 7'(k);
    assign was[k] = 32'(at) < k || bits[then / 7'(Divider)];
  end

  wire [6:0] since = at - 7'd8;                      // cycles since the middle of the start bit
  wire [3:0] whole = at < 7'd8 ? '0 : 4'(since / 7'(Divider));  // bits received so far
  wire       busy  = at >= 7'd4;
  wire [7:0] shift = byte_q << (4'd8 - (whole > 4'd8 ? 4'd8 : whole));
  wire [7:0] mask  = ~(8'hff >> (whole > 4'd8 ? 4'd8 : whole));

  always_comb if (running) begin
    a_left: assert (left <= 4'd10 && ready == (left == '0));
    if (ready) begin
      a_rest: assert (\u_sender.line_q == '1 && \u_receiver.samples_q == '1);
      a_quiet: assert (! \u_receiver.busy_q );
    end else begin
      a_sends: assert (\u_sender.line_q == 10'({10'h3ff, bits} >> (4'd10 - left)));
      a_samples: assert (\u_receiver.samples_q == {was[4], was[3], was[2], was[1]});
      a_busy: assert (\u_receiver.busy_q == busy);
      if (at >= 7'd1 && !busy) a_high: assert (\u_receiver.high_q );
      if (busy) begin
        a_count: assert (\u_receiver.count_q == (at < 7'd8 ? 3'(7'd7 - at) : 3'd7 - since[2:0]));
        a_bits: assert (\u_receiver.bits_q == (at < 7'd8 ? '0 : whole + 4'd1));
        a_heard: assert (((heard ^ shift) & mask) == '0);
      end
    end
  end
`endif

  assign cover_reported_o = running && reported && heard == 8'hc3;
  assign cover_two_o  = running && reported && second_q && heard == 8'h5a;

endmodule

`default_nettype wire
