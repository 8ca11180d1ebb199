// SPDX-License-Identifier: Apache-2.0
// setting_index_properties: the word of a setting phase is the word that the host wrote for it.
//
// The proof follows an arbitrary setting phase. For any words, setting phases and accesses:
//
//  1. From the cycle after a fetch of the setting phase until the next fetch or read,
//     setting_index_o is the word that the host wrote for it last before the fetch; writes for
//     other setting phases, to other tables, or later make no difference.
//  2. One cycle after a read, the host reads that word, extended with zeros; it reads 0 if another
//     table is selected.
//
// Assumed: the host does not access the machine in the cycle of a fetch, and does not read and
// write in the same cycle.
`default_nettype none

module setting_index_properties #(
  parameter int SettingPeriod = 4,                       // 4: the proof names the memory words
  parameter int SettingIndexBits = 3,
  parameter int SettingPhaseBits = $clog2(SettingPeriod)
) (
  input  wire                 clk_i,
  input  wire                 fetch_i,
  input  wire [SettingPhaseBits-1:0] setting_phase_i,
  input  wire                 host_we_table_i,
  input  wire                 host_re_memory_i,
  input  wire                 host_select_i,
  input  wire [SettingPhaseBits-1:0] host_row_i,
  input  wire [31:0]          host_data_i,
  output wire                 cover_fetched_o,
  output wire                 cover_rewritten_o,
  output wire                 cover_read_o
);

  wire [SettingIndexBits-1:0] setting_index;
  wire [31:0]          rdata;

  rc_setting_index #(.SettingPeriod(SettingPeriod),
      .SettingIndexBits(SettingIndexBits)) u_setting_index (
    .clk_i, .fetch_i, .setting_phase_i, .setting_index_o(setting_index),
    .host_we_table_i, .host_re_memory_i, .host_select_i, .host_row_i, .host_data_i,
    .host_rdata_o(rdata)
  );

  always_comb assume (32'(fetch_i) + 32'(host_we_table_i) + 32'(host_re_memory_i) <= 1);

  wire  [SettingPhaseBits-1:0] followed = $anyconst;
  logic                 written_q = 1'b0;            // the host has written it; the word
  logic [SettingIndexBits-1:0] word_q;
  // the last fetch or read was of the followed setting phase, after it had been written
  logic                 here_q = 1'b0;
  logic [SettingIndexBits-1:0] expected_q;
  logic                 fetched_q, read_q = 1'b0, selected_q;    // in the cycle before

  always_ff @(posedge clk_i) begin
    if (host_we_table_i && host_select_i && host_row_i == followed) begin
      written_q <= 1'b1;
      word_q    <= host_data_i[SettingIndexBits-1:0];
    end
    if (fetch_i) here_q <= written_q && setting_phase_i == followed;
    if (host_re_memory_i) here_q <= written_q && host_row_i == followed;
    if (fetch_i || host_re_memory_i) expected_q <= word_q;
    fetched_q  <= fetch_i;
    read_q     <= host_re_memory_i;
    selected_q <= host_select_i;
  end

  always_comb begin
    if (here_q) as_written: assert (setting_index == expected_q);
    if (read_q && !selected_q) others: assert (rdata == '0);
    if (read_q && selected_q && here_q)
      read_back: assert (rdata == {{(32-SettingIndexBits){1'b0}}, expected_q});
  end

`ifndef REFUTE
  // Invariant for the induction: the memory contains the word.
  (* hierconn *) wire [SettingIndexBits-1:0] \u_setting_index.u_words.mem[0] ,
  \u_setting_index.u_words.mem[1] ;
  (* hierconn *) wire [SettingIndexBits-1:0] \u_setting_index.u_words.mem[2] ,
  \u_setting_index.u_words.mem[3] ;
  wire [4*SettingIndexBits-1:0] stored = { \u_setting_index.u_words.mem[3] ,
      \u_setting_index.u_words.mem[2] ,
                                    \u_setting_index.u_words.mem[1] ,
                                        \u_setting_index.u_words.mem[0] };
  always_comb if (written_q) assert (stored[followed*SettingIndexBits +: SettingIndexBits] ==
      word_q);
`endif

  assign cover_fetched_o   = here_q && fetched_q && followed == '1 && setting_index == '1;
  assign cover_rewritten_o = here_q && word_q != expected_q && setting_index == '0;
  assign cover_read_o      = here_q && read_q && selected_q && rdata[SettingIndexBits-1:0] == '1;

endmodule

`default_nettype wire
