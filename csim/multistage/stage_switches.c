/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/stage_switches.h"

#include "csim/shell/octet.h"

/* Finds which switches are present; the settings of absent switches have no effect. */
static bool find_present(struct stage_switches *switches, struct csim_module *module)
{
    const struct multistage *net = &switches->net;
    size_t bytes = multistage_columns(net, switches->stage) * sizeof *switches->present;
    switches->present = csim_alloc(module, bytes);
    switches->kept = csim_alloc(module, bytes);
    if (switches->present == NULL || switches->kept == NULL)
        return false;
    for (uint32_t block = 0; block < UINT32_C(1) << multistage_level(net, switches->stage);
         block++) {
        struct multistage_pairs pairs = multistage_pairs(net, switches->stage, block);
        for (uint32_t i = 0; i < pairs.count; i++)
            multistage_set_field(switches->present, 1, pairs.first_switch + i, 1);
    }
    return true;
}

/* Computes the first input of each output of crossbars between lanes that are `stride` apart: the
 * lane at the output's own place of the group is its input 1. */
static bool find_inputs(struct stage_switches *switches, struct csim_module *module)
{
    struct multistage_crossbars bars = multistage_crossbars(&switches->net, switches->stage);
    uint32_t *input = csim_alloc(module, switches->lanes_out * sizeof *input);
    switches->first_input = input;
    if (input == NULL)
        return false;
    for (uint32_t first = 0; first < switches->lanes_in; first += bars.inputs * bars.stride)
        for (uint32_t o = 0; o < bars.outputs; o++)
            for (uint32_t c = 0; c < bars.stride; c++)
                *input++ = first + c;
    return true;
}

bool stage_switches_new(struct stage_switches *switches, struct csim_module *module,
                        const struct machine *machine, unsigned stage)
{
    const struct multistage *net = &machine->network;
    const struct lanes_columns *columns = lanes_columns();
    *switches = (struct stage_switches){.net = *net,
                                        .stage = stage,
                                        .lanes_in = multistage_lanes(net, stage),
                                        .lanes_out = multistage_lanes(net, stage + 1)};
    if (multistage_stage_combines(net, stage)) {
        switches->operates = multistage_stage_operates(net, stage);
        switches->bit = net->levels - 1 - multistage_level(net, stage);
        switches->width = machine->width;
        switches->valid = UINT32_C(1) << wide_words_lane_bits(machine);
        return true;
    }
    if (!multistage_has_crossbars(net) && bits_is_power(net->ports)) {
        switches->column =
            multistage_stage_copies(net, stage) ? columns->copies : columns->switches;
        switches->bit = net->levels - 1 - multistage_level(net, stage);
        return multistage_is_regular(net) || find_present(switches, module);
    }
    switches->take = columns->takes;
    switches->source =
        csim_alloc(module, csim_padded(switches->lanes_out) * sizeof *switches->source);
    return switches->source != NULL &&
           (!multistage_has_crossbars(net) || find_inputs(switches, module));
}

/* Computes source[lane], the input, counted from 1, that each output lane selects. */
static void unpack_fields(struct stage_switches *switches, const uint32_t setting[], unsigned bits)
{
    uint32_t in_word = 32 / bits, mask = (UINT32_C(1) << bits) - 1, lanes = switches->lanes_out;
    for (uint32_t lane = 0, word = 0; lane < lanes; word++)
        for (uint32_t k = 0; k < in_word && lane < lanes; k++)
            switches->source[lane++] = setting[word] >> k * bits & mask;
}

OCTET_FOR_EVERY_CPU
static void aim_inputs(uint32_t *restrict source, const uint32_t *restrict first_input,
                       struct multistage_crossbars bars, uint32_t lanes_in, uint32_t lanes)
{
    for (uint32_t lane = 0; lane < lanes; lane++) {
        uint32_t input = source[lane] - 1, from = first_input[lane] + input * bars.stride;
        source[lane] = input < bars.inputs ? from : lanes_in;
    }
}

static void load_crossbars(struct stage_switches *switches, const uint32_t setting[])
{
    unpack_fields(switches, setting, multistage_field_bits(&switches->net, switches->stage));
    aim_inputs(switches->source, switches->first_input,
               multistage_crossbars(&switches->net, switches->stage), switches->lanes_in,
               switches->lanes_out);
}

static void load_blocks(struct stage_switches *switches, const uint32_t setting[])
{
    uint32_t *source = switches->source;
    for (uint32_t lane = 0; lane < switches->lanes_out; lane++)
        source[lane] = lane;
    unsigned level = multistage_level(&switches->net, switches->stage);
    for (uint32_t block = 0; block < UINT32_C(1) << level; block++) {
        struct multistage_pairs pairs = multistage_pairs(&switches->net, switches->stage, block);
        for (uint32_t i = 0; i < pairs.count; i++) {
            uint32_t crossed = -multistage_field(setting, 1, pairs.first_switch + i);
            uint32_t apart = (pairs.high - pairs.low) & crossed;
            source[pairs.low + i] = pairs.low + i + apart;
            source[pairs.high + i] = pairs.high + i - apart;
        }
    }
}

/* Returns what a lane carries after words of two lanes have met, as in rc_combine_switch.sv: their
 * combination if both are valid, otherwise the valid one. A node that does not hold the word that
 * it sends may drive its bits, not valid. Switches without an operator deliver the `or` of both
 * lanes. */
static uint32_t meet(const struct stage_switches *switches, uint32_t low, uint32_t high)
{
    const uint32_t valid = switches->valid, bits = valid - 1;
    if (switches->operates && !(low & high & valid))
        return high & valid ? high : low;
    const uint32_t which = switches->operates ? switches->operation : MACHINE_OPERATOR_OR;
    return ((low | high) & valid) |
           wide_words_combine(switches->wide, which, switches->width, low & bits, high & bits);
}

void stage_switches_combine(const struct stage_switches *switches, const uint32_t setting[],
                            uint32_t *restrict out, const uint32_t *restrict in)
{
    const uint32_t apart = UINT32_C(1) << switches->bit;
    for (uint32_t low = 0; low < switches->lanes_out; low++) {
        const uint32_t high = low | apart;
        if (low == high)
            continue;
        const bool leaves_low = multistage_field(setting, 1, low) != 0,
                   leaves_high = multistage_field(setting, 1, high) != 0;
        if (leaves_low != leaves_high) {
            out[leaves_low ? high : low] = meet(switches, in[low], in[high]);
            out[leaves_low ? low : high] = 0;
        } else {
            out[low] = in[leaves_low ? high : low];
            out[high] = in[leaves_low ? low : high];
        }
    }
}

static void load_present(struct stage_switches *switches, const uint32_t setting[])
{
    uint32_t words = multistage_columns(&switches->net, switches->stage);
    for (uint32_t word = 0; word < words; word++)
        switches->kept[word] = setting[word] & switches->present[word];
}

void stage_switches_load(struct stage_switches *switches, const uint32_t setting[])
{
    if (switches->kept != NULL)
        load_present(switches, setting);
    else if (switches->source != NULL && multistage_has_crossbars(&switches->net))
        load_crossbars(switches, setting);
    else if (switches->source != NULL)
        load_blocks(switches, setting);
}
