/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/periodic_programs.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SENDER, RECEIVER, WAYS };

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

/* Where a row is in the turns: the entries of its beat, for all nodes, and its base. */
struct place {
    int32_t *entry[WAYS];
    int32_t base;
};

static struct place place_of(const struct periodic_programs *computed, uint64_t row)
{
    const size_t first = (size_t)((computed->first + row) % computed->period) * computed->nodes;
    return (struct place){
        .entry = {computed->offset[SENDER] + first, computed->offset[RECEIVER] + first},
        .base = base_of(computed, row)};
}

/* What an entry means in a row of that base; 0: no packet. */
static uint32_t packet_of(int32_t offset, int32_t base, uint32_t packets)
{
    int32_t packet = offset == PERIODIC_PROGRAMS_NONE ? -1 : offset + base;
    return packet < 0 ? 0 : (uint32_t)packet < packets ? (uint32_t)packet + 1 : packets;
}

/* The first packet that is seen in a beat tells the offset. Any but the last tells it for good,
 * because the last is sent in place of later ones. */
static void learn(int32_t *entry, int32_t base, uint32_t packet, uint32_t packets)
{
    if (*entry == PERIODIC_PROGRAMS_NONE || packet < packets)
        *entry = (int32_t)packet - 1 - base;
}

static void learn_all(const struct schedule *schedule, const struct periodic_programs *computed)
{
    for (size_t k = 0; k < schedule->step_count; k++) {
        const struct place place = place_of(computed, schedule_row(schedule, k));
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            learn(&place.entry[SENDER][transfer->source], place.base, transfer->packet,
                  schedule->packets);
            learn(&place.entry[RECEIVER][transfer->destination], place.base, transfer->packet,
                  schedule->packets);
        }
    }
}

/* seen[way][node]: the packet of a row, from 1; 0: none. */
static bool check_row(const struct schedule *schedule, const struct periodic_programs *computed,
                      uint64_t row, const uint32_t seen[], struct err *err)
{
    static const char *const verb[] = {"send", "receive"};
    const struct place place = place_of(computed, row);
    for (int way = 0; way < WAYS; way++)
        for (uint32_t node = 0; node < computed->nodes; node++) {
            uint32_t expected = seen[(size_t)way * computed->nodes + node];
            uint32_t packet = packet_of(place.entry[way][node], place.base, schedule->packets);
            if (packet != expected)
                return err_set(err, ERR_IRREGULAR,
                               "--programs: in round %" PRIu64 " node %" PRIu32
                               " would %s packet %" PRIu32 ", not %" PRIu32
                               " (0: none); expected a schedule that repeats, as circulant does",
                               row + 1, node, verb[way], packet, expected);
        }
    return true;
}

static bool check_all(const struct schedule *schedule, const struct periodic_programs *computed,
                      struct err *err)
{
    uint32_t *seen = malloc((size_t)WAYS * computed->nodes * sizeof *seen);
    if (seen == NULL)
        return err_no_memory(err, "computed programs");
    bool held = true;
    size_t k = 0;
    for (uint64_t row = 0; held && row < schedule->end; row++) {
        for (uint32_t node = 0; node < WAYS * computed->nodes; node++)
            seen[node] = 0;
        for (; k < schedule->step_count && schedule_row(schedule, k) == row; k++)
            for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
                seen[schedule->transfer[t].source] = schedule->transfer[t].packet;
                seen[computed->nodes + schedule->transfer[t].destination] =
                    schedule->transfer[t].packet;
            }
        held = check_row(schedule, computed, row, seen, err);
    }
    free(seen);
    return held;
}

bool periodic_programs_find(const struct schedule *schedule, struct periodic_programs *computed,
                            struct err *err)
{
    uint32_t q = bits_log2_up(schedule->nodes);
    *computed = (struct periodic_programs){.nodes = schedule->nodes, .period = q > 0 ? q : 1};
    computed->first =
        (computed->period - (schedule->packets - 1) % computed->period) % computed->period;
    if (model_has_times(schedule->model) || schedule->packets == 0)
        return err_set(
            err, ERR_IRREGULAR,
            "--programs: a schedule without rounds; expected one of rounds, as circulant");
    if (!allocate(computed, err))
        return false;
    learn_all(schedule, computed);
    if (check_all(schedule, computed, err))
        return true;
    periodic_programs_free(computed);
    return false;
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
    for (size_t k = 0; k < (size_t)WAYS * computed->period * computed->nodes; k++) {
        int32_t offset = computed->offset[k % WAYS][k / WAYS];
        lowest = MIN(lowest, offset);
    }
    return (base < end && lowest >= -end / 2) ||
           err_set(err, ERR_IRREGULAR,
                   "--programs: %" PRIu64 " round%s are too many for entries of %u bit%s; expected "
                   "%" PRId64 " at most, or a machine of more packets",
                   schedule->end, text_s(schedule->end), machine_offset_bits(&roomy),
                   text_s(machine_offset_bits(&roomy)), end / 2);
}
