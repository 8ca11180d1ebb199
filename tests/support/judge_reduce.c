/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/judge_reduce.h"

#include <stdlib.h>
#include <string.h>

#define MANY 3 /* larger numbers are not distinguished */

struct table {
    const struct schedule *schedule;
    const struct demand *demand;
    uint32_t packet, all;
    bool idempotent;
    uint8_t *received; /* [all][all]: how often, by node and contributor */
    bool *own, *has;   /* its own contribution is still there; it has received a contribution */
    uint8_t *sent;     /* [transfers][all] */
    uint64_t *time;    /* [transfers] */
    struct judge_reduce *verdict;
};

static bool contributes(const struct demand *demand, const struct schedule *schedule, uint32_t node)
{
    const struct reduction *reduction = demand->reduction;
    bool listed = reduction->contributor_count == 0 && node < schedule->nodes;
    for (uint32_t k = 0; k < reduction->contributor_count; k++)
        listed = listed || reduction->contributor[k] == node;
    return listed;
}

/* Returns whether these are the contributions of consecutive contributors, each once. */
static bool are_neighbours(const struct table *table, const uint8_t count[])
{
    bool begun = false, over = false, good = true;
    for (uint32_t node = 0; node < table->schedule->nodes; node++) {
        if (!contributes(table->demand, table->schedule, node))
            continue;
        over = over || (begun && count[node] == 0);
        begun = begun || count[node] > 0;
        good = good && !(over && count[node] > 0) && count[node] <= 1;
    }
    return good;
}

/* Computes the contributions that a node sends. */
static void send(struct table *table, size_t i)
{
    const struct transfer *now = &table->schedule->transfer[i];
    bool own =
        table->own[now->source] && !(schedule_combining(table->schedule, i) & COMBINING_RECEIVED);
    bool starts = contributes(table->demand, table->schedule, now->source) &&
                  !(schedule_combining(table->schedule, i) & COMBINING_RECEIVED);
    uint8_t *sent = &table->sent[i * table->all];
    memcpy(sent, &table->received[(size_t)now->source * table->all], table->all);
    sent[now->source] = (uint8_t)(sent[now->source] + own > MANY ? MANY : sent[now->source] + own);
    if (!starts && !table->has[now->source]) {
        table->verdict->not_held++;
        if (table->time[i] < table->verdict->first_not_held)
            table->verdict->first_not_held = table->time[i];
    }
    if (table->demand->reduction->ordered && !are_neighbours(table, sent))
        table->verdict->unordered = true;
}

static void arrive(struct table *table, size_t i)
{
    const struct transfer *now = &table->schedule->transfer[i];
    uint8_t *received = &table->received[(size_t)now->destination * table->all];
    const uint8_t *sent = &table->sent[i * table->all];
    table->has[now->destination] = true;
    if (schedule_combining(table->schedule, i) & COMBINING_REPLACE) {
        memcpy(received, sent, table->all);
        table->own[now->destination] = false;
        return;
    }
    for (uint32_t node = 0; node < table->all; node++)
        received[node] =
            (uint8_t)(received[node] + sent[node] > MANY ? MANY : received[node] + sent[node]);
    if (!table->demand->reduction->ordered)
        return;
    uint8_t *both = malloc(table->all);
    if (both == NULL)
        abort();
    memcpy(both, received, table->all);
    both[now->destination] = (uint8_t)(both[now->destination] + table->own[now->destination]);
    table->verdict->unordered = table->verdict->unordered || !are_neighbours(table, both);
    free(both);
}

static void play(struct table *table)
{
    const struct schedule *schedule = table->schedule;
    size_t arrived = 0;
    for (size_t i = 0; i <= schedule->transfer_count; i++) {
        for (; arrived < i; arrived++) {
            bool later = i < schedule->transfer_count &&
                         table->time[arrived] + schedule->lambda.numerator > table->time[i];
            if (later)
                break;
            if (schedule->transfer[arrived].packet == table->packet)
                arrive(table, arrived);
        }
        if (i < schedule->transfer_count && schedule->transfer[i].packet == table->packet)
            send(table, i);
    }
}

static void count(struct table *table)
{
    const struct schedule *schedule = table->schedule;
    const struct demand *demand = table->demand;
    for (uint32_t node = 0; node < schedule->nodes; node++) {
        bool prefix = demand->reduction->prefix;
        bool wants = demand->wanted_count > 0 ? demand->wanted[0] == node
                     : prefix                 ? contributes(demand, schedule, node)
                                              : true;
        for (uint32_t from = 0; wants && from < schedule->nodes; from++) {
            unsigned times = table->received[(size_t)node * table->all + from];
            times += from == node && table->own[node] && !demand->reduction->exclusive;
            if (!contributes(demand, schedule, from))
                continue;
            bool wanted = !prefix || from + demand->reduction->exclusive <= node;
            table->verdict->uncounted += wanted && times == 0;
            table->verdict->twice += wanted ? times > 1 && !table->idempotent : times > 0;
        }
    }
}

static void judge_packet(struct table *table)
{
    memset(table->received, 0, (size_t)table->all * table->all);
    for (uint32_t node = 0; node < table->all; node++) {
        table->own[node] = contributes(table->demand, table->schedule, node);
        table->has[node] = false;
    }
    play(table);
    count(table);
}

struct judge_reduce judge_reduce(const struct schedule *schedule, bool idempotent)
{
    struct judge_reduce verdict = {.first_not_held = UINT64_MAX};
    uint32_t all = schedule->topology.all;
    struct table table = {.schedule = schedule,
                          .all = all,
                          .idempotent = idempotent,
                          .received = malloc((size_t)all * all),
                          .own = malloc(all * sizeof *table.own),
                          .has = malloc(all * sizeof *table.has),
                          .sent = malloc(schedule->transfer_count * all + 1),
                          .time = malloc(schedule->transfer_count * sizeof *table.time + 1),
                          .verdict = &verdict};
    if (table.received == NULL || table.own == NULL || table.has == NULL || table.sent == NULL ||
        table.time == NULL)
        abort();
    for (size_t k = 0; k < schedule->step_count; k++)
        for (size_t i = schedule->step[k].first; i < schedule_step_end(schedule, k); i++)
            table.time[i] = schedule->step[k].time;
    for (size_t which = 0; which < schedule->demand_count; which++) {
        table.demand = &schedule->demand[which];
        for (table.packet = table.demand->first_packet;
             table.demand->reduction != NULL && table.packet <= table.demand->last_packet;
             table.packet++)
            judge_packet(&table);
    }
    free(table.received);
    free(table.own);
    free(table.has);
    free(table.sent);
    free(table.time);
    return verdict;
}
