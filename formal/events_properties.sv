// SPDX-License-Identifier: Apache-2.0
// events_properties: the registers of events report what docs/machine.md specifies, for any flags,
// starts, ends and resets in any cycles.
//
//  1. Both interrupts are set two cycles after the first cycle of done_i: `done` always, `error`
//     if a flag is set in that first cycle. A write to the test register sets those of its bits, a
//     write to the state register clears those of its bits, unless they are set in the same cycle;
//     otherwise they keep their value.
//  2. irq_o is high if and only if an enabled interrupt is set.
//  3. The cause is 0 from a start on; at the end of a run with a flag it becomes the flags and the
//     number of the first node with a flag or, if there is none, of the first router. error_o is
//     high if and only if the cause is not 0.
//  4. The count of runs grows by one with each end. The count of cycles grows by one in the cycle
//     after each active cycle, and becomes 0 in the
//     cycle after that of a start or reset.
//  5. A reset clears all of them, except the count of cycles.
//
// The reference searches the first flag from the last one down. It is assumed that the machine is
// started between two ends (sequencer_properties.sv).
`default_nettype none

module events_properties #(
  parameter int Nodes   = 5,
  parameter int Routers = 3
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 start_i,
  input  wire                 active_i,
  input  wire                 done_i,
  input  wire [Nodes*3-1:0]   node_flags_i,
  input  wire [Routers*3-1:0] router_flags_i,
  input  wire                 we_i,
  input  wire [5:0]           register_i,
  input  wire [1:0]           data_i,
  output wire                 cover_router_o,
  output wire                 cover_kept_o
);

  logic       clear_q = 1'b0;

  always_ff @(posedge clk_i) clear_q <= rst_i || start_i;

  wire [1:0]  state, enable;
  wire [15:0] runs;
  wire [31:0] cycles, cause;
  wire        error, irq;

  rc_events #(.Nodes(Nodes), .Routers(Routers)) u_events (
    .clk_i, .rst_i, .start_i, .clear_i(clear_q), .active_i, .done_i, .ends_o(), .node_flags_i,
    .router_flags_i, .we_state_i(we_i && register_i == 6'd48),
    .we_enable_i(we_i && register_i == 6'd49), .we_test_i(we_i && register_i == 6'd50), .data_i,
    .state_o(state), .enable_o(enable), .runs_o(runs),
    .cycles_o(cycles), .cause_o(cause), .error_o(error), .irq_o(irq)
  );

  // The cause that the flags of this cycle would have.
  logic [31:0] first;
  always_comb begin
    first = '0;
    for (int router = Routers - 1; router >= 0; router--)
      if (router_flags_i[router*3 +: 3] != '0)
        first = 32'h80000000 + (32'(router_flags_i[router*3 +: 3]) << 28) + router;
    for (int node = Nodes - 1; node >= 0; node--)
      if (node_flags_i[node*3 +: 3] != '0)
        first = (32'(node_flags_i[node*3 +: 3]) << 28) + node;
  end

  // What the last cycle asks of this one.
  logic        reset_q = 1'b0, known_q = 1'b0;       // a reset has occurred; known for a cycle
  logic        done_q, started_q;                    // started_q: since the last end
  logic [1:0]  state_q, enable_q;
  logic [15:0] runs_q;
  logic [31:0] cycles_q, cause_q;

  logic        active_q;                             // active_i of the cycle before
  logic        counted_q = 1'b0;                     // clear_i has occurred
  logic        ended_q;                              // the cycle before was the first of done_i
  logic [31:0] first_q;                              // the cause that its flags would have

  wire       ends  = ended_q;
  wire [1:0] sets  = {ends && first_q != '0, ends} | (we_i && register_i == 6'd50 ? data_i : 2'b0);
  wire [1:0] clear = we_i && register_i == 6'd48 ? data_i : 2'b0;

  always_ff @(posedge clk_i) begin
    if (rst_i) reset_q <= 1'b1;
    known_q  <= reset_q || rst_i;
    done_q   <= done_i && !rst_i;
    ended_q  <= done_i && !done_q && !rst_i;
    started_q <= rst_i || start_i || (started_q && !(done_i && !done_q));
    first_q  <= first;
    state_q  <= rst_i ? '0 : (state & ~clear) | sets;
    enable_q <= rst_i ? '0 : we_i && register_i == 6'd49 ? data_i : enable;
    runs_q   <= rst_i ? '0 : runs + 16'(ends);
    active_q <= active_i;
    if (clear_q) counted_q <= 1'b1;
    cycles_q <= clear_q ? '0 : cycles + 32'(active_q);
    cause_q  <= rst_i || start_i || clear_q ? '0 : ends && first_q != '0 ? first_q : cause;
  end

  always_comb if (known_q && done_i && !done_q) assume (started_q);

  // Only for the induction.
`ifndef REFUTE
  (* hierconn *) wire \u_events.done_q , \u_events.ends_q , \u_events.wrong ;

  always_comb if (known_q) begin
    no_error: assert (!error || (!started_q && !ended_q));
    ended: assert (\u_events.done_q == done_q && \u_events.ends_q == ended_q);
    flagged: assert (!error || \u_events.wrong );
  end
`endif

  always_comb if (known_q) begin
    interrupts: assert (state == state_q && enable == enable_q);
    the_pin: assert (irq == ((state & enable) != '0));
    counts: assert (runs == runs_q);
    causes: assert (cause == cause_q);
    errors: assert (error == (cause[30:28] != '0));
  end

  always_comb if (counted_q && known_q) cycle_counts: assert (cycles == cycles_q);

  // Covers: the last router is the cause; an interrupt that is cleared in the cycle in which it is
  // set again.
  assign cover_router_o = known_q && cause == 32'hc0000000 + Routers - 1;
  assign cover_kept_o   = known_q && reset_q && ends && clear[0] && state[0];

endmodule

`default_nettype wire
