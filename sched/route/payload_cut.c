/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/route/compile.h"

#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"
#include "sched/route/machine_sizing.h"

#include <inttypes.h>

#define DEFAULT_FLITS 4 /* flits of a packet, unless a payload requires more */

uint32_t payload_cut_most(const struct compile_request *request, const struct machine *machine,
                          uint32_t packets, struct err *err)
{
    if (request->has_memory)
        return UINT32_C(1) << request->machine.log2_flits;
    struct machine probe = *machine;
    for (unsigned level = 1; level <= machine_levels(&probe); level++)
        probe.depth[level] = probe.queue[level] = 1;
    probe.reads = 1;
    probe.log2_settings = machine_is_indexed(&probe);
    probe.log2_splits = probe.ranges;
    probe.log2_period = machine_has_setting_period(&probe);
    probe.log2_packets = machine_sizing_log2(packets);
    probe.log2_rows = 1;
    probe.log2_flits = machine_sizing_log2(MACHINE_SIZING_MAX_FLITS);
    while (probe.log2_flits > 1 && !machine_check(&probe, NULL))
        probe.log2_flits--;
    if (machine_hops(&probe) && !machine_check(&probe, err))
        return 0;
    return UINT32_C(1) << probe.log2_flits;
}

/* Returns the bytes that a packet of `flits` flits holds after its header. */
static uint64_t packet_bytes(const struct machine *machine, uint32_t flits)
{
    const uint32_t header = machine_header_flits(machine);
    return flits > header ? (uint64_t)(flits - header) * machine->width / 8 : 0;
}

/* Adds the cuts that fit to the error for a file that is too large. Returns false. */
static bool suggest_cuts(const struct payload_cut *cut, uint32_t flits, struct err *err)
{
    const struct compile_request *request = cut->request;
    const struct machine *machine = cut->machine;
    const uint64_t each = packet_bytes(machine, flits);
    uint64_t size = err->code == ERR_PAYLOAD ? payload_size_at(request->payload, cut->shares) : 0;
    if (size <= each * cut->packets)
        return false; /* another error, or a file that is no regular file */
    uint64_t longer = machine_header_flits(machine) +
                      bits_divide_up(bits_divide_up(size, cut->packets) * 8, machine->width);
    uint64_t more = each > 0 ? bits_divide_up(size, each * cut->shares) : UINT64_MAX;
    bool takes_more = more <= SCHEDULE_MAX_PACKETS && !request->has_memory &&
                      payload_cut_most(request, machine, (uint32_t)more, NULL) >= flits;
    if (longer <= cut->most)
        err_alternative(err, "flits", longer);
    if (takes_more)
        err_alternative(err, "packets", more);
    return false;
}

bool payload_cut_read(const struct payload_cut *cut, struct payload *payload, uint32_t *needed,
                      struct err *err)
{
    const struct compile_request *request = cut->request;
    const struct machine *machine = cut->machine;
    const uint32_t packets = cut->packets, most = cut->most;
    uint32_t flits = request->flits ? request->flits : most,
             least = machine_header_flits(machine) + 1;
    *needed = request->flits ? request->flits : MIN(most, DEFAULT_FLITS);
    if (request->flits > most)
        return err_set(err, ERR_RANGE,
                       "{flits}: %" PRIu32 "; expected at most %" PRIu32 " on this machine",
                       request->flits, most);
    if (request->flits != 0 && request->flits < least)
        return err_set(err, ERR_RANGE,
                       "{flits}: %" PRIu32 "; expected at least %" PRIu32
                       ", because the first %" PRIu32 " are the header",
                       request->flits, least, machine_header_flits(machine));
    if (request->payload == NULL)
        return true;
    const size_t room = (size_t)flits * machine->width / 8 * packets;
    if (!payload_load(request->payload, cut->shares, room, payload, err))
        return suggest_cuts(cut, flits, err);
    payload->header_flits = machine_header_flits(machine);
    if (!payload_cut(payload, packets, request->flits, most, machine->width, err))
        return suggest_cuts(cut, flits, err);
    *needed = payload->flits;
    return true;
}

bool payload_cut_pack(const struct payload_cut *cut, uint32_t flits, struct payload *payload,
                      struct err *err)
{
    const struct compile_request *request = cut->request;
    const struct machine *machine = cut->machine;
    const uint32_t packets = cut->packets, most = cut->most;
    const size_t bytes = packet_bytes(machine, flits) * packets;
    if (flits > most)
        return err_set(err, ERR_RANGE,
                       "{lambda}: requires %" PRIu32 " flit%s; expected at most %" PRIu32
                       " on this machine",
                       flits, text_s(flits), most);
    if (request->payload == NULL && !payload_random(request->seed, bytes ? bytes : 1, payload, err))
        return false;
    payload->header_flits = machine_header_flits(machine);
    payload->node_packets = cut->shares > 1 ? packets / cut->shares : 0;
    return payload_cut(payload, packets, flits, most, machine->width, err) &&
           payload_spread(payload, err);
}
