// SPDX-License-Identifier: Apache-2.0
// rc_shell: the shell around the network of a machine: sequencer, host port, endpoints, and the
// connections between them.
//
//     host port --> tables, programs, packet memories, registers
//     sequencer --> endpoints --> tx_lanes_o   network   rx_lanes_i --> endpoints --> observation
//
// The network receives the wavefront, wave_o, one cycle before the flits that belong to it, and
// returns it, wave_i, one cycle before they are on rx_lanes_i: it delays both by Latency cycles.
// ce_o enables the registers of its lanes. The host reads and writes the tables of the network
// through host_o; the words read are ORed, so a table that is not addressed must return 0.
// rc_shell_bus.sv specifies the fields of these vectors.
//
// With Outside there are no endpoints in the shell: it drives the others with step_o, control_o and
// host_o, and receives their lanes, words and flags on outside_i, in the cycles of rc_endpoint.sv.
//
// Routers send and receive at the same time as the endpoints: step_o contains the inputs
// send_fetch_i to rx_flit_i of rc_endpoint.sv, single_port (a router sends at most one packet per
// row) and forward (packets have one flit, or rows one cycle). A machine with a setting index uses
// phase_o; with reconfiguration (Reconfig) it returns length_i, the number of rows of a setting
// less 1 (rc_sequencer.sv). csim/shell/shell.h has the same signals, with the multiplexers of host
// reads inside the endpoints.
//
// The host loads the image, drives start_i high for one cycle and waits for done_o. The observation
// port, obs_o, shows every completed receipt. A reset of one cycle suffices: it is extended by
// Latency + 2 cycles (rst_o), in which the pipeline becomes empty. While busy_o is high, after a
// reset or in a run, the host may only read registers: start_i has no effect, and any other access
// is rejected with host_error_o.
`default_nettype none
`include "../common/rc_require.svh"

module rc_shell #(
  parameter int Nodes    = 2,   // endpoints, >= 2
  parameter int Together = 1,   // adjacent endpoints of one processor, >= 1; divides Nodes
  parameter int Hops     = 0,   // 1: network of routers, whose rows are hops
  parameter int Routers  = 0,   // routers with tables or flags; 0: tables, if any, belong to stages
  parameter int Tables   = 1,   // words that the network returns for a read, >= 1
  parameter int Machine  = 0,   // kind of machine, and of its multistage network (registers.txt)
  parameter int Network  = 0,
  parameter int Settings = 0,   // source of the settings (rc_multistage_core.sv)
  parameter int TableRows = 0,  // rows of the tables of stages or routers; 0: they have none
  parameter int Banks    = Routers,  // routers, or stages and the setting index
  parameter int BankBits = 1,   // bits of the number of a stage or router
  parameter int Columns  = 1,   // columns of a table
  parameter int Latency  = 0,   // cycles from tx_lanes_o to rx_lanes_i; with Hops: of a hop
  parameter int Headers  = 0,   // 1: packets have headers (rc_endpoint.sv)
  parameter int Lists    = 0,   // 1: with headers, the network selects the packets to send
  parameter int SettingPeriod = 0,   // longest setting period: 0, or a power of two, 2 ... Rows
  parameter int Computed = 0,   // 1: rc_computed_program.sv; requires SettingPeriod
  parameter int Reconfig = 0,   // 1: reconfiguration (rc_sequencer.sv); requires SettingPeriod
  // 1: endpoints combine packets, a cycle after rx_lanes_i (rc_operand_memory.sv); 2: in the
  // memories of their nodes, of Shared endpoints each (rc_node_memory.sv); 3: as 1, apart from
  // their own (rc_received_memory.sv)
  parameter int Combine  = 0,
  parameter int Operators = 127,                       // with Combine: that are built
  parameter int Shared   = 1,   // adjacent endpoints that share a memory (rc_packet_memory.sv)
  parameter int Ranges   = 0,   // 1: ranges (rc_range_program.sv); excludes Headers and Computed
  parameter int Splits   = 2,   // with Ranges: words of the table of splits, a power of two >= 2
  parameter int SplitsBank = 0,  // with Ranges: number of that table, after those of the network
  parameter int Width    = 1,   // bits of a word, 1 ... 512
  parameter int Packets  = 2,   // packets of an endpoint's memory, a power of two >= 2
  parameter int Flits    = 2,   // words of a packet at most, a power of two >= 2
  parameter int Rows     = 2,   // rows of a run, a power of two >= 2
  // 1: the endpoints are outside; excludes Headers, Computed, Combine and Ranges
  parameter int Outside  = 0,
  // bits of the field of an address that the bus carries; 0: as many as the machine needs
  parameter int FieldBits = 0,
  parameter bit [1023:0] Init = '0,  // initial contents of memories and run (rc_initial.sv)
  localparam int NodeBits   = $clog2(Nodes),
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1,
  localparam int PacketBits = $clog2(Packets),
  localparam int FlitBits   = $clog2(Flits),
  localparam int PartBits   = rc_address_map::part_bits(Width),
  localparam int RowBits    = $clog2(Rows),
  localparam int SettingPhaseBits = SettingPeriod > 1 ? $clog2(SettingPeriod) : 1,
  localparam int LaneBits   = Width + 1,             // {valid, word}
  localparam int TagBits    = rc_shell_bus::tag_bits(Flits),
  localparam int WaveBits   = rc_shell_bus::wave_bits(Flits, Rows),
  localparam int PhaseBits  = rc_shell_bus::phase_bits(SettingPeriod),
  localparam int StepBits   = rc_shell_bus::step_bits(Flits, Rows),
  localparam int HostBits   = rc_shell_bus::host_bits(BankBits, ColumnBits, Rows),
  localparam int ListBits   = rc_shell_bus::list_bits(Packets, Rows),
  localparam int ControlBits = rc_shell_bus::control_bits(Nodes, Packets, Flits, Width),
  localparam int OutsideBits = rc_shell_bus::outside_bits(Width)
) (
  // ports of the machine
  input  wire                         clk_i,
  input  wire                         rst_i,
  input  wire                         host_we_i,
  input  wire                         host_re_i,
  input  wire  [31:0]                 host_addr_i,
  input  wire  [31:0]                 host_wdata_i,
  output wire  [31:0]                 host_rdata_o,
  output wire                         host_error_o,  // three cycles after an access: rejected
  input  wire                         start_i,
  output wire                         busy_o,
  output wire                         run_o,
  output wire                         done_o,
  output wire                         error_o,       // the last run has ended with a flag set
  output wire                         irq_o,         // an enabled interrupt is set (rc_events.sv)
  // While obs_strobe_o is high, obs_o contains for each node {valid, missing, unexpected, not held,
  // packet[27:0]}: whether a packet was completed at the end of the cycle before, the flags, and
  // the packet; or, after a read of all nodes, the word of the node.
  output wire                         obs_strobe_o,
  output wire  [Nodes*32-1:0]         obs_o,
  // network
  output wire                         rst_o,         // the extended reset
  output wire                         start_o,       // start_i, if it is accepted
  output wire                         ce_o,
  output wire  [WaveBits-1:0]         wave_o,
  output wire  [Nodes*LaneBits-1:0]   tx_lanes_o,
  input  wire  [WaveBits-1:0]         wave_i,
  input  wire  [Nodes*LaneBits-1:0]   rx_lanes_i,
  output wire  [PhaseBits-1:0]         phase_o,
  input  wire  [RowBits-1:0]          length_i,
  // routers
  output wire  [StepBits-1:0]         step_o,
  input  wire                         moves_i,  // a router sent a packet in the cycle before
  input  wire  [Tables*3-1:0]         router_flags_i,  // of each router; 0 without routers
  // with Lists: finish_i ends the run with the current row (rc_sequencer.sv); list_i selects the
  // packets that each endpoint sends (rc_endpoint.sv)
  input  wire                         finish_i,
  input  wire  [Nodes*ListBits-1:0]   list_i,
  output wire  [Nodes*PacketBits-1:0] count_o,       // length of the list of each endpoint
  output wire  [2:0]                  operation_o,   // with Combine (rc_combine.sv); else 0
  // with Outside: endpoints; else 0
  output wire  [ControlBits-1:0]      control_o,
  input  wire  [(Outside != 0 ? Nodes*OutsideBits : 1)-1:0] outside_i,
  // tables and flags; used while the machine is idle
  output wire  [HostBits-1:0]         host_o,
  input  wire  [Tables*32-1:0]        table_rdata_i  // one cycle after re_memory of host_o
);

  `RC_REQUIRE(Nodes, Nodes >= 2, "Nodes must be 2 or more")
  `RC_REQUIRE(Together, Together >= 1 && Nodes % Together == 0, "Together must divide Nodes")
  `RC_REQUIRE(Tables, Tables >= 1, "Tables must be 1 or more")
  `RC_REQUIRE(SettingPeriod, SettingPeriod == 0 || (SettingPeriod >= 2 &&
              SettingPeriod <= Rows && (SettingPeriod & (SettingPeriod - 1)) == 0),
              "SettingPeriod must be 0 or a power of two from 2 to Rows")
  `RC_REQUIRE(Computed, Computed == 0 || SettingPeriod != 0, "Computed requires SettingPeriod")
  `RC_REQUIRE(Reconfig, Reconfig == 0 || (SettingPeriod != 0 && Computed == 0),
              "Reconfig requires SettingPeriod, and excludes Computed")

  `RC_REQUIRE(Ranges, Ranges == 0 || (Headers == 0 && Computed == 0 && Init == '0),
              "Ranges must be 0 with Headers, Computed or Init")
  `RC_REQUIRE(Splits, Ranges == 0 || (Splits >= 2 && Splits <= Rows &&
              (Splits & (Splits - 1)) == 0),
              "Splits must be a power of two from 2 to Rows")
  `RC_REQUIRE(Outside, Outside == 0 ||
              (Headers == 0 && Computed == 0 && Combine == 0 && Ranges == 0 && Shared == 1),
              "Outside must be 0 with Headers, Computed, Combine, Ranges or Shared")
  `RC_REQUIRE(Combine, Combine == 0 || (Combine <= 3 && Headers == 0 && Computed == 0 &&
              Ranges == 0 && (Combine == 2 || Shared == 1)),
              "Combine must be 0 with Headers, Computed or Ranges, and 0 or 2 with Shared")

  localparam bit Waits      = Combine == 1 || Combine == 3;      // a flit waits for its operand
  localparam int Delay      = Latency + (Waits ? 1 : 0);         // to the memory of an endpoint
  localparam int CycleBits  = 16;

  // Bits of the fields of the regions (rc_host_port.sv), and of the widest of them.
  localparam int TableBits  = Hops != 0 && TableRows == 0 ? BankBits
      : BankBits + RowBits + (Columns > 1 ? ColumnBits : 0);
  localparam int MemoryBits = NodeBits
      + (RowBits > PacketBits + FlitBits + PartBits ? RowBits : PacketBits + FlitBits + PartBits);
  localparam int LargerBits = TableBits > MemoryBits ? TableBits : MemoryBits;
  localparam int NeededBits =
      LargerBits > rc_registers::NumberBits ? LargerBits : rc_registers::NumberBits;

  localparam int UsedBits   = FieldBits == 0 ? NeededBits : FieldBits;

  `RC_REQUIRE(FieldBits, NeededBits <= UsedBits && UsedBits <= 28,
              "FieldBits must be 0, or the bits of the widest field of an address to 28")

  localparam int OffsetBits = (PacketBits > SettingPhaseBits ? PacketBits : SettingPhaseBits) + 2;

  // Reset and start.

  wire active, next_active, rst, start, extends_next;

  rc_reset #(.Cycles(Delay + 3)) u_reset (.clk_i, .rst_i, .rst_o(rst), .extends_o(extends_next));

  // The machine is busy during the extension of a reset and while active is high. Registered,
  // because start_i, the clock enable of the lanes and every access of the host depend on it.
  logic busy_q;

  always_ff @(posedge clk_i) busy_q <= extends_next | (next_active & ~rst);

  assign start   = start_i & ~busy_q & ~rst_i;
  assign rst_o   = rst;
  assign start_o = start;
  assign busy_o  = busy_q;

  // Registered, because it drives the flags of all endpoints and a counter. Nothing changes these
  // in the cycle after a start.
  logic clear_q;

  always_ff @(posedge clk_i) clear_q <= rst | start;

  // Sequencer.

  wire                 fetch, next_setting_phase, wave_fetch, tx_en, tx_last, rx_open, ending;
  wire [RowBits-1:0]   row, wave_row;
  wire [FlitBits-1:0]  tx_flit;
  wire [RowBits:0]     rows;
  wire [FlitBits:0]    flits;
  wire [CycleBits-1:0] row_cycles;
  wire [31:0]          reconfigure;
  wire                 finish_stream;

  rc_sequencer #(
    .Rows(Rows), .Flits(Flits), .CycleBits(CycleBits), .Reconfig(Reconfig)
  ) u_sequencer (
    .clk_i,
    .rst_i(rst),
    .start_i(start),
    .finish_i(finish_i | finish_stream),
    .rows_i(rows),
    .flits_i(flits),
    .row_cycles_i(row_cycles),
    .reconfigure_i(reconfigure),
    .length_i,
    .active_o(active),
    .next_active_o(next_active),
    .run_o,
    .done_o,
    .fetch_o(fetch),
    .next_phase_o(next_setting_phase),
    .ending_o(ending),
    .row_o(row),
    .wave_fetch_o(wave_fetch),
    .wave_row_o(wave_row),
    .tx_en_o(tx_en),
    .tx_last_o(tx_last),
    .tx_flit_o(tx_flit),
    .rx_open_o(rx_open)
  );

  assign ce_o   = busy_q | rst_i;                    // in a run, and until a reset ends
  assign wave_o = {wave_fetch, wave_row, tx_en, tx_last, tx_flit};

  // The tag of the wavefront reaches the receivers one cycle after its row, with the flits. Reset
  // disables reception immediately.

  wire                rx_fetch, rx_en, rx_last, lane_en, lane_last;
  wire [RowBits-1:0]  rx_row;
  wire [TagBits-1:0]  rx_tag;
  wire [FlitBits-1:0] rx_flit, lane_flit;

  assign {rx_fetch, rx_row, rx_tag} = wave_i;

  rc_delay #(.Width(TagBits)) u_rx_tag (
    .clk_i, .ce_i(1'b1), .d_i(rx_tag & {TagBits{rx_open & ~rst}}),
    .q_o({lane_en, lane_last, lane_flit})
  );

  if (Waits) begin : g_combine
    rc_delay #(.Width(TagBits)) u_rx_tag (
      .clk_i, .ce_i(1'b1), .d_i({lane_en, lane_last, lane_flit} & {TagBits{rx_open & ~rst}}),
      .q_o({rx_en, rx_last, rx_flit})
    );
  end else begin : g_combine
    assign {rx_en, rx_last, rx_flit} = {lane_en, lane_last, lane_flit};
  end

  // Host port.

  wire                  host_req, host_all, host_show, single_port;
  wire                  host_re_send, host_re_recv, host_re_packet, host_re_flags, host_re_memory;
  wire                  host_take, host_of_node, host_flags;
  wire [NodeBits-1:0]   host_node;
  wire                  host_we_table, host_we_send, host_we_recv, host_we_packet;
  wire [BankBits-1:0]   host_bank;
  wire [ColumnBits-1:0] host_column;
  wire [RowBits-1:0]    host_row;
  wire [PacketBits-1:0] host_packet;
  wire [FlitBits+PartBits-1:0] host_flit;          // {flit, part}
  wire [31:0]           host_data, table_rdata, node_rdata;
  wire [RowBits:0]      steps;
  wire [15:0]           first, period;
  wire [PacketBits:0]   packets, taken;
  wire                  stream, stop, take;
  wire [2:0]            operation;
  assign operation_o = operation;
  wire                  host_we_state, host_we_enable, host_we_test;
  wire [1:0]            event_state, event_enable;
  wire [15:0]           runs;
  wire [31:0]           cycles, cause;

  rc_host_port #(
    .Ports(Nodes), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Latency(Delay),
    .Hops(Hops), .Routers(Routers), .SettingPeriod(SettingPeriod), .Computed(Computed),
    .Reconfig(Reconfig),
    .Ranges(Ranges), .Combine(Combine), .Operators(Operators), .BankBits(BankBits),
    .Columns(Columns),
    .Machine(Machine), .Network(Network),
    .Settings(Settings | (Settings != 0 || Reconfig != 0 ? 1 << rc_registers::SettingsIndexLow : 0)
              | (Computed != 0 ? 1 << rc_registers::SettingsComputedLow : 0)
              | (Reconfig != 0 ? 1 << rc_registers::SettingsReconfigLow : 0)
              | (Ranges != 0 ? 1 << rc_registers::SettingsRangesLow : 0)
              | (Combine != 0 ? 1 << rc_registers::SettingsCombineLow : 0)
              | (Combine == 3 ? 1 << rc_registers::SettingsOwnLow : 0)),
    .TableRows(TableRows),
    .ProgramRows(Ranges != 0 ? 1 : Computed != 0 ? SettingPeriod : Rows),
    .Banks(Banks), .Splits(Ranges != 0 ? Splits : 0), .Shared(Shared),
    .FieldBits(UsedBits),
    .CycleBits(CycleBits), .Init(Init)
  ) u_host_port (
    .clk_i,
    .rst_i(rst),
    .host_we_i,
    .host_re_i,
    .host_addr_i,
    .host_wdata_i,
    .host_rdata_o,
    .host_error_o,
    .rows_o(rows),
    .flits_o(flits),
    .row_cycles_o(row_cycles),
    .single_port_o(single_port),
    .reconfigure_o(reconfigure),
    .first_o(first),
    .period_o(period),
    .packets_o(packets),
    .operation_o(operation),
    .stream_o(stream),
    .stop_o(stop),
    .take_i(take),
    .taken_i(taken),
    .steps_i(steps),
    .closed_i(busy_q | start_i | rst_i),
    .busy_i(busy_q),
    .done_i(done_o),
    .host_we_state_o(host_we_state),
    .host_we_enable_o(host_we_enable),
    .host_we_test_o(host_we_test),
    .state_i(event_state),
    .enable_i(event_enable),
    .runs_i(runs),
    .cycles_i(cycles),
    .cause_i(cause),
    .host_req_o(host_req),
    .host_all_o(host_all),
    .host_node_o(host_node),
    .host_we_table_o(host_we_table),
    .host_we_send_o(host_we_send),
    .host_we_recv_o(host_we_recv),
    .host_we_packet_o(host_we_packet),
    .host_re_send_o(host_re_send),
    .host_re_recv_o(host_re_recv),
    .host_re_packet_o(host_re_packet),
    .host_re_flags_o(host_re_flags),
    .host_re_memory_o(host_re_memory),
    .host_show_o(host_show),
    .host_bank_o(host_bank),
    .host_column_o(host_column),
    .host_row_o(host_row),
    .host_packet_o(host_packet),
    .host_flit_o(host_flit),
    .host_data_o(host_data),
    .host_take_o(host_take),
    .host_of_node_o(host_of_node),
    .host_flags_o(host_flags),
    .table_rdata_i(table_rdata),
    .node_rdata_i(node_rdata)
  );

  rc_delay #(.Width(1)) u_obs_strobe (.clk_i, .ce_i(1'b1), .d_i(rx_last | host_show),
                                      .q_o(obs_strobe_o));

  // Interrupts, errors and counters.

  // The flags count at the end of a run; at other times, a simulator skips collecting them.
  wire                ends;
  wire  [Nodes*3-1:0] flags;
  logic [Nodes*3-1:0] node_flags;

  always_comb begin
    node_flags = '0;
    if (ends) node_flags = flags;
  end

  rc_events #(.Nodes(Nodes), .Routers(Tables)) u_events (
    .clk_i,
    .rst_i(rst),
    .start_i(start),
    .clear_i(clear_q),
    .active_i(active),
    .done_i(done_o),
    .ends_o(ends),
    .node_flags_i(node_flags),
    .router_flags_i,
    .we_state_i(host_we_state),
    .we_enable_i(host_we_enable),
    .we_test_i(host_we_test),
    .data_i(host_data[1:0]),
    .state_o(event_state),
    .enable_o(event_enable),
    .runs_o(runs),
    .cycles_o(cycles),
    .cause_o(cause),
    .error_o,
    .irq_o
  );

  // host_flags is valid with the words that are read, one cycle after re_memory.
  assign host_o = {host_we_table, host_re_memory, host_flags, host_bank, host_column, host_row,
                   host_data};

  wire [31:0] network_rdata, splits_rdata;

  rc_or_tree #(.Words(Tables), .Width(32)) u_table_rdata (.words_i(table_rdata_i),
                                                          .word_o(network_rdata));

  assign table_rdata = network_rdata | splits_rdata;

  // The table of splits, for endpoints with ranges.

  localparam int SplitBits = 1 + 2 * NodeBits;

  wire [Splits*SplitBits-1:0] splits;
  wire [FlitBits-1:0]         last_flit;

  if (Ranges != 0) begin : g_ranges
    rc_range_table #(.Splits(Splits), .NodeBits(NodeBits)) u_range_table (
      .clk_i,
      .splits_o(splits),
      .host_we_table_i(host_we_table),
      .host_re_memory_i(host_re_memory),
      .host_select_i(host_bank == BankBits'(SplitsBank)),
      .host_row_i(host_row[$clog2(Splits)-1:0]),
      .host_data_i(host_data),
      .host_rdata_o(splits_rdata)
    );

    // Constant during a run, and registered as in rc_sequencer.sv.
    rc_delay #(.Width(FlitBits)) u_last_flit (
      .clk_i, .ce_i(1'b1), .d_i(FlitBits'(flits - 1'b1)), .q_o(last_flit)
    );
  end else begin : g_ranges
    assign splits       = '0;
    assign splits_rdata = '0;
    assign last_flit    = '0;
  end

  // Positions in the setting period: of the rows that are sent (with reconfiguration, of the
  // settings), and with computed programs also of the rows that are received. As in
  // rc_sequencer.sv, the counters are reset until a run begins, not by start_i.

  wire [OffsetBits-1:0] base, rx_base;
  wire [OffsetBits:0]   excess, rx_excess;           // rc_periodic_packet.sv
  wire [SettingPhaseBits-1:0]   setting_phase, rx_setting_phase;

  wire                  rx_prefetch;
  wire [PacketBits-1:0] last_packet;

  // Rows of computed programs have barriers: with a latency, they have two cycles or more.
  localparam int Prefetch = Computed != 0 && Latency > 0 ? 1 : 0;

  assign phase_o = {next_setting_phase, setting_phase};

  if (SettingPeriod != 0) begin : g_setting_counter
    wire [OffsetBits-1:0] next_base;
    wire [OffsetBits:0]   next_excess;

    rc_setting_counter #(.SettingPeriod(SettingPeriod), .BaseBits(OffsetBits)) u_setting_counter (
      .clk_i, .rst_i(1'b0), .start_i(~active), .fetch_i(next_setting_phase), .first_i(first),
      .period_i(period), .packets_i((OffsetBits+1)'(packets)), .setting_phase_o(setting_phase),
      .base_o(base), .excess_o(excess), .next_base_o(next_base), .next_excess_o(next_excess)
    );

    wire unused = &{1'b0, next_base, next_excess};
  end else begin : g_setting_counter
    assign setting_phase = '0;
    assign base = '0;
    assign excess = '0;
    wire unused = &{1'b0, next_setting_phase, first, period};
  end

  if (Computed != 0) begin : g_rx_setting_counter
    wire [OffsetBits-1:0] last_base, next_base;
    wire [OffsetBits:0]   last_excess, next_excess;
    // next_excess is registered: it must have the packets of the next cycle.
    wire [PacketBits:0]   rx_packets = Prefetch != 0 && take ? taken : packets;

    rc_setting_counter #(.SettingPeriod(SettingPeriod), .BaseBits(OffsetBits)) u_setting_counter (
      .clk_i, .rst_i(1'b0), .start_i(~active), .fetch_i(rx_fetch), .first_i(first),
      .period_i(period), .packets_i((OffsetBits+1)'(rx_packets)),
      .setting_phase_o(rx_setting_phase), .base_o(last_base), .excess_o(last_excess),
      .next_base_o(next_base), .next_excess_o(next_excess)
    );

    assign rx_base  = Prefetch != 0 ? next_base : last_base;
    assign rx_excess = Prefetch != 0 ? next_excess : last_excess;

    // Constant in all runs but streams, in which it is not used.
    rc_delay #(.Width(PacketBits)) u_last_packet (
      .clk_i, .ce_i(1'b1), .d_i(PacketBits'(packets - 1'b1)), .q_o(last_packet)
    );

    // The position is that of the next row, one cycle after a start or a fetch.
    rc_delay #(.Width(1)) u_rx_prefetch (
      .clk_i, .ce_i(1'b1), .d_i(rx_fetch | start), .q_o(rx_prefetch)
    );
  end else begin : g_rx_setting_counter
    assign rx_setting_phase = '0;
    assign rx_base     = '0;
    assign rx_excess    = '0;
    assign last_packet = '0;
    assign rx_prefetch = 1'b0;
  end

  // Streams.

  if (Computed != 0) begin : g_stream_stop
    wire [RowBits:0] begun;                          // at most `packets` if it is taken

    rc_stream_stop #(.RowBits(RowBits)) u_stream_stop (
      .clk_i, .rst_i(rst), .start_i(~active), .stream_i(stream), .stop_i(stop), .ending_i(ending),
      .row_i(row), .rows_i(rows), .packets_i((RowBits+1)'(packets)), .take_o(take),
      .packets_o(begun), .finish_o(finish_stream)
    );

    assign taken = (PacketBits+1)'(begun);
    wire unused = &{1'b0, begun};
  end else begin : g_stream_stop
    assign finish_stream = 1'b0;
    assign take          = 1'b0;
    assign taken         = '0;
    wire unused = &{1'b0, ending, stop};
  end

  // Endpoints.

  wire                forward;
  // With Ranges no flit is read in the cycle in which it is stored.
  wire                same_flit  = rx_en & (rx_flit == tx_flit) & (Ranges == 0);
  wire                send_fetch = fetch | host_re_memory;
  wire                recv_fetch = rx_fetch | host_re_memory;
  wire [RowBits-1:0]  send_row   = host_re_memory ? host_row
      : Computed != 0 ? RowBits'(setting_phase) : row;
  wire [RowBits-1:0]  recv_row   = host_re_memory ? host_row
      : Computed != 0 ? RowBits'(rx_setting_phase) : rx_row;

  // Registered, as the comparisons in rc_sequencer.sv are: it is constant during a run and drives
  // many multiplexers.
  rc_delay #(.Width(1)) u_forward (
    .clk_i, .ce_i(1'b1), .d_i(flits == (FlitBits+1)'(1) || row_cycles == CycleBits'(1)),
    .q_o(forward)
  );

  // Routers store a flit when it is on their lanes, also with Combine.
  assign step_o = {single_port, forward, send_fetch, send_row, tx_en, tx_flit, lane_en, lane_last,
                   lane_flit};

  localparam int WriteBits = (Combine == 2 ? 3 : 2) + PacketBits;
  wire [Nodes*WriteBits-1:0] writes;

  if (Outside != 0) begin : g_outside
    assign control_o = {clear_q, host_req, host_all, host_node, host_we_send, host_we_recv,
                        host_we_packet, host_re_send, host_re_recv, host_re_packet, host_re_flags,
                        host_packet, host_flit};
    assign count_o   = '0;
    assign writes    = '0;

    for (genvar node = 0; node < Nodes; node++) begin : g_lane
      assign {flags[node*3 +: 3], obs_o[node*32 +: 32],
              tx_lanes_o[node*LaneBits +: LaneBits]} = outside_i[node*OutsideBits +: OutsideBits];
    end

    wire unused = &{1'b0, same_flit, recv_fetch, recv_row, base, excess, rx_base, rx_excess,
                    last_packet, rx_prefetch, list_i, lane_en, lane_flit, operation, stream,
                    last_flit, splits, packets, rx_lanes_i, writes};
  end else begin : g_inside
    assign control_o = '0;

    wire unused = &{1'b0, outside_i};
  end

  for (genvar node = 0; Outside == 0 && node < Nodes; node++) begin : g_node
    localparam int First   = node - node % Shared;
    localparam int Members = First + Shared <= Nodes ? Shared : Nodes - First;

    rc_endpoint #(
      .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows), .Node(node),
      .NodeBits(NodeBits), .Home(node - node % Together), .Headers(Headers), .Lists(Lists),
      .Computed(Computed), .Entries(Computed != 0 ? SettingPeriod : Rows), .OffsetBits(OffsetBits),
      .Prefetch(Prefetch), .Ranges(Ranges), .Nodes(Nodes), .Splits(Splits), .Shared(Shared),
      .Members(Members),
      .Combine(Combine), .Operators(Operators),
      .Init(Init)
    ) u_endpoint (
      .clk_i,
      .rst_i(rst),
      .start_i(start),
      .clear_i(clear_q),
      .forward_i(forward),
      .same_flit_i(same_flit),
      .send_fetch_i(send_fetch),
      .send_row_i(send_row),
      .base_i(base),
      .excess_i(excess),
      .tx_en_i(tx_en),
      .tx_flit_i(tx_flit),
      .lane_o(tx_lanes_o[node*LaneBits +: LaneBits]),
      .recv_fetch_i(recv_fetch),
      .recv_row_i(recv_row),
      .recv_prefetch_i(rx_prefetch),
      .rx_base_i(rx_base),
      .rx_excess_i(rx_excess),
      .last_packet_i(last_packet),
      .packets_i(packets),
      .lane_en_i(lane_en),
      .lane_flit_i(lane_flit),
      .operation_i(operation),
      .stream_i(stream),
      .row_begins_i(wave_fetch),
      .last_flit_i(last_flit),
      .splits_i(splits),
      .rx_en_i(rx_en),
      .rx_last_i(rx_last),
      .rx_flit_i(rx_flit),
      .lane_i(rx_lanes_i[node*LaneBits +: LaneBits]),
      .write_o(writes[node*WriteBits +: WriteBits]),
      .writes_i(writes[First*WriteBits +: Members*WriteBits]),
      .lanes_i(rx_lanes_i[First*LaneBits +: Members*LaneBits]),
      .obs_o(obs_o[node*32 +: 32]),
      .flags_o(flags[node*3 +: 3]),
      .list_i(list_i[node*ListBits +: ListBits]),
      .count_o(count_o[node*PacketBits +: PacketBits]),
      .host_req_i(host_req),
      .host_all_i(host_all),
      .host_node_i(host_node),
      .host_we_send_i(host_we_send),
      .host_we_recv_i(host_we_recv),
      .host_we_packet_i(host_we_packet),
      .host_re_send_i(host_re_send),
      .host_re_recv_i(host_re_recv),
      .host_re_packet_i(host_re_packet),
      .host_re_flags_i(host_re_flags),
      .host_re_memory_i(host_re_memory),
      .host_row_i(host_row),
      .host_packet_i(host_packet),
      .host_flit_i(host_flit),
      .host_data_i(host_data)
    );
  end

  rc_node_words #(.Nodes(Nodes)) u_node_words (
    .clk_i, .take_i(host_take), .of_node_i(host_of_node), .words_i(obs_o), .word_o(node_rdata)
  );

  if (Hops != 0) begin : g_steps
    wire [Nodes-1:0] leaves;                         // a packet leaves the endpoint

    for (genvar node = 0; node < Nodes; node++) begin : g_node
      assign leaves[node] = tx_lanes_o[node*LaneBits+Width];
    end

    rc_step_count #(.Nodes(Nodes), .RowBits(RowBits)) u_steps (
      .clk_i, .clear_i(rst | start), .active_i(active), .row_i(wave_row), .leaves_i(leaves),
      .moves_i, .steps_o(steps)
    );
  end else begin : g_no_steps
    assign steps = '0;
    wire unused = &{1'b0, moves_i};
  end

endmodule

`default_nettype wire
