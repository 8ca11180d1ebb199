/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/matching.h"

#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/complete/ports_roles.h"
#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <stdlib.h>

/* --- Streams -------------------------------------------------------------------------------- */

/* A number of streams with the same number of ports each. */
struct part {
    uint32_t ports, streams;
    unsigned delay; /* L for this number of ports */
    struct ports_roles roles;
};

#define MOST_TRIES 8 /* divisions to try; more streams take longer */
#define PARTS 3      /* n - 1 ports; ⌈rest / streams⌉; ⌊rest / streams⌋ */

struct division {
    uint64_t rounds;
    struct part part[PARTS];
};

/* Returns how many packets a stream delivers to all nodes in `rounds` rounds. */
static uint64_t brought(const struct part *part, uint64_t rounds)
{
    return rounds < part->delay ? 0 : (rounds - part->delay) * part->ports + 1;
}

static unsigned delay_of(const struct part part[PARTS])
{
    unsigned delay = 0;
    for (unsigned which = 0; which < PARTS; which++)
        delay = part[which].streams > 0 ? MAX(delay, part[which].delay) : delay;
    return delay;
}

/* Returns the number of rounds until all nodes have the last packet if m is not known. With two
 * nodes, the receiver has each packet as soon as it is sent. */
static uint64_t stream_rounds(const struct collective *collective, const struct part part[PARTS])
{
    uint64_t rounds = 0, before = 0;
    for (unsigned which = 0; which < PARTS; which++) {
        if (part[which].streams > 0 && collective->m > before) {
            uint64_t batches = bits_divide_up(collective->m - before, collective->ports);
            uint64_t end = batches + (collective->n > 2 ? part[which].delay : 0);
            rounds = MAX(rounds, end);
        }
        before += (uint64_t)part[which].streams * part[which].ports;
    }
    return rounds;
}

/* Returns the number of rounds that the parts need for all packets. */
static uint64_t rounds_of(const struct collective *collective, const struct part part[PARTS])
{
    uint64_t low = 1, high = (uint64_t)collective->m + delay_of(part);
    while (low < high) {
        uint64_t rounds = low + (high - low) / 2, packets = 0;
        for (unsigned which = 0; which < PARTS; which++)
            packets += part[which].streams * brought(&part[which], rounds);
        if (packets >= collective->m)
            high = rounds;
        else
            low = rounds + 1;
    }
    return low;
}

/* Fills a part. Returns false if there are no roles for its streams. */
static bool set_part(uint32_t n, uint32_t ports, uint32_t streams, struct part *part)
{
    if (ports == 0 || streams == 0)
        return true;
    *part = (struct part){ports, streams, ports_rounds(n, ports)};
    return ports_roles(n, ports, &part->roles);
}

/* Returns the division of the ports with the fewest rounds or, if m is not known, the least delay.
 */
static struct division divide(const struct collective *collective)
{
    uint32_t n = collective->n, ports = MAX(collective->ports, 1);
    struct division best = {.rounds = UINT64_MAX};
    uint32_t rest = ports % (n - 1), tries = 0;
    for (uint32_t streams = 1; streams <= MAX(rest, 1) && tries < MOST_TRIES; streams++) {
        uint32_t each = rest / streams, more = rest % streams;
        struct division tried = {0};
        if (!set_part(n, n - 1, ports / (n - 1), &tried.part[0]) ||
            !set_part(n, each + 1, more, &tried.part[1]) ||
            !set_part(n, each, streams - more, &tried.part[2]))
            continue;
        tries++;
        tried.rounds =
            collective->stream ? delay_of(tried.part) : rounds_of(collective, tried.part);
        if (tried.rounds < best.rounds)
            best = tried;
    }
    if (collective->stream)
        best.rounds = stream_rounds(collective, best.part);
    return best;
}

/* --- The rounds of a stream ----------------------------------------------------------------- */

/* The packets of a stream: packet c of batch t is before + (t - 1) · step + c + 1. */
struct stream {
    const struct ports_roles *roles;
    uint32_t before, step;
    uint32_t last;     /* the last packet that the stream sends */
    bool repeats;      /* later packets stand for the last one; else they are empty */
    bool *has_last;    /* [node] */
    uint32_t *at;      /* [ports + 1]: first position of packet c, then of the relays */
    uint32_t *role;    /* [position]: node */
    uint32_t *next;    /* roles of the next round */
    uint32_t called;   /* number of nodes of T_{L-1} called in this round */
    uint32_t called_c; /* position of the next call: packet c */
    uint32_t called_i; /* and its index in T_{L-1}^c */
    uint32_t helped;   /* number of sends of relays in this round */
    struct transfer *put;
};

/* Returns the packet that packet c of batch `round - age` stands for; 0 if it is empty. */
static uint32_t packet_of(const struct stream *stream, uint64_t round, unsigned age, uint32_t c)
{
    if (round <= age)
        return 0;
    uint64_t packet = stream->before + (round - age - 1) * stream->step + c + 1;
    if (packet > stream->last)
        return stream->repeats ? stream->last : 0;
    return (uint32_t)packet;
}

static inline void send(struct stream *stream, uint32_t source, uint32_t destination,
                        uint32_t packet)
{
    if (packet == 0)
        return;
    if (packet == stream->last) {
        if (stream->has_last[destination])
            return;
        stream->has_last[destination] = true;
    }
    *stream->put++ = (struct transfer){source, destination, packet};
}

/* Returns the first position of T_i^c; for i = L, the position after the last set. */
static uint32_t position_of(const struct stream *stream, uint32_t c, unsigned i)
{
    const struct ports_line *line = ports_roles_line(stream->roles, c);
    uint32_t position = stream->at[c];
    for (unsigned before = 0; before < i; before++)
        position += line->size[before];
    return position;
}

/* Returns the next node of T_{L-1} that is called. */
static uint32_t call(struct stream *stream)
{
    unsigned last = stream->roles->stages - 1;
    while (stream->called_i == ports_roles_line(stream->roles, stream->called_c)->size[last]) {
        stream->called_c++;
        stream->called_i = 0;
    }
    return stream->role[position_of(stream, stream->called_c, last) + stream->called_i++];
}

/* Simulates T_i^c in a round: it calls nodes, becomes T_{i+1}^c with them, and sends to its relays,
 * which begin at position `relay`. */
static void run_stage(struct stream *stream, uint64_t round, uint32_t c, unsigned i, uint32_t relay)
{
    const struct ports_line *line = ports_roles_line(stream->roles, c);
    const uint32_t *members = stream->role + position_of(stream, c, i);
    uint32_t *next = stream->next + position_of(stream, c, i + 1);
    uint32_t packet = packet_of(stream, round, i + 1, c), size = line->size[i];
    uint32_t calls = line->size[i + 1] - size, ports = stream->roles->ports;
    for (uint32_t which = 0; which < size; which++)
        next[which] = members[which];
    for (uint32_t which = 0; which < calls + line->relay[i + 1]; which++) {
        uint32_t node = which < calls ? call(stream) : stream->role[relay + which - calls];
        if (which < calls)
            next[size + which] = node;
        send(stream, members[which / ports], node, packet);
    }
}

/* Returns the sender of send number `which` of T_{L-1}^c: its members make `ports` sends each, then
 * relays help. */
static uint32_t last_sender(struct stream *stream, uint32_t first, uint32_t size, uint64_t which)
{
    uint32_t ports = stream->roles->ports;
    if (which < (uint64_t)size * ports)
        return stream->role[first + which / ports];
    return stream->role[stream->at[ports] + stream->helped++ / ports];
}

/* Sends the packet of T_{L-1}^c, from its nodes and relays, to all nodes that lack it. */
static void run_last(struct stream *stream, uint64_t round, uint32_t c)
{
    const struct ports_roles *roles = stream->roles;
    unsigned stage = roles->stages - 1;
    uint32_t packet = packet_of(stream, round, stage + 1, c);
    uint32_t first = position_of(stream, c, stage);
    uint32_t size = ports_roles_line(roles, c)->size[stage];
    uint64_t which = 0;
    for (uint32_t position = 0; packet > 0 && position < stream->at[roles->ports]; position++)
        if (position < first || position >= first + size)
            send(stream, last_sender(stream, first, size, which++), stream->role[position], packet);
}

static void run_round(struct stream *stream, uint64_t round)
{
    const struct ports_roles *roles = stream->roles;
    stream->called_c = stream->called_i = stream->helped = 0;
    for (uint32_t c = 0; c < roles->ports; c++) {
        uint32_t relay = stream->at[roles->ports], taker = call(stream);
        send(stream, 0, taker, packet_of(stream, round, 0, c));
        stream->next[stream->at[c]] = taker;
        for (unsigned i = 0; i + 1 < roles->stages; i++) {
            run_stage(stream, round, c, i, relay);
            relay += ports_roles_line(roles, c)->relay[i + 1];
        }
    }
    for (uint32_t c = 0; c < roles->ports; c++)
        run_last(stream, round, c);
    for (uint32_t position = 0; position < stream->at[roles->ports]; position++)
        stream->role[position] = stream->next[position];
}

/* --- The schedule --------------------------------------------------------------------------- */

extern const struct algorithm algorithm_binomial;

/* Returns whether there is a single packet, which uses the binomial tree for any number of
 * ports. */
static bool is_one_packet(const struct collective *collective)
{
    return collective->m == 1 && !collective->stream;
}

uint64_t matching_ports_end(const struct collective *collective)
{
    return is_one_packet(collective) ? algorithm_binomial.end(collective)
                                     : divide(collective).rounds;
}

/* All streams, and their shared data. */
struct run {
    const struct collective *collective;
    const struct division *division;
    uint32_t streams;
    struct stream *stream;
    bool *has_last;
    uint32_t *at, *role, *next;
};

/* Allocates the streams' arrays. */
static void *allocate(struct run *run)
{
    size_t n = run->collective->n, streams = 0, ports = 0;
    for (unsigned which = 0; which < PARTS; which++) {
        streams += run->division->part[which].streams;
        ports += (size_t)run->division->part[which].streams * run->division->part[which].ports;
    }
    run->streams = (uint32_t)streams;
    return arena_new(
        (const struct arena_array[]){ARENA(run->stream, streams), ARENA(run->has_last, streams * n),
                                     ARENA(run->at, ports + streams), ARENA(run->role, streams * n),
                                     ARENA(run->next, streams * n)},
        5);
}

/* Assigns the arrays of a stream, and to its nodes their initial roles in order. */
static void begin_stream(const struct run *run, uint32_t which, uint32_t ports_before,
                         struct stream *stream)
{
    const struct ports_roles *roles = stream->roles;
    size_t first = (size_t)which * run->collective->n;
    stream->has_last = run->has_last + first;
    stream->role = run->role + first;
    stream->next = run->next + first;
    stream->at = run->at + ports_before + which;
    for (uint32_t c = 0; c < roles->ports; c++)
        stream->at[c + 1] = position_of(stream, c, roles->stages);
    for (uint32_t position = 0; position < roles->nodes - 1; position++)
        stream->role[position] = position + 1;
}

/* Divides the packets among the streams: as many as each can deliver or, if m is not known, in
 * turn. */
static void begin(struct run *run)
{
    const struct collective *collective = run->collective;
    uint32_t which = 0, ports = 0, before = 0;
    for (unsigned part = 0; part < PARTS; part++) {
        const struct part *of = &run->division->part[part];
        for (uint32_t copy = 0; copy < of->streams; copy++, which++, ports += of->ports) {
            struct stream *stream = &run->stream[which];
            uint64_t brings = brought(of, run->division->rounds);
            uint32_t packets = (uint32_t)MIN(brings, collective->m - before);
            *stream = (struct stream){.roles = &of->roles,
                                      .before = before,
                                      .step = of->ports,
                                      .last = before + packets,
                                      .repeats = true};
            if (collective->stream) {
                stream->before = ports;
                stream->step = collective->ports;
                stream->last = collective->m;
                stream->repeats = false;
            } else {
                before += packets;
            }
            begin_stream(run, which, ports, stream);
        }
    }
}

/* Returns whether a stream has no packets. */
static bool is_empty(const struct stream *stream)
{
    return stream->last <= stream->before;
}

static bool build_rounds(const struct run *run, struct schedule *schedule, struct err *err)
{
    const struct collective *collective = run->collective;
    size_t most = (size_t)MIN(MAX(collective->ports, 1), collective->m) * (collective->n - 1);
    if (!schedule_reserve(schedule, run->division->rounds,
                          (size_t)(collective->n - 1) * collective->m + most, err))
        return false;
    for (uint64_t round = 1; round <= run->division->rounds; round++) {
        struct transfer *first = schedule_open_step(schedule, round, most, err), *put = first;
        if (first == NULL)
            return false;
        for (uint32_t which = 0; which < run->streams; which++) {
            struct stream *stream = &run->stream[which];
            stream->put = put;
            if (!is_empty(stream))
                run_round(stream, round);
            put = stream->put;
        }
        schedule_close_step(schedule, (size_t)(put - first));
    }
    return true;
}

bool matching_ports_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    if (is_one_packet(collective))
        return algorithm_binomial.build(collective, schedule, err);
    const struct division division = divide(collective);
    struct run run = {.collective = collective, .division = &division};
    void *memory = allocate(&run);
    if (memory == NULL)
        return err_no_memory(err, "the roles of %u nodes", collective->n);
    begin(&run);
    bool built = build_rounds(&run, schedule, err);
    free(memory);
    return built;
}
