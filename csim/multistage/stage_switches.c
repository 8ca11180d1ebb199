/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/multistage/stage_switches.h"

#include "csim/multistage/lanes.h"

#include <string.h>

bool stage_switches_new(struct stage_switches *switches, struct csim_module *module,
                        const struct multistage *net, unsigned stage)
{
    *switches = (struct stage_switches){.net = *net,
                                        .stage = stage,
                                        .lanes_in = multistage_lanes(net, stage),
                                        .lanes_out = multistage_lanes(net, stage + 1)};
    if (!multistage_has_crossbars(net) && !multistage_copies(net))
        return true;
    switches->source = csim_alloc(module, switches->lanes_out * sizeof *switches->source);
    return switches->source != NULL;
}

static void load_crossbars(struct stage_switches *switches, const uint32_t setting[])
{
    struct multistage_crossbars bars = multistage_crossbars(&switches->net, switches->stage);
    unsigned bits = multistage_field_bits(&switches->net, switches->stage);
    for (uint32_t c = 0; c < bars.count; c++)
        for (uint32_t o = 0; o < bars.outputs; o++) {
            uint32_t out = multistage_crossbar_lane(bars.outputs, bars.stride, c, o);
            uint32_t field = multistage_field(setting, bits, out);
            bool connected = field >= 1 && field <= bars.inputs;
            switches->source[out] =
                connected ? multistage_crossbar_lane(bars.inputs, bars.stride, c, field - 1)
                          : switches->lanes_in;
        }
}

/* N is a power of two, so a switch's two lanes are always equally far apart. */
static void load_copying(struct stage_switches *switches, const uint32_t setting[])
{
    uint32_t distance =
        switches->lanes_in >> (multistage_level(&switches->net, switches->stage) + 1);
    for (uint32_t lane = 0; lane < switches->lanes_out; lane++)
        switches->source[lane] = multistage_field(setting, 1, lane) ? lane ^ distance : lane;
}

void stage_switches_load(struct stage_switches *switches, const uint32_t setting[])
{
    if (multistage_has_crossbars(&switches->net))
        load_crossbars(switches, setting);
    else if (multistage_copies(&switches->net))
        load_copying(switches, setting);
}

static void pass_sources(const struct stage_switches *switches, uint32_t *restrict out,
                         const uint32_t *restrict in)
{
    for (uint32_t lane = 0; lane < switches->lanes_out; lane++) {
        uint32_t from = switches->source[lane];
        out[lane] = from < switches->lanes_in ? in[from] : 0;
    }
}

static void pass_blocks(const struct stage_switches *switches, const uint32_t setting[],
                        uint32_t *restrict out, const uint32_t *restrict in)
{
    unsigned level = multistage_level(&switches->net, switches->stage);
    memcpy(out, in, switches->lanes_in * sizeof *out);
    for (uint32_t block = 0; block < UINT32_C(1) << level; block++) {
        struct multistage_pairs pairs = multistage_pairs(&switches->net, switches->stage, block);
        for (uint32_t i = 0; i < pairs.count; i++) {
            uint32_t crossed = -multistage_field(setting, 1, pairs.first_switch + i);
            uint32_t swapped = (in[pairs.low + i] ^ in[pairs.high + i]) & crossed;
            out[pairs.low + i] = in[pairs.low + i] ^ swapped;
            out[pairs.high + i] = in[pairs.high + i] ^ swapped;
        }
    }
}

void stage_switches_pass(const struct stage_switches *switches, const uint32_t setting[],
                         uint32_t *restrict out, const uint32_t *restrict in)
{
    const struct multistage *net = &switches->net;
    if (switches->source != NULL)
        pass_sources(switches, out, in);
    else if (!multistage_is_regular(net))
        pass_blocks(switches, setting, out, in);
    else
        lanes_switch(out, in, setting, net->levels - 1 - multistage_level(net, switches->stage),
                     net->ports);
}
