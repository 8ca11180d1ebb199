// SPDX-License-Identifier: Apache-2.0
// rc_endpoint: the port of a processor: packet memory, send program, receive program, error flags.
//
//                      row        +--------------+  packet   +---------------+
//     send_fetch_i -------------> | send program |---------->| packet memory |--> lane_o
//                                 +--------------+           |  held | word  |
//                      row        +-----------------+ packet |               |
//     recv_fetch_i -------------> | receive program |------->|               |<-- lane_i
//                                 +-----------------+        +---------------+
//
// A program specifies for each row the packet that is sent or received, if any. Circuits carry no
// header: the receive program alone determines which packet arrives. For a row whose first
// flit is on lane_o, or on lane_i, in cycle c:
//
//     c-2     send_fetch_i, send_row_i     the send program is read
//     c-1+k   tx_en_i, tx_flit_i           the packet memory is read
//     c+k     flit k of the row on lane_o
//
//     c-1     recv_fetch_i, recv_row_i     the receive program is read
//     c+k     rx_en_i, rx_flit_i           flit k of the row on lane_i, stored at the end of the
//                                          cycle
//     c+k+1   obs_o                        after rx_last_i: the completed packet, and the flags
//
// An error sets a flag, which stays until the next start: a flit is sent, or combined with, that
// was never stored, a flit arrives that is not expected, or an expected flit does not arrive.
//
// Computed, Headers, Lists and Ranges change the programs, and Combine what is stored. Each is
// described where it is implemented: below, or in a module of its own.
`default_nettype none
`include "../common/rc_assert.svh"
`include "../common/rc_require.svh"

module rc_endpoint #(
  parameter int Width      = 1,     // bits of a word, 1 ... 512
  parameter int Packets    = 2,     // packets of the memory, a power of two >= 2
  parameter int Flits      = 2,     // largest number of flits of a packet, a power of two >= 2
  parameter int Rows       = 2,     // rows of a run, a power of two >= 2
  parameter int Node       = 0,     // number of the node in host addresses
  parameter int NodeBits   = 1,
  // with Headers: the destination of packets for this node, the first endpoint of its processor
  parameter int Home       = Node,
  // 1: packets have headers; Width >= PacketBits, and without Lists Width > NodeBits
  parameter int Headers    = 0,
  parameter int Lists      = 0,     // 1: list_i selects the packet to send; requires Headers
  parameter int Computed   = 0,     // 1: computed programs; excludes Headers
  // entries of a program: Rows, or with Computed a power of two >= 2
  parameter int Entries    = Rows,
  // 1: packets are combined with those in the memory (rc_operand_memory.sv); 2: with those of the
  // other endpoints of the node (rc_node_memory.sv); 3: as 1, but apart from the node's own
  // (rc_received_memory.sv); excludes Headers, Computed and Ranges
  parameter int Combine    = 0,
  parameter int Operators  = 127,   // with Combine: that are built (rc_combine.sv)
  parameter int OffsetBits = 1,     // with Computed: bits of an offset, > PacketBits
  // with Computed: 1: rows have two cycles or more, so that the receive program is read early
  parameter int Prefetch   = 0,
  // endpoints of a node, adjacent, that send from the memories of each other, or, with Combine 2,
  // combine them; 1: there are none; above 1: excludes Computed, Ranges, Headers and Combine 1, 3
  parameter int Shared     = 1,
  parameter int Members    = Shared,  // of them, those that the machine has
  // 1: ranges in place of programs (rc_range_program.sv); excludes Headers and Computed
  parameter int Ranges     = 0,
  parameter int Nodes      = 2,     // with Ranges: nodes of the network
  parameter int Splits     = 2,     // with Ranges: words of the table of splits
  // initial contents (rc_initial.sv), with Combine 2 and 3 of the node's own packets; initially
  // nothing is received; excludes Lists and Ranges, whose registers only the host can write
  parameter bit [1023:0] Init = '0,
  localparam int PacketBits = Packets > 1 ? $clog2(Packets) : 1,
  localparam int FlitBits   = $clog2(Flits),
  localparam int RowBits    = $clog2(Rows),
  localparam int ListBits   = 2 + PacketBits + RowBits,
  localparam int SplitBits  = 1 + 2 * NodeBits,
  localparam int LaneBits   = Width + 1,             // {valid, word}
  localparam int WordBits   = Width >= 1 ? Width : 1,
  localparam int Parts      = rc_address_map::parts(Width),
  localparam int PartBits   = rc_address_map::part_bits(Width),
  localparam int WriteBits  = (Combine == 2 ? 3 : 2) + PacketBits
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  start_i,        // with Ranges: start of a run
  input  wire                  clear_i,        // clears the flags
  input  wire                  forward_i,      // packets have one flit, or rows one cycle
  // rx_en_i and rx_flit_i == tx_flit_i, computed once for all nodes
  input  wire                  same_flit_i,
  input  wire                  send_fetch_i,
  input  wire [RowBits-1:0]    send_row_i,
  input  wire [OffsetBits-1:0] base_i,
  input  wire [OffsetBits:0]   excess_i,        // with Computed (rc_periodic_packet.sv)
  input  wire                  tx_en_i,
  input  wire [FlitBits-1:0]   tx_flit_i,
  output wire [LaneBits-1:0]   lane_o,
  input  wire                  recv_fetch_i,
  input  wire [RowBits-1:0]    recv_row_i,
  input  wire                  recv_prefetch_i,  // with Prefetch: the next entry is read
  input  wire [OffsetBits-1:0] rx_base_i,      // with Prefetch: of the next row
  input  wire [OffsetBits:0]   rx_excess_i,
  input  wire [PacketBits-1:0] last_packet_i,  // with Computed: the last packet of the schedule
  input  wire [PacketBits:0]   packets_i,      // with Ranges: packets of the schedule
  input  wire                  stream_i,   // with Computed: the run is a stream
  // with Ranges: the first tx_en_i of a row; the last flit of a packet; the table of splits
  input  wire                  row_begins_i,
  input  wire [FlitBits-1:0]   last_flit_i,
  input  wire [Splits*SplitBits-1:0] splits_i,
  // with Combine: rx_en_i and rx_flit_i, one cycle earlier, with lane_i
  input  wire                  lane_en_i,
  input  wire [FlitBits-1:0]   lane_flit_i,
  input  wire [2:0]            operation_i,     // with Combine (rc_combine.sv)
  input  wire                  rx_en_i,
  input  wire                  rx_last_i,
  input  wire [FlitBits-1:0]   rx_flit_i,
  input  wire [LaneBits-1:0]   lane_i,
  // what is written to the memory, to the members of the node: {the host addresses it, a packet is
  // received, packet}, with Combine 2 as in rc_node_memory.sv; and what is written to theirs, with
  // their lanes
  output wire [WriteBits-1:0]          write_o,
  input  wire [Members*WriteBits-1:0]  writes_i,
  input  wire [Members*LaneBits-1:0]   lanes_i,
  // after rx_last_i {valid, missing, unexpected, not held, packet}; one cycle after
  // host_re_memory_i the word that the host reads, with flags in the same bits; else 0
  output wire  [31:0]          obs_o,
  output wire  [2:0]           flags_o,        // {missing, unexpected, not held}
  input  wire [ListBits-1:0]   list_i,         // with Lists: {send, direct, slot, row}
  output wire [PacketBits-1:0] count_o,        // with Lists: length of the list
  // host port; used while the machine is idle; host_req_i one cycle before the strobes
  input  wire                  host_req_i,
  input  wire                  host_all_i,     // all nodes are addressed
  input  wire [NodeBits-1:0]   host_node_i,
  input  wire                  host_we_send_i,
  input  wire                  host_we_recv_i,
  input  wire                  host_we_packet_i,
  input  wire                  host_re_send_i,
  input  wire                  host_re_recv_i,
  input  wire                  host_re_packet_i,
  input  wire                  host_re_flags_i,
  input  wire                  host_re_memory_i,  // a memory of any node is read
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [PacketBits-1:0] host_packet_i,
  input  wire [FlitBits+PartBits-1:0] host_flit_i,     // {flit, part} (rc_address_map.sv)
  input  wire [31:0]           host_data_i
);

  `RC_REQUIRE(Width, Width >= 1 && Width <= 512, "Width must be 1 to 512")
  `RC_REQUIRE(Packets, Packets >= 2 && (Packets & (Packets - 1)) == 0,
              "Packets must be a power of two, 2 or more")
  `RC_REQUIRE(Flits, Flits >= 2 && (Flits & (Flits - 1)) == 0,
              "Flits must be a power of two, 2 or more")
  `RC_REQUIRE(Rows, Rows >= 2 && (Rows & (Rows - 1)) == 0, "Rows must be a power of two, 2 or more")
  `RC_REQUIRE(Width_PacketBits, Headers == 0 || Width >= PacketBits,
              "Width must be PacketBits or more with Headers")
  `RC_REQUIRE(Width_NodeBits, Headers == 0 || Lists != 0 || Width > NodeBits,
              "Width must be above NodeBits with Headers, unless with Lists")
  `RC_REQUIRE(Init, (Lists == 0 && Ranges == 0) || Init == '0,
              "Init must be 0 with Lists or Ranges")
  `RC_REQUIRE(Ranges, Ranges == 0 || (Headers == 0 && Computed == 0),
              "Ranges must be 0 with Headers or Computed")
  `RC_REQUIRE(Lists, Lists == 0 || Headers != 0, "Lists requires Headers")
  `RC_REQUIRE(Computed, Computed == 0 || Headers == 0, "Computed must be 0 with Headers")
  `RC_REQUIRE(Shared, Shared == 1 || (Shared > 1 && Computed == 0 && Headers == 0 && Ranges == 0),
              "Shared must be 1 or more, and 1 with Computed, Ranges or Headers")
  `RC_REQUIRE(Entries, Computed == 0 ? Entries == Rows
              : Entries >= 2 && (Entries & (Entries - 1)) == 0,
              "Entries must be Rows or, with Computed, a power of two, 2 or more")
  `RC_REQUIRE(OffsetBits, Computed == 0 || OffsetBits > PacketBits,
              "OffsetBits must be above PacketBits")

  `RC_ASSERT_RESET(rst_i)

  // Host port.

  logic selected_q;

  always_ff @(posedge clk_i) begin
    if (host_req_i) selected_q <= host_all_i || host_node_i == NodeBits'(Node);
  end

  // Each part of a word has the bits of the host; the memory writes one of them.
  wire [FlitBits-1:0] host_flit = host_flit_i[PartBits +: FlitBits];
  wire [LaneBits-1:0] host_lane = {host_data_i[31], WordBits'({Parts{host_data_i}})};
  wire [Parts-1:0]    host_parts;

  if (Parts == 1) begin : g_whole
    assign host_parts = 1'b1;
  end
  for (genvar p = 0; Parts > 1 && p < Parts; p++) begin : g_part
    assign host_parts[p] = host_flit_i[PartBits-1:0] == PartBits'(p);
  end

  localparam bit HasReceive = Headers == 0 && Ranges == 0;   // a receive program

  // Selects the words observed in the next cycle. There is one bit per source, so that a memory
  // word passes only two LUTs before the OR with other nodes. In most cycles nothing is observed;
  // this is the same for all nodes, so a simulator skips all of them at once.
  wire        shows = host_re_memory_i | rx_last_i | rst_i;
  logic       shows_q;
  logic [3:0] shown_q;                    // {send program, receive program, packet memory, flags}

  always_ff @(posedge clk_i) begin
    shows_q <= shows;
    if (shows | shows_q) begin
      shown_q[3] <= host_re_send_i ? selected_q : 1'b0;
      shown_q[2] <= host_re_recv_i && HasReceive ? selected_q : 1'b0;
      shown_q[1] <= host_re_packet_i ? selected_q : 1'b0;
      shown_q[0] <= host_re_memory_i ? host_re_flags_i & selected_q : rx_last_i;
    end
  end

  // Programs. Without barriers (rc_sequencer.sv) a packet has an entry for each of its rows, and
  // `more` is set in the receive program for each of them except the last.
  //
  // With Computed, send_row_i and recv_row_i are positions in the setting period
  // (rc_computed_program.sv). These runs have barriers.

  // With Ranges there are no programs: the send program is one word, the range of the node at which
  // the packets start.

  localparam int MemberBits  = Shared > 1 && Combine == 0 ? $clog2(Shared) : 0;
  localparam int SelectBits  = MemberBits > 0 ? MemberBits : 1;
  localparam int EntryBits   = Ranges != 0 ? NodeBits : Computed != 0 ? OffsetBits
      : PacketBits + MemberBits;
  localparam int AddressBits = $clog2(Entries);
  // {valid, more, combine, own} of a receive program, {valid, received, combine} of a send program
  localparam int FlagBits    = Combine == 3 ? 4 : Combine != 0 ? 3 : 2;
  localparam int ChosenBits  = Combine == 3 ? 2 : 0;

  // The errors of what arrives are one register, so that a simulator compares once for all of them.
  struct packed {
    logic broken;                                 // a flit of the packet was missing or unexpected
    logic unexpected, missing;                    // flags
  } errors_q;

  wire                  entry_valid, program_valid, send_valid, recv_valid, recv_more;
  wire [EntryBits-1:0]  entry;
  wire [PacketBits-1:0] program_packet, send_packet, recv_packet;
  // {valid, more, combine} and the packet of the row whose flits are on lane_i
  wire [2:0]            lane_flags;
  wire                  lane_own;   // with Combine 3 (rc_received_memory.sv)
  wire [PacketBits-1:0] lane_packet;
  wire [1:0]            chosen;     // with Combine 3: {received, combine} of the send program
  wire [RowBits-1:0]    program_row;
  wire [31:0]           recv_word;  // word of the receive program, as the host reads it

  // No `else if`, because Yosys numbers the blocks after it, and proofs name what is in them.
  if (Ranges != 0) begin : g_send_range
    logic [EntryBits:0] word_q;

    always_ff @(posedge clk_i) begin
      if (host_we_send_i & selected_q) word_q <= {host_data_i[31], host_data_i[EntryBits-1:0]};
    end

    assign {entry_valid, entry} = word_q;
    assign program_valid  = 1'b0;
    assign program_packet = '0;

    wire unused = &{1'b0, send_fetch_i, program_valid, program_packet};
  end

  if (Computed != 0) begin : g_computed_send
    rc_computed_program #(
      .Packets(Packets), .OffsetBits(OffsetBits), .Entries(Entries),
      .Init(rc_initial::part(Init, "send-", Node))
    ) u_send_program (
      .clk_i, .fetch_i(send_fetch_i), .prefetch_i(1'b0), .row_i(program_row[AddressBits-1:0]),
      .base_i, .excess_i, .last_packet_i, .stream_i, .valid_o(program_valid),
      .packet_o(program_packet), .host_strobe_i(host_we_send_i), .host_we_i(selected_q),
      .host_row_i(host_row_i[AddressBits-1:0]),
      .host_data_i({host_data_i[31], host_data_i[OffsetBits-1:0]}), .host_re_memory_i,
      .word_o({entry_valid, entry})
    );

    wire unused = &{1'b0, packets_i};
  end else begin : g_stored_send
    wire unused = &{1'b0, base_i, excess_i, rx_base_i, rx_excess_i, last_packet_i, packets_i,
                    stream_i};
  end

  if (Ranges == 0 && Computed == 0) begin : g_send_program
    wire [ChosenBits:0] flags;

    rc_ram #(
      .Width(1 + ChosenBits + EntryBits), .Depth(Entries),
      .Init(rc_initial::part(Init, "send-", Node))
    ) u_send_program (
      .clk_i,
      .strobe_i(host_we_send_i),
      .we_i(selected_q),
      .waddr_i(host_row_i[AddressBits-1:0]),
      .wdata_i({host_data_i[31 -: 1 + ChosenBits], host_data_i[EntryBits-1:0]}),
      .re_i(send_fetch_i),
      .raddr_i(program_row[AddressBits-1:0]),
      .rdata_o({flags, entry})
    );

    assign {entry_valid, chosen} = 3'(flags) << (2 - ChosenBits);
    assign program_valid  = entry_valid;
    assign program_packet = entry[PacketBits-1:0];
  end else begin : g_send_program
    assign chosen = '0;
  end

  // With Ranges each endpoint counts the flits of its packets, and sends headers of its own.
  wire                heads;
  wire [LaneBits-1:0] header;
  wire [FlitBits-1:0] tx_flit, rx_flit;

  if (Ranges != 0) begin : g_rows
    assign program_row = send_row_i;
    assign count_o     = '0;

    wire unused = &{1'b0, list_i};
  end else if (Lists == 0) begin : g_rows
    assign program_row = send_row_i;
    assign send_valid  = program_valid;
    assign send_packet = program_packet;
    assign count_o     = '0;

    wire unused = &{1'b0, list_i};
  end else begin : g_list
    // The send program is a list of packets, rows 0 ... count_o - 1, and list_i selects the packet
    // to send: the packet in `row` of the list, which is valid in cycle c-2, or, if `direct` is
    // high, the packet in `slot` of the memory. send, direct and slot are valid from cycle c-1 to
    // the last tx_en_i. The host writes a list from row 0 on; a word that is not valid empties it.
    wire                   send, direct;
    wire  [PacketBits-1:0] slot;
    wire  [RowBits-1:0]    list_row;
    logic [PacketBits-1:0] count_q;

    always_ff @(posedge clk_i) begin
      if (host_we_send_i & selected_q)
        count_q <= host_data_i[31] ? PacketBits'(host_row_i) + 1'b1 : '0;
    end

    assign {send, direct, slot, list_row} = list_i;
    assign program_row = host_re_memory_i ? send_row_i : list_row;
    assign send_valid  = send & (direct | program_valid);
    assign send_packet = direct ? slot : program_packet;
    assign count_o     = count_q;
  end

  if (Computed != 0) begin : g_computed_receive
    wire                  valid, recv_entry_valid;
    wire [PacketBits-1:0] packet;
    wire [OffsetBits-1:0] offset;

    rc_computed_program #(
      .Packets(Packets), .OffsetBits(OffsetBits), .Entries(Entries), .Prefetch(Prefetch),
      .Init(rc_initial::part(Init, "receive-", Node))
    ) u_recv_program (
      .clk_i, .fetch_i(recv_fetch_i), .prefetch_i(recv_prefetch_i),
      .row_i(recv_row_i[AddressBits-1:0]), .base_i(rx_base_i), .excess_i(rx_excess_i),
      .last_packet_i, .stream_i, .valid_o(valid), .packet_o(packet),
      .host_strobe_i(host_we_recv_i), .host_we_i(selected_q),
      .host_row_i(host_row_i[AddressBits-1:0]),
      .host_data_i({host_data_i[31], host_data_i[OffsetBits-1:0]}), .host_re_memory_i,
      .word_o({recv_entry_valid, offset})
    );

    assign lane_flags  = {valid, 2'b0};
    assign lane_packet = Prefetch != 0 ? packet : packet & {PacketBits{valid}};
    assign recv_word  = {recv_entry_valid, 31'(offset)};
  end

  if (Headers == 0 && Ranges == 0 && Computed == 0) begin : g_program
    wire [FlagBits-1:0] flags;

    rc_ram #(
      .Width(FlagBits + PacketBits), .Depth(Rows), .Init(rc_initial::part(Init, "receive-", Node))
    ) u_recv_program (
      .clk_i,
      .strobe_i(host_we_recv_i),
      .we_i(selected_q),
      .waddr_i(host_row_i),
      .wdata_i({host_data_i[31 -: FlagBits], host_data_i[PacketBits-1:0]}),
      .re_i(recv_fetch_i),
      .raddr_i(recv_row_i),
      .rdata_o({flags, lane_packet})
    );

    assign {lane_flags, lane_own} = 4'(flags) << (4 - FlagBits);
    assign recv_word  = {lane_flags, lane_own, 28'(lane_packet)};
  end else begin : g_program
    assign lane_own = 1'b0;
  end

  if (Ranges != 0) begin : g_ranges
    rc_range_program #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Nodes(Nodes), .Node(Node),
      .NodeBits(NodeBits), .Splits(Splits)
    ) u_range (
      .clk_i, .rst_i, .start_i, .source_i(entry_valid), .source_last_i(entry), .packets_i,
      .last_flit_i, .splits_i, .row_begins_i, .tx_en_i, .send_o(send_valid), .heads_o(heads),
      .header_o(header), .tx_packet_o(send_packet), .tx_flit_o(tx_flit), .rx_en_i, .lane_i,
      .broken_i(errors_q.broken), .recv_o(lane_flags[2]), .more_o(lane_flags[1]),
      .rx_packet_o(lane_packet), .rx_flit_o(rx_flit)
    );

    assign lane_flags[0] = 1'b0;
    assign recv_word     = '0;                           // there is no receive program

    wire unused = &{1'b0, host_we_recv_i, tx_flit_i, rx_flit_i};
  end

  if (Headers != 0) begin : g_headers
    // There is no receive program: the header of a packet determines where it is stored. The packet
    // has at least 2 flits, in a run with barriers; the first of them are
    //
    //     flit 0    the slot in which the packet is stored
    //     flit 1    {multicast (bit Width-1), destination}; a packet for another node is not
    //               expected. With Lists, flit 1 has no such meaning.
    wire                   slot_flit = rx_flit_i == '0;
    wire                   node_flit = rx_flit_i == FlitBits'(1);
    wire                   other = Lists == 0 && !lane_i[Width-1] &&
        lane_i[NodeBits-1:0] != NodeBits'(Home);
    logic                  valid_q;
    logic [PacketBits-1:0] packet_q;

    always_ff @(posedge clk_i) begin
      if (rx_en_i) begin
        valid_q  <= lane_flags[2];
        packet_q <= lane_packet;
      end
      if (rst_i) packet_q <= '0;
    end

    wire slot_now = slot_flit & lane_i[Width];

    assign lane_flags  = {slot_flit ? lane_i[Width] : valid_q & ~(node_flit & other), 2'b0};
    assign lane_packet = slot_now ? lane_i[PacketBits-1:0] : packet_q;
    assign recv_word   = '0;                         // there is no receive program

    wire unused = &{1'b0, host_we_recv_i, recv_row_i};
  end

  if (Ranges == 0) begin : g_flits
    assign heads   = 1'b0;
    assign header  = '0;
    assign tx_flit = tx_flit_i;
    assign rx_flit = rx_flit_i;

    wire unused = &{1'b0, start_i, row_begins_i, last_flit_i, splits_i};
  end

  // Combine 1 and 3. A flit on lane_i waits one cycle, in which the word at its place is read
  // (rc_operand_memory.sv). A combination with a word that is not held sets the flag of a flit that
  // is sent but not held. With Combine 3, the words are those that were received.

  wire [LaneBits-1:0] incoming;     // the word to store
  wire                lacks;        // the flit is combined with a word that is not held
  wire                fetched;      // the receive program has been read for the next row
  wire                arrived;

  `RC_REQUIRE(Combine, Combine == 0 || (Combine <= 3 && Headers == 0 && Computed == 0
              && Ranges == 0 && (Combine == 2 || Shared == 1)),
              "Combine must be 0 with Headers, Computed or Ranges, and 0 or 2 with Shared")
  `RC_REQUIRE(Width_Combine, Combine != 2 || Width <= 31,
              "Width must be 1 to 31 with Combine 2")

  if (Combine == 1 || Combine == 3) begin : g_combine
    // The host writes a packet, or clears what was received in its place.
    wire [Parts-1:0]    parts = Combine == 3 ? {Parts{1'b1}} : host_parts;
    wire [LaneBits-1:0] lane  = Combine == 3 ? '0 : host_lane;

    rc_operand_memory #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Operators(Operators), .Node(Node),
      .Init(Combine == 3 ? 1024'd0 : Init), .Cleared(Combine == 3 && Init != '0)
    ) u_operand (
      .clk_i, .recv_fetch_i, .lane_en_i, .lane_flit_i, .lane_flags_i(lane_flags),
      .lane_packet_i(lane_packet), .lane_i, .operation_i, .rx_en_i, .rx_flit_i,
      .fetched_o(fetched), .recv_valid_o(recv_valid), .recv_more_o(recv_more),
      .recv_packet_o(recv_packet), .arrived_o(arrived), .word_o(incoming), .lacks_o(lacks),
      .host_selected_i(selected_q), .host_we_packet_i, .host_packet_i,
      .host_flit_i(host_flit), .host_parts_i(parts), .host_lane_i(lane)
    );
  end else begin : g_combine
    assign {recv_valid, recv_more} = lane_flags[2:1];
    assign recv_packet = lane_packet;
    assign fetched     = recv_fetch_i;
    assign arrived     = lane_i[Width];
    assign incoming    = lane_i;
    assign lacks       = 1'b0;

    wire unused = &{1'b0, lane_en_i, lane_flit_i, operation_i, lane_flags[0]};
  end

  // Packet memory. With Shared, an entry of the send program is {member, packet}.

  wire                    expected = rx_en_i & recv_valid;
  wire [31:0]             memory_word;               // as the host reads it
  wire [LaneBits-1:0]     stored;                    // as it is sent
  wire [SelectBits-1:0]   member;

  if (MemberBits > 0) begin : g_member
    assign member = entry[PacketBits +: MemberBits];
  end else begin : g_member
    assign member = '0;
  end

  localparam int MemoryMembers = Combine == 2 ? 1 : Members;
  localparam int MemoryBits    = 2 + PacketBits;     // of write_o, without Combine 2

  wire [LaneBits-1:0]                 memory_lane;
  wire [31:0]                         own_word;      // as the host reads it
  wire [MemoryBits-1:0]               memory_write;
  wire [MemoryMembers*MemoryBits-1:0] memory_writes;
  wire [MemoryMembers*LaneBits-1:0]   memory_lanes;

  rc_packet_memory #(
    .Width(Width), .Packets(Packets), .Flits(Flits), .Node(Node),
    .Shared(Combine == 2 ? 1 : Shared), .Members(MemoryMembers), .Init(Init)
  ) u_memory (
    .clk_i, .forward_i, .same_flit_i, .tx_en_i, .tx_flit_i(tx_flit), .send_packet_i(send_packet),
    .member_i(member), .word_o(memory_lane), .rx_en_i, .rx_flit_i(rx_flit),
    .recv_valid_i(recv_valid && Combine < 2), .recv_packet_i(recv_packet), .word_i(incoming),
    .write_o(memory_write), .writes_i(memory_writes), .lanes_i(memory_lanes),
    .host_selected_i(selected_q), .host_we_packet_i, .host_re_memory_i, .host_packet_i,
    .host_flit_i(host_flit), .host_parts_i(host_parts), .host_lane_i(host_lane),
    .host_word_o(own_word)
  );

  // Combine 2 and 3. The packet memory has what the host writes.

  if (Combine >= 2) begin : g_host_word
    rc_host_word #(.Width(Width)) u_host_word (
      .clk_i, .host_re_memory_i, .parts_i(host_parts), .word_i(stored), .host_word_o(memory_word)
    );

    wire unused = &{1'b0, own_word};
  end else begin : g_host_word
    assign memory_word = own_word;
  end

  if (Combine == 2) begin : g_node
    rc_node_memory #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Operators(Operators), .Members(Members),
      .Cleared(Init != '0)
    ) u_node (
      .clk_i, .operation_i, .tx_en_i, .tx_flit_i, .send_packet_i(send_packet),
      .own_i(memory_lane), .word_o(stored), .rx_en_i, .rx_flit_i, .writes_i, .lanes_i,
      .host_we_packet_i, .host_re_memory_i, .host_packet_i,
      .host_flit_i(host_flit)
    );

    assign write_o       = {selected_q, recv_valid, lane_flags[0], recv_packet};
    assign memory_writes = '0;
    assign memory_lanes  = '0;

    for (genvar m = 0; m < Members; m++) begin : g_apart
      wire                  receives = writes_i[m*WriteBits+PacketBits+1];
      wire [PacketBits-1:0] packet   = writes_i[m*WriteBits +: PacketBits];

      `RC_EXPECT(apart, !(rx_en_i && receives && tx_en_i && send_valid)
                 || {packet, rx_flit_i} != {send_packet, tx_flit_i},
                 "a word is sent in the cycle in which it is stored")

      wire unused = &{1'b0, receives, packet};
    end

    wire unused = &{1'b0, memory_write};
  end else begin : g_node
    assign write_o       = memory_write;
    assign memory_writes = writes_i;
    assign memory_lanes  = lanes_i;
  end

  if (Combine == 3) begin : g_received
    rc_received_memory #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Operators(Operators), .Cleared(Init != '0)
    ) u_received (
      .clk_i, .forward_i, .same_flit_i, .operation_i, .tx_en_i, .tx_flit_i(tx_flit),
      .send_packet_i(send_packet), .chosen_i(chosen), .own_i(memory_lane), .word_o(stored),
      .rx_en_i, .rx_flit_i(rx_flit), .recv_valid_i(recv_valid), .recv_packet_i(recv_packet),
      .recv_own_i(lane_own), .word_i(incoming), .host_selected_i(selected_q), .host_we_packet_i,
      .host_re_memory_i, .host_packet_i, .host_flit_i(host_flit)
    );
  end else if (Combine != 2) begin : g_received
    assign stored = memory_lane;
  end

  wire [LaneBits-1:0] word = heads ? header : stored;

  // Sending: the held bit is the valid bit, so a word that is not held never leaves.

  logic tx_valid_q;

  always_ff @(posedge clk_i) begin
    tx_valid_q <= tx_en_i ? send_valid : 1'b0;
  end

  // A switch that neither forms `min` nor `and` requires that a lane without a word is 0; others
  // leave out its bits themselves (rc_combine_switch.sv).
  localparam bit Clears = Combine != 0 && (Operators & 'h14) == 0;

  assign lane_o = {LaneBits{tx_valid_q && (!Clears || word[Width])}} & word;

  // Flags and observation.

  logic not_held_q;

  // Without a clock enable, which would be the longest path from the memory.
  always_ff @(posedge clk_i) begin
    not_held_q <= ~clear_i & (not_held_q | (tx_valid_q & ~word[Width]) | lacks);
  end

  // Nested conditions, as in rc_ram.sv, let a simulator skip them.
  always_ff @(posedge clk_i) begin
    if (arrived != expected) begin
      errors_q.broken <= 1'b1;
      if (arrived) errors_q.unexpected <= 1'b1;
      else errors_q.missing <= 1'b1;
    end
    if (fetched) begin
      if (~(recv_valid & recv_more)) errors_q.broken <= 1'b0;
    end
    if (clear_i) begin
      errors_q <= '0;                                // even if the last fetched row continues
    end
  end

  assign flags_o = {errors_q.missing, errors_q.unexpected, not_held_q};

  logic                  complete_q;
  logic [PacketBits-1:0] complete_packet_q;

  // The packet that was completed, in the cycle after rx_last_i; in other cycles 0, so that it
  // needs no select.
  wire reports = rx_last_i & ~rst_i & ~host_re_memory_i;

  always_ff @(posedge clk_i) begin
    if (shows | shows_q) begin
      complete_q        <= 1'b0;
      complete_packet_q <= '0;
      if (reports) begin
        complete_q        <= expected & arrived & ~errors_q.broken & ~recv_more;
        complete_packet_q <= recv_packet;
      end
    end
  end

  // Words that the host reads are also shown on obs_o, for all nodes side by side. The outer
  // condition follows from the others: it costs no logic and lets a simulator skip them.

  wire         shows_send   = shown_q[3];
  wire         shows_recv   = shown_q[2];
  wire         shows_packet = shown_q[1];
  wire         shows_flags  = shown_q[0];
  wire [31:0]  flag_word    = {1'b0, flags_o, 28'b0};
  logic [31:0] seen;

  always_comb begin
    seen = {complete_q, 3'b0, 28'(complete_packet_q)};
    if (shown_q != '0) begin
      if (shows_send) seen = seen | {entry_valid, chosen, 29'(entry)};
      if (shows_recv) seen = seen | recv_word;
      if (shows_packet) seen = seen | memory_word;
      if (shows_flags) seen = seen | flag_word;
    end
  end

  assign obs_o = seen;

  wire unused = &{1'b0, host_data_i, host_row_i, program_row, recv_row_i, recv_prefetch_i,
                  lane_own, chosen};

  `RC_EXPECT(reads_apart, !(host_re_memory_i && tx_en_i), "the host reads a memory during a run")
  `RC_EXPECT(writes_apart, !(host_we_packet_i && rx_en_i), "the host writes a packet during a run")

endmodule

`default_nettype wire
