// SPDX-License-Identifier: Apache-2.0
// rc_setting_index: the setting index: one word for each position in the setting period
// (rc_setting_counter.sv), which selects the setting of a row.
//
// The word is read together with the send programs of the row, so that it is available when the
// wavefront enters the network.
`default_nettype none
`include "../common/rc_require.svh"

module rc_setting_index #(
  parameter int SettingPeriod = 2,                      // a power of two >= 2
  // bits of a word: a row of the tables, or a tag
  parameter int SettingIndexBits = 1,
  parameter bit [1023:0] Init = '0,                 // file of its initial contents (rc_initial.sv)
  localparam int SettingPhaseBits = $clog2(SettingPeriod)
) (
  input  wire                 clk_i,
  input  wire                 fetch_i,
  input  wire [SettingPhaseBits-1:0]  setting_phase_i,
  // from the cycle after a fetch until the next fetch
  output wire [SettingIndexBits-1:0] setting_index_o,
  // host port; used while the machine is idle
  input  wire                 host_we_table_i,
  input  wire                 host_re_memory_i,  // a memory is read
  input  wire                 host_select_i,     // this memory is selected
  input  wire [SettingPhaseBits-1:0]  host_row_i,
  input  wire [31:0]          host_data_i,
  output wire [31:0]          host_rdata_o  // one cycle after host_re_memory_i; 0 if not selected
);

  `RC_REQUIRE(SettingPeriod, SettingPeriod >= 2 && (SettingPeriod & (SettingPeriod - 1)) == 0,
              "SettingPeriod must be a power of two, 2 or more")

  rc_ram #(.Width(SettingIndexBits), .Depth(SettingPeriod), .Init(Init)) u_words (
    .clk_i,
    .strobe_i(host_we_table_i),
    .we_i(host_select_i),
    .waddr_i(host_row_i),
    .wdata_i(host_data_i[SettingIndexBits-1:0]),
    .re_i(fetch_i | host_re_memory_i),
    .raddr_i(host_re_memory_i ? host_row_i : setting_phase_i),
    .rdata_o(setting_index_o)
  );

  logic selected_q;

  always_ff @(posedge clk_i) begin
    if (host_re_memory_i) selected_q <= host_select_i;
  end

  assign host_rdata_o = selected_q ? 32'(setting_index_o) : '0;

  wire unused = &{1'b0, host_data_i};

endmodule

`default_nettype wire
