// SPDX-License-Identifier: Apache-2.0
// branch_queue_properties: a branch queue with its memory behaves as a FIFO queue.
//
// The reference is a shift register of the queued words, the oldest first. For any words, pushed
// and popped in any cycles:
//
//  1. nonempty_o is high exactly when a word is queued.
//  2. A pop returns the oldest word, and has an effect exactly when a word is queued: no word is
//     lost, duplicated or reordered.
//  3. A push is rejected exactly when Queue words are queued; overflow_o is high in these cycles
//     and in no others.
//
// The memory stores a word at the end of the cycle of the push, as rc_ram.sv does; the word read is
// checked before the read register. Assumed: the queue is cleared in the first cycle.
`default_nettype none

module branch_queue_properties #(
  parameter int Queue    = 3,
  parameter int Width    = 2,
  parameter int AddrBits = Queue > 2 ? $clog2(Queue) : 1
) (
  input  wire             clk_i,
  input  wire             clear_i,
  input  wire             push_i,
  input  wire             pop_i,
  input  wire [Width-1:0] word_i,
  output wire             cover_wrapped_o,
  output wire             cover_refused_o
);

  localparam int CountBits = $clog2(Queue + 1);

  logic [Width-1:0] mem_q  [1 << AddrBits];
  logic [Width-1:0] word_q [Queue];                  // the reference: 0 is the oldest
  logic [CountBits-1:0] count_q;
  logic             cleared_q = 1'b0, wrapped_q;

  wire                nonempty, overflow, we, re;
  wire [AddrBits-1:0] waddr, raddr;

  rc_branch_queue #(.Queue(Queue)) u_queue (
    .clk_i, .clear_i, .push_i, .pop_i,
    .nonempty_o(nonempty), .overflow_o(overflow),
    .we_o(we), .waddr_o(waddr), .re_o(re), .raddr_o(raddr)
  );

  wire takes   = pop_i && count_q != '0;
  wire accepts = push_i && count_q != CountBits'(Queue);

  always_ff @(posedge clk_i) begin
    cleared_q <= 1'b1;
    if (we) mem_q[waddr] <= word_i;
    if (clear_i) wrapped_q <= 1'b0;
    else if (re && raddr == '1) wrapped_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Queue; k++) begin
      if (takes && k + 1 < Queue) word_q[k] <= word_q[(k+1) % Queue];
      if (accepts && CountBits'(k) == count_q - CountBits'(takes)) word_q[k] <= word_i;
    end
    if (clear_i) count_q <= '0;
    else count_q <= count_q + CountBits'(accepts) - CountBits'(takes);
  end

  always_comb begin
    if (!cleared_q) assume (clear_i);
    if (cleared_q) begin
      bounded: assert (count_q <= CountBits'(Queue));
      nonempty_if_queued: assert (nonempty == (count_q != '0));
      refused_if_full: assert (overflow == (push_i && count_q == CountBits'(Queue)));
      written_unless_refused: assert (we == accepts);
      read_if_queued: assert (re == takes);
      if (re) oldest_first: assert (mem_q[raddr] == word_q[0]);
      // Invariant for the induction: the memory contains all queued words, in order.
      after_the_newest: assert (waddr == AddrBits'(raddr + AddrBits'(count_q)));
    end
  end

  for (genvar k = 0; k < Queue; k++) begin : g_word
    wire [AddrBits-1:0] address = raddr + AddrBits'(k);
    always_comb begin
      if (cleared_q && CountBits'(k) < count_q) begin
        assert (mem_q[address] == word_q[k]);
      end
    end
  end

  assign cover_wrapped_o = wrapped_q && re && word_q[0] == '1 && raddr == AddrBits'(1);
  assign cover_refused_o = wrapped_q && overflow;

endmodule

`default_nettype wire
