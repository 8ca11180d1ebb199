/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of csim: the semantics of a cycle.
 *
 * Each rule is shown on the smallest design that exhibits it: two registers that exchange their
 * values (a commit that copies one by one would lose one), at element counts on both sides of the
 * padding (1, 2, 15, 16, 17, 33); a register that is written in some cycles only; a combinational
 * chain declared in every order of its three processes; a view, which runs only when it is read,
 * and again after each edge and poke; reset in mid-run; rewinding to any of three cycles, twice; a
 * counter that leaps wherever it can, and never where it cannot; the errors that csim_audit finds,
 * in registers and views. test_elaborate.c covers hierarchy and mistakes in designs. */
#include "csim/kernel/csim.h"
#include "tests/support/cmocka_all.h"

#include <string.h>

static struct csim *elaborated(struct csim *sim)
{
    struct err err = {0};
    if (!csim_elaborate(sim, &err))
        fail_msg("%s", err.text);
    return sim;
}

/* -- Registers --------------------------------------------------------------------------------- */

struct exchange {
    struct csim_signal a, b;
    struct csim_signal hold;
    uint32_t elements;
};

static void copy_elements(uint32_t *to, const uint32_t *from, uint32_t elements)
{
    memcpy(to, from, elements * sizeof *to);
}

static void exchange_a(void *state)
{
    struct exchange *x = state;
    if (!csim_get(&x->hold))
        copy_elements(csim_write(&x->a), csim_read(&x->b), x->elements);
}

static void exchange_b(void *state)
{
    struct exchange *x = state;
    if (!csim_get(&x->hold))
        copy_elements(csim_write(&x->b), csim_read(&x->a), x->elements);
}

static struct exchange *exchange_new(struct csim *sim, uint32_t elements)
{
    struct csim_module *module = csim_module(csim_root(sim), "exchange");
    struct exchange *x = csim_state(module, sizeof *x);
    assert_non_null(x);
    x->elements = elements;
    csim_signal(module, &x->a, 8, elements, "a");
    csim_signal(module, &x->b, 8, elements, "b");
    csim_signal(module, &x->hold, 1, 1, "hold");
    csim_external(&x->hold);
    csim_initial(&x->a, 1);
    csim_initial(&x->b, 2);
    struct csim_process *a = csim_clocked(module, "drive_a", exchange_a);
    csim_reads(a, &x->b);
    csim_reads(a, &x->hold);
    csim_writes(a, &x->a);
    struct csim_process *b = csim_clocked(module, "drive_b", exchange_b);
    csim_reads(b, &x->a);
    csim_reads(b, &x->hold);
    csim_writes(b, &x->b);
    return x;
}

static void expect_elements(struct csim_net *net, uint32_t value)
{
    for (uint32_t element = 0; element < csim_elements(net); element++)
        assert_int_equal(csim_peek(net)[element], value);
}

static void two_registers_exchange(void **unused)
{
    (void)unused;
    const uint32_t element_counts[] = {1, 2, 15, 16, 17, 33};
    for (size_t c = 0; c < sizeof element_counts / sizeof *element_counts; c++) {
        struct csim *sim = csim_create();
        struct exchange *x = exchange_new(sim, element_counts[c]);
        elaborated(sim);
        for (unsigned cycle = 0; cycle < 5; cycle++) {
            expect_elements(x->a.net, cycle % 2 == 0 ? 1 : 2);
            expect_elements(x->b.net, cycle % 2 == 0 ? 2 : 1);
            assert_int_equal(csim_cycles(sim), cycle);
            csim_cycle(sim);
        }
        csim_destroy(sim);
    }
}

static void an_unwritten_register_holds(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct exchange *x = exchange_new(sim, 17);
    elaborated(sim);
    struct err err;
    uint32_t a = 1;
    for (unsigned cycle = 0; cycle < 16; cycle++) {
        uint32_t hold = (0x6BA3u >> cycle) & 1; /* runs of 1, 2 and 3 cycles of each value */
        csim_poke(x->hold.net)[0] = hold;
        assert_true(csim_audit(sim, &err)); /* audit spoils `next`, so a wrong swap would show */
        a = hold ? a : 3 - a;
        expect_elements(x->a.net, a);
        expect_elements(x->b.net, 3 - a);
    }
    csim_destroy(sim);
}

static void reset_restores_signals(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct exchange *x = exchange_new(sim, 3);
    elaborated(sim);
    csim_cycle(sim);
    csim_poke(x->hold.net)[0] = 1;
    csim_reset(sim);
    expect_elements(x->a.net, 1);
    expect_elements(x->b.net, 2);
    expect_elements(x->hold.net, 0);
    assert_int_equal(csim_cycles(sim), 1);
    csim_destroy(sim);
}

/* -- Combinational processes ------------------------------------------------------------------- */

/* in → +1 → ×2 → -3 → out; each step is a process. */
struct chain {
    struct csim_signal in, plus, times, out;
    unsigned runs;
};

static void chain_plus(void *state)
{
    struct chain *c = state;
    c->runs++;
    csim_put(&c->plus, csim_get(&c->in) + 1);
}

static void chain_times(void *state)
{
    struct chain *c = state;
    csim_put(&c->times, csim_get(&c->plus) * 2);
}

static void chain_minus(void *state)
{
    struct chain *c = state;
    csim_put(&c->out, csim_get(&c->times) - 3);
}

static struct chain *chain_new(struct csim *sim, const unsigned order[3])
{
    struct csim_module *module = csim_module(csim_root(sim), "chain");
    struct chain *c = csim_state(module, sizeof *c);
    assert_non_null(c);
    csim_signal(module, &c->in, 16, 1, "in");
    csim_signal(module, &c->plus, 16, 1, "plus");
    csim_signal(module, &c->times, 16, 1, "times");
    csim_signal(module, &c->out, 16, 1, "out");
    csim_external(&c->in);
    const struct {
        const char *name;
        void (*run)(void *);
        struct csim_signal *from, *to;
    } steps[3] = {{"p_plus", chain_plus, &c->in, &c->plus},
                  {"p_times", chain_times, &c->plus, &c->times},
                  {"p_minus", chain_minus, &c->times, &c->out}};
    for (unsigned s = 0; s < 3; s++) {
        struct csim_process *process =
            csim_combinational(module, steps[order[s]].name, steps[order[s]].run);
        csim_reads(process, steps[order[s]].from);
        csim_writes(process, steps[order[s]].to);
    }
    return c;
}

static void order_of_declaration_is_of_no_importance(void **unused)
{
    (void)unused;
    const unsigned orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (unsigned o = 0; o < 6; o++) {
        struct csim *sim = csim_create();
        struct chain *c = chain_new(sim, orders[o]);
        elaborated(sim);
        for (uint32_t in = 5; in < 8; in++) {
            csim_poke(c->in.net)[0] = in;
            csim_settle(sim);
            assert_int_equal(*csim_peek(c->out.net), (in + 1) * 2 - 3);
        }
        csim_destroy(sim);
    }
}

static void settling_twice_runs_once(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct chain *c = chain_new(sim, (const unsigned[]){0, 1, 2});
    elaborated(sim);
    csim_settle(sim);
    csim_settle(sim);
    csim_cycle(sim); /* nothing was poked: still settled */
    assert_int_equal(c->runs, 1);
    csim_settle(sim); /* an edge has passed */
    assert_int_equal(c->runs, 2);
    csim_poke(c->in.net)[0] = 9;
    csim_settle(sim);
    assert_int_equal(c->runs, 3);
    csim_destroy(sim);
}

/* -- Views ------------------------------------------------------------------------------------- */

struct viewed {
    struct csim_signal in, count, sum; /* sum is a view: the sum of the other two */
    unsigned runs;
};

static void viewed_tick(void *state)
{
    struct viewed *v = state;
    csim_put(&v->count, csim_get(&v->count) + 1);
}

static void viewed_show(void *state)
{
    struct viewed *v = state;
    v->runs++;
    csim_put(&v->sum, csim_get(&v->count) + csim_get(&v->in));
}

static struct viewed *viewed_new(struct csim *sim)
{
    struct csim_module *module = csim_module(csim_root(sim), "viewed");
    struct viewed *v = csim_state(module, sizeof *v);
    assert_non_null(v);
    csim_signal(module, &v->in, 8, 1, "in");
    csim_external(&v->in);
    csim_signal(module, &v->sum, 4, 1, "sum");
    csim_writes(csim_view(module, "show", viewed_show), &v->sum);
    csim_signal(module, &v->count, 8, 1, "count");
    csim_writes(csim_clocked(module, "tick", viewed_tick), &v->count);
    return v;
}

static void a_view_runs_for_who_looks(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct viewed *v = viewed_new(sim);
    elaborated(sim);
    for (unsigned cycle = 0; cycle < 3; cycle++)
        csim_cycle(sim);
    csim_settle(sim);
    assert_int_equal(*csim_peek(v->count.net), 3); /* a register: no view is needed */
    assert_int_equal(v->runs, 0);
    assert_int_equal(*csim_peek(v->sum.net), 3);
    assert_int_equal(*csim_peek(v->sum.net), 3);
    assert_int_equal(v->runs, 1);
    csim_poke(v->in.net)[0] = 4;
    assert_int_equal(*csim_peek(v->sum.net), 7);
    csim_cycle(sim);
    assert_int_equal(*csim_peek(v->sum.net), 8);
    assert_int_equal(v->runs, 3);
    csim_reset(sim);
    assert_int_equal(*csim_peek(v->sum.net), 0);
    csim_destroy(sim);
}

static void audit_looks_at_views(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct viewed *v = viewed_new(sim);
    elaborated(sim);
    struct err err;
    csim_poke(v->in.net)[0] = 13;
    assert_true(csim_audit(sim, &err)); /* 14 */
    assert_true(csim_audit(sim, &err));
    assert_false(csim_audit(sim, &err));
    assert_non_null(
        strstr(err.text, "viewed.sum: element 0 is 0x10 after cycle 3; expected 4 bits"));
    csim_destroy(sim);
}

/* -- Rewinding --------------------------------------------------------------------------------- */

/* Runs the cycles, then checks that registers, the view, private state and time have the values
 * that they would have without the rewound cycles. */
static void run_and_look(struct csim *sim, const struct exchange *x, struct viewed *v,
                         unsigned cycles, unsigned total)
{
    for (unsigned cycle = 0; cycle < cycles; cycle++)
        csim_cycle(sim);
    expect_elements(x->a.net, total % 2 == 0 ? 1 : 2);
    expect_elements(x->b.net, total % 2 == 0 ? 2 : 1);
    unsigned runs = v->runs;
    expect_elements(v->sum.net, total);
    assert_int_equal(v->runs, runs + 1);
    assert_int_equal(csim_cycles(sim), total);
}

static void rewinding_undoes_all(void **unused)
{
    (void)unused;
    const uint32_t element_counts[] = {1, 2, 15, 16, 17, 33};
    for (size_t c = 0; c < sizeof element_counts / sizeof *element_counts; c++)
        for (unsigned marked = 0; marked < 3; marked++)
            for (unsigned undone = 0; undone < 4; undone++) {
                struct csim *sim = csim_create();
                struct exchange *x = exchange_new(sim, element_counts[c]);
                struct viewed *v = viewed_new(sim);
                run_and_look(elaborated(sim), x, v, marked, marked);
                unsigned runs = v->runs;
                assert_false(csim_mark(sim, 4 * element_counts[c])); /* a alone needs this */
                assert_true(csim_mark(sim, 1 << 20));
                for (unsigned again = 0; again < 2; again++) {
                    run_and_look(sim, x, v, undone + 1, marked + undone + 1);
                    csim_poke(x->hold.net)[0] = 1;
                    csim_poke(v->in.net)[0] = 5;
                    csim_cycle(sim);
                    csim_rewind(sim);
                    assert_int_equal(v->runs, runs);
                    expect_elements(x->hold.net, 0);
                    run_and_look(sim, x, v, 1, marked + 1);
                    csim_rewind(sim);
                }
                csim_destroy(sim);
            }
}

/* -- Audit ------------------------------------------------------------------------------------- */

struct careless {
    struct csim_signal count;
    unsigned elements; /* how many of the 20 elements it writes */
    uint32_t value;
};

static void careless_tick(void *state)
{
    struct careless *c = state;
    uint32_t *out = csim_write(&c->count);
    for (unsigned element = 0; element < c->elements; element++)
        out[element] = c->value;
}

static void audit_finds_what_a_cycle_trusts(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct csim_module *module = csim_module(csim_root(sim), "careless");
    struct careless *c = csim_state(module, sizeof *c);
    assert_non_null(c);
    csim_signal(module, &c->count, 4, 20, "count");
    csim_writes(csim_clocked(module, "tick", careless_tick), &c->count);
    elaborated(sim);
    struct err err;
    c->elements = 20;
    c->value = 15;
    assert_true(csim_audit(sim, &err));
    c->elements = 19;
    assert_false(csim_audit(sim, &err));
    assert_int_equal(err.code, ERR_WIDTH);
    assert_non_null(
        strstr(err.text, "careless.count: element 19 is 0xDEADBEEF after cycle 2, not written"));
    c->elements = 20;
    c->value = 16;
    assert_false(csim_audit(sim, &err));
    assert_non_null(
        strstr(err.text, "careless.count: element 0 is 0x10 after cycle 3; expected 4 bits"));
    csim_destroy(sim);
}

/* -- Leaps ------------------------------------------------------------------------------------- */

/* Counts to 9 and holds. From 3 to 6 it can leap by exactly 3 cycles. */
struct counter {
    struct csim_signal count, twice;
};

static void counter_edge(void *state)
{
    struct counter *c = state;
    if (csim_get(&c->count) < 9)
        csim_put(&c->count, csim_get(&c->count) + 1);
}

static void counter_twice(void *state)
{
    struct counter *c = state;
    csim_put(&c->twice, 2 * csim_get(&c->count));
}

static uint64_t counter_leap(void *state, uint64_t most)
{
    struct counter *c = state;
    assert_int_equal(csim_get(&c->twice), 2 * csim_get(&c->count)); /* settled */
    if (csim_get(&c->count) < 3 || most < 3 || csim_get(&c->count) + 3 > 9)
        return 0;
    csim_put(&c->count, csim_get(&c->count) + 3);
    return 3;
}

static struct counter *counter_new(struct csim *sim, bool leaps)
{
    struct csim_module *module = csim_module(csim_root(sim), "counter");
    struct counter *c = csim_state(module, sizeof *c);
    assert_non_null(c);
    csim_signal(module, &c->count, 4, 1, "count");
    csim_signal(module, &c->twice, 5, 1, "twice");
    csim_writes(csim_clocked(module, "edge", counter_edge), &c->count);
    struct csim_process *twice = csim_combinational(module, "double", counter_twice);
    csim_reads(twice, &c->count);
    csim_writes(twice, &c->twice);
    if (leaps)
        csim_on_leap(module, counter_leap);
    return c;
}

/* In whatever order leaps and cycles follow each other, the count equals the number of cycles. */
static void a_leap_is_as_many_cycles(void **unused)
{
    (void)unused;
    unsigned leaps = 0;
    for (uint32_t tries = 0; tries < 1 << 8; tries++) {
        struct csim *sim = csim_create();
        struct counter *c = counter_new(sim, true);
        elaborated(sim);
        for (unsigned step = 0; step < 8; step++) {
            const uint64_t most = tries >> step & 1 ? 3 : 2, before = csim_cycles(sim);
            const uint64_t leapt = csim_leap(sim, most);
            assert_int_equal(leapt, before >= 3 && before <= 6 && most == 3 ? 3 : 0);
            if (leapt == 0)
                csim_cycle(sim);
            assert_int_equal(csim_cycles(sim), before + (leapt == 0 ? 1 : leapt));
            csim_settle(sim);
            expect_elements(c->count.net, csim_cycles(sim) < 9 ? (uint32_t)csim_cycles(sim) : 9);
            expect_elements(c->twice.net, 2 * csim_peek(c->count.net)[0]);
            leaps += leapt != 0;
        }
        csim_destroy(sim);
    }
    assert_true(leaps > 100);
}

static void one_module_leaps_or_none(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    counter_new(sim, false);
    elaborated(sim);
    for (unsigned cycle = 0; cycle < 5; cycle++)
        csim_cycle(sim);
    assert_int_equal(csim_leap(sim, 3), 0);
    assert_int_equal(csim_cycles(sim), 5);
    csim_destroy(sim);

    struct err err = {0};
    sim = csim_create();
    counter_new(sim, true);
    csim_on_leap(csim_module(csim_root(sim), "other"), counter_leap);
    csim_on_leap(NULL, counter_leap);
    assert_false(csim_elaborate(sim, &err));
    assert_int_equal(err.code, ERR_MISUSE);
    assert_string_equal(err.text, "other: leaps beside counter; expected one module that leaps");
    csim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_registers_exchange),
        cmocka_unit_test(an_unwritten_register_holds),
        cmocka_unit_test(reset_restores_signals),
        cmocka_unit_test(rewinding_undoes_all),
        cmocka_unit_test(order_of_declaration_is_of_no_importance),
        cmocka_unit_test(settling_twice_runs_once),
        cmocka_unit_test(a_view_runs_for_who_looks),
        cmocka_unit_test(audit_looks_at_views),
        cmocka_unit_test(a_leap_is_as_many_cycles),
        cmocka_unit_test(one_module_leaps_or_none),
        cmocka_unit_test(audit_finds_what_a_cycle_trusts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
