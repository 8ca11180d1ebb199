/* SPDX-License-Identifier: Apache-2.0 */
/* scan, exclusive-scan: m packets, one after another; node x receives each combined from nodes
 * 0 … x, or from 0 … x - 1, in this order. One packet takes ⌈log n / log (k+1)⌉ rounds over k
 * ports, and f_λ(n) in the postal model with integer λ, which is the minimum.
 *
 * In step i of a packet node x sends its partial result, combined from nodes x - 2^i + 1 … x, to x
 * + 2^i (window_plan.h). n = 4; in each step, the contributions of nodes 0 … 3:
 *
 *     step 0   0→1  1→2  2→3      nodes have 0   0 1   1 2   2 3
 *     step 1   0→2  1→3           nodes have 0   0 1   0 1 2   0 1 2 3
 *
 * What a node has received is the result of the exclusive scan. A node that keeps both results
 * combines each arrival twice. The method `123` of exclusive scans avoids that: from step 2 on
 * nodes send what they have received, from 1, 3, 6, 12, … lower nodes, so that they need not
 * combine it with their own contribution: ⌈log2(n-1) + log2(4/3)⌉ rounds.
 *
 * W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29, 1986; J. L. Träff, arXiv
 * 2507.04785, 2025. O(transfers).
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/reduce/window_plan.h"

enum method { METHOD_DOUBLING, METHOD_123 };

static const char *const methods[] = {"doubling", "123", NULL};

static bool scan_accepts(const struct collective *collective, struct err *err)
{
    if (collective->method == METHOD_123 &&
        (collective->ports > 1 || model_has_times(collective->model)))
        return err_set(err, ERR_ALGORITHM,
                       "{method}: 123 sends over one port in rounds; expected doubling");
    return collective->source == 0 ||
           err_set(err, ERR_ALGORITHM,
                   "{source}: a scan begins at node 0 and has no other source; expected 0");
}

/* Returns the skip of step `step` of the method 123: 1, 2, 3, 6, 12, … */
static uint64_t skip_of_123(unsigned step)
{
    return step < 2 ? step + UINT64_C(1) : UINT64_C(3) << (step - 2);
}

/* Returns the number of steps after which a node has received from n - 1 lower nodes: 1 after the
 * first, the next skip after any later step. */
static unsigned steps_of_123(uint32_t n)
{
    unsigned steps = 1;
    for (uint64_t received = 1; received < n - UINT64_C(1); received = skip_of_123(steps))
        steps++;
    return steps;
}

static uint64_t exclusive_end(const struct collective *collective)
{
    return collective->method == METHOD_123 ? steps_of_123(collective->n) * (uint64_t)collective->m
                                            : window_end(collective);
}

/* Appends a step of the method 123. From step 2 on node 0 has nothing to send. */
static bool put_step(uint32_t n, unsigned step, uint32_t packet, struct schedule *schedule,
                     struct err *err)
{
    uint32_t skip = (uint32_t)skip_of_123(step), first = step >= 2;
    unsigned combining = step >= 2 ? COMBINING_RECEIVED : 0;
    bool put = schedule_open_step(schedule, schedule->end + 1, n, err) != NULL;
    for (uint32_t node = first; put && node + skip < n; node++)
        put = schedule_set_combining(schedule, schedule->transfer_count, combining, err) &&
              schedule_append(schedule, (struct transfer){node, node + skip, packet}, err);
    if (put)
        schedule_close_step(schedule, 0);
    return put;
}

static bool scan_build(const struct collective *collective, struct schedule *schedule,
                       struct err *err)
{
    return window_build(collective, true, schedule, err);
}

static bool exclusive_build(const struct collective *collective, struct schedule *schedule,
                            struct err *err)
{
    if (collective->method == METHOD_DOUBLING)
        return window_build(collective, true, schedule, err);
    unsigned steps = steps_of_123(collective->n);
    bool built = true;
    for (uint32_t packet = 1; built && packet <= collective->m; packet++)
        for (unsigned step = 0; built && step < steps; step++)
            built = put_step(collective->n, step, packet, schedule, err);
    return built;
}

const struct algorithm algorithm_scan = {
    .name = "scan",
    .summary = "m packets of nodes 0 … x, combined in this order, to each node x",
    .source = "Hillis, Steele, CACM 29",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL,
    .kind = COLLECTIVE_SCAN,
    .mixes = true,
    .several_ports = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL,
    .usual_models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL,
    .accepts = scan_accepts,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = window_end,
    .build = scan_build,
};

const struct algorithm algorithm_exclusive_scan = {
    .name = "exclusive-scan",
    .summary = "m packets of nodes 0 … x - 1, combined in this order, to each node x",
    .source = "Hillis, Steele, CACM 29; Träff, arXiv 2507.04785",
    .models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL,
    .kind = COLLECTIVE_EXCLUSIVE_SCAN,
    .mixes = true,
    .methods = methods,
    .method_models = 1u << MODEL_SEND_RECEIVE,
    .several_ports = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL,
    .usual_models = 1u << MODEL_SEND_RECEIVE | 1u << MODEL_POSTAL,
    .accepts = scan_accepts,
    .same_trees = SCHEDULE_MAX_PORTS,
    .end = exclusive_end,
    .build = exclusive_build,
};
