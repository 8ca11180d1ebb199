/* SPDX-License-Identifier: Apache-2.0 */
/* test_msccl_reduce: reductions in files for MSCCL, read and written.
 *
 * Round trips: every algorithm that combines on a complete graph is written and read again; the
 * schedule holds, has as many transfers and, under send-receive, at most as many rounds; written
 * and read a second time it is equal.
 *
 * Independent executor: support/msccl_sums.h executes programs with numbers in random orders. The
 * programs are those of the algorithms, and rings and exchanges of all pairs as builders write
 * them; then the same programs with one attribute of one step changed. import accepts a program
 * only if every order ends with the sums of its collective and the same outputs; if it rejects a
 * program because of its outputs, they are wrong in every order, and if it reports a deadlock,
 * every order is stuck. Each verdict must occur a minimum number of times.
 *
 * By hand: each type of step, each collective in place and out of place, and each rejection.
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/verify/verify.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/msccl_hand.h"
#include "tests/support/msccl_sums.h"
#include "tests/support/running.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20261127)

/* -- round trips --------------------------------------------------------------------------------*/

static const char *const algorithms[] = {
    "reduce",    "reduce-scatter",     "circulant-reduce-scatter", "reduce-broadcast",
    "scan",      "exclusive-scan",     "window-all-reduce",        "circulant-all-reduce",
    "path-scan", "path-exclusive-scan"};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

/* A transfer with its round and options. */
struct sent {
    uint64_t round;
    struct transfer transfer;
    unsigned combining;
};

static int by_round(const void *left, const void *right)
{
    const struct sent *a = left, *b = right;
    int order =
        compare_then(COMPARE(a->round, b->round), COMPARE(a->transfer.source, b->transfer.source));
    return compare_then(order, COMPARE(a->transfer.destination, b->transfer.destination));
}

static struct sent *list_sent(const struct schedule *schedule)
{
    struct sent *sent = calloc(schedule->transfer_count + 1, sizeof *sent);
    assert_non_null(sent);
    for (size_t k = 0; k < schedule->transfer_count; k++)
        sent[k] = (struct sent){schedule->step[schedule_step_of(schedule, k)].time,
                                schedule->transfer[k], schedule_combining(schedule, k)};
    qsort(sent, schedule->transfer_count, sizeof *sent, by_round);
    return sent;
}

/* Checks that two schedules have the same demands and the same transfers in each round, in any
 * order; the word `ordered`, which a program does not have, is ignored. */
static void check_equal(const struct schedule *schedule, const struct schedule *again)
{
    struct sent *a = list_sent(schedule), *b = list_sent(again);
    assert_int_equal(schedule->demand_count, again->demand_count);
    assert_int_equal(schedule->transfer_count, again->transfer_count);
    for (size_t k = 0; k < schedule->transfer_count; k++)
        if (by_round(&a[k], &b[k]) != 0 || a[k].transfer.packet != b[k].transfer.packet ||
            a[k].combining != b[k].combining)
            fail_msg("round %u: %u > %u: %u; expected round %u: %u > %u: %u", (unsigned)b[k].round,
                     b[k].transfer.source, b[k].transfer.destination, b[k].transfer.packet,
                     (unsigned)a[k].round, a[k].transfer.source, a[k].transfer.destination,
                     a[k].transfer.packet);
    for (size_t d = 0; d < schedule->demand_count; d++) {
        const struct demand *x = &schedule->demand[d], *y = &again->demand[d];
        assert_int_equal(x->last_packet, y->last_packet);
        assert_int_equal(x->wanted_count, y->wanted_count);
        assert_true(x->wanted_count == 0 || x->wanted[0] == y->wanted[0]);
        assert_int_equal(x->reduction->prefix, y->reduction->prefix);
        assert_int_equal(x->reduction->exclusive, y->reduction->exclusive);
        assert_int_equal(x->reduction->contributor_count, y->reduction->contributor_count);
        for (uint32_t k = 0; k < x->reduction->contributor_count; k++)
            assert_int_equal(x->reduction->contributor[k], y->reduction->contributor[k]);
    }
    free(a);
    free(b);
}

static void check_round_trip(const struct exchange_lab_asked *asked)
{
    struct schedule schedule, again, third;
    exchange_lab_build(asked, &schedule);
    char *text = exchange_lab_write("msccl", &schedule, NULL);
    exchange_lab_import("msccl", text, asked->model, &again);
    assert_int_equal(again.packets, schedule.packets);
    assert_int_equal(again.transfer_count, schedule.transfer_count);
    assert_true(asked->model != MODEL_SEND_RECEIVE || again.end <= schedule.end);
    char *written = exchange_lab_write("msccl", &again, NULL);
    exchange_lab_import("msccl", written, asked->model, &third);
    if (asked->model == MODEL_SEND_RECEIVE)
        check_equal(&again, &third);
    free(text);
    free(written);
    schedule_free(&schedule);
    schedule_free(&again);
    schedule_free(&third);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {3, 4, 5, 8, 13};
    for (unsigned a = 0; a < ALGORITHMS; a++)
        for (unsigned k = 0; k < sizeof nodes / sizeof *nodes; k++)
            for (uint32_t m = 1; m <= 4; m++)
                check_round_trip(&(struct exchange_lab_asked){algorithms[a], nodes[k], m, 0,
                                                              MODEL_SEND_RECEIVE, 0, NULL});
    for (uint32_t m = 1; m <= 8; m *= 2)
        check_round_trip(&(struct exchange_lab_asked){"halving-all-reduce", 8, m, 0,
                                                      MODEL_SEND_RECEIVE, 0, NULL});
    for (uint32_t root = 0; root < 5; root++)
        check_round_trip(
            &(struct exchange_lab_asked){"reduce", 5, 2, root, MODEL_SEND_RECEIVE, 0, NULL});
    check_round_trip(&(struct exchange_lab_asked){"reduce", 8, 3, 0, MODEL_TELEPHONE, 0, NULL});
    check_round_trip(
        &(struct exchange_lab_asked){"reduce-broadcast", 8, 3, 0, MODEL_TELEGRAPH, 0, NULL});
}

/* A schedule that is no collective of all nodes: only some contribute, and a node that does not
 * passes on what it receives. */
static void test_custom(void **state)
{
    (void)state;
    struct schedule schedule, again;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm x\ntopology complete 4\n"
                          "model send-receive\nreduce 1 0 1,2,3\nreduce 2 3 0,2\n"
                          "round 1\n1 2 1\n2 0 2\nround 2\n2 3 1\nround 3\n3 0 1\n0 3 2\nend 3\n",
                          &schedule);
    char *text = exchange_lab_write("msccl", &schedule, NULL);
    assert_non_null(strstr(text, "coll=\"custom\""));
    exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &again);
    check_equal(&schedule, &again);
    free(text);
    schedule_free(&schedule);
    schedule_free(&again);
}

/* -- an independent executor --------------------------------------------------------------------*/

enum verdict { ACCEPTED, WAITS, RACES, OUTPUTS, TWICE, OTHER, VERDICTS };

static const char *const verdicts[VERDICTS] = {"accepted", "waits for ever", "races",
                                               "outputs",  "counted again",  "other"};

/* Checks that a schedule is equal after it was written and read. */
static void check_written(const struct schedule *schedule)
{
    struct schedule again;
    char *text = exchange_lab_write("msccl", schedule, NULL);
    exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &again);
    assert_int_equal(again.transfer_count, schedule->transfer_count);
    assert_true(again.end <= schedule->end);
    schedule_free(&again);
    free(text);
}

static enum verdict import(const char *text, struct err *err)
{
    struct schedule schedule = {0};
    *err = (struct err){0};
    if (exchange_lab_read("msccl", text, MODEL_SEND_RECEIVE, &schedule, err)) {
        struct verify_report report;
        support_true(verify_schedule("file", &schedule, &report, err), err);
        check_written(&schedule);
        schedule_free(&schedule);
        return ACCEPTED;
    }
    if (err->code == ERR_ORDER && strstr(err->text, "waits for ever") != NULL)
        return WAITS;
    if (err->code == ERR_ORDER && strstr(err->text, "race") != NULL)
        return RACES;
    if (err->code == ERR_UNMET || err->code == ERR_UNCOUNTED)
        return OUTPUTS;
    return err->code == ERR_TWICE ? TWICE : OTHER;
}

/* Compares the verdict of import with executions in random orders. A changed program for custom may
 * have other outputs, because that collective does not define them. */
static void compare(const char *text, bool is_changed, uint64_t seed, unsigned counts[VERDICTS])
{
    bool defined = !is_changed || strstr(text, "coll=\"custom\"") == NULL;
    struct err err;
    enum verdict verdict = import(text, &err);
    struct msccl_sums first = {0};
    for (unsigned order = 0; order < 6; order++) {
        struct msccl_sums sums = msccl_sums(text, seed + order);
        first = order == 0 ? sums : first;
        bool ends = !sums.malformed && !sums.stuck;
        if (verdict == ACCEPTED &&
            (!ends || (defined && sums.wrong) || sums.outputs != first.outputs))
            fail_msg("accepted, but an order %s\n%s",
                     !ends        ? "does not end"
                     : sums.wrong ? "leaves wrong outputs"
                                  : "leaves other outputs",
                     text);
        if (verdict == WAITS && !sums.stuck && !sums.malformed)
            fail_msg("'%s', but an order ends\n%s", err.text, text);
        if (verdict == OUTPUTS && ends && !sums.wrong)
            fail_msg("'%s', but the outputs are right\n%s", err.text, text);
    }
    counts[verdict]++;
}

/* Returns a program: of a random algorithm, a ring, or all pairs. */
static char *draw(struct rng *rng)
{
    uint32_t n = 3 + rng_below(rng, 4), which = rng_below(rng, ALGORITHMS + 4);
    if (which >= ALGORITHMS)
        return which % 2 == 0 ? msccl_sums_ring((int)n, 1 + (int)rng_below(rng, 2))
                              : msccl_sums_pairs((int)n, 1 + (int)rng_below(rng, 2));
    struct schedule schedule;
    const char *algorithm = algorithms[which];
    bool exclusive = strstr(algorithm, "exclusive") != NULL; /* of which outputs lack the own */
    exchange_lab_build(&(struct exchange_lab_asked){exclusive ? "scan" : algorithm, n,
                                                    1 + rng_below(rng, 3), 0, MODEL_SEND_RECEIVE, 0,
                                                    NULL},
                       &schedule);
    char *text = exchange_lab_write("msccl", &schedule, NULL);
    schedule_free(&schedule);
    return text;
}

/* Returns the text with one attribute of one step changed; NULL if the step lacks it. */
static char *mutate(const char *text, struct rng *rng)
{
    static const char *const names[] = {"srcoff", "dstoff", "cnt",    "depid", "deps",
                                        "hasdep", "srcbuf", "dstbuf", "type"};
    static const char *const types[] = {"s", "r", "rcs", "rrc", "rrs", "rrcs", "re", "cpy", "nop"};
    static const char *const buffers[] = {"i", "o", "s"};
    unsigned steps = 0, attribute = rng_below(rng, 9);
    for (const char *at = text; (at = strstr(at, "<step ")) != NULL; at++)
        steps++;
    const char *step = text;
    for (unsigned skip = rng_below(rng, steps) + 1; skip > 0; skip--)
        step = strstr(step + 1, "<step ");
    char key[16], value[16];
    snprintf(key, sizeof key, " %s=\"", names[attribute]);
    const char *at = strstr(step, key) + strlen(key), *end = strchr(at, '"');
    if (attribute < 5)
        snprintf(value, sizeof value, "%d",
                 atoi(at) + (rng_below(rng, 2) == 0 ? 1 : -1) * (1 + (int)rng_below(rng, 2)));
    else if (attribute == 5)
        snprintf(value, sizeof value, "%d", *at == '0');
    else
        snprintf(value, sizeof value, "%s",
                 attribute < 8 ? buffers[rng_below(rng, 3)] : types[rng_below(rng, 9)]);
    return exchange_lab_format("%.*s%s%s", (int)(at - text), text, value, end);
}

static void test_random_orders(void **state)
{
    (void)state;
    unsigned counts[VERDICTS] = {0}, changed[VERDICTS] = {0};
    unsigned programs = running_exhaustive() ? 3000 : 50, changes = 40;
    struct rng rng = {SEED};
    print_message("seed %" PRIu64 "\n", SEED);
    for (unsigned which = 0; which < programs; which++) {
        char *text = draw(&rng);
        compare(text, false, SEED + which, counts);
        for (unsigned k = 0; k < changes; k++) {
            char *other = mutate(text, &rng);
            running("program %u, change %u", which, k);
            compare(other, true, SEED + which, changed);
            free(other);
        }
        free(text);
    }
    assert_int_equal(counts[ACCEPTED], programs);
    for (unsigned verdict = 0; verdict < VERDICTS; verdict++) {
        print_message("%u %s\n", changed[verdict], verdicts[verdict]);
        assert_true(changed[verdict] >= programs * changes / 400);
    }
}

/* -- by hand ------------------------------------------------------------------------------------*/

/* GPUs 1 and 2 send chunk 0 to GPU 0, which combines it: with `first` and then `second`. */
static char *star(const char *collective, int in_place, int outputs)
{
    struct msccl_hand hand = msccl_hand_begin(collective, in_place, 3);
    msccl_hand_gpu(&hand, 0, 1, outputs, 1);
    msccl_hand_block(&hand, 0, -1, 1);
    msccl_hand_wait(&hand, 0, "rrc", 'i', 0, outputs > 0 ? 'o' : 'i', 0, 1, -1, -1, true);
    msccl_hand_block(&hand, 1, -1, 2);
    msccl_hand_wait(&hand, 0, "r", 'i', 0, 's', 0, 1, -1, -1, false);
    msccl_hand_wait(&hand, 1, "re", 's', 0, outputs > 0 ? 'o' : 'i', 0, 1, 0, 0, false);
    for (int id = 1; id < 3; id++) {
        msccl_hand_gpu(&hand, id, 1, 0, 0);
        msccl_hand_block(&hand, 0, 0, -1);
        msccl_hand_step(&hand, 0, "s", 'i', 0, 'i', 0, 1);
    }
    return msccl_hand_end(&hand);
}

static void test_star(void **state)
{
    (void)state;
    static const struct {
        const char *collective;
        int in_place, outputs;
    } cases[] = {{"reduce", 0, 1}, {"reduce", 1, 0}, {"reduce", 1, 1}, {"custom", 0, 1}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct schedule schedule;
        char *text = star(cases[which].collective, cases[which].in_place, cases[which].outputs);
        running("case %u", which);
        exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &schedule);
        assert_int_equal(schedule.end, 2);
        assert_int_equal(schedule.transfer_count, 2);
        assert_int_equal(schedule.demand_count, 1);
        assert_non_null(schedule.demand[0].reduction);
        assert_int_equal(schedule.demand[0].reduction->contributor_count, 0);
        assert_int_equal(schedule.demand[0].wanted_count, 1);
        assert_int_equal(schedule.demand[0].wanted[0], 0);
        free(text);
        schedule_free(&schedule);
    }
}

static void test_families(void **state)
{
    (void)state;
    for (int n = 2; n <= 6; n++)
        for (int count = 1; count <= 2; count++) {
            struct schedule schedule;
            char *text = msccl_sums_ring(n, count);
            exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &schedule);
            assert_int_equal(schedule.packets, n * count);
            assert_int_equal(schedule.transfer_count, 2 * (n - 1) * n * count);
            assert_int_equal(schedule.end, 2 * (n - 1) * count);
            schedule_free(&schedule);
            free(text);
            text = msccl_sums_pairs(n, count);
            exchange_lab_import("msccl", text, MODEL_SEND_RECEIVE, &schedule);
            assert_int_equal(schedule.transfer_count, 2 * (n - 1) * n * count);
            schedule_free(&schedule);
            free(text);
        }
}

/* The star with a change, and its rejection. */
static void test_refused(void **state)
{
    (void)state;
    static const struct {
        struct exchange_lab_edit edit[3];
        enum err_code code;
        const char *part;
    } cases[] = {
        {{{0, 0, "type=\"re\"", "type=\"cpy\""}},
         310,
         "chunk 0 of its output lacks the contribution of GPU 0; expected those of all GPUs"},
        {{{0, 0, "depid=\"0\" deps=\"0\"", "depid=\"-1\" deps=\"-1\""}}, 206, "race"},
        {{{0, 0, "type=\"r\" srcbuf=\"i\"", "type=\"rrc\" srcbuf=\"s\""}},
         206,
         "chunk 0 of the step has nothing yet"},
        {{{0, 0, "type=\"rrc\" srcbuf=\"i\"", "type=\"rrc\" srcbuf=\"s\""}}, 206, "race"},
        {{{0, 0, "type=\"re\" srcbuf=\"s\"", "type=\"re\" srcbuf=\"i\""}},
         311,
         "combines the contribution of GPU 0 to chunk 0 with a result that has it"},
        {{{0, 0, "type=\"rrc\"", "type=\"rrs\""}}, 205, "its block has no such peer"},
        {{{0, 0, "coll=\"reduce\"", "coll=\"allreduce\""}},
         303,
         "coll=\"allreduce\", but the outputs are those of coll=\"reduce\""},
        {{{0, 0, "coll=\"reduce\"", "coll=\"broadcast\""}},
         208,
         "steps combine chunks, and coll=\"broadcast\" only moves them"},
    };
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        char *text = star("reduce", 0, 1);
        char *made = exchange_lab_edit(text, cases[which].edit);
        running("case %u", which);
        exchange_lab_refuses("msccl", made, cases[which].code, cases[which].part);
        free(text);
        free(made);
    }
}

/* Programs that are right, and that no schedule can express: each GPU sends its contribution to two
 * others before it combines, and a combination of chunks with different numbers. */
static void test_inexpressible(void **state)
{
    (void)state;
    struct msccl_hand hand = msccl_hand_begin("allreduce", 1, 3);
    for (int g = 0; g < 3; g++) {
        msccl_hand_gpu(&hand, g, 1, 0, 2);
        for (int k = 0; k < 2; k++) {
            msccl_hand_block(&hand, k, (g + 1 + k) % 3, (g + 1 + k) % 3);
            msccl_hand_wait(&hand, 0, "s", 'i', 0, 's', k, 1, -1, -1, false);
            msccl_hand_wait(&hand, 1, "r", 'i', 0, 's', k, 1, -1, -1, true);
        }
        msccl_hand_block(&hand, 2, -1, -1);
        msccl_hand_wait(&hand, 0, "nop", 'i', 0, 'i', 0, 1, 0, 1, false);
        msccl_hand_wait(&hand, 1, "re", 's', 0, 'i', 0, 1, 1, 1, false);
        msccl_hand_wait(&hand, 2, "re", 's', 1, 'i', 0, 1, -1, -1, false);
    }
    char *text = msccl_hand_end(&hand);
    assert_false(msccl_sums(text, 1).wrong);
    exchange_lab_refuses("msccl", text, ERR_UNSUPPORTED,
                         "which send-receive does not allow in one round; expected each GPU to "
                         "send once before it combines");
    free(text);
    hand = msccl_hand_begin("custom", 0, 2);
    msccl_hand_gpu(&hand, 0, 2, 1, 0);
    msccl_hand_block(&hand, 0, 1, -1);
    msccl_hand_step(&hand, 0, "s", 'i', 1, 'i', 0, 1);
    msccl_hand_gpu(&hand, 1, 2, 1, 0);
    msccl_hand_block(&hand, 0, -1, 0);
    msccl_hand_step(&hand, 0, "rrc", 'i', 0, 'o', 0, 1);
    text = msccl_hand_end(&hand);
    exchange_lab_refuses(
        "msccl", text, ERR_UNSUPPORTED,
        "combines chunk 0 of an input with chunk 1; expected chunks of one number");
    free(text);
}

/* A partial result that another replaces in the round in which it is sent is right in every order
 * of the program. It is not read back: in some orders the GPU has what arrives before it sends. */
static void test_replaced_in_its_round(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm x\ntopology complete 4\n"
                          "model send-receive\nreduce 1 0 *\nround 1\n2 1 1\nround 2\n1 0 1\n"
                          "3 1 1 replace\nround 3\n1 0 1\nend 3\n",
                          &schedule);
    char *text = exchange_lab_write("msccl", &schedule, NULL);
    for (unsigned order = 0; order < 40; order++) {
        struct msccl_sums sums = msccl_sums(text, SEED + order);
        assert_false(sums.malformed || sums.stuck || sums.wrong);
    }
    exchange_lab_refuses("msccl", text, ERR_UNSUPPORTED,
                         "a part of its partial result of chunk 0; expected all of it");
    static const struct exchange_lab_edit edit[] = {{0, 0, "type=\"cpy\"", "type=\"nop\""}, {0}};
    char *other = exchange_lab_edit(text, edit);
    assert_true(msccl_sums(other, SEED).wrong);
    free(other);
    free(text);
    schedule_free(&schedule);
}

/* What the format, or an executor, does not have. */
static void test_not_written(void **state)
{
    (void)state;
    struct schedule schedule;
    exchange_lab_schedule("roundcast-schedule 1\nalgorithm x\ntopology complete 2\n"
                          "model send-receive\nreduce 1 0 *\ndemand 2 0 1\nround 1\n1 0 1\n0 1 2\n"
                          "end 1\n",
                          &schedule);
    exchange_lab_no_write("msccl", &schedule, NULL, ERR_UNSUPPORTED,
                          "combines some packets and only moves others");
    schedule_free(&schedule);
    exchange_lab_build(&(struct exchange_lab_asked){"scan", 4, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
                       &schedule);
    exchange_lab_no_write("msccl", &schedule, &(struct exchange_options){.bytes = 1, .executor = 3},
                          ERR_UNSUPPORTED, "rccl does not know coll=\"custom\"");
    exchange_lab_no_write("ion", &schedule, NULL, ERR_UNSUPPORTED, "packets that are combined");
    schedule_free(&schedule);
    exchange_lab_build(
        &(struct exchange_lab_asked){"reduce-scatter", 4, 1, 0, MODEL_SEND_RECEIVE, 0, NULL},
        &schedule);
    static const char *const names[] = {"reduce_scatter", "reduce_scatter", "reducescatter",
                                        "reducescatter"};
    for (unsigned executor = 0; executor < 4; executor++) {
        char name[40];
        snprintf(name, sizeof name, "coll=\"%s\"", names[executor]);
        char *text = exchange_lab_write(
            "msccl", &schedule, &(struct exchange_options){.bytes = 1, .executor = executor});
        assert_non_null(strstr(text, name));
        free(text);
    }
    schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),   cmocka_unit_test(test_custom),
        cmocka_unit_test(test_random_orders), cmocka_unit_test(test_star),
        cmocka_unit_test(test_families),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_inexpressible), cmocka_unit_test(test_replaced_in_its_round),
        cmocka_unit_test(test_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
