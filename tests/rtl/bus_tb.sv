// SPDX-License-Identifier: Apache-2.0
// bus_tb: loads, starts and reads a machine over one of the buses of rtl/bus, or directly over the
// host port, and prints the accesses of the host port, the run, and the contents of the machine,
// which are the same for each bus. tests/cli/buses.sh compares the outputs.
//
// A master waits at random where its bus allows it: on AXI4-Lite before it sends address and data,
// separately, and before it accepts a response; on Wishbone within a bus cycle. The AXI4-Lite
// master also requests a write and a read at the same time; the APB master omits the setup cycle of
// some accesses. Some writes select single bytes, which every bus rejects, or no bytes, which has
// no effect. Resets, and Wishbone masters, end accesses before their answers.
//
// Behind a bus, the machine is stalled in one of four cycles at random, except during a reset.
//
// A flit of several parts (rc_address_map.sv) is also written out of order, with a reset between
// its parts, and in part; the number of wrong parts is printed. Of wide flits, only the packets and
// flits of the image are printed.
`default_nettype none

module bus_tb #(
  parameter int Bus = 0,  // 0 host port, 1 Wishbone, 2 pipelined Wishbone, 3 AXI4-Lite, 4 APB
  parameter int Width = 31,
  parameter int FieldBits = 10 + rc_address_map::part_bits(Width)
);

  localparam int Ports = 8, Packets = 16, Flits = 8, AddrBits = FieldBits + 4;
  localparam int Parts = rc_address_map::parts(Width), PartBits = rc_address_map::part_bits(Width);
  // packets and flits whose words are printed
  localparam int Slots = Parts > 1 ? 3 : Packets, Printed = Parts > 1 ? 2 : Flits;

  logic        clk = 1'b0, rst = 1'b1;
  logic        req = 1'b0, we = 1'b0;                // high until the access is done
  logic [3:0]  sel = '1;
  logic [31:0] addr = '0, wdata = '0;
  logic        both = 1'b0;                          // write, and read the next address
  logic        quiet = 1'b0;                         // accesses are not printed
  wire         done_access, refused;
  wire         host_we, host_re, host_error, start, busy, run, done, strobe;
  wire  [31:0] host_addr, host_wdata, host_rdata, word;
  wire  [Ports*32-1:0] obs;
  wire  [AddrBits-1:0] bus_addr = {addr[31:28], addr[FieldBits-1:0]};
  wire         whole = &sel;
  logic        host_ready = 1'b1;                    // the machine executes the next rising edge
  wire         gated;

  always #5 clk = ~clk;

  rc_clock_gate u_gate (.clk_i(clk), .en_i(host_ready || rst), .clk_o(gated));

  always @(posedge clk) begin
    #1 host_ready = Bus == 0 || $urandom_range(3) != 0;
  end

  rc_multistage_machine #(
    .Ports(Ports), .Pipe(1), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(64)
  ) u_machine (
    .clk_i(gated), .rst_i(rst), .host_we_i(host_we), .host_re_i(host_re), .host_addr_i(host_addr),
    .host_wdata_i(host_wdata), .host_rdata_o(host_rdata), .host_error_o(host_error),
    .start_i(start), .busy_o(busy), .run_o(run), .done_o(done), .error_o(), .irq_o(),
    .obs_strobe_o(strobe), .obs_o(obs)
  );

  // Age of an access in cycles; the master uses it to time its signals.
  int age = 0;
  always_ff @(posedge clk) age <= req && !done_access && !rst ? age + 1 : 0;

  if (Bus == 0) begin : g_none
    wire starts = addr == 32'h0000000b;
    assign {host_we, host_re} = age == 0 && !rst ? {req & we & whole, req & ~we} : 2'b0;
    assign {host_addr, host_wdata} = {addr, wdata};
    assign word        = host_rdata;
    assign start       = req && we && whole && starts && wdata[0] && age == 1;
    assign done_access = age == 3;
    assign refused     = (we & ~whole & |sel) | host_error;
  end else if (Bus < 3) begin : g_wishbone
    wire ack, err, stall;
    logic holds = 1'b0;                              // cyc_i is high between accesses
    logic sent_q = 1'b0;                             // pipelined: the request is accepted
    always_ff @(posedge clk) begin
      sent_q <= req && !done_access && !rst && (sent_q || !stall);
      if (quiet) holds <= 1'b0;
      else if (done_access) holds <= $urandom_range(1) == 1;
    end
    always @(posedge clk) if ((ack || err) && !req) $display("an answer without a request");
    rc_wishbone #(.Pipelined(Bus - 1), .FieldBits(FieldBits)) u_bus (
      .clk_i(clk), .rst_i(rst), .cyc_i(req || holds), .stb_i(req && (Bus == 1 || !sent_q)),
      .we_i(we), .adr_i(bus_addr), .sel_i(sel), .dat_i(wdata), .dat_o(word), .ack_o(ack),
      .err_o(err), .stall_o(stall), .host_we_o(host_we), .host_re_o(host_re),
      .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rdata_i(host_rdata),
      .host_error_i(host_error), .host_ready_i(host_ready),
      .start_o(start)
    );
    assign done_access = ack | err;
    assign refused     = err & ~ack;
  end else if (Bus == 3) begin : g_axi
    wire awready, wready, bvalid, arready, rvalid;
    wire [1:0] bresp, rresp;
    int wait_aw = 0, wait_w = 0, wait_b = 0;
    wire ready = age > wait_b;
    wire [31:0] rdata;
    wire ends_w = bvalid && ready, ends_r = rvalid && ready;
    logic aw_q = 1'b0, w_q = 1'b0, ar_q = 1'b0;      // accepted
    wire awvalid = req && we && !aw_q && (both || age >= wait_aw);
    wire wvalid  = req && we && !w_q && (both || age >= wait_w);
    wire arvalid = req && !ar_q && (both || (!we && age >= wait_aw));
    logic ended_w_q = 1'b0, ended_r_q = 1'b0;
    logic [31:0] rdata_q;
    always @(posedge clk) begin
      if ((host_we || host_re) && (bvalid || rvalid))
        $display("host access while a response waits");
      if (bvalid && !(aw_q && w_q) || rvalid && !ar_q)
        $display("a response to an access that was not accepted");
    end
    always_ff @(posedge clk) begin
      if (ends_r) rdata_q <= rdata;
      if (!req || done_access || rst) {aw_q, w_q, ar_q, ended_w_q, ended_r_q} <= '0;
      else {aw_q, w_q, ar_q, ended_w_q, ended_r_q} <=
          {aw_q | (awvalid & awready), w_q | (wvalid & wready), ar_q | (arvalid & arready),
           ended_w_q | ends_w, ended_r_q | ends_r};
      if (done_access) begin
        wait_aw <= $urandom_range(3);
        wait_w  <= $urandom_range(3);
        wait_b  <= $urandom_range(12);
      end
    end
    wire [AddrBits-1:0] read_addr = both ? bus_addr + 1'b1 : bus_addr;
    // A channel that is not valid carries something else.
    rc_axi_lite #(.FieldBits(FieldBits)) u_bus (
      .clk_i(clk), .rst_ni(~rst), .awvalid_i(awvalid), .awready_o(awready),
      .awaddr_i({bus_addr, wdata[1:0]} ^ {AddrBits+2{~awvalid}}), .awprot_i(wdata[4:2]),
      .wvalid_i(wvalid), .wready_o(wready), .wdata_i(wdata ^ {32{~wvalid}}),
      .wstrb_i(sel ^ {4{~wvalid}}), .bvalid_o(bvalid), .bready_i(ready), .bresp_o(bresp),
      .arvalid_i(arvalid), .arready_o(arready),
      .araddr_i({read_addr, wdata[1:0]} ^ {AddrBits+2{~arvalid}}), .arprot_i(wdata[4:2]),
      .rvalid_o(rvalid), .rready_i(ready), .rdata_o(rdata), .rresp_o(rresp), .host_we_o(host_we),
      .host_re_o(host_re), .host_addr_o(host_addr), .host_wdata_o(host_wdata),
      .host_rdata_i(host_rdata), .host_error_i(host_error), .host_ready_i(host_ready),
      .start_o(start)
    );
    assign done_access = both ? (ends_w || ended_w_q) && (ends_r || ended_r_q) : ends_w || ends_r;
    assign word        = ended_r_q ? rdata_q : rdata;
    assign refused     = bvalid ? bresp == 2'b10 : rresp == 2'b10;
  end else begin : g_apb
    wire pready, pslverr;
    logic early = 1'b0;                              // penable_i rises together with psel_i
    always_ff @(posedge clk) if (done_access) early <= $urandom_range(1) == 1;
    rc_apb #(.FieldBits(FieldBits)) u_bus (
      .clk_i(clk), .rst_ni(~rst), .psel_i(req), .penable_i(req && (age > 0 || early)),
      .pwrite_i(we),
      .paddr_i({bus_addr, wdata[1:0]}), .pprot_i(wdata[4:2]), .pstrb_i(sel), .pwdata_i(wdata),
      .pready_o(pready), .prdata_o(word), .pslverr_o(pslverr), .host_we_o(host_we),
      .host_re_o(host_re), .host_addr_o(host_addr), .host_wdata_o(host_wdata),
      .host_rdata_i(host_rdata), .host_error_i(host_error), .host_ready_i(host_ready),
      .start_o(start)
    );
    assign done_access = pready;
    assign refused     = pslverr;
  end

  logic [31:0] answer;
  int          refusals = 0;

  task automatic access(input logic writes, input logic [31:0] at, input logic [31:0] data);
    req   = 1'b1;
    we    = writes;
    addr  = at;
    wdata = data;
    @(posedge clk);
    while (!done_access) @(posedge clk);
    answer = word;
    if (refused) refusals = refusals + 1;
    @(negedge clk);
    req = 1'b0;
    if ($urandom_range(1) == 1) @(negedge clk);
  endtask

  // Prints the accesses of the host port, except those that end early, which may or may not reach
  // it, and except those during a run. No access reaches it during a reset.
  logic rst_q = 1'b1;
  always @(posedge clk) begin
    rst_q <= rst;
    if (host_we && host_ready && !quiet) $display("write %h: %h", host_addr, host_wdata);
    if (host_re && host_ready && !quiet) $display("read %h", host_addr);
    if (rst && rst_q && (host_we || host_re || start || done_access)) $display("heard of in reset");
  end

  // Ends an access, a read or a rejected write, without an answer when it is `old` cycles old: by a
  // reset of `cycles` cycles or, if `cycles` is 0, because the master continues with the next
  // access, which only Wishbone allows (on other buses, by a reset of one cycle). The next word
  // read must not be the answer to it.
  task automatic end_access(input int old, input logic writes, input int cycles);
    quiet = 1'b1;
    {req, we, sel, addr} = {1'b1, writes, writes ? 4'b0110 : 4'b1111, 32'h40000000};
    repeat (old) @(negedge clk);
    rst = cycles > 0 || Bus == 0 || Bus > 2;
    req = rst;
    repeat (cycles > 0 ? cycles : 1) begin
      @(negedge clk);
      if (Bus == 3) req = 1'b0;                      // an AXI4-Lite master ends requests in a reset
    end
    {req, rst, quiet, sel} = 7'b0001111;
    while (busy) @(negedge clk);
    access(1'b0, 32'h40000001, '0);
    $display("%h", answer);
  endtask

  // Writes a word and reads the next address, at the same time if the bus allows it. write_first is
  // the order on the other buses: the order of AXI4-Lite, on which writes and reads alternate.
  task automatic write_and_read(input logic write_first, input logic [31:0] at,
                                input logic [31:0] data);
    logic [31:0] read;
    if (Bus == 3) begin
      both = 1'b1;
      access(1'b1, at, data);
      both = 1'b0;
      read = answer;
    end else begin
      if (write_first) access(1'b1, at, data);
      access(1'b0, at + 1, '0);
      read = answer;
      if (!write_first) access(1'b1, at, data);
    end
    $display("%h", read);
  endtask

  int cycle = 0;
  always @(negedge clk) if (run && host_ready) begin
    cycle = cycle + 1;
    for (int node = 0; node < Ports; node++)
      if (strobe && obs[node*32+31]) $display("cycle %0d: %h", cycle, obs[node*32 +: 32]);
  end

  // Random numbers that do not depend on the waits of a master, so they are the same for each bus.
  int seed = 1;

  task automatic random_access;
    logic [31:0] at, data;
    logic        writes;
    at     = $random(seed);
    data   = $random(seed);
    writes = data[31] && at[30:28] != '0;
    sel    = writes && data[30] ? at[3:0] : '1;
    access(writes, {at[31:28], 28'(at[FieldBits-1:0])}, {data[15:0], data[31:16]});
    if (!writes) $display("%h: %h", at, answer);
  endtask

  // Flits of several parts: writes and reads those of flit `flit` of packet 2 of node 5.

  logic [31:0] part [2][Parts];                      // of flits 3 and 4
  int          wrong_parts = 0;

  function automatic logic [31:0] part_address(input int flit, input int p);
    part_address = 32'h40000000 | ((((5 * Packets + 2) * Flits) + flit) << PartBits) | p;
  endfunction

  // The bits of a part that a flit has; the highest of the last part is the held bit.
  function automatic logic [31:0] part_mask(input int p);
    part_mask = p < Parts - 1 ? '1 : {1'b1, 31'((32'd1 << (Width % 32)) - 32'd1)};
  endfunction

  task automatic put_part(input int flit, input int p);
    part[flit-3][p] = $random(seed);
    access(1'b1, part_address(flit, p), part[flit-3][p]);
  endtask

  task automatic check_parts;
    for (int p = 0; p < 1 << PartBits; p++)
      for (int flit = 3; flit < 5; flit++) begin
        access(1'b0, part_address(flit, p), '0);
        if (answer !== (p < Parts ? part[flit-3][p] & part_mask(p) : '0))
          wrong_parts = wrong_parts + 1;
      end
  endtask

  task automatic reset_machine;
    rst = 1'b1;
    @(negedge clk) rst = 1'b0;
    while (busy) @(negedge clk);
  endtask

  task automatic part_cases;
    for (int p = 0; p < Parts; p++) begin            // two flits at once
      put_part(3, p);
      put_part(4, Parts - 1 - p);
    end
    check_parts();
    for (int p = 0; p < Parts; p++) put_part(4, (p * 2 + 1) % Parts);  // not all of them in order
    check_parts();
    for (int p = 0; p < Parts; p++) begin            // a reset after each part
      put_part(3, p);
      reset_machine();
    end
    check_parts();
    for (int kept = 0; kept < Parts; kept += 4) begin  // a part that is not written
      for (int p = 0; p < Parts; p++) if (p != kept) put_part(4, p);
      check_parts();
    end
    sel = 4'b0011;                                   // writes that are rejected or have no effect
    access(1'b1, part_address(3, 0), 32'h1234);
    sel = 4'b0000;
    access(1'b1, part_address(3, Parts - 1), 32'h1234);
    sel = '1;
    for (int p = Parts; p < 1 << PartBits; p++) access(1'b1, part_address(3, p), '1);
    check_parts();
    $display("%0d parts wrong", wrong_parts);
  endtask

  logic [63:0] write [1024];

  initial begin
    $readmemh("image.writes", write);
    @(negedge clk) rst = 1'b0;
    while (busy) @(negedge clk);
    for (int k = 0; k < 2; k++) access(1'b1, 32'hc0000000 | k, 32'h80001000 | k);
    for (int old = 0; old < 4; old++)
      for (int cycles = 0; cycles < 3; cycles++)
        for (int writes = 0; writes < 2; writes++) end_access(old, writes[0], cycles);
    access(1'b1, 32'hc0000002, 32'h80001002);
    rst = 1'b1;
    @(negedge clk);
    rst = 1'b0;
    while (busy) @(negedge clk);
    write_and_read(1'b1, 32'h40000000, 32'h80001003);
    access(1'b1, 32'h40000000, 32'h80001004);
    for (int k = 0; k < 8; k++) begin                // the access before was a write; a read
      write_and_read(1'b0, 32'h40000000, 32'h80002000 | k);
      access(1'b0, 32'h40000000, '0);
      $display("%h", answer);
      write_and_read(1'b1, 32'h40000001, 32'h80003000 | k);
      write_and_read(1'b1, 32'h40000000, 32'h80004000 | k);
      access(1'b1, 32'h40000000, '0);
    end
    if (Parts > 1) part_cases();
    for (int k = 0; write[k] != '1; k++) access(1'b1, write[k][63:32], write[k][31:0]);
    sel = 4'b0110;                                   // these writes have no effect
    access(1'b1, 32'h00000008, 32'd1);
    access(1'b1, 32'hc0000000, 32'h80005555);
    access(1'b1, 32'h0000000b, 32'd1);
    sel = '1;
    $display("%0d refusals", refusals);
    access(1'b1, 32'h0000000b, 32'd1);
    quiet  = 1'b1;                                   // the waits of a master determine the cycle
    access(1'b1, 32'h0000000b, 32'd1);               // a second start, which is rejected
    access(1'b0, 32'h40000000, '0);                  // a read of a packet, which is rejected
    answer = '0;
    while (!answer[1]) access(1'b0, 32'h0000000b, '0);
    quiet  = 1'b0;
    $display("%0d refusals", refusals);
    for (int r = 0; r < 16; r++) begin
      access(1'b0, r, '0);
      $display("register %0d: %h", r, answer);
    end
    for (int node = 0; node < Ports; node++)
      for (int packet = 0; packet < Slots; packet++)
        for (int k = 0; k < Printed << PartBits; k++) begin
          access(1'b0, 32'h40000000 | (((node * Packets + packet) * Flits) << PartBits) | k, '0);
          $display("word %h", answer);
        end
    repeat (500) random_access();
    $display("%0d refusals", refusals);
    $finish(0);
  end

endmodule

`default_nettype wire
