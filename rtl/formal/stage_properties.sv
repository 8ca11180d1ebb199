// stage_properties: what a stage does, for any table contents, any writes, fetches and words.
//
//  1. The two lanes of a switch, those that differ in bit Bit, hold the words of the same two lanes,
//     straight or crossed. So no word is lost, copied or changed, and none leaves its switch.
//  2. Crossed where the setting of that switch is 1. The setting is what the host reads.
//  3. A registered stage keeps its words without clock enable.
//  4. The settings change only after a fetch: writes to the table do not disturb them.
`default_nettype none

module stage_properties #(
  parameter int Ports      = 0,
  parameter int Bit        = 0,
  parameter bit Registered = 1,
  parameter int LaneBits   = 0,
  parameter int Rows       = 0,
  parameter int RowBits    = $clog2(Rows)
) (
  input  wire                      clk_i,
  input  wire                      ce_i,
  input  wire                      fetch_i,
  input  wire [RowBits-1:0]        row_i,
  input  wire [Ports*LaneBits-1:0] lanes_i,
  input  wire                      host_strobe_i,
  input  wire                      host_we_i,
  input  wire [RowBits-1:0]        host_row_i,
  input  wire [31:0]               host_wdata_i,
  output wire                      cover_mixed_o,
  output wire                      cover_refetched_o
);

  wire [Ports*LaneBits-1:0] lanes;
  wire [31:0]               setting;

  stage #(.Ports(Ports), .Bit(Bit), .Registered(Registered), .LaneBits(LaneBits), .Rows(Rows)) u_stage (
    .clk_i, .ce_i, .fetch_i, .row_i, .lanes_i, .lanes_o(lanes), .host_strobe_i, .host_we_i, .host_row_i,
    .host_column_i(1'b0), .host_wdata_i, .host_rdata_o(setting)
  );

  // Written from the lane's side, not the switch's: the partner of lane j is j ^ 2^Bit, and their switch
  // has the number j without bit Bit.
  wire [Ports*LaneBits-1:0] switched;
  for (genvar j = 0; j < Ports; j++) begin : g_lane
    localparam int Switch  = ((j >> (Bit + 1)) << Bit) | (j & ((1 << Bit) - 1));
    localparam int Partner = j ^ (1 << Bit);
    assign switched[j*LaneBits +: LaneBits] =
        setting[Switch] ? lanes_i[Partner*LaneBits +: LaneBits] : lanes_i[j*LaneBits +: LaneBits];
  end

  logic                     past_q = 1'b0;           // the registers below hold the cycle before
  logic                     fetch_q;
  logic [31:0]              setting_q;
  logic [Ports*LaneBits-1:0] expected_q;

  always_ff @(posedge clk_i) begin
    past_q     <= 1'b1;
    fetch_q    <= fetch_i;
    setting_q  <= setting;
    expected_q <= ce_i ? switched : lanes;
  end

  if (Registered) begin : g_register
    always_comb if (past_q) as_switched: assert (lanes == expected_q);
  end else begin : g_wire
    always_comb as_switched: assert (lanes == switched);
  end

  always_comb if (past_q && !fetch_q) same_settings: assert (setting == setting_q);

  assign cover_mixed_o     = setting[0] & ~setting[Ports/2-1] & (switched != lanes_i);
  assign cover_refetched_o = past_q & fetch_q & (setting != setting_q);

endmodule

`default_nettype wire
