/* SPDX-License-Identifier: Apache-2.0 */
/* Elaboration of csim: hierarchy, names, and every mistake that it must reject.
 *
 * One design of two registered stages in a module, bound to signals of the root, is legal and moves
 * data. Each case makes one mistake in it and expects the exact code, the full name at the start of
 * the text and further parts of the text; the legal twin differs only by that mistake. Loops are
 * rings of combinational inverters, which are legal as soon as any of them is a register. */
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

/* Expects that elaboration fails with this code and a text that begins with `name` and contains
 * `also`. Destroys the simulator. */
static void refused(struct csim *sim, enum err_code code, const char *name, const char *also)
{
    struct err err = {0};
    assert_false(csim_elaborate(sim, &err));
    if (err.code != code || strncmp(err.text, name, strlen(name)) != 0 ||
        strstr(err.text, also) == NULL)
        fail_msg("E%d %s; expected E%d %s … %s", (int)err.code, err.text, (int)code, name, also);
    assert_int_equal(err_exit_status(code), code == ERR_TOO_BIG ? 2 : 3);
    csim_destroy(sim);
}

static void accepted(struct csim *sim)
{
    csim_destroy(elaborated(sim));
}

/* -- Hierarchy: two stages in a pair in the root ----------------------------------------------- */

struct stage {
    struct csim_in in;
    struct csim_out out;
    uint32_t elements;
    uint32_t edges; /* private state; starts at 100 */
};

static void stage_tick(void *state)
{
    struct stage *s = state;
    const uint32_t *in = csim_read(&s->in);
    uint32_t *out = csim_write(&s->out);
    s->edges++;
    for (uint32_t element = 0; element < s->elements; element++)
        out[element] = (in[element] + 1) & 0xFF;
}

static void stage_reset(void *state)
{
    ((struct stage *)state)->edges = 100;
}

/* The difference from the legal design. */
enum mistake {
    NONE,
    NO_BINDING,
    NO_OUTER_BINDING,
    OTHER_WIDTH,
    OTHER_ELEMENTS,
    SAME_MODULE,
    SAME_SIGNAL,
    SAME_PROCESS,
    BOTH_WRITE,
    TESTBENCH_WRITES,
    NOT_EXTERNAL,
    SKIP_A_LEVEL,
    OUTPUT_TO_INPUT,
    BIND_TWICE,
    BIND_A_SIGNAL,
    WRITE_AN_INPUT,
    TOUCH_ANOTHER,
    READ_A_VIEW,
    VIEW_WRITES,
    EXTERNAL_PORT,
    TWO_STATES,
    BAD_NAME,
    EMPTY_NAME,
    NO_ELEMENTS,
    WIDTH_33,
    WIDE_INITIAL,
};

struct pair {
    struct csim_signal feed, result; /* in the root */
    struct csim_in in;
    struct csim_out out;
    struct csim_signal link, shown;
    struct stage *first, *second;
};

static struct stage *stage_new(struct csim_module *parent, const char *name, unsigned width,
                               uint32_t elements, enum mistake mistake)
{
    struct csim_module *module = csim_module(parent, "%s", name);
    struct stage *s = csim_state(module, sizeof *s);
    assert_non_null(s);
    s->elements = elements;
    csim_on_reset(module, stage_reset);
    csim_input(module, &s->in, width, elements, "in");
    csim_output(module, &s->out, width, elements, "%s", mistake == SAME_SIGNAL ? "in" : "out");
    struct csim_process *tick = csim_clocked(module, "tick", stage_tick);
    csim_reads(tick, &s->in);
    csim_writes(tick, &s->out);
    csim_writes(tick, &s->out); /* declared twice, it is still one driver */
    if (mistake == SAME_PROCESS)
        csim_clocked(module, "tick", stage_tick);
    if (mistake == WRITE_AN_INPUT)
        csim_process_writes(tick, s->in.net);
    if (mistake == TWO_STATES)
        assert_null(csim_state(module, 8));
    if (mistake == EXTERNAL_PORT)
        csim_external(&s->in);
    return s;
}

static void bind_second(struct pair *p, enum mistake mistake)
{
    if (mistake == SKIP_A_LEVEL)
        csim_bind(&p->second->in, &p->feed);
    else if (mistake != NO_BINDING)
        csim_bind(&p->second->in, &p->link);
    if (mistake == BIND_TWICE)
        csim_bind(&p->second->in, &p->in);
    if (mistake == BOTH_WRITE)
        csim_bind(&p->second->out, &p->link);
    else if (mistake == OUTPUT_TO_INPUT)
        csim_bind(&p->second->out, &p->in);
    else
        csim_bind(&p->second->out, &p->out);
}

static void bind_outside(struct pair *p, enum mistake mistake)
{
    if (mistake != NO_OUTER_BINDING)
        csim_bind(&p->in, &p->feed);
    csim_bind(&p->out, &p->result);
    if (mistake != NOT_EXTERNAL)
        csim_external(&p->feed);
    if (mistake == TESTBENCH_WRITES)
        csim_external(&p->result);
    if (mistake == BIND_A_SIGNAL)
        csim_bind(&p->link, &p->feed);
    if (mistake == WIDE_INITIAL)
        csim_initial(&p->link, 256);
}

static struct pair *pair_new(struct csim *sim, uint32_t elements, enum mistake mistake)
{
    struct csim_module *root = csim_root(sim);
    struct csim_module *module = csim_module(root, "%s", mistake == BAD_NAME ? "pa-ir" : "pair");
    struct pair *p = csim_state(module, sizeof *p);
    assert_non_null(p);
    csim_signal(root, &p->feed, 8, elements, "feed");
    csim_signal(root, &p->result, 8, elements, "result");
    csim_input(module, &p->in, mistake == WIDTH_33 ? 33 : 8, mistake == NO_ELEMENTS ? 0 : elements,
               "in");
    csim_output(module, &p->out, 8, elements, "out");
    csim_signal(module, &p->link, 8, elements, "%s", mistake == EMPTY_NAME ? "" : "link");
    p->first = stage_new(module, "first", 8, elements, mistake);
    p->second = stage_new(module, mistake == SAME_MODULE ? "first" : "second",
                          mistake == OTHER_WIDTH ? 9 : 8,
                          mistake == OTHER_ELEMENTS ? elements + 1 : elements, mistake);
    csim_bind(&p->first->in, &p->in);
    csim_bind(&p->first->out, &p->link);
    bind_second(p, mistake);
    bind_outside(p, mistake);
    if (mistake == VIEW_WRITES)
        csim_writes(csim_view(module, "show", stage_tick), &p->link);
    if (mistake == READ_A_VIEW) {
        csim_signal(module, &p->shown, 8, 1, "shown");
        csim_writes(csim_view(module, "show", stage_tick), &p->shown);
        csim_reads(csim_clocked(module, "spy", stage_tick), &p->shown);
    }
    if (mistake == TOUCH_ANOTHER)
        csim_reads(csim_clocked(module, "spy", stage_tick), &p->first->in);
    return p;
}

static void data_crosses_the_hierarchy(void **unused)
{
    (void)unused;
    for (uint32_t elements = 1; elements < 36; elements += 17) {
        struct csim *sim = csim_create();
        struct pair *p = pair_new(sim, elements, NONE);
        elaborated(sim);
        assert_int_equal(p->first->edges, 100);
        for (uint32_t element = 0; element < elements; element++)
            csim_poke(csim_find(sim, "pair.first.in"))[element] = element * 3;
        csim_cycle(sim);
        csim_cycle(sim);
        for (uint32_t element = 0; element < elements; element++) {
            assert_int_equal(csim_peek(csim_find(sim, "pair.link"))[element], element * 3 + 1);
            assert_int_equal(csim_read(&p->result)[element], element * 3 + 2);
        }
        assert_int_equal(p->second->edges, 102);
        csim_reset(sim);
        assert_int_equal(p->second->edges, 100);
        csim_destroy(sim);
    }
}

static void vectors_are_aligned_and_padded(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct pair *p = pair_new(sim, 17, NONE);
    elaborated(sim);
    for (unsigned cycle = 0; cycle < 2; cycle++) { /* both buffers of a register */
        uint32_t *next = csim_write(&p->second->out);
        assert_int_equal((uintptr_t)next % 64, 0);
        for (uint32_t element = 0; element < 32; element++) /* ASan checks these writes */
            next[element] = element;
        csim_cycle(sim);
    }
    csim_destroy(sim);
}

static void nets_are_found_by_name(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct pair *p = pair_new(sim, 4, NONE);
    elaborated(sim);
    assert_int_equal(csim_net_count(sim), 9);
    for (size_t n = 0; n < csim_net_count(sim); n++)
        assert_ptr_equal(csim_find(sim, csim_path(csim_net_at(sim, n))), csim_net_at(sim, n));
    struct csim_net *in = csim_find(sim, "pair.second.in");
    assert_ptr_equal(in, p->second->in.net);
    assert_int_equal(csim_kind(in), CSIM_INPUT);
    assert_int_equal(csim_width(in), 8);
    assert_int_equal(csim_elements(in), 4);
    assert_null(csim_poke(in)); /* a register, which the testbench cannot write */
    assert_null(csim_find(sim, "pair.third"));
    assert_null(csim_find(sim, "pair.first")); /* a module */
    assert_null(csim_find(sim, ""));
    csim_destroy(sim);
}

/* -- What elaboration rejects ------------------------------------------------------------------ */

static void every_mistake_is_named(void **unused)
{
    (void)unused;
    const struct {
        enum mistake mistake;
        enum err_code code;
        const char *name, *also;
    } cases[] = {
        {NO_BINDING, ERR_UNBOUND, "pair.second.in: ", "of pair"},
        {NO_OUTER_BINDING, ERR_UNBOUND, "pair.in: ", "the root"},
        {OTHER_WIDTH, ERR_WIDTH,
         "pair.second.in: ", "9 bits bound to pair.link of 4 elements of 8 bits"},
        {OTHER_ELEMENTS, ERR_WIDTH,
         "pair.second.in: ", "5 elements of 8 bits bound to pair.link of 4 elements"},
        {SAME_MODULE, ERR_NAME, "pair.first: ", "declared twice"},
        {SAME_SIGNAL, ERR_NAME, "pair.first.in: ", "declared twice"},
        {SAME_PROCESS, ERR_NAME, "pair.first.tick: ", "declared twice"},
        {BOTH_WRITE, ERR_TWO_DRIVERS, "pair.link: ", "pair.first.tick and by pair.second.tick"},
        {VIEW_WRITES, ERR_TWO_DRIVERS, "pair.link: ", "pair.first.tick and by pair.show"},
        {TESTBENCH_WRITES, ERR_TWO_DRIVERS, "result: ", "the testbench and by pair.second.tick"},
        {NOT_EXTERNAL, ERR_UNDRIVEN, "feed: ", "external"},
        {SKIP_A_LEVEL, ERR_MISUSE, "pair.second.in: ", "bound to feed"},
        {OUTPUT_TO_INPUT, ERR_MISUSE, "pair.second.out: ", "the input pair.in"},
        {BIND_TWICE, ERR_MISUSE, "pair.second.in: ", "to pair.link and to pair.in"},
        {BIND_A_SIGNAL, ERR_MISUSE, "pair.link: ", "expected a port"},
        {WRITE_AN_INPUT, ERR_MISUSE, "pair.first.tick: ", "the input pair.first.in"},
        {TOUCH_ANOTHER, ERR_MISUSE, "pair.spy: ", "touches pair.first.in"},
        {READ_A_VIEW, ERR_MISUSE, "pair.spy: ", "pair.shown, which the view pair.show shows"},
        {EXTERNAL_PORT, ERR_MISUSE, "pair.first.in: ", "expected a signal"},
        {TWO_STATES, ERR_MISUSE, "pair.first: ", "a second state"},
        {BAD_NAME, ERR_NAME, "pa-ir: ", "identifier"},
        {EMPTY_NAME, ERR_NAME, "pair.: ", "identifier"},
        {NO_ELEMENTS, ERR_WIDTH, "pair.in: ", "0 elements"},
        {WIDTH_33, ERR_WIDTH, "pair.in: ", "33 bits"},
        {WIDE_INITIAL, ERR_WIDTH, "pair.link: ", "initial value 256"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct csim *sim = csim_create();
        pair_new(sim, 4, cases[c].mistake);
        refused(sim, cases[c].code, cases[c].name, cases[c].also);
    }
    struct csim *sim = csim_create();
    pair_new(sim, 4, NONE); /* the legal twin of all the cases */
    accepted(sim);
}

static void what_is_missing_may_be_added(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct pair *p = pair_new(sim, 4, NO_BINDING);
    struct err err;
    assert_false(csim_elaborate(sim, &err));
    assert_int_equal(err.code, ERR_UNBOUND);
    csim_bind(&p->second->in, &p->link);
    accepted(sim);
}

static void nothing_is_declared_after_elaboration(void **unused)
{
    (void)unused;
    struct csim *sim = csim_create();
    struct pair *p = pair_new(sim, 4, NONE);
    elaborated(sim);
    struct err err;
    assert_false(csim_elaborate(sim, &err));
    assert_int_equal(err.code, ERR_MISUSE);
    assert_non_null(strstr(err.text, "twice"));
    struct csim_signal late;
    csim_signal(csim_root(sim), &late, 1, 1, "late");
    assert_null(late.net);
    csim_bind(&p->first->in, &p->link);
    refused(sim, ERR_MISUSE, "csim: ", "after elaboration");
}

/* Each call is made in a simulator of its own, because only the first mistake is kept. */
static void no_call_builds_after_elaboration(void **unused)
{
    (void)unused;
    for (unsigned call = 0; call < 7; call++) {
        struct csim *sim = csim_create();
        struct pair *p = pair_new(sim, 4, NONE);
        struct csim_process *process = csim_clocked(csim_root(sim), "late", stage_tick);
        elaborated(sim);
        if (call == 0)
            csim_on_reset(csim_root(sim), stage_reset);
        else if (call == 1)
            csim_external(&p->link);
        else if (call == 2)
            csim_initial(&p->link, 1);
        else if (call == 3)
            csim_reads(process, &p->link);
        else if (call == 4)
            csim_writes(process, &p->link);
        else if (call == 5)
            assert_null(csim_pool(csim_root(sim)));
        else
            csim_on_leap(csim_root(sim), NULL);
        refused(sim, ERR_MISUSE, "", "after elaboration");
    }
}

static void shapes_and_names_have_limits(void **unused)
{
    (void)unused;
    static const struct {
        unsigned width;
        uint32_t elements;
        const char *name;
        enum err_code code;
    } cases[] = {
        {1, 1, "_s0", ERR_NONE}, {32, 1, "s", ERR_NONE}, {0, 1, "s", ERR_WIDTH},
        {33, 1, "s", ERR_WIDTH}, {1, 0, "s", ERR_WIDTH}, {1, CSIM_MAX_ELEMENTS + 1, "s", ERR_WIDTH},
        {1, 1, "0s", ERR_NAME},  {1, 1, "", ERR_NAME},   {1, 1, "a-b", ERR_NAME},
        {1, 1, "a_b", ERR_NONE},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csim *sim = csim_create();
        struct csim_signal signal;
        csim_signal(csim_root(sim), &signal, cases[k].width, cases[k].elements, "%s",
                    cases[k].name);
        if (cases[k].code != ERR_NONE) {
            assert_true(signal.net == NULL || cases[k].code == ERR_NAME);
            refused(sim, cases[k].code, "", "expected");
            continue;
        }
        csim_external(&signal);
        accepted(sim);
    }
    struct csim *sim = csim_create();
    struct csim_in in;
    csim_input(csim_root(sim), &in, 1, 1, "in");
    refused(sim, ERR_UNBOUND, "in: ", "a signal or port of the root");
}

static void build_calls_accept_what_failed_ones_return(void **unused)
{
    (void)unused;
    struct csim_in in;
    struct csim_out out;
    assert_null(csim_root(NULL));
    assert_null(csim_module(NULL, "m"));
    assert_null(csim_state(NULL, 8));
    assert_null(csim_alloc(NULL, 8));
    assert_null(csim_clocked(NULL, "p", stage_tick));
    csim_input(NULL, &in, 1, 1, "in");
    csim_output(NULL, &out, 1, 1, "out");
    csim_bind(&in, &out);
    csim_reads(NULL, &in);
    csim_writes(NULL, &out);
    csim_initial(&out, 1);
    csim_destroy(NULL);
    struct err err;
    assert_false(csim_elaborate(NULL, &err));
    assert_int_equal(err.code, ERR_TOO_BIG);
}

/* -- Loops ------------------------------------------------------------------------------------- */

struct node {
    struct csim_in in;
    struct csim_out out;
};

static void node_run(void *state)
{
    struct node *n = state;
    csim_put(&n->out, csim_get(&n->in) ^ 1);
}

/* Returns a ring n0 → n1 → … → n0 with a register at one node, or none if `registered` is count. */
static struct csim *ring_of(unsigned count, unsigned registered)
{
    struct csim *sim = csim_create();
    struct csim_module *ring = csim_module(csim_root(sim), "ring");
    struct csim_signal *wires = csim_alloc(ring, count * sizeof *wires);
    assert_non_null(wires);
    for (unsigned n = 0; n < count; n++)
        csim_signal(ring, &wires[n], 1, 1, "w%u", n);
    for (unsigned n = 0; n < count; n++) {
        struct csim_module *module = csim_module(ring, "n%u", n);
        struct node *node = csim_state(module, sizeof *node);
        assert_non_null(node);
        csim_input(module, &node->in, 1, 1, "in");
        csim_output(module, &node->out, 1, 1, "out");
        struct csim_process *run = n == registered ? csim_clocked(module, "run", node_run)
                                                   : csim_combinational(module, "run", node_run);
        csim_reads(run, &node->in);
        csim_writes(run, &node->out);
        csim_bind(&node->in, &wires[(n + count - 1) % count]);
        csim_bind(&node->out, &wires[n]);
    }
    return sim;
}

static void a_loop_is_named_whole(void **unused)
{
    (void)unused;
    refused(
        ring_of(3, 3), ERR_LOOP, "ring.n0.run: ",
        "loop of 3: ring.n0.run -> ring.w0 -> ring.n1.run -> ring.w1 -> ring.n2.run -> ring.w2 -> "
        "ring.n0.run;");
    refused(ring_of(1, 1), ERR_LOOP,
            "ring.n0.run: ", "loop of 1: ring.n0.run -> ring.w0 -> ring.n0.run;");
    refused(ring_of(256, 256), ERR_LOOP, "ring.n0.run: ", "loop of 256: "); /* the text is cut */
    for (unsigned registered = 0; registered < 3; registered++)
        accepted(ring_of(3, registered));
    accepted(ring_of(1, 0));
}

/* A ring of 8 inverters with one register, 7 of them combinational: the register sees its own value
 * after an even number of inversions in all, so it holds; with 7 it toggles. */
static void a_long_chain_settles_in_one_pass(void **unused)
{
    (void)unused;
    for (unsigned count = 7; count <= 8; count++) {
        struct csim *sim = elaborated(ring_of(count, 4));
        struct csim_net *net = csim_find(sim, "ring.w4");
        for (unsigned cycle = 0; cycle < 6; cycle++) {
            assert_int_equal(*csim_peek(net), count == 7 ? cycle % 2 : 0);
            csim_cycle(sim);
        }
        csim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_crosses_the_hierarchy),
        cmocka_unit_test(vectors_are_aligned_and_padded),
        cmocka_unit_test(nets_are_found_by_name),
        cmocka_unit_test(every_mistake_is_named),
        cmocka_unit_test(what_is_missing_may_be_added),
        cmocka_unit_test(nothing_is_declared_after_elaboration),
        cmocka_unit_test(no_call_builds_after_elaboration),
        cmocka_unit_test(shapes_and_names_have_limits),
        cmocka_unit_test(build_calls_accept_what_failed_ones_return),
        cmocka_unit_test(a_loop_is_named_whole),
        cmocka_unit_test(a_long_chain_settles_in_one_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
