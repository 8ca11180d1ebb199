// SPDX-License-Identifier: Apache-2.0
// rc_cube_auto_sums: computes the positions of the packets of a node of a self-timed hypercube and,
// at a root, the number of packets of its tree and the time at which all have arrived.
//
// The node has count_i packets. Rows of a run are counted from 0. Dimension j = 1 ... d is bit j-1
// of the node number. The following values are sent:
//
//     row j-1        over dimension j, by nodes whose low j bits are 10...0: the sum of the 2^(j-1)
//                    nodes from this node on
//     row 2d-j       over dimension j, by nodes whose low j bits are 0: the sum of all nodes after
//                    the 2^j nodes from this node on
//     row 2d         over all dimensions, by node 0: the sum of all nodes, K
//
// Zeros is the number of low zero bits of Node. A node stores the values that arrive over
// dimensions 1 ... Zeros and, from dimension Zeros+1, the sum of the nodes after these. Their total
// with its own packets is the highest position of the node, r: packet m of the list, from 0, has
// position r
// - m and belongs to tree (r - m - 1) mod d + 1. first_o is the first packet of each tree. From row
// 3d on, d of the K packets arrive in each row, one of each tree. The root of tree t counts these
// rows: all packets have arrived by row 3d + ceil(K / d), and its tree has as many packets as there
// were rows with t or more packets left.
// For a row whose first flit is on the lanes in cycle c:
//
//     c-2       fetch_i, row_i, made_o, slot_o, value_o   the value to send; control packets are
//                                                         numbered as in cube_prefix.c, from the
//                                                         last slot downwards
//     later     take_i, valid_i, values_i                 the values that arrive, flit 1 of each
//
// first_o is valid from d+2 cycles after the fetch of row 2d on, all_come_o of a root in each
// fetch, and own_tree_o when all packets have arrived.
`default_nettype none
`include "../common/rc_require.svh"

module rc_cube_auto_sums #(
  parameter int Dimensions = 1,                      // d, >= 1
  parameter int Node       = 0,                      // 0 ... 2^d - 1
  parameter int Root       = 0,  // tree of which this node is the root, 1 ... d, or 0
  parameter int PacketBits = 3,                      // bits of packet counts and of slots
  parameter int RowBits    = 1
) (
  input  wire                             clk_i,
  input  wire                             clear_i,
  input  wire [PacketBits-1:0]            count_i,   // constant during a run
  input  wire                             fetch_i,
  input  wire [RowBits-1:0]               row_i,
  output wire [Dimensions-1:0]            made_o,    // a sum is sent over the dimension
  output wire [PacketBits-1:0]            slot_o,
  output wire [PacketBits-1:0]            value_o,
  input  wire                             take_i,
  input  wire [Dimensions-1:0]            valid_i,   // per dimension
  input  wire [Dimensions*PacketBits-1:0] values_i,
  output wire [Dimensions*PacketBits-1:0] first_o,   // per tree
  output wire                             all_come_o,
  output wire [PacketBits-1:0]            own_tree_o  // packets of the tree of this root
);

  `RC_REQUIRE(Dimensions, Dimensions >= 1, "Dimensions must be 1 or more")
  `RC_REQUIRE(Node, Node >= 0 && Node < 1 << Dimensions,
              "Node must be 0 or more and below 2 ** Dimensions")
  `RC_REQUIRE(Root, Root >= 0 && Root <= Dimensions, "Root must be 0 to Dimensions")

  // Returns the number of low zero bits of a node number.
  function automatic integer zeros;
    input integer node;
    integer       b;
    begin
      zeros = Dimensions;
      for (b = Dimensions - 1; b >= 0; b = b - 1)
        if (((node >> b) & 1) != 0) zeros = b;
    end
  endfunction

  localparam int Nodes = 1 << Dimensions;
  localparam int Zeros = zeros(Node);
  localparam int LastSlot = (1 << PacketBits) - 1;
  // number of the control packet that the node sends over dimension Zeros + 1
  localparam int Up    = Nodes - ((2 * Nodes) >> (Zeros + 1)) + (Node >> (Zeros + 1));
  // 1: more nodes follow those whose sums arrive here
  localparam bit After = ((Node >> (Zeros + 1)) + 1) << (Zeros + 1) < Nodes;

  // The current row, and the sums.

  logic [RowBits-1:0]    row_q;
  // sum of the nodes after the block; after the last value is sent, of the nodes after this node
  logic [PacketBits-1:0] right_q;

  always_ff @(posedge clk_i) begin
    if (fetch_i) row_q <= row_i;
  end

  wire                  up  = 32'(row_i) == Zeros && Zeros < Dimensions;
  wire                  all = 32'(row_i) == 2 * Dimensions && Node == 0;
  // Index j covers dimensions 1 ... j. block: own packets plus values that arrived; added: the
  // value that arrived over the dimension over which this row sends down; slots: the slot of that
  // packet.
  wire [PacketBits-1:0] block [Zeros+1];
  wire [PacketBits-1:0] added [Zeros+1];
  wire [PacketBits-1:0] slots [Zeros+1];

  assign block[0]     = count_i;
  assign added[0]     = '0;
  assign slots[0]     = '0;

  for (genvar j = 1; j <= Zeros; j++) begin : g_keep
    localparam int Down = Nodes - 1 + (Nodes >> j) - 1 + (Node >> j);

    wire                   down = 32'(row_i) == 2 * Dimensions - j;
    logic [PacketBits-1:0] kept_q;                   // value that arrived over dimension j

    always_ff @(posedge clk_i) begin
      if (clear_i) kept_q <= '0;
      else if (take_i && valid_i[j-1] &&
          32'(row_q) == j - 1) kept_q <= values_i[(j-1)*PacketBits +: PacketBits];
    end

    assign block[j]    = block[j-1] + kept_q;
    assign added[j]    = added[j-1] | ({PacketBits{down}} & kept_q);
    assign slots[j]    = slots[j-1] | ({PacketBits{down}} & PacketBits'(LastSlot - Down));
    assign made_o[j-1] = down | all;
  end

  if (Zeros < Dimensions) begin : g_up
    assign made_o[Zeros] = up;
  end

  // The sum of no nodes is 0.
  if (After) begin : g_right
    wire after = take_i && valid_i[Zeros] && 32'(row_q) == 2 * Dimensions - Zeros - 1;

    always_ff @(posedge clk_i) begin
      if (clear_i) right_q <= '0;
      else if (after) right_q <= values_i[Zeros*PacketBits +: PacketBits];
      else if (fetch_i) right_q <= right_q + added[Zeros];
    end
  end else if (Zeros > 0) begin : g_own_right
    always_ff @(posedge clk_i) begin
      if (clear_i) right_q <= '0;
      else if (fetch_i) right_q <= right_q + added[Zeros];
    end
  end else begin : g_no_right
    assign right_q = '0;
  end

  for (genvar j = Zeros + 2; j <= Dimensions; j++) begin : g_never
    assign made_o[j-1] = 1'b0;
  end

  assign slot_o  = slots[Zeros] | ({PacketBits{up}} & PacketBits'(LastSlot - Up)) |
                   ({PacketBits{all}} & PacketBits'(LastSlot - 2 * (Nodes - 1)));
  assign value_o = (Zeros == 0 || up || all) ? block[Zeros] : right_q;

  // Ranks and K.

  localparam int RemainderBits = Dimensions > 1 ? $clog2(Dimensions) : 1;

  wire [RemainderBits-1:0] remainder;                // remainder of the highest position

  rc_cube_auto_remainder #(
    .Divisor(Dimensions), .Bits(PacketBits), .Cycles(Dimensions + 1)
  ) u_remainder (
    .clk_i,
    .start_i(fetch_i && 32'(row_i) == 2 * Dimensions),
    .value_i(right_q + count_i),
    .remainder_o(remainder)
  );

  for (genvar t = 1; t <= Dimensions; t++) begin : g_tree
    wire [RemainderBits-1:0] begins [1 << RemainderBits];

    for (genvar x = 0; x < 1 << RemainderBits; x++) begin : g_remainder
      assign begins[x] = RemainderBits'((x + Dimensions - t) % Dimensions);
    end
    assign first_o[(t-1)*PacketBits +: PacketBits] = PacketBits'(begins[remainder]);
  end

  if (Root != 0) begin : g_root
    logic [PacketBits-1:0] left_q, tree_q;
    logic                  counts_q, all_q;          // counts_q: the next row is 3d or later

    always_ff @(posedge clk_i) begin
      if (clear_i) counts_q <= 1'b0;
      else if (fetch_i) counts_q <= 32'(row_i) >= 3 * Dimensions - 1;
      all_q <= counts_q && left_q == '0;
    end

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        left_q <= '0;
        tree_q <= '0;
      end else if (take_i && valid_i[Root-1] && 32'(row_q) == 2 * Dimensions) begin
        left_q <= values_i[(Root-1)*PacketBits +: PacketBits];
      end else if (fetch_i && counts_q && !all_q) begin
        left_q <= left_q < PacketBits'(Dimensions) ? '0 : left_q - PacketBits'(Dimensions);
        if (left_q >= PacketBits'(Root)) tree_q <= tree_q + 1'b1;
      end
    end

    assign all_come_o = all_q;
    assign own_tree_o = tree_q;
  end else begin : g_no_root
    assign all_come_o = 1'b0;
    assign own_tree_o = '0;
  end

  wire unused = &{1'b0, clear_i, take_i, valid_i, values_i, row_q, added[Zeros]};

endmodule

`default_nettype wire
