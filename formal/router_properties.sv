// SPDX-License-Identifier: Apache-2.0
// router_properties: a router sends as the rows of its table specify, and reports errors.
//
// The proof follows an arbitrary row of the table: the words that the host writes into it, and the
// effects of a fetch of the row.
//
//  1. From the cycle after the fetch of a row to the next fetch, the core receives the words that
//     the host wrote last: which outputs send, from which sources, and the slots of these; with
//     Combine also which outputs send the result, and which inputs are its operands. Writes
//     to other routers, rows and columns, and arrivals, make no difference.
//     router_core_properties.sv specifies what leaves then.
//  2. An output carries a packet only one cycle after tx_en_i, and only if the row specifies it. If
//     the row specifies it and the output carries none, `not held` is set in the next cycle, and
//     for no other reason.
//  3. `twice` is set in the cycle after tx_en_i of a single-port run if two or more outputs of the
//     row send, and for no other reason.
//  4. Both flags stay until the next start_i, which clears them.
//  5. The host reads the flags, or the word that it wrote into the row that was fetched at the
//     read; it reads 0 from another router, and from a column that the router does not implement.
//
// Assumed: the row contains legal words at first, and the host writes legal words, not in the cycle
// of a fetch; the first cycle is a reset. Nothing is assumed of the packets that arrive.
`default_nettype none

module router_properties #(
  parameter int Ports      = 3,
  parameter int Depth      = 3,
  parameter int Reads      = 1,
  parameter int Combine    = 0,
  parameter int Width      = 2,
  parameter int Flits      = 2,
  parameter int Rows       = 2,                      // 2: the proof names the words of the table
  parameter int NumberBits = 2,
  parameter int SlotBits   = Depth > 1 ? $clog2(Depth) : 1,
  parameter int Sources    = Ports * Reads,
  parameter int SourceBits = $clog2(Sources),
  parameter int ColumnBits = $clog2(Sources) + 1,    // another router has more columns
  parameter int FlitBits   = $clog2(Flits),
  parameter int RowBits    = $clog2(Rows),
  parameter int LaneBits   = Width + 1
) (
  input  wire                      clk_i,
  input  wire                      start_i,
  input  wire                      single_port_i,
  input  wire                      forward_i,
  input  wire                      send_fetch_i,
  input  wire [RowBits-1:0]        send_row_i,
  input  wire                      tx_en_i,
  input  wire [FlitBits-1:0]       tx_flit_i,
  input  wire                      rx_en_i,
  input  wire                      rx_last_i,
  input  wire [FlitBits-1:0]       rx_flit_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  input  wire                      host_we_table_i,
  input  wire                      host_re_memory_i,
  input  wire [NumberBits-1:0]     host_bank_i,
  input  wire [RowBits-1:0]        host_row_i,
  input  wire [ColumnBits-1:0]     host_column_i,
  input  wire [31:0]               host_data_i,
  input  wire                      host_flags_i,
  output wire                      cover_sent_o,
  output wire                      cover_flags_o,
  output wire                      cover_rewritten_o
);

  localparam int Number    = 1;
  localparam int FlagBits  = Combine != 0 ? 3 : 1;
  localparam int EntryBits = FlagBits + SourceBits + SlotBits;
  localparam int More      = Reads > 1 ? Reads - 1 : 1;

  wire [Ports*LaneBits-1:0] lanes;
  wire [31:0]               rdata;
  logic                     running_q = 1'b0;

  rc_router #(
    .Ports(Ports), .Depth(Depth), .Reads(Reads), .Width(Width), .Flits(Flits), .Rows(Rows),
    .Number(Number), .NumberBits(NumberBits), .ColumnBits(ColumnBits),
    .Combine(Combine)
  ) u_router (
    .clk_i, .rst_i(!running_q), .start_i,
    .step_i({single_port_i, forward_i, send_fetch_i, send_row_i, tx_en_i, tx_flit_i, rx_en_i,
             rx_last_i, rx_flit_i}),
    .operation_i(3'd0), .lanes_i, .lanes_o(lanes),
    .host_i({host_we_table_i, host_re_memory_i, host_flags_i, host_bank_i, host_column_i,
             host_row_i, host_data_i}),
    .host_rdata_o(rdata)
  );

  // Internal wires of the router and its table.
  (* hierconn *) wire [Ports-1:0]            \u_router.send_valid ;
  (* hierconn *) wire [Ports-1:0]            \u_router.send_result , \u_router.operand ;
  (* hierconn *) wire [Ports*SourceBits-1:0] \u_router.send_source ;
  (* hierconn *) wire [Sources*SlotBits-1:0] \u_router.read_slot ;
  (* hierconn *) wire                        \u_router.not_held_q , \u_router.twice_q ,
      \u_router.selected_read_q ;
  (* hierconn *) wire [ColumnBits-1:0]       \u_router.column_q ;
  (* hierconn *) wire [Ports*EntryBits-1:0]  \u_router.u_table.mem[0] , \u_router.u_table.mem[1] ;
  wire [Ports-1:0]            send_valid  = \u_router.send_valid ;
  wire [Ports*SourceBits-1:0] send_source = \u_router.send_source ;
  wire [Sources*SlotBits-1:0] read_slot   = \u_router.read_slot ;
  wire                        not_held    = \u_router.not_held_q ;
  wire                        twice       = \u_router.twice_q ;

  // The row as it was written, and as it was at the fetch.

  wire  [RowBits-1:0]             row = $anyconst;
  wire                            selected = host_bank_i == NumberBits'(Number);
  logic [Sources*32-1:0]          written_q, fetched_q;
  logic                           here_q = 1'b0;     // the row was fetched last
  wire  [Ports*EntryBits-1:0]     stored = row == '0 ? \u_router.u_table.mem[0]
      : \u_router.u_table.mem[1] ;
  wire  [Ports*More*SlotBits-1:0] stored_more;

  if (Reads > 1) begin : \u_router.g_reads
    (* hierconn *) wire [Ports*More*SlotBits-1:0] \u_more.mem[0] , \u_more.mem[1] ;
    assign stored_more = row == '0 ? \u_more.mem[0] : \u_more.mem[1] ;
  end

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    if (send_fetch_i) begin
      here_q    <= send_row_i == row;
      fetched_q <= written_q;
    end
  end

  function automatic logic legal(input [31:0] word, input first);
    legal = word[15:0] < 16'(Depth) && (first
        ? word[31-FlagBits:16] < (16-FlagBits)'(Sources) : word[31:16] == '0);
  endfunction

  always_comb begin
    if (host_we_table_i) begin
      assume (!send_fetch_i && legal(host_data_i, host_column_i % Reads == 0));
    end
  end

  for (genvar s = 0; s < Sources; s++) begin : g_column
    wire [31:0]         written = written_q[s*32 +: 32];
    wire [31:0]         fetched = fetched_q[s*32 +: 32];
    wire [SlotBits-1:0] slot    = read_slot[s*SlotBits +: SlotBits];

    always_ff @(posedge clk_i) begin
      if (host_we_table_i && selected && host_row_i == row && host_column_i == ColumnBits'(s)) begin
        written_q[s*32 +: 32] <= host_data_i;
      end
    end

    always_comb if (running_q && here_q) assert (slot == fetched[SlotBits-1:0]);

    if (s % Reads == 0) begin : g_first
      localparam int Port = s / Reads;
      wire [EntryBits-1:0] entry = stored[Port*EntryBits +: EntryBits];

      always_comb begin
        if (!running_q) begin
          assume (legal(written, 1'b1) &&
              entry == {written[32-FlagBits +: FlagBits], written[16 +: SourceBits],
                        written[SlotBits-1:0]});
        end
        if (running_q && here_q) begin
          assert (send_valid[Port] == fetched[31]);
          assert (send_source[Port*SourceBits +: SourceBits] == fetched[16 +: SourceBits]);
          assert (\u_router.send_result [Port] == (Combine != 0 && fetched[30]));
          assert (\u_router.operand [Port] == (Combine != 0 && fetched[29]));
        end
      end
`ifndef REFUTE
      always_comb if (running_q) begin
        assert (entry == {written[32-FlagBits +: FlagBits], written[16 +: SourceBits],
                          written[SlotBits-1:0]});
        assert (legal(written, 1'b1) && (!here_q || legal(fetched, 1'b1)));
      end
`endif
    end else begin : g_more
      wire [SlotBits-1:0] entry = stored_more[(s/Reads*More+s%Reads-1)*SlotBits +: SlotBits];

      always_comb if (!running_q) assume (legal(written, 1'b0) && entry == written[SlotBits-1:0]);
`ifndef REFUTE
      always_comb if (running_q) begin
        assert (entry == written[SlotBits-1:0]);
        assert (legal(written, 1'b0) && (!here_q || legal(fetched, 1'b0)));
      end
`endif
    end
  end

  // Outputs that the row selects to send (reports), and outputs that send (carries).

  wire [Ports-1:0] reports, carries;
  for (genvar p = 0; p < Ports; p++) begin : g_output
    assign reports[p]    = fetched_q[p*Reads*32+31];
    assign carries[p] = lanes[p*LaneBits+Width];
  end

  logic [$clog2(Ports+1)-1:0] senders;
  always_comb begin
    senders = '0;
    for (int p = 0; p < Ports; p++) if (reports[p]) senders = senders + 1'b1;
  end

  // State of the cycle before.
  logic [Ports-1:0] sends_q, carries_q;
  logic             sent_here_q = 1'b0, lacked_here_q;  // here_q one, two cycles ago
  logic             too_many_q, lacks_q, clear_q, was_twice_q, was_not_held_q, past_q = 1'b0;

  always_ff @(posedge clk_i) begin
    past_q         <= running_q;
    sends_q        <= {Ports{tx_en_i}} & reports;
    sent_here_q    <= running_q && here_q;
    lacked_here_q  <= sent_here_q;
    too_many_q     <= tx_en_i && single_port_i && senders > 1;
    lacks_q        <= |(sends_q & ~carries);
    carries_q      <= carries;
    clear_q        <= start_i;
    was_twice_q    <= twice;
    was_not_held_q <= not_held;
  end

  always_comb begin
    if (running_q && !past_q) lowered: assert (!twice && !not_held);
    if (sent_here_q) carried: assert ((carries & ~sends_q) == '0);
    if (past_q && sent_here_q)
      twice_rises: assert (twice == (!clear_q && (was_twice_q || too_many_q)));
    if (past_q && lacked_here_q)
      not_held_rises: assert (not_held == (!clear_q && (was_not_held_q || lacks_q)));
    if (past_q && clear_q) clears: assert (!twice && !not_held);
    if (past_q && was_twice_q && !clear_q) twice_stays: assert (twice);
    if (past_q && was_not_held_q && !clear_q) not_held_stays: assert (not_held);
  end

  // Host reads.

  logic                  read_q = 1'b0, read_here_q = 1'b0;
  logic [ColumnBits-1:0] column_q = '0;
  always_ff @(posedge clk_i) begin
    if (host_re_memory_i) begin
      read_here_q <= selected;
      read_q      <= 1'b1;
      column_q    <= host_column_i;
    end
  end

  always_comb if (read_q) begin
    if (!read_here_q) another: assert (rdata == '0);
    else if (host_flags_i) flags_read: assert (rdata == {30'b0, twice, not_held});
    else if (column_q >= ColumnBits'(Sources)) no_column: assert (rdata == '0);
    else if (running_q && here_q) read_back: assert (rdata == fetched_q[column_q*32 +: 32]);
  end

`ifndef REFUTE
  always_comb if (read_q) begin
    reading: assert (\u_router.column_q == column_q && \u_router.selected_read_q == read_here_q);
  end
`endif

  assign cover_sent_o      = sent_here_q && sends_q == '1 && carries == '1;
  assign cover_flags_o     = read_q && read_here_q && host_flags_i && rdata == 32'd3 &&
      lacked_here_q;
  assign cover_rewritten_o = here_q && written_q != fetched_q && sent_here_q && carries_q != '0;

endmodule

`default_nettype wire
