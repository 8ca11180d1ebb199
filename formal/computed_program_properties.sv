// SPDX-License-Identifier: Apache-2.0
// computed_program_properties: a program with Prefetch is the program without it, in every run.
//
// Two programs of equal contents have the same setting counter. One reads an entry when the row is
// fetched, the other one cycle after the start and after each fetch.
//
//  1. From the first fetch of a run on, both name the same packet in every cycle; with Prefetch its
//     number is 0 if there is none.
//  2. The host reads the same words of both.
//
// Assumed: fetches are two or more cycles after a start and after each other; the number of packets
// is constant in a run; the host writes and reads between runs only.
`default_nettype none

module computed_program_properties #(
  parameter int Packets    = 4,
  parameter int OffsetBits = 4,
  parameter int Entries    = 2,
  parameter int PacketBits = $clog2(Packets),
  parameter int RowBits    = $clog2(Entries)
) (
  input  wire                  clk_i,
  input  wire                  start_i,
  input  wire                  end_i,                // the run ends
  input  wire                  fetch_i,
  input  wire [15:0]           first_i,
  input  wire [15:0]           period_i,
  input  wire [PacketBits:0]   packets_i,
  input  wire                  stream_i,
  input  wire                  host_we_i,
  input  wire                  host_re_i,
  input  wire [RowBits-1:0]    host_row_i,
  input  wire [OffsetBits:0]   host_data_i,
  output wire                  cover_second_o,
  output wire                  cover_read_o
);

  logic run_q = 1'b0, fetched_q = 1'b0, read_q = 1'b0, again_q = 1'b0;
  logic fresh_q = 1'b0;                              // a start or a fetch in the cycle before
  logic [15:0]         first_q, period_q;
  logic [PacketBits:0] packets_q;
  logic                stream_q;

  wire start = start_i & ~run_q;
  wire fetch = fetch_i & run_q & ~fresh_q;
  wire we    = host_we_i & ~run_q;
  wire re    = host_re_i & ~run_q;

  always_ff @(posedge clk_i) begin
    fresh_q <= start | fetch;
    read_q  <= re;
    if (start) begin
      {run_q, fetched_q} <= 2'b10;
      {first_q, period_q, packets_q, stream_q} <= {first_i, period_i, packets_i, stream_i};
    end else begin
      if (fetch) fetched_q <= 1'b1;
      if (fetch & fetched_q) again_q <= 1'b1;
      if (end_i & ~fresh_q) {run_q, fetched_q} <= 2'b00;
    end
  end

  always_comb begin
    assume (period_i >= 16'd1 && period_i <= 16'(Entries) && first_i < period_i);
    assume (packets_i >= (PacketBits+1)'(1) && packets_i <= (PacketBits+1)'(Packets));
    if (run_q) assume (first_i == first_q && period_i == period_q && packets_i == packets_q &&
                       stream_i == stream_q);
  end

  wire [RowBits-1:0]    position;
  wire [OffsetBits-1:0] base, next_base;
  wire [OffsetBits:0]   excess, next_excess;

  rc_setting_counter #(.SettingPeriod(Entries), .BaseBits(OffsetBits)) u_counter (
    .clk_i, .rst_i(1'b0), .start_i(start), .fetch_i(fetch), .first_i, .period_i,
    .packets_i((OffsetBits+1)'(packets_i)), .setting_phase_o(position), .base_o(base),
    .excess_o(excess), .next_base_o(next_base), .next_excess_o(next_excess)
  );

  wire [RowBits-1:0]    row = re ? host_row_i : position;
  wire [PacketBits-1:0] last_packet = PacketBits'(packets_i - 1'b1);
  wire                  valid_early, valid_late;
  wire [PacketBits-1:0] packet_early, packet_late;
  wire [OffsetBits:0]   word_early, word_late;

  rc_computed_program #(
    .Packets(Packets), .OffsetBits(OffsetBits), .Entries(Entries), .Prefetch(1)
  ) u_early (
    .clk_i, .fetch_i(fetch), .prefetch_i(fresh_q), .row_i(row), .base_i(next_base),
    .excess_i(next_excess), .last_packet_i(last_packet), .stream_i, .valid_o(valid_early),
    .packet_o(packet_early), .host_strobe_i(we), .host_we_i(1'b1), .host_row_i,
    .host_data_i, .host_re_memory_i(re), .word_o(word_early)
  );

  rc_computed_program #(
    .Packets(Packets), .OffsetBits(OffsetBits), .Entries(Entries)
  ) u_late (
    .clk_i, .fetch_i(fetch), .prefetch_i(1'b0), .row_i(row), .base_i(base),
    .excess_i(excess), .last_packet_i(last_packet), .stream_i, .valid_o(valid_late),
    .packet_o(packet_late), .host_strobe_i(we), .host_we_i(1'b1), .host_row_i,
    .host_data_i, .host_re_memory_i(re), .word_o(word_late)
  );

  always_comb begin
    if (fetched_q) same_packet: assert (valid_early == valid_late &&
                                        packet_early == (valid_late ? packet_late : '0));
    if (read_q) same_word: assert (word_early == word_late);
  end

  // Both programs have the same contents in the first cycle, and therefore always.
  (* hierconn *) wire [OffsetBits:0] \u_early.u_entries.mem[0] , \u_early.u_entries.mem[1] ;
  (* hierconn *) wire [OffsetBits:0] \u_late.u_entries.mem[0] , \u_late.u_entries.mem[1] ;
  wire  same = \u_early.u_entries.mem[0] == \u_late.u_entries.mem[0]
      && \u_early.u_entries.mem[1] == \u_late.u_entries.mem[1] ;
  logic begun_q = 1'b0;

  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_comb if (!begun_q) assume (same);

`ifndef REFUTE
  // Invariants of the induction: unless a start or a fetch was in the cycle before, the entry, the
  // base and the excess of the next row are ready.
  wire [OffsetBits:0] next_word =
      position[0] ? \u_late.u_entries.mem[1] : \u_late.u_entries.mem[0] ;
  always_comb begin
    if (begun_q) assert (same);
    if (begun_q && run_q && !fresh_q) assert (word_early == next_word);
    if (run_q && !fresh_q)
      assert (next_excess == (OffsetBits+1)'(next_base) - (OffsetBits+1)'(packets_i));
    assert (!fetched_q || run_q);
  end
`endif

  assign cover_second_o = again_q && fetched_q && valid_early && packet_early != '0;
  assign cover_read_o   = read_q && word_early[OffsetBits];

endmodule

`default_nettype wire
