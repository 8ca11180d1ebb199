/* SPDX-License-Identifier: Apache-2.0 */
/* topology: the processors and routers of a machine, and the links that join them
 * (docs/formats.md).
 *
 * In a tree the leaves are processors. Level 0 consists of the leaves, level h of the root; a node
 * of level i has k_i children, and c_i links (lanes) in each direction join it to each of them. The
 * nodes are numbered level by level, so that leaf x is node x. k = 2, 3:
 *
 *     level 2                  9                   2:0
 *     level 1         6        7        8          1:0  1:1  1:2
 *     level 0        0 1      2 3      4 5         0:0 … 0:5, or just 0 … 5
 *
 * A tree of any shape can be given by a list of parents: leaves 0 … n - 1 first, then routers, each
 * with a higher number than its children; the last one is the root. It has two levels: 0, the
 * leaves, and 1, all routers; each branch has c_1 lanes. Parents 4, 4, 5, 6, 5, 6 of nodes 0 … 5:
 *
 *          6               1:2
 *         / \
 *        5   3             1:1
 *       / \
 *      4   2               1:0
 *     / \
 *    0   1
 *
 * A hypercube of dimensions 1 … d has 2^d processors and no routers. An arc of dimension j leads
 * from each node to the node whose number differs in bit j - 1, of value 2^(j-1). d = 3, the arcs
 * of dimensions 1 -, 2 |, 3 /:
 *
 *         6 --- 7
 *        /|    /|
 *       2 --- 3 |
 *       | 4 --| 5
 *       |/    |/
 *       0 --- 1
 *
 * A torus of sides k_1, k_2, … has k_1 k_2 … processors and no routers. The number of a node is a
 * mixed-radix number whose lowest digit is the coordinate along dimension 1. A link joins the nodes
 * whose coordinates along one dimension j differ by 1 mod k_j. k = 4, 2; 3 and 0, 7 and 4 are
 * joined, too:
 *
 *       4 --- 5 --- 6 --- 7
 *       |     |     |     |
 *       0 --- 1 --- 2 --- 3
 *
 * A mesh is a torus without the links that join the ends of a dimension. A mesh of one side is a
 * line.
 */
#ifndef ROUNDCAST_TOPOLOGY_H
#define ROUNDCAST_TOPOLOGY_H

#include "sched/base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct scan;

#define TOPOLOGY_MAX_HEIGHT 24
#define TOPOLOGY_MAX_DIMENSIONS 24
#define TOPOLOGY_MAX_NODES (UINT32_C(1) << 24) /* processors */
#define TOPOLOGY_MAX_PARENTS 256 /* nodes of a tree that is given by a list of parents */
#define TOPOLOGY_MAX_CAPACITY (UINT32_C(1) << 16)

/* The direct topologies: links join the processors, and there are no routers and no machines. A
 * list of numbers, such as the sides of a torus, describes one. A row is
 * X(enumerator, name, argument, help, routing, source, with):
 *
 *     name            the name in schedule files and of the field of a request. The models
 *                     NAME-single-port and NAME-multiport and the algorithms NAME-broadcast …
 *                     NAME-total-exchange derive from it
 *     argument, help  of the field (sched/request/field.h)
 *     routing, source how packets travel (topology_row.next), and the paper
 *     with            the second argument of the table, for macros that need one more
 *
 * A new direct topology requires a row, a file like torus.c, a table of bounds like
 * sched/bound/bound_torus.c, and a member of struct roundcast_request. */
#define TOPOLOGY_DIRECT_TABLE(X, with)                                              \
    X(TORUS, torus, "K1,…,KN", "use a torus of K1 × … × KN processors",             \
      "along one dimension after the other", "Dally, Seitz: dimension order", with) \
    X(MESH, mesh, "K1,…,KN", "use a mesh of K1 × … × KN processors",                \
      "along one dimension after the other", "Dally, Seitz: dimension order", with)

/* All topologies: enumerator and name. Another kind of topology is a row here. */
#define TOPOLOGY_DIRECT_ENTRY(enumerator, name, argument, help, routing, source, X) \
    X(enumerator, name)
#define TOPOLOGY_TABLE(X)   \
    X(COMPLETE, complete)   \
    X(TREE, tree)           \
    X(HYPERCUBE, hypercube) \
    TOPOLOGY_DIRECT_TABLE(TOPOLOGY_DIRECT_ENTRY, X)

enum topology_kind {
#define TOPOLOGY_ENUM(enumerator, name) TOPOLOGY_##enumerator,
    TOPOLOGY_TABLE(TOPOLOGY_ENUM)
#undef TOPOLOGY_ENUM
        TOPOLOGY_KINDS
};

/* The fields of a request that select a topology, marked for messages (err.h). */
#define TOPOLOGY_DIRECT_MARK(enumerator, name, ...) ", {" #name "}"
#define TOPOLOGY_FIELDS "{tree}, {dim}" TOPOLOGY_DIRECT_TABLE(TOPOLOGY_DIRECT_MARK, )

struct topology {
    enum topology_kind kind;
    /* processors: all nodes of a complete graph or hypercube, the leaves of a tree */
    uint32_t nodes;
    uint32_t all; /* processors and routers */

    /* of a complete graph: adjacent nodes that share a memory, the endpoints of one processor; 0:
     * none */
    uint32_t shared;

    unsigned dimensions; /* of a hypercube: d ≥ 1 */
    uint32_t arcs;       /* links out of each processor if processors have several links; else 0 */

    unsigned axes;                          /* of a grid (grid.h): dimensions, 1 or more */
    uint32_t side[TOPOLOGY_MAX_HEIGHT + 1]; /* of a grid: k_j ≥ 2 nodes along dimension j = 1 … */

    /* For trees; indices are levels. */
    unsigned height;                            /* h ≥ 1 */
    uint32_t children[TOPOLOGY_MAX_HEIGHT + 1]; /* k_i ≥ 2 of a node of level i = 1 … h */
    /* c_i ≥ 1 lanes each way between levels i - 1 and i */
    uint32_t capacity[TOPOLOGY_MAX_HEIGHT + 1];
    bool half_duplex; /* a lane carries a packet in one direction at a time */
    bool any;         /* the tree is given by parent[0 … all - 2], indexed by child */
    uint16_t parent[TOPOLOGY_MAX_PARENTS];
    /* N_i = k_1 … k_i: number of leaves below a node of level i; N_0 = 1 */
    uint32_t leaves[TOPOLOGY_MAX_HEIGHT + 1];
    /* number of node 0 of level i; of level h + 1: `all` */
    uint32_t first[TOPOLOGY_MAX_HEIGHT + 2];

    /* The routers of a machine that is built as this topology (wiring.h); a complete graph has
     * none. Indices are levels of routers, 1 … router_levels. */
    unsigned router_levels;
    uint32_t routers;
    uint32_t router_node; /* router r is at node router_node + r */
    /* number of router 0 of a level; of level router_levels + 1: `routers` */
    uint32_t router_first[TOPOLOGY_MAX_HEIGHT + 2];
    uint32_t router_ports[TOPOLOGY_MAX_HEIGHT + 1]; /* of each router of a level */
    uint32_t endpoints;                             /* of each processor */
};

#define TOPOLOGY_TEXT 1280

/* The choices that determine the route of a packet. */
struct topology_route {
    uint32_t packet; /* counted from 0 */
    /* In a hypercube: the packet leaves its source over one arc, that of dimension first + 1; else
     * it crosses that dimension first. */
    bool alone;
    uint32_t first;
};

/* The names of a kind of topology, and the functions in which kinds differ. */
struct topology_row {
    const char *name;     /* in schedule files, such as "hypercube" */
    const char *title;    /* in messages, such as "complete graph" */
    const char *field;    /* the field of a request that selects the kind */
    const char *machines; /* the machines that run its schedules, for messages */

    /* Returns true if a link joins two nodes; `link` is the name of such a link. NULL: each
     * processor can send to every other directly. */
    bool (*joins)(const struct topology *topology, uint32_t node, uint32_t other);
    const char *link;
    const char *joined; /* which nodes a link joins, for messages */

    /* For topologies whose processors have several links. arc: returns the index, below
     * topology->arcs, of the link from a node to a neighbour, among the links out of the node.
     * dimension: returns the dimension of that link, from 1. NULL: other topologies. */
    uint32_t (*arc)(const struct topology *topology, uint32_t node, uint32_t neighbour);
    unsigned (*dimension)(const struct topology *topology, uint32_t node, uint32_t neighbour);

    /* next: returns the node after `at` on the route of a packet from `source` to another
     * processor, `wanted`. The links that one packet crosses form a tree. far: returns the maximum
     * number of links between two processors. several_routes: the choices of struct topology_route
     * matter. NULL: each processor can send to every other directly. */
    uint32_t (*next)(const struct topology *topology, const struct topology_route *route,
                     uint32_t source, uint32_t at, uint32_t wanted);
    uint32_t (*far)(const struct topology *topology);
    bool several_routes;

    /* For direct topologies. distance: returns the number of links of a shortest path. degree:
     * returns the number of links out of a node. make: makes the topology of the numbers of the
     * field, which `numbers` describes for messages; E102 with the legal range. NULL: other
     * topologies. */
    uint32_t (*distance)(const struct topology *topology, uint32_t node, uint32_t other);
    uint32_t (*degree)(const struct topology *topology, uint32_t node);
    bool (*make)(unsigned count, const uint32_t number[], struct topology *topology,
                 struct err *err);
    const char *numbers;

    /* Returns the image of a node under an automorphism that maps processor 0 to `processor`. NULL:
     * no automorphism is used to move schedules. */
    uint32_t (*move)(const struct topology *topology, uint32_t node, uint32_t processor);

    /* Returns the port of the router at node `router` on the link to `neighbour`. NULL: no
     * routers. */
    uint32_t (*router_port)(const struct topology *topology, unsigned level, uint32_t router,
                            uint32_t neighbour, uint32_t lane);

    /* Read and write the parameters that follow the name in a schedule file; errors as in scan.h.
     * `text` returns its argument. */
    bool (*read)(struct scan *scan, struct topology *topology, struct err *err);
    const char *(*text)(const struct topology *topology, char text[TOPOLOGY_TEXT]);
};

#define TOPOLOGY_DECLARE(enumerator, name) extern const struct topology_row topology_##name##_row;
TOPOLOGY_TABLE(TOPOLOGY_DECLARE)
#undef TOPOLOGY_DECLARE

/* Indexed by kind. */
extern const struct topology_row *const topology_rows[TOPOLOGY_KINDS];

static inline const struct topology_row *topology_row(const struct topology *topology)
{
    return topology_rows[topology->kind];
}

/* Returns whether each processor can send to every other directly. */
static inline bool topology_joins_all(const struct topology *topology)
{
    return topology_row(topology)->joins == NULL;
}

#define TOPOLOGY_TITLES 120 /* room for the titles of all topologies */

/* Writes the titles of all topologies but the complete graph: "tree, hypercube or torus". Returns
 * text. */
const char *topology_titles(char text[TOPOLOGY_TITLES]);

/* Returns whether routers are nodes of a schedule, so that packets wait in them and links have
 * lanes. */
static inline bool topology_has_routers(const struct topology *topology)
{
    return topology->all > topology->nodes;
}

/* Finds a kind by its name in schedule files; false if there is none. */
bool topology_find(const char *name, enum topology_kind *kind);

/* Returns a complete graph. Precondition: 1 ≤ nodes ≤ TOPOLOGY_MAX_NODES. */
struct topology topology_complete(uint32_t nodes);

/* Makes a tree. children[0 … height-1] are k_1 … k_h, capacity the same for c_1 … c_h. E102 naming
 * the level and the legal range. */
bool topology_tree(unsigned height, const uint32_t children[], const uint32_t capacity[],
                   struct topology *topology, struct err *err);

/* Parses numbers with commas between, at most `most`. Returns how many there are; 0 if the text is
 * anything else. */
unsigned topology_parse_list(const char *text, unsigned most, uint32_t number[]);

/* Parses `4,4,4` and `1,4,16`, or `const` (all 1), or `exp` (c_i = N_{i-1}). E101, E102. */
bool topology_parse_tree(const char *children, const char *capacity, struct topology *topology,
                         struct err *err);

/* Makes a tree from a list of parents: count + 1 nodes, of which node `count` is the root, parent[0
 * … count - 1], and `lanes` lanes on each branch. E102 naming the node and the requirement. */
bool topology_parents(uint32_t count, const uint32_t parent[], uint32_t lanes,
                      struct topology *topology, struct err *err);

/* Parses `4,4,5,6,5,6`, and a number of lanes or `const` (1). E101, E102. */
bool topology_parse_parents(const char *parents, const char *capacity, struct topology *topology,
                            struct err *err);

/* Makes a hypercube of d = `dimensions`. E102 with the legal range. */
bool topology_hypercube(uint64_t dimensions, struct topology *topology, struct err *err);

/* Removes the routers of the machines of a hypercube, whose endpoints then make all transfers. */
void topology_remove_routers(struct topology *cube);

/* Parses the numbers of a direct topology, such as `4,4,8`. E101, E102 with the legal range. */
bool topology_parse_direct(enum topology_kind kind, const char *text, struct topology *topology,
                           struct err *err);

/* Returns the dimension, 1 … d, of the arcs between two nodes of a hypercube; 0 if none joins them.
 * O(1). */
static inline unsigned topology_dimension(uint32_t node, uint32_t other)
{
    uint32_t differs = node ^ other;
    return differs != 0 && (differs & (differs - 1)) == 0 ? (unsigned)__builtin_ctz(differs) + 1
                                                          : 0;
}

/* Returns the neighbour of a node over a dimension, 1 … d. */
static inline uint32_t topology_across(uint32_t node, unsigned dimension)
{
    return node ^ UINT32_C(1) << (dimension - 1);
}

bool topology_equal(const struct topology *a, const struct topology *b);

/* Returns whether two topologies have the same nodes and links, which may differ in half_duplex. */
bool topology_same_links(const struct topology *a, const struct topology *b);

/* Returns the level of a node of a tree, 0 … h. O(h). */
unsigned topology_level(const struct topology *topology, uint32_t node);

/* Returns node `index` of a level. */
static inline uint32_t topology_node(const struct topology *topology, unsigned level,
                                     uint32_t index)
{
    return topology->first[level] + index;
}

/* Returns the index of a node within its level. */
static inline uint32_t topology_index(const struct topology *topology, unsigned level,
                                      uint32_t node)
{
    return node - topology->first[level];
}

/* Returns the parent of a node of any tree. Precondition: not the root. O(h). */
uint32_t topology_above(const struct topology *topology, uint32_t node);

/* Returns whether a leaf is below a node of any tree, or is the node itself. O(depth). */
bool topology_is_below(const struct topology *topology, uint32_t leaf, uint32_t node);

/* Returns a node's parent in a tree that is not given by parents. Precondition: level < h. */
static inline uint32_t topology_parent(const struct topology *topology, unsigned level,
                                       uint32_t node)
{
    return topology_node(topology, level + 1,
                         topology_index(topology, level, node) / topology->children[level + 1]);
}

/* Returns a node's child number `which`, 0 … k_level - 1. Precondition: level ≥ 1. */
static inline uint32_t topology_child(const struct topology *topology, unsigned level,
                                      uint32_t node, uint32_t which)
{
    return topology_node(topology, level - 1,
                         topology_index(topology, level, node) * topology->children[level] + which);
}

/* Returns the number of lanes, in each direction, of the branch above a node of any tree; 1 for the
 * root. O(h). */
uint32_t topology_lanes(const struct topology *topology, uint32_t node);

/* Returns the smallest of c_1 … c_level, the lanes of the path from a leaf to its ancestor at a
 * level. Precondition: level ≥ 1. O(h). */
uint32_t topology_narrowest(const struct topology *topology, unsigned level);

/* Returns the ancestor of a node at a level; at the node's own level, the node itself.
 * Precondition: level is at least the node's. O(h). */
uint32_t topology_ancestor(const struct topology *topology, uint32_t node, unsigned level);

/* Returns e_level, the number of packets that can pass in a step between the leaves below a node of
 * level - 1 and the node's parent: min(c_level, k_{level-1} e_{level-1}), e_1 = c_1. Precondition:
 * level ≥ 1. O(h). */
uint64_t topology_flow(const struct topology *topology, unsigned level);

/* Returns the level of the lowest common ancestor of two leaves; 0 for the same leaf. O(h). */
unsigned topology_meet(const struct topology *topology, uint32_t leaf, uint32_t other);

/* Returns the level of the upper end of the branch between two nodes; 0 if no branch joins them.
 * O(h). */
unsigned topology_branch(const struct topology *topology, uint32_t node, uint32_t other);

/* Returns the image of a node under the automorphism that maps leaf 0 to `leaf`: digit by digit,
 * child number d of level i becomes (d + the digit of `leaf`) mod k_i. O(h). */
uint32_t topology_move(const struct topology *topology, uint32_t node, uint32_t leaf);

#define TOPOLOGY_NODE_TEXT 16

/* Writes a node as files and messages show it: "5" for a processor, "2:1" for a router. Returns
 * text. */
const char *topology_node_text(const struct topology *topology, uint32_t node,
                               char text[TOPOLOGY_NODE_TEXT]);

#endif
