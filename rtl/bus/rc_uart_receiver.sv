// SPDX-License-Identifier: Apache-2.0
// rc_uart_receiver: receives bytes from a serial line: 8 data bits, no parity, one stop bit.
//
//     line    ‾‾‾\_____/ b0 X b1 X  ...  X b7 /‾‾‾‾‾
//                start                        stop
//
// The line is sampled in each cycle; the majority of three samples rejects single-cycle glitches. A
// bit is sampled in its middle. A start bit that has ended by its middle is ignored as noise. A low
// stop bit is an error: the byte is delivered with error_o, and the next byte can begin only after
// the line has been high again.
`default_nettype none
`include "../common/rc_require.svh"

module rc_uart_receiver #(
  parameter int Divider = 8                          // cycles per bit, 8 ... 65535
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        rx_i,                           // asynchronous
  output logic       valid_o,                        // high for one cycle
  output logic       error_o,                        // valid with valid_o
  output logic [7:0] byte_o                          // valid with valid_o
);

  `RC_REQUIRE(Divider, Divider >= 8 && Divider <= 65535, "Divider must be 8 to 65535")

  localparam int CountBits = $clog2(Divider);

  // The oldest sample in the highest bit. The newest may be metastable and is used by no logic but
  // the next register; the attribute keeps these registers together and out of retiming.
  (* ASYNC_REG = "TRUE" *)
  logic [3:0]           samples_q;
  logic                 busy_q, high_q;
  logic [3:0]           bits_q;                      // bits of the byte received so far
  logic [CountBits-1:0] count_q;                     // cycles to the middle of the next bit

  wire line = (samples_q[3] & samples_q[2]) | (samples_q[3] & samples_q[1]) |
      (samples_q[2] & samples_q[1]);

  always_ff @(posedge clk_i) begin
    samples_q <= {samples_q[2:0], rx_i};
    valid_o   <= 1'b0;
    high_q    <= line;
    count_q   <= count_q - 1'b1;
    if (rst_i) begin
      samples_q <= '1;
      busy_q    <= 1'b0;
      high_q    <= 1'b0;
    end else if (!busy_q) begin
      busy_q  <= high_q & ~line;
      bits_q  <= '0;
      count_q <= CountBits'(Divider / 2 - 1);
    end else if (count_q == '0) begin
      count_q <= CountBits'(Divider - 1);
      bits_q  <= bits_q + 1'b1;
      error_o <= ~line;
      if (bits_q == 4'd0) busy_q <= ~line;
      else if (bits_q != 4'd9) byte_o <= {line, byte_o[7:1]};
      else begin
        busy_q  <= 1'b0;
        valid_o <= 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
