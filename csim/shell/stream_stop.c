/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/stream_stop.h"

/* Updates the registers that change with a row only. */
static void stream_stop_count(struct stream_stop *s, uint32_t row)
{
    uint32_t begun = row + 1;
    uint32_t packets = ports_low(csim_get(&s->packets_i), s->row_bits + 1);
    ports_set(&s->taken_o, begun);
    s->more = begun < packets;
    s->tail = ports_low(csim_get(&s->rows_i) - packets, s->row_bits + 1);
}

static void stream_stop_edge(void *state)
{
    struct stream_stop *s = state;
    bool clear = csim_get(&s->rst_i) || csim_get(&s->start_i), stop = csim_get(&s->stop_i);
    bool ending = csim_get(&s->ending_i);
    bool take = ending && csim_get(&s->stream_i) && (s->pending || stop) && s->more && !s->stopped;
    ports_set(&s->take_o, take && !csim_get(&s->rst_i));
    if (clear) {
        s->pending = s->stopped = false;
        ports_set(&s->finish_o, 0);
    } else {
        s->pending = (s->pending || stop) && !s->stopped;
        if (take) {
            s->stopped = true;
            s->left = s->tail;
            ports_set(&s->finish_o, s->tail == 0);
        } else if (ending && s->stopped) {
            ports_set(&s->finish_o, s->left == 1);
            s->left = ports_low(s->left - 1, s->row_bits + 1);
        }
    }
    stream_stop_count(s, csim_get(&s->row_i));
}

bool stream_stop_rests(const struct stream_stop *s)
{
    return !s->pending && !s->stopped;
}

void stream_stop_leap(struct stream_stop *s, uint32_t row)
{
    stream_stop_count(s, row);
}

static void stream_stop_reset(void *state)
{
    struct stream_stop *s = state;
    s->pending = s->stopped = s->more = false;
    s->tail = s->left = 0;
}

struct stream_stop *stream_stop_new(struct csim_module *parent, const char *name,
                                    const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct stream_stop *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->row_bits = machine->log2_rows;
    csim_on_reset(module, stream_stop_reset);
    struct csim_process *process = csim_clocked(module, "edge", stream_stop_edge);
    STREAM_STOP_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    return self;
}
