/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/cube/cube_variant.h"

#include "sched/algorithms/cube/cube_tree.h"

#include <stdlib.h>

/* -- Detecting the end of a gather ------------------------------------------------------------- */

/* The roots of d edge-disjoint trees of a hypercube detect the end of a gather whose packets
 * have not been counted.
 *
 * After its last packet of a tree, each node sends its parent in that tree an end: a control packet
 * with the number of packets that it has sent there. A node can send its end when it has received
 * the ends of all its children and its queue for the tree is empty. The root has all packets of its
 * tree when it has received the ends of all its children. d = 2, tree 1, packet 1 at node 2:
 *
 *     1 ── 3 ── 2     round 1   2 → 3: packet 1      0 → 1: end, 0 packets
 *     └─ 0            round 2   2 → 3: end, 1        3 → 1: packet 1
 *                     round 3                        3 → 1: end, 1
 *
 * The end of a node leaves at most in round N + h + 1 if N packets come from its subtree, of height
 * h: after round h the node is never idle before its last packet has left, because an idle round
 * there means that all its children were done a round earlier; and the ends of its children have
 * arrived by round N + h. So a root with N packets detects the end after round N + d.
 *
 * Stamoulis and Tsitsiklis, section 3.2, ask for such a refinement and leave it open; this solution
 * is ours. */

struct cube_ends {
    unsigned d;
    uint32_t nodes;
    /* All indices are (tree - 1) · nodes + node. */
    uint32_t *packet; /* the end that the node sends, or the last packet of a root */
    uint8_t *open;    /* number of ends of children that have not arrived */
    bool *sent;       /* whether the node has sent its end */
    bool *waits;      /* whether the node's queue holds a packet; used by cube_ends_step */
};

/* The packets of a gather: packet p starts at source[p - 1] and belongs to climb->tree[p - 1]. */
struct gathered {
    const struct cube_climb *climb;
    const uint32_t *source;
    uint32_t count;
};

/* The packets of a tree that pass each node on their way to the root: those of node x are
 * packet[first[x]] … packet[first[x + 1] - 1], ascending. */
struct passing {
    size_t *first; /* [nodes + 2]; while packets are being entered, node x uses first[x + 1] */
    uint32_t *packet;
};

/* Counts (packet is NULL) or enters a packet at each node from its source to the root. */
static void walk(unsigned tree, uint32_t node, uint32_t packet, struct passing *passing)
{
    for (uint32_t root = cube_tree_root(tree);; node = cube_tree_parent(tree, node)) {
        if (passing->packet == NULL)
            passing->first[node + 2]++;
        else
            passing->packet[passing->first[node + 1]++] = packet;
        if (node == root)
            return;
    }
}

static void walk_all(const struct gathered *gathered, unsigned tree, struct passing *passing)
{
    for (uint32_t packet = 1; packet <= gathered->count; packet++)
        if (gathered->climb->tree[packet - 1] == tree)
            walk(tree, gathered->source[packet - 1], packet, passing);
}

/* Finds the packets that pass each node of a tree. Returns false if there is no memory. The caller
 * frees both arrays, also after an error. */
static bool find_passing(const struct gathered *gathered, unsigned tree, uint32_t nodes,
                         struct passing *passing)
{
    *passing = (struct passing){.first = calloc((size_t)nodes + 2, sizeof *passing->first)};
    if (passing->first == NULL)
        return false;
    walk_all(gathered, tree, passing);
    for (uint32_t node = 0; node < nodes; node++)
        passing->first[node + 2] += passing->first[node + 1];
    passing->packet = malloc((passing->first[nodes + 1] + 1) * sizeof *passing->packet);
    if (passing->packet == NULL)
        return false;
    walk_all(gathered, tree, passing);
    return true;
}

/* Adds the control packet of a node: its end, wanted by its parent; or the root's last packet,
 * wanted by all nodes. */
static bool add_control(const struct passing *passing, unsigned tree, uint32_t node,
                        struct schedule *schedule, struct err *err)
{
    uint32_t parts = (uint32_t)(passing->first[node + 1] - passing->first[node]);
    const struct control control = {
        .value = parts, .part_count = parts, .part = passing->packet + passing->first[node]};
    bool root = node == cube_tree_root(tree);
    uint32_t parent = root ? 0 : cube_tree_parent(tree, node);
    return schedule_add_control(schedule, &control, node, root ? NULL : &parent, !root, err);
}

/* Adds the control packets of a tree and records their numbers and the children of each node. E102,
 * E104. */
static bool add_tree(const struct gathered *gathered, unsigned tree, struct schedule *schedule,
                     struct cube_ends *ends, struct err *err)
{
    size_t base = (size_t)(tree - 1) * ends->nodes;
    struct passing passing;
    bool added = find_passing(gathered, tree, ends->nodes, &passing) ||
                 err_no_memory(err, "the ends of %u nodes", ends->nodes);
    for (uint32_t node = 0; added && node < ends->nodes; node++) {
        added = add_control(&passing, tree, node, schedule, err);
        ends->packet[base + node] = schedule->packets;
        if (node != cube_tree_root(tree))
            ends->open[base + cube_tree_parent(tree, node)]++;
    }
    free(passing.first);
    free(passing.packet);
    return added;
}

/* Adds a control packet for each end and for the last packet of each root, which counts the packets
 * of its tree. Packet p of the climb starts at source[p - 1]. E102, E104. Free with cube_ends_free,
 * also after an error. O(d 2^d + count · d). */
static bool cube_ends_init(const struct cube_climb *climb, const uint32_t source[], uint32_t count,
                           struct schedule *schedule, struct cube_ends *ends, struct err *err)
{
    const struct gathered gathered = {.climb = climb, .source = source, .count = count};
    unsigned d = schedule->topology.dimensions;
    size_t queues = (size_t)d * schedule->nodes;
    *ends = (struct cube_ends){.d = d,
                               .nodes = schedule->nodes,
                               .packet = calloc(queues, sizeof *ends->packet),
                               .open = calloc(queues, sizeof *ends->open),
                               .sent = calloc(queues, sizeof *ends->sent),
                               .waits = calloc(queues, sizeof *ends->waits)};
    bool added =
        (ends->packet != NULL && ends->open != NULL && ends->sent != NULL && ends->waits != NULL) ||
        err_no_memory(err, "the ends of %u nodes", ends->nodes);
    for (unsigned tree = 1; added && tree <= d; tree++)
        added = add_tree(&gathered, tree, schedule, ends, err);
    return added;
}

static void cube_ends_free(struct cube_ends *ends)
{
    free(ends->packet);
    free(ends->open);
    free(ends->sent);
    free(ends->waits);
    *ends = (struct cube_ends){0};
}

/* Writes the ends that leave in a tree in this round. Ends that arrive in this round count from the
 * next round on. */
static struct transfer *step_tree(struct cube_ends *ends, unsigned tree, uint64_t round,
                                  struct cube_arcs *arcs, struct transfer *to)
{
    size_t base = (size_t)(tree - 1) * ends->nodes;
    const struct transfer *start = to;
    for (uint32_t node = 0; node < ends->nodes; node++) {
        size_t at = base + node;
        if (node == cube_tree_root(tree) || ends->sent[at] || ends->open[at] > 0 || ends->waits[at])
            continue;
        uint32_t parent = cube_tree_parent(tree, node);
        cube_arcs_use(arcs, node, parent, round);
        *to++ = (struct transfer){node, parent, ends->packet[at]};
        ends->sent[at] = true;
    }
    for (; start < to; start++)
        ends->open[base + start->destination]--;
    return to;
}

/* Writes the ends that leave in a round and marks their arcs as used; call it before
 * cube_climb_step. Returns one past the last transfer; there are at most d 2^d. O(d 2^d). */
static struct transfer *cube_ends_step(struct cube_ends *ends, const struct cube_climb *climb,
                                       const struct topology *cube, uint64_t round,
                                       struct cube_arcs *arcs, struct transfer *to)
{
    cube_climb_mark(climb, cube, ends->waits);
    for (unsigned tree = 1; tree <= ends->d; tree++)
        to = step_tree(ends, tree, round, arcs, to);
    return to;
}

/* Returns whether the root of a tree has detected the end of its gather. */
static bool cube_ends_detected(const struct cube_ends *ends, unsigned tree)
{
    return ends->open[(size_t)(tree - 1) * ends->nodes + cube_tree_root(tree)] == 0;
}

/* Returns the last packet of the root of a tree. */
static uint32_t cube_ends_last(const struct cube_ends *ends, unsigned tree)
{
    return ends->packet[(size_t)(tree - 1) * ends->nodes + cube_tree_root(tree)];
}

/* -- Gather and spread ------------------------------------------------------------------------- */

/* The spread sends the packets of a tree in the order in which they reached its root. Therefore the
 * number of packets that a node has also determines which packets it has, and the packets that wait
 * for the arc to a child are those that the child lacks. */
struct overlap {
    unsigned d;
    uint32_t nodes;
    enum cube_overlap kind;
    struct cube_climb climb;
    struct cube_ends ends; /* used if kind is CUBE_DETECTED */
    struct cube_arcs arcs;
    uint32_t *has; /* [(tree - 1) · nodes + node]: number of packets of the tree */
    uint64_t left; /* receipts of the spread that are still to come */
};

static bool overlap_init(const struct collective *collective, struct rng *rng,
                         struct schedule *schedule, struct overlap *overlap, struct err *err)
{
    const struct topology *cube = collective->topology;
    const uint32_t count = collective->m, *source = collective->sources;
    bool detected = overlap->kind == CUBE_DETECTED;
    uint64_t packets = (uint64_t)count + (detected ? cube->dimensions : 0);
    *overlap =
        (struct overlap){.d = cube->dimensions,
                         .nodes = cube->nodes,
                         .kind = overlap->kind,
                         .has = calloc((size_t)cube->nodes * cube->dimensions, sizeof(uint32_t)),
                         .left = packets * (cube->nodes - 1)};
    if (overlap->has == NULL)
        return err_no_memory(err, "the trees of %u nodes", cube->nodes);
    return cube_arcs_init(cube, &overlap->arcs, err) &&
           cube_climb_init(cube->dimensions, count, source, rng, &overlap->climb, err) &&
           (!detected ||
            cube_ends_init(&overlap->climb, source, count, schedule, &overlap->ends, err));
}

static void overlap_free(struct overlap *overlap)
{
    free(overlap->has);
    cube_arcs_free(&overlap->arcs);
    cube_climb_free(&overlap->climb);
    cube_ends_free(&overlap->ends);
}

/* Returns packet number k, from 0, that the root of a tree sends. */
static uint32_t packet_of(const struct overlap *overlap, unsigned tree, uint32_t k)
{
    const struct cube_roots *roots = &overlap->climb.roots;
    uint32_t at = roots->first[tree] + k;
    return at < roots->first[tree + 1] ? roots->packet[at] : cube_ends_last(&overlap->ends, tree);
}

/* Returns how many packets the root of a tree is allowed to send. */
static uint32_t ready(const struct overlap *overlap, unsigned tree)
{
    uint32_t got = overlap->climb.roots.got[tree];
    if (overlap->kind != CUBE_DETECTED)
        return got;
    return cube_ends_detected(&overlap->ends, tree) ? got + 1 : 0;
}

/* Writes the transfers of a round of a tree's spread. Packets received in this round count from the
 * next round on. Returns one past the last transfer. */
static struct transfer *spread_tree(struct overlap *overlap, unsigned tree, uint64_t round,
                                    struct transfer *to)
{
    uint32_t *has = &overlap->has[(size_t)(tree - 1) * overlap->nodes], root = cube_tree_root(tree);
    struct transfer *start = to;
    for (uint32_t node = 0; node < overlap->nodes; node++) {
        uint32_t parent = node != root ? cube_tree_parent(tree, node) : root;
        if (has[node] < has[parent] && cube_arcs_use(&overlap->arcs, parent, node, round))
            *to++ = (struct transfer){parent, node, packet_of(overlap, tree, has[node])};
    }
    for (const struct transfer *sent = start; sent < to; sent++)
        has[sent->destination]++;
    overlap->left -= (uint64_t)(to - start);
    return to;
}

static struct transfer *spread(struct overlap *overlap, uint64_t round, struct transfer *to)
{
    for (unsigned tree = 1; tree <= overlap->d; tree++)
        to = spread_tree(overlap, tree, round, to);
    return to;
}

/* Writes the transfers of one round, in which roots send packets received in earlier rounds.
 * Returns their number. */
static size_t step(struct overlap *overlap, const struct topology *cube, uint64_t round,
                   struct transfer *start)
{
    bool gather_first = overlap->kind != CUBE_SPREAD_FIRST;
    struct transfer *to = start;
    for (unsigned tree = 1; tree <= overlap->d; tree++)
        overlap->has[(size_t)(tree - 1) * overlap->nodes + cube_tree_root(tree)] =
            ready(overlap, tree);
    if (!gather_first)
        to = spread(overlap, round, to);
    if (overlap->kind == CUBE_DETECTED)
        to = cube_ends_step(&overlap->ends, &overlap->climb, cube, round, &overlap->arcs, to);
    to += cube_climb_step(&overlap->climb, round, &overlap->arcs, to);
    if (gather_first)
        to = spread(overlap, round, to);
    return (size_t)(to - start);
}

bool cube_overlap_build(const struct collective *collective, struct rng *rng,
                        enum cube_overlap kind, uint64_t after, struct schedule *schedule,
                        struct err *err)
{
    struct overlap overlap = {.kind = kind};
    bool built = overlap_init(collective, rng, schedule, &overlap, err);
    size_t arcs = (size_t)overlap.nodes * overlap.d; /* each arc carries at most one packet */
    for (uint64_t round = 1; built && overlap.left > 0; round++) {
        struct transfer *to = schedule_open_step(schedule, after + round, arcs, err);
        built = to != NULL;
        if (built)
            schedule_close_step(schedule, step(&overlap, &schedule->topology, round, to));
    }
    overlap_free(&overlap);
    return built;
}
