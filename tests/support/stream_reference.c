/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/stream_reference.h"

#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/network/benes.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/room.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *stream_settings(const struct stream_reference *s, uint32_t row)
{
    return s->setting +
           (size_t)row * machine_stages(&s->machine) * multistage_row_words(&s->machine.network);
}

size_t stream_reference_at(const struct stream_reference *s, uint32_t node, uint32_t packet,
                           uint32_t flit)
{
    return ((size_t)node * s->packets + packet) * s->flits + flit;
}

static bool stream_chance(struct stream_reference *s, uint32_t of_a_hundred)
{
    return rng_below(&s->rng, 100) < of_a_hundred;
}

uint32_t stream_reference_senders(const struct stream_reference *s)
{
    uint32_t drain = machine_streams(&s->machine, &s->run) ? s->latency / s->run.row_cycles : 0;
    return s->run.rows > drain ? s->run.rows - drain : 0;
}

uint32_t stream_reference_follow(const struct stream_reference *s, uint32_t row, uint32_t lane,
                                 unsigned stages)
{
    return multistage_follow(&s->machine.network, stream_settings(s, row), lane, stages);
}

/* -- Images ------------------------------------------------------------------------------------ */

/* Transfers under way, by sender and by receiver: [nodes]. */
struct stream_active {
    uint32_t *to, *sent, *send_rows; /* packet, and rows that it still takes */
    uint32_t *stored, *receive_rows;
};

static void stream_begin(struct stream_reference *s, uint32_t row, uint32_t busy,
                         struct stream_active *active)
{
    uint32_t rows = machine_packet_rows(&s->run);
    for (uint32_t node = 0; row + rows <= stream_reference_senders(s) && node < s->nodes; node++) {
        uint32_t to = rng_below(&s->rng, s->nodes);
        if (active->send_rows[node] > 0 || active->receive_rows[to] > 0 || !stream_chance(s, busy))
            continue;
        active->to[node] = to;
        active->send_rows[node] = active->receive_rows[to] = rows;
        active->sent[node] = rng_below(&s->rng, s->packets);
        active->stored[to] = rng_below(&s->rng, s->packets);
        uint64_t cycle = machine_arrival_cycle(&s->machine, &s->run, row, 0);
        assert_true(cycle < s->cycles);
        s->due[cycle * s->nodes + to] = MACHINE_VALID | active->stored[to];
        s->transfers++;
    }
}

/* A row of the tables and programs; entries that are not valid name some packet, too. */
static void stream_row(struct stream_reference *s, uint32_t row, struct benes_router *router,
                       struct stream_active *active)
{
    struct err err = {0};
    uint32_t *to = room_words(s->nodes);
    for (uint32_t node = 0; node < s->nodes; node++) {
        uint32_t *send = &s->send[(size_t)row * s->nodes + node];
        uint32_t *receive = &s->receive[(size_t)row * s->nodes + node];
        to[node] = active->send_rows[node] > 0 ? active->to[node] : MULTISTAGE_IDLE;
        *send = active->send_rows[node] > 0 ? MACHINE_VALID | active->sent[node]
                                            : rng_below(&s->rng, s->packets);
        *receive = active->receive_rows[node] == 0
                       ? rng_below(&s->rng, s->packets)
                       : MACHINE_VALID | active->stored[node] |
                             (active->receive_rows[node] > 1 ? MACHINE_MORE : 0);
        active->send_rows[node] -= active->send_rows[node] > 0;
        active->receive_rows[node] -= active->receive_rows[node] > 0;
    }
    assert_true(benes_route(router, to, stream_settings(s, row), &err));
    free(to);
}

/* Entries lose or get what they should not, a switch in a row the other way round. */
static void stream_spoil(struct stream_reference *s, uint32_t wrong)
{
    static const uint32_t bits[] = {MACHINE_VALID, MACHINE_MORE, MACHINE_MORE | MACHINE_VALID, 1};
    for (uint32_t row = 0; row < s->run.rows; row++) {
        for (uint32_t node = 0; node < s->nodes; node++) {
            if (stream_chance(s, wrong))
                s->receive[(size_t)row * s->nodes + node] ^= bits[rng_below(&s->rng, 4)];
            if (stream_chance(s, wrong) && row < stream_reference_senders(s))
                s->send[(size_t)row * s->nodes + node] ^= MACHINE_VALID;
        }
        uint32_t stage = rng_below(&s->rng, machine_stages(&s->machine));
        uint32_t sw = rng_below(&s->rng, s->nodes / 2);
        if (stream_chance(s, wrong))
            stream_settings(s, row)[stage * multistage_row_words(&s->machine.network) + sw / 32] ^=
                1u << sw % 32;
    }
}

static void stream_plan(struct stream_reference *s, const struct stream_reference_rates *rates)
{
    struct err err = {0};
    struct benes_router *router = benes_router_new(machine_node_bits(&s->machine), &err);
    uint32_t *words = room_words((size_t)5 * s->nodes);
    struct stream_active active = {words, words + s->nodes, words + 2 * s->nodes,
                                   words + 3 * s->nodes, words + 4 * s->nodes};
    assert_non_null(router);
    for (uint32_t row = 0; row < s->run.rows; row++) {
        stream_begin(s, row, rates->busy, &active);
        stream_row(s, row, router, &active);
    }
    benes_router_free(router);
    free(words);
    stream_spoil(s, rates->wrong);
    for (size_t at = 0; at < stream_reference_at(s, s->nodes, 0, 0); at++)
        s->memory[at] = ((uint32_t)rng_next(&s->rng) & ((UINT32_C(1) << s->machine.width) - 1)) |
                        (stream_chance(s, rates->bare) ? 0 : MACHINE_VALID);
}

/* Every word that the run depends on. */
static void stream_image(const struct stream_reference *s, struct image *image)
{
    const struct machine *machine = &s->machine;
    uint32_t columns = multistage_row_words(&machine->network);
    struct err err = {0};
    *image = (struct image){.machine = *machine, .run = s->run};
#define STREAM_WORD(address, word) assert_true(image_append(image, (address), (word), &err))
    STREAM_WORD(MACHINE_RUN_ROWS, s->run.rows);
    STREAM_WORD(MACHINE_RUN_FLITS, s->run.flits);
    STREAM_WORD(MACHINE_RUN_ROW_CYCLES, s->run.row_cycles);
    for (uint32_t row = 0; row < s->run.rows; row++) {
        for (uint32_t word = 0; word < machine_stages(machine) * columns; word++)
            STREAM_WORD(machine_table_address(machine, word / columns, row, word % columns),
                        stream_settings(s, row)[word]);
        for (uint32_t node = 0; node < s->nodes; node++) {
            size_t at = (size_t)row * s->nodes + node;
            STREAM_WORD(machine_program_address(machine, MACHINE_SEND, node, row), s->send[at]);
            STREAM_WORD(machine_program_address(machine, MACHINE_RECEIVE, node, row),
                        s->receive[at]);
        }
    }
    for (uint32_t node = 0; node < s->nodes; node++)
        for (uint32_t packet = 0; packet < s->packets; packet++)
            for (uint32_t flit = 0; flit < s->flits; flit++)
                STREAM_WORD(machine_packet_address(machine, node, packet, flit),
                            s->memory[stream_reference_at(s, node, packet, flit)]);
#undef STREAM_WORD
}

/* -- What becomes of it ------------------------------------------------------------------------ */

/* Finds the flit that leaves in a cycle of the run. Returns false if none does. */
static bool stream_flit(const struct stream_reference *s, uint32_t cycle, uint32_t *flit)
{
    bool streams = machine_streams(&s->machine, &s->run);
    *flit = streams ? cycle % s->run.flits : cycle % s->run.row_cycles;
    return *flit < s->run.flits;
}

static void stream_send(struct stream_reference *s, uint32_t cycle)
{
    uint32_t flit, row = cycle / s->run.row_cycles;
    for (uint32_t node = 0; stream_flit(s, cycle, &flit) && node < s->nodes; node++) {
        uint32_t entry = s->send[(size_t)row * s->nodes + node];
        size_t at = stream_reference_at(s, node, entry & (s->packets - 1), flit);
        if (!(entry & MACHINE_VALID))
            continue;
        s->sent[(size_t)cycle * s->nodes + node] = s->memory[at];
        s->forwarded += s->stored_in[at] != 0 && s->stored_in[at] == cycle;
        if (!(s->memory[at] & MACHINE_VALID))
            s->flags[node] |= MACHINE_NOT_HELD;
    }
}

/* A word, or nothing, comes to a node from those that left in cycle `left`. */
static void stream_receive(struct stream_reference *s, uint32_t left, uint32_t flit, uint32_t node,
                           uint32_t word)
{
    const uint32_t both = MACHINE_VALID | MACHINE_MORE;
    uint32_t row = left / s->run.row_cycles;
    uint32_t entry = s->receive[(size_t)row * s->nodes + node];
    bool expected = entry & MACHINE_VALID, arrived = word & MACHINE_VALID;
    if (left % s->run.row_cycles == 0 &&
        (row == 0 || (s->receive[(size_t)(row - 1) * s->nodes + node] & both) != both))
        s->whole[node] = true;
    if (expected != arrived) {
        s->flags[node] |= expected ? MACHINE_MISSING : MACHINE_UNEXPECTED;
        s->whole[node] = false;
    }
    if (expected) {
        size_t at = stream_reference_at(s, node, entry & (s->packets - 1), flit);
        s->memory[at] = word;
        s->stored_in[at] = left + s->latency + 1;
    }
}

static void stream_observe(struct stream_reference *s, uint32_t left)
{
    uint32_t cycle = left + s->latency, row = left / s->run.row_cycles;
    s->strobe[cycle] = true;
    for (uint32_t node = 0; node < s->nodes; node++) {
        uint32_t entry = s->receive[(size_t)row * s->nodes + node];
        bool complete = (entry & MACHINE_VALID) && !(entry & MACHINE_MORE) && s->whole[node];
        s->obs[(size_t)cycle * s->nodes + node] = (complete ? MACHINE_VALID : 0) |
                                                  s->flags[node] << MACHINE_OBS_FLAGS |
                                                  (entry & (s->packets - 1));
        s->receipts += complete;
    }
}

static void stream_arrive(struct stream_reference *s, uint32_t left)
{
    uint32_t flit, next, row = left / s->run.row_cycles;
    uint32_t *lane = room_words(s->nodes);
    bool flits = stream_flit(s, left, &flit);
    for (uint32_t node = 0; flits && node < s->nodes; node++)
        lane[stream_reference_follow(s, row, node, machine_stages(&s->machine))] =
            s->sent[(size_t)left * s->nodes + node];
    for (uint32_t node = 0; flits && node < s->nodes; node++)
        stream_receive(s, left, flit, node, lane[node]);
    free(lane);
    if (flits && ((left + 1) % s->run.row_cycles == 0 || !stream_flit(s, left + 1, &next)))
        stream_observe(s, left);
}

static void stream_predict(struct stream_reference *s)
{
    for (uint32_t cycle = 0; cycle < s->cycles; cycle++) {
        uint32_t *before = room_words(s->nodes);
        memcpy(before, s->flags, s->nodes * sizeof *before);
        stream_send(s, cycle);
        if (cycle >= s->latency)
            stream_arrive(s, cycle - s->latency);
        for (uint32_t node = 0; node < s->nodes; node++)
            for (unsigned flag = 0; flag < 3; flag++)
                s->raised[flag] += (s->flags[node] & ~before[node]) >> flag & 1;
        free(before);
    }
}

void stream_reference_draw(const struct machine *machine, const struct run *run,
                           const struct stream_reference_rates *rates, uint64_t seed,
                           struct stream_reference *s, struct image *image)
{
    *s = (struct stream_reference){.machine = *machine,
                                   .run = *run,
                                   .rng = {seed},
                                   .nodes = machine_ports(machine),
                                   .packets = 1u << machine->log2_packets,
                                   .flits = 1u << machine->log2_flits,
                                   .latency = machine_latency(machine),
                                   .cycles = run->rows * run->row_cycles};
    size_t row_words = (size_t)machine_stages(machine) * multistage_row_words(&machine->network);
    s->setting = room_words(run->rows * row_words);
    s->send = room_words((size_t)run->rows * s->nodes);
    s->receive = room_words((size_t)run->rows * s->nodes);
    s->memory = room_words(stream_reference_at(s, s->nodes, 0, 0));
    s->stored_in = room_words(stream_reference_at(s, s->nodes, 0, 0));
    s->flags = room_words(s->nodes);
    s->whole = room_words(s->nodes);
    s->sent = room_words((size_t)s->cycles * s->nodes);
    s->obs = room_words((size_t)s->cycles * s->nodes);
    s->due = room_words((size_t)s->cycles * s->nodes);
    s->strobe = room_words(s->cycles);
    stream_plan(s, rates);
    stream_image(s, image);
    stream_predict(s);
}

void stream_reference_free(struct stream_reference *s)
{
    uint32_t *const arrays[] = {s->setting, s->send, s->receive, s->memory, s->stored_in, s->flags,
                                s->whole,   s->sent, s->obs,     s->due,    s->strobe};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
}
