/* SPDX-License-Identifier: Apache-2.0 */
/* test_plural: numbers and their nouns.
 *
 * Texts written by hand, for each kind of conversion and each place of a number. Counter-cases:
 * what must stay as it is: other numbers than 1, what is no count, what only begins with a noun,
 * and what arguments say; errors, whose texts are made so.
 */
#include "sched/base/err.h"
#include "sched/base/plural.h"
#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <string.h>

#define SAME(expected, ...)                                       \
    do {                                                          \
        char text[200];                                           \
        int length = plural_text(text, sizeof text, __VA_ARGS__); \
        assert_string_equal(text, expected);                      \
        assert_int_equal(length, strlen(expected));               \
    } while (0)

static void ones(void **state)
{
    (void)state;
    SAME("1 packet", "%u packets", 1u);
    SAME("2 packets of 1 flit in 3 rows", "%d packets of %" PRIu64 " flits in %zu rows", 2,
         UINT64_C(1), (size_t)3);
    SAME("1 leaf, 1 entry (1 pass)\n1 byte",
         "%zu leaves, %ld entries (%u passes)\n%" PRIu32 " bytes", (size_t)1, 1L, 1u, UINT32_C(1));
    SAME("  1 cycle; 100% of 2.50 s:  1 bit", "%3u cycles; 100%% of %.*f s: %s %hu bits", 1u, 2,
         2.5, "", (unsigned short)1);
}

static void others(void **state)
{
    (void)state;
    SAME("0 packets, 11 packets", "%u packets, %u packets", 0u, 11u);
    SAME("2^1 ports, packets=1 rows", "2^%u ports, packets=%u rows", 1u, 1u);
    SAME("node 1 sends 2 packets", "node %u sends %u packets", 1u, 2u);
    SAME("1 packetship, 1 Packets, 1, packets", "%u packetship, %u Packets, %u, packets", 1u, 1u,
         1u);
    SAME("1 packets.sched: 1 row", "%s: %u rows", "1 packets.sched", 1u);
    SAME("1/2 flits", "%u/%u flits", 1u, 2u);
    SAME("4294967297 flits", "%" PRIu64 " flits", UINT64_C(4294967297));
    char small[6];
    assert_int_equal(plural_text(small, sizeof small, "%u packets", 1u), 8);
    assert_string_equal(small, "1 pac");
}

static void words_alone(void **state)
{
    (void)state;
    assert_string_equal(plural_of(1, "shifts"), "shift");
    assert_string_equal(plural_of(2, "shifts"), "shifts");
    assert_string_equal(plural_of(1, "affine"), "affine");
}

static void errors(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, ERR_RANGE, "%u nodes; expected at least %d packets", 1u, 1);
    assert_string_equal(err.text, "1 node; expected at least 1 packet");
    err_no_memory(&err, "%u words", 1u);
    assert_non_null(strstr(err.text, "no memory for 1 word;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ones), cmocka_unit_test(others),
                                       cmocka_unit_test(words_alone), cmocka_unit_test(errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
