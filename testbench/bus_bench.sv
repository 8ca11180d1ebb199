// SPDX-License-Identifier: Apache-2.0
// bus_bench: loads, starts and reads a machine over one of the buses of rtl/bus, or the host port
// alone, and prints what it did and what it holds: the same over each. cases/buses.sh compares.
//
// A master waits at random where its bus lets it: AXI4-Lite's before it offers address and data,
// each for itself, and before it takes a response. It also writes single bytes, which the host port
// does not know: each bus but the bare one refuses them.
`default_nettype none

module bus_bench #(
  parameter int Bus = 0,  // 0 host port, 1 Wishbone, 2 pipelined Wishbone, 3 AXI4-Lite, 4 APB
  parameter int FieldBits = 10
);

  localparam int Ports = 8, Packets = 16, Flits = 8, AddrBits = FieldBits + 4;

  logic        clk = 1'b0, rst = 1'b1;
  logic        req = 1'b0, we = 1'b0;                // an access, until done
  logic [3:0]  sel = '1;
  logic [31:0] addr = '0, wdata = '0;
  wire         done_access, refused;
  wire         host_we, host_re, start, run, done, strobe;
  wire  [31:0] host_addr, host_wdata, host_rdata, word;
  wire  [Ports*32-1:0] obs;
  wire  [AddrBits-1:0] bus_addr = {addr[31:28], addr[FieldBits-1:0]};
  wire         whole = &sel;

  always #5 clk = ~clk;

  rc_multistage_machine #(
    .Ports(Ports), .Pipe(1), .Width(31), .Packets(Packets), .Flits(Flits), .Rows(64)
  ) u_machine (
    .clk_i(clk), .rst_i(rst), .host_we_i(host_we), .host_re_i(host_re), .host_addr_i(host_addr),
    .host_wdata_i(host_wdata), .host_rdata_o(host_rdata), .start_i(start), .run_o(run),
    .done_o(done), .obs_strobe_o(strobe), .obs_o(obs)
  );

  // How many cycles an access is old: a master's clock.
  int age = 0;
  always_ff @(posedge clk) age <= req && !done_access ? age + 1 : 0;

  if (Bus == 0) begin : g_none
    wire starts = addr == 32'h0000000b;
    assign {host_we, host_re} = age == 0 ? {req & we & whole, req & ~we} : 2'b0;
    assign {host_addr, host_wdata} = {addr, wdata};
    assign word        = host_rdata;
    assign start       = req && we && whole && starts && wdata[0] && age == 1;
    assign done_access = age == 3;
    assign refused     = we & ~whole;
  end else if (Bus < 3) begin : g_wishbone
    wire ack, err, stall;
    rc_wishbone #(.Pipelined(Bus - 1), .FieldBits(FieldBits)) u_bus (
      .clk_i(clk), .rst_i(rst), .cyc_i(req), .stb_i(Bus == 1 ? req : req && age == 0), .we_i(we),
      .adr_i(bus_addr), .sel_i(sel), .dat_i(wdata), .dat_o(word), .ack_o(ack), .err_o(err),
      .stall_o(stall), .host_we_o(host_we), .host_re_o(host_re), .host_addr_o(host_addr),
      .host_wdata_o(host_wdata), .host_rdata_i(host_rdata), .start_o(start)
    );
    assign done_access = ack | err;
    assign refused     = err;
  end else if (Bus == 3) begin : g_axi
    wire awready, wready, bvalid, arready, rvalid;
    wire [1:0] bresp, rresp;
    logic aw_q = 1'b0, w_q = 1'b0, ar_q = 1'b0;      // taken
    int wait_aw = 0, wait_w = 0, wait_b = 0;
    always_ff @(posedge clk) begin
      if (!req || done_access) {aw_q, w_q, ar_q} <= '0;
      else {aw_q, w_q, ar_q} <= {aw_q | awready, w_q | wready, ar_q | arready};
      if (done_access) begin
        wait_aw <= $urandom_range(3);
        wait_w  <= $urandom_range(3);
        wait_b  <= $urandom_range(12);
      end
    end
    wire ready = age > wait_b;
    rc_axi_lite #(.FieldBits(FieldBits)) u_bus (
      .clk_i(clk), .rst_ni(~rst), .awvalid_i(req && we && !aw_q && age >= wait_aw),
      .awready_o(awready), .awaddr_i({bus_addr, wdata[1:0]}), .awprot_i(wdata[4:2]),
      .wvalid_i(req && we && !w_q && age >= wait_w), .wready_o(wready), .wdata_i(wdata),
      .wstrb_i(sel), .bvalid_o(bvalid), .bready_i(ready), .bresp_o(bresp),
      .arvalid_i(req && !we && !ar_q && age >= wait_aw), .arready_o(arready),
      .araddr_i({bus_addr, wdata[1:0]}), .arprot_i(wdata[4:2]), .rvalid_o(rvalid), .rready_i(ready),
      .rdata_o(word), .rresp_o(rresp), .host_we_o(host_we), .host_re_o(host_re),
      .host_addr_o(host_addr), .host_wdata_o(host_wdata), .host_rdata_i(host_rdata),
      .start_o(start)
    );
    assign done_access = ready && (bvalid || rvalid);
    assign refused     = bvalid ? bresp == 2'b10 : rresp == 2'b10;
  end else begin : g_apb
    wire pready, pslverr;
    rc_apb #(.FieldBits(FieldBits)) u_bus (
      .clk_i(clk), .rst_ni(~rst), .psel_i(req), .penable_i(age > 0), .pwrite_i(we),
      .paddr_i({bus_addr, wdata[1:0]}), .pprot_i(wdata[4:2]), .pstrb_i(sel), .pwdata_i(wdata),
      .pready_o(pready), .prdata_o(word), .pslverr_o(pslverr), .host_we_o(host_we),
      .host_re_o(host_re), .host_addr_o(host_addr), .host_wdata_o(host_wdata),
      .host_rdata_i(host_rdata), .start_o(start)
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

  int cycle = 0;
  always @(negedge clk) if (run) begin
    cycle = cycle + 1;
    for (int node = 0; node < Ports; node++)
      if (strobe && obs[node*32+31]) $display("cycle %0d: %h", cycle, obs[node*32 +: 32]);
  end

  // Drawn apart from what a master waits, so that they are the same over each bus.
  int seed = 1;

  task automatic random_access();
    logic [31:0] at, data;
    logic        writes;
    at     = $random(seed);
    data   = $random(seed);
    writes = data[31] && at[30:28] != '0;
    sel    = writes && data[30] ? at[3:0] : '1;
    access(writes, {at[31:28], 28'(at[FieldBits-1:0])}, {data[15:0], data[31:16]});
    if (!writes) $display("%h: %h", at, answer);
  endtask

  logic [63:0] write [1024];

  initial begin
    $readmemh("image.writes", write);
    repeat (16) @(negedge clk);
    rst = 1'b0;
    @(negedge clk);
    for (int k = 0; write[k] != '1; k++) access(1'b1, write[k][63:32], write[k][31:0]);
    sel = 4'b0110;                                   // registers and packets stay as they are
    access(1'b1, 32'h00000008, 32'd1);
    access(1'b1, 32'hc0000000, 32'h80005555);
    access(1'b1, 32'h0000000b, 32'd1);
    sel = '1;
    $display("%0d refusals", refusals);
    access(1'b1, 32'h0000000b, 32'd1);
    answer = '0;
    while (!answer[1]) access(1'b0, 32'h0000000b, '0);
    for (int r = 0; r < 16; r++) begin
      access(1'b0, r, '0);
      $display("register %0d: %h", r, answer);
    end
    for (int k = 0; k < Ports * Packets * Flits; k++) begin
      access(1'b0, 32'h40000000 | k, '0);
      $display("%h", answer);
    end
    repeat (500) random_access();
    $display("%0d refusals", refusals);
    $finish;
  end

endmodule

`default_nettype wire
