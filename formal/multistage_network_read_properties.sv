// SPDX-License-Identifier: Apache-2.0
// multistage_network_read_properties: the host reads from the tables of a Benes network what it
// wrote.
//
//  1. From the cycle after a read until the next fetch or read, the word for the host contains the
//     settings that were written last into the addressed row of the addressed stage; 0 if there is
//     no such stage.
//  2. A write to a row of a stage changes no other row or stage.
//
// The proof follows an arbitrary row of an arbitrary stage, with any writes, reads, fetches and
// lanes. The result of a read is not specified if the same row is written in the same cycle,
// because block RAMs differ in this.
`default_nettype none

module multistage_network_read_properties #(
  parameter int Ports    = 4,                        // 3 stages of 2 switches
  parameter int LaneBits = 1,
  parameter int Stages   = 3,
  parameter int Switches = 2
) (
  input  wire                      clk_i,
  input  wire                      fetch_i,
  input  wire                      setting_index_i,  // one of two rows
  input  wire [Ports*LaneBits-1:0] lanes_i,
  input  wire                      host_we_table_i,
  input  wire                      host_re_memory_i,
  input  wire [1:0]                host_bank_i,
  input  wire                      host_row_i,
  input  wire [31:0]               host_data_i,
  output wire                      cover_read_o,
  output wire                      cover_none_o
);

  wire [31:0] rdata;

  rc_multistage_network #(.Ports(Ports), .LaneBits(LaneBits)) u_network (
    .clk_i, .ce_i(1'b1), .operation_i(3'd0), .fetch_i, .setting_index_i, .side_i(1'b0), .fetch_o(),
    .setting_index_o(), .side_o(),
    .lanes_i, .lanes_o(), .host_we_table_i, .host_re_memory_i, .host_bank_i, .host_row_i,
    .host_column_i(1'b0), .host_data_i, .host_rdata_o(rdata)
  );

  wire [1:0]           stage = $anyconst;
  wire                 row   = $anyconst;
  wire                 mine  = host_bank_i == stage && host_row_i == row;
  logic                known_q = 1'b0;               // the row has been written
  logic [Switches-1:0] written_q;

  always_ff @(posedge clk_i) if (host_we_table_i && mine) begin
    known_q   <= 1'b1;
    written_q <= host_data_i[Switches-1:0];
  end

  // A wavefront also fetches a row in each stage that it passes: from then on, the word of an
  // earlier read is not checked.
  logic [Stages:0] wave_q = '0;                      // a fetch is at stage s
  wire  [Stages:0] wave   = {wave_q[Stages-1:0], fetch_i};
  always_ff @(posedge clk_i) wave_q <= wave;

  logic                reads_q = 1'b0, exists_q;
  logic [Switches-1:0] read_q;
  always_ff @(posedge clk_i) begin
    if (host_re_memory_i) begin
      reads_q  <= mine && (32'(stage) >= Stages || (known_q && !host_we_table_i));
      exists_q <= 32'(stage) < Stages;
      read_q   <= written_q;
    end else if (wave[stage]) begin
      reads_q <= 1'b0;
    end
  end

  always_comb if (reads_q) as_written: assert (rdata == (exists_q ? 32'(read_q) : '0));

`ifndef REFUTE
  // Yosys gives the block of an `else if` a generated name (genblk8).
  wire [Stages-1:0] there, read;
  for (genvar s = 0; s < Stages; s++) begin : \u_network.g_stage
    (* hierconn *) wire [Switches-1:0]
        \u_stage.genblk8.g_table.u_table.g_column[0].u_table.mem[0] ,
        \u_stage.genblk8.g_table.u_table.g_column[0].u_table.mem[1] ,
        \u_stage.genblk8.g_table.u_table.g_column[0].u_table.rdata_o ;
    assign there[s] = 32'(stage) != s || written_q ==
        (row ? \u_stage.genblk8.g_table.u_table.g_column[0].u_table.mem[1]
             : \u_stage.genblk8.g_table.u_table.g_column[0].u_table.mem[0] );
    assign read[s] = 32'(stage) != s ||
        \u_stage.genblk8.g_table.u_table.g_column[0].u_table.rdata_o == read_q;
  end
  always_comb if (known_q) is_there: assert (there == '1);
  always_comb if (reads_q) is_read: assert (read == '1);
  (* hierconn *) wire [1:0] \u_network.stage_q ;
  always_comb if (reads_q)
    addressed: assert ( \u_network.stage_q == stage && exists_q == (32'(stage) < Stages));
`endif

  assign cover_read_o = reads_q && exists_q && stage == 2'd1 && rdata == 32'd3 &&
      host_bank_i == 2'd2;
  assign cover_none_o = reads_q && !exists_q && rdata == '0;

endmodule

`default_nettype wire
