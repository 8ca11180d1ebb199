// SPDX-License-Identifier: Apache-2.0
// rc_multistage_fabric: a multistage network with host port and sequencer, for endpoints of the
// integrator. With rc_endpoint.sv for each port it is an rc_multistage_machine, cycle by cycle
// (docs/integrate/fabric_tb.sv).
//
// For a row r whose first flit is on the lanes in cycle c, with flits k = 0 ... F-1 and latency L,
// and for an access of the host in cycle a:
//
//     port             dir bits            valid in     meaning
//     clk_i ... obs_o                                   as in rc_multistage_machine.sv
//     rst_o            out 1               each cycle   reset, extended
//     start_o          out 1               each cycle   start_i, if it is accepted
//     clear_o          out 1               each cycle   one cycle after a start, and in a reset
//     forward_o        out 1               run_o        packets of a flit, or rows of a cycle
//     same_flit_o      out 1               c+L+k        rx_flit_o, if rx_en_o, is tx_flit_o
//     send_fetch_o     out 1               c-2          row r begins: decide what to send
//     send_row_o       out $clog2(Rows)    c-2          number of the row
//     tx_en_o          out 1               c-1+k        flit k is sent in the next cycle
//     tx_flit_o        out $clog2(Flits)   c-1+k        number of the flit
//     tx_lanes_i       in  Ports*(Width+1) c+k          {valid, word} of each port
//     recv_fetch_o     out 1               c+L-1        row r arrives: decide what to receive
//     recv_row_o       out $clog2(Rows)    c+L-1        number of the row
//     rx_en_o          out 1               c+L+k        flit k is on rx_lanes_o
//     rx_last_o        out 1               c+L+k        it is the last flit of the row
//     rx_flit_o        out $clog2(Flits)   c+L+k        number of the flit
//     rx_lanes_o       out Ports*(Width+1) c+L+k        {valid, word} of each port
//     flags_i          in  Ports*3         done_o rises {missing, unexpected, not held} of each
//     host_req_o       out 1               a            an access; its strobes are a cycle later
//     host_all_o       out 1               a            the access is to all nodes
//     host_node_o      out $clog2(Ports)   a            node of the access
//     host_we_send_o   out 1               a+1          write to region 2
//     host_we_recv_o   out 1               a+1          write to region 3
//     host_we_packet_o out 1               a+1          write to region 4
//     host_re_send_o   out 1               a+1          read of region 2
//     host_re_recv_o   out 1               a+1          read of region 3
//     host_re_packet_o out 1               a+1          read of region 4
//     host_re_flags_o  out 1               a+1          read of region 5
//     host_re_memory_o out 1               a+1          read of a region other than 0
//     host_row_o       out $clog2(Rows)    a+1          row of the word
//     host_packet_o    out $clog2(Packets) a+1          packet of the word
//     host_flit_o      out HostFlitBits    a+1          {flit, part} of the word; a word of up to
//                                                       31 bits has one part, of no bits
//     host_data_o      out 32              a+1          word to write
//     words_i          in  Ports*32        a+2          word of each node that is read, else 0
//
// The strobes are the same for all ports. The first row of a run that starts in cycle s has
// c = s + 3; each row is C cycles later (rc_sequencer.sv). A lane whose valid bit is 0 sends
// nothing; rx_lanes_o may be anything outside of rx_en_o. flags_i determine error_o and the
// register ErrorCause.
//
// Regions 2 to 5 of the address map are memories of the endpoints: host_we_send_o to host_flit_o
// select a word of them, with host_data_o to write (rc_host_port.sv states the cycles).
// send_fetch_o, recv_fetch_o and their rows serve these reads as well. words_i of each node, ORed,
// is the word that is read, one cycle after host_re_memory_o; it must be 0 unless the node is
// addressed. obs_o shows the same words. Without such memories words_i is 0.
`default_nettype none
`include "../common/rc_require.svh"

module rc_multistage_fabric #(
  // shape of the network, with the next four (rc_multistage_network.sv)
  parameter int Kind     = 0,
  parameter int Ports    = 2,             // N, 2 ... 2048; omega, multicast: a power of two
  parameter int Middle   = 1,
  parameter int Radix    = 2,
  parameter int Levels   = Kind == rc_kinds::Clos ? 2 : $clog2(Ports),
  // pipeline register after every Pipe-th stage; 0: none
  parameter int Pipe     = 1,
  parameter int Pad      = 0,  // additional registers after the network, >= 0
  parameter int Width    = 1,                         // bits of a word, >= 1
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
  // 1: reconfiguration: a word of the setting index covers several rows
  parameter int Reconfig = 0,
  // bits of the field of an address that the bus carries; 0: as many as the machine needs
  parameter int FieldBits = 0,
  // folder of the initial contents, "DIR/"; 0: the host loads the machine (docs/integrate.md)
  parameter bit [1023:0] Init = '0,
  localparam int HostFlitBits = $clog2(Flits) + rc_address_map::part_bits(Width)
) (
  input  wire                clk_i,
  input  wire                rst_i,
  // the host (rc_multistage_machine.sv)
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
  output wire [Ports*32-1:0] obs_o,
  // endpoints
  output wire                         rst_o,         // the extended reset
  output wire                         start_o,       // start_i, if it is accepted
  output wire                         clear_o,
  output wire                         forward_o,     // packets of one flit, or rows of one cycle
  output wire                         same_flit_o,   // rx_flit_o, if rx_en_o, is tx_flit_o
  output wire                         send_fetch_o,
  output wire [$clog2(Rows)-1:0]      send_row_o,
  output wire                         tx_en_o,
  output wire [$clog2(Flits)-1:0]     tx_flit_o,
  input  wire [Ports*(Width+1)-1:0]   tx_lanes_i,
  output wire                         recv_fetch_o,
  output wire [$clog2(Rows)-1:0]      recv_row_o,
  output wire                         rx_en_o,
  output wire                         rx_last_o,
  output wire [$clog2(Flits)-1:0]     rx_flit_o,
  output wire [Ports*(Width+1)-1:0]   rx_lanes_o,
  input  wire [Ports*3-1:0]           flags_i,
  // memories of the endpoints; the first three are valid in the cycle of the access, the others
  // one cycle later
  output wire                         host_req_o,
  output wire                         host_all_o,
  output wire [$clog2(Ports)-1:0]     host_node_o,
  output wire                         host_we_send_o,
  output wire                         host_we_recv_o,
  output wire                         host_we_packet_o,
  output wire                         host_re_send_o,
  output wire                         host_re_recv_o,
  output wire                         host_re_packet_o,
  output wire                         host_re_flags_o,
  output wire                         host_re_memory_o,
  output wire [$clog2(Rows)-1:0]      host_row_o,
  output wire [$clog2(Packets)-1:0]   host_packet_o,
  output wire [HostFlitBits-1:0]      host_flit_o,
  output wire [31:0]                  host_data_o,
  input  wire [Ports*32-1:0]          words_i
);

  localparam int Latency    = rc_multistage_shape::latency(Kind, Levels, Pipe, Pad);
  localparam int Banks      = rc_multistage_shape::banks(Kind, Levels, Settings, Reconfig);
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
  `RC_REQUIRE(Kind, rc_multistage_shape::combines(Kind) == 0,
              "Kind must be a network that does not combine packets")
  `RC_REQUIRE(Width, Width >= 1, "Width must be 1 or more")
  `RC_REQUIRE(Packets, Packets >= 2 && (Packets & (Packets - 1)) == 0,
              "Packets must be a power of two, 2 or more")

  localparam int ControlBits = rc_shell_bus::control_bits(Ports, Packets, Flits, Width);
  localparam int OutsideBits = rc_shell_bus::outside_bits(Width);

  wire                         ce;
  wire [WaveBits-1:0]          tx_wave, rx_wave;
  wire [PhaseBits-1:0]         phase;
  wire [RowBits-1:0]           length;
  wire [StepBits-1:0]          step;
  wire [HostBits-1:0]          host;
  wire [ControlBits-1:0]       control;
  wire [2:0]                   operation;            // 0
  wire [Ports*LaneBits-1:0]    tx_lanes;
  wire [Ports*PacketBits-1:0]  count;
  wire [Ports*ListBits-1:0]    no_list;
  wire [Ports*OutsideBits-1:0] outside;
  wire [63:0]                  table_rdata;

  for (genvar node = 0; node < Ports; node++) begin : g_outside
    assign no_list[node*ListBits +: ListBits] = '0;
    assign outside[node*OutsideBits +: OutsideBits] =
        {flags_i[node*3 +: 3], words_i[node*32 +: 32], tx_lanes_i[node*LaneBits +: LaneBits]};
  end

  rc_shell #(
    .Nodes(Ports), .Tables(2), .Network(Kind), .Settings(Settings), .TableRows(Tags ? 0 : Tables),
    .Banks(Banks), .BankBits(BankBits), .Columns(Columns), .Latency(Latency), .Outside(1),
    .SettingPeriod(SettingPeriod), .Reconfig(Reconfig), .Width(Width), .Packets(Packets),
    .Flits(Flits), .Rows(Rows), .FieldBits(FieldBits), .Init(Init)
  ) u_shell (
    .clk_i, .rst_i, .host_we_i, .host_re_i, .host_addr_i, .host_wdata_i, .host_rdata_o,
    .host_error_o, .start_i, .busy_o, .run_o, .done_o, .error_o, .irq_o, .obs_strobe_o,
    .obs_o, .rst_o, .start_o, .ce_o(ce), .wave_o(tx_wave), .tx_lanes_o(tx_lanes),
    .wave_i(rx_wave), .rx_lanes_i(rx_lanes_o),
    .phase_o(phase), .length_i(length), .step_o(step), .moves_i(1'b0),
    .router_flags_i(6'b0), .finish_i(1'b0), .list_i(no_list), .count_o(count),
    .operation_o(operation),
    .control_o(control), .outside_i(outside), .host_o(host), .table_rdata_i(table_rdata)
  );

  // Fields of the vectors that the endpoints use.

  localparam int TagBits = rc_shell_bus::tag_bits(Flits);
  wire [RowBits-1:0]      rx_row, host_row;
  wire                    rx_fetch, single_port, host_we_table, host_re_memory, host_flags;
  wire [BankBits-1:0]     host_bank;
  wire [ColumnBits-1:0]   host_column;
  wire [TagBits-1:0]      rx_tag;

  assign {rx_fetch, rx_row, rx_tag} = rx_wave;
  assign {host_we_table, host_re_memory, host_flags, host_bank, host_column, host_row,
          host_data_o} = host;
  assign {single_port, forward_o, send_fetch_o, send_row_o, tx_en_o, tx_flit_o, rx_en_o, rx_last_o,
          rx_flit_o} = step;
  assign {clear_o, host_req_o, host_all_o, host_node_o, host_we_send_o, host_we_recv_o,
          host_we_packet_o, host_re_send_o, host_re_recv_o, host_re_packet_o, host_re_flags_o,
          host_packet_o, host_flit_o} = control;

  assign same_flit_o      = rx_en_o & (rx_flit_o == tx_flit_o);
  assign recv_fetch_o     = rx_fetch | host_re_memory;
  assign recv_row_o       = host_re_memory ? host_row : rx_row;
  assign host_re_memory_o = host_re_memory;
  assign host_row_o       = host_row;

  // Not used: signals for routers and lists.
  wire unused = &{1'b0, single_port, count, rx_tag, host_we_table, host_flags, host_bank,
                  host_column};

  rc_multistage_core #(
    .Kind(Kind), .Ports(Ports), .Middle(Middle), .Radix(Radix), .Levels(Levels), .Pipe(Pipe),
    .Pad(Pad), .LaneBits(LaneBits), .Flits(Flits), .Rows(Rows), .Settings(Settings),
    .Tables(Tables), .SettingPeriod(SettingPeriod), .Reconfig(Reconfig), .BankBits(BankBits),
    .Init(Init)
  ) u_core (
    .clk_i, .ce_i(ce), .operation_i(operation), .wave_i(tx_wave), .wave_o(rx_wave),
    .phase_i(phase), .length_o(length), .lanes_i(tx_lanes), .lanes_o(rx_lanes_o), .host_i(host),
    .table_rdata_o(table_rdata)
  );

endmodule

`default_nettype wire
