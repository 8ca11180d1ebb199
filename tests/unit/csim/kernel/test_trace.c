/* SPDX-License-Identifier: Apache-2.0 */
/* Traces: files are read back and compared with the values of the design.
 *
 * The design has one signal of each kind: a scalar register, a vector register of 20 elements (more
 * than one block of comparison) of which one element changes per cycle, a combinational signal, an
 * external signal, and a module whose port is an alias. This file parses VCD itself and reads FST
 * through GTKWave's reader; both fill the same list of changes, and the same expectations apply to
 * both: names and hierarchy, each value at each time, the clock, only changes, selection by
 * pattern, the window. Errors: each with its code, and no file left, also when any allocation
 * fails. Allocations of GTKWave's writer are exempt, because it checks none of them.
 *
 * tags: no-memory
 */
#include "csim/kernel/trace.h"
#include "sched/base/text.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/no_memory.h"
#include "tests/support/support.h"

#include <fstapi.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- The design -------------------------------------------------------------------------------- */

#define ELEMENTS 20

struct counter {
    struct csim_in step;
    struct csim_out count;
    struct csim_signal elements; /* element c mod 20 becomes c+1 in cycle c */
    struct csim_signal odd;
    struct csim_signal step_wire, count_wire; /* in the root */
};

static void counter_tick(void *state)
{
    struct counter *c = state;
    uint32_t count = csim_get(&c->count);
    csim_put(&c->count, (count + csim_get(&c->step)) & 0xFFF);
    const uint32_t *now = csim_read(&c->elements);
    uint32_t *next = csim_write(&c->elements);
    for (uint32_t element = 0; element < ELEMENTS; element++)
        next[element] = element == count % ELEMENTS ? count + 1 : now[element];
}

static void counter_parity(void *state)
{
    struct counter *c = state;
    csim_put(&c->odd, csim_get(&c->count) & 1);
}

static struct csim *design(void)
{
    struct csim *sim = csim_create();
    struct csim_module *root = csim_root(sim);
    struct csim_module *module = csim_module(root, "counter");
    struct counter *c = csim_state(module, sizeof *c);
    assert_non_null(c);
    csim_signal(root, &c->step_wire, 4, 1, "step");
    csim_signal(root, &c->count_wire, 12, 1, "count");
    csim_external(&c->step_wire);
    csim_initial(&c->step_wire, 1);
    csim_input(module, &c->step, 4, 1, "step");
    csim_output(module, &c->count, 12, 1, "count");
    csim_signal(module, &c->elements, 32, ELEMENTS, "elements");
    csim_signal(module, &c->odd, 1, 1, "odd");
    csim_bind(&c->step, &c->step_wire);
    csim_bind(&c->count, &c->count_wire);
    struct csim_process *tick = csim_clocked(module, "tick", counter_tick);
    csim_reads(tick, &c->step);
    csim_writes(tick, &c->count);
    csim_writes(tick, &c->elements);
    struct csim_process *parity = csim_combinational(module, "parity", counter_parity);
    csim_reads(parity, &c->count);
    csim_writes(parity, &c->odd);
    struct err err = {0};
    if (!csim_elaborate(sim, &err))
        fail_msg("%s", err.text);
    return sim;
}

/* -- Contents of a file ------------------------------------------------------------------------ */

#define MAX_VARIABLES 64
#define MAX_CHANGES 1024

struct waves {
    struct {
        char name[256];
        char code[8]; /* the VCD code, or the FST handle in decimal */
        unsigned width;
    } variables[MAX_VARIABLES];
    unsigned variable_count;
    struct {
        uint64_t time;
        char code[8];
        char bits[64];
    } changes[MAX_CHANGES];
    unsigned change_count;
    unsigned gaps; /* $dumpoff, blackouts */
};

static void add_variable(struct waves *waves, const char *scope, const char *name, const char *code,
                         unsigned width)
{
    assert_true(waves->variable_count < MAX_VARIABLES);
    unsigned v = waves->variable_count++;
    snprintf(waves->variables[v].name, sizeof waves->variables[v].name, "%s.%s", scope, name);
    snprintf(waves->variables[v].code, sizeof waves->variables[v].code, "%s", code);
    waves->variables[v].width = width;
}

static void add_change(struct waves *waves, uint64_t time, const char *code, const char *bits)
{
    assert_true(waves->change_count < MAX_CHANGES);
    unsigned c = waves->change_count++;
    waves->changes[c].time = time;
    snprintf(waves->changes[c].code, sizeof waves->changes[c].code, "%s", code);
    snprintf(waves->changes[c].bits, sizeof waves->changes[c].bits, "%s", bits);
}

/* Appends a name to the scope, such as "TOP.counter". */
static void push_scope(char *scope, size_t size, const char *name)
{
    text_append(scope, size, "%s%s", scope[0] == '\0' ? "" : ".", name);
}

static void pop_scope(char *scope)
{
    char *dot = strrchr(scope, '.');
    *(dot == NULL ? scope : dot) = '\0';
}

static void read_vcd(const char *path, struct waves *waves)
{
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    char line[256], scope[128] = "", name[64], code[8], bits[64];
    unsigned width;
    uint64_t time = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        if (sscanf(line, "$scope module %63s", name) == 1)
            push_scope(scope, sizeof scope, name);
        else if (strncmp(line, "$upscope", 8) == 0)
            pop_scope(scope);
        else if (sscanf(line, "$var wire %u %7s %63s", &width, code, name) == 3)
            add_variable(waves, scope, name, code, width);
        else if (strncmp(line, "$dumpoff", 8) == 0)
            waves->gaps++;
        else if (sscanf(line, "#%" SCNu64, &time) == 1 || line[0] == '$')
            continue;
        else if (sscanf(line, "b%63s %7s", bits, code) == 2)
            add_change(waves, time, code, bits);
        else if (sscanf(line, "%1[01x]%7s", bits, code) == 2)
            add_change(waves, time, code, bits);
        else
            fail_msg("%s: %s", path, line);
    }
    assert_string_equal(scope, "");
    fclose(in);
}

static void fst_change(void *waves, uint64_t time, fstHandle handle, const unsigned char *value)
{
    char code[8];
    snprintf(code, sizeof code, "%u", handle);
    add_change(waves, time, code, (const char *)value);
}

static void read_fst(const char *path, struct waves *waves)
{
    void *reader = fstReaderOpen(path);
    assert_non_null(reader);
    assert_int_equal(fstReaderGetTimescale(reader), -9);
    char scope[128] = "", name[64], code[8];
    const struct fstHier *hier;
    while ((hier = fstReaderIterateHier(reader)) != NULL) {
        if (hier->htyp == FST_HT_SCOPE)
            push_scope(scope, sizeof scope, hier->u.scope.name);
        else if (hier->htyp == FST_HT_UPSCOPE)
            pop_scope(scope);
        else if (hier->htyp == FST_HT_VAR) {
            assert_int_equal(sscanf(hier->u.var.name, "%63s", name), 1);
            snprintf(code, sizeof code, "%u", hier->u.var.handle);
            add_variable(waves, scope, name, code, hier->u.var.length);
        }
    }
    fstReaderSetFacProcessMaskAll(reader);
    assert_true(fstReaderIterBlocks(reader, fst_change, waves, NULL));
    waves->gaps = fstReaderGetNumberDumpActivityChanges(reader) / 2;
    fstReaderClose(reader);
}

static struct waves *read_waves(const char *path)
{
    struct waves *waves = calloc(1, sizeof *waves);
    assert_non_null(waves);
    if (strstr(path, ".vcd") != NULL)
        read_vcd(path, waves);
    else
        read_fst(path, waves);
    return waves;
}

static const char *code_of(const struct waves *waves, const char *name, unsigned width)
{
    for (unsigned v = 0; v < waves->variable_count; v++) {
        if (strcmp(waves->variables[v].name, name) == 0) {
            assert_int_equal(waves->variables[v].width, width);
            return waves->variables[v].code;
        }
    }
    fail_msg("no variable %s", name);
    return NULL;
}

/* Returns the value of a variable at a time, and optionally how often it changed until then. FST
 * repeats all values at the start of each block; a repetition is not counted as a change. */
static uint32_t value_at(const struct waves *waves, const char *name, unsigned width, uint64_t time,
                         unsigned *change_count)
{
    const char *code = code_of(waves, name, width);
    const char *bits = NULL;
    unsigned changes = 0;
    for (unsigned c = 0; c < waves->change_count; c++) {
        if (waves->changes[c].time > time || strcmp(waves->changes[c].code, code) != 0)
            continue;
        changes += bits == NULL || strcmp(bits, waves->changes[c].bits) != 0;
        bits = waves->changes[c].bits;
    }
    if (bits == NULL || bits[0] == 'x')
        fail_msg("%s has no value at %" PRIu64, name, time);
    if (change_count != NULL)
        *change_count = changes;
    return (uint32_t)strtoul(bits, NULL, 2);
}

/* -- Tests ------------------------------------------------------------------------------------- */

static const char *const SUFFIXES[] = {"vcd", "fst"};

static void temporary(char path[64], const char *suffix)
{
    snprintf(path, 64, "/tmp/roundcast-trace-%d.%s", (int)getpid(), suffix);
}

static struct csim_trace *opened(struct csim *sim, const char *path, const char *patterns)
{
    struct err err = {0};
    struct csim_trace *trace = csim_trace_open(sim, path, patterns, &err);
    if (trace == NULL)
        fail_msg("%s", err.text);
    return trace;
}

static struct waves *closed(struct csim *sim, struct csim_trace *trace, const char *path)
{
    struct err err = {0};
    if (!csim_trace_close(trace, &err))
        fail_msg("%s", err.text);
    csim_destroy(sim);
    struct waves *waves = read_waves(path);
    unlink(path);
    return waves;
}

static void values_at_times(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < 2; s++) {
        char path[64];
        temporary(path, SUFFIXES[s]);
        struct csim *sim = design();
        struct csim_trace *trace = opened(sim, path, NULL);
        for (unsigned cycle = 0; cycle < 30; cycle++) {
            csim_poke(csim_find(sim, "step"))[0] = cycle < 25 ? 1 : 3;
            csim_cycle(sim);
        }
        struct waves *waves = closed(sim, trace, path);
        for (uint32_t c = 0; c < 30; c++) {
            uint32_t count = c < 25 ? c + 1 : 25 + 3 * (c - 24);
            /* after the edge, both halves */
            for (uint64_t ns = 10 * c; ns < 10 * c + 10; ns += 5) {
                assert_int_equal(value_at(waves, "TOP.clk", 1, ns, NULL), ns % 10 == 0);
                assert_int_equal(value_at(waves, "TOP.count", 12, ns, NULL), count);
                assert_int_equal(value_at(waves, "TOP.counter.count", 12, ns, NULL), count);
                assert_int_equal(value_at(waves, "TOP.counter.odd", 1, ns, NULL), count & 1);
                assert_int_equal(value_at(waves, "TOP.counter.step", 4, ns, NULL), c < 25 ? 1 : 3);
            }
            assert_int_equal(value_at(waves, "TOP.counter.elements.lane7", 32, 10 * c, NULL),
                             c < 7 ? 0 : 8);
        }
        free(waves);
    }
}

static void only_changes_are_written(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < 2; s++) {
        char path[64];
        temporary(path, SUFFIXES[s]);
        struct csim *sim = design();
        struct csim_trace *trace = opened(sim, path, "*");
        for (unsigned cycle = 0; cycle < 40; cycle++)
            csim_cycle(sim);
        struct waves *waves = closed(sim, trace, path);
        unsigned changes;
        for (uint32_t element = 0; element < ELEMENTS; element++) {
            char name[64];
            snprintf(name, sizeof name, "TOP.counter.elements.lane%u", element);
            /* The value is 0 at first (in element 0: 1 at once), then element+1, then
             * element+21. */
            assert_int_equal(value_at(waves, name, 32, 400, &changes), element + 21);
            assert_int_equal(changes, element == 0 ? 2 : 3);
        }
        assert_int_equal(value_at(waves, "TOP.step", 4, 400, &changes), 1);
        assert_int_equal(changes, 1);
        assert_int_equal(waves->variable_count, 1 + 2 + 2 + ELEMENTS + 1);
        assert_int_equal(waves->gaps, 0);
        /* An alias shares its signal's code, so it is written once. */
        assert_string_equal(code_of(waves, "TOP.count", 12),
                            code_of(waves, "TOP.counter.count", 12));
        if (s == 0) /* all of clk, odd and count, 3 per element but element 0, one step */
            assert_int_equal(waves->change_count, 80 + 40 + 40 + 3 * ELEMENTS - 1 + 1);
        free(waves);
    }
}

static void patterns_select(void **unused)
{
    (void)unused;
    const struct {
        const char *patterns;
        unsigned variables; /* including clk */
    } cases[] = {
        {"count", 2}, {"*count", 3},    {"counter.*", 4 + ELEMENTS},    {"counter.odd,step", 3},
        {"*odd", 2},  {"*odd,,odd", 2}, {"counter.element?", 1 + ELEMENTS}};
    for (unsigned s = 0; s < 2; s++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            char path[64];
            temporary(path, SUFFIXES[s]);
            struct csim *sim = design();
            struct csim_trace *trace = opened(sim, path, cases[c].patterns);
            csim_cycle(sim);
            struct waves *waves = closed(sim, trace, path);
            assert_int_equal(waves->variable_count, cases[c].variables);
            free(waves);
        }
    }
}

/* Cycles 0-2 and 8-9 are in the window; a last gap is open when the file is closed. */
static void the_window_opens_and_closes(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < 2; s++) {
        char path[64];
        temporary(path, SUFFIXES[s]);
        struct csim *sim = design();
        struct csim_trace *trace = opened(sim, path, NULL);
        for (unsigned cycle = 0; cycle < 12; cycle++) {
            csim_trace_enable(trace, cycle < 3 || cycle == 8 || cycle == 9);
            csim_cycle(sim);
        }
        struct waves *waves = closed(sim, trace, path);
        assert_int_equal(value_at(waves, "TOP.count", 12, 20, NULL), 3);
        assert_int_equal(value_at(waves, "TOP.count", 12, 80, NULL), 9);
        /* unchanged, but written again */
        assert_int_equal(value_at(waves, "TOP.step", 4, 80, NULL), 1);
        assert_int_equal(value_at(waves, "TOP.count", 12, 95, NULL), 10);
        assert_int_equal(waves->gaps, s == 0 ? 2 : 1); /* FST: pairs of off and on */
        for (unsigned c = 0; c < waves->change_count; c++)
            assert_true(waves->changes[c].time < 30 || waves->changes[c].time >= 80 ||
                        waves->changes[c].bits[0] == 'x');
        free(waves);
    }
}

static void a_window_may_begin_late(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < 2; s++) {
        char path[64];
        temporary(path, SUFFIXES[s]);
        struct csim *sim = design();
        struct csim_trace *trace = opened(sim, path, NULL);
        csim_trace_enable(trace, false);
        for (unsigned cycle = 0; cycle < 5; cycle++)
            csim_cycle(sim);
        csim_trace_enable(trace, true);
        csim_cycle(sim);
        struct waves *waves = closed(sim, trace, path);
        assert_int_equal(value_at(waves, "TOP.count", 12, 50, NULL), 6);
        for (unsigned c = 0; c < waves->change_count; c++)
            assert_true(waves->changes[c].time >= 50);
        free(waves);
    }
}

/* A window that is disabled right after it is enabled writes nothing; a cycle right after that has
 * the time of the gap's end. */
static void a_window_may_be_empty(void **unused)
{
    (void)unused;
    for (unsigned s = 0; s < 2; s++) {
        char path[64];
        temporary(path, SUFFIXES[s]);
        struct csim *sim = design();
        struct csim_trace *trace = opened(sim, path, NULL);
        csim_cycle(sim);
        for (unsigned again = 0; again < 3; again++) {
            csim_trace_enable(trace, false);
            csim_trace_enable(trace, true);
        }
        csim_cycle(sim);
        struct waves *waves = closed(sim, trace, path);
        assert_int_equal(value_at(waves, "TOP.count", 12, 0, NULL), 1);
        assert_int_equal(value_at(waves, "TOP.count", 12, 10, NULL), 2);
        assert_int_equal(waves->gaps, 1);
        free(waves);
    }
}

/* More variables than the first allocation holds, and codes of more than one letter. */
static void many_variables_are_reported_apart(void **unused)
{
    (void)unused;
    char path[64], line[256], last[8] = "";
    temporary(path, "vcd");
    struct csim *sim = csim_create();
    static struct csim_signal many;
    struct err err = {0};
    csim_signal(csim_root(sim), &many, 1, 1000, "many");
    csim_external(&many);
    assert_true(csim_elaborate(sim, &err));
    struct csim_trace *trace = opened(sim, path, NULL);
    csim_cycle(sim);
    assert_true(csim_trace_close(trace, &err));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    unsigned count = 0;
    while (fgets(line, sizeof line, file) != NULL)
        count += sscanf(line, "$var wire 1 %7s element%*u $end", last) == 1;
    fclose(file);
    assert_int_equal(count, 1 + 1000);
    assert_string_equal(last, "]+"); /* 1000 = 60 + 94 · 10, the lower digit first */
    unlink(path);
    csim_destroy(sim);
}

/* Tracing settles a second time in each cycle; the design must not be affected. */
static void a_trace_changes_nothing(void **unused)
{
    (void)unused;
    char path[64];
    temporary(path, "vcd");
    struct csim *plain = design();
    struct csim *traced = design();
    struct csim_trace *trace = opened(traced, path, NULL);
    for (unsigned cycle = 0; cycle < 50; cycle++) {
        struct csim *both[] = {plain, traced};
        for (unsigned b = 0; b < 2; b++) {
            csim_poke(csim_find(both[b], "step"))[0] = cycle % 7;
            csim_settle(both[b]);
        }
        for (size_t n = 0; n < csim_net_count(plain); n++)
            assert_memory_equal(csim_peek(csim_net_at(plain, n)), csim_peek(csim_net_at(traced, n)),
                                csim_elements(csim_net_at(plain, n)) * sizeof(uint32_t));
        csim_cycle(plain);
        csim_cycle(traced);
    }
    free(closed(traced, trace, path));
    csim_destroy(plain);
}

static void errors_are_coded(void **unused)
{
    (void)unused;
    struct csim *sim = design();
    struct err err;
    const struct {
        const char *path, *patterns;
        enum err_code code;
    } cases[] = {{"/tmp/roundcast-trace.txt", NULL, ERR_OPTION},
                 {"/tmp/roundcast-trace", NULL, ERR_OPTION},
                 {"/tmp/roundcast-trace-no.vcd", "nothing*", ERR_OPTION},
                 {"/tmp/roundcast-trace-no.vcd", "", ERR_OPTION},
                 {"/tmp/roundcast/no/such/folder/x.vcd", NULL, ERR_WRITE},
                 {"/tmp/roundcast/no/such/folder/x.fst", NULL, ERR_WRITE}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_null(csim_trace_open(sim, cases[c].path, cases[c].patterns, &err));
        assert_int_equal(err.code, cases[c].code);
        assert_int_equal(access(cases[c].path, F_OK), -1);
    }
    char path[64];
    temporary(path, "vcd");
    struct csim_trace *trace = opened(sim, path, NULL);
    assert_null(csim_trace_open(sim, path, NULL, &err));
    assert_int_equal(err.code, ERR_MISUSE);
    assert_true(csim_trace_close(trace, &err));
    assert_true(csim_trace_close(opened(sim, path, NULL), &err)); /* and can be again */
    assert_true(csim_trace_close(NULL, &err));
    unlink(path);

    /* /dev/full accepts no bytes, whether little is written or more than is buffered; a link to it
     * provides the suffix. */
    for (unsigned cycles = 1; cycles <= 1000; cycles += 999) {
        assert_int_equal(symlink("/dev/full", path), 0);
        trace = opened(sim, path, NULL);
        for (unsigned cycle = 0; cycle < cycles; cycle++)
            csim_cycle(sim);
        assert_false(csim_trace_close(trace, &err));
        assert_int_equal(err.code, ERR_WRITE);
        unlink(path);
    }
    csim_destroy(sim);

    char name[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    sim = csim_create();
    assert_true(csim_elaborate(sim, &err));
    assert_null(csim_trace_open(sim, path, NULL, &err));
    support_error(&err, ERR_OPTION, path, "no signal is called anything");
    csim_destroy(sim);
    sim = design();
    assert_null(csim_trace_open(sim, path, name, &err));
    support_error(&err, ERR_OPTION, path, "no signal is called xxx");
    csim_destroy(sim);
}

/* Each call that allocates memory fails in turn, until no such call remains. */
static void memory_ends(void **unused)
{
    (void)unused;
    struct csim *sim = design();
    char path[64];
    temporary(path, "vcd");
    uint64_t calls, number = 0;
    do {
        struct err err = {0};
        int64_t left;
        no_memory_begin(++number, false);
        struct csim_trace *trace = csim_trace_open(sim, path, NULL, &err);
        if (trace != NULL)
            csim_cycle(sim);
        bool written = trace != NULL && csim_trace_close(trace, &err);
        calls = no_memory_end(&left);
        assert_int_equal(left, 0);
        assert_int_equal(written, calls < number);
        assert_true(written || err.code == ERR_TOO_BIG || err.code == ERR_WRITE);
        assert_int_equal(access(path, F_OK) == 0, written);
        unlink(path);
    } while (calls >= number);
    assert_true(number > 5);
    csim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_at_times),
        cmocka_unit_test(only_changes_are_written),
        cmocka_unit_test(patterns_select),
        cmocka_unit_test(the_window_opens_and_closes),
        cmocka_unit_test(a_window_may_begin_late),
        cmocka_unit_test(a_trace_changes_nothing),
        cmocka_unit_test(errors_are_coded),
        cmocka_unit_test(memory_ends),
        cmocka_unit_test(a_window_may_be_empty),
        cmocka_unit_test(many_variables_are_reported_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
