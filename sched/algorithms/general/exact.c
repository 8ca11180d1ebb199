/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/general/best.h"

#include "sched/base/arena.h"
#include "sched/base/compare.h"
#include "sched/base/err.h"
#include "sched/base/memory.h"
#include "sched/base/tool.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>

/* -- Clauses, and the solver ------------------------------------------------------------------- */

/* A formula for a SAT solver, and the solver's result. */

struct clauses {
    int32_t variables; /* variables are 1 … variables */
    size_t count;      /* clauses */
    size_t length, room;
    int32_t *literal; /* clause after clause: a variable, negative if negated; 0 ends a clause */
    bool full;        /* memory ran out */
};

/* Exit statuses of SAT solvers. */
#define CAN 10
#define CANNOT 20

static void append(struct clauses *clauses, int32_t literal)
{
    int32_t *larger =
        memory_grow(clauses->literal, clauses->length + 1, &clauses->room, sizeof *larger);
    if (larger == NULL) {
        clauses->full = true;
        return;
    }
    clauses->literal = larger;
    clauses->literal[clauses->length++] = literal;
}

/* Adds a clause of `count` literals. If memory runs out, clauses_solve reports it. Amortised
 * O(count). */
static void clauses_add(struct clauses *clauses, const int32_t literal[], size_t count)
{
    for (size_t k = 0; k < count; k++)
        append(clauses, literal[k]);
    append(clauses, 0);
    clauses->count++;
}

/* Adds clauses by which at most one of the literals holds. O(count²). */
static void clauses_at_most_one(struct clauses *clauses, const int32_t literal[], size_t count)
{
    for (size_t one = 0; one < count; one++)
        for (size_t other = 0; other < one; other++)
            clauses_add(clauses, (int32_t[]){-literal[one], -literal[other]}, 2);
}

static void clauses_free(struct clauses *clauses)
{
    free(clauses->literal);
    *clauses = (struct clauses){0};
}

/* Prints the clauses in the DIMACS format. */
static void print(const struct clauses *clauses, FILE *to)
{
    fprintf(to, "p cnf %" PRId32 " %zu\n", clauses->variables, clauses->count);
    for (size_t k = 0; k < clauses->length; k++)
        fprintf(to, clauses->literal[k] != 0 ? "%" PRId32 " " : "%" PRId32 "\n",
                clauses->literal[k]);
}

/* Reads lines `v 1 -2 … 0` of the solver: the literals that hold. */
static void read_values(FILE *from, int32_t variables, bool holds[])
{
    char word[16];
    rewind(from);
    while (fscanf(from, "%15s", word) == 1) {
        long value = strtol(word, NULL, 10);
        if (value != 0 && labs(value) <= variables)
            holds[labs(value)] = value > 0;
    }
}

/* Runs CaDiCaL and sets *can to whether all clauses can hold. If so, holds[variable] is a
 * satisfying assignment, for 1 … variables. E104, E202, E501 without CaDiCaL. */
static bool clauses_solve(const struct clauses *clauses, bool *can, bool holds[], struct err *err)
{
    char name[] = "cadical", quiet[] = "-q", *arguments[] = {name, quiet, NULL};
    int status = 0;
    if (clauses->full)
        return err_no_memory(err, "%zu clauses", clauses->count);
    FILE *formula = filter_input(err), *model = formula != NULL ? filter_input(err) : NULL;
    bool solved = model != NULL;
    if (solved) {
        print(clauses, formula);
        solved =
            filter_rewind(formula, err) && tool_run(arguments, fileno(formula), fileno(model),
                                                    "CaDiCaL (the package cadical)", &status, err);
    }
    int answer = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (solved && answer != CAN && answer != CANNOT)
        solved = err_set(err, ERR_TOOL, "cadical: failed; expected an answer");
    *can = answer == CAN;
    if (solved && *can)
        read_values(model, clauses->variables, holds);
    if (model != NULL)
        fclose(model);
    if (formula != NULL)
        fclose(formula);
    return solved;
}

/* -- Schedules --------------------------------------------------------------------------------- */

struct exact {
    const struct schedule *demands;
    uint32_t n, packets, rounds;
    struct clauses clauses;
    int32_t *list; /* list[2 · nodes · packets]: literals of one clause */
    bool *holds;   /* holds[variables + 1] */
    bool *needed;  /* needed[packets · nodes]: whether a node needs a packet in a later round */
};

/* -- Variables --------------------------------------------------------------------------------- */

static int32_t has(const struct exact *exact, uint32_t p, uint32_t v, uint32_t t)
{
    return (int32_t)((t * exact->packets + p) * exact->n + v + 1);
}

static int32_t sends(const struct exact *exact, uint32_t p, uint32_t u, uint32_t v, uint32_t t)
{
    int32_t first = has(exact, 0, 0, exact->rounds + 1);
    return first + (int32_t)((((t - 1) * exact->packets + p) * exact->n + u) * exact->n + v);
}

static int32_t meet(const struct exact *exact, uint32_t u, uint32_t v, uint32_t t)
{
    int32_t first = sends(exact, 0, 0, 0, exact->rounds + 1);
    uint32_t low = MIN(u, v), high = MAX(u, v);
    return first + (int32_t)(((t - 1) * exact->n + low) * exact->n + high);
}

/* Returns the number of variables in floating point, for any size; counts that are not exact exceed
 * the limit. */
static double count_variables(const struct schedule *demands, uint64_t rounds)
{
    double n = demands->nodes, p = demands->packets, t = (double)rounds;
    return n * p * (t + 1) + (p * n * n + n * n) * t;
}

/* -- Clauses ----------------------------------------------------------------------------------- */

/* Adds the clauses for the packets that nodes have at the start and want at the end. */
static void bound_ends(struct exact *exact)
{
    for (size_t d = 0; d < exact->demands->demand_count; d++) {
        const struct demand *demand = &exact->demands->demand[d];
        for (uint32_t p = demand->first_packet - 1; p < demand->last_packet; p++) {
            for (uint32_t v = 0; v < exact->n; v++) {
                int32_t begin = has(exact, p, v, 0);
                clauses_add(&exact->clauses, (int32_t[]){v == demand->source ? begin : -begin}, 1);
                if (demand->wanted_count == 0)
                    clauses_add(&exact->clauses, (int32_t[]){has(exact, p, v, exact->rounds)}, 1);
            }
            for (uint32_t k = 0; k < demand->wanted_count; k++)
                clauses_add(&exact->clauses,
                            (int32_t[]){has(exact, p, demand->wanted[k], exact->rounds)}, 1);
        }
    }
}

/* Returns whether two nodes that meet may both send; only then are the meet variables used. */
static bool exchanges(const struct exact *exact)
{
    const struct model_row *model = model_row(exact->demands->model);
    return model->pairs && !model->half_duplex;
}

/* Adds the clauses of receipts: a node that has a packet after round t had it before or receives it
 * in round t, and its sender had it before. */
static void add_receipts(struct exact *exact, uint32_t t)
{
    for (uint32_t p = 0; p < exact->packets; p++)
        for (uint32_t v = 0; v < exact->n; v++) {
            size_t count = 0;
            exact->list[count++] = -has(exact, p, v, t);
            exact->list[count++] = has(exact, p, v, t - 1);
            for (uint32_t u = 0; u < exact->n; u++) {
                int32_t send = sends(exact, p, u, v, t);
                if (u != v)
                    exact->list[count++] = send;
                clauses_add(&exact->clauses,
                            (int32_t[]){-send, u != v ? has(exact, p, u, t - 1) : -send}, 2);
                if (exchanges(exact))
                    clauses_add(&exact->clauses, (int32_t[]){-send, meet(exact, u, v, t)}, 2);
            }
            clauses_add(&exact->clauses, exact->list, count);
        }
}

/* Adds the clauses of the ports: a node has at most one send, one receipt and one partner in a
 * round; in the telegraph model at most one send or receipt. */
static void add_ports(struct exact *exact, uint32_t node, uint32_t t)
{
    size_t sent = 0, received = exact->packets * (size_t)exact->n, met = 0;
    size_t begin = received;
    for (uint32_t p = 0; p < exact->packets; p++)
        for (uint32_t other = 0; other < exact->n; other++) {
            exact->list[sent++] = sends(exact, p, node, other, t);
            exact->list[received++] = sends(exact, p, other, node, t);
        }
    if (model_row(exact->demands->model)->half_duplex) {
        /* a node's send to itself is in both lists, and never holds */
        clauses_at_most_one(&exact->clauses, exact->list, received);
        return;
    }
    clauses_at_most_one(&exact->clauses, exact->list, sent);
    clauses_at_most_one(&exact->clauses, exact->list + begin, received - begin);
    for (uint32_t other = 0; other < exact->n; other++)
        if (other != node)
            exact->list[met++] = meet(exact, node, other, t);
    if (exchanges(exact))
        clauses_at_most_one(&exact->clauses, exact->list, met);
}

/* -- The schedule ------------------------------------------------------------------------------ */

/* Returns whether a node receives the packet for the first time in round t. */
static bool is_first(const struct exact *exact, uint32_t p, uint32_t v, uint32_t t)
{
    for (uint32_t before = 1; before < t; before++)
        for (uint32_t u = 0; u < exact->n; u++)
            if (exact->holds[sends(exact, p, u, v, before)])
                return false;
    return !exact->holds[has(exact, p, v, 0)];
}

static void note_wanted(struct exact *exact)
{
    for (size_t d = 0; d < exact->demands->demand_count; d++) {
        const struct demand *demand = &exact->demands->demand[d];
        for (uint32_t p = demand->first_packet - 1; p < demand->last_packet; p++) {
            for (uint32_t v = 0; v < exact->n; v++)
                exact->needed[p * exact->n + v] = demand->wanted_count == 0;
            for (uint32_t k = 0; k < demand->wanted_count; k++)
                exact->needed[p * exact->n + demand->wanted[k]] = true;
        }
    }
}

/* Collects the sends that some node needs, from the last round back. Returns how many there are. */
static size_t take_needed(struct exact *exact, struct list_send send[])
{
    size_t count = 0;
    note_wanted(exact);
    for (uint32_t t = exact->rounds; t > 0; t--)
        for (uint32_t p = 0; p < exact->packets; p++)
            for (uint32_t u = 0; u < exact->n; u++)
                for (uint32_t v = 0; v < exact->n; v++) {
                    bool *needed = &exact->needed[p * exact->n + v];
                    if (!exact->holds[sends(exact, p, u, v, t)] || !*needed ||
                        !is_first(exact, p, v, t))
                        continue;
                    *needed = false;
                    exact->needed[p * exact->n + u] = true;
                    send[count++] = (struct list_send){t, {u, v, p + 1}};
                }
    return count;
}

/* Returns whether only packets at their sources are still needed. Checked because the solver is a
 * separate program. */
static bool all_come(const struct exact *exact)
{
    bool come = true;
    for (size_t d = 0; d < exact->demands->demand_count; d++) {
        const struct demand *demand = &exact->demands->demand[d];
        for (uint32_t p = demand->first_packet - 1; p < demand->last_packet; p++)
            for (uint32_t v = 0; v < exact->n; v++)
                come = come && (v == demand->source || !exact->needed[p * exact->n + v]);
    }
    return come;
}

/* Searches for a schedule of exact->rounds rounds. If it sets *can, the sends are in
 * *send[*count]. */
static bool try_rounds(struct exact *exact, bool *can, struct list_send **send, size_t *count,
                       struct err *err)
{
    exact->clauses = (struct clauses){.variables = meet(exact, 0, 0, exact->rounds + 1) - 1};
    bound_ends(exact);
    for (uint32_t t = 1; t <= exact->rounds; t++) {
        add_receipts(exact, t);
        for (uint32_t node = 0; node < exact->n; node++)
            add_ports(exact, node, t);
    }
    bool solved = clauses_solve(&exact->clauses, can, exact->holds, err);
    clauses_free(&exact->clauses);
    if (!solved || !*can)
        return solved;
    *send = malloc(((size_t)exact->packets * exact->n + 1) * sizeof **send);
    if (*send == NULL)
        return err_no_memory(err, "the sends of %" PRIu32 " packets", exact->packets);
    *count = take_needed(exact, *send);
    if (all_come(exact))
        return true;
    free(*send);
    *send = NULL;
    return err_set(err, ERR_TOOL, "cadical: sends that leave out a packet; expected all of them");
}

bool exact_find(const struct schedule *demands, uint64_t least, uint64_t *rounds,
                struct list_send **send, size_t *count, struct err *err)
{
    struct exact exact = {.demands = demands, .n = demands->nodes, .packets = demands->packets};
    double variables = *rounds > least ? count_variables(demands, *rounds - 1) : 0;
    size_t pairs = variables <= EXACT_MAX_VARIABLES ? (size_t)exact.n * exact.packets : 0;
    *send = NULL;
    if (variables > EXACT_MAX_VARIABLES)
        return err_set(err, ERR_RANGE,
                       "{exact}: too many packets, nodes and rounds for a solver; expected at most "
                       "%d variables, which are packets · nodes² · rounds",
                       EXACT_MAX_VARIABLES);
    void *memory = arena_new((const struct arena_array[]){ARENA(exact.list, 2 * pairs + 2),
                                                          ARENA(exact.holds, (size_t)variables + 1),
                                                          ARENA(exact.needed, pairs)},
                             3);
    bool solved = memory != NULL || err_no_memory(err, "%zu variables", (size_t)variables),
         can = false;
    for (uint64_t tried = least; solved && !can && tried < *rounds; tried++) {
        exact.rounds = (uint32_t)tried;
        solved = try_rounds(&exact, &can, send, count, err);
        if (can)
            *rounds = tried;
    }
    free(memory);
    return solved;
}
