// SPDX-License-Identifier: Apache-2.0
// rc_multistage_network: a multistage network and the wavefront that controls it.
//
// The stages are columns of switches: 2x2 switches in Benes, Waksman and omega networks, copying
// 2x2 switches in multicast networks, combining ones in their mirror images, first combining and
// then copying ones in all-reduce networks, and crossbars in Clos networks. No wires cross between
// stages: lane j after a stage is lane j before the next (sched/shape/multistage.h draws the
// networks with the same numbering). A pipeline register follows every Pipe-th stage, and Pad
// registers follow the last:
//
//     Latency = (Pipe ? floor(Stages/Pipe) : 0) + Pad     cycles from lanes_i to lanes_o
//
// The wavefront {fetch, setting_index, side} enters one cycle before its flits, because reading a
// table takes one cycle, and is registered wherever the lanes are. setting_index_i is the input of
// the stages: a row of their tables, or a tag. Each stage thus has the setting of the row whose
// flits pass it, and the receivers get setting index and side when the flits leave.
`default_nettype none
`include "../common/rc_require.svh"

module rc_multistage_network #(
  // 0 Benes, 1 omega, 2 Clos, 3 multicast, 4 Waksman, 5 combine, 6 all-reduce
  parameter int Kind     = 0,
  // >= 2; omega, multicast, combine, all-reduce: a power of two; Clos: a multiple of Radix
  parameter int Ports    = 2,
  parameter int Middle   = 1,  // Clos: middle crossbars, m >= 1; Radix if Levels > 2
  parameter int Radix    = 2,  // Clos: ports of an outer crossbar, n >= 2; Ports = n^K if K > 2
  parameter int Levels   = Kind == rc_kinds::Clos ? 2 : $clog2(Ports),  // K; Clos: >= 2
  // register after every Pipe-th stage, 0 ... Stages; 0: none
  parameter int Pipe     = 1,
  parameter int Pad      = 0,                       // additional registers at the end, >= 0
  parameter int LaneBits = 1,  // combine, all-reduce: word and valid bit, >= 2
  // combine, all-reduce: operators that are built (../shell/rc_combine.sv)
  parameter int Operators = 127,
  // Benes only: 1: no tables; setting_index_i is a tag (rc_tag_settings.sv)
  parameter bit Tags     = 0,
  // Benes only: 1: tables of masks (rc_mask_settings.sv); Ports is a power of two
  parameter bit Masks    = 0,
  parameter int Rows     = 2,                       // rows of the tables, a power of two >= 2
  // bits of the side channel, which the network ignores
  parameter int SideBits = 1,
  parameter bit [1023:0] Init = '0,  // initial contents of the tables (rc_initial.sv)
  localparam int Stages     = rc_multistage_shape::stages(Kind, Levels),
  parameter int BankBits = Stages > 1 ? $clog2(Stages) : 1,
  localparam int SettingIndexBits = Tags ? $clog2(Ports) + 1 : $clog2(Rows),
  localparam int Columns    = Masks ? 1
      : rc_multistage_shape::most_columns(Kind, Ports, Middle, Radix, Levels),
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1
) (
  input  wire                      clk_i,
  input  wire                      ce_i,              // clock enable of the registers of lanes
  input  wire [2:0]                operation_i,  // rc_combine.sv; constant during a run
  // one cycle before the lanes
  input  wire                      fetch_i,
  input  wire [SettingIndexBits-1:0]      setting_index_i,
  input  wire [SideBits-1:0]       side_i,
  output wire                      fetch_o,
  output wire [SettingIndexBits-1:0]      setting_index_o,
  output wire [SideBits-1:0]       side_o,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire [Ports*LaneBits-1:0] lanes_o,
  // host port; used while the machine is idle
  input  wire                      host_we_table_i,   // a table is written
  input  wire                      host_re_memory_i,  // row host_row_i of every table is read
  input  wire [BankBits-1:0]       host_bank_i,
  input  wire [SettingIndexBits-1:0]      host_row_i,
  input  wire [ColumnBits-1:0]     host_column_i,
  input  wire [31:0]               host_data_i,
  // one cycle after host_re_memory_i; 0 if no stage is addressed
  output wire [31:0]               host_rdata_o
);

  localparam bit Crossbars = Kind == rc_kinds::Clos;
  localparam int Inside    =
      rc_multistage_shape::stage_lanes(Kind, Ports, Middle, Radix, Levels, 1);
  localparam int Lanes    = Inside > Ports ? Inside : Ports;
  localparam int WaveBits = 1 + SettingIndexBits + SideBits;
  // wire s follows stage or pad s-1
  localparam int Wires    = (Stages < 0 ? 0 : Stages) + Pad + 1;

  `RC_REQUIRE(Kind, rc_multistage_shape::is_kind(Kind) != 0,
              "Kind must be one of rc_kinds")
  `RC_REQUIRE(Ports, Ports >= 2, "Ports must be 2 or more")
  `RC_REQUIRE(Ports_Kind, (Kind != rc_kinds::Omega &&
              rc_multistage_shape::per_lane(Kind) == 0) ||
              (Ports & (Ports - 1)) == 0,
              "Ports must be a power of two for this Kind")
  `RC_REQUIRE(Middle, !Crossbars || Middle >= 1, "Middle must be 1 or more")
  `RC_REQUIRE(Radix, !Crossbars || Radix >= 2, "Radix must be 2 or more")
  `RC_REQUIRE(Ports_Radix, !Crossbars || Ports % (Radix < 1 ? 1 : Radix) == 0,
              "Ports must be a multiple of Radix")
  `RC_REQUIRE(Levels, !Crossbars || Levels >= 2, "Levels must be 2 or more")
  `RC_REQUIRE(Levels_Ports, Crossbars || Levels == $clog2(Ports),
              "Levels must be log2(Ports), rounded up")
  `RC_REQUIRE(Middle_Radix, !Crossbars || Levels <= 2 || Middle == Radix,
              "Middle must be Radix with more than 2 Levels")
  `RC_REQUIRE(Ports_Levels, !Crossbars || Levels <= 2 || Ports == Radix ** Levels,
              "Ports must be Radix ** Levels with more than 2 Levels")
  `RC_REQUIRE(Pipe, Pipe >= 0 && (Stages <= 0 || Pipe <= Stages), "Pipe must be 0 to Stages")
  `RC_REQUIRE(Pad, Pad >= 0, "Pad must be 0 or more")
  `RC_REQUIRE(Kind_Tags, !Tags || Kind == rc_kinds::Benes, "Kind must be 0 with Tags")
  `RC_REQUIRE(Kind_Masks, !Masks || Kind == rc_kinds::Benes, "Kind must be 0 with Masks")
  `RC_REQUIRE(Ports_Masks, !Masks || (Ports & (Ports - 1)) == 0,
              "Ports must be a power of two with Masks")

  wire [Lanes*LaneBits-1:0] lanes [Wires];
  wire [WaveBits-1:0]       wave  [Wires];
  wire [31:0]               rdata [1 << BankBits];

  // Lane by lane, so that a simulator keeps each lane in a scalar; it would assemble a vector of
  // all lanes in every cycle.
  for (genvar j = 0; j < Ports; j++) begin : g_lane
    assign lanes[0][j*LaneBits +: LaneBits] = lanes_i[j*LaneBits +: LaneBits];
    assign lanes_o[j*LaneBits +: LaneBits]  = lanes[Wires-1][j*LaneBits +: LaneBits];
  end

  assign wave[0]                 = {fetch_i, setting_index_i, side_i};
  assign {fetch_o, setting_index_o, side_o} = wave[Wires-1];

  // Shifts of the blocks of each level with tags, computed one level per stage as the wavefront
  // passes.

  localparam int Step = Pipe == 0 ? Stages : Pipe;   // there are s / Step registers before stage s

  for (genvar l = 0; l < (Tags ? Levels : 0); l++) begin : g_level
    localparam int ShiftBits = rc_multistage_shape::shift_bits(Ports, l);
    localparam int Out       = Stages - 1 - l;         // stage that joins the blocks
    wire [ShiftBits-1:0] shifts, halves, joins;

    if (l == 0) begin : g_from
      localparam bit Power = Ports == 1 << (SettingIndexBits - 1);
      wire is_shift = !(Power && setting_index_i[SettingIndexBits-1]);  // no complement
      wire [SettingIndexBits-1:0] from = {1'b0,
          setting_index_i[SettingIndexBits-2:0] & {(SettingIndexBits-1){is_shift}}};
    end else begin : g_from
      wire [rc_multistage_shape::shift_bits(Ports, l-1)-1:0] from = g_level[l-1].halves;
    end

    rc_tag_shifts #(
      .Ports(Ports), .Level(l), .Registered(l < Out && (l + 1) % Step == 0),
      .Registers(Out / Step - l / Step)
    ) u_shifts (
      .clk_i, .from_i(g_from.from), .shifts_o(shifts), .halves_o(halves), .joins_o(joins)
    );

    wire unused = &{1'b0, halves};                   // the last level has no level below
  end

  for (genvar s = 0; s < (Crossbars ? 0 : Stages); s++) begin : g_stage
    localparam int Twin  = rc_multistage_shape::twin_stage(Kind, Levels, s);
    localparam int Level = rc_multistage_shape::stage_level(Levels, Twin);
    localparam bit Joins = rc_multistage_shape::stage_joins(Levels, Twin) != 0;
    localparam int StageBits = SettingIndexBits + (Tags ? rc_multistage_shape::shift_bits(Ports,
        Level) : 0);

    wire [StageBits-1:0] setting_index, row;                 // row: as addressed by the host

    if (Tags) begin : g_setting_index
      assign setting_index = {wave[s][SideBits +: SettingIndexBits],
                      Joins ? g_level[Level].joins : g_level[Level].shifts};
      assign row   = '0;                             // there is no table

      wire unused = &{1'b0, host_row_i};
    end else begin : g_setting_index
      assign setting_index = host_re_memory_i ? host_row_i : wave[s][SideBits +: SettingIndexBits];
      assign row   = host_row_i;
    end

    rc_stage #(
      .Ports(Ports), .Level(Level), .Joins(Joins),
      .Fewer(rc_multistage_shape::fewer(Kind) != 0),
      .Copies(rc_multistage_shape::stage_copies(Kind, Levels, s) != 0),
      .Combines(rc_multistage_shape::stage_combines(Kind, Levels, s) != 0),
      .Operates(rc_multistage_shape::stage_operates(Kind, Levels, s) != 0), .Operators(Operators),
      .Registered(Pipe != 0 && (s + 1) % (Pipe == 0 ? 1 : Pipe) == 0), .LaneBits(LaneBits),
      .Tags(Tags), .Masks(Masks), .Rows(Rows),
      .Init(rc_initial::part(Init, "table-", s))
    ) u_stage (
      .clk_i,
      .ce_i,
      .operation_i,
      .fetch_i(wave[s][WaveBits-1] | host_re_memory_i),
      .setting_index_i(setting_index),
      .lanes_i(lanes[s]),
      .lanes_o(lanes[s+1]),
      .host_we_table_i,
      .host_select_i(host_bank_i == BankBits'(s)),
      .host_row_i(row),
      .host_column_i,
      .host_data_i,
      .host_rdata_o(rdata[s])
    );
  end

  for (genvar s = 0; s < (Crossbars ? Stages : 0); s++) begin : g_crossbar_stage
    localparam int Inputs  = rc_multistage_shape::stage_inputs(Ports, Middle, Radix, Levels, s);
    localparam int Outputs = rc_multistage_shape::stage_outputs(Ports, Middle, Radix, Levels, s);
    localparam int Before  =
        rc_multistage_shape::stage_lanes(Kind, Ports, Middle, Radix, Levels, s);
    localparam int After  =
        rc_multistage_shape::stage_lanes(Kind, Ports, Middle, Radix, Levels, s + 1);

    rc_crossbar_stage #(
      .Inputs(Inputs), .Outputs(Outputs), .Crossbars(Before / (Inputs < 1 ? 1 : Inputs)),
      .Stride(rc_multistage_shape::stage_stride(Ports, Radix, Levels, s)),
      .Registered(Pipe != 0 && (s + 1) % (Pipe == 0 ? 1 : Pipe) == 0), .LaneBits(LaneBits),
      .Rows(Rows), .HostColumns(Columns), .Init(rc_initial::part(Init, "table-", s))
    ) u_stage (
      .clk_i,
      .ce_i,
      .fetch_i(wave[s][WaveBits-1] | host_re_memory_i),
      .setting_index_i(host_re_memory_i ? host_row_i : wave[s][SideBits +: SettingIndexBits]),
      .lanes_i(lanes[s][Before*LaneBits-1:0]),
      .lanes_o(lanes[s+1][After*LaneBits-1:0]),
      .host_we_table_i,
      .host_select_i(host_bank_i == BankBits'(s)),
      .host_row_i,
      .host_column_i,
      .host_data_i,
      .host_rdata_o(rdata[s])
    );
  end

  if (Crossbars) begin : g_no_operation
    wire unused = &{1'b0, operation_i};
  end

  for (genvar s = 0; s < Stages; s++) begin : g_wave
    if (Pipe != 0 && (s + 1) % (Pipe == 0 ? 1 : Pipe) == 0) begin : g_register
      rc_delay #(.Width(WaveBits)) u_wave (.clk_i, .ce_i(1'b1), .d_i(wave[s]), .q_o(wave[s+1]));
    end else begin : g_wire
      assign wave[s+1] = wave[s];
    end
  end

  for (genvar p = Stages; p < Stages + Pad; p++) begin : g_pad
    rc_delay #(.Width(WaveBits)) u_wave (.clk_i, .ce_i(1'b1), .d_i(wave[p]), .q_o(wave[p+1]));
    for (genvar j = 0; j < Ports; j++) begin : g_lane
      rc_delay #(.Width(LaneBits)) u_lane (
        .clk_i, .ce_i,
        .d_i(lanes[p][j*LaneBits +: LaneBits]), .q_o(lanes[p+1][j*LaneBits +: LaneBits])
      );
    end
  end

  // All wires have the number of lanes of the widest; lanes without a driver are 0, and no stage
  // uses them.
  for (genvar w = 0; w < Wires; w++) begin : g_unused
    localparam int Used = rc_multistage_shape::stage_lanes(Kind, Ports, Middle, Radix, Levels, w);
    if (Used < Lanes) begin : g_lanes
      assign lanes[w][Lanes*LaneBits-1:Used*LaneBits] = '0;
      wire unused = &{1'b0, lanes[w][Lanes*LaneBits-1:Used*LaneBits]};
    end
  end

  for (genvar s = Stages; s < 1 << BankBits; s++) begin : g_no_stage
    assign rdata[s] = '0;
  end

  // Registered, because host_bank_i may already carry the next access when the word is valid.
  logic [BankBits-1:0] stage_q;
  always_ff @(posedge clk_i) begin
    if (host_re_memory_i) stage_q <= host_bank_i;
  end
  assign host_rdata_o = rdata[stage_q];

endmodule

`default_nettype wire
