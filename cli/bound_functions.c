/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bound_functions.h"

#include "cli/report.h"
#include "sched/algorithms/cube/cube_draw.h"
#include "sched/algorithms/cube/cube_translates.h"
#include "sched/algorithms/guarantee.h"
#include "sched/base/bits.h"
#include "sched/base/compare.h"
#include "sched/bound/bound_cube.h"
#include "sched/numbers/fibonacci.h"
#include "sched/numbers/postal.h"

#include <inttypes.h>
#include <math.h>

/* Sizes of this and more are printed as this: λ's tables end here, and JSON numbers are below
 * 2^63. */
#define LARGE (UINT64_C(1) << 62)

#define UNLIKELY 0.01 /* the probability of a row of its own */

#define TREES "Bruck, Cypher, Ho,"
#define POSTAL "Bar-Noy, Kipnis,"

/* F_…(t), and the least that `source` guarantees for it. */
static void add_size(struct bound_functions *functions, const char *subscript, const char *t,
                     uint64_t size, double least, const char *source)
{
    unsigned row = functions->count++;
    functions->row[row].large = size >= LARGE;
    functions->row[row].source = source;
    snprintf(functions->row[row].name, sizeof functions->row[row].name, "F_%s(%s)", subscript, t);
    snprintf(functions->row[row].value, sizeof functions->row[row].value, "%s%" PRIu64,
             size >= LARGE ? "≥ " : "", MIN(size, LARGE));
    snprintf(functions->row[row].guarantee, sizeof functions->row[row].guarantee, "≥ %" PRIu64,
             least < (double)LARGE ? (uint64_t)ceil(least * (1 - 1e-9)) : LARGE);
}

/* f_…(n) in units of `ticks` ticks, and the most that is guaranteed for it; the guarantee's source
 * may be NULL. */
static void add_index(struct bound_functions *functions, const char *subscript, uint32_t n,
                      uint64_t index, uint32_t ticks, const struct guarantee *most)
{
    unsigned row = functions->count++;
    char text[RATIONAL_TEXT];
    functions->row[row].large = false;
    functions->row[row].source = most->source;
    snprintf(functions->row[row].name, sizeof functions->row[row].name, "f_%s(%" PRIu32 ")",
             subscript, n);
    rational_text(index, ticks, functions->row[row].value);
    snprintf(functions->row[row].guarantee, sizeof functions->row[row].guarantee, "≤ %.20s",
             rational_text(most->end, ticks, text));
}

/* F_d and f_d of the generalised Fibonacci trees. */
static bool add_trees(const struct collective *asked, struct rational t,
                      struct bound_functions *functions, struct err *err)
{
    char subscript[RATIONAL_TEXT], text[RATIONAL_TEXT];
    struct guarantee most = {0};
    rational_text(asked->degree, 1, subscript);
    if (t.denominator > 1)
        return err_set(err, ERR_RANGE,
                       "{time}: %" PRIu32 "/%" PRIu32 "; expected a whole number for F_%s",
                       t.numerator, t.denominator, subscript);
    bool covered = asked->degree > 1 && t.numerator >= asked->degree + UINT64_C(2);
    if (t.denominator != 0)
        add_size(functions, subscript, rational_text(t.numerator, 1, text),
                 fibonacci_size(asked->degree, t.numerator),
                 fibonacci_size_least(asked->degree, t.numerator),
                 covered ? TREES " Theorem 3.7" : NULL);
    if (asked->degree > 1 && asked->n > 0)
        guarantee_set_real(&most, fibonacci_index_most(asked->degree, asked->n), 1, NULL,
                           TREES " Theorem 3.9");
    if (asked->n > 0)
        add_index(functions, subscript, asked->n, fibonacci_index(asked->degree, asked->n), 1,
                  &most);
    return true;
}

/* F_λ and f_λ of the postal model. */
static bool add_postal(const struct collective *asked, struct rational t,
                       struct bound_functions *functions, struct err *err)
{
    const struct rational lambda = asked->lambda;
    char subscript[RATIONAL_TEXT], text[RATIONAL_TEXT];
    struct postal postal;
    struct guarantee most = {0};
    if (!postal_init(&postal, lambda.numerator, lambda.denominator, LARGE, err))
        return false;
    rational_text(lambda.numerator, lambda.denominator, subscript);
    /* F_λ is constant between ticks. */
    if (t.denominator != 0)
        add_size(functions, subscript, rational_text(t.numerator, t.denominator, text),
                 postal_size(&postal, (uint64_t)t.numerator * lambda.denominator / t.denominator),
                 postal_size_least(lambda, t), POSTAL " Theorem 7 (1)");
    if (asked->n > 0) {
        guarantee_set_real(&most, postal_index_most(lambda, asked->n), lambda.denominator, NULL,
                           POSTAL " Theorem 7 (2)");
        add_index(functions, subscript, asked->n, postal_index(&postal, asked->n),
                  lambda.denominator, &most);
    }
    postal_free(&postal);
    return true;
}

static void add_tail(struct bound_functions *functions, const struct topology *cube,
                     uint32_t packets, uint32_t most)
{
    unsigned row = functions->count++;
    functions->row[row].large = false;
    snprintf(functions->row[row].name, sizeof functions->row[row].name, "P(N ≥ %" PRIu32 ")", most);
    functions->row[row].source = "Stamoulis, Tsitsiklis, inequality (1)";
    snprintf(functions->row[row].value, sizeof functions->row[row].value, "≤ %.2g",
             cube_draw_tail(cube->dimensions, packets, most));
}

/* The packets of the largest of the random trees of cube-broadcast, beside the paper's bound of so
 * unlucky a draw, and the least N that this bound calls unlikely. */
static void add_largest_tree(const struct collective *asked, struct bound_functions *functions)
{
    const struct topology *cube = asked->topology;
    uint32_t most = cube_draw_most(cube->dimensions, asked->m, asked->seed);
    uint32_t unlikely = cube_draw_unlikely(cube->dimensions, asked->m, UNLIKELY);
    unsigned row = functions->count++;
    functions->row[row].large = false;
    snprintf(functions->row[row].name, sizeof functions->row[row].name, "N");
    snprintf(functions->row[row].value, sizeof functions->row[row].value, "%" PRIu32, most);
    add_tail(functions, cube, asked->m, most);
    if (unlikely > most)
        add_tail(functions, cube, asked->m, unlikely);
}

/* Returns whether packets are broadcast in a hypercube. */
static bool is_simultaneous(const struct collective *asked)
{
    return asked->topology != NULL && asked->topology->dimensions > 0 && asked->demands == NULL &&
           asked->m > 0;
}

/* The fewest slots for the worst sources, if nodes know only their own packets. */
static void add_worst(const struct collective *asked, struct bound_functions *functions)
{
    unsigned row = functions->count++, d = asked->topology->dimensions;
    uint64_t reserved = cube_translates_slots(d);
    uint64_t ranked = 2 * bits_divide_up(asked->m, d) + 3 * d - 2;
    functions->row[row].large = false;
    functions->row[row].source = reserved <= ranked
                                     ? "ours: cube-reserved"
                                     : "ours: cube-broadcast --method exchange-gather";
    snprintf(functions->row[row].name, sizeof functions->row[row].name, "W_%u(%" PRIu32 ")", d,
             asked->m);
    snprintf(functions->row[row].value, sizeof functions->row[row].value, "≥ %" PRIu64,
             bound_cube_worst(d, asked->m));
    snprintf(functions->row[row].guarantee, sizeof functions->row[row].guarantee, "≤ %" PRIu64,
             MIN(reserved, ranked));
}

bool bound_functions_find(const struct collective *asked, struct rational t,
                          struct bound_functions *functions, struct err *err)
{
    bool trees = asked->degree != 0, postal = asked->lambda.denominator != 0;
    *functions = (struct bound_functions){0};
    if (t.denominator != 0 && !trees && !postal)
        return err_set(err, ERR_OPTION, "{time} requires {degree} or {lambda}");
    if (is_simultaneous(asked) && asked->m <= asked->n)
        add_worst(asked, functions);
    if (is_simultaneous(asked) && asked->sources != NULL)
        add_largest_tree(asked, functions);
    return (!trees || add_trees(asked, t, functions, err)) &&
           (!postal || add_postal(asked, t, functions, err));
}

bool bound_functions_print(const struct bound_functions *functions, struct err *err)
{
    struct report_table table = {.columns = 4};
    static const char *const heading[] = {"function", "value", "guarantee", "source"};
    for (unsigned column = 0; column < table.columns; column++)
        report_cell(&table, "%s", heading[column]);
    for (unsigned row = 0; row < functions->count; row++) {
        const char *source = functions->row[row].source;
        report_cell(&table, "%s", functions->row[row].name);
        report_cell(&table, "%s", functions->row[row].value);
        report_cell(&table, "%s", source != NULL ? functions->row[row].guarantee : " ");
        report_cell(&table, "%s", source != NULL ? source : " ");
    }
    return report_table_print(stdout, &table, err);
}

void bound_functions_json(const struct bound_functions *functions, json_t **values,
                          json_t **guarantees)
{
    for (unsigned row = 0; row < functions->count; row++) {
        bool guaranteed =
            functions->row[row].source != NULL && functions->row[row].guarantee[0] != '\0';
        report_json_set(values, functions->row[row].name,
                        functions->row[row].large ? json_null()
                                                  : json_string(functions->row[row].value));
        if (guaranteed)
            report_json_set(guarantees, functions->row[row].name,
                            json_string(functions->row[row].guarantee));
    }
}
