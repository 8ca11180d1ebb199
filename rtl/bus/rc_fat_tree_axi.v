// SPDX-License-Identifier: Apache-2.0
// rc_fat_tree_axi: rc_fat_tree_machine with an AXI4-Lite port, in Verilog with
// the port names of block designs. rc_fat_tree_machine.sv describes the
// parameters, rc_axi_lite.sv the bus. Generated from axi_wrappers.txt (`make axi-wrappers`).
//
// The address has C_S_AXI_ADDR_WIDTH bits, 6 more than a field can have. Elaboration rejects fewer
// bits than the machine needs.
`default_nettype none

module rc_fat_tree_axi #(
  parameter Height = 2,
  parameter [383:0] Children = 384'h20002,
  parameter [383:0] Capacity = 384'h10001,
  parameter [383:0] Depth = 384'h100010,
  parameter [383:0] Queue = 384'h100010,
  parameter Auto = 0,
  parameter Reads = 1,
  parameter Combine = 0,
  parameter Operators = 127,
  parameter Pad = 0,
  parameter Width = 16,
  parameter Packets = 16,
  parameter Flits = 8,
  parameter Rows = 64,
  parameter C_S_AXI_ADDR_WIDTH = 32                  // 12 ... 34
) (
  input  wire                          s_axi_aclk,
  input  wire                          s_axi_aresetn,
  input  wire [C_S_AXI_ADDR_WIDTH-1:0] s_axi_awaddr,
  input  wire [2:0]                    s_axi_awprot,
  input  wire                          s_axi_awvalid,
  output wire                          s_axi_awready,
  input  wire [31:0]                   s_axi_wdata,
  input  wire [3:0]                    s_axi_wstrb,
  input  wire                          s_axi_wvalid,
  output wire                          s_axi_wready,
  output wire [1:0]                    s_axi_bresp,
  output wire                          s_axi_bvalid,
  input  wire                          s_axi_bready,
  input  wire [C_S_AXI_ADDR_WIDTH-1:0] s_axi_araddr,
  input  wire [2:0]                    s_axi_arprot,
  input  wire                          s_axi_arvalid,
  output wire                          s_axi_arready,
  output wire [31:0]                   s_axi_rdata,
  output wire [1:0]                    s_axi_rresp,
  output wire                          s_axi_rvalid,
  input  wire                          s_axi_rready,
  output wire                          irq,
  output wire                          busy,
  output wire                          done,
  output wire                          error
);

  wire        host_we, host_re, host_error, start;
  wire [31:0] host_addr, host_wdata, host_rdata;

  rc_axi_lite #(.FieldBits(C_S_AXI_ADDR_WIDTH - 6)) u_bus (
    .clk_i(s_axi_aclk), .rst_ni(s_axi_aresetn), .awvalid_i(s_axi_awvalid),
    .awready_o(s_axi_awready), .awaddr_i(s_axi_awaddr), .awprot_i(s_axi_awprot),
    .wvalid_i(s_axi_wvalid), .wready_o(s_axi_wready), .wdata_i(s_axi_wdata),
    .wstrb_i(s_axi_wstrb), .bvalid_o(s_axi_bvalid), .bready_i(s_axi_bready),
    .bresp_o(s_axi_bresp), .arvalid_i(s_axi_arvalid), .arready_o(s_axi_arready),
    .araddr_i(s_axi_araddr), .arprot_i(s_axi_arprot), .rvalid_o(s_axi_rvalid),
    .rready_i(s_axi_rready), .rdata_o(s_axi_rdata), .rresp_o(s_axi_rresp), .host_we_o(host_we),
    .host_re_o(host_re), .host_addr_o(host_addr), .host_wdata_o(host_wdata),
    .host_rdata_i(host_rdata), .host_error_i(host_error),
    .host_ready_i(1'b1), .start_o(start)
  );

  rc_fat_tree_machine #(
    .Height(Height), .Children(Children), .Capacity(Capacity), .Depth(Depth), .Queue(Queue),
    .Auto(Auto), .Reads(Reads), .Combine(Combine), .Operators(Operators), .Pad(Pad),
    .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows),
    .FieldBits(C_S_AXI_ADDR_WIDTH - 6)
  ) u_machine (
    /* verilator lint_off PINCONNECTEMPTY */
    .clk_i(s_axi_aclk), .rst_i(~s_axi_aresetn), .host_we_i(host_we), .host_re_i(host_re),
    .host_addr_i(host_addr), .host_wdata_i(host_wdata), .host_rdata_o(host_rdata),
    .host_error_o(host_error), .start_i(start), .busy_o(busy), .run_o(), .done_o(done),
    .error_o(error), .irq_o(irq), .obs_strobe_o(), .obs_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

endmodule

`default_nettype wire
