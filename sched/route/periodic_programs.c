/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/setting_period.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/machine/machine_address.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SENDER, RECEIVER, DIRECTIONS };

void periodic_programs_free(struct periodic_programs *computed)
{
    free(computed->memory);
    *computed = (struct periodic_programs){0};
}

static bool allocate(struct periodic_programs *computed, struct err *err)
{
    size_t entries = (size_t)computed->period * computed->nodes;
    const struct arena_array arrays[] = {ARENA(computed->offset[SENDER], entries),
                                         ARENA(computed->offset[RECEIVER], entries)};
    computed->memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (computed->memory == NULL)
        return err_no_memory(err, "computed programs");
    for (size_t k = 0; k < entries; k++)
        computed->offset[SENDER][k] = computed->offset[RECEIVER][k] = PERIODIC_PROGRAMS_NONE;
    return true;
}

static int32_t base_of(const struct periodic_programs *computed, uint64_t row)
{
    return (int32_t)((computed->first + row) / computed->period * computed->period);
}

/* The part of the programs that a row uses: the entries of its setting phase, for all nodes, and
 * its base. */
struct place {
    int32_t *entry[DIRECTIONS];
    int32_t base;
};

static struct place place_of(const struct periodic_programs *computed, uint64_t row)
{
    const size_t first = (size_t)((computed->first + row) % computed->period) * computed->nodes;
    return (struct place){
        .entry = {computed->offset[SENDER] + first, computed->offset[RECEIVER] + first},
        .base = base_of(computed, row)};
}

/* Returns the packet of an entry in a row with this base; 0: no packet. */
static uint32_t packet_of(int32_t offset, int32_t base, const struct schedule *schedule)
{
    int32_t packet = offset == PERIODIC_PROGRAMS_NONE ? -1 : offset + base;
    if (packet < 0)
        return 0;
    uint32_t after = schedule->stream ? 0 : schedule->packets;
    return (uint32_t)packet < schedule->packets ? (uint32_t)packet + 1 : after;
}

/* Sets the offset of a setting phase from a packet that is seen in it. Any packet but the last
 * determines the offset; the last packet may stand for later ones, so it counts only if no other
 * was seen. Returns whether the offset was not set before, or to the same value. */
static bool learn(int32_t *entry, int32_t base, uint32_t packet, uint32_t packets)
{
    int32_t before = *entry;
    if (*entry == PERIODIC_PROGRAMS_NONE || packet < packets)
        *entry = (int32_t)packet - 1 - base;
    return before == PERIODIC_PROGRAMS_NONE || before == (int32_t)packet - 1 - base;
}

/* Sets all offsets. Returns false if a stream has no programs with this period. */
static bool learn_all(const struct schedule *schedule, const struct periodic_programs *computed)
{
    for (size_t k = 0; k < schedule->step_count; k++) {
        const struct place place = place_of(computed, schedule_row(schedule, k));
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            bool sends = learn(&place.entry[SENDER][transfer->source], place.base, transfer->packet,
                               schedule->packets);
            bool receives = learn(&place.entry[RECEIVER][transfer->destination], place.base,
                                  transfer->packet, schedule->packets);
            if (schedule->stream && !(sends && receives))
                return false;
        }
    }
    return true;
}

/* Checks that the computed packets of a row are those of the schedule. E409. seen[direction][node]:
 * the packet of a row, from 1; 0: none. */
static bool check_row(const struct schedule *schedule, const struct periodic_programs *computed,
                      uint64_t row, const uint32_t seen[], struct err *err)
{
    static const char *const verb[] = {"send", "receive"};
    const struct place place = place_of(computed, row);
    for (int direction = 0; direction < DIRECTIONS; direction++)
        for (uint32_t node = 0; node < computed->nodes; node++) {
            uint32_t expected = seen[(size_t)direction * computed->nodes + node];
            uint32_t packet = packet_of(place.entry[direction][node], place.base, schedule);
            if (packet != expected)
                return err_set(err, ERR_IRREGULAR,
                               "{programs}: in round %" PRIu64 " node %" PRIu32
                               " would %s packet %" PRIu32 ", not %" PRIu32
                               " (0: none); expected a schedule that repeats, such as circulant",
                               row + 1, node, verb[direction], packet, expected);
        }
    return true;
}

static bool check_all(const struct schedule *schedule, const struct periodic_programs *computed,
                      struct err *err)
{
    uint32_t *seen = malloc((size_t)DIRECTIONS * computed->nodes * sizeof *seen);
    if (seen == NULL)
        return err_no_memory(err, "computed programs");
    bool reconfig = true;
    size_t k = 0;
    for (uint64_t row = 0; reconfig && row < schedule->end; row++) {
        for (uint32_t node = 0; node < DIRECTIONS * computed->nodes; node++)
            seen[node] = 0;
        for (; k < schedule->step_count && schedule_row(schedule, k) == row; k++)
            for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
                seen[schedule->transfer[t].source] = schedule->transfer[t].packet;
                seen[computed->nodes + schedule->transfer[t].destination] =
                    schedule->transfer[t].packet;
            }
        reconfig = check_row(schedule, computed, row, seen, err);
    }
    free(seen);
    return reconfig;
}

/* Finds programs with this period and first setting phase. */
static bool find_period(const struct schedule *schedule, uint32_t period, uint32_t first,
                        struct periodic_programs *computed, struct err *err)
{
    *computed =
        (struct periodic_programs){.nodes = schedule->nodes, .period = period, .first = first};
    if (!allocate(computed, err))
        return false;
    bool learnt = learn_all(schedule, computed) ||
                  err_set(err, ERR_IRREGULAR,
                          "{programs}: the stream does not repeat after %" PRIu32
                          " round%s; expected at most %" PRIu32,
                          period, text_s(period), MACHINE_MAX_PERIOD);
    if (learnt && check_all(schedule, computed, err))
        return true;
    periodic_programs_free(computed);
    return false;
}

/* Checks the rounds in which the packets of a step are sent: packet p in the rounds p to p + tail,
 * in both of which some node sends it. E409. */
static bool check_stop(const struct schedule *schedule, size_t k, uint64_t tail, struct err *err)
{
    const uint64_t round = schedule->step[k].time;
    bool begins = round > schedule->packets, ends = round <= tail;
    for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
        uint32_t packet = schedule->transfer[t].packet;
        if (round < packet || round > packet + tail)
            return err_set(err, ERR_IRREGULAR,
                           "{stream}: packet %" PRIu32 " is sent in round %" PRIu64
                           "; expected rounds %" PRIu32 " to %" PRIu64
                           ", so that the host can stop after any packet",
                           packet, round, packet, packet + tail);
        begins = begins || packet == round;
        ends = ends || packet + tail == round;
    }
    return (begins && ends) ||
           err_set(err, ERR_IRREGULAR,
                   "{stream}: packet %" PRIu64 " is not sent in round %" PRIu64
                   "; expected a packet that begins and one that ends in every round, as those of "
                   "matching and path do",
                   begins ? round - tail : round, round);
}

/* Checks that the host can stop the stream after any packet: the source begins packet r in round r,
 * and all packets take as many rounds. E409. */
static bool check_stops(const struct schedule *schedule, struct err *err)
{
    uint64_t tail = schedule->end - schedule->packets, begun = 0, ended = 0;
    bool stops = true;
    for (size_t k = 0; stops && k < schedule->step_count; k++) {
        stops = check_stop(schedule, k, tail, err);
        begun += schedule->step[k].time <= schedule->packets;
        ended += schedule->step[k].time > tail;
    }
    return stops && ((begun == schedule->packets && ended == schedule->packets) ||
                     err_set(err, ERR_IRREGULAR,
                             "{stream}: a packet begins or ends in no round; expected one that "
                             "begins in each round, and ends %" PRIu64 " round%s later",
                             tail, text_s(tail)));
}

/* Finds the shortest period of a stream. */
static bool find_stream(const struct schedule *schedule, struct periodic_programs *computed,
                        struct err *err)
{
    uint32_t most = (uint32_t)MIN(MAX(schedule->end, 1), MACHINE_MAX_PERIOD);
    if (schedule->end < schedule->packets)
        return err_set(err, ERR_IRREGULAR,
                       "{stream}: %" PRIu64 " round%s for %" PRIu32
                       " packets; expected a round for each packet",
                       schedule->end, text_s(schedule->end), schedule->packets);
    if (!check_stops(schedule, err))
        return false;
    struct err refused = {0};
    for (uint32_t period = 1; period <= most; period++) {
        refused = (struct err){0};
        if (find_period(schedule, period, 0, computed, &refused))
            return true;
        if (refused.code != ERR_IRREGULAR)
            break;
    }
    return err_copy(err, &refused);
}

bool periodic_programs_find(const struct schedule *schedule, struct periodic_programs *computed,
                            struct err *err)
{
    uint32_t q = bits_log2_up(schedule->nodes);
    uint32_t period = MAX(q, 1);
    *computed = (struct periodic_programs){.nodes = schedule->nodes, .period = period};
    if (model_has_times(schedule->model) || schedule->packets == 0)
        return err_set(
            err, ERR_IRREGULAR,
            "{programs}: the schedule has no rounds; expected one of rounds, such as circulant");
    if (schedule->stream)
        return find_stream(schedule, computed, err);
    uint32_t first = (period - (schedule->packets - 1) % period) % period;
    return find_period(schedule, period, first, computed, err);
}

bool periodic_programs_check_bits(const struct periodic_programs *computed,
                                  const struct schedule *schedule, const struct machine *machine,
                                  struct err *err)
{
    struct machine roomy = *machine;
    unsigned least = computed->period > 1 ? bits_log2_up(computed->period) : 1;
    roomy.log2_period = MAX(roomy.log2_period, least);
    const int64_t end = INT64_C(1) << machine_offset_bits(&roomy);
    int64_t base = schedule->end > 0 ? base_of(computed, schedule->end - 1) : 0, lowest = 0;
    for (size_t k = 0; k < (size_t)DIRECTIONS * computed->period * computed->nodes; k++) {
        int32_t offset = computed->offset[k % DIRECTIONS][k / DIRECTIONS];
        lowest = MIN(lowest, offset);
    }
    return (base < end && lowest >= -end / 2) ||
           err_set(err, ERR_IRREGULAR,
                   "{programs}: %" PRIu64
                   " round%s do not fit in entries of %u bit%s; expected at most "
                   "%" PRId64 ", or a machine for more packets",
                   schedule->end, text_s(schedule->end), machine_offset_bits(&roomy),
                   text_s(machine_offset_bits(&roomy)), end / 2);
}
