// SPDX-License-Identifier: Apache-2.0
// router_auto_rows_properties: a self-timed router follows its rules, row by row, also in
// single-port runs.
//
// A packet is identified by its port and its number there, from 0. The reference keeps a list of
// packets for each branch, of at most Queue entries, and follows the rules that rc_router_auto.sv
// states in its header comment: the packets that arrived in a row are appended to the lists in the
// order of their ports, unless a list is full; then each branch selects its oldest packet, which
// leaves in the next row. In a single-port run, only one branch does: the parent, else the next
// child in rotation; packets for single children share the list of child 0.
//
//  1. An output sends in a row only if the reference does. If no packet that the reference sends in
//     the row was followed by Depth or more packets of its port, and no two of them are of one
//     port, then exactly these packets are sent, both flits unchanged. Therefore, in a multiport
//     run, a packet that found no list full leaves after as many rows as there were packets before
//     it; no packet is lost, duplicated, invented or sent elsewhere.
//  2. `overflow` is set exactly when a packet finds a list full, when a packet is sent after which
//     Depth or more packets arrived, or when two packets of one port are sent in a row: two cycles
//     after the end of that row. It stays set.
//  3. In a single-port run, the router passes over a child whose list has a packet at most
//     Children-1 times in favour of other children. The parent is always served first.
//
// Assumed: whole packets of two flits, in rows as in router_auto_properties.sv; a run has at most
// Rows rows. There is one lane to each branch, and one read port. The first three cycles are a
// reset.
`default_nettype none

module router_auto_rows_properties #(
  parameter int Children   = 2,
  parameter bit Single     = 0,                      // single-port run
  parameter int Depth      = 2,                      // 2: the proof names the buffer words
  parameter int Queue      = 2,                      // 2, for the same reason
  parameter int Rows       = 8,
  parameter int Width      = 3,
  parameter int NodeBits   = 2,
  parameter int Ports      = Children + 1,           // the last leads to the parent
  parameter int LaneBits   = Width + 1,
  parameter int PortBits   = $clog2(Ports),
  parameter int ChildBits  = $clog2(Children),
  parameter int SlotBits   = $clog2(Depth),
  parameter int LapBits    = $clog2(Rows / Depth + 2),
  parameter int NumberBits = SlotBits + LapBits,     // wide enough for Rows
  parameter int PacketBits = PortBits + NumberBits,
  parameter int EntryBits  = 1 + ChildBits + PacketBits,
  parameter int AddrBits   = Queue > 2 ? $clog2(Queue) : 1,
  parameter int CountBits  = $clog2(Queue + 1),
  parameter int RowBits    = $clog2(Rows)
) (
  input  wire                      clk_i,
  input  wire                      next_row_i,             // the next row begins
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire                      cover_sent_o,
  output wire                      cover_full_o,
  output wire                      cover_dropped_o,
  output wire                      cover_late_o,
  output wire                      cover_short_o,
  output wire                      cover_passed_o
);

  // Rows.

  // phases of a row: the packet of port 0 is appended; the branches are served; the row ends
  localparam int Join = 5, Serve = Join + Ports + 1, Last = Serve + 2;

  logic [2:0] reset_q = '1;
  wire        running = !reset_q[0];
  always_ff @(posedge clk_i) reset_q <= reset_q >> 1;

  logic [3:0]       phase_q = '0;
  logic [RowBits:0] row_q   = '0;
  wire              rest    = phase_q == '0;
  wire              ends    = phase_q == 4'(Last);
  wire              joining = 32'(phase_q) >= Join && 32'(phase_q) < Join + Ports;
  wire              serving = phase_q == 4'(Serve);
  wire              scanning = 32'(phase_q) > 2 && 32'(phase_q) <= Join;
  wire [PortBits-1:0] who   = PortBits'(32'(phase_q) - Join);  // port whose packet is appended
  wire              begins  = running && rest && next_row_i && 32'(row_q) < Rows;
  always_ff @(posedge clk_i) begin
    phase_q <= rest ? 4'(begins) : ends ? '0 : phase_q + 1'b1;
    if (ends) row_q <= row_q + 1'b1;
  end

  wire rx_en   = phase_q == 4'd1 || phase_q == 4'd2;
  wire rx_last = phase_q == 4'd2;

  wire [NodeBits-1:0]       first = $anyconst;       // lowest leaf below the router
  wire [Ports*LaneBits-1:0] lanes;

  rc_router_auto #(
    .Children(Children), .ParentLanes(1), .Depth(Depth), .Queue(Queue), .Width(Width), .Rows(Rows),
    .NodeBits(NodeBits)
  ) u_router (
    .clk_i, .rst_i(!running), .start_i(1'b0), .first_leaf_i(first), .number_i(1'b0),
    .step_i({Single, 2'b00, {RowBits{1'b0}}, begins || phase_q == 4'd1, phase_q == 4'd1, rx_en,
             rx_last, rx_last}),
    .lanes_i, .lanes_o(lanes), .host_i({(37+RowBits){1'b0}}), .host_rdata_o()
  );

  // The packets of a row, and the lists to which they are appended.

  logic [Ports-1:0]       came_q = '0;
  wire  [Ports-1:0]       apart;                     // not in the shared list
  wire  [Ports*Ports-1:0] wants;                     // branches of the packet of each port
  logic [NodeBits:0]      head_q [Ports];            // {multicast, leaf}
  logic [NumberBits-1:0]  number_q [Ports];          // number of the next packet
  wire  [EntryBits-1:0]   entry    [Ports];
  wire  [NumberBits-1:0]  numbers  [Ports];          // the same after the row

  for (genvar p = 0; p < Ports; p++) begin : g_port
    wire [LaneBits-1:0] lane   = lanes_i[p*LaneBits +: LaneBits];
    wire [NodeBits-1:0] leaf   = head_q[p][NodeBits-1:0] - first;
    wire [PortBits-1:0] toward = 32'(leaf) < Children ? PortBits'(leaf) : PortBits'(Children);
    wire                all    = head_q[p][NodeBits];
    assign wants[p*Ports +: Ports] =
        (all ? '1 : Ports'(1) << toward) & ~(Ports'(1) << p) & {Ports{came_q[p]}};
    assign apart[p] = all || 32'(toward) == Children || !Single;

    initial number_q[p] = '0;
    always @(posedge clk_i) begin
      if (phase_q == 4'd1) came_q[p] <= lane[Width];
      if (rx_last) head_q[p] <= {lane[Width-1], lane[NodeBits-1:0]};
      if (ends) begin
        came_q[p]   <= 1'b0;
        number_q[p] <= numbers[p];
      end
    end
    always_comb if (rx_last) assume (lane[Width] == came_q[p]);

    assign numbers[p] = number_q[p] + NumberBits'(came_q[p]);
    assign entry[p]   = {!apart[p], ChildBits'(toward), PortBits'(p), number_q[p]};
  end

  wire [Ports-1:0]     waits, served, join, drops;   // per list
  wire [EntryBits-1:0] oldest [Ports];
  logic [Queue*EntryBits-1:0] line_q  [Ports];
  logic [CountBits-1:0]       count_q [Ports];

  for (genvar b = 0; b < Ports; b++) begin : g_line
    wire [Ports-1:0] joins;
    for (genvar p = 0; p < Ports; p++) begin : g_join
      assign joins[p] = apart[p] ? wants[p*Ports+b] : b == 0 && wants[p*Ports +: Ports] != '0;
    end

    assign join[b]   = joining && joins[who];
    assign drops[b]  = join[b] && 32'(count_q[b]) == Queue;
    assign waits[b]  = count_q[b] != '0;
    assign oldest[b] = line_q[b][0 +: EntryBits];
    initial count_q[b] = '0;
    always @(posedge clk_i) begin
      if (join[b] && !drops[b]) begin
        count_q[b] <= count_q[b] + 1'b1;
        for (int i = 0; i < Queue; i++)
          if (i == 32'(count_q[b])) line_q[b][i*EntryBits +: EntryBits] <= entry[who];
      end
      if (serving && served[b]) begin
        count_q[b] <= count_q[b] - 1'b1;
        line_q[b]  <= line_q[b] >> EntryBits;
      end
    end
  end

  // The branch that is served.

  logic [ChildBits-1:0] next_child_q = '0;           // first child to consider
  logic [ChildBits-1:0] served_child;                // child that is served
  always_comb begin
    served_child = next_child_q;
    for (int k = Children - 1; k >= 0; k--)
      if (waits[(32'(next_child_q) + k) % Children])
        served_child = ChildBits'((32'(next_child_q) + k) % Children);
  end
  wire children = Single && !waits[Children] && waits[Children-1:0] != '0;

  always_ff @(posedge clk_i)
    if (serving && children) next_child_q <= ChildBits'((32'(served_child) + 1) % Children);

  for (genvar b = 0; b < Ports; b++) begin : g_served
    assign served[b] = b == Children || !Single ? waits[b] : children && 32'(served_child) == b;
  end

  // The packets that leave in the next row.

  logic [Ports-1:0]      sends_q = '0, next_q, late_q, twice_q;
  logic [PacketBits-1:0] packet_q [Ports];
  logic [PacketBits-1:0] after_q  [Ports];
  wire  [Ports-1:0]      sends;
  wire  [PacketBits-1:0] packet   [Ports];
  logic                  reported_q = 1'b0, sound_q = 1'b1;

  for (genvar b = 0; b < Ports; b++) begin : g_send
    wire another = Single && b < Children && served[0] && oldest[0][EntryBits-1];
    wire [PortBits-1:0]   port   = packet[b][NumberBits +: PortBits];
    wire [NumberBits-1:0] after = numbers[port] - packet[b][NumberBits-1:0] - 1'b1;
    wire [Ports-1:0]      others;
    for (genvar c = 0; c < Ports; c++) begin : g_other
      assign others[c] = sends[b] && sends[c] && packet[c] != packet[b] &&
          packet[c][NumberBits +: PortBits] == port;
    end
    assign sends[b]  = another ? 32'(oldest[0][PacketBits +: ChildBits]) == b : served[b];
    assign packet[b] = another ? oldest[0][PacketBits-1:0] : oldest[b][PacketBits-1:0];
    always_ff @(posedge clk_i) begin
      if (serving) begin
        after_q[b] <= packet[b];
        late_q[b]  <= sends[b] && 32'(after) >= Depth;
        twice_q[b] <= others != '0;
      end
      if (ends) packet_q[b] <= after_q[b];
    end
  end

  wire broken = late_q != '0 || twice_q != '0;
  always_ff @(posedge clk_i) begin
    if (serving) next_q <= sends;
    if (drops != '0 || (ends && broken)) reported_q <= 1'b1;
    if (ends) begin
      sends_q <= next_q;
      sound_q <= !broken;
    end
  end

  // An arbitrary packet, with the flits that arrived.
  wire [PortBits-1:0]   port   = $anyconst;
  wire [NumberBits-1:0] number = $anyconst;
  logic                 known_q = 1'b0;
  logic [2*Width-1:0]   flits_q;
  wire                  comes  = number_q[port] == number && !known_q;
  wire  [LaneBits-1:0]  lane   = lanes_i[port*LaneBits +: LaneBits];
  always_comb assume (32'(port) < Ports);
  always_ff @(posedge clk_i) begin
    if (comes && phase_q == 4'd1) flits_q[0 +: Width] <= lane[Width-1:0];
    if (comes && rx_last) flits_q[Width +: Width] <= lane[Width-1:0];
    if (comes && ends) known_q <= came_q[port];
  end

  // Internal wires of the router.
  (* hierconn *) wire             \u_router.overflow_q ;
  (* hierconn *) wire [Ports-1:0] \u_router.full_q , \u_router.late_q , \u_router.short_q ;
  (* hierconn *) wire [Ports-1:0] \u_router.late , \u_router.short ;
  (* hierconn *) wire [Ports-1:0] \u_router.u_choice.chosen_q ;
  (* hierconn *) wire [Children-1:0] \u_router.u_choice.after_q ;
  (* hierconn *) wire [Ports-1:0] \u_router.send_valid ;
  (* hierconn *) wire [Ports*PortBits-1:0] \u_router.send_source ;
  (* hierconn *) wire [Ports*SlotBits-1:0] \u_router.read_slot ;
  (* hierconn *) wire \u_router.scan_q , \u_router.looked_q , \u_router.pushed_q ;
  (* hierconn *) wire \u_router.ended_q , \u_router.queued_q , \u_router.begun_q ;
  (* hierconn *) wire \u_router.serve_q ;
  (* hierconn *) wire [PortBits-1:0] \u_router.port_q ;
  (* hierconn *) wire \u_router.popped_q , \u_router.found_q , \u_router.u_scan.valid_q ;
  (* hierconn *) wire [Ports-1:0] \u_router.u_scan.push_q ;

  // Checks the lanes and the flag.

  wire [Ports-1:0] valid, right;                     // right: the followed packet is unchanged
  for (genvar b = 0; b < Ports; b++) begin : g_out
    wire [LaneBits-1:0] out = lanes[b*LaneBits +: LaneBits];
    assign valid[b] = out[Width];
    assign right[b] = !sends_q[b] || packet_q[b] != {port, number} || !sound_q ||
        out[Width-1:0] == (rx_last ? flits_q[Width +: Width] : flits_q[0 +: Width]);
  end
  always_comb if (running && rx_en) begin
    in_order: assert ((valid & ~sends_q) == '0 && (!sound_q || valid == sends_q));
    whole: assert (right == '1);
  end
  always_comb if (running && rx_last) exactly: assert (\u_router.overflow_q == reported_q);

  // How often the router has passed over a child with a queued packet in favour of another.
  logic [ChildBits:0]  passed_q [Children];
  wire  [Children-1:0] chosen = \u_router.u_choice.chosen_q [Children-1:0];
  for (genvar c = 0; c < Children; c++) begin : g_fair
    initial passed_q[c] = '0;
    always @(posedge clk_i) if (serving && Single) begin
      if (chosen[c] || !waits[c]) passed_q[c] <= '0;
      else if (chosen != '0) passed_q[c] <= passed_q[c] + 1'b1;
    end
    always_comb if (running) assert (32'(passed_q[c]) < Children);
  end

`ifndef REFUTE
  wire [Ports-1:0] counted, entered, placed, sourced, quiet, available;

  for (genvar b = 0; b < Ports; b++) begin : \u_router.g_branch
    (* hierconn *) wire [CountBits-1:0] \u_queue.count_q ;
    (* hierconn *) wire [AddrBits-1:0]  \u_queue.raddr_q ;
    (* hierconn *) wire                 \u_queue.nonempty_q ;
    (* hierconn *) wire                 re_q, taken_q;
    (* hierconn *) wire [EntryBits-1:0] \u_entries.mem[0] , \u_entries.mem[1] ;
    wire [Queue-1:0] same;
    assign counted[b] = \u_queue.count_q == count_q[b] && 32'(count_q[b]) <= Queue &&
        \u_queue.nonempty_q == (count_q[b] != '0);
    assign quiet[b]   = !re_q;
    assign available[b] = taken_q;
    for (genvar i = 0; i < Queue; i++) begin : g_same
      wire [AddrBits-1:0]  where = \u_queue.raddr_q + AddrBits'(i);
      wire [EntryBits-1:0] has   = where[0] ? \u_entries.mem[1] : \u_entries.mem[0] ;
      wire [EntryBits-1:0] mine  = line_q[b][i*EntryBits +: EntryBits];
      wire                 shared = mine[EntryBits-1];
      wire [PortBits-1:0]  from  = mine[NumberBits +: PortBits];
      // of the shared list, and not from its own branch; only entries of the shared list name a
      // child
      assign same[i] = i >= 32'(count_q[b]) ||
          (has[PacketBits-1:0] == mine[PacketBits-1:0] && has[EntryBits-1] == shared &&
           (!shared || (Single && b == 0 && has[PacketBits +: ChildBits] ==
                        mine[PacketBits +: ChildBits] &&
                        32'(mine[PacketBits +: ChildBits]) < Children)) &&
           32'(from) < Ports && mine[NumberBits-1:0] < numbers[from] &&
           32'(from) != (shared ? 32'(mine[PacketBits +: ChildBits]) : b));
    end
    assign entered[b] = same == '1;
    // the source of the packet that leaves
    wire [PortBits-1:0] sent = packet_q[b][NumberBits +: PortBits];
    assign sourced[b] = \u_router.send_valid [b] == sends_q[b] && (!sends_q[b] || (
        32'(sent) < Ports && 32'(sent) != b && packet_q[b][NumberBits-1:0] < number_q[sent] &&
        \u_router.send_source [b*PortBits +: PortBits] == sent && (!sound_q ||
        ((ends || \u_router.read_slot [sent*SlotBits +: SlotBits] == packet_q[b][SlotBits-1:0]) &&
         number_q[sent] - packet_q[b][NumberBits-1:0] <= NumberBits'(Depth)))));
  end
  for (genvar p = 0; p < Ports; p++) begin : \u_router.u_scan.g_input
    (* hierconn *) wire [NumberBits-1:0] place_q;
    (* hierconn *) wire [NodeBits:0]     header_q;
    (* hierconn *) wire                  arrived_q;
    // During a scan the places rotate; the place of a port is reported when it is in front.
    localparam int Scans = Join - 2;
    wire [Scans-1:0] matches;
    for (genvar t = 0; t < Scans; t++) begin : g_matches
      localparam int At = (p + t) % Ports;
      assign matches[t] = place_q == (At < t ? numbers[At] : number_q[At]) &&
          (At < t || (arrived_q == came_q[At] && header_q == head_q[At]));
    end
    assign placed[p] = number_q[p] <= NumberBits'(row_q) &&
        (scanning ? matches[32'(phase_q) - 3] :
         place_q == (32'(phase_q) > Join ? numbers[p] : number_q[p]));
  end
  wire [Ports-1:0] kept, stored;
  for (genvar p = 0; p < Ports; p++) begin : \u_router.u_core.g_input
    (* hierconn *) wire [SlotBits-1:0] slot_q;
    (* hierconn *) wire                full_q;
    (* hierconn *) wire [Width-1:0]    \g_read[0].u_buffer.mem[0] , \g_read[0].u_buffer.mem[1] ,
                                       \g_read[0].u_buffer.mem[2] , \g_read[0].u_buffer.mem[3] ;
    wire [NumberBits-1:0] next = 32'(phase_q) > 2 ? numbers[p] : number_q[p];
    assign stored[p] = slot_q == next[SlotBits-1:0] && full_q == (32'(next) >= Depth);
    // While the next packet arrives, it overwrites the oldest.
    wire [NumberBits-1:0] taken = 32'(phase_q) > 1 ? numbers[p] : number_q[p];
    assign kept[p] = 32'(port) != p || !(known_q || (comes && came_q[p] && 32'(phase_q) > 2)) ||
        (number < next && (taken - number > NumberBits'(Depth) || flits_q ==
         (number[0] ? { \g_read[0].u_buffer.mem[3] , \g_read[0].u_buffer.mem[2] }
                    : { \g_read[0].u_buffer.mem[1] , \g_read[0].u_buffer.mem[0] })));
  end

  wire [Ports-1:0] fresh;
  for (genvar p = 0; p < Ports; p++) begin : g_fresh
    assign fresh[p] = number_q[p] == '0 && count_q[p] == '0 && passed_q[p % Children] == '0;
  end
  always_comb if (!running) begin
    assert (rest && row_q == '0 && came_q == '0 && sends_q == '0 && sound_q && !reported_q &&
        !known_q);
    assert (fresh == '1 && next_child_q == '0);
  end

  always_comb if (running) begin
    assert (phase_q <= 4'(Last) && 32'(row_q) <= Rows && (rest || 32'(row_q) < Rows));
    assert (32'(next_child_q) < Children && (32'(phase_q) > 1 || came_q == '0));
    a_scan: assert (\u_router.scan_q == scanning && \u_router.looked_q == (phase_q == 4'(Join+1)) &&
                    \u_router.pushed_q == (phase_q == 4'(Join+2)) &&
                    \u_router.queued_q == (phase_q == 4'(Join+3)));
    a_serve: assert (\u_router.serve_q == serving && \u_router.begun_q == serving &&
                     \u_router.popped_q == (phase_q == 4'(Serve+1)) && \u_router.found_q == ends &&
                     (\u_router.ended_q || 32'(phase_q) <= 2 || 32'(phase_q) > Join + 3));
    a_quiet: assert ((quiet == '1 || phase_q == 4'(Serve+1)) && (available == '0 || ends) &&
                     (serving ? !Single || \u_router.u_choice.chosen_q == served
                              : \u_router.u_choice.chosen_q == '0) &&
                     (! \u_router.u_scan.valid_q || (32'(phase_q) > 3 && 32'(phase_q) <= Join+1)));
    a_pushed: assert (\u_router.u_scan.push_q == join &&
                      (!scanning || 32'( \u_router.port_q ) == 32'(phase_q) - 3));
    a_counted: assert (counted == '1);
    a_entered: assert (entered == '1);
    a_placed: assert (placed == '1);
    a_sourced: assert (sourced == '1);
    a_stored: assert (stored == '1);
    a_kept: assert (kept == '1);
    a_reported: assert (reported_q == (\u_router.overflow_q || \u_router.full_q != '0 ||
                               \u_router.late_q != '0 || \u_router.short_q != '0 ||
                               \u_router.late != '0 || \u_router.short != '0));
    a_known: assert (known_q == (number < number_q[port]));
  end
  for (genvar c = 0; c < Children; c++) begin : g_child
    always_comb if (running) begin
      assert (32'(passed_q[c]) + (c + Children - 32'(next_child_q)) % Children < Children ||
                      passed_q[c] == '0);
      if (Single) assert (\u_router.u_choice.after_q [c] == (next_child_q != '0 &&
                                                                   c >= 32'(next_child_q)));
    end
  end
`endif

  // Covers.
  logic dropped_q = 1'b0;
  always_ff @(posedge clk_i) dropped_q <= dropped_q || drops != '0;
  assign cover_sent_o    = running && rx_last && known_q && sends_q == '1 && sound_q;
  assign cover_full_o    = running && rest && !reported_q && 32'(count_q[0]) == Queue - 1;
  assign cover_dropped_o = running && rest && reported_q && dropped_q && sound_q;
  assign cover_late_o    = ends && !reported_q && late_q != '0 && twice_q == '0;
  assign cover_short_o   = ends && !reported_q && late_q == '0 && twice_q != '0;
  assign cover_passed_o  = running && rest && passed_q[Children-1] != '0 && Single;

endmodule

`default_nettype wire
