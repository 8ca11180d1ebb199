/* SPDX-License-Identifier: Apache-2.0 */
/* The example of csim/README.md: a crossbar, alone and two in series under one module.
 *
 * Alone: all 5^4 settings of a 4×4 crossbar (each output idle or connected to one of four inputs),
 * each in one cycle, compared with the definition; every cycle is audited. In series: the two
 * crossbars compose as functions, one cycle each, which requires that both read the old value of
 * the link between them. Port counts that are not powers of two: 1 and 17. Reset returns the state
 * to zero. A wrong shape is rejected with an error that names it. */
#include "csim/examples/crossbar.h"
#include "tests/support/cmocka_all.h"

/* A crossbar in the root, driven by the testbench. */
struct testbench {
    struct csim *sim;
    struct csim_signal in, select, out, busy;
    struct crossbar *crossbar;
};

static void testbench_build(struct testbench *b, uint32_t ports, unsigned width, unsigned out_width)
{
    b->sim = csim_create();
    struct csim_module *root = csim_root(b->sim);
    csim_signal(root, &b->in, width, ports, "in");
    csim_signal(root, &b->select, 8, ports, "select");
    csim_signal(root, &b->out, out_width, ports, "out");
    csim_signal(root, &b->busy, 8, 1, "busy");
    csim_external(&b->in);
    csim_external(&b->select);
    b->crossbar = crossbar_new(root, "crossbar", ports, width);
    assert_non_null(b->crossbar);
    csim_bind(&b->crossbar->in, &b->in);
    csim_bind(&b->crossbar->select, &b->select);
    csim_bind(&b->crossbar->out, &b->out);
    csim_bind(&b->crossbar->busy, &b->busy);
}

static void elaborate(struct csim *sim)
{
    struct err err = {0};
    if (!csim_elaborate(sim, &err))
        fail_msg("%s", err.text);
}

static void cycle(struct csim *sim)
{
    struct err err = {0};
    if (!csim_audit(sim, &err))
        fail_msg("%s", err.text);
}

static void every_setting_of_four_ports(void **unused)
{
    (void)unused;
    struct testbench b;
    testbench_build(&b, 4, 16, 16);
    elaborate(b.sim);
    uint64_t moved = 0;
    for (uint32_t setting = 0; setting < 5 * 5 * 5 * 5; setting++) {
        uint32_t busy = 0;
        for (uint32_t port = 0, rest = setting; port < 4; port++, rest /= 5) {
            csim_poke(b.in.net)[port] = setting << 2 | port;
            csim_poke(b.select.net)[port] = rest % 5;
            busy += rest % 5 != 0;
        }
        csim_settle(b.sim);
        assert_int_equal(csim_get(&b.busy), busy);
        cycle(b.sim);
        for (uint32_t port = 0, rest = setting; port < 4; port++, rest /= 5)
            assert_int_equal(csim_read(&b.out)[port],
                             rest % 5 == 0 ? 0 : setting << 2 | (rest % 5 - 1));
        moved += busy;
    }
    assert_int_equal(b.crossbar->moved, moved);
    csim_reset(b.sim);
    assert_int_equal(b.crossbar->moved, 0);
    assert_int_equal(csim_read(&b.out)[3], 0);
    csim_destroy(b.sim);
}

static void broadcast_at_odd_sizes(void **unused)
{
    (void)unused;
    for (uint32_t ports = 1; ports <= 33; ports += 16) {
        struct testbench b;
        testbench_build(&b, ports, 32, 32);
        elaborate(b.sim);
        for (uint32_t port = 0; port < ports; port++) {
            csim_poke(b.in.net)[port] = UINT32_MAX - port;
            csim_poke(b.select.net)[port] = ports; /* all outputs select the last input */
        }
        cycle(b.sim);
        for (uint32_t port = 0; port < ports; port++)
            assert_int_equal(csim_read(&b.out)[port], UINT32_MAX - (ports - 1));
        csim_destroy(b.sim);
    }
}

/* A module of modules: in → first → link → second → out; the testbench drives the settings. */
struct two {
    struct csim_in in, select_first, select_second;
    struct csim_out out;
    struct csim_signal link, busy_first, busy_second;
};

static struct two *two_new(struct csim_module *parent, uint32_t ports)
{
    struct csim_module *module = csim_module(parent, "two");
    struct two *t = csim_state(module, sizeof *t);
    struct crossbar *first = crossbar_new(module, "first", ports, 8);
    struct crossbar *second = crossbar_new(module, "second", ports, 8);
    if (t == NULL || first == NULL || second == NULL)
        return NULL;
    csim_input(module, &t->in, 8, ports, "in");
    csim_input(module, &t->select_first, 8, ports, "select_first");
    csim_input(module, &t->select_second, 8, ports, "select_second");
    csim_output(module, &t->out, 8, ports, "out");
    csim_signal(module, &t->link, 8, ports, "link");
    csim_signal(module, &t->busy_first, 8, 1, "busy_first");
    csim_signal(module, &t->busy_second, 8, 1, "busy_second");
    csim_bind(&first->in, &t->in);
    csim_bind(&first->select, &t->select_first);
    csim_bind(&first->out, &t->link);
    csim_bind(&first->busy, &t->busy_first);
    csim_bind(&second->in, &t->link);
    csim_bind(&second->select, &t->select_second);
    csim_bind(&second->out, &t->out);
    csim_bind(&second->busy, &t->busy_second);
    return t;
}

static void two_in_series_compose(void **unused)
{
    (void)unused;
    const uint32_t ports = 6;
    struct csim *sim = csim_create();
    struct csim_module *root = csim_root(sim);
    struct csim_signal in, one, other, out;
    csim_signal(root, &in, 8, ports, "in");
    csim_signal(root, &one, 8, ports, "one");
    csim_signal(root, &other, 8, ports, "other");
    csim_signal(root, &out, 8, ports, "out");
    csim_external(&in);
    csim_external(&one);
    csim_external(&other);
    struct two *two = two_new(root, ports);
    assert_non_null(two);
    csim_bind(&two->in, &in);
    csim_bind(&two->select_first, &one);
    csim_bind(&two->select_second, &other);
    csim_bind(&two->out, &out);
    elaborate(sim);

    /* Words flow without a gap: a word that enters in cycle c leaves in cycle c+1, rotated by 1,
     * then by 2. */
    for (uint32_t c = 0; c < 10; c++) {
        for (uint32_t port = 0; port < ports; port++) {
            csim_poke(in.net)[port] = c * 16 + port;
            csim_poke(one.net)[port] = (port + 1) % ports + 1;
            csim_poke(other.net)[port] = (port + 2) % ports + 1;
        }
        cycle(sim);
        for (uint32_t port = 0; port < ports; port++) {
            assert_int_equal(csim_peek(csim_find(sim, "two.link"))[port],
                             c * 16 + (port + 1) % ports);
            if (c > 0)
                assert_int_equal(csim_read(&out)[port], (c - 1) * 16 + (port + 3) % ports);
        }
    }
    csim_destroy(sim);
}

static void a_wrong_shape_is_refused_by_name(void **unused)
{
    (void)unused;
    struct testbench b;
    struct err err = {0};
    testbench_build(&b, 4, 16, 17);
    assert_false(csim_elaborate(b.sim, &err));
    assert_int_equal(err.code, ERR_WIDTH);
    assert_memory_equal(err.text, "crossbar.out: ", 14);
    csim_destroy(b.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_setting_of_four_ports),
        cmocka_unit_test(broadcast_at_odd_sizes),
        cmocka_unit_test(two_in_series_compose),
        cmocka_unit_test(a_wrong_shape_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
