// SPDX-License-Identifier: Apache-2.0
// cube_auto_sums_properties: the nodes of a self-timed hypercube compute the positions of their
// packets and the total number of packets.
//
// The sums of all nodes are instantiated side by side. In each row of a run, the value that a node
// sends over a dimension reaches its neighbour over that dimension. Node x has any number of
// packets, c(x); their total is less than 2^PacketBits.
//
//  1. From the fetch of row 2d on, every node has the sum of c(y) over all later nodes, y > x. Its
//     packets therefore have the positions that sum + 1 ... that sum + c(x): no two packets of the
//     cube have the same position, and all positions are 1 ... K.
//  2. From d+2 cycles after that fetch on, the first packet of tree t is the first packet of the
//     list, of positions r, r-1, ..., whose position is t modulo d.
//  3. In the fetch of a row after 2d, each root reports that all packets have arrived exactly from
//     row 3d + ceil(K/d) on, where K is the sum of all c(x). It then has the number of positions
//     in 1 ... K that belong to its tree.
//
// Assumed: a run is cleared and passes through all these rows in order, with at least d+3 cycles in
// row 2d; a value arrives in the row in which it is sent.
`default_nettype none

module cube_auto_sums_properties #(
  parameter int Dimensions = 2,
  parameter int PacketBits = 4,
  parameter int RowBits    = 4,
  parameter int Nodes      = 1 << Dimensions
) (
  input  wire                        clk_i,
  input  wire [Nodes*PacketBits-1:0] counts_i,       // sampled during the clear
  output wire                        cover_all_o
);

  localparam int D    = Dimensions;
  localparam int Rows = 3 * D + ((1 << PacketBits) - 2) / D + 2;  // the last: all have arrived
  localparam int Most = D + 2;                       // cycles of row 2d after its fetch

  // A run consists of a clear, its rows, and a final cycle. A row consists of a fetch, a cycle in
  // which the values that were sent arrive, and further cycles in row 2d.
  logic       running_q = 1'b0;
  logic [4:0] row_q = '0;
  logic [3:0] step_q = '0;

  wire clear = !running_q;
  wire over  = running_q && 32'(row_q) >= Rows;
  wire fetch = running_q && !over && step_q == '0;
  wire take  = running_q && step_q == 4'd1;
  wire last  = 32'(step_q) >= (32'(row_q) == 2 * D ? Most : 1);

  always_ff @(posedge clk_i) begin
    running_q <= !over;
    row_q     <= (clear || over) ? '0 : row_q + 5'(last);
    step_q    <= (clear || over || last) ? '0 : step_q + 1'b1;
  end

  wire [RowBits-1:0] row    = RowBits'(row_q);
  wire               packets = 32'(row_q) > 2 * D;
  wire               known  = packets || 32'(row_q) == 2 * D;
  wire               begins = packets || (32'(row_q) == 2 * D && last);

  logic [Nodes*PacketBits-1:0]   counts_q, sent_q;
  logic [Nodes*D-1:0]            made_q;
  wire  [Nodes*PacketBits-1:0]   values;
  wire  [Nodes*D-1:0]            made;
  wire  [PacketBits+D-1:0]       after [Nodes+1];   // sums of c(y), y >= x

  always_ff @(posedge clk_i) begin
    if (clear) counts_q <= counts_i;
    if (fetch) begin
      made_q <= made;
      sent_q <= values;
    end
  end

  assign after[Nodes] = '0;
  always_comb assume (after[0] < (PacketBits+D)'(1) << PacketBits);

  wire [31:0] all = 32'(after[0]);                  // K

  for (genvar x = 0; x < Nodes; x++) begin : g_node
    localparam int Root = rc_cube_tree::root_of(x, D);
    wire [PacketBits-1:0]   count = counts_q[x*PacketBits +: PacketBits];
    wire [D-1:0]            valid;
    wire [D*PacketBits-1:0] come, first;
    wire                    all_come;
    wire [PacketBits-1:0]   own_tree;
    (* hierconn *) wire [PacketBits-1:0] \u_sums.right_q ;

    assign after[x] = after[x+1] + count;
    for (genvar j = 0; j < D; j++) begin : g_dimension
      assign valid[j] = made_q[(x^(1<<j))*D+j];
      assign come[j*PacketBits +: PacketBits] = sent_q[(x^(1<<j))*PacketBits +: PacketBits];
    end

    rc_cube_auto_sums #(
      .Dimensions(D), .Node(x), .Root(Root), .PacketBits(PacketBits), .RowBits(RowBits)
    ) u_sums (
      .clk_i, .clear_i(clear), .count_i(count), .fetch_i(fetch), .row_i(row),
      .made_o(made[x*D +: D]), .slot_o(), .value_o(values[x*PacketBits +: PacketBits]),
      .take_i(take), .valid_i(valid), .values_i(come), .first_o(first), .all_come_o(all_come),
      .own_tree_o(own_tree)
    );

    always_comb if (known) assert ( \u_sums.right_q == after[x+1][PacketBits-1:0]);
    if (Root != 0) begin : g_root
      wire come = 32'(row_q) >= 3 * D + (all + D - 1) / D;

      always_comb if (fetch && packets) assert (all_come == come);
      always_comb if (fetch && packets && come) assert (32'(own_tree) == (all + D - Root) / D);
    end
    for (genvar t = 1; t <= D; t++) begin : g_tree
      wire [PacketBits-1:0] its = first[(t-1)*PacketBits +: PacketBits];
      always_comb if (begins) begin
        assert (32'(its) < D);
        assert ((32'(after[x]) + 32'(2 * D) - 32'(its) - t) % D == 0);
      end
    end
  end

  // Cover: every node has packets, and some node has more than one.
  wire [Nodes-1:0] some;
  for (genvar x = 0; x < Nodes; x++) begin : g_some
    assign some[x] = counts_q[x*PacketBits +: PacketBits] != '0;
  end
  assign cover_all_o = over && &some && all > Nodes;

endmodule

`default_nettype wire
