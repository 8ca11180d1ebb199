// SPDX-License-Identifier: Apache-2.0
// rc_events: what the end of a run reports to the host: the interrupts, the first error, and the
// numbers of runs and cycles. registers.txt describes the registers.
//
//     cycle             c-1  c    c+1  c+2
//     done_i            ▁▁▁▁▁▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
//     state, error_o    ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▔▔▔▔▔▔▔     irq_o too, if the interrupt is enabled
//
// The flags of nodes and routers are sampled in the first cycle of done_i, when ends_o is high
// (rc_first_flags.sv). A run has an error if any is set; the cause is the first node with a flag
// or, if there is none, the first router. A start in the first cycle of done_i leaves no error. The
// count of cycles follows start_i and active_i one cycle later. A write of the host has its effect
// one cycle after its strobe. An interrupt that occurs in the cycle in which the host clears it
// stays set.
`default_nettype none

module rc_events #(
  parameter int Nodes   = 2,                         // >= 1
  parameter int Routers = 1                          // >= 1; without routers, their flags are 0
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 start_i,               // clears the error; required between two ends
  input  wire                 clear_i,               // one cycle after a start, and in a reset
  input  wire                 active_i,
  input  wire                 done_i,
  output wire                 ends_o,                // the flags are sampled
  input  wire [Nodes*3-1:0]   node_flags_i,
  input  wire [Routers*3-1:0] router_flags_i,
  // writes to the registers of the state, the enables and the test of interrupts
  input  wire                 we_state_i,
  input  wire                 we_enable_i,
  input  wire                 we_test_i,
  input  wire [1:0]           data_i,
  output logic [1:0]          state_o,               // {error, done}
  output logic [1:0]          enable_o,
  output logic [15:0]         runs_o,
  output logic [31:0]         cycles_o,
  output wire  [31:0]         cause_o,
  output logic                error_o,
  output wire                 irq_o
);

  localparam int NodeBits   = Nodes > 1 ? $clog2(Nodes) : 1;
  localparam int RouterBits = Routers > 1 ? $clog2(Routers) : 1;

  wire [2:0]            node_flags, router_flags;
  wire [NodeBits-1:0]   node;
  wire [RouterBits-1:0] router;

  logic done_q;
  wire  ends = done_i & ~done_q;

  logic  ends_q, counts_q;
  wire   node_any, router_any;

  assign ends_o = ends;

  rc_first_flags #(.Words(Nodes)) u_node (
    .clk_i, .ask_i(ends), .take_i(ends_q), .words_i(node_flags_i), .any_o(node_any),
    .word_o(node_flags), .number_o(node)
  );

  rc_first_flags #(.Words(Routers)) u_router (
    .clk_i, .ask_i(ends), .take_i(ends_q), .words_i(router_flags_i), .any_o(router_any),
    .word_o(router_flags), .number_o(router)
  );

  wire wrong = node_any | router_any;                // one cycle after `ends`

  always_ff @(posedge clk_i) begin
    counts_q <= active_i;
    if (clear_i) cycles_o <= '0;
    else if (counts_q) cycles_o <= cycles_o + 1'b1;
  end

  wire [1:0] sets    = {ends_q & wrong, ends_q};
  wire [1:0] cleared = data_i & {2{we_state_i}};
  wire [1:0] tested  = data_i & {2{we_test_i}};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {done_q, ends_q, state_o, enable_o} <= '0;
      runs_o <= '0;
    end else begin
      done_q  <= done_i;
      ends_q  <= ends;
      state_o <= (state_o & ~cleared) | tested | sets;
      if (we_enable_i) enable_o <= data_i;
      if (ends_q) runs_o <= runs_o + 1'b1;
    end
  end

  // Without a clock enable, which would be a long path from start_i. clear_i: a start in the cycle
  // of `ends`.
  always_ff @(posedge clk_i) begin
    error_o <= ~(rst_i | start_i | clear_i) & (error_o | (ends_q & wrong));
  end

  assign cause_o = !error_o ? '0
      : |node_flags ? {1'b0, node_flags, 28'(node)} : {1'b1, router_flags, 28'(router)};
  assign irq_o = |(state_o & enable_o);

endmodule

`default_nettype wire
