/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_demands: recovers the demands of the packets of an image (unpack.h). */
#include "sched/image/unpack.h"

#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"

#include <inttypes.h>
#include <stdlib.h>

/* Encodes that a node receives a packet: the packet in the high half, the node in the low half. */
static uint64_t receipt_of(uint32_t packet, uint32_t node)
{
    return (uint64_t)packet << 32 | node;
}
static uint32_t packet_of(uint64_t receipt)
{
    return (uint32_t)(receipt >> 32);
}

#define NO_SOURCE UINT32_MAX

struct found {
    uint64_t *receipt;
    size_t count, room;
    uint32_t *source; /* source[slots + 1]: where a packet starts, or NO_SOURCE */
    uint32_t packets; /* the highest packet that is stored, sent or received */
    uint32_t nodes;   /* 1 + the last port that takes part */
    uint64_t rows;    /* 1 + the last row in which a packet leaves */
};

static void take_part(struct found *found, uint32_t packet, uint32_t node)
{
    found->packets = MAX(found->packets, packet);
    if (node != MULTISTAGE_NOWHERE && node >= found->nodes)
        found->nodes = node + 1;
}

/* Finds the packets that the image stores. A packet starts at the lowest node that stores it. */
static void find_stored(const struct unpacked *unpacked, struct found *found)
{
    const struct image *image = unpacked->image;
    for (size_t k = 0; k < image->count; k++) {
        const struct machine_place place =
            machine_place_of(&unpacked->machine, image->word[k].address);
        uint32_t packet = place.slot + 1;
        if (place.region != MACHINE_PACKET || place.all || !(image->word[k].word & MACHINE_VALID))
            continue;
        take_part(found, packet, place.node);
        found->source[packet] = MIN(found->source[packet], place.node);
    }
}

static bool add_receipt(struct found *found, uint64_t receipt)
{
    uint64_t *larger = memory_grow(found->receipt, found->count + 1, &found->room, sizeof *larger);
    if (larger == NULL)
        return false;
    found->receipt = larger;
    found->receipt[found->count++] = receipt;
    return true;
}

static bool find_sent(struct unpacked *unpacked, struct circuit circuit[], struct found *found)
{
    for (uint32_t row = 0; row < unpacked->run.rows; row++) {
        unpack_row(unpacked, row);
        uint32_t count = unpack_circuits(unpacked, circuit);
        for (uint32_t k = 0; k < count; k++) {
            const struct circuit *at = &circuit[k];
            if (!at->continues)
                found->rows = row + UINT64_C(1);
            take_part(found, at->sent, at->source);
            take_part(found, at->received, at->destination);
            if (found->source[at->sent] == NO_SOURCE)
                found->source[at->sent] = at->source;
            if (at->received > 0 && !at->continues &&
                !add_receipt(found, receipt_of(at->received, at->destination)))
                return false;
        }
    }
    return true;
}

/* Returns whether the next packet belongs to the same demand as this one, whose receipts are
 * [first, end). */
static bool belongs_with(const struct found *found, uint32_t packet, size_t first, size_t end)
{
    if (packet >= found->packets || found->source[packet] != found->source[packet + 1] ||
        found->count - end < end - first)
        return false;
    for (size_t k = first; k < end; k++)
        if (found->receipt[end + k - first] != found->receipt[k] + (UINT64_C(1) << 32))
            return false;
    return end + (end - first) == found->count ||
           packet_of(found->receipt[end + (end - first)]) > packet + 1;
}

/* Lists the nodes that receive a packet, or its source if none does: wanted[]. Returns their
 * number; 0 for all nodes. */
static uint32_t wanted_of(const struct found *found, size_t first, size_t end, uint32_t source,
                          uint32_t wanted[])
{
    uint32_t count = 0;
    bool own = false;
    for (size_t k = first; k < end; k++) {
        wanted[count++] = (uint32_t)found->receipt[k];
        own |= wanted[count - 1] == source;
    }
    if (count == 0)
        wanted[count++] = source;
    return count + !own == found->nodes ? 0 : count;
}

static void sort_receipts(struct found *found)
{
    size_t kept = 0;
    if (found->count > 0) /* otherwise the array is NULL */
        qsort(found->receipt, found->count, sizeof *found->receipt, compare_u64);
    for (size_t k = 0; k < found->count; k++)
        if (kept == 0 || found->receipt[kept - 1] != found->receipt[k])
            found->receipt[kept++] = found->receipt[k];
    found->count = kept;
}

/* Adds a demand for each run of packets with the same source and the same receivers. wanted[nodes]
 * is working memory. */
static bool add_demands(struct found *found, uint32_t wanted[], struct schedule *schedule,
                        struct err *err)
{
    size_t at = 0;
    uint32_t count = 1;
    for (uint32_t packet = 1; packet <= found->packets; packet++) {
        size_t first = at;
        while (at < found->count && packet_of(found->receipt[at]) == packet)
            at++;
        if (belongs_with(found, packet, first, at)) {
            count++;
            continue;
        }
        uint32_t source = found->source[packet] == NO_SOURCE ? 0 : found->source[packet],
                 wanting = wanted_of(found, first, at, source, wanted);
        if (!schedule_add_demand(schedule, count, source, wanted, wanting, err))
            return false;
        count = 1;
    }
    return true;
}

/* Initialises the head of the schedule, without demands. A network that copies has models of its
 * own. */
static bool init(const struct unpacked *unpacked, const struct found *found,
                 struct schedule *schedule, struct err *err)
{
    const struct machine *machine = &unpacked->machine;
    const struct run *run = &unpacked->run;
    const bool copies = multistage_copies(&machine->network), times = machine_streams(machine, run);
    const enum model model = copies ? (times ? MODEL_FABRIC_POSTAL : MODEL_FABRIC_MULTICAST)
                                    : (times ? MODEL_POSTAL : MODEL_SEND_RECEIVE);
    struct topology topology = topology_complete(MAX(found->nodes, 1));
    topology.shared = machine->shared;
    if (!schedule_init_empty(schedule, "unpacked", &topology, model, err))
        return false;
    schedule->end = found->rows;
    if (times) {
        schedule->lambda = machine_lambda(machine, run->flits);
        if (found->rows > 0)
            schedule->end = found->rows - 1 + schedule->lambda.numerator;
    }
    return true;
}

bool unpack_demands(struct unpacked *unpacked, struct schedule *schedule, struct err *err)
{
    if (unpacked->machine.combines)
        return err_set(
            err, ERR_UNSUPPORTED,
            "unpack: the image combines packets, and no word of it says which nodes want "
            "the results; expected {round}, or the schedule beside the image");
    const uint32_t slots = UINT32_C(1) << unpacked->machine.log2_packets,
                   ports = machine_ports(&unpacked->machine);
    struct circuit *circuit = malloc(unpack_most_circuits(unpacked) * sizeof *circuit);
    uint32_t *wanted = malloc(ports * sizeof *wanted);
    struct found found = {.source = malloc((slots + 1) * sizeof *found.source)};
    bool made = circuit != NULL && wanted != NULL && found.source != NULL;
    if (made) {
        for (uint32_t packet = 0; packet <= slots; packet++)
            found.source[packet] = NO_SOURCE;
        find_stored(unpacked, &found);
        made = find_sent(unpacked, circuit, &found);
    }
    if (made) {
        sort_receipts(&found);
        made = init(unpacked, &found, schedule, err) && add_demands(&found, wanted, schedule, err);
    } else {
        made = err_no_memory(err, "the packets of an image");
    }
    free(circuit);
    free(wanted);
    free(found.source);
    free(found.receipt);
    return made;
}
