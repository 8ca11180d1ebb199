// SPDX-License-Identifier: Apache-2.0
// rc_wishbone: the host port of a machine as a device on a Wishbone B4 bus of 32 bits.
//
//     Pipelined = 0   standard cycles: strobe and address are stable until the answer; one access
//                     takes four cycles
//     Pipelined = 1   each cycle with a strobe is a request; answers follow three cycles later, in
//                     order. stall_o is high while the machine is stalled.
//
// adr_i counts words and carries a part of the address of the machine (rc_bus_port.sv). An access
// is answered by ack_o, or by err_o for a write of some bytes of a word or an access that the
// machine rejects, which have no effect; a write of no bytes has no effect. When cyc_i is
// lowered, pending answers are discarded; writes that have reached the host port take effect.
// Writing 1 to bit 0 of the status register, address 11, starts the machine.
//
//     port          dir  bits      valid in           meaning
//     clk_i         in   1                            clock, rising edge
//     rst_i         in   1         each cycle         reset
//     cyc_i         in   1         each cycle         a bus cycle is in progress
//     stb_i         in   1         cyc_i              a request
//     we_i          in   1         stb_i              the request is a write
//     adr_i         in   AddrBits  stb_i              word address
//     sel_i         in   4         stb_i              bytes to write: all or none
//     dat_i         in   32        stb_i              word to write
//     dat_o         out  32        ack_o              word read
//     ack_o         out  1         cyc_i              a request is answered
//     err_o         out  1         cyc_i              a request is rejected
//     stall_o       out  1         each cycle         a request is not accepted; standard cycles: 0
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
`include "../common/rc_require.svh"

module rc_wishbone #(
  parameter int Pipelined = 0,
  parameter int FieldBits = 28,                      // 6 ... 28
  localparam int AddrBits = FieldBits + 4
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 cyc_i,
  input  wire                 stb_i,
  input  wire                 we_i,
  input  wire  [AddrBits-1:0] adr_i,
  input  wire  [3:0]          sel_i,
  input  wire  [31:0]         dat_i,
  output wire  [31:0]         dat_o,
  output wire                 ack_o,
  output wire                 err_o,
  output wire                 stall_o,
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

  `RC_REQUIRE(Pipelined, Pipelined >= 0 && Pipelined <= 1, "Pipelined must be 0 or 1")

  wire alive = cyc_i & (stb_i | (Pipelined != 0));  // an answer is pending, or there is a request
  wire answer, error, waits;

  rc_bus_port #(.FieldBits(FieldBits)) u_port (
    .clk_i, .rst_i, .flush_i(~alive), .req_i(cyc_i & stb_i & ~waits & ~rst_i), .we_i,
    .strobes_i(sel_i), .addr_i(adr_i), .wdata_i(dat_i), .ack_o(answer), .error_o(error), .host_we_o,
    .host_re_o, .host_addr_o, .host_wdata_o, .host_error_i, .host_ready_i,
    .start_o
  );

  // A strobe that continues is not a new request.
  if (Pipelined == 0) begin : g_standard
    logic waits_q;
    always_ff @(posedge clk_i) begin
      waits_q <= ~rst_i & alive & ~answer & (waits | host_ready_i);
    end
    assign waits = waits_q;
  end else begin : g_pipelined
    assign waits = 1'b0;
  end

  assign dat_o   = host_rdata_i;
  assign ack_o   = alive & answer & ~error;
  assign err_o   = alive & answer & error;
  assign stall_o = (Pipelined != 0) & ~host_ready_i;

  `RC_ASSERT_RESET(rst_i)
  `RC_ASSERT(one_answer, !(ack_o && err_o), "an access is accepted and rejected")
  `RC_ASSERT(answered_access, !(ack_o || err_o) || cyc_i, "an access of no bus cycle is answered")
  `RC_ASSERT_KNOWN(answer_known, {ack_o, err_o}, "an answer is unknown")

endmodule

`default_nettype wire
