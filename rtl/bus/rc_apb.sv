// SPDX-License-Identifier: Apache-2.0
// rc_apb: the host port of a machine as a device on an APB4 bus of 32 bits.
//
// An access takes four cycles: one of setup and three of access. Addresses count bytes; the lowest
// two bits are ignored, and the bits above carry a part of the address of the machine
// (rc_bus_port.sv). A write of some bytes of a word, and an access that the machine rejects, have
// no effect and are answered with pslverr_o; a write without strobes has no effect. Writing 1 to
// bit 0 of the status register, byte address 44, starts the machine. An access whose setup cycle is
// missing, because psel_i and penable_i rise together, is executed in the same number of cycles.
//
//     port          dir  bits      valid in           meaning
//     clk_i         in   1                            clock, rising edge
//     rst_ni        in   1         each cycle         PRESETn, active low
//     psel_i        in   1         each cycle         an access is in progress
//     penable_i     in   1         psel_i             ignored
//     pwrite_i      in   1         psel_i             the access is a write
//     paddr_i       in   AddrBits  psel_i             byte address
//     pprot_i       in   3         psel_i             ignored
//     pstrb_i       in   4         psel_i             bytes to write: all or none
//     pwdata_i      in   32        psel_i             word to write
//     pready_o      out  1         psel_i             the access ends
//     prdata_o      out  32        pready_o           word read
//     pslverr_o     out  1         pready_o           the access is rejected
//     host_we_o     out  1         each cycle         to the machine: a write
//     host_re_o     out  1         each cycle         to the machine: a read
//     host_addr_o   out  32        that of we or re   to the machine: address
//     host_wdata_o  out  32        host_we_o          to the machine: word to write
//     host_rdata_i  in   32        3 after host_re_o  from the machine: word read
//     host_error_i  in   1         3 after we or re   from the machine: rejected
//     host_ready_i  in   1         each cycle         from the machine: it is not stalled
//     start_o       out  1         each cycle         to the machine: starts a run
`default_nettype none
`include "../common/rc_assert.svh"

module rc_apb #(
  parameter int FieldBits = 26,                      // 6 ... 28; 26: 32 address bits
  localparam int AddrBits = FieldBits + 6
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,                // PRESETn
  input  wire                 psel_i,
  input  wire                 penable_i,
  input  wire                 pwrite_i,
  input  wire  [AddrBits-1:0] paddr_i,
  input  wire  [2:0]          pprot_i,
  input  wire  [3:0]          pstrb_i,
  input  wire  [31:0]         pwdata_i,
  output wire                 pready_o,
  output wire  [31:0]         prdata_o,
  output wire                 pslverr_o,
  // to the machine
  output wire                 host_we_o,
  output wire                 host_re_o,
  output wire  [31:0]         host_addr_o,
  output wire  [31:0]         host_wdata_o,
  input  wire  [31:0]         host_rdata_i,
  input  wire                 host_error_i,
  input  wire                 host_ready_i,          // 0: the machine is stalled (rc_bus_port.sv)
  output wire                 start_o
);

  logic busy_q;                                      // in the cycles after the first of an access
  wire  error, begins;

  assign begins = psel_i & ~busy_q & rst_ni;

  always_ff @(posedge clk_i) begin
    busy_q <= rst_ni & ((begins & host_ready_i) | (busy_q & ~pready_o));
  end

  rc_bus_port #(.FieldBits(FieldBits)) u_port (
    .clk_i, .rst_i(~rst_ni), .flush_i(1'b0), .req_i(begins), .we_i(pwrite_i), .strobes_i(pstrb_i),
    .addr_i(paddr_i[AddrBits-1:2]), .wdata_i(pwdata_i), .ack_o(pready_o), .error_o(error),
    .host_we_o, .host_re_o, .host_addr_o, .host_wdata_o, .host_error_i, .host_ready_i,
    .start_o
  );

  assign prdata_o  = host_rdata_i;
  assign pslverr_o = pready_o & error;

  wire unused = &{1'b0, penable_i, pprot_i, paddr_i[1:0]};

  `RC_ASSERT_RESET(!rst_ni)
  `RC_ASSERT_KNOWN(answer_known, {pready_o, pslverr_o}, "an answer is unknown")
  `RC_ASSERT(answered_access, !pready_o || busy_q, "no access is answered")
  `RC_EXPECT_STABLE(request, AddrBits + 38, psel_i && !pready_o,
                    {psel_i, pwrite_i, paddr_i, pstrb_i, pwdata_i},
                    "an access changes before it is answered")

endmodule

`default_nettype wire
