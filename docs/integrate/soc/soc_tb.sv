// SPDX-License-Identifier: Apache-2.0
// soc_tb: a system of a RISC-V processor (RV32I), a memory, a console and a machine on AXI4-Lite,
// whose interrupt the processor waits for with wfi. docs/integrate.md shows how to run it.
//
//     00000000   memory, 64 KiB, loaded from firmware.hex; execution begins here
//     2000000   a write prints a character; at 2000004, it ends the simulation with this status
//     40000000   the machine, 64 KiB
//
// The processor executes one instruction at a time, in two cycles; an access to the machine lasts
// until its response. It has no control registers: ecall and ebreak end the simulation.
module soc_tb;
  parameter Ports = 8, Packets = 16, Flits = 8, Rows = 64, Width = 16;  // from the image

  reg clk = 0, rst_n = 0;
  always #5 clk = ~clk;
  initial begin
    repeat (4) @(negedge clk);
    rst_n = 1;
  end

  // The machine.

  reg         awvalid = 0, wvalid = 0, arvalid = 0;
  reg  [31:0] address = 0, wdata = 0;
  reg  [3:0]  wstrb = 0;
  wire        awready, wready, arready, bvalid, rvalid, irq;
  wire [31:0] rdata;
  wire [1:0]  bresp, rresp;

  rc_multistage_axi #(
    .Ports(Ports), .Width(Width), .Packets(Packets), .Flits(Flits), .Rows(Rows),
    .C_S_AXI_ADDR_WIDTH(16)
  ) machine (
    .s_axi_aclk(clk), .s_axi_aresetn(rst_n), .s_axi_awaddr(address[15:0]), .s_axi_awprot(3'b0),
    .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb),
    .s_axi_wvalid(wvalid), .s_axi_wready(wready), .s_axi_bresp(bresp), .s_axi_bvalid(bvalid),
    .s_axi_bready(1'b1), .s_axi_araddr(address[15:0]), .s_axi_arprot(3'b0),
    .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
    .s_axi_rvalid(rvalid), .s_axi_rready(1'b1), .irq(irq), .busy(), .done(), .error()
  );

  // The memory.

  reg [31:0] memory [0:16383];
  initial $readmemh("firmware.hex", memory);

  // The processor: fetch, execute, and wait for the machine.

  localparam Fetch = 2'd0, Execute = 2'd1, Bus = 2'd2;
  localparam Lui = 5'h0d, Auipc = 5'h05, Jal = 5'h1b, Jalr = 5'h19, Branch = 5'h18, Load = 5'h00,
      Store = 5'h08, Immediate = 5'h04, Register = 5'h0c, Fence = 5'h03;
  localparam Wfi = 32'h10500073;

  reg [1:0]  state = Fetch;
  reg [31:0] pc = 0, instruction = 0, result, next;
  reg [31:0] x [0:31];
  integer    k;
  initial for (k = 0; k < 32; k = k + 1) x[k] = 0;

  wire [4:0]  opcode = instruction[6:2];
  wire [2:0]  funct3 = instruction[14:12];
  wire [4:0]  rd     = instruction[11:7];
  wire [31:0] a      = x[instruction[19:15]];
  wire [31:0] b      = x[instruction[24:20]];
  wire [31:0] imm_i  = {{20{instruction[31]}}, instruction[31:20]};
  wire [31:0] imm_s  = {{20{instruction[31]}}, instruction[31:25], instruction[11:7]};
  wire [31:0] imm_b  = {{20{instruction[31]}}, instruction[7], instruction[30:25],
                        instruction[11:8], 1'b0};
  wire [31:0] imm_j  = {{12{instruction[31]}}, instruction[19:12], instruction[20],
                        instruction[30:21], 1'b0};
  wire [31:0] data_address = a + (opcode == Store ? imm_s : imm_i);
  wire [1:0]  byte_in_word = data_address[1:0];
  wire [3:0]  strobes = (funct3[1:0] == 2'd0 ? 4'b0001 : funct3[1:0] == 2'd1 ? 4'b0011 : 4'b1111)
      << byte_in_word;
  wire [31:0] store_data = b << {byte_in_word, 3'b0};
  wire [31:0] operand = opcode == Register ? b : imm_i;

  // Arithmetic and logic.
  reg [31:0] value;
  always @* case (funct3)
    3'd0: value = opcode == Register && instruction[30] ? a - operand : a + operand;
    3'd1: value = a << operand[4:0];
    3'd2: value = {31'b0, $signed(a) < $signed(operand)};
    3'd3: value = {31'b0, a < operand};
    3'd4: value = a ^ operand;
    3'd5: value = instruction[30] ? $unsigned($signed(a) >>> operand[4:0]) : a >> operand[4:0];
    3'd6: value = a | operand;
    3'd7: value = a & operand;
  endcase

  reg taken;
  always @* case (funct3)
    3'd0:    taken = a == b;
    3'd1:    taken = a != b;
    3'd4:    taken = $signed(a) < $signed(b);
    3'd5:    taken = $signed(a) >= $signed(b);
    3'd6:    taken = a < b;
    default: taken = a >= b;
  endcase

  // The part of a word that a load reads.
  function [31:0] loaded(input [31:0] word);
    reg [31:0] low;
    begin
      low = word >> {byte_in_word, 3'b0};
      case (funct3)
        3'd0:    loaded = {{24{low[7]}}, low[7:0]};
        3'd1:    loaded = {{16{low[15]}}, low[15:0]};
        3'd4:    loaded = {24'b0, low[7:0]};
        3'd5:    loaded = {16'b0, low[15:0]};
        default: loaded = low;
      endcase
    end
  endfunction

  always @(posedge clk) if (rst_n) begin
    if (awvalid && awready) awvalid <= 0;
    if (wvalid && wready) wvalid <= 0;
    if (arvalid && arready) arvalid <= 0;
    case (state)
      Fetch: begin
        instruction <= memory[pc[15:2]];
        state <= Execute;
      end
      Execute: begin
        state  <= Fetch;
        next    = pc + 4;
        result  = value;
        case (opcode)
          Lui:    result = {instruction[31:12], 12'b0};
          Auipc:  result = pc + {instruction[31:12], 12'b0};
          Jal:    begin result = next; next = pc + imm_j; end
          Jalr:   begin result = next; next = (a + imm_i) & ~32'd1; end
          Branch: if (taken) next = pc + imm_b;
          Load: begin
            result = loaded(memory[data_address[15:2]]);
            if (data_address[31:28] == 4'h4) begin
              address <= data_address;
              arvalid <= 1;
              state   <= Bus;
            end
          end
          Store: case (data_address[31:28])
            4'h0: for (k = 0; k < 4; k = k + 1)
                if (strobes[k]) memory[data_address[15:2]][8*k +: 8] <= store_data[8*k +: 8];
            4'h2: if (data_address[2]) $finish(0);
                else $write("%c", b[7:0]);
            default: begin
              {address, wdata, wstrb} <= {data_address, store_data, strobes};
              {awvalid, wvalid} <= 2'b11;
              state <= Bus;
            end
          endcase
          Immediate, Register, Fence: ;
          default:
            if (instruction == Wfi) begin if (!irq) next = pc; end
            else begin
              $display("the processor stops at %h", pc);
              $finish(0);
            end
        endcase
        pc <= next;
        if (rd != 0 && opcode != Branch && opcode != Store && opcode != Fence) x[rd] <= result;
      end
      default: begin                                 // wait for the response of the machine
        if (rvalid && rd != 0) x[rd] <= loaded(rdata);
        if (rvalid || bvalid) state <= Fetch;
      end
    endcase
  end

  initial begin
    repeat (200000) @(posedge clk);
    $display("no end after 200000 cycles");
    $finish(0);
  end
endmodule
