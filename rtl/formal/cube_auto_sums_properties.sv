// SPDX-License-Identifier: Apache-2.0
// cube_auto_sums_properties: the nodes of a self-timed hypercube, each with its sums, learn the
// ranks of their packets and how many there are.
//
// All nodes' sums stand side by side. In each row of a run, what a node makes for a dimension
// reaches its neighbour over that dimension. Node x has any number of packets, c(x); together they
// are fewer than 2^PacketBits.
//
//  1. From the fetch of row 2d on, every node knows the sum of c(y) over all y behind it, y > x.
//     The ranks of its packets, that sum + 1 ... that sum + c(x), are therefore those of no other
//     node, and all ranks are 1 ... K.
//  2. The packet with which tree t begins is the first of the list, of ranks r, r-1, ..., whose
//     rank is t modulo d.
//  3. From row 2d+1 on every root knows K, the sum of all c(x).
//
// Assumed: a run is cleared and goes through rows 0 ... 2d; what is in flight arrives in its row.
`default_nettype none

module cube_auto_sums_properties #(
  parameter int Dimensions = 2,
  parameter int PacketBits = 4,
  parameter int RowBits    = 4,
  parameter int Nodes      = 1 << Dimensions
) (
  input  wire                        clk_i,
  input  wire [Nodes*PacketBits-1:0] counts_i,       // taken with the clear
  output wire                        cover_all_o
);

  localparam int D    = Dimensions;
  localparam int Last = 2 * (2 * D + 1) + 1;

  // 0: clear; 1, 3, ...: a row is fetched; 2, 4, ...: what was sent has come; Last: it is over.
  logic [4:0] phase_q = '0;
  always_ff @(posedge clk_i) phase_q <= phase_q >= 5'(Last) ? '0 : phase_q + 1'b1;

  wire               clear = phase_q == '0;
  wire               over  = phase_q == 5'(Last);
  wire               fetch = phase_q[0] && !over;
  wire               take  = !phase_q[0] && !clear;
  wire [RowBits-1:0] row   = RowBits'((phase_q - 1'b1) >> 1);

  logic [Nodes*PacketBits-1:0]   counts_q, sent_q;
  logic [Nodes*D-1:0]            made_q;
  wire  [Nodes*PacketBits-1:0]   values;
  wire  [Nodes*D-1:0]            made;
  wire  [PacketBits+D-1:0]       behind [Nodes+1];   // sums of c(y), y >= x

  always_ff @(posedge clk_i) begin
    if (clear) counts_q <= counts_i;
    if (fetch) begin
      made_q <= made;
      sent_q <= values;
    end
  end

  assign behind[Nodes] = '0;
  always_comb assume (behind[0] < (PacketBits+D)'(1) << PacketBits);

  for (genvar x = 0; x < Nodes; x++) begin : g_node
    localparam int Root = rc_cube_tree::root_of(x, D);
    wire [PacketBits-1:0]   count = counts_q[x*PacketBits +: PacketBits];
    wire [D-1:0]            valid;
    wire [D*PacketBits-1:0] come, first;
    wire [PacketBits-1:0]   total;
    (* hierconn *) wire [PacketBits-1:0] \u_sums.right_q ;

    assign behind[x] = behind[x+1] + count;
    for (genvar j = 0; j < D; j++) begin : g_dimension
      assign valid[j] = made_q[(x^(1<<j))*D+j];
      assign come[j*PacketBits +: PacketBits] = sent_q[(x^(1<<j))*PacketBits +: PacketBits];
    end

    rc_cube_auto_sums #(
      .Dimensions(D), .Node(x), .Root(Root), .PacketBits(PacketBits), .RowBits(RowBits)
    ) u_sums (
      .clk_i, .clear_i(clear), .count_i(count), .fetch_i(fetch), .row_i(row),
      .made_o(made[x*D +: D]), .slot_o(), .value_o(values[x*PacketBits +: PacketBits]),
      .take_i(take), .valid_i(valid), .values_i(come), .first_o(first), .total_o(total)
    );

    wire known = phase_q >= 5'(4 * D + 1);
    always_comb if (known) assert ( \u_sums.right_q == behind[x+1][PacketBits-1:0]);
    always_comb if (over && Root != 0) assert (total == behind[0][PacketBits-1:0]);
    for (genvar t = 1; t <= D; t++) begin : g_tree
      wire [PacketBits-1:0] begins = first[(t-1)*PacketBits +: PacketBits];
      always_comb if (known) begin
        assert (32'(begins) < D);
        assert ((32'(behind[x]) + 32'(2 * D) - 32'(begins) - t) % D == 0);
      end
    end
  end

  // Interesting: every node has packets, some node more than one.
  wire [Nodes-1:0] some;
  for (genvar x = 0; x < Nodes; x++) begin : g_some
    assign some[x] = counts_q[x*PacketBits +: PacketBits] != '0;
  end
  assign cover_all_o = over && &some && 32'(behind[0]) > Nodes;

endmodule

`default_nettype wire
