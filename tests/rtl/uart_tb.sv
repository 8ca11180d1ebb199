// SPDX-License-Identifier: Apache-2.0
// uart_tb: a host that communicates with rc_uart over a bad line, with a machine of 256 words, of
// which it rejects accesses to the last one.
//
// The line is slower or faster than the divider specifies, or wrong for single cycles. A bit of a
// frame is wrong, a stop bit is low, a frame ends early, or other bytes arrive between frames. A
// valid frame must be executed exactly once and answered accordingly; any other must have no
// effect. Prints the errors, and ends with PASS or FAIL. tests/cli/uart.sh runs it, also on faulty
// RTL.
`default_nettype none
`timescale 1ns/1ns

module uart_tb #(
  parameter int Divider = 12,
  parameter int Frames  = 10,                        // number of frames of each kind
  parameter int Step    = 1                          // bits that are made wrong: 0, Step, ...
);

  logic        clk = 1'b0, rst = 1'b1, rx = 1'b1;
  wire         tx, reset, we, re, start;
  wire  [31:0] addr, wdata;
  logic [31:0] rdata, read_1, read_2;
  logic [2:0]  rejected = '0;
  int          wrong = 0, seed = 1;

  always #5 clk = ~clk;                              // a cycle is 10 ns

  rc_uart #(.Divider(Divider)) u_uart (
    .clk_i(clk), .rst_i(rst), .rx_i(rx), .tx_o(tx), .reset_o(reset), .host_we_o(we),
    .host_re_o(re), .host_addr_o(addr), .host_wdata_o(wdata), .host_rdata_i(rdata),
    .host_error_i(rejected[2]), .start_o(start)
  );

  // The machine: returns the word of a read after three cycles, or rejects an access, and counts
  // accesses.

  logic [31:0] memory [0:255];
  int          writes = 0, reads = 0, starts = 0, resets = 0;

  always @(posedge clk) begin
    read_1 <= memory[addr[7:0]];
    read_2 <= read_1;
    rdata  <= read_2;
    rejected <= {rejected[1:0], (we | re) & (&addr[7:0])};
    if (we) memory[addr[7:0]] <= wdata;
    if (!rst) begin
      writes = writes + int'(we);
      reads  = reads + int'(re);
      starts = starts + int'(start);
      resets = resets + int'(reset);
    end
  end

  // The host end of the line, with its own clock: duration of a bit in ns, and the number of bits
  // in a thousand that are wrong for one cycle.

  int bit_time = 10 * Divider, glitches = 0;

  function automatic int random(input int below);
    random = $unsigned($random(seed)) % below;
  endfunction

  task automatic put_bit(input logic level);
    int at;
    rx = level;
    if (random(1000) < glitches) begin
      at = 10 + random(bit_time - 40);               // not adjacent to a glitch of another bit
      #(at) rx = ~level;
      #10 rx = level;
      #(bit_time - at - 10);
    end else #(bit_time);
  endtask

  task automatic put(input logic [7:0] value, input logic stop);
    put_bit(1'b0);
    for (int k = 0; k < 8; k++) put_bit(value[k]);
    put_bit(stop);
    if (!stop) put_bit(1'b1);
  endtask

  // Receives bytes into a ring buffer. The line must be stable during each bit.

  logic [7:0] heard [0:15];
  int         heard_count = 0;
  logic [9:0] bits;
  realtime    begun = 0;

  initial forever begin
    @(negedge tx);
    if (heard_count % 6 != 0 && $realtime - begun > 10 * (10 * Divider + 2))
      complain("an answer's byte that comes late");
    begun = $realtime;
    for (int k = 0; k < 10; k++) begin               // start bit, 8 data bits, stop bit
      #10 bits[k] = tx;
      #(10 * Divider - 20) if (tx !== bits[k]) complain("an answer's bit that is not whole");
      if (k < 9) #10;
    end
    if (bits[9] !== 1'b1) complain("an answer without a stop bit");
    heard[heard_count % 16] = bits[8:1];
    heard_count = heard_count + 1;
  end

  task automatic complain(input [8*60-1:0] what);
    if (wrong < 10) $display("%0t: %0s", $time, what);
    wrong = wrong + 1;
  endtask

  // Returns the check from its definition: the remainder of a polynomial division, bit by bit.
  function automatic logic [7:0] remainder(input logic [71:0] bytes, input int count);
    remainder = 8'hff;
    for (int k = 0; k < count; k++)
      for (int b = 7; b >= 0; b--)
        remainder = {remainder[6:0], 1'b0} ^
            ((remainder[7] ^ bytes[8*k+b]) ? 8'b00000111 : 8'b0);
  endfunction

  // Sends the first `count` bytes of a frame. `broken` selects a wrong bit: 0 ... 79 a bit of the
  // bytes, 80 ... 89 a low stop bit, -1 none.
  task automatic frame(input logic [7:0] what, input logic [31:0] to, input logic [31:0] word,
                       input int broken, input int count);
    logic [79:0] bytes;
    bytes[71:0] = {word, to, what};
    bytes[79:72] = remainder(bytes[71:0], 9);
    if (broken >= 0 && broken < 80) bytes[broken] = ~bytes[broken];
    for (int k = 0; k < count; k++) put(bytes[8*k +: 8], broken != 80 + k);
  endtask

  // Waits for an answer and checks its status (done: accepted), word and check.
  task automatic answered(input logic done, input logic [31:0] word);
    logic [47:0] bytes;
    int          first;
    first = heard_count;
    for (int k = 0; k < 100 * Divider && heard_count < first + 6; k++) @(negedge clk);
    for (int k = 0; k < 6; k++) bytes[8*k +: 8] = heard[(heard_count + 10 + k) % 16];
    if (heard_count != first + 6) complain("no answer, or half of one");
    else if (bytes[7:0] != (done ? "K" : "N")) complain("an answer that says the other");
    else if (bytes[39:8] != word) complain("another word");
    else if (remainder(bytes[39:0], 5) != bytes[47:40]) complain("a wrong check");
  endtask

  task automatic counted(input int w, input int r, input int s, input int x);
    if (writes != w || reads != r || starts != s || resets != x) complain("done too often, or not");
    {writes, reads, starts, resets} = '0;
  endtask

  task automatic accesses(input int count);          // writes and reads `count` random words
    logic [31:0] to, word;
    for (int k = 0; k < count; k++) begin
      to   = {24'($random(seed)), 8'(12 + random(243))};
      word = $random(seed);
      frame("W", to, word, -1, 10);
      answered(1'b1, 0);
      frame("R", to, $random(seed), -1, 10);
      answered(1'b1, word);
      counted(1, 1, 0, 0);
    end
  endtask

  initial begin
    for (int k = 0; k < 256; k++) memory[k] = k;
    #200 rst = 1'b0;
    #200 accesses(Frames);
    frame("W", 32'd11, 32'd1, -1, 10);
    answered(1'b1, 0);
    counted(1, 0, 1, 0);
    frame("X", 32'd0, 32'd0, -1, 10);
    answered(1'b1, 0);
    counted(0, 0, 0, 1);
    frame("W", 32'd255, 32'd1, -1, 10);              // the machine rejects these
    answered(1'b0, 0);
    frame("R", 32'd255, 32'd1, -1, 10);
    answered(1'b0, 0);
    counted(1, 1, 0, 0);
    bit_time = 10 * Divider * 97 / 100;              // a host that is 3 % too fast
    accesses(Frames);
    bit_time = 10 * Divider * 103 / 100;             // a host that is 3 % too slow
    accesses(Frames);
    bit_time = 10 * Divider;
    glitches = 1000;                                 // noise: a wrong cycle in each bit
    accesses(Frames);
    glitches = 0;
    for (int k = 0; k < 90; k += Step) begin         // wrong bits, and low stop bits
      frame("W", 32'h40000020, 32'h12345678, k, 10);
      if (k >= 8 && k != 80) answered(1'b0, 0);
      else for (int zero = 0; zero < 10; zero++) put(8'd0, 1'b1);  // the frame was not recognised
      counted(0, 0, 0, 0);
      accesses(1);
    end
    for (int k = 1; k < 10; k++) begin               // incomplete frames
      frame("W", 32'h40000020, 32'h12345678, -1, k);
      for (int zero = 0; zero < 10; zero++) put(8'd0, 1'b1);
      #(800 * Divider);
      counted(0, 0, 0, 0);
      accesses(1);
    end
    for (int k = 0; k < 256; k++)                    // bytes that begin no frame
      if (k != "W" && k != "R" && k != "X") put(8'(k), 1'b1);
    rx = 1'b0;                                       // a break condition
    #(500 * Divider) rx = 1'b1;
    #(100 * Divider) counted(0, 0, 0, 0);
    accesses(1);
    $display("%0s", wrong == 0 ? "PASS" : "FAIL");
    $finish(0);
  end

endmodule

`default_nettype wire
