/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/shape/multistage.h"

uint32_t multistage_row_words(const struct multistage *net)
{
    uint32_t most = multistage_columns(net, 0);
    if (!multistage_has_crossbars(net))
        return most;
    const unsigned others[] = {1, multistage_stages(net) - 1};
    for (unsigned which = 0; which < 2; which++) {
        uint32_t columns = multistage_columns(net, others[which]);
        most = MAX(most, columns);
    }
    return most;
}

uint64_t multistage_setting_bits(const struct multistage *net)
{
    uint64_t bits = 0;
    for (unsigned stage = 0; stage < multistage_stages(net); stage++)
        bits += (uint64_t)multistage_fields(net, stage) * multistage_field_bits(net, stage);
    return bits;
}

/* Returns the lane after a stage of crossbars. */
static uint32_t follow_crossbar(const struct multistage *net, unsigned stage,
                                const uint32_t setting[], uint32_t lane)
{
    struct multistage_crossbars bars = multistage_crossbars(net, stage);
    uint32_t group = lane / (bars.stride * bars.inputs),
             within = lane % (bars.stride * bars.inputs);
    uint32_t crossbar = group * bars.stride + within % bars.stride, input = within / bars.stride;
    unsigned bits = multistage_field_bits(net, stage);
    for (uint32_t o = 0; o < bars.outputs; o++) {
        uint32_t out = multistage_crossbar_lane(bars.outputs, bars.stride, crossbar, o);
        if (multistage_field(setting, bits, out) == input + 1)
            return out;
    }
    return MULTISTAGE_NOWHERE;
}

static uint32_t follow_switch(const struct multistage *net, unsigned stage,
                              const uint32_t setting[], uint32_t lane)
{
    uint32_t sw, partner = multistage_partner(net, stage, lane, &sw);
    uint32_t field = multistage_stage_combines(net, stage) ? lane : sw;
    return partner != lane && multistage_field(setting, 1, field) ? partner : lane;
}

/* Returns the lane before a stage of switches that copy. */
static uint32_t source_copying(const struct multistage *net, unsigned stage,
                               const uint32_t setting[], uint32_t lane)
{
    uint32_t sw, partner = multistage_partner(net, stage, lane, &sw);
    return multistage_field(setting, 1, lane) ? partner : lane;
}

uint32_t multistage_follow(const struct multistage *net, const uint32_t *row, uint32_t port,
                           unsigned stages)
{
    uint32_t words = multistage_row_words(net), lane = port;
    for (unsigned stage = 0; stage < stages && lane != MULTISTAGE_NOWHERE; stage++, row += words)
        lane = multistage_has_crossbars(net) ? follow_crossbar(net, stage, row, lane)
                                             : follow_switch(net, stage, row, lane);
    return lane;
}

/* Returns the lane before a stage of crossbars; MULTISTAGE_NOWHERE if no input is connected to it.
 */
static uint32_t source_crossbar(const struct multistage *net, unsigned stage,
                                const uint32_t setting[], uint32_t lane)
{
    struct multistage_crossbars bars = multistage_crossbars(net, stage);
    uint32_t crossbar = lane / (bars.stride * bars.outputs) * bars.stride + lane % bars.stride;
    uint32_t field = multistage_field(setting, multistage_field_bits(net, stage), lane);
    return field < 1 || field > bars.inputs
               ? MULTISTAGE_NOWHERE
               : multistage_crossbar_lane(bars.inputs, bars.stride, crossbar, field - 1);
}

uint32_t multistage_source(const struct multistage *net, const uint32_t *row, uint32_t lane,
                           unsigned stages)
{
    uint32_t words = multistage_row_words(net);
    while (stages-- > multistage_combining(net) && lane != MULTISTAGE_NOWHERE) {
        const uint32_t *setting = row + stages * words;
        lane = multistage_has_crossbars(net) ? source_crossbar(net, stages, setting, lane)
               : multistage_copies(net)      ? source_copying(net, stages, setting, lane)
                                             : follow_switch(net, stages, setting, lane);
    }
    return lane;
}
