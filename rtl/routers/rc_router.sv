// SPDX-License-Identifier: Apache-2.0
// rc_router: a router that follows a table.
//
//                   row        +-------+  valid, source of each output  +-------------+
//     fetch ----------------> | table |-------------------------------->| router_core |--> lanes_o
//                             +-------+  slot of each source            |             |<-- lanes_i
//                                                                       +-------------+
//
// A row of the table is a row of the run. It has one column per source, port * Reads + read, of
// which the host writes 32 bits:
//
//     31      valid                  output `port` sends a packet         } in the columns
//     30..16  source                 the source whose packet it sends     } of read 0
//     15..0   slot                   the slot that this read port of input `port` delivers
//
// With Combine, the two highest bits of the source are fields of their own:
//
//     30      result                 output `port` sends the result of the row, and no source
//     29      operand                the packet of read 0 of input `port` is an operand of it
//
// Only the bits that the router requires are stored. There is no arbiter: each output sends at most
// one packet per row, as the table specifies. For a row whose first flit is on lanes_o in cycle c:
//
//     c-2     send_fetch, send_row   the table is read
//     c-1+k   tx_en, tx_flit         the buffers are read
//     c+k     flit k of the row on lanes_o
//
// An error sets a flag, which stays until the next start: sending from a slot that has received no
// packet, or sending twice in a row of a single-port run.
`default_nettype none
`include "../common/rc_require.svh"
`include "../shell/rc_shell_bus.svh"

module rc_router #(
  parameter int Ports      = 2,                      // inputs and outputs, >= 2
  parameter int Depth      = 1,  // packets of the buffer of an input, 1 ... 65535
  // packets that a buffer can deliver in one row, >= 1
  parameter int Reads      = 1,
  parameter int Width      = 1,                      // bits of a word, >= 1
  // largest number of flits of a packet, a power of two >= 2
  parameter int Flits      = 2,
  parameter int Rows       = 2,                      // rows of the table, a power of two >= 2
  parameter int Number     = 0,                      // number of the router in host addresses
  parameter int NumberBits = 1,
  parameter int Combine    = 0,                      // 1: the router combines packets
  parameter int Operators  = 127,  // with Combine: that are built (../shell/rc_combine.sv)
  parameter int Registers  = 0,                      // of the lanes (rc_router_core.sv)
  // bits of the column in host addresses, as in the largest router
  parameter int ColumnBits = $clog2(Ports * Reads),
  parameter bit [1023:0] Init = '0,  // initial contents of the table (rc_initial.sv)
  localparam int FlitBits = $clog2(Flits),
  localparam int RowBits  = $clog2(Rows),
  localparam int LaneBits = Width + 1,              // {valid, word}
  localparam int StepBits = rc_shell_bus::step_bits(Flits, Rows),
  localparam int HostBits = rc_shell_bus::host_bits(NumberBits, ColumnBits, Rows)
) (
  input  wire                      clk_i,
  input  wire                      rst_i,
  input  wire                      ce_i,         // clock enable of Registers
  input  wire                      start_i,      // empties the buffers and clears the flags
  input  wire [StepBits-1:0]       step_i,       // rc_shell_bus.sv
  input  wire [2:0]                operation_i,  // with Combine (../shell/rc_combine.sv)
  input  wire [Ports*LaneBits-1:0] lanes_i,
  output wire [Ports*LaneBits-1:0] lanes_o,
  output wire [Ports-1:0]          sends_o,      // valid, Registers cycles before lanes_o
  output wire [2:0]                flags_o,      // {0, twice, not held}
  // host port; used while the machine is idle
  input  wire [HostBits-1:0]       host_i,       // rc_shell_bus.sv; the bank is a router
  // one cycle after re_memory of host_i; 0 if not addressed
  output wire [31:0]               host_rdata_o
);

  `RC_REQUIRE(Rows, Rows >= 2 && (Rows & (Rows - 1)) == 0, "Rows must be a power of two, 2 or more")

  localparam int SlotBits   = Depth > 1 ? $clog2(Depth) : 1;
  localparam int Sources    = Ports * Reads;
  localparam int SourceBits = Sources > 1 ? $clog2(Sources) : 1;
  localparam int FlagBits   = Combine != 0 ? 3 : 1;  // {valid, result, operand}
  // bits of a column of read 0; other columns hold a slot
  localparam int EntryBits  = FlagBits + SourceBits + SlotBits;
  // of a column where one is selected: a power of two, because others need a multiplication
  localparam int Stride     = 1 << $clog2(EntryBits);

  typedef `RC_STEP(RowBits, FlitBits) step_t;
  step_t step;
  assign step = step_i;

  // Host port.

  typedef `RC_HOST(NumberBits, ColumnBits, RowBits) host_t;
  host_t host;
  assign host = host_i;

  wire                   selected = host.bank == NumberBits'(Number);
  logic                  selected_read_q;
  logic [ColumnBits-1:0] column_q;

  always_ff @(posedge clk_i) begin
    if (host.re_memory) begin
      selected_read_q <= selected;
      column_q        <= host.column;
    end
  end

  // Table.

  wire [Sources-1:0]           write;
  wire [Ports*EntryBits-1:0]   first;                // the columns of read 0
  wire [Sources*Stride-1:0]    entry;                // all columns, padded to the same width
  wire [Ports-1:0]             write_first;
  wire [Ports-1:0]             send_valid;
  wire [Ports-1:0]             send_result;          // with Combine, else 0
  wire [Ports-1:0]             operand;              // with Combine, else 0
  wire [Ports*SourceBits-1:0]  send_source;
  wire [Sources*SlotBits-1:0]  read_slot;

  for (genvar s = 0; s < Sources; s++) begin : g_write
    assign write[s] = selected && host.column == ColumnBits'(s);
  end

  rc_column_ram #(
    .Columns(Ports), .Width(EntryBits), .Depth(Rows), .Init(rc_initial::part(Init, "-", 0))
  ) u_table (
    .clk_i,
    .strobe_i(host.we_table),
    .we_i(write_first),
    .waddr_i(host.row),
    .wdata_i({host.data[32-FlagBits +: FlagBits], host.data[16 +: SourceBits],
              host.data[SlotBits-1:0]}),
    .re_i(step.send_fetch),
    .raddr_i(step.send_row),
    .rdata_o(first)
  );

  for (genvar p = 0; p < Ports; p++) begin : g_port
    assign write_first[p] = write[p*Reads];
    assign entry[p*Reads*Stride +: Stride] = Stride'(first[p*EntryBits +: EntryBits]);
    assign send_valid[p] = first[p*EntryBits+EntryBits-1];
    assign send_source[p*SourceBits +: SourceBits] = first[p*EntryBits+SlotBits +: SourceBits];
    assign read_slot[p*Reads*SlotBits +: SlotBits] = first[p*EntryBits +: SlotBits];

    if (Combine != 0) begin : g_result
      assign {send_result[p], operand[p]} = first[p*EntryBits+SlotBits+SourceBits +: 2];
    end else begin : g_result
      assign {send_result[p], operand[p]} = 2'b00;
    end
  end

  if (Reads > 1) begin : g_reads
    localparam int More = Reads - 1;
    wire [Ports*More-1:0]          write_more;
    wire [Ports*More*SlotBits-1:0] more;             // the slots of the other columns

    rc_column_ram #(
      .Columns(Ports * More), .Width(SlotBits), .Depth(Rows), .Init(rc_initial::part(Init, "-", 1))
    ) u_more (
      .clk_i,
      .strobe_i(host.we_table),
      .we_i(write_more),
      .waddr_i(host.row),
      .wdata_i(host.data[SlotBits-1:0]),
      .re_i(step.send_fetch),
      .raddr_i(step.send_row),
      .rdata_o(more)
    );

    for (genvar m = 0; m < Ports * More; m++) begin : g_column
      localparam int Source = m / More * Reads + m % More + 1;
      assign write_more[m] = write[Source];
      assign entry[Source*Stride +: Stride] = Stride'(more[m*SlotBits +: SlotBits]);
      assign read_slot[Source*SlotBits +: SlotBits] = more[m*SlotBits +: SlotBits];
    end
  end

  // Datapath.

  wire [Ports-1:0]          not_held;
  wire [Ports*SlotBits-1:0] write_slot;

  rc_router_core #(.Ports(Ports), .Depth(Depth), .Reads(Reads), .Width(Width),
                   .Flits(Flits), .Combine(Combine), .Operators(Operators),
                   .Registers(Registers)) u_core (
    .clk_i,
    .rst_i,
    .ce_i,
    .start_i,
    .forward_i(step.forward),
    .tx_en_i(step.tx_en),
    .tx_flit_i(step.tx_flit),
    .send_valid_i(send_valid),
    .send_source_i(send_source),
    .read_slot_i(read_slot),
    .send_result_i(send_result),
    .operand_i(operand),
    .operation_i,
    .rx_en_i(step.rx_en),
    .rx_last_i(step.rx_last),
    .rx_flit_i(step.rx_flit),
    .lanes_i,
    .lanes_o,
    .sends_o,
    .write_slot_o(write_slot),
    .not_held_o(not_held)
  );

  // Flags.

  logic not_held_q, twice_q;

  always_ff @(posedge clk_i) begin
    if (|not_held) not_held_q <= 1'b1;
    if (step.tx_en & step.single_port) begin
      if (|(send_valid & (send_valid - 1'b1))) twice_q <= 1'b1;
    end
    if (rst_i | start_i) begin
      not_held_q <= 1'b0;
      twice_q    <= 1'b0;
    end
  end

  assign flags_o = {1'b0, twice_q, not_held_q};

  // Host reads.

  wire [EntryBits-1:0] column =
      32'(column_q) < Sources ? entry[32'(column_q)*Stride +: EntryBits] : '0;
  wire [31:0]          flags  = {29'b0, flags_o};
  wire [31:0]          word   = {column[SlotBits+SourceBits +: FlagBits],
                                 (16-FlagBits)'(column[SlotBits +: SourceBits]),
                                 16'(column[SlotBits-1:0])};

  assign host_rdata_o = {32{selected_read_q}} & (host.flags ? flags : word);

  wire unused = &{1'b0, host, write_slot};

endmodule

`default_nettype wire
