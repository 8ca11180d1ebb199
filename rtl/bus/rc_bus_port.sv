// SPDX-License-Identifier: Apache-2.0
// rc_bus_port: the common part of the bus wrappers. It converts a request of a bus into an access
// of the host port of a machine, and returns the answer.
//
//     cycle c        req_i: a write or read is sent to the host port
//     cycle c+1      start_o, if 1 was written to bit 0 of the status register
//     cycle c+3      ack_o: host_rdata_i is the word; error_o: the access was rejected, because
//                    it writes some bytes of a word, or by the machine (host_error_i)
//
// host_ready_i is low while the machine is stalled (rc_clock_gate.sv). The cycles above are those
// with host_ready_i = 1, and a request continues until it is accepted in one of them.
//
// A request may arrive in every cycle; answers are in order. A bus carries the highest four of the
// 32 address bits of the machine and a field of FieldBits bits, the width of the widest region
// (docs/machine.md).
//
//     host_addr_o    {all nodes, region [2:0], 0 ..., field [FieldBits-1:0]}
//     addr_i         {all nodes, region [2:0], field [FieldBits-1:0]}
//
// The host port supports whole words only: a write of some bytes of a word is rejected and ignored,
// and a write of no bytes has no effect.
`default_nettype none
`include "../common/rc_require.svh"

module rc_bus_port #(
  parameter int FieldBits = 28,                      // 6 ... 28
  localparam int AddrBits = FieldBits + 4
) (
  input  wire                 clk_i,
  input  wire                 rst_i,
  input  wire                 flush_i,               // discards pending answers
  input  wire                 req_i,
  input  wire                 we_i,
  input  wire  [3:0]          strobes_i,             // bytes selected by a write
  input  wire  [AddrBits-1:0] addr_i,                // word address
  input  wire  [31:0]         wdata_i,
  output wire                 ack_o,
  output wire                 error_o,               // valid with ack_o
  // to the machine
  output wire                 host_we_o,
  output wire                 host_re_o,
  output wire  [31:0]         host_addr_o,
  output wire  [31:0]         host_wdata_o,
  input  wire                 host_error_i,
  input  wire                 host_ready_i,          // the machine executes this cycle
  output logic                start_o
);

  `RC_REQUIRE(FieldBits, FieldBits >= rc_registers::NumberBits && FieldBits <= 28,
              "FieldBits must be 6 to 28")

  wire whole = &strobes_i;

  assign host_we_o    = req_i & we_i & whole;
  assign host_re_o    = req_i & ~we_i;
  assign host_addr_o  = {addr_i[AddrBits-1 -: 4], 28'(addr_i[FieldBits-1:0])};
  assign host_wdata_o = wdata_i;

  wire status = host_addr_o == rc_address_map::address(rc_address_map::Registers,
                                                       28'(rc_registers::Status));

  logic ack_q, ack_q2, ack_q3, error_q, error_q2, error_q3;

  assign ack_o   = ack_q3 & host_ready_i;
  assign error_o = error_q3 | host_error_i;

  always_ff @(posedge clk_i) begin
    if (host_ready_i) begin
      error_q  <= we_i & |strobes_i & ~whole;
      error_q2 <= error_q;
      error_q3 <= error_q2;
    end
    if (rst_i | flush_i) begin
      {ack_q, ack_q2, ack_q3} <= '0;
    end else if (host_ready_i) begin
      ack_q  <= req_i;
      ack_q2 <= ack_q;
      ack_q3 <= ack_q2;
    end
    if (rst_i) start_o <= 1'b0;
    else if (host_ready_i) start_o <= host_we_o & status & wdata_i[0];
  end

endmodule

`default_nettype wire
