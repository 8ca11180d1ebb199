// SPDX-License-Identifier: Apache-2.0
// bus_port_properties: the common part of the bus wrappers, for a machine that is stalled in any
// cycles. A cycle is executed if host_ready_i is high. For any requests, flushes and resets:
//
//  1. A request of an executed cycle is answered in the third executed cycle after it, unless there
//     is a reset or a flush in between. There are no other answers.
//  2. The answer is an error if the request was a write of some bytes of a word, or if host_error_i
//     is high.
//  3. start_o is high from the cycle after a request that writes 1 to the status register to the
//     end of the next executed cycle, and in no other.
`default_nettype none

module bus_port_properties #(
  parameter int FieldBits = 6,
  parameter int AddrBits  = FieldBits + 4
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire                flush_i,
  input  wire                req_i,
  input  wire                we_i,
  input  wire [3:0]          strobes_i,
  input  wire [AddrBits-1:0] addr_i,
  input  wire [31:0]         wdata_i,
  input  wire                host_error_i,
  input  wire                host_ready_i,
  output wire                cover_stalled_o,
  output wire                cover_next_o
);

  wire        ack, error, host_we, host_re, start;
  wire [31:0] host_addr, host_wdata;

  rc_bus_port #(.FieldBits(FieldBits)) u_port (
    .clk_i, .rst_i, .flush_i, .req_i, .we_i, .strobes_i, .addr_i, .wdata_i, .ack_o(ack),
    .error_o(error), .host_we_o(host_we), .host_re_o(host_re), .host_addr_o(host_addr),
    .host_wdata_o(host_wdata), .host_error_i, .host_ready_i, .start_o(start)
  );

  // Of the last three executed cycles: whether there was a request, and whether it was a write of
  // some bytes.
  logic       seen_q = 1'b0, start_q, acked_q;
  logic [3:1] asked_q, part_q;
  logic [1:0] waits_q;                               // stalled cycles before this one, at most 3
  wire        part = we_i && strobes_i != 4'd0 && strobes_i != 4'd15;

  always_ff @(posedge clk_i) begin
    if (rst_i) seen_q <= 1'b1;
    waits_q <= host_ready_i ? '0 : waits_q + 2'(waits_q != 2'd3);
    acked_q <= ack;
    if (host_ready_i) part_q <= {part_q[2:1], part};
    if (rst_i | flush_i) asked_q <= '0;
    else if (host_ready_i) asked_q <= {asked_q[2:1], req_i};
    if (rst_i) start_q <= 1'b0;
    else if (host_ready_i)
      start_q <= req_i && we_i && strobes_i == 4'd15 && addr_i == AddrBits'(11) && wdata_i[0];
  end

  always_comb if (seen_q) begin
    answered: assert (ack == (asked_q[3] && host_ready_i));
    if (ack) rejected: assert (error == (part_q[3] || host_error_i));
    starts: assert (start == start_q);
  end

`ifndef REFUTE
  // Invariants of the induction: requests and errors on their way.
  (* hierconn *) wire \u_port.ack_q , \u_port.ack_q2 , \u_port.ack_q3 , \u_port.error_q ,
                      \u_port.error_q2 , \u_port.error_q3 ;
  always_comb if (seen_q) begin
    assert ({ \u_port.ack_q3 , \u_port.ack_q2 , \u_port.ack_q } == asked_q);
    if (asked_q[1]) assert ( \u_port.error_q == part_q[1]);
    if (asked_q[2]) assert ( \u_port.error_q2 == part_q[2]);
    if (asked_q[3]) assert ( \u_port.error_q3 == part_q[3]);
  end
`endif

  assign cover_stalled_o = seen_q && ack && waits_q == 2'd2;
  assign cover_next_o    = seen_q && ack && acked_q;

endmodule

`default_nettype wire
