// SPDX-License-Identifier: Apache-2.0
// uart_frame_properties: frames from a serial line to the host port, and their answers.
//
// A frame has ten bytes; the first is "R", "W" or "X" and has a correct stop bit. Any other byte
// between frames is skipped. A frame is valid if all its stop bits are correct and its last byte is
// the CRC-8 of those before.
//
//  1. One cycle after the last byte of a valid frame "R" or "W", the host port receives a read, or
//     a write with its word, at its address; two cycles after the last byte of a valid frame "X",
//     the machine is reset. Nothing of this occurs at any other time.
//  2. Three cycles after the last byte of any frame, or five if it reached the host port, its
//     answer is ready: "K" if the frame was valid and the machine accepted the access, else "N";
//     for an accepted read the word that the host port delivered one cycle before, else 0; and the
//     CRC-8 of these bytes. The sender receives the six bytes one by one, and no others until the
//     next answer.
//
// For any bytes, times and resets, from a reset on, or from any state in which the reference and
// the RTL agree. The receiver and the sender connect the module to the line
// (uart_line_properties.sv).
`default_nettype none

module uart_frame_properties (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        rx_i,
  input  wire [31:0] word_i,
  input  wire        host_error_i,
  output wire        cover_wrote_o,
  output wire        cover_answered_o,
  output wire        cover_refused_o
);

  wire        we, re, resets;
  wire [31:0] addr, wdata;

  rc_uart #(.Divider(8)) u_uart (
    .clk_i, .rst_i, .rx_i, .tx_o(), .reset_o(resets), .host_we_o(we), .host_re_o(re),
    .host_addr_o(addr), .host_wdata_o(wdata), .host_rdata_i(word_i),
    .host_error_i, .start_o()
  );

  // Outputs of the receiver, and inputs of the sender.
  (* hierconn *) wire       \u_uart.valid , \u_uart.error ;
  (* hierconn *) wire [7:0] \u_uart.next ;
  (* hierconn *) wire       \u_uart.u_sender.valid_i , \u_uart.u_sender.ready_o ;
  (* hierconn *) wire [7:0] \u_uart.u_sender.byte_i ;
  wire       requested = \u_uart.valid ;
  wire       wrong = \u_uart.error ;
  wire [7:0] next  = \u_uart.next ;
  wire       gives = \u_uart.u_sender.valid_i ;
  wire       takes = gives && \u_uart.u_sender.ready_o ;
  wire [7:0] given = \u_uart.u_sender.byte_i ;

  logic seen_q = 1'b0;
  always_ff @(posedge clk_i) seen_q <= 1'b1;

  function automatic logic begins(input logic [7:0] byte_);
    begins = byte_ == "R" || byte_ == "W" || byte_ == "X";
  endfunction

  // Returns the remainder after one more byte, bit by bit.
  function automatic logic [7:0] remainder(input logic [7:0] before, input logic [7:0] byte_);
    remainder = before;
    for (int k = 7; k >= 0; k--)
      remainder = {remainder[6:0], 1'b0} ^ (remainder[7] != byte_[k] ? 8'h07 : 8'h00);
  endfunction

  // The frame so far.
  logic [71:0] bytes_q;                         // the first byte in the highest bits
  logic [3:0]  count_q;
  logic [7:0]  sum_q;                                // remainder of bytes_q
  logic        bad_q;
  wire         first = begins(next);
  wire         last  = requested && count_q == 4'd9 && !rst_i;
  wire         right = !bad_q && !wrong && next == sum_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= '0;
    end else if (requested && count_q == '0) begin
      count_q <= 4'(first && !wrong);
      bytes_q <= {next, 64'd0};
      sum_q   <= remainder(8'hff, next);
      bad_q   <= 1'b0;
    end else if (requested) begin
      count_q <= count_q == 4'd9 ? '0 : count_q + 4'd1;
      bad_q   <= bad_q || wrong;
      sum_q   <= remainder(sum_q, next);
      if (count_q != 4'd9) bytes_q <= bytes_q | {next, 64'd0} >> (8 * 32'(count_q));
    end
  end

  function automatic logic [31:0] swapped(input logic [31:0] word);  // low byte first
    swapped = {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

  // The frame, one cycle after its last byte, and later.
  logic        over_q, right_q;
  logic [71:0] frame_q;
  logic [3:1]  asked_q, read_q;            // requests of one to three cycles ago
  logic        other_q, done_q, reset_q;
  wire  [7:0]  what  = frame_q[71:64];
  wire         asks  = over_q && right_q && what != "X";
  always_ff @(posedge clk_i) begin
    over_q  <= last;
    right_q <= right;
    frame_q <= bytes_q;
    asked_q <= rst_i ? '0 : {asked_q[2:1], asks};
    read_q  <= {read_q[2:1], what == "R"};
    other_q <= !rst_i && over_q && !asks;
    done_q  <= right_q;
    reset_q <= !rst_i && over_q && right_q && what == "X";
  end

  always_comb if (seen_q) begin
    read_requests: assert (re == (asks && what == "R"));
    write_requests: assert (we == (asks && what == "W"));
    if (re || we) where: assert (addr == swapped(frame_q[63:32]));
    if (we) word: assert (wdata == swapped(frame_q[31:0]));
    is_reset: assert (resets == reset_q);
  end

  // The answer.
  wire         answers = asked_q[3] || other_q;
  wire         obeyed  = asked_q[3] && !host_error_i;
  wire  [39:0] reply   = {(asked_q[3] ? obeyed : done_q) ? 8'("K") : 8'("N"),
                          obeyed && read_q[3] ? swapped(word_i) : 32'd0};
  logic [39:0] answer_q;                             // remaining bytes, the next one highest
  logic [7:0]  answered_q;                           // remainder of the bytes sent
  logic [2:0]  given_q;                              // number of bytes sent
  wire  [7:0]  due = given_q == 3'd5 ? answered_q : answer_q[39:32];
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      given_q <= 3'd6;
    end else if (answers) begin
      given_q    <= '0;
      answer_q   <= reply;
      answered_q <= 8'hff;
    end else if (takes) begin
      given_q    <= given_q + 3'd1;
      answer_q   <= answer_q << 8;
      answered_q <= remainder(answered_q, due);
    end
  end

  always_comb if (seen_q) begin
    offered: assert (gives == (given_q != 3'd6));
    if (gives) in_order: assert (given == due);
  end

  // Invariant for the induction: the state of the RTL agrees with the reference.
  (* hierconn *) wire [3:0]  \u_uart.count_q , \u_uart.u_receiver.bits_q ;
  (* hierconn *) wire [7:0]  \u_uart.what_q , \u_uart.check_q , \u_uart.answer_check_q ;
  (* hierconn *) wire [63:0] \u_uart.frame_q ;
  (* hierconn *) wire [39:0] \u_uart.answer_bytes_q ;
  (* hierconn *) wire [2:0]  \u_uart.left_q , \u_uart.u_receiver.count_q ;
  (* hierconn *) wire        \u_uart.wrong_q , \u_uart.whole_q , \u_uart.answer_q ,
                             \u_uart.done_q , \u_uart.u_receiver.busy_q ,
                             \u_uart.u_port.ack_q , \u_uart.u_port.ack_q2 ,
                             \u_uart.u_port.ack_o , \u_uart.u_port.error_q ,
                             \u_uart.u_port.error_q2 , \u_uart.u_port.error_q3 ;

  // Returns the bytes after the first as {word, address} of frame_q in the RTL.
  function automatic logic [63:0] words(input logic [63:0] bytes);
    words = {swapped(bytes[31:0]), swapped(bytes[63:32])};
  endfunction

  wire [6:0] gap = 7'd8 * (7'd9 - 7'(count_q));

  // The next byte is not received before an answer is ready, because its start bit takes longer.
  logic [2:0] since_q;                          // cycles since the last byte, saturating at 7
  always_ff @(posedge clk_i) since_q <= requested ? 3'd1 : since_q + 3'(since_q != '1);
  wire waits = ! \u_uart.u_receiver.busy_q || (\u_uart.u_receiver.bits_q == '0 &&
      32'( \u_uart.u_receiver.count_q ) + 32'(since_q) >= 4);
  wire late  = since_q > 3'd4;
  wire slow  = requested ? late && ! \u_uart.u_receiver.busy_q : late || waits;

  wire frames = count_q == '0 || (begins(bytes_q[71:64]) && \u_uart.wrong_q == bad_q &&
      \u_uart.what_q == bytes_q[71:64] && \u_uart.check_q == sum_q &&
      bytes_q << (8 * 32'(count_q)) == '0 && \u_uart.frame_q >> gap == words(bytes_q[63:0]));
  wire over = !over_q || (since_q == 3'd1 && begins(what) && \u_uart.what_q == what &&
      (! \u_uart.wrong_q && \u_uart.check_q == '0) == right_q &&
      \u_uart.frame_q == words(frame_q[63:0]));
  wire [3:1] asked;
  for (genvar k = 1; k <= 3; k++) begin : g_asked
    assign asked[k] = !asked_q[k] ||
        (since_q == 3'(k + 1) && ( \u_uart.what_q == "R") == read_q[k]);
  end
  wire refuses = !other_q || (since_q == 3'd2 && \u_uart.done_q == done_q);
  wire answer = given_q == 3'd6 || ( \u_uart.answer_check_q == answered_q &&
      \u_uart.answer_bytes_q == {swapped(answer_q[31:0]), answer_q[39:32]});

  wire same = \u_uart.count_q == count_q && count_q <= 4'd9 && \u_uart.whole_q == over_q &&
      { \u_uart.u_port.ack_o , \u_uart.u_port.ack_q2 , \u_uart.u_port.ack_q } == asked_q &&
      (asked_q & { \u_uart.u_port.error_q3 , \u_uart.u_port.error_q2 ,
                   \u_uart.u_port.error_q }) == '0 &&
      \u_uart.answer_q == other_q && resets == reset_q &&
      \u_uart.left_q == 3'd6 - given_q && given_q <= 3'd6 &&
      slow && frames && over && asked == '1 && refuses && answer;

  always_comb if (!seen_q) assume (rst_i || same);
`ifndef REFUTE
  always_comb if (seen_q) assert (same);
`endif

  assign cover_wrote_o    = seen_q && we && addr == 32'h40000005 && wdata == 32'h80c0ffee;
  assign cover_answered_o = seen_q && gives && given_q == 3'd1 && given == 8'hee;
  assign cover_refused_o  = seen_q && gives && given_q == '0 && given == "N";

endmodule

`default_nettype wire
