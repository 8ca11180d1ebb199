// SPDX-License-Identifier: Apache-2.0
// axi_lite_properties: properties of the host port on AXI4-Lite.
//
// For any addresses, data, ready signals and resets, and a master that keeps each valid signal and
// its payload until the device accepts them:
//
//  1. After a reset the device sends no response. A response is stable until it is accepted.
//  2. Each accepted pair of write address and data has exactly one write response, and each
//     accepted read address exactly one read response. One access is in progress at a time.
//  3. Each access reaches the host port exactly once, in the cycle in which it is accepted, with
//     its address and data; a write without all strobes never reaches it. Nothing else does.
//  4. SLVERR answers the writes of some bytes of a word and the accesses that the machine rejects,
//     OKAY all other accesses. A read response contains the word that the host port returned for
//     that read.
//  5. The device accepts a request within Most cycles, not counting those in which the master does
//     not accept a response: neither direction starves the other.
//  6. start_o is high in the cycle after a 1 is written to the status register, and in no other.
//
// The host port may return any word three cycles after a read, and keeps it until the next read
// (host_port_properties.sv). Assumed: a reset in the first cycle.
`default_nettype none

module axi_lite_properties #(
  parameter int FieldBits = 6,
  parameter int Most      = 11,
  parameter int AddrBits  = FieldBits + 6
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                awvalid_i,
  input  wire [AddrBits-1:0] awaddr_i,
  input  wire                wvalid_i,
  input  wire [31:0]         wdata_i,
  input  wire [3:0]          wstrb_i,
  input  wire                bready_i,
  input  wire                arvalid_i,
  input  wire [AddrBits-1:0] araddr_i,
  input  wire                rready_i,
  input  wire [31:0]         word_i,                 // host_rdata_i of the next cycle
  input  wire                host_error_i,                // the machine rejects the access
  output wire                cover_read_o,
  output wire                cover_refused_o,
  output wire                cover_start_o,
  output wire                cover_waits_o,
  output wire                cover_stands_o
);

  wire [31:0] rdata, host_addr, host_wdata;
  wire [1:0]  bresp, rresp;
  wire        awready, wready, bvalid, arready, rvalid, host_we, host_re, start;
  logic [31:0] rdata_q;

  rc_axi_lite #(.FieldBits(FieldBits)) u_bus (
    .clk_i, .rst_ni, .awvalid_i, .awready_o(awready), .awaddr_i, .awprot_i(3'b0), .wvalid_i,
    .wready_o(wready), .wdata_i, .wstrb_i, .bvalid_o(bvalid), .bready_i, .bresp_o(bresp),
    .arvalid_i, .arready_o(arready), .araddr_i, .arprot_i(3'b0), .rvalid_o(rvalid), .rready_i,
    .rdata_o(rdata), .rresp_o(rresp), .host_we_o(host_we), .host_re_o(host_re),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rdata_i(rdata_q), .host_error_i,
    .host_ready_i(1'b1),
    .start_o(start)
  );

  // Requests that are accepted and not yet answered.
  logic seen_q = 1'b0, address_q, data_q, read_q, part_q, start_q;
  wire  takes_address = awvalid_i && awready;
  wire  takes_data    = wvalid_i && wready;
  wire  takes_read    = arvalid_i && arready;
  wire  writes        = takes_address && takes_data;
  wire  whole         = wstrb_i == 4'd15;
  wire  part          = !whole && wstrb_i != 4'd0;

  always_ff @(posedge clk_i) begin
    seen_q <= 1'b1;
    if (!rst_ni) {address_q, data_q, read_q} <= '0;
    else begin
      address_q <= takes_address || (address_q && !(bvalid && bready_i));
      data_q    <= takes_data || (data_q && !(bvalid && bready_i));
      read_q    <= takes_read || (read_q && !(rvalid && rready_i));
    end
    if (takes_data) part_q <= part;
    start_q <= rst_ni && writes && whole && awaddr_i[AddrBits-1:2] == (AddrBits-2)'(11) &&
        wdata_i[0];
  end

  // The machine reports a rejection three cycles after an access.
  logic [3:1] accessed_q;
  logic       rejected_q;
  always_ff @(posedge clk_i) begin
    accessed_q <= !rst_ni ? '0 : {accessed_q[2:1], takes_data || takes_read};
    if (accessed_q[3]) rejected_q <= host_error_i;
  end

  // The read word of the host port.
  logic [1:0]  reads_q;
  logic [31:0] given_q;
  logic        is_given_q;
  always_ff @(posedge clk_i) begin
    reads_q <= {reads_q[0], host_re};
    if (reads_q[1]) {rdata_q, given_q} <= {word_i, word_i};
    is_given_q <= reads_q[1] || (is_given_q && !host_re);
  end

  // Requests that the device has not accepted, and responses that the master has not accepted.
  logic [2:0]          offers_q = 3'd0;              // write address, write data, read address
  logic [AddrBits-1:0] awaddr_q, araddr_q;
  logic [31:0]         wdata_q, rdata_stood_q;
  logic [3:0]          wstrb_q;
  logic                b_stands_q, r_stands_q;
  logic [1:0]          bresp_q;
  always_ff @(posedge clk_i) begin
    offers_q <= {awvalid_i && !awready, wvalid_i && !wready, arvalid_i && !arready} & {3{rst_ni}};
    {awaddr_q, araddr_q, wdata_q, wstrb_q} <= {awaddr_i, araddr_i, wdata_i, wstrb_i};
    b_stands_q <= rst_ni && bvalid && !bready_i;
    r_stands_q <= rst_ni && rvalid && !rready_i;
    {bresp_q, rdata_stood_q} <= {bresp, rdata};
  end

  // Number of cycles that a request has waited for the device.
  logic [4:0] write_waits_q, read_waits_q;
  wire leaves = (bvalid && !bready_i) || (rvalid && !rready_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !(awvalid_i && wvalid_i) || awready) write_waits_q <= '0;
    else if (!leaves) write_waits_q <= write_waits_q + 1'b1;
    if (!rst_ni || !arvalid_i || arready) read_waits_q <= '0;
    else if (!leaves) read_waits_q <= read_waits_q + 1'b1;
  end

  logic reset_q = 1'b0;                              // a reset in the cycle before
  always_ff @(posedge clk_i) reset_q <= !rst_ni;

  always_comb begin
    if (!seen_q) assume (!rst_ni);
    if (!rst_ni) assume (!awvalid_i && !wvalid_i && !arvalid_i);
    if (rst_ni && offers_q[2]) assume (awvalid_i && awaddr_i == awaddr_q);
    if (rst_ni && offers_q[1]) assume (wvalid_i && {wdata_i, wstrb_i} == {wdata_q, wstrb_q});
    if (rst_ni && offers_q[0]) assume (arvalid_i && araddr_i == araddr_q);
    if (seen_q) begin
      if (reset_q) silent: assert (!bvalid && !rvalid);
      if (b_stands_q) write_stands: assert (bvalid && bresp == bresp_q);
      if (r_stands_q) read_stands: assert (rvalid && rdata == rdata_stood_q);
      if (takes_address || takes_data || takes_read)
        one_at_a_time: assert (!address_q && !data_q && !read_q &&
            !(takes_read && (takes_address || takes_data)));
      if (bvalid) of_a_write: assert (address_q && data_q);
      if (rvalid) of_a_read: assert (read_q);
      if (rst_ni) begin
        read_requests: assert (host_re == takes_read);
        write_requests: assert (host_we == (writes && whole));
      end
      if (host_re) where_read: assert (host_addr[31:28] == araddr_i[AddrBits-1 -: 4] &&
          host_addr[27:0] == 28'(araddr_i[2 +: FieldBits]));
      if (host_we) where_written: assert (host_addr[31:28] == awaddr_i[AddrBits-1 -: 4] &&
          host_addr[27:0] == 28'(awaddr_i[2 +: FieldBits]) && host_wdata == wdata_i);
      if (bvalid) write_refused: assert (bresp == {part_q || rejected_q, 1'b0});
      if (rvalid) read_refused: assert (rresp == {rejected_q, 1'b0});
      if (rvalid) word: assert (is_given_q && rdata == given_q);
      write_in_time: assert (32'(write_waits_q) <= Most);
      read_in_time: assert (32'(read_waits_q) <= Most);
      starts: assert (start == start_q);
    end
  end

`ifndef REFUTE
  // Invariants for the induction: an access is in exactly one position between acceptance and
  // response, and a request has waited no longer than that position allows.
  (* hierconn *) wire \u_bus.busy_q , \u_bus.write_q , \u_bus.read_q , \u_bus.wrote_q ;
  (* hierconn *) wire \u_bus.u_port.ack_q , \u_bus.u_port.ack_q2 , \u_bus.u_port.ack_o ;
  (* hierconn *) wire \u_bus.u_port.error_q , \u_bus.u_port.error_q2 , \u_bus.u_port.error_q3 ;
  wire       busy  = \u_bus.busy_q ;
  wire       taken = \u_bus.write_q | \u_bus.read_q ;
  wire [4:0] place = {bvalid | rvalid, \u_bus.u_port.ack_o , \u_bus.u_port.ack_q2 ,
                      \u_bus.u_port.ack_q , taken};
  wire [4:0] at    = place[0] ? 5'd1 : place[1] ? 5'd2 : place[2] ? 5'd3 : place[3] ? 5'd4 : 5'd5;
  always_comb if (seen_q) begin
    assert (busy == (place != '0));
    assert ((place & (place - 1'b1)) == '0);
    assert (!( \u_bus.write_q && \u_bus.read_q ));
    assert (!(bvalid && rvalid));
    if (\u_bus.write_q && rst_ni) assert (awvalid_i && wvalid_i);
    if (\u_bus.read_q && rst_ni) assert (arvalid_i);
    assert (address_q == (busy && !taken && \u_bus.wrote_q ));
    assert (data_q == address_q);
    assert (read_q == (busy && !taken && ! \u_bus.wrote_q ));
    if (bvalid) assert (address_q);
    if (rvalid) assert (read_q);
    if (read_q && place[1]) assert (reads_q[0]);
    if (read_q && place[2]) assert (reads_q[1]);
    if (rvalid) assert (reads_q == '0);
    if (read_q && (place[3] || place[4])) assert (is_given_q);
    if (is_given_q) assert (rdata_q == given_q);
    if (address_q && place[1]) assert (\u_bus.u_port.error_q == part_q);
    if (address_q && place[2]) assert (\u_bus.u_port.error_q2 == part_q);
    if (address_q && place[3]) assert (\u_bus.u_port.error_q3 == part_q);
    if (address_q && place[4]) assert (bresp == {part_q || rejected_q, 1'b0});
    if (read_q && place[4]) assert (rresp == {rejected_q, 1'b0});
    assert (accessed_q == place[3:1]);
    if (read_q && place[1]) assert (!\u_bus.u_port.error_q );
    if (read_q && place[2]) assert (!\u_bus.u_port.error_q2 );
    if (read_q && place[3]) assert (!\u_bus.u_port.error_q3 );
    if (\u_bus.write_q ) assert (write_waits_q <= 11 && read_waits_q <= 5);
    else if (\u_bus.read_q ) assert (read_waits_q <= 11 && write_waits_q <= 5);
    else if (\u_bus.wrote_q )
      assert (write_waits_q <= (busy ? at - 2 : 4) && read_waits_q <= (busy ? at + 4 : 10));
    else assert (read_waits_q <= (busy ? at - 2 : 4) && write_waits_q <= (busy ? at + 4 : 10));
  end
`endif

  assign cover_read_o    = rvalid && rready_i && rdata == '1;
  assign cover_refused_o = bvalid && bresp == 2'b10;
  assign cover_start_o   = start;
  assign cover_waits_o   = read_waits_q >= 5'd6 && arready;
  assign cover_stands_o  = r_stands_q && rready_i && awvalid_i && wvalid_i;

endmodule

`default_nettype wire
