// SPDX-License-Identifier: Apache-2.0
// shell_properties: what the host writes into a node, and what a run stores there, is what the host
// reads and what the node sends, for any order of accesses, starts, resets and rounds.
//
// The proof follows an arbitrary node. The reference models its programs and its packet memory: a
// word of each row, and {held, word} of each flit.
//
//  1. A write to the node, or to all nodes, takes effect at the end of the cycle after it; a write
//     to another node has no effect. During a run and a reset no access has an effect, and busy_o
//     is high then and in no other cycle; a start has an effect unless it is high.
//  2. A flit that arrives when the receive program of the last fetched row expects one is stored
//     where the program specifies; at other times nothing is stored.
//  3. A read of the node returns its word on host_rdata_o three cycles later: the word of the
//     reference in the cycle after the read. For a read of all nodes, the word is on the
//     observation port one cycle earlier, with the strobe.
//  4. One cycle after tx_en the lane carries the flit of the packet that the send program of the
//     last fetched row specifies, and is 0 if it specifies none. With forwarding, a flit that is
//     stored in the cycle of tx_en leaves in the next cycle.
//
// The result of a read is not specified if the word is written in the same cycle without
// forwarding, because block RAMs differ in this. Assumed: the host writes no packet while flits
// arrive. The wavefront and the lanes from the network are arbitrary. busy_o is a register that is
// derived from the state one cycle earlier, so any initial state of the other registers is followed
// by its correct value; the proof begins with that value.
//
// A flit above 31 bits has several parts (rc_address_map.sv), each of which the host writes and
// reads as a word of its own: a write changes the bits of its part and no others, and numbers of
// parts that a flit does not have read as 0. The reference stores the parts as the host reads them.
`default_nettype none

module shell_properties #(
  parameter int Width    = 1,
  parameter int LaneBits = Width + 1,
  parameter int Parts    = Width / 32 + 1,
  parameter int PartBits = $clog2(Parts),
  parameter int WordBits = 32 * Parts                // of a flit, as the host reads it
) (
  input  wire                  clk_i,
  input  wire                  rst_i,
  input  wire                  start_i,
  input  wire                  host_we_i,
  input  wire                  host_re_i,
  input  wire [31:0]           host_addr_i,
  input  wire [31:0]           host_wdata_i,
  input  wire [4:0]            wave_i,               // {fetch, row, {en, last, flit}}
  input  wire [2*LaneBits-1:0] lanes_i,
  output wire                  cover_read_o,
  output wire                  cover_shown_o,
  output wire                  cover_stored_o,
  output wire                  cover_sent_o,
  output wire                  cover_parts_o
);

  // There are two nodes, packets, flits and rows.
  wire [31:0]           rdata;
  wire [63:0]           obs;
  wire                  strobe, busy, rst, start;
  wire [2*LaneBits-1:0] lanes;
  wire [8:0]            step;

  rc_shell #(.Width(Width)) u_shell (
    .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o(rdata),
    .host_error_o(), .start_i, .busy_o(busy), .run_o(), .done_o(), .error_o(), .irq_o(),
    .obs_strobe_o(strobe),
    .obs_o(obs), .rst_o(rst), .start_o(start), .ce_o(), .wave_o(),
    .tx_lanes_o(lanes), .wave_i, .rx_lanes_i(lanes_i), .phase_o(), .length_i('0), .step_o(step),
    .moves_i(1'b0), .finish_i(1'b0), .list_i('0), .count_o(), .operation_o(),
    .control_o(), .outside_i(1'b0), .host_o(), .table_rdata_i('0),
    .router_flags_i('0)
  );

  wire single_port, forward, send_fetch, send_row, tx_en, tx_flit, rx_en, rx_last, rx_flit;
  assign {single_port, forward, send_fetch, send_row, tx_en, tx_flit, rx_en, rx_last, rx_flit} =
      step;

  localparam bit [2:0] Send = 2, Receive = 3, Packet = 4;

  wire                node = $anyconst;
  wire [LaneBits-1:0] into = node ? lanes_i[LaneBits +: LaneBits] : lanes_i[0 +: LaneBits];
  wire [LaneBits-1:0] out  = node ? lanes[LaneBits +: LaneBits] : lanes[0 +: LaneBits];

  logic past_q = 1'b0;                               // not the first cycle

  // A run and the extension of a reset, as the sequencer and the reset count them.
  (* hierconn *) wire \u_shell.active , \u_shell.u_reset.extended_q ;
  wire running  = \u_shell.active ;
  wire extended = \u_shell.u_reset.extended_q ;

  always_comb begin
    if (!past_q) assume (busy == (running || extended));
    else is_busy: assert (busy == (running || extended));
    starts: assert (start == (start_i && !running && !rst));
  end

  // The access of the cycle before, which takes effect in this cycle.
  wire         closed = running || rst || start_i;
  logic        begun_q = 1'b0, we_q, re_q;
  logic [31:0] addr_q, wdata_q;
  always_ff @(posedge clk_i) begin
    past_q  <= 1'b1;
    begun_q <= past_q;
    we_q    <= host_we_i && !closed;
    re_q    <= host_re_i && (!closed || host_addr_i[30:28] == 3'd0);
    addr_q  <= host_addr_i;
    wdata_q <= host_wdata_i;
  end

  wire [2:0] region   = addr_q[30:28];
  wire       row      = addr_q[0];
  wire [1:0] place    = addr_q[PartBits +: 2];       // {packet, flit}
  wire [4:0] part     = addr_q[4:0] & 5'((1 << PartBits) - 1);
  wire       here     = region == Packet ? addr_q[PartBits+2] == node : addr_q[1] == node;
  wire       reads    = re_q && region != 3'd0;
  wire       writes   = we_q && (addr_q[31] || here);

  // The reference.
  logic [1:0]          send_q [2], sending_q;        // {valid, packet}; sending_q: of the last row
  logic [2:0]          recv_q [2], receiving_q;      // {valid, more, packet}
  logic [WordBits-1:0] word_q [4];                   // {held, 0 ..., flit}
  wire                 stores = rx_en && receiving_q[2];
  wire [1:0]           where  = {receiving_q[0], rx_flit};

  localparam bit [WordBits-1:0] Used = {1'b1, {(WordBits-1-Width){1'b0}}, {Width{1'b1}}};

  wire [WordBits-1:0] arrived  = {into[Width], {(WordBits-1-Width){1'b0}}, into[Width-1:0]};
  wire [WordBits-1:0] accessed = word_q[place];

  // The word with the part that is written.
  logic [WordBits-1:0] changed;
  always_comb begin
    changed = accessed;
    for (int p = 0; p < Parts; p++)
      if (part == 5'(p)) changed[32*p +: 32] = wdata_q & Used[32*p +: 32];
  end

  always_ff @(posedge clk_i) begin
    if (send_fetch) sending_q <= send_q[reads ? row : send_row];
    if (wave_i[4] || reads) receiving_q <= recv_q[reads ? row : wave_i[3]];
    if (writes && region == Send) send_q[row] <= {wdata_q[31], wdata_q[0]};
    if (writes && region == Receive) recv_q[row] <= {wdata_q[31:30], wdata_q[0]};
    if (stores) word_q[where] <= arrived;
    if (writes && region == Packet) word_q[place] <= changed;
  end

  always_comb if (rx_en) assume (!(we_q && region == Packet));

  // 3: the word that is read.
  logic        asked_q = 1'b0, asked_q2 = 1'b0, shows_q = 1'b0;
  logic [31:0] word, word_q1, word_q2;

  wire collides = region == Packet ? (stores && where == place) || we_q : we_q;
  always_comb begin
    case (region)
      Send:    word = {send_q[row][1], 30'b0, send_q[row][0]};
      Receive: word = {recv_q[row][2:1], 29'b0, recv_q[row][0]};
      default: word = 32'(accessed >> {part, 5'b0});
    endcase
  end
  wire of_node = region == Send || region == Receive || region == Packet;
  always_ff @(posedge clk_i) begin
    asked_q  <= past_q && re_q && here && !addr_q[31] && !collides && of_node;
    shows_q  <= past_q && re_q && addr_q[31] && !collides && of_node;
    asked_q2 <= asked_q;
    word_q1  <= word;
    word_q2  <= word_q1;
  end
  always_comb if (asked_q2) read_as_written: assert (rdata == word_q2);
  wire [31:0] shown = node ? obs[63:32] : obs[31:0];
  always_comb if (shows_q) shown_as_written: assert (strobe && shown == word_q1);

  // 4: the word that leaves.
  wire  [1:0]          due = {sending_q[0], tx_flit};
  logic                known_q = 1'b0, forward_q;
  logic [LaneBits-1:0] sent_q;
  always_ff @(posedge clk_i) begin
    known_q   <= past_q && !reads &&
        !(writes && region == Packet && place == due) &&
        !(stores && where == due && !forward);
    forward_q <= forward;
    sent_q    <= !(tx_en && sending_q[1]) ? '0 : stores && where == due ? into
        : {word_q[due][WordBits-1], word_q[due][Width-1:0]};
  end
  always_comb if (known_q && forward == forward_q) leaves: assert (out == sent_q);

  // Memories and read registers of the nodes.
  wire [14:0]           programs [2];
  wire [4*LaneBits-1:0] packets [2];

  for (genvar n = 0; n < 2; n++) begin : \u_shell.g_node
    (* hierconn *) wire [1:0] \u_endpoint.g_send_program.u_send_program.mem[0] ,
        \u_endpoint.g_send_program.u_send_program.mem[1] ,
        \u_endpoint.g_send_program.u_send_program.rdata_o ;
    (* hierconn *) wire [2:0] \u_endpoint.g_program.u_recv_program.mem[0] ,
        \u_endpoint.g_program.u_recv_program.mem[1] ,
        \u_endpoint.g_program.u_recv_program.rdata_o ;
    (* hierconn *) wire [LaneBits-1:0] \u_endpoint.u_memory.u_packets.mem[0] ,
        \u_endpoint.u_memory.u_packets.mem[1] , \u_endpoint.u_memory.u_packets.mem[2] ,
        \u_endpoint.u_memory.u_packets.mem[3] ;
    assign programs[n] = { \u_endpoint.g_send_program.u_send_program.rdata_o ,
                           \u_endpoint.g_send_program.u_send_program.mem[1] ,
                           \u_endpoint.g_send_program.u_send_program.mem[0] ,
                           \u_endpoint.g_program.u_recv_program.rdata_o ,
                           \u_endpoint.g_program.u_recv_program.mem[1] ,
                           \u_endpoint.g_program.u_recv_program.mem[0] };
    assign packets[n] = { \u_endpoint.u_memory.u_packets.mem[3] ,
                          \u_endpoint.u_memory.u_packets.mem[2] ,
                          \u_endpoint.u_memory.u_packets.mem[1] ,
                          \u_endpoint.u_memory.u_packets.mem[0] };
  end

  wire [4*LaneBits-1:0] flits;
  for (genvar k = 0; k < 4; k++) begin : g_flit
    assign flits[k*LaneBits +: LaneBits] = {word_q[k][WordBits-1], word_q[k][Width-1:0]};
  end

  // The reference has no bits that flits do not have.
  wire no_other_bits = ((word_q[3] | word_q[2] | word_q[1] | word_q[0]) & ~Used) == '0;

  wire same = programs[node] ==
      {sending_q, send_q[1], send_q[0], receiving_q, recv_q[1], recv_q[0]} &&
      packets[node] == flits && no_other_bits;
  always_comb if (past_q && !begun_q) assume (same);
`ifndef REFUTE
  always_comb if (begun_q) assert (same);
`endif

  // Covers: the host reads a flit that a run has stored; a flit leaves that the host wrote; a part
  // of a flit is read after the host wrote it and then another part.
  logic first_q = 1'b0, second_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (writes && region == Packet && place == 2'd1) begin
      if (part == 5'd0) first_q <= wdata_q == 32'h12345678;
      if (part == 5'd1 && wdata_q == '1) second_q <= first_q;
    end
  end
  assign cover_parts_o = asked_q2 && second_q && rdata == 32'h12345678;

  logic stored_q = 1'b0, wrote_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (past_q && stores && into == '1 && where == 2'd3) stored_q <= 1'b1;
    if (writes && region == Packet && wdata_q == '1 && place == 2'd2) wrote_q <= 1'b1;
  end
  assign cover_read_o   = asked_q2 && rdata == 32'hc0000001;
  assign cover_shown_o  = shows_q && node && obs == 64'hc000000180000000;
  assign cover_stored_o = asked_q2 && stored_q && !wrote_q && rdata == 32'h80000001;
  assign cover_sent_o   = known_q && wrote_q && !stored_q && out == '1 && sent_q == '1;

endmodule

`default_nettype wire
