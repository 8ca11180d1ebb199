/* SPDX-License-Identifier: Apache-2.0 */
/* multistage: the shapes of multistage networks: the switches of each stage, the lanes that they
 * connect, and their places in a row of settings. Shared by routers and csim; the RTL computes the
 * same independently. docs/networks.md lists the permutations that each network passes.
 *
 * A network has N ports and a sequence of stages, which are columns of switches. Lane j after a
 * stage is lane j before the next stage; no wire changes its place. There are K levels of blocks of
 * lanes: at level 0 all lanes are one block, and each block is divided into two halves at the next
 * level; block b of level l has the lanes ⌊bN/2^l⌋ … ⌊(b+1)N/2^l⌋ - 1. The levels are 0, 1, …, K-1
 * from stage to stage, and in Beneš and Clos networks then …, 1, 0; in networks that copy or
 * combine this sequence occurs twice. A Beneš network of N = 5:
 *
 *     stage     0        1        2        3        4
 *     level     0        1        2        1        0
 *     lane 0  ─┬────────┬─────────────────────────┬─  level 1: lanes 0-1, 2-4
 *     lane 1  ─│┬───────┴─────────────────────────│┬  level 2: 0, 1, 2, 3-4
 *     lane 2  ─┴│───────┬─────────────────┬───────┴│
 *     lane 3  ──┴───────┴────────┬────────┴────────┴
 *     lane 4  ───────────────────┴──────────────────
 *
 * The comment at MULTISTAGE_TABLE describes the construction of each kind; the comment at "Lanes
 * and settings" below describes the words of its settings.
 */
#ifndef ROUNDCAST_MULTISTAGE_H
#define ROUNDCAST_MULTISTAGE_H

#include "sched/base/bits.h"
#include "sched/base/compare.h"

#include <stdbool.h>
#include <stdint.h>

/* The construction of each kind.
 *
 *     omega:N          N = 2^K, K stages of 2×2 switches. Level l pairs the lanes that differ in
 *                      bit K-1-l: an omega network whose shuffles are part of the numbering of the
 *                      lanes (Lawrie 1975), or a butterfly.
 *     benes:N          2K-1 stages of 2×2 switches, K = ⌈log2 N⌉. A block of level l pairs lane i
 *                      of its lower half with lane i of its upper half. If one half is longer, its
 *                      last lane passes by (arbitrary-size Beneš networks, Chang and Melhem 1997).
 *                      A block of two lanes has its switch on the way in only.
 *     waksman:N        benes:N without the last switch of each block of an even number of lanes on
 *                      the way back: its two lanes pass by. Σ ⌈log2 i⌉ switches, i = 1 … N: 321
 *                      instead of 352 for N = 64 (Waksman 1968; any N: Beauquier and Darrot 2002).
 *                      For N = 4 the switch of lanes 1 and 3 in stage 2 is omitted; N = 5, whose
 *                      blocks are odd or have two lanes, is benes:5.
 *     clos:m,n,r       N = n·r, K = 2: r crossbars n×m, m crossbars r×r, r crossbars m×n, on lanes
 *                      0 … m·r-1 between them. Crossbar e of the outer stages has the lanes e, e +
 *                      r, e + 2r, …; crossbar q of the middle stage has the lanes q·r … q·r + r-1.
 *                      Passes any permutation if m ≥ n (Clos 1953; Slepian, Duguid).
 *     multicast:N      N = 2^K, 4K-3 stages of 2×2 switches that copy: two Beneš networks in a row,
 *                      the last stage of the first being the first stage of the second. Any output
 *                      gets the word of any input, and several outputs can get the same word: a
 *                      generalised connection network (Thompson 1978). N = 4 has the levels 0 1 0
 *                      1 0.
 *     combine:N        N = 2^K: multicast:N in reverse. Each lane of a switch sends its word to
 *                      either lane after the switch, and two words that meet are combined. Any
 *                      output gets the combination of the words of any set of inputs.
 *     all-reduce:N     N = 2^K, 6K-4 stages: the first 3K-2 of combine:N, then the last 3K-2 of
 *                      multicast:N. Any set of outputs gets the combination of the words of any
 *                      set of inputs. N = 4 has the levels 0 1 0 1, which combine, and 1 0 1 0,
 *                      which copy.
 *     benes:N,radix=R  N = R^K with K > 2: a Clos network with m = n = R whose middle crossbars are
 *                      replaced by networks of the same kind, of N/R ports each.
 */
/* The kinds, in the order of lists: name; FILE (sched/network has its router as network_kind_FILE;
 * sched/machine/network_rows.c has its syntax); number, which is Kind in the RTL. */
#define MULTISTAGE_TABLE(X)      \
    X(BENES, benes, 0)           \
    X(OMEGA, omega, 1)           \
    X(MULTICAST, multicast, 3)   \
    X(COMBINE, combine, 5)       \
    X(ALL_REDUCE, all_reduce, 6) \
    X(CLOS, clos, 2)             \
    X(WAKSMAN, waksman, 4)

enum multistage_kind {
#define MULTISTAGE_ENUM(name, file, number) MULTISTAGE_##name = number,
    MULTISTAGE_TABLE(MULTISTAGE_ENUM)
#undef MULTISTAGE_ENUM
};

/* The parameters of a shape. Only the router and the syntax of a kind depend on the kind itself. */
struct multistage {
    enum multistage_kind kind;
    uint32_t ports;  /* N, 2 … MULTISTAGE_MAX_PORTS; 0: no network */
    uint32_t middle; /* of crossbars: m, else 0 */
    uint32_t radix;  /* of crossbars: n, which divides N, else 0 */
    unsigned levels; /* K */
    unsigned stages;
    bool copies;   /* an input's word can reach any set of outputs */
    bool combines; /* an output can get the combination of the words of any set of inputs */
    bool blocks;   /* not every permutation passes */
    bool fewer;    /* one switch of each even block is omitted on the way back */
};

#define MULTISTAGE_MAX_LOG2_PORTS 24
#define MULTISTAGE_MAX_PORTS (UINT32_C(1) << MULTISTAGE_MAX_LOG2_PORTS)

static inline struct multistage multistage_benes(uint32_t ports)
{
    unsigned levels = bits_log2_up(ports);
    return (struct multistage){
        .kind = MULTISTAGE_BENES, .ports = ports, .levels = levels, .stages = 2 * levels - 1};
}

static inline struct multistage multistage_waksman(uint32_t ports)
{
    struct multistage net = multistage_benes(ports);
    net.kind = MULTISTAGE_WAKSMAN;
    net.fewer = true;
    return net;
}

/* Returns an omega network. Precondition: `ports` is a power of two. */
static inline struct multistage multistage_omega(uint32_t ports)
{
    unsigned levels = bits_log2_up(ports);
    return (struct multistage){.kind = MULTISTAGE_OMEGA,
                               .ports = ports,
                               .levels = levels,
                               .stages = levels,
                               .blocks = true};
}

/* Returns a multicast network. Precondition: `ports` is a power of two. */
static inline struct multistage multistage_multicast(uint32_t ports)
{
    unsigned levels = bits_log2_up(ports);
    return (struct multistage){.kind = MULTISTAGE_MULTICAST,
                               .ports = ports,
                               .levels = levels,
                               .stages = 4 * levels - 3,
                               .copies = true};
}

/* Returns a network that combines. Precondition: `ports` is a power of two. */
static inline struct multistage multistage_combine(uint32_t ports)
{
    struct multistage net = multistage_multicast(ports);
    net.kind = MULTISTAGE_COMBINE;
    net.copies = false;
    net.combines = true;
    return net;
}

/* Returns an all-reduce network. Precondition: `ports` is a power of two. */
static inline struct multistage multistage_all_reduce(uint32_t ports)
{
    struct multistage net = multistage_combine(ports);
    net.kind = MULTISTAGE_ALL_REDUCE;
    net.stages = 6 * net.levels - 4;
    net.copies = true;
    return net;
}

/* Returns the network of 2×2 switches for packets that are copied or combined, both or neither.
 * Precondition: `ports` is a power of two if packets are copied or combined. */
static inline struct multistage multistage_supporting(bool copies, bool combines, uint32_t ports)
{
    if (copies && combines)
        return multistage_all_reduce(ports);
    if (copies)
        return multistage_multicast(ports);
    return combines ? multistage_combine(ports) : multistage_benes(ports);
}

/* Returns a Clos network of three stages. Preconditions: m ≥ 1, n, r ≥ 2. */
static inline struct multistage multistage_clos(uint32_t middle, uint32_t radix, uint32_t edges)
{
    return (struct multistage){.kind = MULTISTAGE_CLOS,
                               .ports = radix * edges,
                               .middle = middle,
                               .radix = radix,
                               .levels = 2,
                               .stages = 3};
}

/* Returns a Beneš network of crossbars. Preconditions: R ≥ 2, K ≥ 2. With two levels it is
 * clos:R,R,R. */
static inline struct multistage multistage_radix_benes(uint32_t radix, unsigned levels)
{
    struct multistage net = multistage_clos(radix, radix, 1);
    net.levels = levels;
    net.stages = 2 * levels - 1;
    for (unsigned level = 1; level < levels; level++)
        net.ports *= radix;
    return net;
}

static inline unsigned multistage_stages(const struct multistage *net)
{
    return net->stages;
}

/* Number of stages that combine; those after them copy or only route. */
static inline unsigned multistage_combining(const struct multistage *net)
{
    if (!net->combines)
        return 0;
    return net->copies ? 3 * net->levels - 2 : net->stages;
}

/* Return whether the switches of a stage combine, and whether they copy. */
static inline bool multistage_stage_combines(const struct multistage *net, unsigned stage)
{
    return stage < multistage_combining(net);
}
static inline bool multistage_stage_copies(const struct multistage *net, unsigned stage)
{
    return net->copies && !multistage_stage_combines(net, stage);
}

/* Returns whether words can meet in a stage that combines. The routers let no two words meet in the
 * stages before it, which permute the inputs, and after it. */
static inline bool multistage_stage_operates(const struct multistage *net, unsigned stage)
{
    return multistage_stage_combines(net, stage) && stage >= 2 * net->levels - 2 &&
           stage < 3 * net->levels - 2;
}

/* Returns the stage's number in its Beneš network; a stage that belongs to two, in the first one.
 */
static inline unsigned multistage_benes_stage(const struct multistage *net, unsigned stage)
{
    if (net->copies && net->combines && stage >= multistage_combining(net))
        stage -= 2 * net->levels - 1; /* the stage of multicast:N */
    return stage < 2 * net->levels - 1 ? stage : stage - (2 * net->levels - 2);
}

static inline unsigned multistage_level(const struct multistage *net, unsigned stage)
{
    unsigned benes_stage = multistage_benes_stage(net, stage);
    return benes_stage < net->levels ? benes_stage : 2 * net->levels - 2 - benes_stage;
}

/* Returns true if the stage joins the halves of its level's blocks again. */
static inline bool multistage_joins(const struct multistage *net, unsigned stage)
{
    return multistage_benes_stage(net, stage) >= net->levels;
}

static inline bool multistage_has_crossbars(const struct multistage *net)
{
    return net->radix != 0;
}

/* Returns true if an input's word can reach any set of outputs. */
static inline bool multistage_copies(const struct multistage *net)
{
    return net->copies;
}

/* Returns true if an output can get the combination of the words of any set of inputs. */
static inline bool multistage_combines(const struct multistage *net)
{
    return net->combines;
}

/* Number of circuits of a round (network_router.h). */
static inline uint32_t multistage_circuits(const struct multistage *net)
{
    return net->copies && net->combines ? 2 * net->ports : net->ports;
}

/* Returns true if the network cannot pass every permutation in one round. */
static inline bool multistage_blocks(const struct multistage *net)
{
    return net->blocks;
}

/* 2×2 switches */

/* Returns the first lane of a block of a level; block 2^level begins after the last lane. */
static inline uint32_t multistage_first(const struct multistage *net, unsigned level,
                                        uint32_t block)
{
    return (uint32_t)((uint64_t)block * net->ports >> level);
}

/* Returns the block of a level that a lane is in. */
static inline uint32_t multistage_block(const struct multistage *net, unsigned level, uint32_t lane)
{
    uint64_t after = (uint64_t)(lane + 1) << level;
    return (uint32_t)(bits_divide_up(after, net->ports) - 1);
}

/* The switches of a block in a stage: switch first_switch + i connects the lanes low + i and high +
 * i, i < count. */
struct multistage_pairs {
    uint32_t low, high, count, first_switch;
};

static inline struct multistage_pairs multistage_pairs(const struct multistage *net, unsigned stage,
                                                       uint32_t block)
{
    unsigned level = multistage_level(net, stage);
    uint32_t low = multistage_first(net, level, block),
             end = multistage_first(net, level, block + 1);
    uint32_t high = multistage_first(net, level + 1, 2 * block + 1);
    uint32_t lower = high - low, upper = end - high, count = MIN(lower, upper);
    bool left_out = multistage_joins(net, stage) && lower == upper && (lower == 1 || net->fewer);
    return (struct multistage_pairs){low, high, count - left_out, low / 2};
}

/* Returns true if the lanes of all pairs of a stage are equally far apart, and no lane is left
 * out. */
static inline bool multistage_is_regular(const struct multistage *net)
{
    return bits_is_power(net->ports) && !net->fewer;
}

/* Writes the switch that has a lane in a stage to *sw and returns the switch's second lane, or the
 * lane itself if it passes by. */
static inline uint32_t multistage_partner(const struct multistage *net, unsigned stage,
                                          uint32_t lane, uint32_t *sw)
{
    struct multistage_pairs pairs =
        multistage_pairs(net, stage, multistage_block(net, multistage_level(net, stage), lane));
    bool high = lane >= pairs.high;
    uint32_t i = lane - (high ? pairs.high : pairs.low);
    *sw = pairs.first_switch + i;
    return i >= pairs.count ? lane : i + (high ? pairs.low : pairs.high);
}

/* Crossbars */

/* The crossbars of a stage: input i of crossbar c is lane multistage_crossbar_lane(inputs, stride,
 * c, i) before the stage, output o is lane multistage_crossbar_lane(outputs, stride, c, o) after
 * it. */
struct multistage_crossbars {
    uint32_t count, inputs, outputs, stride;
};

static inline struct multistage_crossbars multistage_crossbars(const struct multistage *net,
                                                               unsigned stage)
{
    unsigned level = multistage_level(net, stage);
    uint32_t edges = net->ports / net->radix;
    if (level == 0)
        return multistage_joins(net, stage)
                   ? (struct multistage_crossbars){edges, net->middle, net->radix, edges}
                   : (struct multistage_crossbars){edges, net->radix, net->middle, edges};
    uint32_t size = net->levels == 2 ? edges : net->radix, stride = 1;
    for (unsigned below = level + 1; below < net->levels; below++)
        stride *= net->radix;
    return (struct multistage_crossbars){edges * net->middle / size, size, size, stride};
}

static inline uint32_t multistage_crossbar_lane(uint32_t size, uint32_t stride, uint32_t crossbar,
                                                uint32_t i)
{
    return crossbar / stride * stride * size + i * stride + crossbar % stride;
}

/* Lanes and settings */

/* A stage's settings for a row are fields in columns, which are words of 32 bits, each with as many
 * fields as fit.
 *
 *     2×2 switches      a bit, 0 straight, 1 crossed. Switch ⌊first/2⌋ + i is the switch of lane
 *                       first + i in the block that begins with lane first. (If N is not a power
 *                       of two, some fields belong to no switch.)
 *     ... that copy     a bit for each lane after the stage: 0 if it gets the word of the same
 *                       lane, 1 if it gets the word of the switch's second lane. So 0 0 is
 *                       straight, 1 1 crossed, 0 1 an upper broadcast and 1 0 a lower one.
 *     ... that combine  a bit for each lane before the stage: 0 if its word goes to the same lane,
 *                       1 if it goes to the switch's second lane. So 0 0 is straight, 1 1 crossed;
 *                       0 1 and 1 0 combine both words on one lane, and the other lane gets none.
 *     crossbars         a field for each output lane, in the order of the lanes: 0 if the output
 *                       gets nothing, i + 1 if it gets the word of input i.
 */

/* Number of lanes before a stage, or after the last one if `stage` = stages. */
static inline uint32_t multistage_lanes(const struct multistage *net, unsigned stage)
{
    bool inside = stage > 0 && stage < multistage_stages(net);
    return multistage_has_crossbars(net) && inside ? net->ports / net->radix * net->middle
                                                   : net->ports;
}

/* Maximum number of lanes between stages. */
static inline uint32_t multistage_most_lanes(const struct multistage *net)
{
    uint32_t inside = multistage_lanes(net, 1);
    return MAX(inside, net->ports);
}

/* Number of fields in a row of a stage's settings, and bits of each. */
static inline uint32_t multistage_fields(const struct multistage *net, unsigned stage)
{
    return multistage_has_crossbars(net) || multistage_copies(net) || multistage_combines(net)
               ? multistage_lanes(net, stage + 1)
               : net->ports / 2;
}
static inline unsigned multistage_field_bits(const struct multistage *net, unsigned stage)
{
    return multistage_has_crossbars(net) ? bits_log2_up(multistage_crossbars(net, stage).inputs + 1)
                                         : 1;
}

/* Number of columns in a row of a stage's settings. */
static inline uint32_t multistage_columns(const struct multistage *net, unsigned stage)
{
    uint32_t in_word = 32 / multistage_field_bits(net, stage);
    return (uint32_t)bits_divide_up(multistage_fields(net, stage), in_word);
}

/* Maximum number of columns of any stage: the distance in words from one stage's settings to the
 * next in row[stage][words]. All stages of 2×2 switches have equally many columns, and so do all
 * stages of crossbars except the first and the last. */
uint32_t multistage_row_words(const struct multistage *net);

/* Number of bits in a row of all stages that set a switch. */
uint64_t multistage_setting_bits(const struct multistage *net);

/* Returns a field of one stage's settings. */
static inline uint32_t multistage_field(const uint32_t setting[], unsigned bits, uint32_t field)
{
    uint32_t in_word = 32 / bits;
    return setting[field / in_word] >> field % in_word * bits & ((UINT32_C(1) << bits) - 1);
}
static inline void multistage_set_field(uint32_t setting[], unsigned bits, uint32_t field,
                                        uint32_t value)
{
    uint32_t in_word = 32 / bits;
    unsigned shift = field % in_word * bits;
    uint32_t mask = ((UINT32_C(1) << bits) - 1) << shift;
    setting[field / in_word] = (setting[field / in_word] & ~mask) | value << shift;
}

#define MULTISTAGE_IDLE UINT32_MAX /* to[]: an input that sends nothing this round */
#define MULTISTAGE_NOWHERE UINT32_MAX

/* Returns the lane after `stages` stages that has the word of `port`, with the settings
 * row[stages][multistage_row_words]. It follows the switches, independently of how they were set.
 * MULTISTAGE_NOWHERE if a crossbar connects the word to no output. Precondition: none of the stages
 * copies. O(stages · radix). */
uint32_t multistage_follow(const struct multistage *net, const uint32_t *row, uint32_t port,
                           unsigned stages);

/* Returns the port whose word is on `lane` after `stages` stages, with the settings
 * row[stages][multistage_row_words]: the path back, which is unique even if an input is connected
 * to several outputs. In a network that combines, the lane before the stages that copy
 * (multistage_combining). MULTISTAGE_NOWHERE if a crossbar connects no input. O(stages). */
uint32_t multistage_source(const struct multistage *net, const uint32_t *row, uint32_t lane,
                           unsigned stages);

/* Returns whether the word of input `port` reaches `output`, alone or combined with others.
 * O(stages · radix). */
static inline bool multistage_reaches(const struct multistage *net, const uint32_t *row,
                                      uint32_t port, uint32_t output)
{
    return multistage_source(net, row, output, multistage_stages(net)) ==
           multistage_follow(net, row, port, multistage_combining(net));
}

/* Returns the output port of the word of `port`. Precondition: not multistage_copies. */
static inline uint32_t multistage_trace(const struct multistage *net, const uint32_t *row,
                                        uint32_t port)
{
    return multistage_follow(net, row, port, multistage_stages(net));
}

#endif
