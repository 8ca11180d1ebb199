/* SPDX-License-Identifier: Apache-2.0 */
/* exact: finds the settings of the least makespan, by integer programming (GLPK).
 *
 *     minimize    Σ_k t_k + price · y_k        t_k rounds, y_k = 1 if setting k is used at all
 *     entries     Σ_(k has i → j) t_k ≥ packets, Σ_(k has i → j) y_k ≥ 1
 *     settings    t_k ≤ most_k · y_k, where most_k is the largest entry of setting k
 *     the bound   Σ_k t_k ≥ the busiest node's packets, Σ_k y_k ≥ its partners
 *
 * Only partial permutations to which no circuit can be added are considered, because a setting with
 * more circuits serves at least as much. For five nodes there are at most about fifty of them.
 */
#include "sched/decompose/decompose.h"

#include "sched/base/text.h"
#include "sched/base/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NODES 5
#define PACKETS 1000000 /* limit, so that no number of the solver needs rounding */
#define SETTINGS 120    /* 5!: maximum number of settings */
#define SECONDS "60"

/* The traffic as a table of NODES nodes; with fewer nodes the others send nothing. */
struct exact {
    uint32_t entry[NODES][NODES];
    size_t count;
    uint32_t to[SETTINGS][NODES];
    uint32_t most[SETTINGS];
};

static bool fits(const struct traffic *traffic)
{
    return traffic->nodes <= NODES && traffic->packets <= PACKETS;
}

/* Returns whether no circuit can be added. */
static bool is_maximal(const struct exact *exact, const uint32_t to[], unsigned taken)
{
    for (uint32_t from = 0; from < NODES; from++)
        for (uint32_t there = 0; to[from] == DECOMPOSE_IDLE && there < NODES; there++)
            if (exact->entry[from][there] > 0 && (taken >> there & 1) == 0)
                return false;
    return true;
}

static void add_setting(struct exact *exact, const uint32_t to[])
{
    uint32_t most = 0;
    for (uint32_t from = 0; from < NODES; from++)
        if (to[from] != DECOMPOSE_IDLE && exact->entry[from][to[from]] > most)
            most = exact->entry[from][to[from]];
    memcpy(exact->to[exact->count], to, NODES * sizeof *to);
    exact->most[exact->count++] = most;
}

/* Lists all settings in which to[] connects the nodes before `from` to the nodes in `taken`. */
static void list_settings(struct exact *exact, uint32_t from, uint32_t to[], unsigned taken)
{
    if (from == NODES) {
        if (is_maximal(exact, to, taken))
            add_setting(exact, to);
        return;
    }
    to[from] = DECOMPOSE_IDLE;
    list_settings(exact, from + 1, to, taken);
    for (uint32_t there = 0; there < NODES; there++)
        if (exact->entry[from][there] > 0 && (taken >> there & 1) == 0) {
            to[from] = there;
            list_settings(exact, from + 1, to, taken | 1u << there);
        }
}

/* -- The program ------------------------------------------------------------------------------- */

/* Prints "name: + x0 + x3 >= least", for the settings that connect a pair, or for all settings. */
static void print_sum(const struct exact *exact, FILE *file, char variable, uint32_t from,
                      uint32_t there, uint64_t least)
{
    for (size_t k = 0; k < exact->count; k++)
        if (from == DECOMPOSE_IDLE || exact->to[k][from] == there)
            fprintf(file, " + %c%zu", variable, k);
    fprintf(file, " >= %" PRIu64 "\n", least);
}

/* Prints the program in CPLEX LP format. The columns have the order t0 y0 t1 y1 … */
static void print_program(const struct exact *exact, const struct traffic_load *load,
                          uint64_t price, FILE *file)
{
    fprintf(file, "Minimize\n ");
    for (size_t k = 0; k < exact->count; k++)
        fprintf(file, " + t%zu + %" PRIu64 " y%zu", k, price, k);
    fprintf(file, "\nSubject To\n");
    for (uint32_t from = 0; from < NODES; from++)
        for (uint32_t there = 0; there < NODES; there++)
            if (exact->entry[from][there] > 0) {
                print_sum(exact, file, 't', from, there, exact->entry[from][there]);
                print_sum(exact, file, 'y', from, there, 1);
            }
    for (size_t k = 0; k < exact->count; k++)
        fprintf(file, " t%zu - %" PRIu32 " y%zu <= 0\n", k, exact->most[k], k);
    print_sum(exact, file, 't', DECOMPOSE_IDLE, 0, load->degree);
    print_sum(exact, file, 'y', DECOMPOSE_IDLE, 0, load->entries);
    fprintf(file, "General\n");
    for (size_t k = 0; k < exact->count; k++)
        fprintf(file, " t%zu\n", k);
    fprintf(file, "Binary\n");
    for (size_t k = 0; k < exact->count; k++)
        fprintf(file, " y%zu\n", k);
    fprintf(file, "End\n");
}

/* -- Its solution ------------------------------------------------------------------------------ */

/* Reads GLPK's lines "s mip ROWS COLUMNS o OBJECTIVE", which marks an optimum, and "j COLUMN
 * VALUE". Skips other lines. */
static bool read_solution(const struct exact *exact, FILE *file,
                          struct decomposition *decomposition, struct err *err)
{
    char line[200], state = '?';
    double value;
    size_t column;
    bool added = true;
    rewind(file);
    while (added && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "s mip %*u %*u %c", &state);
        if (sscanf(line, "j %zu %lf", &column, &value) != 2 || column % 2 == 0 ||
            column / 2 >= exact->count || value < 0.5)
            continue;
        added =
            decomposition_add(decomposition, exact->to[column / 2], (uint64_t)(value + 0.5), err);
    }
    return added && (state == 'o' ||
                     err_set(err, ERR_TOOL,
                             "glpsol: no proof within " SECONDS " s; expected the least makespan"));
}

static bool solve(const struct exact *exact, const struct traffic_load *load, uint64_t price,
                  struct decomposition *decomposition, struct err *err)
{
    char *arguments[] = {
        (char[]){"glpsol"},      (char[]){"--lp"},    (char[]){"/dev/stdin"}, (char[]){"-w"},
        (char[]){"/dev/stdout"}, (char[]){"--tmlim"}, (char[]){SECONDS},      NULL};
    int status = 0;
    FILE *program = filter_input(err), *answer = program != NULL ? filter_input(err) : NULL;
    bool solved = answer != NULL;
    if (solved) {
        print_program(exact, load, price, program);
        solved = filter_rewind(program, err) &&
                 tool_run(arguments, fileno(program), fileno(answer),
                          "GLPK (the package glpk-utils)", &status, err) &&
                 read_solution(exact, answer, decomposition, err);
    }
    if (answer != NULL)
        fclose(answer);
    if (program != NULL)
        fclose(program);
    return solved;
}

/* Returns whether the settings serve all packets: a check of the solver, which is a separate
 * program. */
static bool serves(const struct decomposition *made, const struct traffic *traffic)
{
    bool served = true;
    for (size_t k = 0; k < traffic->count; k++) {
        const struct traffic_entry *entry = &traffic->entry[k];
        uint64_t rounds = 0;
        for (size_t s = 0; s < made->count; s++)
            if (made->to[s * made->nodes + entry->source] == entry->destination)
                rounds += made->duration[s];
        served = served && rounds >= entry->packets;
    }
    return served;
}

static bool exact(const struct traffic *traffic, uint64_t price, uint64_t seed,
                  struct decomposition *decomposition, struct err *err)
{
    (void)seed;
    struct exact all = {0};
    struct traffic_load load;
    uint32_t to[NODES];
    if (!fits(traffic))
        return err_set(err, ERR_RANGE,
                       "{method}: exact with %" PRIu32 " node%s, %" PRIu64
                       " packet%s; expected at most %d and %d",
                       traffic->nodes, text_s(traffic->nodes), traffic->packets,
                       text_s(traffic->packets), NODES, PACKETS);
    for (size_t k = 0; k < traffic->count; k++)
        all.entry[traffic->entry[k].source][traffic->entry[k].destination] =
            traffic->entry[k].packets;
    list_settings(&all, 0, to, 0);
    return traffic_load(traffic, &load, err) && solve(&all, &load, price, decomposition, err) &&
           (serves(decomposition, traffic) ||
            err_set(err, ERR_TOOL,
                    "glpsol: settings that leave out a packet; expected all of them"));
}

const struct decompose_method decompose_exact = {
    "exact", "the least there is, for up to 5 nodes, by integer programming", "GLPK", fits, exact,
    "glpsol"};
