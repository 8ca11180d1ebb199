/* SPDX-License-Identifier: Apache-2.0 */
/* blocks-all-reduce: m packets of all nodes, combined, to all nodes, for any n and m, in parts
 * (blocks_part.h), one after the other. Each n packets are a part of 2(n-1) rounds, the minimum.
 * The rest of fewer than 2n packets is divided into parts of the least total number of rounds; a
 * part may be planned for more packets than it has, because their number may divide n better.
 *
 * For n, m ≤ 64 the rounds are at most 5 above the lower bound (docs/algorithms/reduce.md). All
 * divisions are tried for n ≤ 1024, above that those into numbers near n/2^i. O(transfers); in
 * addition O(n · states²) for n ≤ 1024.
 */
#include "sched/algorithms/algorithm.h"
#include "sched/algorithms/reduce/blocks_part.h"
#include "sched/base/arena.h"
#include "sched/base/bits.h"

#include <stdlib.h>
#include <string.h>

#define ALL_DIVISIONS 1024 /* largest number of nodes for which all divisions are tried */
#define FEW_PARTS 64       /* more than the parts of a number below 2^32 by other divisions */

struct part {
    uint32_t packets, blocks;
};

/* The parts after `whole` parts of n packets, with their number of rounds. */
struct division {
    uint32_t whole;
    size_t count;
    struct part part[2 * ALL_DIVISIONS];
    uint64_t rounds;
};

/* -- Few nodes --------------------------------------------------------------------------------- */

/* All-reduces of few packets among few nodes, in fewer rounds than any parts of blocks_part.h. A
 * SAT solver found them; they are stored as data. docs/algorithms/optima.md has the table of
 * optima.
 *
 * Source: ours. */

/* Each round ends with '/'. A transfer is three digits, sender, receiver and packet, with `r` if it
 * sends what has been received, and `x` if it replaces the receiver's result. */
static const struct {
    uint32_t n, m;
    uint64_t rounds;
    const char *transfers;
} stored[] = {
    {3, 5, 7,
     "012 125/024 101 212/013 122x 201/025 102x 213/021x 103x 214/023x 104x 215x/024x 105x "
     "211x/"},
    {5, 2, 4,
     "042 122x 232 311 401/021 131x 201 342 412/031 101 242 312 422/041x 102x 211 321x 432x/"},
    {5, 3, 6,
     "033 101 242 321 413/041 123x 233 312 401/011x 132x 241 402/032 102 211 343 421x/022x "
     "133 201x 342x 413r/031x 103x 212x 343x 423r/"},
    {5, 4, 7,
     "034 123 212 343 401/043 102 234 321 412x/012 134 201 423/101 243x 312 434/021x 142x "
     "203x 314x 433x/041x 124x 231x 313x 402x/032x 104x 211x 344x 422x/"},
    {5, 6, 10,
     "026 101 241 314 432/044 122 214 302 433/022 144 236 303 416/025 103 232x 341 414x/134x "
     "245 316 401/041x 135 203 424x/023x 104x 212x 345 431x/033x 126x 213x 342x 405x/025x "
     "143x 206x 311x 435x/036x 102x 246x 315x 421x/"},
    {5, 7, 12,
     "036 101 241 313 423/035 144 213 326 402/031 103 216 345 421x/012 146 231 321 404/034 "
     "122 241x 301x 416x/037 245 322/033x 126x 242x 415/043x 105x 234 327 412x/025x 147 202x "
     "314x 436x/013x 135x 247 306x 427/011x 144x 237x 324x 407x/045x 104x 232x 317x 423x/"},
    {6, 2, 4,
     "052 101 232 322 412 541/021 152 241 301 431 512/041 132 252 312 401 522/051x 102x 231 "
     "321 411x 542x/"},
    {6, 4, 7,
     "043 123 201 352 431 511/034 101 212 323 453 544/031 144 253 301 523/021x 102 234 311x "
     "452 543x/022x 151x 213x 344 434 502/052x 133x 241x 314x 403x 522/012x 104x 232x 324x "
     "454x 542x/"},
    {6, 5, 9,
     "033 155 342 423 513/052 142 213 321 434 501/035 201 354 411 525/054 101 245 313 432x "
     "522/031x 153x 202x 345 422 514/021x 133x 212x 341x 455x 503x/032 124 214 351x 402 "
     "543x/042x 134x 204x 352x 425x 515x/044x 105x 254x 323x 411x 535x/"},
    {7, 3, 6,
     "101 262 351 421 513 643/021 102 213 352 561 642/052 261 313 403 621/013 103 452 542 "
     "631x/033x 123x 251x 301x 412x 562x 641x/053x 102x 263x 343x 432x 522x 611x/"},
    {7, 4, 8,
     "022 132 254 314 401 562 644/044 124x 253 362 433 511/011 103 242 363 454 533x 621/043 "
     "154 231 363 412x 504x 622x/024 131 204 311 463r 544x 653x/053 122 264x 341x 434x 514x "
     "603x/043x 161x 232x 301x 451x 523x 612/021x 102x 262x 352x 413x 533x 642/"},
    {8, 3, 6,
     "063 151 242 301 421 573 612 732/052 132 243 373 462x 502 613 721/032 352 472x 501 621 "
     "713/021 143 201 372 413 562 632 752/061x 153x 271x 322x 433x 502x 642x 712x/051x 103x "
     "241x 363x 423x 573x 631x 711x/"},
};

/* Returns the index of an entry; the number of entries if there is none. */
static size_t find(uint32_t n, uint32_t m)
{
    size_t which = 0, count = sizeof stored / sizeof *stored;
    while (which < count && (stored[which].n != n || stored[which].m != m))
        which++;
    return which;
}

/* Returns the rounds of the table's all-reduce of m packets among n nodes; 0 if it has none. */
static uint64_t small_all_reduce_rounds(uint32_t n, uint32_t m)
{
    size_t which = find(n, m);
    return which < sizeof stored / sizeof *stored ? stored[which].rounds : 0;
}

/* Appends the transfer at *text, unless its packet is not part, and moves *text after it. */
static bool put_transfer(const struct blocks_part *part, const char **text,
                         struct schedule *schedule, struct err *err)
{
    const char *now = *text;
    uint32_t packet = (uint32_t)(now[2] - '0');
    struct transfer transfer = {(uint32_t)(now[0] - '0'), (uint32_t)(now[1] - '0'),
                                part->before + packet};
    unsigned combining = 0;
    for (now += 3; *now == 'r' || *now == 'x'; now++)
        combining |= *now == 'r' ? COMBINING_RECEIVED : COMBINING_REPLACE;
    *text = *now == ' ' ? now + 1 : now;
    return packet > part->packets ||
           (schedule_set_combining(schedule, schedule->transfer_count, combining, err) &&
            schedule_append(schedule, transfer, err));
}

/* Appends a part of n nodes and m = `blocks` packets, or fewer, in the rounds after `round`.
 * Precondition: small_all_reduce_rounds is not 0. E104. */
static bool small_all_reduce_build(const struct blocks_part *part, uint64_t round,
                                   struct schedule *schedule, struct err *err)
{
    bool put = true;
    for (const char *text = stored[find(part->n, part->blocks)].transfers; put && *text != '\0';
         text++) {
        put = schedule_open_step(schedule, ++round, 1, err) != NULL;
        while (put && *text != '/')
            put = put_transfer(part, &text, schedule, err);
        if (put)
            schedule_close_step(schedule, 0);
    }
    return put;
}

/* Returns the rounds of a part of `blocks` packets; UINT64_MAX if there is none or no memory. */
static uint64_t part_rounds(uint32_t n, uint32_t blocks)
{
    uint64_t small = small_all_reduce_rounds(n, blocks);
    if (small != 0)
        return small;
    return blocks <= n ? blocks_part_rounds(n, blocks) : UINT64_MAX;
}

static bool part_build(const struct blocks_part *part, uint64_t *round, struct schedule *schedule,
                       struct err *err)
{
    uint64_t small = small_all_reduce_rounds(part->n, part->blocks), start = *round;
    if (small == 0)
        return blocks_part_build(part, round, schedule, err);
    *round += small;
    return small_all_reduce_build(part, start, schedule, err);
}

/* Tries all divisions: least[k] is the least number of rounds of a part of k packets, planned for
 * blocks[k]; total[k] that of k packets whose first part has first[k]. O(n · states² + rest²). */
static bool divide_all(uint32_t n, uint32_t rest, struct division *division)
{
    uint64_t *least, *total;
    uint32_t *blocks, *first;
    uint32_t most = 2 * n - 1; /* parts of more than n packets are from blocks_all_reduce.c */
    size_t room = most + (size_t)1;
    void *memory = arena_new((const struct arena_array[]){ARENA(least, room), ARENA(total, room),
                                                          ARENA(blocks, room), ARENA(first, room)},
                             4);
    bool known = memory != NULL;
    for (uint32_t k = most; known && k > 0; k--) {
        uint64_t rounds = part_rounds(n, k);
        bool worse = k < most && rounds >= least[k + 1];
        known = k > n || rounds != UINT64_MAX;
        least[k] = worse ? least[k + 1] : rounds;
        blocks[k] = worse ? blocks[k + 1] : k;
    }
    for (uint32_t all = 1; known && all <= rest; all++) {
        total[all] = UINT64_MAX;
        for (uint32_t k = all; k > 0; k--)
            if (least[k] < total[all] && least[k] + total[all - k] < total[all]) {
                total[all] = least[k] + total[all - k];
                first[all] = k;
            }
    }
    if (known)
        division->rounds += total[rest];
    for (uint32_t left = rest; known && left > 0; left -= first[left])
        division->part[division->count++] = (struct part){first[left], blocks[first[left]]};
    free(memory);
    return known;
}

/* Returns the number next to k, at least k if `up` and otherwise at most k, among 2^i, ⌊n/2^i⌋ and
 * ⌈n/2^i⌉. Precondition: 1 ≤ k ≤ n. */
static uint32_t near(uint32_t n, uint32_t k, bool up)
{
    uint32_t best = up ? n : 1;
    for (uint64_t power = 1; power <= n; power *= 2) {
        const uint64_t sizes[] = {power, n / power, bits_divide_up(n, power)};
        for (unsigned which = 0; which < 3; which++) {
            uint32_t size = (uint32_t)sizes[which];
            if (up ? size >= k && size < best : size <= k && size > best)
                best = size;
        }
    }
    return best;
}

/* Tries the divisions into the largest numbers of `near` in turn and one last part, planned for its
 * packets or for the number after it. O(log n · states²). */
static bool divide_near(uint32_t n, uint32_t rest, struct division *division)
{
    struct part part[FEW_PARTS];
    size_t count = 0;
    uint64_t before = 0;
    uint64_t least = rest > 0 ? UINT64_MAX : 0;
    for (uint32_t left = rest; left > 0 && count < FEW_PARTS; count++) {
        const uint32_t blocks[] = {left, near(n, left, true)};
        for (unsigned which = 0; which < 2; which++) {
            uint64_t rounds = part_rounds(n, blocks[which]);
            if (rounds == UINT64_MAX)
                return false;
            if (before + rounds >= least)
                continue;
            least = before + rounds;
            division->count = count + 1;
            memcpy(division->part, part, count * sizeof *part);
            division->part[count] = (struct part){left, blocks[which]};
        }
        uint32_t taken = near(n, left, false);
        part[count] = (struct part){taken, taken};
        before += part_rounds(n, taken);
        left -= taken;
    }
    division->rounds += least;
    return true;
}

static bool divide(const struct collective *collective, struct division *division)
{
    uint32_t n = collective->n, m = collective->m;
    bool all = n <= ALL_DIVISIONS;
    division->whole = m / n - (all && m >= n); /* the last n packets may be divided otherwise */
    division->count = 0;
    division->rounds = UINT64_C(2) * division->whole * (n - 1);
    uint32_t rest = m - division->whole * n;
    return all ? divide_all(n, rest, division) : divide_near(n, rest, division);
}

static uint64_t blocks_end(const struct collective *collective)
{
    struct division division;
    return divide(collective, &division) ? division.rounds : ALGORITHM_UNKNOWN;
}

static bool blocks_build(const struct collective *collective, struct schedule *schedule,
                         struct err *err)
{
    struct division division;
    uint32_t n = collective->n;
    uint64_t round = 0;
    struct blocks_part part = {.n = n, .blocks = n, .packets = n};
    if (!divide(collective, &division))
        return err_no_memory(err, "the parts of %u packets", collective->m);
    bool built = schedule_reserve(schedule, division.rounds, (size_t)division.rounds * n, err);
    for (uint32_t which = 0; built && which < division.whole; which++, part.before += n)
        built = part_build(&part, &round, schedule, err);
    for (size_t which = 0; built && which < division.count; which++) {
        part.packets = division.part[which].packets;
        part.blocks = division.part[which].blocks;
        built = part_build(&part, &round, schedule, err);
        part.before += part.packets;
    }
    return built;
}

const struct algorithm algorithm_blocks_all_reduce = {
    .name = "blocks-all-reduce",
    .summary = "an all-reduce of any number of packets, in parts of few rounds",
    .source = "ours, after Träff, arXiv 2410.14234, and Bar-Noy, Kipnis, Schieber, PPL 3",
    .models = 1u << MODEL_SEND_RECEIVE,
    .kind = COLLECTIVE_ALL_REDUCE,
    .end = blocks_end,
    .build = blocks_build,
};
