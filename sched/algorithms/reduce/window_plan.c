/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/reduce/window_plan.h"

#include "sched/algorithms/algorithm.h"
#include "sched/base/bits.h"
#include "sched/numbers/postal.h"

#include <stdlib.h>

static uint64_t ports_of(const struct collective *collective)
{
    return MAX(collective->ports, 1);
}

/* Returns ⌈λ⌉ in units; 1 in rounds. */
static uint64_t latency_of(const struct collective *collective)
{
    const struct rational lambda = collective->lambda;
    return model_has_times(collective->model) ? bits_divide_up(lambda.numerator, lambda.denominator)
                                              : 1;
}

uint64_t window_units(const struct collective *collective)
{
    struct postal postal;
    uint64_t latency = latency_of(collective);
    if (!postal_init_ports(&postal, latency, 1, ports_of(collective), collective->n, NULL))
        return UINT64_MAX;
    uint64_t units = postal_index(&postal, collective->n) - latency + 1;
    postal_free(&postal);
    return units;
}

uint64_t window_end(const struct collective *collective)
{
    uint64_t units = window_units(collective);
    return units == UINT64_MAX ? ALGORITHM_UNKNOWN
                               : collective_end(collective, units * collective->m);
}

/* Appends the receipts of one unit, `all` of them of all contributions of a sender that has
 * received `sent`. Returns the window that a node then has. */
static uint64_t add_receipts(struct window_plan *plan, uint32_t unit, uint64_t window,
                             uint64_t sent, uint64_t all, uint64_t ports, uint64_t nodes)
{
    for (uint64_t port = 0; port < ports && window < nodes; port++) {
        bool own_too = port < all;
        if (sent == 0 && !own_too)
            break;
        plan->receipt[plan->count++] = (struct window_receipt){
            unit, (uint32_t)(own_too ? window : window - 1), own_too ? 0 : COMBINING_RECEIVED};
        window += sent + own_too;
    }
    return window;
}

/* Fills the receipts unit by unit; window[t] is the window at time t. */
static void fill_plan(struct window_plan *plan, const struct collective *collective, bool scan,
                      const struct postal *postal, uint64_t window[])
{
    uint64_t ports = ports_of(collective), latency = latency_of(collective);
    uint64_t last = postal_index(postal, collective->n), lacking = collective->n - 1;
    for (uint64_t time = 0; time < latency; time++)
        window[time] = 1;
    for (uint64_t time = latency; time <= last; time++) {
        uint64_t counts = postal_size(postal, last - time), sent = window[time - latency] - 1;
        uint64_t all = scan ? ports : MIN(ports, lacking / counts);
        lacking -= scan ? 0 : all * counts;
        window[time] = add_receipts(plan, (uint32_t)(time - latency), window[time - 1], sent, all,
                                    ports, collective->n);
    }
}

bool window_plan_init(struct window_plan *plan, const struct collective *collective, bool scan,
                      struct err *err)
{
    struct postal postal;
    uint64_t latency = latency_of(collective);
    *plan = (struct window_plan){.scan = scan};
    if (!postal_init_ports(&postal, latency, 1, ports_of(collective), collective->n, err))
        return false;
    uint64_t last = postal_index(&postal, collective->n);
    uint64_t *window = malloc((last + 1) * sizeof *window);
    plan->receipt = malloc(collective->n * sizeof *plan->receipt); /* each adds a contribution */
    if (window != NULL && plan->receipt != NULL)
        fill_plan(plan, collective, scan, &postal, window);
    else
        err_no_memory(err, "the windows of %u nodes", collective->n);
    bool filled = window != NULL && plan->receipt != NULL;
    free(window);
    postal_free(&postal);
    if (!filled)
        window_plan_free(plan);
    return filled;
}

void window_plan_free(struct window_plan *plan)
{
    free(plan->receipt);
    *plan = (struct window_plan){0};
}

/* Appends the transfers of a receipt: all nodes send, in a scan those that have a receiver. */
static bool put_receipt(const struct window_plan *plan, const struct window_receipt *receipt,
                        uint32_t packet, struct schedule *schedule, struct err *err)
{
    uint32_t n = schedule->nodes, ahead = receipt->ahead;
    bool put = true;
    for (uint32_t node = 0; put && node < (plan->scan ? n - ahead : n); node++) {
        const struct transfer transfer = {node, plan->scan ? node + ahead : (node + n - ahead) % n,
                                          packet};
        put = schedule_set_combining(schedule, schedule->transfer_count, receipt->combining, err) &&
              schedule_append(schedule, transfer, err);
    }
    return put;
}

bool window_put(const struct collective *collective, const struct window_plan *plan, uint64_t round,
                uint32_t packet, struct schedule *schedule, struct err *err)
{
    bool put = true;
    for (size_t which = 0; put && which < plan->count;) {
        uint32_t unit = plan->receipt[which].unit;
        uint64_t time = collective_time(collective, round + unit);
        put = schedule_open_step(schedule, time, collective->n, err) != NULL;
        for (; put && which < plan->count && plan->receipt[which].unit == unit; which++)
            put = put_receipt(plan, &plan->receipt[which], packet, schedule, err);
        if (put)
            schedule_close_step(schedule, 0);
    }
    return put;
}

bool window_build(const struct collective *collective, bool scan, struct schedule *schedule,
                  struct err *err)
{
    struct window_plan plan;
    uint64_t units = window_units(collective), n = collective->n;
    if (!window_plan_init(&plan, collective, scan, err))
        return false;
    size_t transfers = 0;
    for (size_t which = 0; which < plan.count; which++)
        transfers += scan ? n - plan.receipt[which].ahead : n;
    bool built = schedule_reserve(schedule, units * collective->m, transfers * collective->m, err);
    for (uint32_t packet = 1; built && packet <= collective->m; packet++)
        built = window_put(collective, &plan, (packet - 1) * units, packet, schedule, err);
    window_plan_free(&plan);
    return built;
}
