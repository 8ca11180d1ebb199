// SPDX-License-Identifier: Apache-2.0
// rc_host_port: decodes the accesses of the host to the registers, tables and memories of a
// machine.
//
// Addresses count 32-bit words (docs/machine.md; the same map in C is
// sched/machine/machine_address.h):
//
//     31      all nodes: a write goes to the memory of every node, a read shows the word of every
//             node on the observation port
//     30..28  region
//             0  register [5:0]         1  table {bank, row, column}; bank: a stage or a router
//             2  send program           3  receive program     {node, row}
//             4  packet memory {node, packet, flit, part}      5  flags {node}
//             6  router flags {router}
//
// registers.txt describes the registers. A write takes effect at the end of the cycle after
// host_we_i. The word of a read is on host_rdata_o three cycles after host_re_i. A read of all
// nodes returns the OR of their words there, and host_show_o indicates that the words are on the
// observation port in the next cycle. Accesses are never stalled. From a start to the end of the
// run, and during a reset and its extension, the host may only read registers and, in a run, write
// those of events and stop a stream: any other access has no effect, and host_error_o is high three
// cycles after it. So has the write of an operator that is not built.
//
// The OR tree of the node words has registers halfway down, outside this module, which host_take_o
// enables; all other words are registered here, so that host_rdata_o is the OR of registers.
`default_nettype none
`include "../common/rc_assert.svh"

module rc_host_port #(
  parameter int Ports     = 2,
  parameter int Width     = 1,
  parameter int Packets   = 2,
  parameter int Flits     = 2,
  parameter int Rows      = 2,
  parameter int Latency   = 0,
  parameter int Hops      = 0,                     // 1: network of routers, whose rows are hops
  parameter int Routers   = 0,                     // routers with tables or flags; 0: none
  parameter int SettingPeriod = 0,                     // longest setting period; 0: none
  parameter int Computed  = 0,                     // 1: computed programs, hence streams
  parameter int Reconfig  = 0,                     // 1: reconfiguration
  parameter int Combine   = 0,                     // 1: endpoints combine packets
  parameter int Operators = 127,                   // with Combine: that are built (rc_combine.sv)
  parameter int Ranges    = 0,                     // 1: ranges in place of programs
  parameter int BankBits  = 1,                     // bits of the number of a stage or router
  parameter int Columns   = 1,                     // columns of a table; 1 takes no address bit
  // contents of the registers Kind to Shared, which describe the machine (registers.txt)
  parameter int Machine     = 0,
  parameter int Network     = 0,
  parameter int Settings    = 0,
  parameter int TableRows   = 0,
  parameter int ProgramRows = 2,
  parameter int Banks       = 1,
  parameter int FieldBits   = 28,
  parameter int Splits      = 0,
  parameter int Shared      = 1,
  parameter int CycleBits = 16,
  parameter bit [1023:0] Init = '0,                // run that a reset loads (rc_initial.sv)
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1,
  localparam int NodeBits   = $clog2(Ports),
  localparam int PacketBits = $clog2(Packets),
  localparam int FlitBits   = $clog2(Flits),
  localparam int PartBits   = rc_address_map::part_bits(Width),
  localparam int RowBits    = $clog2(Rows)
) (
  input  wire                   clk_i,
  input  wire                   rst_i,
  input  wire                   host_we_i,
  input  wire                   host_re_i,
  input  wire  [31:0]           host_addr_i,
  input  wire  [31:0]           host_wdata_i,
  output wire  [31:0]           host_rdata_o,
  output logic                  host_error_o,
  // registers of the run, and status
  output logic [RowBits:0]      rows_o,
  output logic [FlitBits:0]     flits_o,
  output logic [CycleBits-1:0]  row_cycles_o,
  output logic                  single_port_o,
  output logic [31:0]           reconfigure_o,
  output logic [15:0]           first_o,
  output logic [15:0]           period_o,
  output logic [PacketBits:0]   packets_o,
  output wire  [2:0]            operation_o,          // with Combine; else 0
  output logic                  stream_o,          // with Computed: the run is a stream
  output logic                  stop_o,            // high for one cycle: the host stops it
  input  wire                   take_i,            // taken_i replaces packets_o
  input  wire  [PacketBits:0]   taken_i,
  input  wire  [RowBits:0]      steps_i,
  input  wire                   closed_i,            // busy_i, rst_i, or a start
  input  wire                   busy_i,              // during a run or the extension of a reset
  input  wire                   done_i,
  // registers of events (rc_events.sv), and writes to them, one cycle after the access
  output wire                   host_we_state_o,
  output wire                   host_we_enable_o,
  output wire                   host_we_test_o,
  input  wire  [1:0]            state_i,
  input  wire  [1:0]            enable_i,
  input  wire  [15:0]           runs_i,
  input  wire  [31:0]           cycles_i,
  input  wire  [31:0]           cause_i,
  // in the cycle of the access
  output wire                   host_req_o,
  output wire                   host_all_o,
  output wire  [NodeBits-1:0]   host_node_o,
  // one cycle later
  output logic                  host_we_table_o,
  output logic                  host_we_send_o,
  output logic                  host_we_recv_o,
  output logic                  host_we_packet_o,
  output logic                  host_re_send_o,
  output logic                  host_re_recv_o,
  output logic                  host_re_packet_o,
  output logic                  host_re_flags_o,
  output logic                  host_re_memory_o,  // a memory is read
  output logic                  host_show_o,       // a read of all nodes
  output logic [BankBits-1:0]   host_bank_o,
  output logic [ColumnBits-1:0] host_column_o,
  output logic [RowBits-1:0]    host_row_o,
  output logic [PacketBits-1:0] host_packet_o,
  output logic [FlitBits+PartBits-1:0] host_flit_o,  // {flit, part}
  output logic [31:0]           host_data_o,
  // two cycles later: the words of the memories that were read
  output wire                   host_take_o,       // a read is in progress
  output wire                   host_of_node_o,    // the read is of a word of a node
  output wire                   host_flags_o,      // router flags are read, not a table
  input  wire  [31:0]           table_rdata_i,     // word of tables and router flags
  // three cycles later
  input  wire  [31:0]           node_rdata_i       // OR of the node words; flags in bits 30:28
);

  wire [2:0] region = rc_address_map::region(host_addr_i);
  wire [rc_registers::NumberBits-1:0] number = host_addr_i[rc_registers::NumberBits-1:0];

  wire of_registers   = region == rc_address_map::Registers;
  wire reads_register = host_re_i && of_registers;
  // The registers of events, which have the highest numbers, may be written during a run.
  wire writes_event   = host_we_i && of_registers && !rst_i
      && number[rc_registers::NumberBits-1 -: 2] == 2'b11;
  wire stops          = host_we_i && busy_i && !rst_i && stream_o && of_registers
      && number == rc_registers::RunStop;
  // Accepted accesses to memories, and writes to registers.
  wire we             = host_we_i && !closed_i;
  wire re             = host_re_i && !closed_i;
  wire we_register    = (we && of_registers) || writes_event || stops;

  // A rejected access may change the fields of the next cycle, because it has no strobe. Its enable
  // is on the longest path of the host port.
  assign host_req_o = host_we_i | host_re_i;
  assign host_all_o = host_addr_i[31];

  // The node field is above the other fields of its region.
  wire of_nodes   = region >= rc_address_map::Send && region < rc_address_map::RouterFlags;
  wire in_program = region == rc_address_map::Send || region == rc_address_map::Receive;

  assign host_node_o =
      region == rc_address_map::Packet ? host_addr_i[PacketBits+FlitBits+PartBits +: NodeBits] :
      in_program ? host_addr_i[RowBits +: NodeBits] : host_addr_i[NodeBits-1:0];

  // Regions, nodes, banks and columns that the machine does not implement read as 0; writes to them
  // are ignored. Bits above the fields are ignored. A memory of fewer rows than Rows uses only the
  // low bits of the row; the setting index ignores the column.
  wire unused = &{1'b0, host_addr_i};

  // Returns the word of a register that describes the machine; 0 for other registers. Not a case,
  // which Yosys would store in a memory.
  function automatic logic [31:0] constant(input logic [rc_registers::NumberBits-1:0] register);
    constant = (register == rc_registers::Id ? 32'h526e6402 : '0)  // "Rnd", version 2
        | (register == rc_registers::Ports ? Ports : '0)
        | (register == rc_registers::Width ? Width : '0)
        | (register == rc_registers::Packets ? Packets : '0)
        | (register == rc_registers::Flits ? Flits : '0)
        | (register == rc_registers::Rows ? Rows : '0)
        | (register == rc_registers::Latency ? Latency : '0)
        | (register == rc_registers::Routers ? Routers : '0)
        | (register == rc_registers::Kind ? Network << 8 | Machine : '0)
        | (register == rc_registers::Settings ? Settings : '0)
        | (register == rc_registers::Tables ? TableRows : '0)
        | (register == rc_registers::SettingPeriod ? SettingPeriod : '0)
        | (register == rc_registers::ProgramRows ? ProgramRows : '0)
        | (register == rc_registers::Banks ? Banks : '0)
        | (register == rc_registers::Columns && (Hops == 0 || TableRows != 0) ? Columns : '0)
        | (register == rc_registers::FieldBits ? FieldBits : '0)
        | (register == rc_registers::Splits ? Splits : '0)
        | (register == rc_registers::Shared ? Shared : '0)
        | (register == rc_registers::BuiltOperators && Combine != 0 ? Operators : '0);
  endfunction

  // One cycle later.

  localparam int TableColumnBits = Columns > 1 ? ColumnBits : 0;

  localparam int Registers = 1 << rc_registers::NumberBits;

  logic [2:0] region_q;
  // The register that is addressed, decoded in the cycle of the access, and its word if it is
  // constant: a selection by number in the next cycle would be a long path.
  logic [Registers-1:0] is_q;
  logic [31:0] constant_q;                           // else 0
  logic       we_register_q, we_event_q, re_q;
  logic       rejected_q, rejected_q2;               // accesses
  wire        rejects_operator;                      // the write of one that is not built

  always_ff @(posedge clk_i) begin
    we_register_q    <= we_register;
    host_we_table_o  <= we && region == rc_address_map::Table;
    host_we_send_o   <= we && region == rc_address_map::Send;
    host_we_recv_o   <= we && region == rc_address_map::Receive;
    host_we_packet_o <= we && region == rc_address_map::Packet;
    host_re_send_o   <= re && region == rc_address_map::Send;
    host_re_recv_o   <= re && region == rc_address_map::Receive;
    host_re_packet_o <= re && region == rc_address_map::Packet;
    host_re_flags_o  <= re && region == rc_address_map::Flags;
    host_re_memory_o <= re && region != rc_address_map::Registers;
    host_show_o      <= re && host_all_o && of_nodes;
    re_q             <= re || reads_register;
    we_event_q       <= writes_event;
    rejected_q       <= closed_i && ((host_we_i && !writes_event && !stops)
                                   || (host_re_i && !reads_register));
    rejected_q2      <= rejected_q | rejects_operator;
    host_error_o     <= rejected_q2;
    if (host_req_o) begin
      region_q      <= region;
      is_q          <= of_registers ? Registers'(1) << number : '0;
      constant_q    <= of_registers ? constant(number) : '0;
      host_column_o <= host_addr_i[ColumnBits-1:0] & {ColumnBits{Columns > 1}};
      host_bank_o   <= (Hops != 0 && region == rc_address_map::RouterFlags)
          ? host_addr_i[BankBits-1:0]
          : host_addr_i[RowBits+TableColumnBits +: BankBits];
      host_row_o    <= (region == rc_address_map::Table) ? host_addr_i[TableColumnBits +: RowBits]
          : host_addr_i[RowBits-1:0];
      host_packet_o <= host_addr_i[FlitBits+PartBits +: PacketBits];
      host_flit_o   <= host_addr_i[FlitBits+PartBits-1:0];
      host_data_o   <= host_wdata_i;
    end
  end

  // Reset values of the registers of the run.

  localparam int RunRegisters = 32;                  // the lower numbers
  wire [RunRegisters*32-1:0] initial_run;

  if (Init != '0) begin : g_initial
    logic [31:0] words [RunRegisters];
    initial $readmemh(rc_initial::append(Init, "registers.mem"), words);
    for (genvar r = 0; r < RunRegisters; r++) begin : g_register
      logic [31:0] word_q;                           // clocked, like the word of a memory
      always_ff @(posedge clk_i) word_q <= words[r];
      assign initial_run[r*32 +: 32] = word_q;
    end
  end else begin : g_zero
    assign initial_run = '0;
  end

  wire unused_run = &{1'b0, initial_run};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      rows_o        <= initial_run[rc_registers::RunRows*32 +: RowBits+1];
      flits_o       <= initial_run[rc_registers::RunFlits*32 +: FlitBits+1];
      row_cycles_o  <= initial_run[rc_registers::RunRowCycles*32 +: CycleBits];
      single_port_o <= initial_run[rc_registers::RunSinglePort*32 +: 1];
      reconfigure_o <= Reconfig != 0 ? initial_run[rc_registers::RunReconfigure*32 +: 32] : '0;
      first_o       <= initial_run[rc_registers::RunPeriod*32+16 +: 16];
      period_o      <= initial_run[rc_registers::RunPeriod*32 +: 16];
      packets_o     <= initial_run[rc_registers::RunPackets*32 +: PacketBits+1];
    end else begin
      // The host may write a register of events in the same cycle.
      if (Computed != 0 && take_i) packets_o <= taken_i;
      if (we_register_q) begin
        if (is_q[rc_registers::RunRows]) rows_o <= host_data_o[RowBits:0];
        if (is_q[rc_registers::RunFlits]) flits_o <= host_data_o[FlitBits:0];
        if (is_q[rc_registers::RunRowCycles]) row_cycles_o <= host_data_o[CycleBits-1:0];
        if (is_q[rc_registers::RunSinglePort] && Hops != 0) single_port_o <= host_data_o[0];
        if (is_q[rc_registers::RunPeriod] && SettingPeriod != 0) {first_o, period_o} <= host_data_o;
        if (is_q[rc_registers::RunPackets] && (SettingPeriod != 0 || Ranges != 0))
          packets_o <= host_data_o[PacketBits:0];
        if (is_q[rc_registers::RunReconfigure] && Reconfig != 0) reconfigure_o <= host_data_o;
      end
    end
  end

  if (Combine != 0) begin : g_operator
    localparam bit [7:0] Built = 8'(Operators);

    // Returns the lowest operator that is built, to which a reset without Init sets the register.
    function automatic bit [2:0] lowest();
      lowest = 3'd0;
      for (int i = 6; i >= 0; i--) if (Built[i]) lowest = 3'(i);
    endfunction

    wire        writes  = we_register_q && is_q[rc_registers::RunOperator];
    wire        built   = Built[host_data_o[2:0]];
    wire  [2:0] initial_operation = initial_run[rc_registers::RunOperator*32 +: 3];
    logic [2:0] operation_q;

    always_ff @(posedge clk_i) begin
      if (rst_i) operation_q <= Built[initial_operation] ? initial_operation : lowest();
      else if (writes && built) operation_q <= host_data_o[2:0];
    end

    assign operation_o      = operation_q;
    assign rejects_operator = writes && !built;
  end else begin : g_operator
    assign operation_o      = '0;
    assign rejects_operator = 1'b0;
  end

  if (Computed != 0) begin : g_stream
    always_ff @(posedge clk_i) begin
      if (rst_i) stream_o <= initial_run[rc_registers::RunPackets*32+31];
      else if (we_register_q && is_q[rc_registers::RunPackets])
        stream_o <= host_data_o[31];
      stop_o <= we_register_q && is_q[rc_registers::RunStop] && host_data_o[0] && !rst_i;
    end
  end else begin : g_stream
    assign stream_o = 1'b0;
    assign stop_o   = 1'b0;
  end
  // Writes to registers of events.
  assign host_we_state_o  = we_event_q && is_q[rc_registers::InterruptState];
  assign host_we_enable_o = we_event_q && is_q[rc_registers::InterruptEnable];
  assign host_we_test_o   = we_event_q && is_q[rc_registers::InterruptTest];

  // Two cycles later the word is selected, then registered.

  logic [2:0]  region_q2;
  logic [31:0] register_q2, word_q3;                 // 0 unless a register, or a table, was read
  logic        re_q2, of_flags_q3;
  wire         of_table = region_q2 == rc_address_map::Table
      || (Hops != 0 && region_q2 == rc_address_map::RouterFlags);

  assign host_take_o    = re_q2;
  assign host_of_node_o = region_q2 >= rc_address_map::Send
      && region_q2 < rc_address_map::RouterFlags;
  assign host_flags_o   = region_q2[2];

  always_ff @(posedge clk_i) begin
    re_q2 <= re_q;
    if (re_q) begin
      region_q2        <= region_q;
      // An OR of words with one selecting bit each; at most one of them is not 0.
      register_q2      <= constant_q
          | (32'(rows_o) & {32{is_q[rc_registers::RunRows]}})
          | (32'(flits_o) & {32{is_q[rc_registers::RunFlits]}})
          | (32'(row_cycles_o) & {32{is_q[rc_registers::RunRowCycles]}})
          | ({30'b0, done_i, busy_i} & {32{is_q[rc_registers::Status]}})
          | (32'(single_port_o) & {32{is_q[rc_registers::RunSinglePort] && Hops != 0}})
          | (32'(steps_i) & {32{is_q[rc_registers::Steps] && Hops != 0}})
          | ({first_o, period_o} & {32{is_q[rc_registers::RunPeriod]}})
          | ({stream_o, 31'(packets_o)} & {32{is_q[rc_registers::RunPackets]}})
          | (reconfigure_o & {32{is_q[rc_registers::RunReconfigure]}})
          | (32'(operation_o) & {32{is_q[rc_registers::RunOperator]}})
          | (32'(state_i) & {32{is_q[rc_registers::InterruptState]}})
          | (32'(enable_i) & {32{is_q[rc_registers::InterruptEnable]}})
          | (32'(runs_i) & {32{is_q[rc_registers::RunCount]}})
          | (cycles_i & {32{is_q[rc_registers::CycleCount]}})
          | (cause_i & {32{is_q[rc_registers::ErrorCause]}});
    end
    if (re_q2) begin
      word_q3     <= register_q2 | (of_table ? table_rdata_i : '0);
      of_flags_q3 <= region_q2 == rc_address_map::Flags;
    end
  end

  assign host_rdata_o = word_q3 | (of_flags_q3 ? 32'(node_rdata_i[30:28]) : node_rdata_i);

  wire [4:0] writes = {host_we_table_o, host_we_send_o, host_we_recv_o, host_we_packet_o,
                       we_register_q};
  wire [3:0] reads  = {host_re_send_o, host_re_recv_o, host_re_packet_o, host_re_flags_o};

  `RC_ASSERT_RESET(rst_i)
  `RC_ASSERT_ONEHOT0(one_write, writes, "an access writes to two regions")
  `RC_ASSERT_ONEHOT0(one_read, reads, "an access reads two memories of a node")
  `RC_EXPECT(memories_idle, !busy_i || {writes[4:1], host_re_memory_o} == '0,
             "a memory is accessed during a run")
  `RC_ASSERT_KNOWN(strobes_known, {writes, reads, host_re_memory_o, host_show_o, host_error_o},
                   "a strobe is unknown")

  wire unused_strobes = &{1'b0, writes, reads};

endmodule

`default_nettype wire
