// SPDX-License-Identifier: Apache-2.0
// wishbone_properties: properties of the host port on Wishbone, standard or pipelined.
//
// For any requests, ends of bus cycles and resets, and a master that holds a standard strobe with
// its address and data until the answer, or ends the bus cycle:
//
//  1. Each request reaches the host port exactly once, in the cycle in which it arrives, with its
//     address and data; a write without all bytes never reaches it. Nothing else does.
//  2. A request is answered three cycles later, if the bus cycle continues until then: by ack or
//     err, not both. There are no other answers.
//  3. err answers the writes of some bytes of a word and the accesses that the machine rejects, and
//     no others.
//  4. The answer to a read contains the word that the host port returned for that read.
//  5. start_o is high in the cycle after a 1 is written to the status register, and in no other.
//
// The host port may return any word three cycles after a read, and keeps it until the next read
// (host_port_properties.sv). Assumed: a reset in the first cycle.
`default_nettype none

module wishbone_properties #(
  parameter int Pipelined = 0,
  parameter int FieldBits = 6,
  parameter int AddrBits  = FieldBits + 4
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire                cyc_i,
  input  wire                stb_i,
  input  wire                we_i,
  input  wire [AddrBits-1:0] adr_i,
  input  wire [3:0]          sel_i,
  input  wire [31:0]         dat_i,
  input  wire [31:0]         word_i,                 // host_rdata_i of the next cycle
  input  wire                host_error_i,                // the machine rejects the access
  output wire                cover_read_o,
  output wire                cover_refused_o,
  output wire                cover_start_o,
  output wire                cover_next_o
);

  wire [31:0] dat, host_addr, host_wdata;
  wire        ack, err, stall, host_we, host_re, start;
  logic [31:0] rdata_q;

  rc_wishbone #(.Pipelined(Pipelined), .FieldBits(FieldBits)) u_bus (
    .clk_i, .rst_i, .cyc_i, .stb_i, .we_i, .adr_i, .sel_i, .dat_i, .dat_o(dat), .ack_o(ack),
    .err_o(err), .stall_o(stall), .host_we_o(host_we), .host_re_o(host_re),
    .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rdata_i(rdata_q), .host_error_i,
    .host_ready_i(1'b1),
    .start_o(start)
  );

  // Requests of one to three cycles ago. A standard strobe that continues is not a new request.
  logic        seen_q = 1'b0, open_q = 1'b0, start_q;
  logic [3:1]  taken_q, write_q, part_q, read_q;
  logic        we_q;
  logic [3:0]  sel_q;
  logic [31:0] dat_q, given_q;
  logic [AddrBits-1:0] adr_q;
  wire  taken = ~rst_i & cyc_i & stb_i & ~stall & ~open_q;
  wire  whole = sel_i == 4'd15;
  wire  part  = !whole && sel_i != 4'd0;

  always_ff @(posedge clk_i) begin
    seen_q  <= 1'b1;
    open_q  <= Pipelined == 0 && ~rst_i & cyc_i & stb_i & ~ack & ~err;
    taken_q <= rst_i | ~cyc_i ? '0 : {taken_q[2:1], taken};
    write_q <= {write_q[2:1], we_i};
    part_q  <= {part_q[2:1], part};
    read_q  <= {read_q[2:1], host_re};
    start_q <= taken && we_i && whole && adr_i == AddrBits'(11) && dat_i[0];
    {we_q, sel_q, dat_q, adr_q} <= {we_i, sel_i, dat_i, adr_i};
    given_q <= word_i;
    if (read_q[2]) rdata_q <= word_i;
  end

  always_comb begin
    if (!seen_q) assume (rst_i);
    if (open_q && cyc_i)
      assume (stb_i && {we_i, sel_i, dat_i, adr_i} == {we_q, sel_q, dat_q, adr_q});
    if (seen_q) begin
      read_requests: assert (host_re == (taken && !we_i));
      write_requests: assert (host_we == (taken && we_i && whole));
      if (host_we || host_re)
        where: assert (host_addr[31:28] == adr_i[AddrBits-1 -: 4] &&
            host_addr[27:0] == 28'(adr_i[FieldBits-1:0]));
      if (host_we) what: assert (host_wdata == dat_i);
      answered: assert ((ack || err) == (cyc_i && taken_q[3]));
      once: assert (!(ack && err));
      if (ack || err) refused: assert (err == ((write_q[3] && part_q[3]) || host_error_i));
      if (ack && !write_q[3]) word: assert (dat == given_q);
      starts: assert (start == start_q);
    end
  end

`ifndef REFUTE
  // Invariant for the induction: a standard request is in progress exactly while its strobe is.
  always_comb if (seen_q && Pipelined == 0) begin
    assert ((taken_q != '0) == open_q);
    assert (32'(taken_q[1]) + 32'(taken_q[2]) + 32'(taken_q[3]) <= 1);
  end
`endif

  logic ack_q;
  always_ff @(posedge clk_i) ack_q <= ack & ~write_q[3];

  assign cover_read_o    = ack && !write_q[3] && dat == '1;
  assign cover_refused_o = err;
  assign cover_start_o   = start;
  assign cover_next_o    = Pipelined != 0 ? ack && ack_q && !write_q[3] : taken && ack_q;

endmodule

`default_nettype wire
