// benes: a Benes network of 2k-1 stages between 2^k ports, with the wavefront that steers it.
//
// Stage s pairs the lanes that differ in bit k-1, ..., 1, 0, 1, ..., k-1; no wire moves between stages
// (benes_topology.h draws it with the same numbers). A pipeline register stands behind every Pipe-th
// stage, and Pad more at the end:
//
//     Latency = (Pipe ? floor(Stages/Pipe) : 0) + Pad     cycles from lanes_i to lanes_o
//
// The wavefront {fetch, row, tag} enters one cycle before the flits that it belongs to, because a table
// takes a cycle to read, and is registered wherever the lanes are. So every stage sees the settings of
// the row whose flits pass it, and the receivers get the row and tag when its flits come out.
`default_nettype none

module benes #(
  parameter int Ports     = 0,                       // a power of two >= 2
  parameter int Pipe      = 1,                       // a register every Pipe stages; 0: none
  parameter int Pad       = 0,                       // further registers at the end
  parameter int LaneBits  = 0,
  parameter int Rows      = 0,                       // a power of two >= 2
  parameter int TagBits   = 1,                       // what travels with the row; the network ignores it
  parameter int Log2Ports = $clog2(Ports),
  parameter int Stages    = 2 * Log2Ports - 1,
  parameter int StageBits = Stages > 1 ? $clog2(Stages) : 1,
  parameter int RowBits   = $clog2(Rows),
  parameter int Columns   = (Ports / 2 + 31) / 32,
  parameter int ColumnBits = Columns > 1 ? $clog2(Columns) : 1
) (
  input  wire                      clk_i,
  input  wire                      ce_i,             // clock enable of the lanes
  // one cycle ahead of the lanes
  input  wire                      fetch_i,
  input  wire [RowBits-1:0]        row_i,
  input  wire [TagBits-1:0]        tag_i,
  output wire                      fetch_o,
  output wire [RowBits-1:0]        row_o,
  output wire [TagBits-1:0]        tag_o,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire [Ports*LaneBits-1:0] lanes_o,
  // host port, when the machine is idle
  input  wire                      host_strobe_i,    // a table is written
  input  wire                      host_re_i,        // row host_row_i of every table is read
  input  wire [StageBits-1:0]      host_stage_i,
  input  wire [RowBits-1:0]        host_row_i,
  input  wire [ColumnBits-1:0]     host_column_i,
  input  wire [31:0]               host_wdata_i,
  output wire [31:0]               host_rdata_o      // one cycle after host_re_i
);

  localparam int WaveBits = 1 + RowBits + TagBits;
  localparam int Wires    = Stages + Pad + 1;        // behind stage or pad s-1 is wire s

  wire [Ports*LaneBits-1:0] lanes [Wires]  /* verilator split_var */;
  wire [WaveBits-1:0]       wave  [Wires]  /* verilator split_var */;
  wire [31:0]               rdata [Stages];

  assign lanes[0] = lanes_i;
  assign wave[0]  = {fetch_i, row_i, tag_i};

  for (genvar s = 0; s < Stages; s++) begin : g_stage
    localparam int Bit        = s < Log2Ports ? Log2Ports - 1 - s : s - Log2Ports + 1;
    localparam bit Registered = (Pipe == 0) ? 1'b0 : ((s + 1) % (Pipe == 0 ? 1 : Pipe) == 0);

    stage #(
      .Ports(Ports), .Bit(Bit), .Registered(Registered), .LaneBits(LaneBits), .Rows(Rows)
    ) u_stage (
      .clk_i,
      .ce_i,
      .fetch_i(wave[s][WaveBits-1] | host_re_i),
      .row_i(host_re_i ? host_row_i : wave[s][TagBits +: RowBits]),
      .lanes_i(lanes[s]),
      .lanes_o(lanes[s+1]),
      .host_strobe_i,
      .host_we_i(host_stage_i == StageBits'(s)),
      .host_row_i,
      .host_column_i,
      .host_wdata_i,
      .host_rdata_o(rdata[s])
    );

    if (Registered) begin : g_wave
      delay #(.Width(WaveBits)) u_wave (.clk_i, .ce_i(1'b1), .d_i(wave[s]), .q_o(wave[s+1]));
    end else begin : g_wave
      assign wave[s+1] = wave[s];
    end
  end

  for (genvar p = Stages; p < Stages + Pad; p++) begin : g_pad
    delay #(.Width(WaveBits)) u_wave (.clk_i, .ce_i(1'b1), .d_i(wave[p]), .q_o(wave[p+1]));
    for (genvar j = 0; j < Ports; j++) begin : g_lane
      delay #(.Width(LaneBits)) u_lane (
        .clk_i, .ce_i,
        .d_i(lanes[p][j*LaneBits +: LaneBits]), .q_o(lanes[p+1][j*LaneBits +: LaneBits])
      );
    end
  end

  assign lanes_o                  = lanes[Wires-1];
  assign {fetch_o, row_o, tag_o}  = wave[Wires-1];

  // The next access may already be on host_stage_i when the word of this one is there.
  if (Stages == 1) begin : g_one_stage
    assign host_rdata_o = rdata[0];
  end else begin : g_rdata
    logic [StageBits-1:0] stage_q;
    always_ff @(posedge clk_i) begin
      if (host_re_i) stage_q <= host_stage_i;
    end
    assign host_rdata_o = rdata[stage_q];
  end

endmodule

`default_nettype wire
