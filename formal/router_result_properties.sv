// SPDX-License-Identifier: Apache-2.0
// router_result_properties: what the outputs of a router that combines send.
//
//  1. An output that the row selects to send a result carries the combination of the words that the
//     read ports of the operands deliver, in the cycle after tx_en_i. It carries it if and only if
//     there is an operand and all operands are held; otherwise `not held` is high.
//  2. An output that sends a source carries the word of that source, as without results.
//  3. With Registers the lanes are those of Registers cycles with clock enable before; sends_o and
//     `not held` are as without.
//
// combine_tree_properties.sv specifies the combination, router_core_properties.sv the words that
// read ports deliver: they are the same for outputs that send a source. Assumed: sources are legal,
// and not of the output's own port; the operator does not change; ce_i is low in no two cycles in
// succession. Nothing is assumed of slots and arrivals.
`default_nettype none

module router_result_properties #(
  parameter int Ports      = 3,                      // the words below are named one by one
  parameter int Depth      = 2,
  parameter int Width      = 2,
  parameter int Flits      = 2,
  parameter int Registers  = 0,
  parameter int SlotBits   = Depth > 1 ? $clog2(Depth) : 1,
  parameter int SourceBits = $clog2(Ports),
  parameter int FlitBits   = $clog2(Flits),
  parameter int LaneBits   = Width + 1
) (
  input  wire                        clk_i,
  input  wire                        ce_i,
  input  wire                        start_i,
  input  wire                        tx_en_i,
  input  wire [FlitBits-1:0]         tx_flit_i,
  input  wire [Ports-1:0]            send_valid_i,
  input  wire [Ports*SourceBits-1:0] send_source_i,
  input  wire [Ports*SlotBits-1:0] read_slot_i,
  input  wire [Ports-1:0]            send_result_i,
  input  wire [Ports-1:0]            operand_i,
  input  wire [2:0]                  operation_i,
  input  wire                        rx_en_i,
  input  wire                        rx_last_i,
  input  wire [FlitBits-1:0]         rx_flit_i,
  input  wire [Ports*LaneBits-1:0]   lanes_i,
  output wire                        cover_result_o,
  output wire                        cover_lacks_o,
  output wire                        cover_both_o
);

  logic                     running_q = 1'b0;
  wire [Ports*LaneBits-1:0] lanes;
  wire [Ports*SlotBits-1:0] write_slot;
  wire [Ports-1:0]          not_held, sends;

  rc_router_core #(
    .Ports(Ports), .Depth(Depth), .Width(Width), .Flits(Flits), .Combine(1),
    .Registers(Registers)
  ) u_core (
    .clk_i, .rst_i(!running_q), .ce_i, .start_i, .forward_i(1'b0), .tx_en_i, .tx_flit_i,
    .send_valid_i, .send_source_i, .read_slot_i, .send_result_i, .operand_i, .operation_i, .rx_en_i,
    .rx_last_i, .rx_flit_i, .lanes_i, .lanes_o(lanes), .sends_o(sends), .write_slot_o(write_slot),
    .not_held_o(not_held)
  );

  // The words that the read ports deliver, {held, word}.
  (* hierconn *) wire [LaneBits-1:0] \u_core.word[0] , \u_core.word[1] , \u_core.word[2] ;
  wire [Ports*LaneBits-1:0] words = { \u_core.word[2] , \u_core.word[1] , \u_core.word[0] };

  // The row of the cycle before.
  logic [Ports-1:0]            valid_q, result_q, operand_q;
  logic [Ports*SourceBits-1:0] source_q;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    valid_q   <= {Ports{tx_en_i}} & send_valid_i;
    if (tx_en_i) {result_q, operand_q, source_q} <= {send_result_i, operand_i, send_source_i};
  end

  wire [Width-1:0]       result;
  wire [Ports-1:0]       held;
  wire [Ports*Width-1:0] flits;

  for (genvar p = 0; p < Ports; p++) begin : g_input
    assign {held[p], flits[p*Width +: Width]} = words[p*LaneBits +: LaneBits];
  end

  wire any;

  rc_combine_tree #(.Words(Ports), .Width(Width)) u_reference (
    .clk_i, .ce_i, .operation_i, .operands_i(operand_q), .words_i(flits), .operand_o(any),
    .word_o(result)
  );

  logic [2:0] operation_q;
  logic       ce_q;

  always_ff @(posedge clk_i) begin
    operation_q <= operation_i;
    ce_q        <= ce_i;
  end
  always_comb if (running_q) assume (operation_i == operation_q && (ce_i || ce_q));

  wire complete = operand_q != '0 && (operand_q & ~held) == '0;

  for (genvar p = 0; p < Ports; p++) begin : g_output
    wire [SourceBits-1:0] source = send_source_i[p*SourceBits +: SourceBits];
    wire [SourceBits-1:0] sent   = source_q[p*SourceBits +: SourceBits];
    // what the lane must carry, now and Registers cycles later
    wire                  valid  = valid_q[p] && (result_q[p] ? complete : held[sent]);
    wire [Width-1:0]      word   = result_q[p] ? result : flits[sent*Width +: Width];
    wire [LaneBits:0]     due [Registers+1];         // {the cycle is known, valid, word}

    assign due[0] = {running_q, valid, word};
    for (genvar r = 0; r < Registers; r++) begin : g_register
      logic [LaneBits:0] due_q;
      logic              known_q = 1'b0;

      always_ff @(posedge clk_i) begin
        if (ce_i) begin
          due_q   <= due[r];
          known_q <= due[r][LaneBits];
        end
      end
      assign due[r+1] = {known_q, due_q[LaneBits-1:0]};
    end

    wire [LaneBits:0]     expected = due[Registers];
    wire [LaneBits-1:0]   lane     = lanes[p*LaneBits +: LaneBits];

    always_comb begin
      if (tx_en_i && send_valid_i[p])
        assume (source < (SourceBits+1)'(Ports) && source != SourceBits'(p));
      if (running_q) assert (sends[p] == valid && not_held[p] == (valid_q[p] && !valid));
      if (expected[LaneBits]) begin
        assert (lane[Width] == expected[Width]);
        if (lane[Width]) assert (lane == expected[LaneBits-1:0]);
      end
    end
  end

  assign cover_result_o = running_q && valid_q == '1 && result_q == '1 && operand_q == '1 &&
      complete;
  assign cover_lacks_o  = running_q && valid_q[0] && result_q[0] && held[2:1] == 2'b01 &&
      operand_q == 3'b110 && not_held[0];
  assign cover_both_o   = running_q && valid_q[1:0] == 2'b11 && result_q[1:0] == 2'b01 &&
      complete && sends[1] && operand_q == 3'b110;

endmodule

`default_nettype wire
