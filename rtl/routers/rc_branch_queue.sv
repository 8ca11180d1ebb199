// SPDX-License-Identifier: Apache-2.0
// rc_branch_queue: the pointers of a queue whose words are in a separate memory.
//
// Words leave in the order in which they arrived. A word that is pushed in one cycle can be popped
// from the next cycle on; popping an empty queue has no effect. A word pushed into a full queue is
// dropped, and overflow_o is high. The memory (rc_ram.sv) has at least Queue words; pushing uses
// its write port and popping its read port.
//
//     waddr = raddr + count          raddr
//           v                          v
//       | . | . | newest ... oldest  | . |
`default_nettype none
`include "../common/rc_assert.svh"
`include "../common/rc_require.svh"

module rc_branch_queue #(
  parameter int Queue     = 1,                       // capacity in words, >= 1, any number
  localparam int AddrBits  = Queue > 2 ? $clog2(Queue) : 1,
  localparam int CountBits = $clog2(Queue + 1)
) (
  input  wire                clk_i,
  input  wire                clear_i,                // empties the queue
  input  wire                push_i,
  input  wire                pop_i,
  output wire                nonempty_o,
  output wire                overflow_o,             // high in the cycle of a dropped push
  output wire                we_o,
  output wire [AddrBits-1:0] waddr_o,
  output wire                re_o,                   // a word is popped
  output wire [AddrBits-1:0] raddr_o
);

  `RC_REQUIRE(Queue, Queue >= 1, "Queue must be 1 or more")

  logic [AddrBits-1:0]  raddr_q;
  logic [CountBits-1:0] count_q;
  logic                 nonempty_q;  // registered, because the longest paths begin here

  wire full = count_q == CountBits'(Queue);

  assign nonempty_o = nonempty_q;
  assign overflow_o = push_i & full;
  assign we_o       = push_i & ~full;
  assign waddr_o    = raddr_q + AddrBits'(count_q);
  assign re_o       = pop_i & nonempty_o;
  assign raddr_o    = raddr_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      raddr_q    <= '0;
      count_q    <= '0;
      nonempty_q <= 1'b0;
    end else begin
      if (re_o) raddr_q <= raddr_q + 1'b1;
      if (we_o != re_o) begin
        count_q    <= we_o ? count_q + 1'b1 : count_q - 1'b1;
        nonempty_q <= we_o || count_q != CountBits'(1);
      end
    end
  end

  `RC_ASSERT_RESET(clear_i)
  `RC_ASSERT(capacity, !(we_o && count_q == CountBits'(Queue)), "a full queue stores a word")
  if (Queue + 1 < 1 << CountBits) begin : g_check
    `RC_ASSERT(count_range, 32'(count_q) <= Queue, "the queue holds more words than it has")
  end
  `RC_ASSERT(nonempty, nonempty_q == (count_q != '0), "nonempty_o contradicts the count")

endmodule

`default_nettype wire
