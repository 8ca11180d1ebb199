// SPDX-License-Identifier: Apache-2.0
// rc_multistage_core: a multistage network with its setting index, between the vectors of the shell
// (rc_shell.sv). rc_multistage_machine.sv and rc_multistage_fabric.sv are this module with a shell.
//
//     wave_i ---> wavefront of the network ---> wave_o     Latency cycles later, as the lanes
//     phase_i --> setting index ---> setting of the row
//
// Settings selects the source of the setting of a row: the row of the same number in the tables of
// the stages (0, full); the row of the tables that the setting index selects (1, indexed); the tag
// in the setting index, from which the stages compute it (2, tags); or the masks in the row of the
// tables that the setting index selects (3, masks). With a setting index, the row number travels
// with the wavefront for the receivers. The setting index is the table bank after those of the
// stages.
//
// With Reconfig, a word of the setting index covers several rows (reconfiguration): their number,
// less 1, is in its highest bits. There is then a setting index with Settings 0 as well, and rows
// of the tables are settings (rc_sequencer.sv).
`default_nettype none
`include "../common/rc_require.svh"

module rc_multistage_core #(
  // shape of the network, with the next four (rc_multistage_network.sv)
  parameter int Kind     = 0,
  parameter int Ports    = 2,             // N, 2 ... 2048; Kind 1, 3, 5, 6: a power of two
  parameter int Middle   = 1,
  parameter int Radix    = 2,
  parameter int Levels   = Kind == rc_kinds::Clos ? 2 : $clog2(Ports),
  // pipeline register after every Pipe-th stage; 0: none
  parameter int Pipe     = 1,
  parameter int Pad      = 0,  // additional registers after the network, >= 0
  parameter int LaneBits = 2,                         // word and valid bit
  parameter int Operators = 127,                      // that are built (rc_multistage_network.sv)
  // largest number of flits of a packet, a power of two >= 2
  parameter int Flits    = 2,
  parameter int Rows     = 2,                         // rows of a run, a power of two >= 2
  // 0 full, 1 indexed; Benes networks also 2 tags, 3 masks
  parameter int Settings = 0,
  // rows of the tables of the stages; indexed, masks, Reconfig: may be a smaller power of two >= 2
  parameter int Tables   = Rows,
  parameter int SettingPeriod = 0,                    // with a setting index: a power of two >= 2
  parameter int Reconfig = 0,                         // 1: a word covers several rows
  parameter bit [1023:0] Init = '0,                   // initial contents (rc_initial.sv)
  localparam int Stages  = rc_multistage_shape::stages(Kind, Levels),
  localparam int Banks   = rc_multistage_shape::banks(Kind, Levels, Settings, Reconfig),
  // bits of the number of a bank; more if the machine has further banks
  parameter int BankBits = Banks > 1 ? $clog2(Banks) : 1,
  localparam int Columns =
      rc_multistage_shape::table_columns(Settings, Kind, Ports, Middle, Radix, Levels),
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1,
  localparam int RowBits    = $clog2(Rows),
  localparam int WaveBits   = rc_shell_bus::wave_bits(Flits, Rows),
  localparam int PhaseBits  = rc_shell_bus::phase_bits(SettingPeriod),
  localparam int HostBits   = rc_shell_bus::host_bits(BankBits, ColumnBits, Rows)
) (
  input  wire                      clk_i,
  input  wire                      ce_i,             // clock enable of the registers of lanes
  input  wire [2:0]                operation_i,      // of combining switches (rc_combine.sv)
  input  wire [WaveBits-1:0]       wave_i,           // one cycle before lanes_i
  output wire [WaveBits-1:0]       wave_o,           // one cycle before lanes_o
  input  wire [PhaseBits-1:0]      phase_i,
  output wire [RowBits-1:0]        length_o,         // rows of the setting, less 1
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire [Ports*LaneBits-1:0] lanes_o,
  input  wire [HostBits-1:0]       host_i,
  output wire [63:0]               table_rdata_o     // words of setting index and stages; one is 0
);

  localparam bit HasSettingIndex = rc_multistage_shape::indexed(Settings, Reconfig) != 0;
  localparam bit Masks      = rc_multistage_shape::masks(Settings) != 0;
  localparam bit Tags       = rc_multistage_shape::tags(Settings) != 0;
  localparam int TagBits    = rc_shell_bus::tag_bits(Flits);
  localparam int SettingPhaseBits = PhaseBits - 1;
  // bits of the input of the stages: a row of the tables, or a tag
  localparam int SettingIndexBits = Tags ? $clog2(Ports) + 1 : Tables > 1 ? $clog2(Tables) : 1;
  // bits of a word of the setting index
  localparam int WordBits   = SettingIndexBits + (Reconfig != 0 ? RowBits : 0);

  `RC_REQUIRE(Settings, Settings >= rc_kinds::Full && Settings <= rc_kinds::Masked,
              "Settings must be 0 to 3")
  `RC_REQUIRE(Settings_Kind, Settings <= rc_kinds::Indexed || Kind == rc_kinds::Benes,
              "Settings must be 0 or 1 unless Kind is 0")
  `RC_REQUIRE(Rows, Rows >= 2 && (Rows & (Rows - 1)) == 0, "Rows must be a power of two, 2 or more")
  `RC_REQUIRE(Tables, Tables == Rows ||
              (HasSettingIndex && Tables >= 2 && Tables <= Rows && (Tables & (Tables - 1)) == 0),
              "Tables must be Rows or, with Settings or Reconfig, a smaller power of two >= 2")
  `RC_REQUIRE(Rows_Tables, WordBits <= 32, "Rows must be at most 2 ** 32 / Tables with Reconfig")
  `RC_REQUIRE(SettingPeriod, !HasSettingIndex || SettingPeriod != 0,
              "SettingPeriod must be 2 or more with Settings or Reconfig")

  wire                  wave_fetch, rx_fetch, fetch, host_we_table, host_re_memory, host_flags;
  wire [RowBits-1:0]    wave_row, rx_row, host_row;
  wire [TagBits-1:0]    tx_tag, rx_tag;
  wire [SettingPhaseBits-1:0]   setting_phase;
  wire [BankBits-1:0]   host_bank;
  wire [ColumnBits-1:0] host_column;
  wire [31:0]           host_data;

  assign {wave_fetch, wave_row, tx_tag} = wave_i;
  assign wave_o                         = {rx_fetch, rx_row, rx_tag};
  assign {fetch, setting_phase}         = phase_i;
  assign {host_we_table, host_re_memory, host_flags, host_bank, host_column, host_row, host_data} =
      host_i;

  wire unused = &{1'b0, host_flags, host_row};

  // The wavefront: the input of the stages, and the side channel to the receivers.

  localparam int SideBits = TagBits + (HasSettingIndex ? RowBits : 0);

  wire [SettingIndexBits-1:0] setting_index, setting_index_out;
  wire [SideBits-1:0]  side_in, side_out;

  if (HasSettingIndex) begin : g_setting_index
    wire [WordBits-1:0] word;

    rc_setting_index #(
      .SettingPeriod(SettingPeriod), .SettingIndexBits(WordBits),
      .Init(rc_initial::part(Init, "order-", 0))
    ) u_setting_index (
      .clk_i,
      .fetch_i(fetch),
      .setting_phase_i(setting_phase),
      .setting_index_o(word),
      .host_we_table_i(host_we_table),
      .host_re_memory_i(host_re_memory),
      .host_select_i(host_bank == BankBits'(Stages)),
      .host_row_i(host_row[SettingPhaseBits-1:0]),
      .host_data_i(host_data),
      .host_rdata_o(table_rdata_o[63:32])
    );

    assign setting_index    = word[SettingIndexBits-1:0];
    assign side_in          = {wave_row, tx_tag};
    assign {rx_row, rx_tag} = side_out;

    wire unused_setting_index = &{1'b0, setting_index_out};

    if (Reconfig != 0) begin : g_reconfig
      assign length_o = word[WordBits-1:SettingIndexBits];
    end else begin : g_one
      assign length_o = '0;
    end
  end else begin : g_rows
    assign setting_index      = wave_row;
    assign length_o           = '0;
    assign table_rdata_o[63:32] = '0;
    assign side_in            = tx_tag;
    assign rx_row             = setting_index_out;
    assign rx_tag             = side_out;

    wire unused_setting_phase = &{1'b0, fetch, setting_phase};
  end

  rc_multistage_network #(
    .Kind(Kind), .Ports(Ports), .Middle(Middle), .Radix(Radix), .Levels(Levels), .Pipe(Pipe),
    .Pad(Pad), .LaneBits(LaneBits), .Operators(Operators), .Tags(Tags), .Masks(Masks),
    .Rows(Tables), .SideBits(SideBits), .BankBits(BankBits), .Init(Init)
  ) u_network (
    .clk_i,
    .ce_i,
    .operation_i,
    .fetch_i(wave_fetch),
    .setting_index_i(setting_index),
    .side_i(side_in),
    .fetch_o(rx_fetch),
    .setting_index_o(setting_index_out),
    .side_o(side_out),
    .lanes_i,
    .lanes_o,
    .host_we_table_i(host_we_table),
    .host_re_memory_i(host_re_memory),
    .host_bank_i(host_bank),
    .host_row_i(SettingIndexBits'(host_row)),
    .host_column_i(host_column),
    .host_data_i(host_data),
    .host_rdata_o(table_rdata_o[31:0])
  );

endmodule

`default_nettype wire
