// SPDX-License-Identifier: Apache-2.0
// rc_branch_choice: selects the branch that a self-timed router serves in a row of a single-port
// run: the parent, if it has packets to send, else the children in rotation.
//
// In the cycle after choose_i, chosen_o is the branch among nonempty_i, or 0; else it is 0.
`default_nettype none
`include "../common/rc_assert.svh"

module rc_branch_choice #(
  parameter int Children = 2,
  parameter bit Parent   = 0,                        // the last branch is the parent
  localparam int Branches = Children + (Parent ? 1 : 0)
) (
  input  wire                 clk_i,
  input  wire                 clear_i,               // begins again with child 0
  input  wire                 choose_i,
  input  wire  [Branches-1:0] nonempty_i,
  output wire  [Branches-1:0] chosen_o
);

  logic [Branches-1:0] chosen_q;
  logic [Children-1:0] after_q;                      // children after the one served last
  wire  [Branches-1:0] chosen;
  wire  [Children-1:0] waiting = nonempty_i[Children-1:0];
  wire  [Children-1:0] later   = waiting & after_q;
  wire  [Children-1:0] those   = later != '0 ? later : waiting;
  wire  [Children-1:0] child   = those & (~those + 1'b1);
  wire  [Children-1:0] served  = chosen_q[Children-1:0];
  wire                 up;

  if (Parent) begin : g_up
    assign up               = nonempty_i[Children];
    assign chosen[Children] = up;
  end else begin : g_no_up
    assign up = 1'b0;
  end
  assign chosen[Children-1:0] = child & {Children{~up}};

  always_ff @(posedge clk_i) begin
    chosen_q <= chosen & {Branches{choose_i}};
    if (clear_i) after_q <= '0;
    else if (served != '0) after_q <= ~(served | (served - 1'b1));
  end

  assign chosen_o = chosen_q;

  `RC_ASSERT_RESET(clear_i)
  `RC_ASSERT_ONEHOT0(one_branch, chosen_q, "two branches are chosen")

endmodule

`default_nettype wire
