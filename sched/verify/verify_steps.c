/* SPDX-License-Identifier: Apache-2.0 */
/* verify_steps: checks a step, for each model and walk. */
#include "sched/verify/verify_rules.h"

/* Differences between the models on complete graphs (struct model_row). */
struct port_rule {
    bool pairs, half_duplex, times, copies, combines;
};

/* Returns the place of a node's last receipt. In a network that also copies, the node's own place
 * has its last send. */
static inline uint32_t receipt_of(const struct verifier *v, uint32_t node, struct port_rule rule)
{
    return rule.copies ? v->schedule->topology.all + node : node;
}

/* Records the partner or packet of a node; returns false if the node has a different one in this
 * round. */
static inline bool meet(struct verifier *v, uint32_t stamp, uint32_t node, uint32_t with)
{
    struct meeting *meeting = &v->meeting[node];
    if (meeting->stamp == stamp && meeting->with != with)
        return false;
    *meeting = (struct meeting){stamp, with};
    return true;
}

/* Returns whether the transfer copies a packet that its sender began to send at this time, to
 * another node. */
static inline bool is_copy(const struct verifier *v, const struct transfer *now, uint32_t stamp)
{
    const struct meeting *meeting = &v->meeting[now->source];
    return meeting->stamp == stamp && meeting->with == now->packet;
}

/* Returns whether the sender of a transfer sends another packet at that time. */
static inline __attribute__((always_inline)) bool
sends_twice(struct verifier *v, const struct transfer *now, uint32_t stamp, struct port_rule rule)
{
    if (rule.copies && !rule.times)
        return !meet(v, stamp, now->source, now->packet);
    return v->port[now->source].sent >= v->since && !(rule.copies && is_copy(v, now, stamp));
}

/* Returns the packet of a transfer that the network can combine with others of that packet; 0 if
 * the receiver replaces its partial result, or if the packet is not combined. */
static inline uint32_t combinable(struct verifier *v, size_t index)
{
    const uint32_t packet = v->schedule->transfer[index].packet;
    const bool combined = verifier_demand_of(v, packet)->reduction != NULL;
    return combined && schedule_combining(v->schedule, index) == 0 ? packet : 0;
}

/* Returns whether the network combines the transfer with all that its receiver gets in this round.
 * Precondition: the receiver has received a packet in this round, which its meeting describes. */
static inline bool is_combined(struct verifier *v, size_t index, struct port_rule rule)
{
    const uint32_t node = v->schedule->transfer[index].destination;
    const struct meeting *meeting = &v->meeting[receipt_of(v, node, rule)];
    return meeting->with != 0 && meeting->with == combinable(v, index);
}

/* Checks that the network does not have to copy and to combine a packet: that no transfer of the
 * step has a sender with several receivers and a receiver with several senders. If this transfer is
 * the second one of its sender or of its receiver, the first one of that node is checked, too. */
static inline void check_both(struct verifier *v, size_t index, uint32_t stamp)
{
    const struct transfer *now = &v->schedule->transfer[index];
    const struct partners *sends = v->partners, *receives = sends + v->schedule->topology.all;
    const struct partners *sender = &sends[now->source], *receiver = &receives[now->destination];
    const bool copied = sender->stamp == stamp, combined = receiver->stamp == stamp;
    if (copied && combined)
        verifier_breach_both(v, index, now->source, now->destination);
    else if (copied && receives[sender->first].several)
        verifier_breach_both(v, index, now->source, sender->first);
    else if (combined && sends[receiver->first].several)
        verifier_breach_both(v, index, receiver->first, now->destination);
}

static inline void note_partner(struct partners *partners, uint32_t stamp, uint32_t partner)
{
    const bool first = partners->stamp != stamp;
    *partners = (struct partners){stamp, first ? partner : partners->first, !first};
}

/* Checks that the sender holds what it sends. */
static inline bool check_held(struct verifier *v, size_t index, uint32_t stamp)
{
    bool holds = verifier_has(v, index);
    if (holds && !verify_is_early(v, index, stamp))
        return true;
    if (holds)
        verify_control_breach(v, index, stamp);
    else
        verifier_breach_not_held(v, index);
    return false;
}

/* Checks the other rules; the first rule that is broken counts. Receipts are as far apart as their
 * sends, so checking the sends is enough. `rule` is a constant where this function is inlined. */
static inline __attribute__((always_inline)) void check_ports(struct verifier *v, size_t index,
                                                              uint32_t stamp, struct port_rule rule)
{
    struct transfer now = v->schedule->transfer[index];
    const struct port *source = &v->port[now.source], *destination = &v->port[now.destination];
    bool exchanges = rule.pairs && !rule.half_duplex;
    if (exchanges && !meet(v, stamp, now.source, now.destination))
        verifier_breach_pairing(v, index, now.source);
    else if (exchanges && !meet(v, stamp, now.destination, now.source))
        verifier_breach_pairing(v, index, now.destination);
    else if (rule.half_duplex && source->received == stamp)
        verifier_breach_half_duplex(v, index, now.source);
    else if (rule.half_duplex && destination->sent == stamp)
        verifier_breach_half_duplex(v, index, now.destination);
    else if (sends_twice(v, &now, stamp, rule))
        verifier_breach_twice(v, index, now.source, true);
    else if (destination->received >= v->since && !(rule.combines && is_combined(v, index, rule)))
        verifier_breach_twice(v, index, now.destination, false);
    else if (rule.combines && rule.copies)
        check_both(v, index, stamp);
}

/* Marks the sender and the receiver as busy. */
static inline __attribute__((always_inline)) void note_ports(struct verifier *v, size_t index,
                                                             uint32_t stamp, struct port_rule rule)
{
    struct transfer now = v->schedule->transfer[index];
    v->port[now.source].sent = stamp;
    v->port[now.destination].received = stamp;
    if (rule.copies && rule.times)
        v->meeting[now.source] = (struct meeting){stamp, now.packet};
    if (rule.combines)
        v->meeting[receipt_of(v, now.destination, rule)] =
            (struct meeting){stamp, combinable(v, index)};
    if (rule.combines && rule.copies) {
        note_partner(&v->partners[now.source], stamp, now.destination);
        note_partner(&v->partners[v->schedule->topology.all + now.destination], stamp, now.source);
    }
}

/* Prefetches what the check of a transfer will read, because nodes are scattered in memory. */
static inline void fetch(const struct verifier *v, size_t index, enum verifier_walk walk)
{
    if (index >= v->schedule->transfer_count)
        return;
    struct transfer next = v->schedule->transfer[index];
    if (walk != VERIFIER_HELD) {
        __builtin_prefetch(&v->port[next.source], 1);
        __builtin_prefetch(&v->port[next.destination], 1);
    }
    if (walk != VERIFIER_PORTS)
        held_fetch(&v->held, next.source, next.packet);
}

static inline __attribute__((always_inline)) void
check_all(struct verifier *v, size_t k, struct port_rule rule, enum verifier_walk walk)
{
    size_t end = schedule_step_end(v->schedule, k);
    uint32_t stamp = (uint32_t)k + 1;
    for (size_t index = v->schedule->step[k].first; index < end; index++) {
        if (rule.times) /* in the round models it is in the cache */
            fetch(v, index + VERIFY_AHEAD, walk);
        bool held = walk == VERIFIER_PORTS || check_held(v, index, stamp);
        if (held && walk != VERIFIER_HELD)
            check_ports(v, index, stamp, rule);
        if (walk != VERIFIER_HELD)
            note_ports(v, index, stamp, rule);
    }
}

/* The check of a step, for each walk. The properties of a model are constants in each function, so
 * that a transfer costs no time for the rules of other models. */
#define CHECKS(name, ...)                                                     \
    static void name##_step(struct verifier *v, size_t k)                     \
    {                                                                         \
        check_all(v, k, (struct port_rule){__VA_ARGS__}, VERIFIER_ALL_RULES); \
    }                                                                         \
    static void name##_held(struct verifier *v, size_t k)                     \
    {                                                                         \
        check_all(v, k, (struct port_rule){__VA_ARGS__}, VERIFIER_HELD);      \
    }                                                                         \
    static void name##_ports(struct verifier *v, size_t k)                    \
    {                                                                         \
        check_all(v, k, (struct port_rule){__VA_ARGS__}, VERIFIER_PORTS);     \
    }
CHECKS(rounds, .times = false)
CHECKS(telephone, .pairs = true)
CHECKS(telegraph, .pairs = true, .half_duplex = true)
CHECKS(postal, .times = true)
CHECKS(multicast, .copies = true)
CHECKS(fabric_postal, .times = true, .copies = true)
CHECKS(reduction, .combines = true)
CHECKS(fabric_all_reduce, .copies = true, .combines = true)
#undef CHECKS

static void telephone_calls_step(struct verifier *v, size_t k)
{
    if (v->call != NULL)
        verify_calls_step(v, k);
    else
        telephone_step(v, k);
}

static void postal_ports_step(struct verifier *v, size_t k)
{
    if (v->uses != NULL)
        verify_ports_step(v, k);
    else
        postal_step(v, k);
}

static void send_receive_step(struct verifier *v, size_t k)
{
    if (v->uses != NULL)
        verify_ports_step(v, k);
    else
        rounds_step(v, k);
}

const verify_check verify_checks[MODEL_COUNT][VERIFIER_WALKS] = {
    [MODEL_SEND_RECEIVE] = {send_receive_step, rounds_held, rounds_ports},
    [MODEL_TELEPHONE] = {telephone_calls_step, telephone_held, telephone_ports},
    [MODEL_TELEGRAPH] = {telegraph_step, telegraph_held, telegraph_ports},
    [MODEL_POSTAL] = {postal_ports_step, postal_held, postal_ports},
    [MODEL_SINGLE_PORT] = {verify_tree_step},
    [MODEL_MULTIPORT] = {verify_tree_step},
    [MODEL_ALL_PORT] = {verify_arcs_step},
#define DIRECT_CHECKS(enumerator, ...)                       \
    [MODEL_##enumerator##_SINGLE_PORT] = {verify_tree_step}, \
    [MODEL_##enumerator##_MULTIPORT] = {verify_arcs_step},
    TOPOLOGY_DIRECT_TABLE(DIRECT_CHECKS, )
#undef DIRECT_CHECKS
        [MODEL_FABRIC_MULTICAST] = {multicast_step, multicast_held, multicast_ports},
    [MODEL_FABRIC_POSTAL] = {fabric_postal_step, fabric_postal_held, fabric_postal_ports},
    [MODEL_FABRIC_REDUCTION] = {reduction_step, reduction_held, reduction_ports},
    [MODEL_FABRIC_ALL_REDUCE] = {fabric_all_reduce_step, fabric_all_reduce_held,
                                 fabric_all_reduce_ports},
};
