// SPDX-License-Identifier: Apache-2.0
// rc_stage: a stage of 2x2 switches and its table of settings.
//
// A block of the level of the stage is a range of lanes that begins with lane First; its upper half
// begins with lane High. Switch First/2 + i joins lanes First + i and High + i. For Ports = 8,
// where the halves are equal:
//
//     Level 0: (0,4) (1,5) (2,6) (3,7)   Level 1: (0,2) (1,3) (4,6) (5,7)
//     Level 2: (0,1) (2,3) (4,5) (6,7)
//
// These lanes pass the stage without a switch: the last lane of the longer half, if the halves
// differ; the lanes of a block of two in a stage that joins blocks (sched/shape/multistage.h draws
// Ports = 5); and the lanes of a switch that a Waksman network omits.
//
// A row of the table has Ports/2 fields, that of switch sw in bit sw: 0 straight, 1 crossed. If the
// switches copy, it has one field per lane after the stage, that of lane j in bit j: 0 selects lane
// j before the stage, 1 the other lane of its switch. If they combine, it has one field per lane
// before the stage: 0 sends the word of lane j to lane j after the stage, 1 to the other lane of
// its switch (rc_combine_switch.sv). setting_index_i is read when fetch_i is high
// and sets the switches from the next cycle on, until the next fetch. With Tags there is no table:
// setting_index_i is {tag, shifts}, from which the settings are computed (rc_tag_settings.sv). With
// Masks a row is a mask (rc_mask_settings.sv).
`default_nettype none
`include "../common/rc_assert.svh"
`include "../common/rc_require.svh"

module rc_stage #(
  parameter int Ports      = 2,  // lanes, >= 2
  parameter int Level      = 0,  // 0 ... ceil(log2(Ports)) - 1
  parameter bit Joins      = 0,  // the stage joins blocks (it is after the middle)
  // 1: omits the last switch of an even block after the middle (Waksman)
  parameter bit Fewer      = 0,
  parameter bit Copies     = 0,  // 1: the switches copy; Ports is a power of two
  // 1: the switches combine; Ports is a power of two, LaneBits >= 2, Copies is 0
  parameter bit Combines   = 0,
  // with Combines, 0: no two words meet in the stage (rc_combine_switch.sv)
  parameter bit Operates   = 1,
  parameter int Operators  = 127,  // with Combines: that are built (../shell/rc_combine.sv)
  parameter bit Registered = 1,  // pipeline register after the switches
  parameter int LaneBits   = 1,
  parameter bit Tags       = 0,  // 1: no table; Copies is 0
  parameter bit Masks      = 0,  // 1: a table of masks; Ports is a power of two, Copies is 0
  parameter int Rows       = 2,  // rows of the table, a power of two >= 2
  parameter bit [1023:0] Init = '0,  // initial contents (rc_initial.sv)
  localparam bit PerLane    = Copies || Combines,    // a setting field per lane, not per switch
  localparam int ShiftBits  = rc_multistage_shape::shift_bits(Ports, Level),
  localparam int SettingIndexBits = Tags ? $clog2(Ports) + 1 + ShiftBits : $clog2(Rows),
  localparam int Fields     = rc_multistage_shape::switch_fields(Ports, PerLane ? 1 : 0),
  localparam int Columns    = Masks ? 1 : rc_multistage_shape::words(Fields, 1),
  localparam int ColumnBits = Columns > 1 ? $clog2(Columns) : 1
) (
  input  wire                      clk_i,
  input  wire                      ce_i,
  input  wire  [2:0]               operation_i,      // with Combines (../shell/rc_combine.sv)
  input  wire                      fetch_i,
  input  wire [SettingIndexBits-1:0]      setting_index_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire [Ports*LaneBits-1:0] lanes_o,
  // host port; used while the machine is idle
  input  wire                      host_we_table_i,  // the table of a stage is written
  input  wire                      host_select_i,    // this stage is selected
  input  wire [SettingIndexBits-1:0]      host_row_i,
  input  wire [ColumnBits-1:0]     host_column_i,
  input  wire [31:0]               host_data_i,
  output wire [31:0]               host_rdata_o      // the addressed column of the fetched row
);

  `RC_REQUIRE(Ports, Ports >= 2, "Ports must be 2 or more")
  `RC_REQUIRE(Level, Level >= 0 && (Level <= 0 || Level < $clog2(Ports)),
              "Level must be 0 or more and below log2(Ports)")
  `RC_REQUIRE(Ports_power, !(PerLane || Masks) || (Ports & (Ports - 1)) == 0,
              "Ports must be a power of two with Copies, Combines or Masks")
  `RC_REQUIRE(Copies, !(Tags || Masks) || !Copies, "Copies must be 0 with Tags or Masks")
  `RC_REQUIRE(Fewer, !(Tags || Masks || PerLane) || !Fewer,
              "Fewer must be 0 with Tags, Masks, Copies or Combines")
  `RC_REQUIRE(Combines, !Combines || !(Tags || Masks || Copies),
              "Combines must be 0 with Tags, Masks or Copies")
  `RC_REQUIRE(LaneBits, !Combines || LaneBits >= 2, "LaneBits must be 2 or more with Combines")

  wire [Fields-1:0] setting;

  if (Tags) begin : g_tag
    rc_tag_settings #(.Ports(Ports), .Level(Level), .Joins(Joins)) u_settings (
      .clk_i, .fetch_i, .tag_i(setting_index_i[SettingIndexBits-1:ShiftBits]),
      .shifts_i(setting_index_i[ShiftBits-1:0]),
      .setting_o(setting)
    );

    assign host_rdata_o = '0;
    wire unused = &{1'b0, host_we_table_i, host_select_i, host_row_i, host_column_i, host_data_i};
  end else if (Masks) begin : g_mask
    localparam int MaskBits = $clog2(Ports);
    wire [MaskBits-1:0] mask;

    rc_setting_table #(
      .Fields(1), .FieldBits(MaskBits), .Rows(Rows), .Init(Init)
    ) u_table (
      .clk_i, .fetch_i, .row_i(setting_index_i), .setting_o(mask),
      .host_we_table_i, .host_select_i, .host_row_i, .host_column_i, .host_data_i, .host_rdata_o
    );

    rc_mask_settings #(.Ports(Ports)) u_settings (.mask_i(mask), .setting_o(setting));
  end else begin : g_table
    rc_setting_table #(.Fields(Fields), .Rows(Rows), .Init(Init)) u_table (
      .clk_i, .fetch_i, .row_i(setting_index_i), .setting_o(setting),
      .host_we_table_i, .host_select_i, .host_row_i, .host_column_i, .host_data_i, .host_rdata_o
    );
  end

  // Block by block, because Yosys is slow with functions that are called for many lanes.
  for (genvar b = 0; b < 1 << Level; b++) begin : g_block
    localparam int First  = rc_multistage_shape::first_lane(Ports, Level, b);
    localparam int Middle = rc_multistage_shape::high_lane(Ports, Level, b);
    localparam int Next   = rc_multistage_shape::first_lane(Ports, Level, b + 1);
    localparam int Pairs  = rc_multistage_shape::pairs(
        Middle - First, Next - Middle, Joins ? 1 : 0, Fewer ? 1 : 0);

    for (genvar sw = First / 2; sw < First / 2 + Pairs; sw++) begin : g_switch
      localparam int Low  = First + sw - First / 2;
      localparam int High = Middle + sw - First / 2;

      localparam int LowField  = PerLane ? Low : sw;
      localparam int HighField = PerLane ? High : sw;

      wire [LaneBits-1:0] low, high;

      if (Combines) begin : g_combine
        rc_combine_switch #(
          .LaneBits(LaneBits), .Operates(Operates), .Operators(Operators),
          .Registered(Registered)
        ) u_switch (
          .clk_i,
          .ce_i,
          .operation_i,
          .setting_i({setting[HighField], setting[LowField]}),
          .low_i(lanes_i[Low*LaneBits +: LaneBits]),
          .high_i(lanes_i[High*LaneBits +: LaneBits]),
          .low_o(low),
          .high_o(high)
        );
      end else begin : g_route
        rc_switch2 #(.LaneBits(LaneBits), .Registered(Registered)) u_switch (
          .clk_i,
          .ce_i,
          .setting_i({setting[HighField], setting[LowField]}),
          .low_i(lanes_i[Low*LaneBits +: LaneBits]),
          .high_i(lanes_i[High*LaneBits +: LaneBits]),
          .low_o(low),
          .high_o(high)
        );
      end

      assign lanes_o[Low*LaneBits +: LaneBits]  = low;
      assign lanes_o[High*LaneBits +: LaneBits] = high;
    end

    for (genvar lane = First; lane < Next; lane++) begin : g_lane
      if (lane - (lane < Middle ? First : Middle) >= Pairs) begin : g_passes
        if (Registered) begin : g_register
          rc_delay #(.Width(LaneBits)) u_lane (
            .clk_i, .ce_i, .d_i(lanes_i[lane*LaneBits +: LaneBits]),
            .q_o(lanes_o[lane*LaneBits +: LaneBits])
          );
        end else begin : g_wire
          assign lanes_o[lane*LaneBits +: LaneBits] = lanes_i[lane*LaneBits +: LaneBits];
        end
      end
    end
  end

  // Some fields belong to no switch, for example if Ports is not a power of two.
  if (!PerLane) begin : g_settings
    wire unused = &{1'b0, setting};
  end

  if (!Combines) begin : g_no_operation
    wire unused = &{1'b0, operation_i};
  end

`ifdef RC_ASSERTIONS
`ifndef YOSYS
  // Switches that neither copy nor combine pass each word to one lane. Not for a solver, to which
  // sums are expensive: properties of stages and networks prove more (formal/README.md).
  if (!PerLane) begin : g_check
    wire  [Ports-1:0] enters, leaves;
    logic [31:0]      words_q = '0;                  // that entered in the last cycle
    logic             moves_q = 1'b0;

    for (genvar lane = 0; lane < Ports; lane++) begin : g_valid
      assign enters[lane] = lanes_i[lane*LaneBits+LaneBits-1];
      assign leaves[lane] = lanes_o[lane*LaneBits+LaneBits-1];
    end

    always_ff @(posedge clk_i) begin
      words_q <= 32'($countones(enters));
      moves_q <= ce_i;
    end
    wire [31:0] words = Registered ? words_q : 32'($countones(enters));

    `RC_ASSERT_RESET(!moves_q)
    `RC_ASSERT(words_kept, words === 32'($countones(leaves)), "a stage loses or copies a word")
  end
`endif
`endif

endmodule

`default_nettype wire
