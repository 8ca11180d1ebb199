// SPDX-License-Identifier: Apache-2.0
// rc_multistage_shape: which switches a stage of a multistage network has, between which lanes, and
// what sets them; as sched/shape/multistage.h has it, which draws the networks.
//
// Ports, middle, radix and levels are N, m, n and K there. Of a Clos network, `inputs`, `outputs`,
// `stride` and `crossbars` are those of a stage's crossbars. No number may pass 2^31: ports *
// 2^levels at most.
`default_nettype none

package rc_multistage_shape;

  localparam int Omega = 1, Clos = 2, Multicast = 3, Waksman = 4;  // kinds; 0 is Benes
  localparam int Tagged = 2, Masked = 3;              // settings of a row; 0 is full, 1 indexed

  function automatic int is_kind(input int kind);
    is_kind = (kind >= 0 && kind <= Waksman) ? 1 : 0;
  endfunction

  // Are settings computed from a tag, without tables? From masks, the rows of the tables?
  function automatic int tags(input int settings);
    tags = (settings == Tagged) ? 1 : 0;
  endfunction

  function automatic int masks(input int settings);
    masks = (settings == Masked) ? 1 : 0;
  endfunction

  function automatic int stages(input int kind, input int levels);
    stages = (kind == Omega) ? levels : (kind == Multicast) ? 4 * levels - 3 : 2 * levels - 1;
  endfunction

  // Can an input's word reach several outputs, as any of them asks for?
  function automatic int copies(input int kind);
    copies = (kind == Multicast) ? 1 : 0;
  endfunction

  // Is it without a switch of each even block on the way back?
  function automatic int fewer(input int kind);
    fewer = (kind == Waksman) ? 1 : 0;
  endfunction

  // Which stage it is of the Benes network that it is in, of the first one if it is in two.
  function automatic int stage_turn(input int levels, input int stage);
    stage_turn = (stage < 2 * levels - 1) ? stage : stage - (2 * levels - 2);
  endfunction

  function automatic int stage_level(input int levels, input int stage);
    stage_level = stage_turn(levels, stage);
    if (stage_level >= levels) stage_level = 2 * levels - 2 - stage_level;
  endfunction

  // Are the blocks of its level being joined again?
  function automatic int stage_joins(input int levels, input int stage);
    stage_joins = (stage_turn(levels, stage) >= levels) ? 1 : 0;
  endfunction

  // The first lane of a block of a level.
  function automatic int first_lane(input int ports, input int level, input int block);
    first_lane = (block * ports) >> level;
  endfunction

  // The block of a level that a lane is in.
  function automatic int lane_block(input int ports, input int level, input int lane);
    lane_block = (((lane + 1) << level) + ports - 1) / ports - 1;
  endfunction

  // The lane of a block's upper half that is paired with the first one of its lower half.
  function automatic int high_lane(input int ports, input int level, input int block);
    high_lane = ((2 * block + 1) * ports) >> (level + 1);
  endfunction

  // Bits of how far words go in a block of a level, half its lanes at most; of the ways of all its
  // blocks, a bit more each (rc_tag_ways.sv).
  function automatic int distance_bits(input int ports, input int level);
    distance_bits = $clog2(ports) - level;
  endfunction

  function automatic int way_bits(input int ports, input int level);
    way_bits = (distance_bits(ports, level) + 1) << level;
  endfunction

  // The switches of a block whose halves have so many lanes; `without` one of an even block on the
  // way back, as Waksman networks are.
  function automatic int pairs(input int lower, input int upper, input int joins,
                               input int without);
    pairs = (lower < upper) ? lower : upper;
    if (joins != 0 && lower == upper && (lower == 1 || without != 0)) pairs = pairs - 1;
  endfunction

  // Lanes before a stage; behind the last one, for `stage` = stages.
  function automatic int stage_lanes(input int kind, input int ports, input int middle,
                                     input int radix, input int levels, input int stage);
    stage_lanes = ports;
    if (kind == Clos && stage > 0 && stage < 2 * levels - 1) stage_lanes = ports / radix * middle;
  endfunction

  function automatic int stage_inputs(input int ports, input int middle, input int radix,
                                      input int levels, input int stage);
    if (stage_level(levels, stage) == 0)
      stage_inputs = (stage_joins(levels, stage) != 0) ? middle : radix;
    else stage_inputs = (levels == 2) ? ports / radix : radix;
  endfunction

  // Those of the stage that mirrors it.
  function automatic int stage_outputs(input int ports, input int middle, input int radix,
                                       input int levels, input int stage);
    stage_outputs = stage_inputs(ports, middle, radix, levels, 2 * levels - 2 - stage);
  endfunction

  function automatic int stage_stride(input int ports, input int radix, input int levels,
                                      input int stage);
    int below;
    stage_stride = 1;
    if (stage_level(levels, stage) == 0) stage_stride = ports / radix;
    else for (below = stage_level(levels, stage) + 1; below < levels; below++) stage_stride =
        stage_stride * radix;
  endfunction

  // Bits of the setting of a crossbar's output.
  function automatic int field_bits(input int inputs);
    field_bits = $clog2(inputs + 1);
  endfunction

  // Fields that set the 2x2 switches of a stage, of one bit each: one for each switch, or each lane
  // behind switches that copy.
  function automatic int switch_fields(input int ports, input int copying);
    switch_fields = (copying != 0) ? ports : ports / 2;
  endfunction

  // Words of 32 bits that hold so many fields.
  function automatic int words(input int fields, input int bits);
    words = (fields + 32 / bits - 1) / (32 / bits);
  endfunction

  // Columns of a row of a stage's settings, and the most of any stage.
  function automatic int stage_columns(input int kind, input int ports, input int middle,
                                       input int radix, input int levels, input int stage);
    if (kind == Clos)
      stage_columns = words(stage_lanes(kind, ports, middle, radix, levels, stage + 1),
                                            field_bits(stage_inputs(ports, middle, radix, levels,
                                                                    stage)));
    else stage_columns = words(switch_fields(ports, copies(kind)), 1);
  endfunction

  function automatic int most_columns(input int kind, input int ports, input int middle,
                                      input int radix, input int levels);
    int stage, of_stage;
    most_columns = 0;
    for (stage = 0; stage < stages(kind, levels); stage++) begin
      of_stage = stage_columns(kind, ports, middle, radix, levels, stage);
      if (of_stage > most_columns) most_columns = of_stage;
    end
  endfunction

endpackage

`default_nettype wire
