// SPDX-License-Identifier: Apache-2.0
// host_port_properties: every access of the host has the effect that docs/machine.md specifies,
// whatever other accesses precede, accompany or follow it, and in whatever cycle a reset occurs.
//
//  1. One cycle after a write to a memory, the strobe of its region is high, with the fields of the
//     address and the word. Without such a write no strobe is high.
//  2. One cycle after a read of anything but a register, `re_memory` is high, with the fields; so
//     is the strobe of the region for regions of nodes, and `show` for all nodes. The node is
//     output in the cycle of the access.
//  3. A register of the run holds the word that was written last, truncated to its width, from the
//     second cycle after the write on; it is 0 after a reset, and if the machine has no such
//     register.
//     With Combine, register 18 keeps its word if the operator that is written is not built, and is
//     the lowest one that is built after a reset.
//  4. Three cycles after a read, host_rdata_o is the word: for a register, its value in the cycle
//     after the read; for a memory, the word that nodes or tables delivered two cycles after the
//     read, when the module requests it; 0 for unimplemented addresses. Flags are taken from their
//     bits of an observation.
//  5. That word is stable until the word of another read.
//  6. From a start to the end of the run, and during a reset, only reads of registers are accepted
//     and, unless in a reset, writes to those of events, 48 to 63, and in a stream to register 17.
//     host_error_o is high three cycles after any other access, and after the write of an operator
//     that is not built, and in no other cycle.
//  7. One cycle after an accepted write to register 48, 49 or 50, the strobe of the state, the
//     enable or the test of interrupts is high.
//  8. stop_o is high two cycles after 1 is written to register 17. take_i replaces the packets of
//     the run, unless the host writes these in the same cycle.
//
// The reference decomposes addresses by division. Nothing is assumed: reads and writes may occur in
// any cycles, also together.
`default_nettype none

module host_port_properties #(
  parameter int Ports      = 4,
  parameter int Packets    = 4,
  parameter int Flits      = 2,
  parameter int Rows       = 8,
  parameter int Hops       = 0,
  parameter int SettingPeriod = 0,
  parameter int Computed   = 0,
  parameter int Reconfig   = 0,
  parameter int Combine    = 0,
  parameter int Operators  = 127,
  parameter int BankBits   = 2,
  parameter int Columns    = 1,
  parameter int CycleBits  = 16,
  parameter int ColumnBits = Columns > 1 ? $clog2(Columns) : 1,
  parameter int NodeBits   = $clog2(Ports),
  parameter int PacketBits = $clog2(Packets),
  parameter int FlitBits   = $clog2(Flits),
  parameter int RowBits    = $clog2(Rows),
  // number of values of a field
  parameter int Nodes      = 1 << NodeBits,
  parameter int Banks      = 1 << BankBits,
  parameter int InRow      = Columns > 1 ? 1 << ColumnBits : 1
) (
  input  wire             clk_i,
  input  wire             rst_i,
  input  wire             host_we_i,
  input  wire             host_re_i,
  input  wire [31:0]      host_addr_i,
  input  wire [31:0]      host_wdata_i,
  input  wire [RowBits:0] steps_i,
  input  wire             start_i,
  input  wire             busy_i,
  input  wire             done_i,
  input  wire             take_i,
  input  wire [31:0]      taken_i,
  input  wire [31:0]      table_rdata_i,
  input  wire [31:0]      node_rdata_i,
  input  wire [1:0]       state_i,
  input  wire [1:0]       enable_i,
  input  wire [15:0]      runs_i,
  input  wire [31:0]      cycles_i,
  input  wire [31:0]      cause_i,
  output wire             cover_register_o,
  output wire             cover_reset_o,
  output wire             cover_memory_o,
  output wire             cover_rejected_o,
  output wire             cover_operator_o
);

  localparam int Width = 5, Latency = 6, Routers = Hops != 0 ? 3 : 0, Tables = 6;

  wire [31:0]           rdata, data;
  wire [RowBits:0]      rows;
  wire [FlitBits:0]     flits;
  wire [CycleBits-1:0]  row_cycles;
  wire                  stream, stop;
  wire                  error, single_port, req, all, we_table, we_send, we_recv, we_packet;
  wire                  re_send, re_recv, re_packet, re_flags, re_memory, show;
  wire                  take, take_node, flags_of_router;
  wire [15:0]           first, period;
  wire [31:0]           reconfigure;
  wire [PacketBits:0]   packets;
  wire [2:0]            operation;
  wire                  we_state, we_enable, we_test;
  wire [NodeBits-1:0]   node;
  wire [BankBits-1:0]   bank;
  wire [ColumnBits-1:0] column;
  wire [RowBits-1:0]    row;
  wire [PacketBits-1:0] packet;
  wire [FlitBits-1:0]   flit;
  logic [31:0]          taken_q;                     // node word, as in rc_node_words.sv

  rc_host_port #(
    .Ports(Ports), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Latency(Latency),
    .Hops(Hops), .Routers(Routers), .SettingPeriod(SettingPeriod), .Computed(Computed),
    .Reconfig(Reconfig), .Combine(Combine), .Operators(Operators),
    .BankBits(BankBits), .Columns(Columns), .Machine(3), .Network(4), .Settings(5),
    .TableRows(Tables), .ProgramRows(7), .Banks(9), .FieldBits(11), .Shared(12),
    .CycleBits(CycleBits)
  ) u_host_port (
    .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o(rdata),
    .host_error_o(error),
    .rows_o(rows), .flits_o(flits), .row_cycles_o(row_cycles), .single_port_o(single_port),
    .reconfigure_o(reconfigure),
    .first_o(first), .period_o(period), .packets_o(packets), .operation_o(operation),
    .stream_o(stream), .stop_o(stop), .take_i, .taken_i(taken_i[PacketBits:0]),
    .steps_i, .closed_i(busy_i || start_i || rst_i), .busy_i, .done_i,
    .host_we_state_o(we_state), .host_we_enable_o(we_enable), .host_we_test_o(we_test),
    .state_i, .enable_i, .runs_i, .cycles_i,
    .cause_i,
    .host_req_o(req), .host_all_o(all), .host_node_o(node),
    .host_we_table_o(we_table), .host_we_send_o(we_send), .host_we_recv_o(we_recv),
    .host_we_packet_o(we_packet), .host_re_send_o(re_send), .host_re_recv_o(re_recv),
    .host_re_packet_o(re_packet), .host_re_flags_o(re_flags), .host_re_memory_o(re_memory),
    .host_show_o(show), .host_take_o(take), .host_of_node_o(take_node),
    .host_flags_o(flags_of_router),
    .host_bank_o(bank), .host_column_o(column), .host_row_o(row), .host_packet_o(packet),
    .host_flit_o(flit), .host_data_o(data), .table_rdata_i, .node_rdata_i(taken_q)
  );

  always_ff @(posedge clk_i) if (take) taken_q <= take_node ? node_rdata_i : '0;

  // Regions of the address map.
  localparam bit [2:0] Register = 0, Table = 1, Send = 2, Receive = 3, Packet = 4, Flags = 5,
      RouterFlags = 6;

  // Returns whether the operator is built: its bit is odd after it is shifted down.
  function automatic bit built(input bit [2:0] which);
    built = (Operators >> which) % 2 == 1;
  endfunction

  localparam int Lowest = Operators % 2 == 1 ? 0 : Operators % 4 != 0 ? 1 : 2;

  wire [2:0]  region = host_addr_i[30:28];
  wire        open   = !busy_i && !start_i && !rst_i;
  wire        stops  = host_we_i && busy_i && !rst_i && stream && region == Register &&
      host_addr_i[5:0] == 6'd17;
  wire        event_we = host_we_i && region == Register && host_addr_i[5:0] >= 48 && !rst_i;
  wire        we     = event_we || stops || (host_we_i && open);  // accepted accesses
  wire        re     = host_re_i && (open || region == Register);
  wire        names_operator = Combine != 0 && region == Register && host_addr_i[5:0] == 6'd18;
  wire        wrong  = open ? host_we_i && names_operator && !built(host_wdata_i[2:0])
      : (host_we_i && !event_we && !stops) || (host_re_i && region != Register);
  wire [31:0] field  = 32'(host_addr_i[27:0]);

  // 2: in the cycle of the access.
  wire [31:0] named = region == Packet ? field / (Packets * Flits)
      : region == Send || region == Receive ? field / Rows : field;

  always_comb begin
    reported: assert (req == (host_we_i || host_re_i));
    if (region == Send || region == Receive || region == Packet || region == Flags) begin
      which_node: assert (32'(node) == named % Nodes);
      all_nodes: assert (all == host_addr_i[31]);
    end
  end

  // The accesses of one, two and three cycles ago.
  logic        past_q = 1'b0, past2_q = 1'b0, past3_q = 1'b0;
  logic        we_q, re_q, re_q2, re_q3, all_q;
  logic [2:0]  wrong_q;
  logic [2:0]  region_q, region_q2;
  logic [31:0] field_q, wdata_q, register_q2, word_q3, rdata_q;

  always_ff @(posedge clk_i) begin
    {past_q, past2_q, past3_q} <= {1'b1, past_q, past2_q};
    {re_q, re_q2, re_q3}       <= {re, re_q, re_q2};
    we_q      <= we;
    wrong_q   <= {wrong_q[1:0], wrong};
    all_q     <= host_addr_i[31];
    region_q  <= region;
    region_q2 <= region_q;
    field_q   <= field;
    wdata_q   <= host_wdata_i;
    rdata_q   <= rdata;
  end

  // 1, 2: one cycle later.
  wire [31:0] above = field_q / InRow;              // row and bank of a table's address

  always_comb if (past_q) begin
    strobes: assert ({we_table, we_send, we_recv, we_packet} ==
        ({4{we_q}} & {region_q == Table, region_q == Send, region_q == Receive,
                      region_q == Packet}));
    reads: assert (re_memory == (re_q && region_q != Register));
    reads_of_nodes: assert ({re_send, re_recv, re_packet, re_flags} ==
        ({4{re_q}} & {region_q == Send, region_q == Receive, region_q == Packet,
                      region_q == Flags}));
    shows: assert (show == (re_q && all_q && (region_q == Send || region_q == Receive ||
        region_q == Packet || region_q == Flags)));
    writes_event: assert ({we_state, we_enable, we_test} == ({3{we_q && region_q == Register}} &
        {field_q % 64 == 48, field_q % 64 == 49, field_q % 64 == 50}));
    if (we_q) the_word: assert (data == wdata_q);
    if (we_q || re_q) begin
      if (region_q == Table) begin
        table_fields: assert (32'(column) == field_q % InRow && 32'(row) == above % Rows &&
            32'(bank) == (above / Rows) % Banks);
      end
      if (region_q == Send || region_q == Receive) program_row: assert (32'(row) == field_q % Rows);
      if (region_q == Packet) begin
        packet_fields: assert (32'(flit) == field_q % Flits &&
            32'(packet) == (field_q / Flits) % Packets);
      end
      if (region_q == RouterFlags && Hops != 0) begin
        router_of_flags: assert (32'(bank) == field_q % Banks);
      end
    end
  end

  // 3: the registers of the run by number, truncated to their widths.
  logic [31:0] run_q [32];

  function automatic bit [31:0] bits_of(input bit [5:0] register);
    case (register)
      6'd8:    bits_of = 2 * Rows - 1;
      6'd9:    bits_of = 2 * Flits - 1;
      6'd10:   bits_of = (1 << CycleBits) - 1;
      6'd12:   bits_of = Hops != 0 ? 1 : 0;
      6'd14:   bits_of = SettingPeriod != 0 ? 32'hffffffff : 0;
      6'd16:   bits_of = Reconfig != 0 ? 32'hffffffff : 0;
      6'd15:   bits_of = (SettingPeriod != 0 ? 2 * Packets - 1 : 0) |
          (Computed != 0 ? 32'h80000000 : 0);
      6'd18:   bits_of = Combine != 0 ? 7 : 0;
      default: bits_of = 0;
    endcase
  endfunction

  for (genvar r = 0; r < 32; r++) begin : g_register
    always_ff @(posedge clk_i) begin
      if (rst_i) run_q[r] <= r == 18 && Combine != 0 ? Lowest : '0;
      else if (we_q && region_q == Register && field_q[5:0] == 6'(r) &&
               (r != 18 || built(wdata_q[2:0])))
        run_q[r] <= wdata_q & bits_of(6'(r));
      else if (r == 15 && Computed != 0 && take_i)
        run_q[r] <= {run_q[r][31], 31'(taken_i[PacketBits:0])};
    end
  end

  logic reset_q = 1'b0;                              // a reset has occurred
  always_ff @(posedge clk_i) if (rst_i) reset_q <= 1'b1;

  always_comb if (reset_q && past_q) begin
    run_registers: assert (32'(rows) == run_q[8] && 32'(flits) == run_q[9] &&
        32'(row_cycles) == run_q[10] && 32'(single_port) == run_q[12] && reconfigure == run_q[16] &&
        {first, period} == run_q[14] && {stream, 31'(packets)} == run_q[15] &&
        32'(operation) == run_q[18]);
  end

  // 7: two cycles after the write.
  logic stop_q = 1'b0;

  always_ff @(posedge clk_i)
    stop_q <= Computed != 0 && past_q && we_q && region_q == Register && field_q[5:0] == 6'd17 &&
        wdata_q[0] && !rst_i;

  always_comb if (past2_q) stopped: assert (stop == stop_q);

  // 4: value of the addressed register in the cycle after the read.
  logic [31:0] word;
  always_comb begin
    case (field_q[5:0])
      6'd0:    word = 32'h526e6402;
      6'd1:    word = Ports;
      6'd2:    word = Width;
      6'd3:    word = Packets;
      6'd4:    word = Flits;
      6'd5:    word = Rows;
      6'd6:    word = Latency;
      6'd7:    word = Routers;
      6'd11:   word = 2 * 32'(done_i) + 32'(busy_i);
      6'd13:   word = Hops != 0 ? 32'(steps_i) : 0;
      6'd32:   word = 32'h403;
      6'd33:   word = 5;
      6'd34:   word = Tables;
      6'd35:   word = SettingPeriod;
      6'd36:   word = 7;
      6'd37:   word = 9;
      6'd38:   word = Columns;
      6'd39:   word = 11;
      6'd41:   word = 12;
      6'd42:   word = Combine != 0 ? Operators : 0;
      6'd48:   word = 32'(state_i);
      6'd49:   word = 32'(enable_i);
      6'd51:   word = 32'(runs_i);
      6'd52:   word = cycles_i;
      6'd53:   word = cause_i;
      default: word = field_q[5] ? '0 : run_q[field_q[4:0]];
    endcase
  end

  wire of_table = region_q2 == Table || (Hops != 0 && region_q2 == RouterFlags);
  wire of_node  = region_q2 == Send || region_q2 == Receive || region_q2 == Packet;
  wire of_flags = region_q2 == Flags;

  logic known_q2 = 1'b0, known_q3 = 1'b0;            // the registers were known at the read
  always_ff @(posedge clk_i) begin
    register_q2 <= word;
    known_q2    <= reset_q && past_q;
    known_q3    <= known_q2;
    word_q3     <= region_q2 == Register ? register_q2 : of_table ? table_rdata_i
        : of_node ? node_rdata_i : of_flags ? (node_rdata_i >> 28) % 8 : '0;
  end

  always_comb begin
    if (past2_q) taken: assert (take == re_q2);
    if (past2_q && re_q2) begin
      from_which: assert (take_node == (of_node || of_flags));
      if (of_table) flags_or_table: assert (flags_of_router == (region_q2 == RouterFlags));
    end
    if (past3_q && known_q3) begin
      if (re_q3) the_word_read: assert (rdata == word_q3);
      else stays: assert (rdata == rdata_q);
    end
    if (past3_q) rejected: assert (error == wrong_q[2]);
  end

  assign cover_rejected_o = past3_q && error && re_q3;

  // An operator is selected, and the next one rejected.
  logic open_q, open_q2, open_q3;
  always_ff @(posedge clk_i) {open_q, open_q2, open_q3} <= {open, open_q, open_q2};
  assign cover_operator_o = past3_q && error && open_q3 && operation == 3'd3;

  // Covers: a read of a register that the host has written; of one that a reset has cleared; of a
  // node and of a table in consecutive cycles.
  logic [31:0] field_q2, field_q3;
  logic [2:0]  region_q3, region_q4;
  logic        written_q = 1'b0, re_q4 = 1'b0;
  always_ff @(posedge clk_i) begin
    {field_q2, field_q3}   <= {field_q, field_q2};
    {region_q3, region_q4} <= {region_q2, region_q3};
    re_q4 <= re_q3;
    if (run_q[8] == Rows) written_q <= 1'b1;
  end
  wire register_read = past3_q && known_q3 && re_q3 && region_q3 == Register;
  assign cover_register_o = register_read && field_q3[5:0] == 6'd8 && rdata == Rows;
  assign cover_reset_o    = register_read && field_q3[5:0] == 6'd8 && rdata == 0 && written_q;
  assign cover_memory_o   = past3_q && known_q3 && re_q3 && re_q4 && region_q3 == Table &&
      region_q4 == Packet && rdata == 32'hffffffff && rdata_q == 32'h80000001;

endmodule

`default_nettype wire
