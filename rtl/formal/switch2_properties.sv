// switch2_properties: what a switch does, for any words, settings and clock enables.
//
//  1. Straight, the words that enter low and high leave low and high; crossed, they change places.
//     So none is lost, copied or changed.
//  2. A registered switch shows the words of a cycle with clock enable in the next cycle; without clock
//     enable it keeps the words it has.
`default_nettype none

module switch2_properties #(
  parameter int LaneBits   = 0,
  parameter bit Registered = 1
) (
  input  wire                clk_i,
  input  wire                ce_i,
  input  wire                setting_i,
  input  wire [LaneBits-1:0] low_i,
  input  wire [LaneBits-1:0] high_i,
  output wire                cover_crossed_o,
  output wire                cover_kept_o
);

  wire [LaneBits-1:0] low, high;

  switch2 #(.LaneBits(LaneBits), .Registered(Registered)) u_switch (
    .clk_i, .ce_i, .setting_i, .low_i, .high_i, .low_o(low), .high_o(high)
  );

  wire [2*LaneBits-1:0] switched = setting_i ? {low_i, high_i} : {high_i, low_i};

  if (Registered) begin : g_register
    logic                  past_q = 1'b0;            // the registers below hold the cycle before
    logic [2*LaneBits-1:0] expected_q;
    logic                  crossed_q, kept_q;

    always_ff @(posedge clk_i) begin
      past_q     <= 1'b1;
      expected_q <= ce_i ? switched : {high, low};
      crossed_q  <= ce_i & setting_i;
      kept_q     <= past_q & ~ce_i;
    end

    always_comb if (past_q) as_switched: assert ({high, low} == expected_q);

    assign cover_crossed_o = past_q & crossed_q & (low != high);
    assign cover_kept_o    = past_q & kept_q & (low != high) & (switched != {high, low});
  end else begin : g_wire
    always_comb as_switched: assert ({high, low} == switched);

    assign cover_crossed_o = setting_i & (low != high);
    assign cover_kept_o    = 1'b1;
  end

endmodule

`default_nettype wire
