/* SPDX-License-Identifier: Apache-2.0 */
/* busiest: `slack` for large traffic. Instead of searching for the best matching, the busiest port
 * chooses its circuit first, then the next port, and so on. A setting stays until the largest entry
 * of the busiest port is done.
 *
 * O(settings · entries) in the worst case: ports whose partners are all taken scan their entries in
 * vain.
 */
#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/decompose/decompose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ports: the senders, then the receivers. */
struct busiest {
    const struct traffic *traffic;
    uint64_t price;
    uint32_t *left;   /* left[entries]: packets of each entry */
    uint32_t *list;   /* list[2 · entries]: entries port by port */
    size_t *first;    /* first[ports]: the start of each port's part of list[] … */
    uint32_t *many;   /* many[ports]: … and the number of its entries */
    uint64_t *load;   /* load[ports]: packets, plus the price for each entry */
    uint32_t *order;  /* order[ports]: ports by descending load */
    double *counts;   /* counts[ports]: weight, larger for busier ports */
    uint32_t *chosen; /* chosen[ports]: an entry, or DECOMPOSE_IDLE */
    uint32_t *to;     /* to[nodes] */
};

static uint32_t sender(const struct busiest *work, uint32_t entry)
{
    return work->traffic->entry[entry].source;
}

static uint32_t receiver(const struct busiest *work, uint32_t entry)
{
    return work->traffic->nodes + work->traffic->entry[entry].destination;
}

static void put(struct busiest *work, uint32_t port, uint32_t entry)
{
    work->list[work->first[port] + work->many[port]++] = entry;
    work->load[port] += work->left[entry] + work->price;
}

static void set_lists(struct busiest *work)
{
    const struct traffic *traffic = work->traffic;
    uint32_t ports = 2 * traffic->nodes, count = (uint32_t)traffic->count;
    for (uint32_t entry = 0; entry < count; entry++) {
        work->left[entry] = traffic->entry[entry].packets;
        work->many[sender(work, entry)]++;
        work->many[receiver(work, entry)]++;
    }
    for (uint32_t port = 0; port < ports; port++) {
        work->order[port] = port;
        work->first[port] = port == 0 ? 0 : work->first[port - 1] + work->many[port - 1];
    }
    memset(work->many, 0, ports * sizeof *work->many);
    for (uint32_t entry = 0; entry < count; entry++) {
        put(work, sender(work, entry), entry);
        put(work, receiver(work, entry), entry);
    }
}

/* Insertion sort is fast because the order changes little from setting to setting. */
static void sort_ports(struct busiest *work)
{
    uint32_t ports = 2 * work->traffic->nodes;
    for (uint32_t k = 1; k < ports; k++) {
        uint32_t port = work->order[k], place = k;
        for (; place > 0 && work->load[work->order[place - 1]] < work->load[port]; place--)
            work->order[place] = work->order[place - 1];
        work->order[place] = port;
    }
}

/* Removes the completed entries of a port. Returns the packets of its largest entry. */
static uint32_t clean(struct busiest *work, uint32_t port)
{
    uint32_t *list = work->list + work->first[port], kept = 0, most = 0;
    for (uint32_t k = 0; k < work->many[port]; k++) {
        if (work->left[list[k]] == 0)
            continue;
        most = MAX(most, work->left[list[k]]);
        list[kept++] = list[k];
    }
    work->many[port] = kept;
    return most;
}

/* Chooses the circuit of a port: among its entries whose other port is free, the entry that reduces
 * the weighted load most. */
static void choose(struct busiest *work, uint32_t port, uint32_t duration)
{
    const uint32_t *list = work->list + work->first[port];
    bool sends = port < work->traffic->nodes;
    uint32_t best = DECOMPOSE_IDLE, other = 0;
    double most = 0;
    if (work->chosen[port] != DECOMPOSE_IDLE)
        return;
    for (uint32_t k = 0; k < work->many[port]; k++) {
        uint32_t partner = sends ? receiver(work, list[k]) : sender(work, list[k]);
        uint64_t packets = work->left[list[k]];
        if (packets == 0 || work->chosen[partner] != DECOMPOSE_IDLE)
            continue;
        double gain = (double)(packets <= duration ? packets + work->price : duration) *
                      (work->counts[port] + work->counts[partner]);
        if (gain > most) {
            most = gain;
            best = list[k];
            other = partner;
        }
    }
    if (best != DECOMPOSE_IDLE)
        work->chosen[port] = work->chosen[other] = best;
}

/* Serves the chosen entries. Returns the duration of the setting. */
static uint32_t serve(struct busiest *work, uint32_t duration)
{
    uint32_t used = 0;
    for (uint32_t node = 0; node < work->traffic->nodes; node++) {
        uint32_t entry = work->chosen[node];
        work->to[node] = DECOMPOSE_IDLE;
        if (entry == DECOMPOSE_IDLE)
            continue;
        uint32_t *left = &work->left[entry], served = MIN(*left, duration);
        uint64_t takes = served + (*left == served ? work->price : 0);
        *left -= served;
        work->to[node] = work->traffic->entry[entry].destination;
        work->load[node] -= takes;
        work->load[receiver(work, entry)] -= takes;
        used = MAX(used, served);
    }
    return used;
}

static bool add_setting(struct busiest *work, struct decomposition *decomposition, struct err *err)
{
    uint32_t ports = 2 * work->traffic->nodes, duration = clean(work, work->order[0]);
    uint64_t most = work->load[work->order[0]];
    double scale = (double)(duration + work->price);
    for (uint32_t port = 0; port < ports; port++) {
        work->counts[port] = exp(-(double)(most - work->load[port]) / scale);
        work->chosen[port] = DECOMPOSE_IDLE;
    }
    for (uint32_t k = 0; k < ports; k++) {
        clean(work, work->order[k]);
        choose(work, work->order[k], duration);
    }
    uint32_t used = serve(work, duration);
    sort_ports(work);
    return decomposition_add(decomposition, work->to, used, err);
}

static bool busiest(const struct traffic *traffic, uint64_t price, uint64_t seed,
                    struct decomposition *decomposition, struct err *err)
{
    (void)seed;
    struct busiest work = {.traffic = traffic, .price = price};
    size_t nodes = traffic->nodes, ports = 2 * nodes, count = traffic->count;
    const struct arena_array arrays[] = {
        ARENA(work.left, count),   ARENA(work.list, 2 * count), ARENA(work.first, ports),
        ARENA(work.many, ports),   ARENA(work.load, ports),     ARENA(work.order, ports),
        ARENA(work.counts, ports), ARENA(work.chosen, ports),   ARENA(work.to, nodes)};
    void *memory = arena_new(arrays, ARENA_COUNT(arrays));
    if (memory == NULL)
        return err_no_memory(err, "settings of %zu entries", count);
    set_lists(&work);
    sort_ports(&work);
    bool added = true;
    while (added && work.load[work.order[0]] > 0)
        added = add_setting(&work, decomposition, err);
    free(memory);
    return added;
}

static bool fits(const struct traffic *traffic)
{
    return traffic->nodes <= 1024 && traffic->count <= UINT32_C(1) << 18;
}

const struct decompose_method decompose_busiest = {"busiest", "the busiest nodes choose first",
                                                   "Roundcast", fits, busiest};
