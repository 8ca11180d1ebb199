// SPDX-License-Identifier: Apache-2.0
// rc_multistage_machine: a multistage network of N ports (rc_multistage_core.sv) with its shell;
// rc_shell.sv describes the shell and how a machine is run.
//
// In a run without barriers (rc_sequencer.sv) the last Latency / row_cycles rows send nothing, so
// the lanes are empty at its end. The wavefront of these rows is then still in the network: the
// next start_i must be at least Latency cycles after done_o.
//
//     port          dir  bits      valid in            meaning
//     clk_i         in   1                             clock, rising edge
//     rst_i         in   1         each cycle          reset, for one cycle or more
//     host_we_i     in   1         each cycle          writes a word
//     host_re_i     in   1         each cycle          reads a word
//     host_addr_i   in   32        that of we or re    address of the word
//     host_wdata_i  in   32        that of host_we_i   word to write
//     host_rdata_o  out  32        3 after host_re_i   word read
//     host_error_o  out  1         3 after we or re    the access was rejected
//     start_i       in   1         each cycle          starts a run, if busy_o is low
//     busy_o        out  1         each cycle          a run, or a reset, is in progress
//     run_o         out  1         each cycle          high in each cycle of a run
//     done_o        out  1         each cycle          from the end of a run to the next start
//     error_o       out  1         done_o              a flag was set in the run
//     irq_o         out  1         each cycle          an enabled interrupt is set
//     obs_strobe_o  out  1         each cycle          obs_o is valid
//     obs_o         out  Ports*32  obs_strobe_o        packets received, or words of all nodes
`default_nettype none
`include "../common/rc_require.svh"

module rc_multistage_machine #(
  // shape of the network, with the next four (rc_multistage_network.sv)
  parameter int Kind     = 0,
  parameter int Ports    = 2,             // N, 2 ... 2048; Kind 1, 3, 5, 6: a power of two
  parameter int Middle   = 1,
  parameter int Radix    = 2,
  parameter int Levels   = Kind == rc_kinds::Clos ? 2 : $clog2(Ports),
  // pipeline register after every Pipe-th stage; 0: none
  parameter int Pipe     = 1,
  parameter int Pad      = 0,  // additional registers after the network, >= 0
  parameter int Width    = 1,                         // bits of a word, 1 ... 512
  // packets of the memory of an endpoint, a power of two >= 2
  parameter int Packets  = 2,
  // largest number of flits of a packet, a power of two >= 2
  parameter int Flits    = 2,
  parameter int Rows     = 2,                         // rows of a run, a power of two >= 2
  // 0 full, 1 indexed; Benes networks also 2 tags, 3 masks
  parameter int Settings = 0,
  // rows of the tables of the stages; indexed, masks, Reconfig: may be a smaller power of two >= 2
  parameter int Tables   = Rows,
  // longest setting period: a power of two in 2 ... Rows with a setting index or computed programs,
  // else 0
  parameter int SettingPeriod = 0,
  // 1: computed programs (../shell/rc_computed_program.sv)
  parameter int Computed = 0,
  // 1: reconfiguration: a word of the setting index covers several rows
  parameter int Reconfig = 0,
  // 1: endpoints combine packets; adds a cycle of latency (../shell/rc_operand_memory.sv); 2: they
  // also keep what they receive apart (../shell/rc_received_memory.sv)
  parameter int Combine  = 0,
  // with Combine: bit i: operator i is built, 1 ... 127 (../shell/rc_combine.sv)
  parameter int Operators = 127,
  // adjacent endpoints that share a packet memory; 1: none
  parameter int Shared = 1,
  // 1: ranges in place of programs (rc_range_program.sv); excludes Computed and Init, and requires
  // Width >= 2 * $clog2(Ports)
  parameter int Ranges   = 0,
  // with Ranges: words of the table of splits, a power of two in 2 ... Rows
  parameter int Splits   = 2,
  // bits of the field of an address that the bus carries; 0: as many as the machine needs
  parameter int FieldBits = 0,
  // folder of the initial contents, "DIR/"; 0: the host loads the machine (docs/integrate.md)
  parameter bit [1023:0] Init = '0
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire                host_we_i,
  input  wire                host_re_i,
  input  wire [31:0]         host_addr_i,
  input  wire [31:0]         host_wdata_i,
  output wire [31:0]         host_rdata_o,
  output wire                host_error_o,
  input  wire                start_i,
  output wire                busy_o,
  output wire                run_o,
  output wire                done_o,
  output wire                error_o,
  output wire                irq_o,
  output wire                obs_strobe_o,
  output wire [Ports*32-1:0] obs_o
);

  localparam int Latency    = rc_multistage_shape::latency(Kind, Levels, Pipe, Pad);
  localparam int TableBanks = rc_multistage_shape::banks(Kind, Levels, Settings, Reconfig);
  localparam int Banks      = TableBanks + (Ranges != 0 ? 1 : 0);
  localparam int BankBits   = Banks > 1 ? $clog2(Banks) : 1;
  localparam bit Tags       = rc_multistage_shape::tags(Settings) != 0;
  localparam int Columns    =
      rc_multistage_shape::table_columns(Settings, Kind, Ports, Middle, Radix, Levels);
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1;
  localparam int PacketBits = $clog2(Packets);
  localparam int RowBits    = $clog2(Rows);
  localparam int LaneBits   = Width + 1;
  localparam int WaveBits   = rc_shell_bus::wave_bits(Flits, Rows);
  localparam int PhaseBits  = rc_shell_bus::phase_bits(SettingPeriod);
  localparam int StepBits   = rc_shell_bus::step_bits(Flits, Rows);
  localparam int HostBits   = rc_shell_bus::host_bits(BankBits, ColumnBits, Rows);
  localparam int ListBits   = rc_shell_bus::list_bits(Packets, Rows);

  `RC_REQUIRE(Ports, Ports >= 2 && Ports <= 2048, "Ports must be 2 to 2048")
  `RC_REQUIRE(Combine, Combine >= 0 && Combine <= 2, "Combine must be 0 to 2")
  `RC_REQUIRE(SettingPeriod, Computed == 0 || SettingPeriod != 0,
              "SettingPeriod must be 2 or more with Computed")

  wire                        rst, start;
  wire                        ce;
  wire [WaveBits-1:0]         tx_wave, rx_wave;
  wire [PhaseBits-1:0]         phase;
  wire [RowBits-1:0]          length;
  wire [StepBits-1:0]         step;
  wire [HostBits-1:0]         host;
  wire [2:0]                  operation;
  wire [Ports*LaneBits-1:0]   tx_lanes, rx_lanes;
  wire [Ports*PacketBits-1:0] count;
  // for endpoints outside the shell: 0
  wire [rc_shell_bus::control_bits(Ports, Packets, Flits, Width)-1:0] control;
  wire [Ports*ListBits-1:0]   no_list;
  wire [63:0]                 table_rdata;

  // Zeros for all nodes in one replication would cause a Verilator warning from 8192 bits on.
  for (genvar node = 0; node < Ports; node++) begin : g_no_list
    assign no_list[node*ListBits +: ListBits] = '0;
  end

  rc_shell #(
    .Nodes(Ports), .Tables(2), .Network(Kind), .Settings(Settings), .TableRows(Tags ? 0 : Tables),
    .Banks(Banks), .BankBits(BankBits), .Columns(Columns), .Latency(Latency),
    .SettingPeriod(SettingPeriod), .Computed(Computed), .Reconfig(Reconfig), .Ranges(Ranges),
    .Splits(Splits), .SplitsBank(TableBanks), .Shared(Shared), .Combine(Combine == 2 ? 3 : Combine),
    .Operators(Operators), .Width(Width), .Packets(Packets),
    .Flits(Flits), .Rows(Rows), .FieldBits(FieldBits), .Init(Init)
  ) u_shell (
    .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o,
    .host_error_o, .start_i, .busy_o, .run_o, .done_o, .error_o, .irq_o, .obs_strobe_o,
    .obs_o,
    .rst_o(rst), .start_o(start), .ce_o(ce), .wave_o(tx_wave), .tx_lanes_o(tx_lanes),
    .wave_i(rx_wave), .rx_lanes_i(rx_lanes),
    .phase_o(phase), .length_i(length), .step_o(step), .moves_i(1'b0),
    .router_flags_i(6'b0), .finish_i(1'b0),
    .list_i(no_list), .count_o(count), .operation_o(operation),
    .control_o(control), .outside_i(1'b0), .host_o(host), .table_rdata_i(table_rdata)
  );

  // Not used: signals for routers and lists.
  wire unused = &{1'b0, rst, start, step, count, control};

  rc_multistage_core #(
    .Kind(Kind), .Ports(Ports), .Middle(Middle), .Radix(Radix), .Levels(Levels), .Pipe(Pipe),
    .Pad(Pad), .LaneBits(LaneBits), .Flits(Flits), .Rows(Rows), .Settings(Settings),
    .Tables(Tables), .SettingPeriod(SettingPeriod), .Reconfig(Reconfig), .BankBits(BankBits),
    .Operators(Operators), .Init(Init)
  ) u_core (
    .clk_i, .ce_i(ce), .operation_i(operation), .wave_i(tx_wave), .wave_o(rx_wave),
    .phase_i(phase), .length_o(length), .lanes_i(tx_lanes), .lanes_o(rx_lanes), .host_i(host),
    .table_rdata_o(table_rdata)
  );

endmodule

`default_nettype wire
