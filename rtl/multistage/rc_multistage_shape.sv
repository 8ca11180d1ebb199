// SPDX-License-Identifier: Apache-2.0
// rc_multistage_shape: the shapes of multistage networks: the switches of a stage, their lanes, and
// their setting fields. sched/shape/multistage.h has the same functions in C and draws the
// networks.
//
// ports, middle, radix and levels are N, m, n and K there. In a Clos network, inputs, outputs,
// stride and crossbars describe the crossbars of a stage. All numbers, at most ports * 2^levels,
// must be below 2^31.
`default_nettype none

package rc_multistage_shape;

  // kinds; 0 is Benes
  localparam int Omega = 1, Clos = 2, Multicast = 3, Waksman = 4, Combine = 5, AllReduce = 6;
  localparam int Tagged = 2, Masked = 3;              // storages of settings; 0 is full, 1 indexed

  function automatic int is_kind(input int kind);
    is_kind = (kind >= 0 && kind <= AllReduce) ? 1 : 0;
  endfunction

  // Return 1 if settings are computed from a tag, without tables; from masks in the rows of the
  // tables.
  function automatic int tags(input int settings);
    tags = (settings == Tagged) ? 1 : 0;
  endfunction

  function automatic int masks(input int settings);
    masks = (settings == Masked) ? 1 : 0;
  endfunction

  function automatic int stages(input int kind, input int levels);
    stages = (kind == Omega) ? levels
           : (kind == Multicast || kind == Combine) ? 4 * levels - 3
           : (kind == AllReduce) ? 6 * levels - 4 : 2 * levels - 1;
  endfunction

  // Returns 1 if switches of the network combine.
  function automatic int combines(input int kind);
    combines = (kind == Combine || kind == AllReduce) ? 1 : 0;
  endfunction

  // Returns 1 if switches have a setting field per lane, because they copy or combine.
  function automatic int per_lane(input int kind);
    per_lane = (kind == Multicast || combines(kind) != 0) ? 1 : 0;
  endfunction

  // Returns 1 if the switches of the stage copy.
  function automatic int stage_copies(input int kind, input int levels, input int stage);
    stage_copies = (kind == Multicast || (kind == AllReduce && stage >= 3 * levels - 2)) ? 1 : 0;
  endfunction

  // Returns 1 if the switches of the stage combine.
  function automatic int stage_combines(input int kind, input int levels, input int stage);
    stage_combines = (combines(kind) != 0 && stage_copies(kind, levels, stage) == 0) ? 1 : 0;
  endfunction

  // Returns 1 if words meet in the stage: in the stages before it and after it, they only move.
  function automatic int stage_operates(input int kind, input int levels, input int stage);
    stage_operates = (stage_combines(kind, levels, stage) != 0 && stage >= 2 * levels - 2
                      && stage < 3 * levels - 2) ? 1 : 0;
  endfunction

  // Returns 1 if the last switch of each even block after the middle is omitted.
  function automatic int fewer(input int kind);
    fewer = (kind == Waksman) ? 1 : 0;
  endfunction

  // Returns the number of a stage in the two Benes networks of a multicast network: an all-reduce
  // network has the stages of combine up to the last one that operates, then those of multicast
  // from the first one that copies on.
  function automatic int twin_stage(input int kind, input int levels, input int stage);
    twin_stage = (kind == AllReduce && stage >= 3 * levels - 2) ? stage - (2 * levels - 1) : stage;
  endfunction

  // Returns the number of the stage in its Benes network; a stage of two networks counts in the
  // first.
  function automatic int benes_stage(input int levels, input int stage);
    benes_stage = (stage < 2 * levels - 1) ? stage : stage - (2 * levels - 2);
  endfunction

  function automatic int stage_level(input int levels, input int stage);
    stage_level = benes_stage(levels, stage);
    if (stage_level >= levels) stage_level = 2 * levels - 2 - stage_level;
  endfunction

  // Returns 1 if the stage joins blocks (it is after the middle).
  function automatic int stage_joins(input int levels, input int stage);
    stage_joins = (benes_stage(levels, stage) >= levels) ? 1 : 0;
  endfunction

  // Returns the first lane of a block.
  function automatic int first_lane(input int ports, input int level, input int block);
    first_lane = (block * ports) >> level;
  endfunction

  // Returns the block that contains a lane.
  function automatic int lane_block(input int ports, input int level, input int lane);
    lane_block = (((lane + 1) << level) + ports - 1) / ports - 1;
  endfunction

  // Returns the first lane of the upper half of a block, which is paired with the first of the
  // lower half.
  function automatic int high_lane(input int ports, input int level, input int block);
    high_lane = ((2 * block + 1) * ports) >> (level + 1);
  endfunction

  // Return the bits of a shift in a block of a level, at most half its lanes, and the bits of the
  // shifts of all its blocks, with a direction each (rc_tag_shifts.sv).
  function automatic int distance_bits(input int ports, input int level);
    distance_bits = $clog2(ports) - level;
  endfunction

  function automatic int shift_bits(input int ports, input int level);
    shift_bits = (distance_bits(ports, level) + 1) << level;
  endfunction

  // Returns the number of switches of a block whose halves have these numbers of lanes; `without`
  // omits one in even blocks after the middle (Waksman).
  function automatic int pairs(input int lower, input int upper, input int joins,
                               input int without);
    pairs = (lower < upper) ? lower : upper;
    if (joins != 0 && lower == upper && (lower == 1 || without != 0)) pairs = pairs - 1;
  endfunction

  // Returns the number of lanes before a stage; for stage = stages, after the last one.
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

  // The outputs are the inputs of the mirrored stage.
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

  // Returns the bits of the setting field of a crossbar output.
  function automatic int field_bits(input int inputs);
    field_bits = $clog2(inputs + 1);
  endfunction

  // Returns the number of one-bit fields of a stage of 2x2 switches: one per switch, or one per
  // lane if the switches copy.
  function automatic int switch_fields(input int ports, input int copying);
    switch_fields = (copying != 0) ? ports : ports / 2;
  endfunction

  // Returns the number of 32-bit words that hold this many fields.
  function automatic int words(input int fields, input int bits);
    words = (fields + 32 / bits - 1) / (32 / bits);
  endfunction

  // Return the number of columns of the settings of a stage, and the largest number of any stage.
  function automatic int stage_columns(input int kind, input int ports, input int middle,
                                       input int radix, input int levels, input int stage);
    if (kind == Clos)
      stage_columns = words(stage_lanes(kind, ports, middle, radix, levels, stage + 1),
                                            field_bits(stage_inputs(ports, middle, radix, levels,
                                                                    stage)));
    else stage_columns = words(switch_fields(ports, per_lane(kind)), 1);
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

  // Returns the cycles from the lanes before the network to those after it.
  function automatic int latency(input int kind, input int levels, input int pipe, input int pad);
    latency = (pipe > 0 ? stages(kind, levels) / pipe : 0) + pad;
  endfunction

  // Returns 1 if there is a setting index.
  function automatic int indexed(input int settings, input int reconfig);
    indexed = (settings != 0 || reconfig != 0) ? 1 : 0;
  endfunction

  // Return the number of banks of a machine, which are the tables of its stages and the setting
  // index, and the number of columns of a table.
  function automatic int banks(input int kind, input int levels, input int settings,
                               input int reconfig);
    banks = stages(kind, levels) + indexed(settings, reconfig);
  endfunction

  function automatic int table_columns(input int settings, input int kind, input int ports,
                                       input int middle, input int radix, input int levels);
    table_columns = masks(settings) != 0 ? 1 : most_columns(kind, ports, middle, radix, levels);
  endfunction

endpackage

`default_nettype wire
