// SPDX-License-Identifier: Apache-2.0
// router_auto_properties: each branch of a self-timed router is a queue from the input lanes to the
// output lanes.
//
// The run is multiport, with one lane to each child and to the parent. A packet of a row belongs to
// a branch if it did not arrive from there and is multicast, or its leaf is there. The packets of a
// branch are ordered by row, and within a row by port.
//
//  1. In each row a branch sends exactly one packet if any was queued for it when the last row
//     ended, and none otherwise.
//  2. An arbitrary packet that arrives for a branch is sent, both flits unchanged, when all earlier
//     packets of the branch have been sent. Therefore no packet is lost, duplicated, invented,
//     reordered or sent elsewhere, and each leaves after as many rows as there were packets before
//     it, which are fewer than Queue.
//
// These rules hold until the router sets `overflow`, two cycles after the end of a row.
// router_auto_rows_properties.sv proves when it does.
//
// Assumed: whole packets of two flits; rows with the timing of rc_sequencer.sv, over links without
// registers: the first flit arrives when the second is read. Any time may pass between rows. The
// first cycle is a reset. Phases of a row:
//
//  0          idle, until tx_en of flit 0
//  1          tx_en of flit 1, rx_en of flit 0     flit 0 is on lanes_o
//  2          rx_en of flit 1, rx_last             flit 1 is on lanes_o
//  3 ... P+8  the packets are queued, and the next packets are selected
`default_nettype none

module router_auto_properties #(
  parameter int Children    = 2,
  parameter int ParentLanes = 1,
  parameter int LeafCount   = 1,                     // leaves below each child
  parameter int Depth       = 3,                     // 2 or 3: the proof names the buffer words
  parameter int Queue       = 2,                     // 2 ... 4
  parameter int Reads       = 1,
  parameter int Width       = 4,
  parameter int Rows        = 8,
  parameter int NodeBits    = 2,
  parameter int Ports       = Children + ParentLanes,
  parameter int LaneBits    = Width + 1,
  parameter int SlotBits    = Depth > 1 ? $clog2(Depth) : 1,
  parameter int LapBits     = $clog2(Rows / Depth + 2),
  parameter int PlaceBits   = LapBits + SlotBits,
  parameter int PortBits    = $clog2(Ports),
  parameter int ChildBits   = $clog2(Children),
  parameter int EntryBits   = 1 + ChildBits + PortBits + PlaceBits,
  parameter int SourceBits  = $clog2(Ports * Reads),
  parameter int AddrBits    = Queue > 2 ? $clog2(Queue) : 1,
  parameter int CountBits   = $clog2(Queue + 1),
  parameter int RowBits     = $clog2(Rows)
) (
  input  wire                      clk_i,
  input  wire                      next_row_i,             // the next row begins
  input  wire                      choose_i,         // the packet of this row is followed
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire                      cover_sent_o,
  output wire                      cover_waited_o,
  output wire                      cover_full_o
);

  localparam int Last = Ports + 8;                   // last phase of a row

  logic running_q = 1'b0;
  always_ff @(posedge clk_i) running_q <= 1'b1;

  logic [3:0] phase_q = '0;
  wire        rest    = phase_q == '0;
  always_ff @(posedge clk_i) begin
    if (rest) phase_q <= running_q && next_row_i ? 4'd1 : '0;
    else phase_q <= phase_q >= 4'(Last) ? '0 : phase_q + 1'b1;
  end

  wire tx_en   = running_q && ((rest && next_row_i) || phase_q == 4'd1);
  wire rx_en   = phase_q == 4'd1 || phase_q == 4'd2;
  wire rx_last = phase_q == 4'd2;

  wire [NodeBits-1:0]       first = $anyconst;       // lowest leaf below the router
  wire [Ports*LaneBits-1:0] lanes;

  rc_router_auto #(
    .Children(Children), .ParentLanes(ParentLanes), .LeavesPerChild(LeafCount), .Depth(Depth),
    .Queue(Queue), .Reads(Reads), .Width(Width), .Rows(Rows), .NodeBits(NodeBits)
  ) u_router (
    .clk_i, .rst_i(!running_q), .start_i(1'b0), .first_leaf_i(first), .number_i(1'b0),
    .step_i({3'b000, {RowBits{1'b0}}, tx_en, phase_q == 4'd1, rx_en, rx_last, rx_last}),
    .lanes_i, .lanes_o(lanes), .host_i({(37+RowBits){1'b0}}), .host_rdata_o()
  );

  // The branch, port and packet that the proof follows, and the packets queued for the branch.
  wire [PortBits-1:0] branch = $anyconst, port = $anyconst;
  always_comb assume (32'(branch) < Ports && 32'(port) < Ports);

  function automatic logic wanted(input int from, input [Width-1:0] word,
                                  input [PortBits-1:0] to, input [NodeBits-1:0] lowest);
    int child;
    child  = 32'(NodeBits'(word[NodeBits-1:0] - lowest)) / LeafCount;
    if (child > Ports - 1) child = Ports - 1;
    wanted = 32'(to) != from && (word[Width-1] || child == 32'(to));
  endfunction

  logic [Ports-1:0] arrived_q, for_q;                // in this row: for any branch; for the branch
  wire  [Ports-1:0] valid, wants;
  for (genvar p = 0; p < Ports; p++) begin : g_port
    wire [LaneBits-1:0] lane = lanes_i[p*LaneBits +: LaneBits];
    assign valid[p] = lane[Width];
    assign wants[p] = lane[Width] && wanted(p, lane[Width-1:0], branch, first);
  end
  always_ff @(posedge clk_i) begin
    if (phase_q == 4'd1) arrived_q <= valid;
    if (rx_last) for_q <= wants;
  end
  always_comb if (rx_last) assume (valid == arrived_q);

  function automatic int ones(input [Ports-1:0] bits);
    ones = 0;
    for (int p = 0; p < Ports; p++) ones = ones + 32'(bits[p]);
  endfunction

  // Packets queued for the branch after the last row, and whether it sends in this row.
  logic [3:0]           count_q = '0, ahead_q = '0, after_q = '0;
  logic                 sends_q = 1'b0, mine_q = 1'b0, waits_q = 1'b0, chosen_q = 1'b0;
  logic                 comes_q = 1'b0;              // the followed packet arrives in this row
  logic [2*Width-1:0]   flits_q;
  logic [PlaceBits-1:0] place_q;

  wire [3:0] lower  = 4'(ones(for_q & ((Ports'(1) << port) - 1'b1)));
  wire [3:0] all    = count_q + 4'(ones(for_q));
  wire [3:0] before = comes_q ? count_q + lower : ahead_q;
  wire       ends   = phase_q == 4'(Last);
  wire [LaneBits-1:0]   lane = lanes_i[port*LaneBits +: LaneBits];
  wire [PlaceBits-1:0]  place [Ports];               // place of the next packet of each port

  always_ff @(posedge clk_i) begin
    if (phase_q == 4'd1 && !chosen_q) flits_q[0 +: Width] <= lane[Width-1:0];
    if (rx_last && !chosen_q) begin
      flits_q[Width +: Width] <= lane[Width-1:0];
      place_q                 <= place[port];
      comes_q                 <= choose_i && wants[port];
      chosen_q                <= choose_i && wants[port];
    end
    if (rx_last && chosen_q && valid[port] && after_q <= 4'(Queue)) after_q <= after_q + 1'b1;
    if (ends) begin
      sends_q <= all != '0;
      count_q <= all != '0 ? all - 1'b1 : '0;
      mine_q  <= (comes_q || waits_q) && before == '0;
      waits_q <= (comes_q || waits_q) && before != '0;
      ahead_q <= before - 1'b1;
      comes_q <= 1'b0;
    end
  end

  // Internal wires of the router.
  (* hierconn *) wire [Ports-1:0] \u_router.full_q , \u_router.late_q , \u_router.short_q ;
  (* hierconn *) wire [Ports-1:0] \u_router.late , \u_router.short ;
  (* hierconn *) wire             \u_router.overflow_q ;
  (* hierconn *) wire [Ports-1:0] \u_router.send_valid ;
  (* hierconn *) wire [Ports*SourceBits-1:0]     \u_router.send_source ;
  (* hierconn *) wire [Ports*Reads*SlotBits-1:0] \u_router.read_slot ;
  (* hierconn *) wire \u_router.scan_q , \u_router.looked_q , \u_router.pushed_q ;
  (* hierconn *) wire \u_router.queued_q , \u_router.begun_q , \u_router.serve_q ;
  (* hierconn *) wire \u_router.popped_q , \u_router.found_q , \u_router.u_scan.valid_q ;
  (* hierconn *) wire [Ports-1:0] \u_router.u_scan.push_q ;
  wire [CountBits-1:0] counts  [Ports];              // length of the queue of each branch
  wire [AddrBits-1:0]  oldest  [Ports];
  wire [EntryBits-1:0] entries [Ports << AddrBits];
  wire [Ports-1:0]     in_step, held;
  wire [Ports-1:0]     nonempty, waits;  // per queue: as reported; as it is
  wire [2*Width-1:0]   stored  [Ports];              // words in the slot of the packet

  for (genvar b = 0; b < Ports; b++) begin : \u_router.g_branch
    (* hierconn *) wire [CountBits-1:0] \u_queue.count_q ;
    (* hierconn *) wire [AddrBits-1:0]  \u_queue.raddr_q ;
    (* hierconn *) wire                 \u_queue.nonempty_q ;
    (* hierconn *) wire [EntryBits-1:0] \u_entries.mem[0] , \u_entries.mem[1] ;
    assign counts[b]                  = \u_queue.count_q ;
    assign oldest[b]                  = \u_queue.raddr_q ;
    assign nonempty[b]                = \u_queue.nonempty_q ;
    assign waits[b]                   = counts[b] != '0;
    assign entries[(b<<AddrBits)]     = \u_entries.mem[0] ;
    assign entries[(b<<AddrBits) + 1] = \u_entries.mem[1] ;
    if (AddrBits > 1) begin : \u_entries
      (* hierconn *) wire [EntryBits-1:0] \mem[2] , \mem[3] ;
      assign entries[(b<<AddrBits) + 2] = \mem[2] ;
      assign entries[(b<<AddrBits) + 3] = \mem[3] ;
    end
  end
  for (genvar p = 0; p < Ports; p++) begin : \u_router.u_scan.g_input
    (* hierconn *) wire [PlaceBits-1:0] place_q;
    assign place[p] = place_q;
  end
  for (genvar p = 0; p < Ports; p++) begin : \u_router.u_core.g_input
    (* hierconn *) wire [SlotBits-1:0] slot_q;
    (* hierconn *) wire                full_q;
    wire [SlotBits-1:0] slot = place_q[SlotBits-1:0];
    assign in_step[p] = slot_q == place[p][SlotBits-1:0] && 32'(slot_q) < Depth;
    assign held[p]    = full_q || slot < slot_q;
    if (Depth > 2) begin : \g_read[0].u_buffer
      (* hierconn *) wire [Width-1:0] \mem[0] , \mem[1] , \mem[2] , \mem[3] , \mem[4] , \mem[5] ;
      assign stored[p] = slot == 0 ? { \mem[1] , \mem[0] } : slot == 1 ? { \mem[3] , \mem[2] }
          : { \mem[5] , \mem[4] };
    end else begin : \g_read[0].u_buffer
      (* hierconn *) wire [Width-1:0] \mem[0] , \mem[1] , \mem[2] , \mem[3] ;
      assign stored[p] = slot == 0 ? { \mem[1] , \mem[0] } : { \mem[3] , \mem[2] };
    end
  end

  function automatic [PlaceBits-1:0] moved(input [PlaceBits-1:0] from, input [3:0] steps);
    moved = from;
    for (int n = 0; n <= Queue; n++) begin
      if (n < 32'(steps)) begin
        if (moved[SlotBits-1:0] == SlotBits'(Depth - 1)) begin
          moved = {moved[PlaceBits-1:SlotBits] + 1'b1, {SlotBits{1'b0}}};
        end else begin
          moved = moved + 1'b1;
        end
      end
    end
  endfunction

  // Checks the lanes.

  wire troubled = \u_router.overflow_q || \u_router.full_q != '0 || \u_router.late_q != '0 ||
      \u_router.short_q != '0 || \u_router.late != '0 || \u_router.short != '0;
  wire [LaneBits-1:0] out = lanes[branch*LaneBits +: LaneBits];

  always_comb if (running_q && (phase_q == 4'd1 || rx_last) && !troubled) begin
    if (!sends_q) nothing: assert (!out[Width]);
    if (mine_q && rx_last) second: assert (out == {1'b1, flits_q[Width +: Width]});
    if (mine_q && !rx_last) first_flit: assert (out == {1'b1, flits_q[0 +: Width]});
  end
  always_comb if (running_q && rest && !troubled) begin
    in_order: assert (\u_router.send_valid [branch] == sends_q);
    bounded: assert (!waits_q || 32'(ahead_q) < Queue);
  end

`ifndef REFUTE
  wire [EntryBits-1:0] entry =
      entries[{branch, AddrBits'(oldest[branch] + AddrBits'(ahead_q))}];
  wire [3:0] steps = after_q + 1'b1;

  always_comb if (running_q) begin
    assert (phase_q <= 4'(Last));
    if (rest) begin
      quiet: assert (! \u_router.scan_q && ! \u_router.looked_q && ! \u_router.pushed_q &&
                     ! \u_router.queued_q && ! \u_router.begun_q && ! \u_router.serve_q &&
                     ! \u_router.popped_q && ! \u_router.found_q && ! \u_router.u_scan.valid_q &&
                     \u_router.u_scan.push_q == '0 && !comes_q);
      known_to_wait: assert (nonempty == waits);
      once: assert (!(mine_q && waits_q) && (chosen_q || !(mine_q || waits_q)));
      after: assert (chosen_q || after_q == '0);
      stepping: assert (in_step == '1);
      counted: assert (troubled || (32'(counts[branch]) == 32'(count_q) && 32'(count_q) <= Queue));
      sending: assert (troubled || !mine_q || sends_q);
      if (!troubled && (waits_q || mine_q)) begin
        placed: assert (32'(place_q[SlotBits-1:0]) < Depth && port != branch);
        far: assert (place[port] == moved(place_q, steps) &&
                     32'(after_q) + (waits_q ? 32'(ahead_q) + 1 : 0) <= Queue);
        kept: assert (after_q >= 4'(Depth) || (held[port] && stored[port] == flits_q));
      end
      if (!troubled && waits_q) begin
        waiting: assert (ahead_q < count_q);
        entered: assert (!entry[EntryBits-1] && entry[PlaceBits +: PortBits] == port &&
                         entry[PlaceBits-1:0] == place_q);
      end
      if (!troubled && mine_q) begin
        source: assert (after_q < 4'(Depth) &&
            32'( \u_router.send_source [branch*SourceBits +: SourceBits]) == 32'(port) &&
            \u_router.read_slot [port*SlotBits +: SlotBits] == place_q[SlotBits-1:0]);
      end
    end
  end

  // In a multiport run, no entry has `together` set.
  for (genvar a = 0; a < 1 << AddrBits; a++) begin : g_alone
    wire used = CountBits'(AddrBits'(a) - oldest[0]) < counts[0];
    always_comb if (running_q && rest && used) assert (!entries[a][EntryBits-1]);
  end
  always_comb if (running_q && rest) assert (32'(counts[0]) <= Queue);
`endif

  assign cover_sent_o   = running_q && rx_last && mine_q && ! \u_router.overflow_q ;
  assign cover_waited_o = cover_sent_o && after_q != '0 && flits_q == '1;
  assign cover_full_o   = running_q && rest && !troubled && 32'(count_q) == Queue - 1 && waits_q;

endmodule

`default_nettype wire
