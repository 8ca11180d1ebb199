/* tree_lab: trees to try, and a judge of their schedules that shares nothing with verify.c or topology.c.
 *
 * The judge climbs by parents that it makes itself from k_1 … k_h, and keeps for each node and packet the
 * last step of arrival and of sending. Include it after <cmocka.h>'s four headers.
 */
#ifndef ROUNDCAST_TREE_LAB_H
#define ROUNDCAST_TREE_LAB_H

#include "rng.h"
#include "support.h"

/* Steps, from 1; 0: never. */
struct tree_judge {
    const struct schedule *schedule;
    uint32_t *parent, *level; /* [node] */
    uint32_t *first, *last;   /* [node][packet - 1]: arrival */
    uint32_t *sent;           /* the same: sending */
    uint32_t *port, *lane;    /* [node] and [direction][node][lane]: last used */
    uint32_t most;            /* lanes of a branch */
};

static inline uint32_t *tree_judge_table(size_t entries)
{
    uint32_t *table = calloc(entries, sizeof *table);
    assert_non_null(table);
    return table;
}

static inline void tree_judge_init(struct tree_judge *j, const struct schedule *schedule)
{
    const struct topology *tree = &schedule->topology;
    size_t pairs = (size_t)tree->all * schedule->packets;
    *j = (struct tree_judge){.schedule = schedule};
    for (unsigned level = 1; level <= tree->height; level++)
        j->most = tree->capacity[level] > j->most ? tree->capacity[level] : j->most;
    j->parent = tree_judge_table(tree->all);
    j->level = tree_judge_table(tree->all);
    j->first = tree_judge_table(pairs);
    j->last = tree_judge_table(pairs);
    j->sent = tree_judge_table(pairs);
    j->port = tree_judge_table(tree->all);
    j->lane = tree_judge_table(2 * (size_t)tree->all * j->most);
    uint32_t begin = 0, count = tree->nodes;
    for (unsigned level = 1; level <= tree->height; level++) {
        for (uint32_t node = begin; node < begin + count; node++)
            j->parent[node] = begin + count + (node - begin) / tree->children[level];
        begin += count;
        count /= tree->children[level];
        for (uint32_t node = begin; node < begin + count; node++)
            j->level[node] = level;
    }
    assert_int_equal(count, 1);
    j->parent[begin] = UINT32_MAX;
}

static inline void tree_judge_free(struct tree_judge *j)
{
    free(j->parent);
    free(j->level);
    free(j->first);
    free(j->last);
    free(j->sent);
    free(j->port);
    free(j->lane);
}

/* A leaf's own packets: x + 1 of a multinode broadcast, n - 1 of a total exchange. */
static inline bool tree_judge_owns(const struct schedule *s, uint32_t node, uint32_t packet)
{
    return (packet - 1) / (s->packets / s->nodes) == node;
}

/* What is wrong with sending transfer `index` in step `round`; NULL: nothing. */
static inline const char *tree_judge_send(struct tree_judge *j, size_t index, uint32_t round, bool queue_free)
{
    const struct schedule *s = j->schedule;
    const struct topology *tree = &s->topology;
    const struct transfer *t = &s->transfer[index];
    bool up = j->parent[t->source] == t->destination;
    uint32_t lower = up ? t->source : t->destination, lane = s->lane[index];
    size_t pair = (size_t)t->source * s->packets + t->packet - 1;
    if (!up && j->parent[t->destination] != t->source)
        return "no branch";
    if (!tree_judge_owns(s, t->source, t->packet) && (j->first[pair] == 0 || j->first[pair] >= round))
        return "not held";
    if (queue_free && t->source >= s->nodes && j->last[pair] != round - 1)
        return "kept waiting";
    j->sent[pair] = round;
    if (lane >= (s->model == MODEL_SINGLE_PORT ? 1 : tree->capacity[j->level[lower] + 1]))
        return "no lane";
    uint32_t *used = s->model == MODEL_SINGLE_PORT
                         ? &j->port[t->source]
                         : &j->lane[((size_t)up * tree->all + lower) * j->most + lane];
    if (*used == round)
        return "used twice";
    *used = round;
    return NULL;
}

/* Also: a leaf hears every packet once, and a router sends on what it hears before it hears it again. */
static inline const char *tree_judge_receive(struct tree_judge *j, size_t index, uint32_t round)
{
    const struct schedule *s = j->schedule;
    const struct transfer *t = &s->transfer[index];
    size_t pair = (size_t)t->destination * s->packets + t->packet - 1;
    if (t->destination < s->nodes && (j->first[pair] != 0 || tree_judge_owns(s, t->destination, t->packet)))
        return "heard twice";
    if (j->last[pair] != 0 && j->sent[pair] <= j->last[pair])
        return "heard in vain";
    j->first[pair] = j->first[pair] != 0 ? j->first[pair] : round;
    j->last[pair] = round;
    return NULL;
}

/* Every leaf has all (multinode), or just what is for it: packet x(n - 1) + p is for the p-th of the others. */
static inline const char *tree_judge_end(const struct tree_judge *j)
{
    const struct schedule *s = j->schedule;
    uint32_t n = s->nodes;
    bool exchange = s->packets != n;
    for (uint32_t packet = 0; packet < s->packets; packet++)
        for (uint32_t node = 0; node < s->topology.all; node++) {
            size_t pair = (size_t)node * s->packets + packet;
            bool owns = tree_judge_owns(s, node, packet + 1);
            uint32_t from = packet / (n - 1),
                     to = packet % (n - 1) < from ? packet % (n - 1) : packet % (n - 1) + 1;
            if (node >= n && j->last[pair] != 0 && j->sent[pair] <= j->last[pair])
                return "heard in vain";
            if (node < n && !owns && (j->first[pair] != 0) != (!exchange || node == to))
                return "not delivered";
        }
    return NULL;
}

/* What is wrong; NULL: nothing. In a queue-free schedule every router sends on in the very next step. */
static inline const char *tree_judge(const struct schedule *s, bool queue_free)
{
    struct tree_judge j;
    tree_judge_init(&j, s);
    const char *wrong = NULL;
    for (size_t k = 0; k < s->step_count && wrong == NULL; k++) {
        uint32_t round = (uint32_t)s->step[k].time;
        for (size_t index = s->step[k].first; index < schedule_step_end(s, k) && wrong == NULL; index++)
            wrong = tree_judge_send(&j, index, round, queue_free);
        for (size_t index = s->step[k].first; index < schedule_step_end(s, k) && wrong == NULL; index++)
            wrong = tree_judge_receive(&j, index, round);
    }
    wrong = wrong != NULL ? wrong : tree_judge_end(&j);
    tree_judge_free(&j);
    return wrong;
}

/* Children and capacities as on the command line. */
static inline struct topology tree_lab_parse(const char *children, const char *capacity)
{
    struct topology tree;
    struct err err = {0};
    support_true(topology_parse_tree(children, capacity, &tree, &err), &err);
    return tree;
}

static inline struct topology tree_lab_make(unsigned height, const uint32_t children[],
                                            const uint32_t capacity[])
{
    struct topology tree;
    struct err err = {0};
    support_true(topology_tree(height, children, capacity, &tree, &err), &err);
    return tree;
}

#define TREE_LAB_PATTERNS 6

/* Capacity patterns of a tree, c_1 = 1: 1; as many as leaves; 2; 3; odd (1, 3, 5, …); random up to 2
 * N_{i-1}. */
static inline struct topology tree_lab_pattern(const struct topology *tree, unsigned pattern, struct rng *rng)
{
    uint32_t capacity[TOPOLOGY_MAX_HEIGHT] = {1};
    for (unsigned i = 2; i <= tree->height; i++) {
        const uint32_t patterns[TREE_LAB_PATTERNS] = {
            1, tree->leaves[i - 1], 2, 3, 2 * i - 1, 1 + (uint32_t)rng_below(rng, 2 * tree->leaves[i - 1])};
        capacity[i - 1] = patterns[pattern];
    }
    return tree_lab_make(tree->height, tree->children + 1, capacity);
}

/* All trees of k_i = 2 … 5 with at most `most` leaves, counted from 0; false if there are no more. */
static inline bool tree_lab_next(uint32_t most, struct topology *tree)
{
    static const uint32_t ones[TOPOLOGY_MAX_HEIGHT] = {1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t k[TOPOLOGY_MAX_HEIGHT];
    unsigned height = tree->height;
    memcpy(k, tree->children + 1, sizeof k);
    for (;;) { /* the next word of the letters 2 … 5; an overflow makes it longer */
        unsigned digit = 0;
        while (digit < height && k[digit] == 5)
            k[digit++] = 2;
        if (digit < height)
            k[digit]++;
        else if (1u << (height + 1) > most)
            return false;
        else
            k[height++] = 2;
        uint64_t leaves = 1;
        for (unsigned i = 0; i < height; i++)
            leaves *= k[i];
        if (leaves <= most) {
            *tree = tree_lab_make(height, k, ones);
            return true;
        }
    }
}

/* A tree of some height, of 2 … 9 children and at most `most` leaves. */
static inline struct topology tree_lab_random(uint32_t most, struct rng *rng)
{
    static const uint32_t ones[TOPOLOGY_MAX_HEIGHT] = {1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t k[TOPOLOGY_MAX_HEIGHT], leaves = 1;
    unsigned height = 0;
    while (height < 8) {
        uint32_t next = 2 + (uint32_t)rng_below(rng, 8);
        if (leaves * next > most)
            break;
        leaves *= next;
        k[height++] = next;
    }
    return tree_lab_make(height, k, ones);
}

static inline struct collective tree_lab_ask(const struct topology *tree, enum model model, unsigned method)
{
    return (struct collective){.n = tree->nodes, .m = 1, .model = model, .topology = tree, .method = method};
}

/* What an algorithm must refuse, and a part of the message. */
struct tree_lab_refused {
    struct collective asked;
    const char *part;
};

/* It refuses these, and runs on the tree in its one way by one port and both by many. */
static inline void tree_lab_refuses(const struct algorithm *algorithm, const struct topology *tree,
                                    const struct tree_lab_refused refused[], size_t count)
{
    for (size_t which = 0; which < count; which++) {
        struct err err = {0};
        assert_false(algorithm_check(algorithm, &refused[which].asked, &err));
        support_error(&err, ERR_ALGORITHM, refused[which].part);
    }
    for (unsigned which = 0; which < 3; which++) {
        const struct collective legal =
            tree_lab_ask(tree, which == 0 ? MODEL_SINGLE_PORT : MODEL_MULTIPORT, which / 2);
        assert_true(algorithm_check(algorithm, &legal, NULL));
    }
}

/* Build, verify, judge; the steps, which are those promised. */
static inline uint64_t tree_lab_steps(const struct algorithm *algorithm, const struct topology *tree,
                                      enum model model, unsigned method, bool queue_free)
{
    const struct collective collective = tree_lab_ask(tree, model, method);
    struct schedule schedule = {0};
    struct verify_report report;
    struct err err = {0};
    support_true(algorithm_build(algorithm, &collective, &schedule, &err), &err);
    support_true(verify_schedule(algorithm->name, &schedule, &report, &err), &err);
    const char *wrong = tree_judge(&schedule, queue_free);
    if (wrong != NULL)
        fail_msg("%s: n = %u: %s", schedule.algorithm, tree->nodes, wrong);
    uint64_t end = schedule.end, last = schedule.step[schedule.step_count - 1].time;
    schedule_free(&schedule);
    assert_int_equal(end, last);
    assert_int_equal(end, algorithm_end(algorithm, &collective));
    return end;
}

/* A row of golden/tree.csv (k, h) or golden/tree-mixed.csv (children). */
struct tree_lab_row {
    char collective[40], model[16], algorithm[40];
    struct topology tree;
    uint64_t steps;
};

/* From `1.4.16` to `1,4,16`; `any` is const. */
static inline void tree_lab_list(char *text)
{
    if (strcmp(text, "any") == 0)
        strcpy(text, "const");
    for (char *dot = text; (dot = strchr(dot, '.')) != NULL;)
        *dot = ',';
}

/* Parse a line; false for the header. */
static inline bool tree_lab_parse_row(char *line, struct tree_lab_row *row)
{
    char children[80], capacity[80];
    unsigned k, h;
    int part;
    if (sscanf(line, "%39[^,],%15[^,],%39[^,],%n", row->collective, row->model, row->algorithm, &part) != 3)
        return false;
    if (sscanf(line + part, "%u,%u,%79[^,],%lu", &k, &h, capacity, &row->steps) == 4) {
        for (unsigned i = 0; i < h; i++)
            snprintf(children + 3 * i, sizeof children - 3 * i, "%02u%s", k, i + 1 < h ? "," : "");
    } else if (sscanf(line + part, "%79[^,],%79[^,],%lu", children, capacity, &row->steps) != 3) {
        return false;
    }
    tree_lab_list(children);
    tree_lab_list(capacity);
    row->tree = tree_lab_parse(children, capacity);
    return true;
}

/* Check the rows of a collective in a file; how many there were. `check` returns whether it is one of ours. */
static inline unsigned tree_lab_golden(const char *name, const char *collective,
                                       bool (*check)(const struct tree_lab_row *row))
{
    FILE *file = fopen(name, "r");
    if (file == NULL)
        fail_msg("cannot open %s; run at the root of the repository", name);
    char line[200];
    unsigned rows = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        struct tree_lab_row row;
        if (strncmp(line, collective, strlen(collective)) == 0 && tree_lab_parse_row(line, &row))
            rows += check(&row);
    }
    fclose(file);
    return rows;
}

#endif
