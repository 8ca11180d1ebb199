// SPDX-License-Identifier: Apache-2.0
// rc_router_core: the datapath of a router: a buffer at every input, and a crossbar to the outputs.
//
//                  +-------------------------+ read ports
//     lane_i 0 --> | buffer, slot to write   |----+------o------o----
//     lane_i 1 --> | buffer                  |----|--o---|--o---|--o-    crossbar: no U-turns
//     lane_i 2 --> | buffer                  |----|--|-o-|--|-o-|--|-
//                  +-------------------------+    lane_o 0  1      2
//
// A packet that arrives at an input is stored in the next slot of its buffer: packet i of a run,
// from 0, in slot i mod Depth. Only arrivals advance the slot, so the place of each packet is known
// in advance. Each of the Reads read ports of an input delivers the packet of one slot in a row, to
// any number of outputs. For a row whose first flit is on lanes_o in cycle c:
//
//     c-1          send_valid_i, send_source_i, read_slot_i     stable until the last tx_en_i
//     c-1+k        tx_en_i, tx_flit_i                           the buffers are read
//     c+k          flit k of the row on lanes_o
//
// rx_en_i is high while flit rx_flit_i of a row is on lanes_i; the flit is stored at the end of the
// cycle. rx_last_i marks the last flit. A packet may be read from the next cycle on, and a packet
// of a single flit (forward_i) in the same cycle; rc_packet_memory.sv explains why. With Combine no
// packet is read in the cycle in which one ends: endpoints store a flit a cycle later than routers,
// so that a row has a cycle more.
//
// An output cannot send a packet that arrived at the input of its own port; if it is selected, the
// output sends an arbitrary word.
//
// With Combine a router also combines packets in a row: those of read port 0 of the inputs that
// operand_i selects, flit by flit, by the operator of the run. An output with send_result_i sends
// that result, at any port. A router has one result in a row.
//
//     read port 0 of each input --> operand_i --> rc_combine_tree.sv --> one more source
//
// The tree is the longest path. With Registers > 0 that many registers of the lanes are in the
// router, some of them between the levels of the tree: flit k is on lanes_o in cycle c+k+Registers.
// All else, sends_o and not_held_o included, is as with Registers = 0, so that a machine can take
// these registers from the links without a change of any cycle.
`default_nettype none
`include "../common/rc_assert.svh"
`include "../common/rc_require.svh"

module rc_router_core #(
  parameter int Ports = 2,                    // inputs and outputs, >= 2
  parameter int Depth = 1,                    // packets of a buffer, 1 ... 65535
  parameter int Reads = 1,                    // read ports of a buffer, >= 1
  parameter int Width = 1,                    // bits of a word, >= 1
  parameter int Flits = 2,  // largest number of flits of a packet, a power of two >= 2
  parameter int Combine = 0,                  // 1: a router combines packets
  parameter int Operators = 127,              // with Combine: that are built (rc_combine.sv)
  // of the lanes; 0 ... ceil(log2(Ports)) with Combine, else 0
  parameter int Registers = 0,
  localparam int SlotBits   = Depth > 1 ? $clog2(Depth) : 1,
  localparam int Sources    = Ports * Reads,
  localparam int SourceBits = Sources > 1 ? $clog2(Sources) : 1,
  localparam int FlitBits   = $clog2(Flits),
  localparam int LaneBits   = Width + 1              // {valid, word}
) (
  input  wire                        clk_i,
  input  wire                        rst_i,
  input  wire                        ce_i,           // clock enable of Registers
  input  wire                        start_i,        // empties the buffers
  input  wire                        forward_i,      // packets have one flit
  input  wire                        tx_en_i,
  input  wire [FlitBits-1:0]         tx_flit_i,
  input  wire [Ports-1:0]            send_valid_i,   // per output
  input  wire [Ports*SourceBits-1:0] send_source_i,  // input * Reads + read port
  input  wire [Sources*SlotBits-1:0] read_slot_i,    // per source
  // with Combine, else ignored
  input  wire [Ports-1:0]            send_result_i,  // per output: it sends the result
  input  wire [Ports-1:0]            operand_i,      // per input: read port 0 is an operand
  input  wire [2:0]                  operation_i,    // ../shell/rc_combine.sv
  input  wire                        rx_en_i,
  input  wire                        rx_last_i,
  input  wire [FlitBits-1:0]         rx_flit_i,
  input  wire [Ports*LaneBits-1:0]   lanes_i,
  output wire [Ports*LaneBits-1:0]   lanes_o,
  output wire [Ports-1:0]            sends_o,        // valid, Registers cycles before lanes_o
  output wire [Ports*SlotBits-1:0]   write_slot_o,   // slot of the next packet to arrive
  // the output sends from a slot that has received no packet
  output wire [Ports-1:0]            not_held_o
);

  `RC_REQUIRE(Ports, Ports >= 2, "Ports must be 2 or more")
  `RC_REQUIRE(Depth, Depth >= 1 && Depth <= 65535, "Depth must be 1 to 65535")
  `RC_REQUIRE(Reads, Reads >= 1, "Reads must be 1 or more")
  `RC_REQUIRE(Width, Width >= 1, "Width must be 1 or more")
  `RC_REQUIRE(Flits, Flits >= 2 && (Flits & (Flits - 1)) == 0,
              "Flits must be a power of two, 2 or more")

  `RC_REQUIRE(Registers, Registers == 0 || Combine != 0, "Registers must be 0 without Combine")

  `RC_ASSERT_RESET(rst_i)

  // Buffers.

  wire [LaneBits-1:0] word [Sources];                // {held, word} per source
  wire                forwards = Combine == 0 && forward_i;

  `RC_EXPECT(ends_apart, Combine == 0 || !(tx_en_i && rx_last_i),
             "a packet is read in the cycle in which one ends")

  for (genvar p = 0; p < Ports; p++) begin : g_input
    wire [LaneBits-1:0]  lane    = lanes_i[p*LaneBits +: LaneBits];
    wire                 arrives = rx_en_i & lane[Width];
    wire                 ends    = rx_last_i & lane[Width];
    logic [SlotBits-1:0] slot_q;                     // slot of the next packet to arrive
    logic                full_q;                     // all slots have been written
    wire  [Reads-1:0]    held;                       // per read port: its slot has a packet
    logic [Reads-1:0]    held_q;
    wire                 wraps   = slot_q == SlotBits'(Depth - 1);

    if (Depth == 1) begin : g_single
      assign slot_q = '0;
    end else begin : g_slots
      always_ff @(posedge clk_i) begin
        if (rst_i | start_i) slot_q <= '0;
        else if (ends) slot_q <= wraps && Depth != 1 << SlotBits ? '0 : slot_q + 1'b1;
      end
    end

    // One process for both: a simulator would copy full_q for another that reads it.
    always_ff @(posedge clk_i) begin
      held_q <= held;
      if (rst_i | start_i) full_q <= 1'b0;
      else if (ends) full_q <= full_q | wraps;
    end

    assign write_slot_o[p*SlotBits +: SlotBits] = slot_q;

    `RC_ASSERT(write_range, 32'(slot_q) < Depth, "a packet is written after the last slot")

    for (genvar r = 0; r < Reads; r++) begin : g_read
      wire [SlotBits-1:0] slot = read_slot_i[(p*Reads+r)*SlotBits +: SlotBits];
      wire                next = slot == slot_q;
      wire [Width-1:0]    memory_word;
      logic [Width-1:0]   bypass_word_q;
      logic               bypass_q;

      rc_ram #(.Width(Width), .Depth(Flits << SlotBits)) u_buffer (
        .clk_i,
        .strobe_i(rx_en_i),
        .we_i(lane[Width]),
        .waddr_i({slot_q, rx_flit_i}),
        .wdata_i(lane[Width-1:0]),
        .re_i(tx_en_i),
        .raddr_i({slot, tx_flit_i}),
        .rdata_o(memory_word)
      );

      always_ff @(posedge clk_i) begin
        if (forwards) begin
          bypass_q      <= next & arrives;
          bypass_word_q <= lane[Width-1:0];
        end
      end

      wire                earlier;                   // the slot is before slot_q

      if (Depth == 1) begin : g_first
        assign earlier = 1'b0;
      end else begin : g_later
        assign earlier = slot < slot_q;
      end

      assign held[r] = (full_q ? 32'(slot) < Depth : earlier) |
          (Combine == 0 && next && ends);

      assign word[p*Reads+r] = {held_q[r], forwards & bypass_q ? bypass_word_q : memory_word};
    end
  end

  // The result of the operands; held if there are operands and all of them are.

  wire             result_held;
  wire [Width-1:0] result;                           // Registers cycles later

  if (Combine != 0) begin : g_combine
    logic [Ports-1:0]       operand_q;  // of the current row, as choice_q below
    wire  [Ports-1:0]       held;
    wire  [Ports*Width-1:0] words;
    wire                    any;

    always_ff @(posedge clk_i) begin
      if (tx_en_i) operand_q <= operand_i;
    end

    for (genvar p = 0; p < Ports; p++) begin : g_operand
      assign {held[p], words[p*Width +: Width]} = word[p*Reads];
    end

    rc_combine_tree #(
      .Words(Ports), .Width(Width), .Operators(Operators), .Registers(Registers)
    ) u_combine_tree (
      .clk_i, .ce_i, .operation_i, .operands_i(operand_q), .words_i(words), .operand_o(any),
      .word_o(result)
    );

    assign result_held = |operand_q & &(held | ~operand_q);

    wire unused = &{1'b0, any};
  end else begin : g_combine
    assign result_held = 1'b0;
    assign result      = '0;
    wire unused = &{1'b0, ce_i, send_result_i, operand_i, operation_i};
  end

  // Crossbar. An output never sends a packet that arrived at its own port, so it selects among
  // Ports-1 sources: the last source takes the place of its own. (With several read ports it
  // selects among all.)

  localparam int Choices    = Reads == 1 ? Ports - 1 : Sources;
  localparam int ChoiceBits = Choices > 1 ? $clog2(Choices) : 1;
  localparam int Last       = Sources - 1;

  for (genvar p = 0; p < Ports; p++) begin : g_output
    localparam int Place = Reads == 1 ? p : Last;    // position of the last source

    wire  [SourceBits-1:0] source = send_source_i[p*SourceBits +: SourceBits];
    // selection of the current row; that of the next row may already be valid
    logic [ChoiceBits-1:0] choice_q;
    logic                  valid_q;
    wire                   result_q;                 // the output sends the result

    always_ff @(posedge clk_i) begin
      valid_q <= tx_en_i & send_valid_i[p];
      if (tx_en_i)
        choice_q <= ChoiceBits'(source == SourceBits'(Last) ? SourceBits'(Place) : source);
    end

    wire [SourceBits-1:0] from = SourceBits'(choice_q) == SourceBits'(Place)
        ? SourceBits'(Last) : SourceBits'(choice_q);
    wire [LaneBits-1:0]   sent = word[from];
    wire                  held = result_q ? result_held : sent[Width];

    assign sends_o[p]    = valid_q & held;
    assign not_held_o[p] = valid_q & ~held;

    wire                  late_sends, late_result;   // Registers cycles later
    wire [Width-1:0]      late_word;

    if (Combine != 0) begin : g_result
      rc_delay #(.Width(1)) u_result (
        .clk_i, .ce_i(tx_en_i), .d_i(send_result_i[p]), .q_o(result_q)
      );
      rc_link #(.Width(LaneBits + 1), .Depth(Registers)) u_late (
        .clk_i, .ce_i, .d_i({sends_o[p], result_q, sent[Width-1:0]}),
        .q_o({late_sends, late_result, late_word})
      );
    end else begin : g_result
      assign result_q                             = 1'b0;
      assign {late_sends, late_result, late_word} = {sends_o[p], 1'b0, sent[Width-1:0]};
    end

    assign lanes_o[p*LaneBits +: LaneBits] = {late_sends, late_result ? result : late_word};

    `RC_EXPECT(source_range, !(tx_en_i && send_valid_i[p]) || (Combine != 0 && send_result_i[p])
               || 32'(source) < Sources, "an output selects a source that does not exist")
    `RC_EXPECT(read_range, !(tx_en_i && send_valid_i[p]) || (Combine != 0 && send_result_i[p])
               || 32'(read_slot_i[32'(source)*SlotBits +: SlotBits]) < Depth,
               "an output selects a slot that does not exist")
    `RC_ASSERT_KNOWN(valid_known, sends_o[p], "a valid bit is unknown")
  end

endmodule

`default_nettype wire
