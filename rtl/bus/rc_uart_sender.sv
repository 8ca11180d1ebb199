// SPDX-License-Identifier: Apache-2.0
// rc_uart_sender: sends bytes over a serial line: 8 data bits, no parity, one stop bit. The idle
// line is high.
`default_nettype none
`include "../common/rc_require.svh"

module rc_uart_sender #(
  parameter int Divider = 8                          // cycles per bit, 8 ... 65535
) (
  input  wire        clk_i,
  input  wire        rst_i,
  input  wire        valid_i,
  output wire        ready_o,                        // accepts byte_i
  input  wire  [7:0] byte_i,
  output wire        tx_o
);

  `RC_REQUIRE(Divider, Divider >= 8 && Divider <= 65535, "Divider must be 8 to 65535")

  localparam int CountBits = $clog2(Divider);

  logic [9:0]           line_q;                      // bits to send, the next one in the lowest bit
  logic [3:0]           bits_q;                      // bits of the byte that have not ended
  logic [CountBits-1:0] count_q;                     // remaining cycles of the bit

  assign tx_o    = line_q[0];
  assign ready_o = bits_q == '0;

  always_ff @(posedge clk_i) begin
    count_q <= count_q - 1'b1;
    if (rst_i) begin
      line_q <= '1;
      bits_q <= '0;
    end else if (ready_o) begin
      count_q <= CountBits'(Divider - 1);
      if (valid_i) begin
        line_q <= {1'b1, byte_i, 1'b0};
        bits_q <= 4'd10;
      end
    end else if (count_q == '0) begin
      count_q <= CountBits'(Divider - 1);
      line_q  <= {1'b1, line_q[9:1]};
      bits_q  <= bits_q - 1'b1;
    end
  end

endmodule

`default_nettype wire
