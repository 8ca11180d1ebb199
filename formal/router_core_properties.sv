// SPDX-License-Identifier: Apache-2.0
// router_core_properties: the words that the outputs of a router send, for any legal rows, packets
// and arrival times.
//
// The proof follows an arbitrary input, an arbitrary flit of a packet and an arbitrary packet that
// arrives there (the marked packet).
//
//  1. A word leaves an output one cycle after tx_en_i exactly if the row specifies that it sends
//     and the slot of its source has received a packet since the last start_i; not_held_o is high
//     exactly if the row specifies it and the slot has received none. All flits of a packet leave,
//     or none.
//  2. Packet n of an input, from 0, is stored in slot n mod Depth, which write_slot_o outputs.
//  3. If fewer than Depth packets arrive at the input after the marked packet until a row begins,
//     the flit that the row reads from its slot is the flit that arrived, whichever output sends
//     it. A packet that arrives while the row is sent, even to that slot, makes no difference.
//
// Therefore, with Depth slots, a packet that is sent before the Depth-th packet after it has
// arrived is not lost, changed, duplicated (except where two outputs have one source), or sent
// without an instruction. A packet that is sent in a later row may be lost (cover_lost_o).
//
// A row is sent in flits_i cycles, from begin_i on. Its packets arrive in flits_i cycles, from
// arrive_i on, one or more cycles after begin_i, but not after the cycle in which the next row
// begins; with Combine, before that cycle. Assumed: these rows; no source belongs to the port of
// its output; a packet arrives with all its flits; start_i occurs between rows, and flits_i changes
// only with start_i.
`default_nettype none

module router_core_properties #(
  parameter int Ports      = 3,
  parameter int Depth      = 2,                      // 1 ... 4
  parameter int Reads      = 1,
  parameter int Width      = 2,
  parameter int Flits      = 2,        // Flits << SlotBits is 4 or 8: the proof names the words
  parameter int Combine    = 0,  // router_result_properties.sv has the results
  parameter int SlotBits   = Depth > 1 ? $clog2(Depth) : 1,
  parameter int Sources    = Ports * Reads,
  parameter int SourceBits = $clog2(Sources),
  parameter int FlitBits   = $clog2(Flits),
  parameter int LaneBits   = Width + 1
) (
  input  wire                        clk_i,
  input  wire                        start_i,
  input  wire [FlitBits:0]           flits_i,
  input  wire                        begin_i,
  input  wire                        arrive_i,
  input  wire                        mark_i,         // marks the packet that ends in this cycle
  input  wire [Ports-1:0]            send_valid_i,
  input  wire [Ports*SourceBits-1:0] send_source_i,
  input  wire [Sources*SlotBits-1:0] read_slot_i,
  input  wire [Ports*LaneBits-1:0]   lanes_i,
  output wire                        cover_copied_o,
  output wire                        cover_two_o,
  output wire                        cover_last_o,
  output wire                        cover_lost_o,
  output wire                        cover_forwarded_o,
  output wire                        cover_not_held_o
);

  localparam int PortBits  = $clog2(Ports);
  localparam int CountBits = $clog2(Depth + 1);

  // Rows and arrivals.

  logic              running_q = 1'b0;               // the first cycle is a reset
  logic              tx_more_q = 1'b0, rx_more_q = 1'b0;
  logic              due_q = 1'b0;                   // the packets of the row have not arrived
  logic [FlitBits:0] flits_q, tx_flit_q, rx_flit_q;
  wire               forward = flits_i == (FlitBits+1)'(1);
  wire               tx_en   = begin_i || tx_more_q;
  wire               rx_en   = arrive_i || rx_more_q;
  wire  [FlitBits:0] tx_flit = tx_more_q ? tx_flit_q : '0;
  wire  [FlitBits:0] rx_flit = rx_more_q ? rx_flit_q : '0;
  wire               rx_last = rx_en && rx_flit + 1'b1 == flits_i;
  wire               between = !due_q && !tx_more_q && !rx_more_q && !begin_i;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    flits_q   <= flits_i;
    tx_more_q <= tx_en && tx_flit + 1'b1 != flits_i;
    rx_more_q <= rx_en && !rx_last;
    tx_flit_q <= tx_flit + 1'b1;
    rx_flit_q <= rx_flit + 1'b1;
    due_q     <= begin_i || (due_q && !arrive_i);
  end

  always_comb begin
    assume (flits_i != '0 && flits_i <= (FlitBits+1)'(Flits));
    if (!running_q) assume (!begin_i && !arrive_i);
    if (running_q && flits_i != flits_q) assume (start_i);
    if (start_i) assume (between);
    if (begin_i) assume (!tx_more_q && ((Combine == 0 && rx_last) || (!due_q && !rx_more_q)));
    if (arrive_i) assume (due_q);
  end

  // The row is stable while it is sent; packets arrive with all their flits.

  logic [Ports-1:0]            send_valid_q, came_q;
  logic [Ports*SourceBits-1:0] send_source_q;
  logic [Sources*SlotBits-1:0] read_slot_q;
  wire  [Ports-1:0]            comes;

  always_ff @(posedge clk_i) begin
    send_valid_q  <= send_valid_i;
    send_source_q <= send_source_i;
    read_slot_q   <= read_slot_i;
    came_q        <= comes;
  end

  always_comb begin
    if (tx_more_q) begin
      assume (send_valid_i == send_valid_q && send_source_i == send_source_q &&
          read_slot_i == read_slot_q);
    end
    if (rx_more_q) assume (comes == came_q);
  end

  // The core.

  wire [Ports*LaneBits-1:0] lanes;
  wire [Ports*SlotBits-1:0] write_slot;
  wire [Ports-1:0]          not_held;

  rc_router_core #(.Ports(Ports), .Depth(Depth), .Reads(Reads), .Width(Width),
                   .Flits(Flits), .Combine(Combine)) u_core (
    .clk_i, .rst_i(!running_q), .ce_i(1'b1), .start_i, .forward_i(forward),
    .tx_en_i(tx_en), .tx_flit_i(tx_flit[FlitBits-1:0]), .send_valid_i, .send_source_i, .read_slot_i,
    .send_result_i({Ports{1'b0}}), .operand_i({Ports{1'b0}}), .operation_i(3'd0),
    .rx_en_i(rx_en), .rx_last_i(rx_last), .rx_flit_i(rx_flit[FlitBits-1:0]), .lanes_i,
    .lanes_o(lanes), .write_slot_o(write_slot), .not_held_o(not_held)
  );

  // The input, its arrivals, the flit and the marked packet. A row that begins in a cycle uses
  // their state at the end of that cycle (_d).

  wire [PortBits-1:0] port = $anyconst;
  wire [FlitBits-1:0] flit = $anyconst;
  wire [LaneBits-1:0] lane = lanes_i[port*LaneBits +: LaneBits];
  wire                ends = rx_last && lane[Width];
  wire                here = rx_en && lane[Width] && rx_flit == {1'b0, flit};

  always_comb assume (port < (PortBits+1)'(Ports));

  // number of packets, and of those after the marked one, saturating at Depth
  logic [CountBits-1:0] count_q = '0, later_q = '0;
  logic [SlotBits-1:0]  place_q = '0, marked_slot_q;
  logic                 marked_q = 1'b0;
  logic [Width-1:0]     word_q, marked_word_q;     // flit of the last, of the marked packet
  wire                  mark          = ends && mark_i && {1'b0, flit} < flits_i;
  wire [CountBits-1:0]  count_d       = ends && count_q != CountBits'(Depth) ? count_q + 1'b1
      : count_q;
  wire [CountBits-1:0]  later_d       = mark ? '0
      : ends && later_q != CountBits'(Depth) ? later_q + 1'b1 : later_q;
  wire                  marked_d      = mark || marked_q;
  wire [SlotBits-1:0]   marked_slot_d = mark ? place_q : marked_slot_q;
  wire [Width-1:0]      word_d        = here ? lane[Width-1:0] : word_q;
  wire [Width-1:0]      marked_word_d = mark ? word_d : marked_word_q;

  always_ff @(posedge clk_i) begin
    word_q        <= word_d;
    later_q       <= later_d;
    marked_slot_q <= marked_slot_d;
    marked_word_q <= marked_word_d;
    if (!running_q || start_i) begin
      count_q  <= '0;
      place_q  <= '0;
      marked_q <= 1'b0;
    end else begin
      count_q  <= count_d;
      if (ends) place_q <= place_q == SlotBits'(Depth - 1) ? '0 : place_q + 1'b1;
      marked_q <= marked_d;
    end
  end

  // The same at the beginning of the row.

  logic [CountBits-1:0] row_count_q, row_later_q;
  logic                 row_marked_q;
  logic [SlotBits-1:0]  row_slot_q;
  logic [Width-1:0]     row_word_q;
  wire  [CountBits-1:0] row_count  = begin_i ? count_d : row_count_q;
  wire  [CountBits-1:0] row_later  = begin_i ? later_d : row_later_q;
  wire                  row_marked = begin_i ? marked_d : row_marked_q;
  wire  [SlotBits-1:0]  row_slot   = begin_i ? marked_slot_d : row_slot_q;
  wire  [Width-1:0]     row_word   = begin_i ? marked_word_d : row_word_q;
  logic                 row_mark_q;       // begin_i in the last cycle of the marked packet

  always_ff @(posedge clk_i) begin
    row_count_q  <= row_count;
    row_later_q  <= row_later;
    row_marked_q <= row_marked;
    row_slot_q   <= row_slot;
    row_word_q   <= row_word;
    row_mark_q   <= begin_i && mark;
  end

  // Outputs.

  logic             kept_q = 1'b0;                   // the slot must contain the marked packet
  wire  [Ports-1:0] sends_marked, sends_other, sends_next, lacks;

  always_ff @(posedge clk_i) kept_q <= row_marked && row_later != CountBits'(Depth);

  for (genvar p = 0; p < Ports; p++) begin : g_output
    logic                   sends_q = 1'b0, followed_q, held_q, marked_q, beside_q;
    wire  [SourceBits-1:0]  source = send_source_i[p*SourceBits +: SourceBits];
    wire  [SlotBits-1:0]    slot   = read_slot_i[source*SlotBits +: SlotBits];
    wire                    valid  = lanes[p*LaneBits+Width];
    wire  [Width-1:0]       word   = lanes[p*LaneBits +: Width];

    assign comes[p] = lanes_i[p*LaneBits+Width];

    always_ff @(posedge clk_i) begin
      sends_q    <= tx_en && send_valid_i[p];
      followed_q <= source / Reads == port;
      held_q     <= {1'b0, slot} < (SlotBits+CountBits)'(row_count);
      marked_q   <= row_marked && slot == row_slot && tx_flit == {1'b0, flit};
      beside_q   <= row_marked && slot != row_slot && tx_flit == {1'b0, flit};
    end

    always_comb begin
      if (tx_en && send_valid_i[p])
        assume (source < (SourceBits+1)'(Sources) && source / Reads != p);
      if (running_q) begin
        if (!sends_q) assert (!valid && !not_held[p]);
        if (sends_q && followed_q) begin
          assert (valid == held_q);
          assert (not_held[p] == !held_q);
          if (kept_q && marked_q) assert (word == row_word_q);
        end
      end
    end

    assign sends_marked[p] = sends_q && followed_q && marked_q && valid && word == row_word_q;
    assign sends_other[p]  = sends_q && followed_q && marked_q && valid && word != row_word_q;
    assign sends_next[p]   = sends_q && followed_q && beside_q && valid && word != row_word_q;
    assign lacks[p]        = sends_q && followed_q && not_held[p];
  end

  always_comb if (running_q) order: assert (write_slot[port*SlotBits +: SlotBits] == place_q);

`ifndef REFUTE
  // Invariants for the induction. REFUTE omits them, so that a fault is refuted by rules 1 to 3
  // only.

  wire stored = rx_more_q && came_q[port] && rx_flit_q > {1'b0, flit};

  always_comb if (running_q) begin
    rows: assert (!(due_q && rx_more_q) &&
        (!tx_more_q || due_q || (rx_more_q && rx_flit_q < tx_flit_q)));
    flits: assert ((!tx_more_q || (tx_flit_q != '0 && tx_flit_q < flits_q)) &&
                   (!rx_more_q || (rx_flit_q != '0 && rx_flit_q < flits_q)));
    counts: assert (count_q <= CountBits'(Depth) && {1'b0, place_q} < (SlotBits+1)'(Depth) &&
                    (count_q == CountBits'(Depth) || 32'(place_q) == 32'(count_q)));
    if (tx_more_q) count_in_row: assert (row_count_q == count_q);
    if (marked_q) begin
      marks: assert (later_q <= CountBits'(Depth) && {1'b0, marked_slot_q} < (SlotBits+1)'(Depth) &&
                     (later_q < count_q || later_q == CountBits'(Depth)));
      if (later_q != CountBits'(Depth)) begin
        after: assert (32'(place_q) == (32'(marked_slot_q) + 32'd1 + 32'(later_q)) % Depth);
      end
    end
  end

  // This block has the name of the block of an input in the core, to access its internal wires.
  for (genvar i = 0; i < Ports; i++) begin : \u_core.g_input
    (* hierconn *) wire full_q;
    always_comb if (running_q && port == i) assert (full_q == (count_q == CountBits'(Depth)));

    for (genvar r = 0; r < Reads; r++) begin : g_read
      localparam int Words = Flits << SlotBits;
      (* hierconn *) wire [Width-1:0] \u_buffer.mem[0] , \u_buffer.mem[1] , \u_buffer.mem[2] ,
          \u_buffer.mem[3] ;
      (* hierconn *) wire [Width-1:0] \u_buffer.mem[4] , \u_buffer.mem[5] , \u_buffer.mem[6] ,
          \u_buffer.mem[7] ;
      wire [Words*Width-1:0] buffer;
      assign buffer[0 +: 4*Width] =
          { \u_buffer.mem[3] , \u_buffer.mem[2] , \u_buffer.mem[1] , \u_buffer.mem[0] };
      if (Words > 4) begin : g_more
        assign buffer[4*Width +: 4*Width] =
            { \u_buffer.mem[7] , \u_buffer.mem[6] , \u_buffer.mem[5] , \u_buffer.mem[4] };
      end
      wire [Width-1:0] marked_word = buffer[{marked_slot_q, flit}*Width +: Width];
      wire [Width-1:0] placed_word = buffer[{place_q, flit}*Width +: Width];
      wire [Width-1:0] row_word    = buffer[{row_slot_q, flit}*Width +: Width];

      always_comb if (running_q && port == i) begin
        if (stored) assert (placed_word == word_q);
        if (marked_q && (later_q < CountBits'(Depth - 1) || (later_q == CountBits'(Depth - 1) &&
            !stored))) begin
          assert (marked_word == marked_word_q);
        end
        if (tx_more_q && tx_flit_q <= {1'b0, flit} && kept_q) assert (row_word == row_word_q);
      end
    end
  end
`endif

  assign cover_copied_o    = &(sends_marked | Ports'(1) << port) && row_word_q == '1;
  assign cover_two_o       = |sends_marked && |sends_next;
  assign cover_last_o      = |sends_marked && row_later_q == CountBits'(Depth - 1) && rx_more_q &&
      came_q[port];
  assign cover_lost_o      = |sends_other && !kept_q;
  assign cover_forwarded_o = |sends_marked && row_mark_q && forward && row_word_q == '1;
  assign cover_not_held_o  = |lacks;

endmodule

`default_nettype wire
