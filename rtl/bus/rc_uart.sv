// SPDX-License-Identifier: Apache-2.0
// rc_uart: the host port of a machine on a serial line.
//
// The host sends frames of ten bytes; the module answers each with six bytes. Words are sent low
// byte first:
//
//     frame    command  address[4]  word[4]  check   command: "W" write, "R" read (word is
//                                                    ignored), "X" reset of the machine
//     answer   status   word[4]     check            status: "K" done; "N" rejected: wrong check or
//                                                    stop bit, or by the machine
//
// The check is the CRC-8 of the bytes before it (polynomial x^8 + x^2 + x + 1, initial value 255),
// so the CRC of a whole frame is 0. Bytes that do not begin a frame are skipped; after ten bytes of
// 0, the next byte begins a frame. The next frame may follow immediately: a frame is longer than an
// answer, so the answer to one frame has been sent when the next frame ends. Writing 1 to bit 0 of
// the status register, address 11, starts the machine, as on the other buses.
//
//     port          dir  bits  valid in           meaning
//     clk_i         in   1                        clock, rising edge
//     rst_i         in   1     each cycle         reset
//     rx_i          in   1     asynchronous       serial line from the host
//     tx_o          out  1     each cycle         serial line to the host
//     reset_o       out  1     each cycle         to the machine: reset, for one cycle
//     host_we_o     out  1     each cycle         to the machine: a write
//     host_re_o     out  1     each cycle         to the machine: a read
//     host_addr_o   out  32    that of we or re   to the machine: address
//     host_wdata_o  out  32    host_we_o          to the machine: word to write
//     host_rdata_i  in   32    3 after host_re_o  from the machine: word read
//     host_error_i  in   1     3 after we or re   from the machine: rejected
//     start_o       out  1     each cycle         to the machine: starts a run
`default_nettype none

module rc_uart #(
  parameter int Divider = 8                          // cycles per bit, 8 ... 65535
) (
  input  wire         clk_i,
  input  wire         rst_i,
  input  wire         rx_i,
  output wire         tx_o,
  // to the machine
  output logic        reset_o,                       // high for one cycle
  output wire         host_we_o,
  output wire         host_re_o,
  output wire  [31:0] host_addr_o,
  output wire  [31:0] host_wdata_o,
  input  wire  [31:0] host_rdata_i,
  input  wire         host_error_i,
  output wire         start_o
);

  localparam logic [7:0] Read = "R", Write = "W", Reset = "X", Done = "K", NotDone = "N";

  function automatic logic [7:0] check(input logic [7:0] old, input logic [7:0] more);
    check = old ^ more;
    for (int step = 0; step < 8; step++)
      check = {check[6:0], 1'b0} ^ (check[7] ? 8'h07 : 8'h00);
  endfunction

  // Receives a frame.

  wire        valid, error;
  wire [7:0]  next;
  logic [3:0] count_q;                               // bytes of the frame received so far
  logic [7:0] what_q, check_q;
  logic [63:0] frame_q;                              // {word, address}
  logic       wrong_q, whole_q;

  rc_uart_receiver #(.Divider(Divider)) u_receiver (
    .clk_i, .rst_i, .rx_i, .valid_o(valid), .error_o(error), .byte_o(next)
  );

  wire begins = !error && (next == Read || next == Write || next == Reset);

  always_ff @(posedge clk_i) begin
    whole_q <= 1'b0;
    if (rst_i) begin
      count_q <= '0;
    end else if (valid && count_q == '0) begin
      count_q <= 4'(begins);
      what_q  <= next;
      check_q <= check(8'hff, next);
      wrong_q <= 1'b0;
    end else if (valid) begin
      count_q <= count_q == 4'd9 ? 4'd0 : count_q + 1'b1;
      whole_q <= count_q == 4'd9;
      check_q <= check(check_q, next);
      wrong_q <= wrong_q | error;
      if (count_q != 4'd9) frame_q <= {next, frame_q[63:8]};
    end
  end

  // Executes the frame if it is valid.

  wire  right = whole_q && !wrong_q && check_q == '0;
  wire  ack, refused;
  logic answer_q;  // answer to a frame that is not sent to the host port
  logic done_q;

  rc_bus_port #(.FieldBits(28)) u_port (
    .clk_i, .rst_i, .flush_i(1'b0), .req_i(right && what_q != Reset), .we_i(what_q == Write),
    .strobes_i(4'b1111), .addr_i(frame_q[31:0]), .wdata_i(frame_q[63:32]), .ack_o(ack),
    .error_o(refused), .host_we_o, .host_re_o, .host_addr_o, .host_wdata_o,
    .host_error_i, .host_ready_i(1'b1), .start_o
  );

  always_ff @(posedge clk_i) begin
    reset_o  <= ~rst_i & right & what_q == Reset;
    answer_q <= ~rst_i & whole_q & (~right | what_q == Reset);
    done_q   <= right;
  end

  // Sends the answer.

  wire         ready;
  logic [2:0]  left_q;  // bytes of the answer to send, including the current one
  logic [39:0] answer_bytes_q;
  logic [7:0]  answer_check_q;

  wire [7:0] out = left_q == 3'd1 ? answer_check_q : answer_bytes_q[7:0];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q <= '0;
    end else if (ack || answer_q) begin
      left_q         <= 3'd6;
      answer_bytes_q <= {ack && what_q == Read && !refused ? host_rdata_i : 32'd0,
                         (ack ? !refused : done_q) ? Done : NotDone};
      answer_check_q <= 8'hff;
    end else if (left_q != '0 && ready) begin
      left_q         <= left_q - 1'b1;
      answer_bytes_q <= {8'd0, answer_bytes_q[39:8]};
      answer_check_q <= check(answer_check_q, out);
    end
  end

  rc_uart_sender #(.Divider(Divider)) u_sender (
    .clk_i, .rst_i, .valid_i(left_q != '0), .ready_o(ready), .byte_i(out), .tx_o
  );

endmodule

`default_nettype wire
