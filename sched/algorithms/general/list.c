/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/list.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"

#include <stdlib.h>

struct list {
    struct needs needs;
    struct urgency urgency;
    struct pairs *pairs;
    uint64_t begin;         /* the time of the first send */
    struct list_send *send; /* send[places of needs]: in order of time */
    bool *helped;           /* whether the send is to a helper */
    size_t sent;            /* number sent */
    size_t come;            /* number arrived */
    size_t done;            /* number of sends whose sender and receiver are free again */
    uint32_t *to, *packet;  /* [nodes]: the transfer chosen for each sender */
    bool *sends, *receives; /* [nodes]: nodes that are free */
    bool *busy_sending, *busy_receiving; /* [nodes]: nodes that are busy */
    bool help;
    bool *needed; /* needed[packets][nodes]: used by drop_useless */
    void *memory;
};

struct list *list_new(const struct schedule *demands, bool help, struct err *err)
{
    struct list *list = calloc(1, sizeof *list);
    if (list == NULL) {
        err_no_memory(err, "a list of packets");
        return NULL;
    }
    list->begin = model_has_times(demands->model) ? 0 : 1;
    list->help = help;
    bool made = needs_new(demands, help, demands->packets > LIST_MANY, &list->needs, err) &&
                urgency_new(&list->needs, &list->urgency, err) &&
                (list->pairs = pairs_new(&list->urgency, demands->model, err)) != NULL;
    size_t n = demands->nodes, most = made ? list->needs.first[demands->packets] : 0;
    const struct arena_array arrays[] = {ARENA(list->send, most),
                                         ARENA(list->helped, most),
                                         ARENA(list->needed, help ? n * demands->packets : 0),
                                         ARENA(list->to, n),
                                         ARENA(list->packet, n),
                                         ARENA(list->sends, n),
                                         ARENA(list->receives, n),
                                         ARENA(list->busy_sending, n),
                                         ARENA(list->busy_receiving, n)};
    if (made && (list->memory = arena_new(arrays, ARENA_COUNT(arrays))) == NULL)
        made = err_no_memory(err, "%zu packets to send", list->needs.receipts);
    if (made)
        return list;
    list_free(list);
    return NULL;
}

void list_free(struct list *list)
{
    if (list == NULL)
        return;
    pairs_free(list->pairs);
    urgency_free(&list->urgency);
    needs_free(&list->needs);
    free(list->memory);
    free(list);
}

static uint64_t most_rounds(const struct list *list)
{
    const struct needs *needs = &list->needs;
    return needs->first[needs->packets] / needs->nodes + list->urgency.least + 1;
}

/* Fitted to measurements, above which it is by a factor of 2 … 10: with a matching only a small
 * part of `work` is done. */
uint64_t list_nanoseconds(const struct list *list)
{
    uint64_t compared = most_rounds(list) * list->needs.first[list->needs.packets];
    uint64_t work = list_work(list) / (list->help ? 40 : 4);
    return pairs_matched(list->pairs) ? MIN(35 * compared, work) : 100 * compared;
}

uint64_t list_work(const struct list *list)
{
    const struct needs *needs = &list->needs;
    uint64_t n = needs->nodes, receipts = needs->first[needs->packets], looked = receipts;
    uint64_t rounds = most_rounds(list);
    if (needs->bundle_count > 0) /* each bundle as if its packets had all nodes */
        looked = (uint64_t)needs->bundle_count * NEEDS_OPEN * n;
    return rounds * (looked + (pairs_matched(list->pairs) ? n * n * n : 0));
}

const struct list_send *list_sends(const struct list *list, size_t *count)
{
    *count = list->sent;
    return list->send;
}

/* Frees the nodes that are no longer busy and records the arrivals, up to this time. */
static void advance(struct list *list, uint64_t time)
{
    const struct needs *needs = &list->needs;
    for (; list->done < list->sent && list->send[list->done].time + needs->unit <= time;
         list->done++) {
        const struct transfer *transfer = &list->send[list->done].transfer;
        list->busy_sending[transfer->source] = list->busy_receiving[transfer->destination] = false;
    }
    for (; list->come < list->sent && list->send[list->come].time + needs->lambda <= time;
         list->come++) {
        const struct transfer *transfer = &list->send[list->come].transfer;
        needs_come(&list->needs, transfer->packet - 1, transfer->destination);
    }
}

/* Returns the next time at which a packet arrives or a node becomes free. Precondition: some node
 * is not free, so that its last send is still under way. */
static uint64_t next_time(const struct list *list)
{
    uint64_t comes = list->send[list->come].time + list->needs.lambda,
             frees = list->send[list->done].time + list->needs.unit;
    return MIN(comes, frees);
}

/* Sends the most urgent packets at this time. */
static void send_now(struct list *list, struct list_rule rule, struct rng *rng, uint64_t time)
{
    uint32_t nodes = list->needs.nodes;
    needs_look(&list->needs);
    urgency_count(&list->urgency, rule, rng);
    for (uint32_t node = 0; node < nodes; node++) {
        list->sends[node] = !list->busy_sending[node];
        list->receives[node] =
            !list->busy_receiving[node] && (list->help || list->needs.wants[node] > 0);
    }
    pairs_choose(list->pairs, rule.help, list->sends, list->receives, list->to, list->packet);
    for (uint32_t from = 0; from < nodes; from++) {
        uint32_t to = list->to[from];
        if (to == PAIRS_NONE)
            continue;
        list->helped[list->sent] = needs_send(&list->needs, list->packet[from], to);
        list->busy_sending[from] = list->busy_receiving[to] = true;
        list->send[list->sent++] = (struct list_send){time, {from, to, list->packet[from] + 1}};
    }
}

/* Removes the sends to helpers that do not lead to a receiver that needs the packet. */
static void drop_useless(struct list *list)
{
    size_t nodes = list->needs.nodes, kept = list->sent;
    for (size_t k = 0; k < nodes * list->needs.packets; k++)
        list->needed[k] = false;
    for (size_t k = list->sent; k-- > 0;) {
        const struct transfer *transfer = &list->send[k].transfer;
        bool *needed = list->needed + (transfer->packet - 1) * nodes;
        if (list->helped[k] && !needed[transfer->destination])
            continue;
        needed[transfer->source] = true;
        list->send[--kept] = list->send[k];
    }
    for (size_t k = kept; k < list->sent; k++)
        list->send[k - kept] = list->send[k];
    list->sent -= kept;
}

uint64_t list_find(struct list *list, struct list_rule rule, struct rng *rng, uint64_t limit)
{
    uint64_t time = list->begin, last = list->needs.lambda - list->begin;
    needs_reset(&list->needs);
    list->sent = list->come = list->done = 0;
    for (uint32_t node = 0; node < list->needs.nodes; node++)
        list->busy_sending[node] = list->busy_receiving[node] = false;
    while (list->needs.receipts > 0) {
        advance(list, time);
        send_now(list, rule, rng, time);
        if (time + last >= limit)
            return UINT64_MAX;
        time = next_time(list);
    }
    if (list->help)
        drop_useless(list);
    return list->send[list->sent - 1].time + last;
}
