/* SPDX-License-Identifier: Apache-2.0 */
#include "csim/shell/sequencer.h"

static bool sequencer_row_ends(const struct sequencer *s)
{
    return s->cycle == ports_low(csim_get(&s->row_cycles_i) - 1, SEQUENCER_CYCLE_BITS);
}

static void sequencer_count(struct sequencer *s, uint32_t last_flit)
{
    s->flit = s->flit == last_flit ? 0 : ports_low(s->flit + 1, s->flit_bits);
}

/* Advances to the flit that is sent in this cycle of the row. */
static void sequencer_send(struct sequencer *s)
{
    uint32_t last_flit = ports_low(csim_get(&s->flits_i) - 1, s->flit_bits);
    bool flit_now = s->busy && !s->pause && s->cycle <= last_flit;
    ports_set(&s->wave_fetch_o, csim_get(&s->fetch_o));
    ports_set(&s->wave_row_o, ports_low(s->row, s->row_bits));
    ports_set(&s->tx_en_o, flit_now);
    ports_set(&s->tx_last_o, flit_now && (sequencer_row_ends(s) || s->cycle == last_flit));
    ports_set(&s->tx_flit_o, s->flit);
    if (flit_now)
        sequencer_count(s, last_flit);
}

/* Updates busy_q and the signals that follow it by one, two and three cycles. */
static void sequencer_follow(struct sequencer *s, bool rst, bool start)
{
    bool fabric = s->busy || s->busy1 || s->busy2;
    bool finished = csim_get(&s->done_o) || (csim_get(&s->active_o) && !fabric);
    ports_set(&s->run_o, !rst && s->busy2);
    ports_set(&s->active_o, !rst && (start || fabric));
    ports_set(&s->busy_o, (!rst && (start || fabric)) || csim_get(&s->extends_i));
    ports_set(&s->done_o, !rst && !start && finished);
    s->busy2 = !rst && s->busy1;
    s->busy1 = !rst && s->busy;
    ports_set(&s->rx_open_o, s->busy1);
}

/* Updates the remaining rows of a setting, and the duration of its change. */
static void sequencer_hold(struct sequencer *s, bool rst, bool start)
{
    bool next_phase = csim_get(&s->next_phase_o), fetch = csim_get(&s->fetch_o);
    if (rst || start) {
        s->fresh = false;
        s->left = s->waited = 0;
        return;
    }
    if (s->fresh)
        s->left = csim_get(&s->length_i);
    else if (fetch && !next_phase)
        s->left--;
    s->waited = s->pause ? s->waited + 1 : 0;
    s->fresh = next_phase;
}

static void sequencer_walk(struct sequencer *s, bool rst, bool start)
{
    uint32_t rows = csim_get(&s->rows_i);
    if (rst) {
        s->busy = 0;
    } else if (start) {
        s->busy = rows != 0;
        s->row = 0;
        s->cycle = 0;
        s->flit = 0;
    } else if (s->busy && !s->pause) {
        bool row_end = sequencer_row_ends(s);
        s->cycle = row_end ? 0 : ports_low(s->cycle + 1, SEQUENCER_CYCLE_BITS);
        if (row_end) {
            bool finish = s->finishes && csim_get(&s->finish_i);
            s->busy = s->row != ports_low(rows - 1, s->row_bits + 1) && !finish;
            s->row = ports_low(s->row + 1, s->row_bits + 1);
        }
    }
}

static void sequencer_show_ending(struct sequencer *s)
{
    uint32_t before = ports_low(csim_get(&s->row_cycles_i) - 2, SEQUENCER_CYCLE_BITS);
    ports_set(&s->ending_o, s->busy && s->cycle == before);
}

/* Computes the outputs of the next cycle. */
static void sequencer_show(struct sequencer *s)
{
    bool begins = s->busy && s->cycle == 0, next_phase = s->left == 0;
    s->pause = s->reconfigures && begins && next_phase && s->waited != csim_get(&s->reconfigure_i);
    ports_set(&s->fetch_o, begins && !s->pause);
    ports_set(&s->row_o, ports_low(s->row, s->row_bits));
    if (s->ends)
        sequencer_show_ending(s);
    if (s->reconfigures) {
        ports_set(&s->next_phase_o, begins && !s->pause && next_phase);
        ports_set(&s->pause_o, s->pause);
    }
}

/* Returns whether only the flit changes at this edge, as in the middle of a row from the second
 * edge on. */
static bool sequencer_glides(struct sequencer *s, bool rst, bool start)
{
    uint32_t last_flit = ports_low(csim_get(&s->flits_i) - 1, s->flit_bits);
    bool before = s->middle;
    s->middle = !rst && !start && s->busy && s->busy1 && s->busy2 && !s->pause && s->cycle > 2 &&
                s->cycle < last_flit && !sequencer_row_ends(s);
    if (!before || !s->middle)
        return false;
    ports_set(&s->tx_flit_o, s->flit);
    sequencer_count(s, last_flit);
    s->cycle++;
    if (s->ends)
        sequencer_show_ending(s);
    return true;
}

static void sequencer_edge(void *state)
{
    struct sequencer *s = state;
    bool rst = csim_get(&s->rst_i);
    bool start = csim_get(&s->start_i);
    if ((s->idle && !rst && !start) || sequencer_glides(s, rst, start))
        return;
    /* Nothing is under way before or after this edge, so the next edge would change nothing. */
    bool pending = rst || start || s->busy || csim_get(&s->active_o) || csim_get(&s->tx_en_o) ||
                   csim_get(&s->wave_fetch_o);
    sequencer_send(s);
    sequencer_follow(s, rst, start);
    if (s->reconfigures)
        sequencer_hold(s, rst, start);
    sequencer_walk(s, rst, start);
    sequencer_show(s);
    s->idle = !pending;
}

uint32_t sequencer_edges(const struct sequencer *s, uint32_t latency)
{
    uint32_t flits = csim_get(&s->flits_i), row_cycles = csim_get(&s->row_cycles_i);
    bool begun = s->cycle == 2 || s->cycle == 3;
    if (!begun || !csim_get(&s->run_o) || latency < 2 || flits < 4 ||
        row_cycles != flits + latency ||
        s->row == ports_low(csim_get(&s->rows_i) - 1, s->row_bits + 1))
        return 0;
    return row_cycles - s->cycle + 2;
}

uint32_t sequencer_next_row(const struct sequencer *s)
{
    return ports_low(s->row + 1, s->row_bits);
}

void sequencer_leap(struct sequencer *s)
{
    s->row = ports_low(s->row + 1, s->row_bits + 1);
    s->cycle = s->flit = 2;
    ports_set(&s->row_o, ports_low(s->row, s->row_bits));
    ports_set(&s->wave_row_o, ports_low(s->row, s->row_bits));
    ports_set(&s->tx_flit_o, 1);
    if (s->ends)
        sequencer_show_ending(s);
}

static void sequencer_reset(void *state)
{
    struct sequencer *s = state;
    s->busy = s->busy1 = s->busy2 = s->row = s->cycle = s->flit = 0;
    s->fresh = s->pause = s->middle = false;
    s->left = s->waited = 0;
    s->idle = true;
}

struct sequencer *sequencer_new(struct csim_module *parent, const char *name,
                                const struct machine *machine)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct sequencer *self = csim_state(module, sizeof *self);
    if (self == NULL)
        return NULL;
    self->row_bits = machine->log2_rows;
    self->flit_bits = machine->log2_flits;
    csim_on_reset(module, sequencer_reset);
    struct csim_process *process = csim_clocked(module, "edge", sequencer_edge);
    SEQUENCER_PORTS(PORTS_INPUT_DECLARE, PORTS_OUTPUT_DECLARE)
    self->finishes = machine_is_autonomous(machine) || machine->computed;
    self->ends = machine->computed;
    if (self->finishes) {
        PORTS_INPUT_DECLARE(finish, 1)
    }
    if (self->ends) {
        PORTS_OUTPUT_DECLARE(ending, 1)
    }
    self->reconfigures = machine->reconfigures;
    if (self->reconfigures) {
        PORTS_INPUT_DECLARE(reconfigure, 32)
        PORTS_INPUT_DECLARE(length, machine->log2_rows)
        PORTS_OUTPUT_DECLARE(next_phase, 1)
        PORTS_OUTPUT_DECLARE(pause, 1)
    }
    return self;
}
