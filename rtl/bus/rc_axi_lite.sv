// SPDX-License-Identifier: Apache-2.0
// rc_axi_lite: the host port of a machine as a device on an AXI4-Lite bus of 32 bits.
//
// One access is in progress at a time. It is accepted when its address, and for a write also its
// data, are valid, and ends with its response. If a write and a read are pending, they alternate.
// Addresses count bytes; the lowest two bits are ignored, and the bits above carry a part of the
// address of the machine (rc_bus_port.sv). A write of some bytes of a word, and an access that the
// machine rejects, have no effect and are answered with SLVERR, every other access with OKAY; a
// write without strobes has no effect. Writing 1 to bit 0 of the status register, byte address 44,
// starts the machine. All outputs except the read word and the ready signals, which are low
// while the machine is stalled, are registers; the word is stable while rvalid_o is high.
//
//     port          dir  bits      valid in           meaning
//     clk_i         in   1                            clock, rising edge
//     rst_ni        in   1         each cycle         ARESETn, active low
//     awvalid_i     in   1         each cycle         a write address is offered
//     awready_o     out  1         each cycle         it is accepted
//     awaddr_i      in   AddrBits  awvalid_i          byte address
//     awprot_i      in   3         awvalid_i          ignored
//     wvalid_i      in   1         each cycle         write data are offered
//     wready_o      out  1         each cycle         they are accepted
//     wdata_i       in   32        wvalid_i           word to write
//     wstrb_i       in   4         wvalid_i           bytes to write: all or none
//     bvalid_o      out  1         each cycle         a write is answered
//     bready_i      in   1         each cycle         accepts the answer
//     bresp_o       out  2         bvalid_o           0 OKAY, 2 SLVERR
//     arvalid_i     in   1         each cycle         a read address is offered
//     arready_o     out  1         each cycle         it is accepted
//     araddr_i      in   AddrBits  arvalid_i          byte address
//     arprot_i      in   3         arvalid_i          ignored
//     rvalid_o      out  1         each cycle         a read is answered
//     rready_i      in   1         each cycle         accepts the answer
//     rdata_o       out  32        rvalid_o           word read
//     rresp_o       out  2         rvalid_o           0 OKAY, 2 SLVERR
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

module rc_axi_lite #(
  parameter int FieldBits = 26,                      // 6 ... 28; 26: 32 address bits
  localparam int AddrBits = FieldBits + 6
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,                // ARESETn
  input  wire                 awvalid_i,
  output wire                 awready_o,
  input  wire  [AddrBits-1:0] awaddr_i,
  input  wire  [2:0]          awprot_i,
  input  wire                 wvalid_i,
  output wire                 wready_o,
  input  wire  [31:0]         wdata_i,
  input  wire  [3:0]          wstrb_i,
  output logic                bvalid_o,
  input  wire                 bready_i,
  output logic [1:0]          bresp_o,
  input  wire                 arvalid_i,
  output wire                 arready_o,
  input  wire  [AddrBits-1:0] araddr_i,
  input  wire  [2:0]          arprot_i,
  output logic                rvalid_o,
  input  wire                 rready_i,
  output wire  [31:0]         rdata_o,
  output logic [1:0]          rresp_o,
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

  logic write_q, read_q;                             // an access is accepted in this cycle
  logic busy_q;                                      // an access is in progress
  logic wrote_q;                                     // the last access was a write
  wire  answer, error;

  rc_bus_port #(.FieldBits(FieldBits)) u_port (
    .clk_i, .rst_i(~rst_ni), .flush_i(1'b0), .req_i(write_q | read_q), .we_i(write_q),
    .strobes_i(wstrb_i), .addr_i(write_q ? awaddr_i[AddrBits-1:2] : araddr_i[AddrBits-1:2]),
    .wdata_i, .ack_o(answer), .error_o(error), .host_we_o, .host_re_o, .host_addr_o,
    .host_wdata_o, .host_error_i, .host_ready_i,
    .start_o
  );

  wire writes = awvalid_i & wvalid_i;
  wire ends   = (bvalid_o & bready_i) | (rvalid_o & rready_i);
  wire starts_write = writes & ~(arvalid_i & wrote_q);  // a write is selected

  always_ff @(posedge clk_i) begin
    if (~rst_ni) begin
      {write_q, read_q, busy_q, wrote_q, bvalid_o, rvalid_o} <= '0;
      {bresp_o, rresp_o} <= '0;
    end else begin
      write_q <= busy_q ? write_q & ~host_ready_i : starts_write;
      read_q  <= busy_q ? read_q & ~host_ready_i : arvalid_i & ~starts_write;
      busy_q  <= busy_q ? ~ends : writes | arvalid_i;
      if (write_q | read_q) wrote_q <= write_q;
      if (answer & wrote_q) bresp_o <= {error, 1'b0};
      if (answer & ~wrote_q) rresp_o <= {error, 1'b0};
      bvalid_o <= (answer & wrote_q) | (bvalid_o & ~bready_i);
      rvalid_o <= (answer & ~wrote_q) | (rvalid_o & ~rready_i);
    end
  end

  assign awready_o = write_q & host_ready_i;
  assign wready_o  = write_q & host_ready_i;
  assign arready_o = read_q & host_ready_i;
  assign rdata_o   = host_rdata_i;

  wire unused = &{1'b0, awprot_i, arprot_i, awaddr_i[1:0], araddr_i[1:0]};

  `RC_ASSERT_RESET(!rst_ni)
  `RC_ASSERT(one_access, !(write_q && read_q), "a write and a read are accepted at once")
  `RC_ASSERT(one_answer, !(bvalid_o && rvalid_o), "two accesses are answered at once")
  `RC_ASSERT_STABLE(write_answer, 3, bvalid_o && !bready_i, {bvalid_o, bresp_o},
                    "the answer of a write changes before it is accepted")
  `RC_ASSERT_STABLE(read_answer, 35, rvalid_o && !rready_i, {rvalid_o, rresp_o, rdata_o},
                    "the answer of a read changes before it is accepted")
  `RC_ASSERT_KNOWN(handshake_known, {bvalid_o, rvalid_o, awready_o, arready_o},
                   "a handshake is unknown")

endmodule

`default_nettype wire
