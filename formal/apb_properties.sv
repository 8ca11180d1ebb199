// SPDX-License-Identifier: Apache-2.0
// apb_properties: properties of the host port on APB4.
//
// For any accesses and resets, and a master that holds its request until the device is ready, with
// or without a setup cycle:
//
//  1. Each access reaches the host port exactly once, in its first cycle, with its address and
//     data; a write without all strobes never reaches it. Nothing else does.
//  2. The device is ready in the third cycle after the first cycle of the access, and in no other.
//  3. pslverr_o is high exactly for writes of some bytes of a word and for accesses that the
//     machine rejects. The answer to a read contains the word of the host port.
//  4. start_o is high in the cycle after a 1 is written to the status register, and in no other.
//
// The host port may return any word three cycles after a read, and keeps it until the next read
// (host_port_properties.sv). Assumed: a reset in the first cycle.
`default_nettype none

module apb_properties #(
  parameter int FieldBits = 6,
  parameter int AddrBits  = FieldBits + 6
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                psel_i,
  input  wire                penable_i,
  input  wire                pwrite_i,
  input  wire [AddrBits-1:0] paddr_i,
  input  wire [3:0]          pstrb_i,
  input  wire [31:0]         pwdata_i,
  input  wire [31:0]         word_i,                 // host_rdata_i of the next cycle
  input  wire                host_error_i,                // the machine rejects the access
  output wire                cover_read_o,
  output wire                cover_refused_o,
  output wire                cover_start_o
);

  wire [31:0] prdata, host_addr, host_wdata;
  wire        pready, pslverr, host_we, host_re, start;
  logic [31:0] rdata_q;

  rc_apb #(.FieldBits(FieldBits)) u_bus (
    .clk_i, .rst_ni, .psel_i, .penable_i, .pwrite_i, .paddr_i, .pprot_i(3'b0), .pstrb_i, .pwdata_i,
    .pready_o(pready), .prdata_o(prdata), .pslverr_o(pslverr), .host_we_o(host_we),
    .host_re_o(host_re), .host_addr_o(host_addr), .host_wdata_o(host_wdata),
    .host_rdata_i(rdata_q), .host_error_i, .host_ready_i(1'b1),
    .start_o(start)
  );

  // Cycle of the access; 0: the first cycle of an access, or no access.
  logic        seen_q = 1'b0, start_q;
  logic [1:0]  cycle_q = 2'd0, reads_q;
  logic        pwrite_q;
  logic [3:0]  pstrb_q;
  logic [31:0] pwdata_q, given_q;
  logic [AddrBits-1:0] paddr_q;
  wire  setup = rst_ni && psel_i && cycle_q == 2'd0;
  wire  whole = pstrb_i == 4'd15;
  wire  part  = pwrite_i && !whole && pstrb_i != 4'd0;

  always_ff @(posedge clk_i) begin
    seen_q  <= 1'b1;
    cycle_q <= !rst_ni ? 2'd0 : setup ? 2'd1 : cycle_q == 2'd0 || pready ? 2'd0 : cycle_q + 1'b1;
    reads_q <= {reads_q[0], host_re};
    start_q <= setup && pwrite_i && whole && paddr_i[AddrBits-1:2] == (AddrBits-2)'(11) &&
        pwdata_i[0];
    {pwrite_q, pstrb_q, pwdata_q, paddr_q} <= {pwrite_i, pstrb_i, pwdata_i, paddr_i};
    given_q <= word_i;
    if (reads_q[1]) rdata_q <= word_i;
  end

  always_comb begin
    if (!seen_q) assume (!rst_ni);
    if (rst_ni) begin
      if (cycle_q != 2'd0) assume (penable_i);       // in the first cycle it may be high or low
      if (cycle_q != 2'd0)
        assume (psel_i && {pwrite_i, pstrb_i, pwdata_i, paddr_i} ==
            {pwrite_q, pstrb_q, pwdata_q, paddr_q});
    end
    if (seen_q) begin
      read_requests: assert (host_re == (setup && !pwrite_i));
      write_requests: assert (host_we == (setup && pwrite_i && whole));
      if (host_we || host_re)
        where: assert (host_addr[31:28] == paddr_i[AddrBits-1 -: 4] &&
            host_addr[27:0] == 28'(paddr_i[2 +: FieldBits]));
      if (host_we) what: assert (host_wdata == pwdata_i);
      ready: assert (pready == (cycle_q == 2'd3));
      if (rst_ni && pready) refused: assert (pslverr == (part || host_error_i));
      if (!pready) no_error: assert (!pslverr);
      if (rst_ni && pready && !pwrite_i) word: assert (prdata == given_q);
      starts: assert (start == start_q);
    end
  end

`ifndef REFUTE
  // Invariant for the induction: the state of the device follows the cycle of the access.
  (* hierconn *) wire \u_bus.busy_q , \u_bus.u_port.ack_q , \u_bus.u_port.ack_q2 ;
  always_comb if (seen_q) begin
    assert (\u_bus.busy_q == (cycle_q != 2'd0));
    assert (\u_bus.u_port.ack_q == (cycle_q == 2'd1));
    assert (\u_bus.u_port.ack_q2 == (cycle_q == 2'd2));
  end
`endif

  assign cover_read_o    = rst_ni && pready && !pwrite_i && prdata == '1;
  assign cover_refused_o = rst_ni && pready && pslverr;
  assign cover_start_o   = start;

endmodule

`default_nettype wire
