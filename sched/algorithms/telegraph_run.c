#include "telegraph_run.h"

#include "bound.h"
#include "rng.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *words(size_t count)
{
    return malloc(count * sizeof(uint32_t));
}

bool telegraph_run_init(struct telegraph_run *run, const struct collective *collective, struct err *err)
{
    uint32_t n = collective->n, m = collective->m;
    *run = (struct telegraph_run){.n = n,
                                  .m = m,
                                  .bound = bound_end(collective),
                                  .held = words(n),
                                  .holders = words((size_t)m + 1),
                                  .open = words(m),
                                  .place = words((size_t)m + 1),
                                  .up_to = words(n),
                                  .order = words(n),
                                  .free = words(n),
                                  .senders = words(n),
                                  .receivers = words(n),
                                  .bucket = words((size_t)m + 2),
                                  .own = malloc(n * sizeof *run->own)};
    bool there = run->held != NULL && run->holders != NULL && run->open != NULL && run->place != NULL &&
                 run->up_to != NULL && run->order != NULL && run->free != NULL && run->senders != NULL &&
                 run->receivers != NULL && run->bucket != NULL && run->own != NULL;
    if (!there)
        err_set(err, ERR_TOO_BIG, "no memory to choose among %u nodes and %u packets", n, m);
    if (there && holdings_init(&run->holdings, n, m, err))
        return true;
    telegraph_run_free(run);
    return false;
}

void telegraph_run_free(struct telegraph_run *run)
{
    holdings_free(&run->holdings);
    free(run->held);
    free(run->holders);
    free(run->open);
    free(run->place);
    free(run->up_to);
    free(run->order);
    free(run->free);
    free(run->senders);
    free(run->receivers);
    free(run->bucket);
    free(run->own);
    *run = (struct telegraph_run){0};
}

/* One more node has the packet: in `open` it changes places with the last that had as many holders. O(1). */
static void add_holder(struct telegraph_run *run, uint32_t packet)
{
    uint32_t last = --run->up_to[run->holders[packet]++];
    uint32_t other = run->open[last], place = run->place[packet];
    run->open[place] = other;
    run->place[other] = place;
    run->open[last] = packet;
    run->place[packet] = last;
}

/* The source has one packet more to give. In `open` it comes behind those of one holder: of those of each
 * greater number of holders the first moves behind the last. O(n). */
static void bring_packet(struct telegraph_run *run)
{
    uint32_t packet = ++run->brought, place = packet - 1;
    for (uint32_t holders = run->n - 1; holders > 0; holders--) {
        uint32_t first = run->up_to[holders]++;
        if (first == place)
            continue;
        run->open[place] = run->open[first];
        run->place[run->open[place]] = place;
        place = first;
    }
    run->open[place] = packet;
    run->place[packet] = place;
    run->holders[packet] = 1;
    holdings_add(&run->holdings, 0, packet);
}

/* All nodes are free: node 0, then the others as they follow in `order`, sorted by what they hold. O(n) and the
 * difference between those who hold most and fewest. */
static void free_nodes(struct telegraph_run *run)
{
    const uint32_t *order = run->order, *held = run->held;
    uint32_t others = run->n - 1, least = held[order[0]], most = least, *bucket = run->bucket;
    for (uint32_t which = 1; which < others; which++) {
        least = held[order[which]] < least ? held[order[which]] : least;
        most = held[order[which]] > most ? held[order[which]] : most;
    }
    memset(bucket, 0, (most - least + 2) * sizeof *bucket);
    for (uint32_t which = 0; which < others; which++)
        bucket[held[order[which]] - least + 1]++;
    for (uint32_t more = 0; more < most - least; more++)
        bucket[more + 1] += bucket[more];
    run->free[0] = 0;
    for (uint32_t which = 0; which < others; which++)
        run->free[1 + bucket[held[order[which]] - least]++] = order[which];
    run->free_count = run->n;
}

/* Can a node that receives in every second round no longer be in time? */
static bool is_behind(const struct telegraph_run *run, uint32_t node)
{
    uint64_t left = run->t <= run->bound ? run->bound - run->t + 1 : 0;
    return node > 0 && 2 * (uint64_t)(run->m - run->held[node]) > left;
}

/* Free nodes that hold a packet give it to free nodes that lack it, if `late` to such only as are behind:
 * from those with most packets, but node 0 last, to those with fewest. O(nodes that are free). */
static void pass_on(struct telegraph_run *run, uint32_t packet, bool late)
{
    uint32_t holders = 0, lack = 0, kept = 0, senders = 0, receivers = 0;
    for (uint32_t which = 0; which < run->free_count; which++) {
        bool has = holdings_has(&run->holdings, run->free[which], packet);
        holders += has;
        lack += !has && (!late || is_behind(run, run->free[which]));
    }
    uint32_t pairs = holders < lack ? holders : lack, spared = holders - pairs;
    if (pairs == 0)
        return;
    for (uint32_t which = 0; which < run->free_count; which++) {
        uint32_t node = run->free[which];
        bool has = holdings_has(&run->holdings, node, packet);
        if (has && spared == 0)
            run->senders[senders++] = node;
        else if (!has && receivers < pairs)
            run->receivers[receivers++] = node;
        else
            run->free[kept++] = node;
        spared -= has && spared > 0;
    }
    for (uint32_t pair = 0; pair < pairs; pair++)
        run->transfer[run->count++] = (struct transfer){run->senders[pair], run->receivers[pair], packet};
    run->free_count = kept;
}

/* The transfer between two nodes that is best: the newest packet, to the one with fewer packets if that can be.
 * False if none is useful. */
static bool join(const struct telegraph_run *run, uint32_t one, uint32_t two, struct transfer *transfer)
{
    bool swapped = run->held[one] < run->held[two];
    for (unsigned way = 0; way < 2; way++, swapped = !swapped) {
        uint32_t from = swapped ? two : one, to = swapped ? one : two;
        uint32_t packet = holdings_newest(&run->holdings, from, to);
        *transfer = (struct transfer){from, to, packet};
        if (packet != 0)
            return true;
    }
    return false;
}

/* Nodes that are free now all hold the same packets: two of them are no pair. Split a pair between two of
 * them; the packets that matter least were paired last. O(pairs·m/64). */
static void split_pairs(struct telegraph_run *run)
{
    for (uint32_t which = run->count; which-- > 0 && run->free_count >= 2;) {
        uint32_t one = run->free[run->free_count - 1], two = run->free[run->free_count - 2];
        const struct transfer pair = run->transfer[which];
        struct transfer first, second;
        if ((join(run, pair.source, one, &first) && join(run, pair.destination, two, &second)) ||
            (join(run, pair.destination, one, &first) && join(run, pair.source, two, &second))) {
            run->transfer[which] = first;
            run->transfer[run->count++] = second;
            run->free_count -= 2;
        }
    }
}

static void choose_transfers(struct telegraph_run *run)
{
    uint32_t open = run->up_to[run->n - 1];
    run->count = 0;
    for (uint32_t which = 0; which < open && run->free_count >= 2; which++) {
        /* Who holds fewest is the first: if it is not behind, nobody is. */
        if (!is_behind(run, run->free[run->free[0] == 0]))
            break;
        pass_on(run, run->open[which], true);
    }
    for (uint32_t which = 0; which < open && run->free_count >= 2; which++)
        pass_on(run, run->open[which], false);
    split_pairs(run);
}

static void play_transfers(struct telegraph_run *run)
{
    for (uint32_t which = 0; which < run->count; which++) {
        const struct transfer *transfer = &run->transfer[which];
        holdings_add(&run->holdings, transfer->destination, transfer->packet);
        run->held[transfer->destination]++;
        add_holder(run, transfer->packet);
    }
    run->left -= run->count;
}

static void shuffle(struct telegraph_run *run, struct rng *rng)
{
    rng_permutation(rng, run->n - 1, run->order);
    for (uint32_t which = 0; which + 1 < run->n; which++)
        run->order[which]++;
}

static void start(struct telegraph_run *run, struct schedule *schedule)
{
    holdings_clear(&run->holdings);
    memset(run->held, 0, run->n * sizeof *run->held);
    run->held[0] = run->m;
    for (uint32_t which = 0; which + 1 < run->n; which++)
        run->order[which] = which + 1;
    run->brought = 0;
    memset(run->up_to, 0, run->n * sizeof *run->up_to);
    run->t = 0;
    run->left = (uint64_t)run->m * (run->n - 1);
    run->schedule = schedule;
}

uint64_t telegraph_run(struct telegraph_run *run, uint64_t seed, struct schedule *schedule, struct err *err)
{
    struct rng rng = {seed};
    start(run, schedule);
    while (run->left > 0) {
        run->t++;
        run->transfer = schedule != NULL ? schedule_open_step(schedule, run->t, run->n, err) : run->own;
        if (run->transfer == NULL)
            return 0;
        if (seed != 0)
            shuffle(run, &rng);
        if (run->brought < run->m)
            bring_packet(run);
        free_nodes(run);
        choose_transfers(run);
        play_transfers(run);
        if (schedule != NULL)
            schedule_close_step(schedule, run->count);
    }
    return run->t;
}
