/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/traffic/traffic.h"

#include "sched/base/arena.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool grow(struct traffic *traffic, struct err *err)
{
    size_t room = traffic->room == 0 ? 1024 : traffic->room * 2;
    struct traffic_entry *entry = NULL;
    if (traffic->room < TRAFFIC_MAX_ENTRIES)
        entry = realloc(traffic->entry, room * sizeof *entry);
    if (entry == NULL)
        return err_no_memory(err, "%zu entries of traffic", room);
    traffic->entry = entry;
    traffic->room = room;
    return true;
}

bool traffic_add(struct traffic *traffic, uint32_t source, uint32_t destination, uint64_t packets,
                 struct err *err)
{
    if (source >= traffic->nodes || destination >= traffic->nodes)
        return err_set(err, ERR_RANGE,
                       "traffic from node %" PRIu32 " to node %" PRIu32
                       "; expected nodes 0 … %" PRIu32,
                       source, destination, traffic->nodes - 1);
    if (packets > UINT32_MAX)
        return err_set(err, ERR_RANGE,
                       "%" PRIu64 " packet%s from node %" PRIu32 " to node %" PRIu32
                       "; expected 0 … %" PRIu32,
                       packets, text_s(packets), source, destination, UINT32_MAX);
    if (source == destination)
        traffic->local += packets;
    if (packets == 0 || source == destination)
        return true;
    if (traffic->count == traffic->room && !grow(traffic, err))
        return false;
    traffic->entry[traffic->count++] =
        (struct traffic_entry){source, destination, (uint32_t)packets};
    return true;
}

/* Compares pairs: < 0 if the left pair is before the right one, > 0 if it is after it, 0 if they
 * are equal. */
static int compare(const void *left, const void *right)
{
    const struct traffic_entry *a = left, *b = right;
    return compare_then(COMPARE(a->source, b->source), COMPARE(a->destination, b->destination));
}

static bool in_order(const struct traffic *traffic)
{
    for (size_t k = 1; k < traffic->count; k++)
        if (compare(&traffic->entry[k - 1], &traffic->entry[k]) > 0)
            return false;
    return true;
}

/* Copies entries in the order of their senders, or of their receivers; the entries of one node keep
 * their order. at[nodes]: the first place of the entries of each node. */
static void sort_by(bool sender, const struct traffic *traffic, const struct traffic_entry from[],
                    struct traffic_entry to[], uint32_t at[])
{
    uint32_t begin = 0;
    memset(at, 0, traffic->nodes * sizeof *at);
    for (size_t k = 0; k < traffic->count; k++)
        at[sender ? from[k].source : from[k].destination]++;
    for (uint32_t node = 0; node < traffic->nodes; node++) {
        uint32_t many = at[node];
        at[node] = begin;
        begin += many;
    }
    for (size_t k = 0; k < traffic->count; k++)
        to[at[sender ? from[k].source : from[k].destination]++] = from[k];
}

/* Sorts by two stable passes, so that the entries of a sender are in the order of their
 * receivers. */
static bool sort(const struct traffic *traffic, struct err *err)
{
    struct traffic_entry *other = malloc(traffic->count * sizeof *other);
    uint32_t *at = malloc(traffic->nodes * sizeof *at);
    bool sorts = other != NULL && at != NULL;
    if (sorts) {
        sort_by(false, traffic, traffic->entry, other, at);
        sort_by(true, traffic, other, traffic->entry, at);
    }
    free(at);
    free(other);
    return sorts || err_no_memory(err, "the order of %zu entries", traffic->count);
}

bool traffic_finish(struct traffic *traffic, struct err *err)
{
    struct traffic_entry *entry = traffic->entry;
    if (!in_order(traffic) && !sort(traffic, err))
        return false;
    size_t kept = 0;
    traffic->packets = 0;
    for (size_t k = 0; k < traffic->count; k++) {
        traffic->packets += entry[k].packets;
        if (kept == 0 || compare(&entry[kept - 1], &entry[k]) != 0)
            entry[kept++] = entry[k];
        else if (entry[k].packets <= UINT32_MAX - entry[kept - 1].packets)
            entry[kept - 1].packets += entry[k].packets;
        else
            return err_set(err, ERR_RANGE,
                           "more than %" PRIu32 " packets from node %" PRIu32 " to node %" PRIu32
                           "; expected fewer",
                           UINT32_MAX, entry[k].source, entry[k].destination);
    }
    traffic->count = kept;
    return true;
}

void traffic_free(struct traffic *traffic)
{
    free(traffic->entry);
    *traffic = (struct traffic){0};
}

void traffic_cut(const struct traffic *bytes, uint32_t packet_bytes, struct traffic *cut)
{
    cut->nodes = bytes->nodes;
    cut->count = bytes->count;
    cut->local = bits_divide_up(bytes->local, packet_bytes);
    cut->packets = 0;
    for (size_t k = 0; k < bytes->count; k++) {
        cut->entry[k] = bytes->entry[k];
        cut->entry[k].packets = (uint32_t)bits_divide_up(bytes->entry[k].packets, packet_bytes);
        cut->packets += cut->entry[k].packets;
    }
}

void traffic_sums(const struct traffic *traffic, uint64_t sent[], uint64_t received[])
{
    for (uint32_t node = 0; node < traffic->nodes; node++)
        sent[node] = received[node] = 0;
    for (size_t k = 0; k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        sent[entry->source] += entry->packets;
        received[entry->destination] += entry->packets;
    }
}

struct traffic_load traffic_load_of(uint32_t nodes, const uint64_t sent[],
                                    const uint64_t received[])
{
    struct traffic_load load = {0};
    for (uint32_t node = 0; node < nodes; node++) {
        uint64_t most = MAX(sent[node], received[node]);
        uint64_t both = sent[node] + received[node];
        load.packets += sent[node];
        load.degree = MAX(load.degree, most);
        load.both = MAX(load.both, both);
    }
    return load;
}

bool traffic_load(const struct traffic *traffic, struct traffic_load *load, struct err *err)
{
    uint64_t *sent, *received, entries = 0;
    void *memory = arena_new(
        (const struct arena_array[]){ARENA(sent, traffic->nodes), ARENA(received, traffic->nodes)},
        2);
    if (memory == NULL)
        return err_no_memory(err, "the sums of %" PRIu32 " nodes", traffic->nodes);
    for (size_t k = 0; k < traffic->count; k++) {
        uint64_t to = ++sent[traffic->entry[k].source];
        uint64_t from = ++received[traffic->entry[k].destination];
        uint64_t most = MAX(to, from);
        entries = MAX(entries, most);
    }
    traffic_sums(traffic, sent, received);
    *load = traffic_load_of(traffic->nodes, sent, received);
    load->entries = entries;
    free(memory);
    return true;
}

/* The entries of each port, in descending order; ports are the senders, then the receivers. */
struct ports {
    uint32_t count;
    size_t *end;       /* end[count + 1]: the end of each port's entries, after a place for 0 */
    uint32_t *packets; /* packets[2 · entries] */
    uint32_t *longest; /* longest[entries of the busiest port]: minimum lengths of settings */
};

static int compare_down(const void *left, const void *right)
{
    return compare_u32(right, left);
}

static void sort_ports(const struct traffic *traffic, struct ports *ports)
{
    size_t *end = ports->end + 1, begin = 0;
    for (size_t k = 0; k < traffic->count; k++) {
        end[traffic->entry[k].source]++;
        end[traffic->nodes + traffic->entry[k].destination]++;
    }
    for (uint32_t port = 0; port < ports->count; port++) {
        size_t many = end[port];
        end[port] = begin;
        begin += many;
    }
    for (size_t k = 0; k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        ports->packets[end[entry->source]++] = entry->packets;
        ports->packets[end[traffic->nodes + entry->destination]++] = entry->packets;
    }
    for (uint32_t port = 0; port < ports->count; port++)
        qsort(ports->packets + ports->end[port], ports->end[port + 1] - ports->end[port],
              sizeof *ports->packets, compare_down);
}

/* Returns the minimum number of rounds of this number of settings, from their lengths. */
static uint64_t rounds_of(const struct ports *ports, uint64_t settings, uint64_t most)
{
    uint64_t rounds = 0;
    for (uint64_t k = 0; k < most; k++)
        ports->longest[k] = 0;
    for (uint32_t port = 0; port < ports->count; port++) {
        const uint32_t *packets = ports->packets + ports->end[port];
        uint64_t entries = ports->end[port + 1] - ports->end[port], shared = settings - entries;
        for (uint64_t i = shared; i < entries; i++)
            if (packets[i] > ports->longest[i - shared])
                ports->longest[i - shared] = packets[i];
    }
    for (uint64_t k = 0; k < most; k++)
        rounds += ports->longest[k];
    return rounds;
}

bool traffic_load_settings(const struct traffic *traffic, struct traffic_load *load,
                           struct err *err)
{
    struct ports ports = {.count = 2 * traffic->nodes};
    void *memory = arena_new((const struct arena_array[]){ARENA(ports.end, ports.count + 1),
                                                          ARENA(ports.packets, 2 * traffic->count),
                                                          ARENA(ports.longest, load->entries)},
                             3);
    if (memory == NULL)
        return err_no_memory(err, "the entries of %" PRIu32 " nodes", traffic->nodes);
    sort_ports(traffic, &ports);
    uint64_t rounds = load->degree + 1;
    for (unsigned more = 0; more < TRAFFIC_SETTINGS; more++) {
        if (rounds > load->degree)
            rounds = rounds_of(&ports, load->entries + more, load->entries);
        load->rounds[more] = rounds;
    }
    free(memory);
    return true;
}

uint64_t traffic_makespan(const struct traffic_load *load, struct traffic_cost cost)
{
    uint64_t least = traffic_takes(cost, load->degree, load->entries + TRAFFIC_SETTINGS);
    for (unsigned more = 0; more < TRAFFIC_SETTINGS; more++) {
        uint64_t rounds = MAX(load->rounds[more], load->degree);
        uint64_t takes = traffic_takes(cost, rounds, load->entries + more);
        least = MIN(least, takes);
    }
    return least;
}
