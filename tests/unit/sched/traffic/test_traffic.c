/* SPDX-License-Identifier: Apache-2.0 */
/* test_traffic: traffic that is read, generated and divided into rounds.
 *
 * Rounds. Every 3×3 matrix whose rows and columns have at most 4 packets; random matrices (printed
 * seed) of 2 … 40 nodes, sparse, dense, with heavy entries, with one busy node, and with whole
 * shifts added. Expected of each, by the definition: as many rounds as the largest sum of a row or
 * column, and no round with two packets of one sender or of one receiver (`proper`). Counter-case:
 * one packet moved to another round.
 *
 * Files. Texts of both forms with their expected entries; each faulty text with its message.
 * Patterns: sums of rows and columns; equal seeds generate equal traffic.
 */
#include "sched/base/compare.h"
#include "sched/base/rng.h"
#include "sched/base/text.h"
#include "sched/decompose/decompose.h"
#include "sched/traffic/traffic.h"
#include "sched/traffic/traffic_read.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define SEED UINT64_C(20261122)
#define MATRICES "tests/unit/sched/traffic/matrices/"

/* -- Rounds ------------------------------------------------------------------------------------ */

/* Returns the largest sum of a row or column, by the definition. */
static uint64_t largest_sum(const struct traffic *traffic)
{
    uint64_t most = 0;
    for (uint32_t node = 0; node < traffic->nodes; node++) {
        uint64_t sent = 0, received = 0;
        for (size_t k = 0; k < traffic->count; k++) {
            sent += traffic->entry[k].source == node ? traffic->entry[k].packets : 0;
            received += traffic->entry[k].destination == node ? traffic->entry[k].packets : 0;
        }
        most = MAX(most, sent);
        most = MAX(most, received);
    }
    return most;
}

/* Returns whether all rounds are below `rounds` and no round has two packets of a sender or of a
 * receiver. */
static bool proper(const struct traffic *traffic, uint64_t rounds, const uint32_t round_of[])
{
    uint8_t *seen = calloc(2 * traffic->nodes * rounds + 1, 1);
    assert_non_null(seen);
    bool held = true;
    size_t packet = 0;
    for (size_t k = 0; k < traffic->count; k++)
        for (uint32_t p = 0; p < traffic->entry[k].packets; p++, packet++) {
            uint64_t round = round_of[packet];
            if (round >= rounds) {
                held = false;
                continue;
            }
            held = !seen[traffic->entry[k].source * rounds + round]++ && held;
            held =
                !seen[(traffic->nodes + traffic->entry[k].destination) * rounds + round]++ && held;
        }
    assert_int_equal(packet, traffic->packets);
    free(seen);
    return held;
}

/* Checks the rounds of the traffic. Returns the number of packets that were examined. */
static uint64_t check_rounds(struct traffic *traffic)
{
    struct err err = {0};
    struct traffic_load load;
    uint32_t *round_of = NULL;
    support_true(traffic_finish(traffic, &err), &err);
    support_true(traffic_load(traffic, &load, &err), &err);
    assert_int_equal(load.degree, largest_sum(traffic));
    assert_int_equal(load.packets, traffic->packets);
    support_true(traffic_rounds(traffic, load.degree, &round_of, &err), &err);
    assert_true(proper(traffic, load.degree, round_of));
    free(round_of);
    return traffic->packets;
}

static void all_of_three_nodes(void **state)
{
    (void)state;
    struct err err = {0};
    uint64_t packets = 0, matrices = 0;
    for (uint32_t code = 1; code < 15625; code++) { /* six entries of 0 … 4 */
        struct traffic traffic = {.nodes = 3};
        for (uint32_t k = 0, rest = code; k < 6; k++, rest /= 5) {
            uint32_t from = k / 2, to = (from + 1 + k % 2) % 3;
            support_true(traffic_add(&traffic, from, to, rest % 5, &err), &err);
        }
        if (largest_sum(&traffic) <= 4) {
            packets += check_rounds(&traffic);
            matrices++;
        }
        traffic_free(&traffic);
    }
    /* A row has two entries whose sum is at most 4: 15 possibilities; columns leave fewer than
     * 15^3. */
    assert_in_range(matrices, 500, 3374);
    assert_true(packets > matrices);
}

static void drawn_ones(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct err err = {0};
    uint64_t packets = 0;
    printf("# seed %" PRIu64 "\n", SEED);
    for (unsigned which = 0; which < 400; which++) {
        struct traffic traffic = {.nodes = 2 + rng_below(&rng, 39)};
        uint32_t entries = 1 + rng_below(&rng, which % 3 == 0 ? 8 : 400);
        uint32_t most = which % 5 == 0 ? 500 : 3, busy = rng_below(&rng, traffic.nodes);
        for (uint32_t k = 0; k < entries; k++) {
            uint32_t from = which % 7 == 0 ? busy : rng_below(&rng, traffic.nodes);
            support_true(traffic_add(&traffic, from, rng_below(&rng, traffic.nodes),
                                     1 + rng_below(&rng, most), &err),
                         &err);
        }
        /* transfers from every node, added on top: none, or up to three shifts */
        for (uint32_t shift = which % 4; shift > 0; shift--)
            for (uint32_t from = 0; from < traffic.nodes; from++)
                support_true(traffic_add(&traffic, from, (from + 2 * shift - 1) % traffic.nodes,
                                         1 + which % 3, &err),
                             &err);
        support_true(traffic_finish(&traffic, &err), &err);
        if (traffic.packets > 0)
            packets += check_rounds(&traffic);
        traffic_free(&traffic);
    }
    assert_true(packets > 40000);
}

/* Enough packets for colour.h: random ones, with one busy node, and sums of permutations, in which
 * every node sends and receives equally many packets, so that the graph must be halved. */
static void many_packets(void **state)
{
    (void)state;
    struct rng rng = {SEED + 1};
    struct err err = {0};
    for (unsigned which = 0; which < 3; which++) {
        struct traffic traffic = {.nodes = which == 2 ? 4096 : 500};
        uint32_t to[4096];
        for (uint32_t k = 0; k < 24; k++) {
            rng_permutation(&rng, traffic.nodes, to);
            for (uint32_t from = 0; from < traffic.nodes; from++) {
                uint32_t drawn = which == 1 && k < 8 ? 7 : rng_below(&rng, traffic.nodes);
                support_true(traffic_add(&traffic, from, which == 2 ? to[from] : drawn,
                                         which == 2 ? 1 : 1 + k, &err),
                             &err);
            }
        }
        assert_true(check_rounds(&traffic) > 90000);
        traffic_free(&traffic);
    }
}

static void a_moved_packet_is_seen(void **state)
{
    (void)state;
    struct err err = {0};
    struct traffic traffic = {.nodes = 4};
    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = 0; to < 4; to++)
            support_true(traffic_add(&traffic, from, to, 2, &err), &err);
    support_true(traffic_finish(&traffic, &err), &err);
    assert_int_equal(traffic.local, 8);
    assert_int_equal(traffic.packets, 24);
    uint32_t *round_of = NULL;
    support_true(traffic_rounds(&traffic, 6, &round_of, &err), &err);
    assert_true(proper(&traffic, 6, round_of));
    for (uint32_t packet = 0; packet < 24; packet++) {
        uint32_t kept = round_of[packet];
        round_of[packet] = (kept + 1) % 6; /* the sender has another packet there */
        assert_false(proper(&traffic, 6, round_of));
        round_of[packet] = 6;
        assert_false(proper(&traffic, 6, round_of));
        round_of[packet] = kept;
    }
    free(round_of);
    traffic_free(&traffic);
}

/* The number of rounds exceeds 32 bits. */
static void too_many_rounds(void **state)
{
    (void)state;
    struct traffic traffic = {.nodes = 1000};
    struct err err = {0};
    uint32_t *round = NULL;
    support_true(traffic_add(&traffic, 0, 1, 3, &err), &err);
    support_true(traffic_finish(&traffic, &err), &err);
    assert_false(traffic_rounds(&traffic, UINT64_C(1) << 32, &round, &err));
    support_error(&err, ERR_TOO_BIG, "no memory for the rounds of 3 packets");
    assert_null(round);
    traffic_free(&traffic);
}

/* -- Files ------------------------------------------------------------------------------------- */

static char path[] = "/tmp/roundcast-traffic-XXXXXX";

static void write_file(const char *text, bool compressed)
{
    gzFile file = gzopen(path, compressed ? "wb" : "wbT");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), (int)strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

static bool read_text(const char *text, bool matrix, struct traffic_scale scale,
                      struct traffic *traffic, struct err *err)
{
    write_file(text, false);
    return matrix ? traffic_read_matrix(path, scale, traffic, err)
                  : traffic_read_entries(path, scale, 0, traffic, err);
}

/* Compares the entries with a text such as `0>1:5 `. */
static void check_entries(const struct traffic *traffic, uint32_t nodes, const char *expected)
{
    char text[400] = "";
    for (size_t k = 0; k < traffic->count; k++)
        text_append(text, sizeof text, "%" PRIu32 ">%" PRIu32 ":%" PRIu32 " ",
                    traffic->entry[k].source, traffic->entry[k].destination,
                    traffic->entry[k].packets);
    assert_string_equal(text, expected);
    assert_int_equal(traffic->nodes, nodes);
}

static void good_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool matrix;
        struct traffic_scale scale;
        uint32_t nodes;
        const char *entries;
        uint64_t local;
    } cases[] = {
        {"0,5,1\n0,0,2\n7,0,0\n", true, {0}, 3, "0>1:5 0>2:1 1>2:2 2>0:7 ", 0},
        {"# rows\n\n 4 5; 1\r\n0\t0 2 # two\n7,0 , 9",
         true,
         {0},
         3,
         "0>1:5 0>2:1 1>2:2 2>0:7 ",
         13},
        {"0 1K\n2Ki 0\n", true, {0}, 2, "0>1:1000 1>0:2048 ", 0},
        {"0 1\n64 0\n", true, {.packet_bytes = 64}, 2, "0>1:1 1>0:1 ", 0},
        {"0 65.5\n1.5K 0\n", true, {.packet_bytes = 64}, 2, "0>1:2 1>0:24 ", 0},
        {"0 0.5\n0.25 0.25\n", true, {.total = 8}, 2, "0>1:4 1>0:2 ", 2},
        {"0 1 1\n1 0 1\n1 1 0\n", true, {.total = 4}, 3, "0>2:1 1>0:1 2>0:1 2>1:1 ", 0},
        /* as numpy.savetxt writes them; entries, too */
        {"0.000000000000000000e+00 5.000000000000000000e+00\n"
         "1.000000000000000000e+03 -0.000000000000000000e+00\n",
         true,
         {0},
         2,
         "0>1:5 1>0:1000 ",
         0},
        {"1.0e+00 0.0e+00 2.0e+00\n", false, {0}, 2, "1>0:2 ", 0},
        /* bytes are rounded up once: any digit beyond 4 packets adds one packet */
        {"0 4096.0000000000000000000001\n0 0\n", true, {.packet_bytes = 1024}, 2, "0>1:5 ", 0},
        {"0 4.096e3\n1e-300 0\n", true, {.packet_bytes = 1024}, 2, "0>1:4 1>0:1 ", 0},
        {"0 20G\n2T 0\n", true, {.packet_bytes = 1000000000}, 2, "0>1:20 1>0:2000 ", 0},
        {"0 4294967295\n0 0\n", true, {0}, 2, "0>1:4294967295 ", 0},
        /* shares of any magnitude: 3 to 1, and a share that vanishes next to a large one */
        {"0 3e-30\n1e-30 0\n", true, {.total = 8}, 2, "0>1:6 1>0:2 ", 0},
        {"0 1e30\n1 0\n", true, {.total = 8}, 2, "0>1:8 ", 0},
        {"0 0.75000000000000000000001\n0.25 0\n", true, {.total = 4}, 2, "0>1:3 1>0:1 ", 0},
        {"0 1Ti\n3Ti 0\n", true, {.total = 4}, 2, "0>1:1 1>0:3 ", 0},
        /* CSV as spreadsheets write it: byte order mark, CRLF, quotes, a header */
        {"\xef\xbb\xbf\"a\",\"b c\"\r\n\r\n\"0\",\"5\"\r\n\"6\" , \" 0 \"\r\n",
         true,
         {0},
         2,
         "0>1:5 1>0:6 ",
         0},
        {"# c\nto_0;to_1\n0;5\n6;0\n", true, {0}, 2, "0>1:5 1>0:6 ", 0},
        {"source,destination,packets\n\"0\",\"1\",5\n", false, {0}, 2, "0>1:5 ", 0},
        {"nano inf_1\n0 5\n6 0\n", true, {0}, 2, "0>1:5 1>0:6 ", 0},
        /* columns that are not read end with the line or the file; entries count as one packet */
        {"from,to,note\n0,1,abc\r\n0,1,d\n0,2,e", false, {0}, 3, "0>1:2 0>2:1 ", 0},
        /* of two names of the same column, the first counts */
        {"from,to,source,packets\n0,1,5,7\n", false, {0}, 2, "0>1:7 ", 0},
        {"0,0\n0,0\n", true, {0}, 2, "", 0},
        {"0\n", true, {0}, 1, "", 0},
        {"2 0 7\n0 1 5\n0 1 1\n", false, {0}, 3, "0>1:6 2>0:7 ", 0},
        {"2,0,7\n0 ; 1;5 # a comment\r\n0, 1,\t1", false, {0}, 3, "0>1:6 2>0:7 ", 0},
        /* a header without a destination names no columns of entries */
        {"source,x,y\n0,1,5\n", false, {0}, 2, "0>1:5 ", 0},
        /* shares of more than 2^64: 9 to 1, and one that vanishes */
        {"0 9000000000000000000T 1\n1000000000000000000T 0 0\n0 0 0\n",
         true,
         {.total = 10},
         3,
         "0>1:9 1>0:1 ",
         0},
        {"0 1K#\n2;0\n", true, {0}, 2, "0>1:1000 1>0:2 ", 0},
        {"", false, {0}, 0, "", 0},
        {"3 3 4\n", false, {0}, 4, "", 4}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct traffic traffic = {0};
        struct err err = {0};
        support_true(
            read_text(cases[which].text, cases[which].matrix, cases[which].scale, &traffic, &err),
            &err);
        check_entries(&traffic, cases[which].nodes, cases[which].entries);
        assert_int_equal(traffic.local, cases[which].local);
        traffic_free(&traffic);
    }
}

static void bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool matrix;
        enum err_code code;
        const char *message;
    } cases[] = {
        {"0,1\n1\n", true, ERR_SYNTAX, ":2: 1 number; expected 2, as in the first row"},
        {"0,1\n1,0,3\n", true, ERR_SYNTAX, ":2: 3 numbers; expected 2"},
        {"0,1\n1,0\n0,0\n", true, ERR_SYNTAX, ":3: row 3 of 2 columns; expected a square"},
        {"0,1,2\n1,0,3\n", true, ERR_CUT,
         ":3: the file ends after 2 rows of 3 columns; expected a square"},
        {"", true, ERR_CUT, ":1: an empty file; expected a matrix"},
        {"0,-1\n1,0\n", true, ERR_FIELD_RANGE, ":1: column 2: -1 is negative; expected 0 or more"},
        {"0,--1\n1,0\n", true, ERR_SYNTAX, ":1: unexpected '-'; expected in column 2 a number"},
        {"0,NaN\n1,0\n", true, ERR_SYNTAX, ":1: unexpected 'N'; expected in column 2"},
        {"0,1\n1,x\n", true, ERR_SYNTAX, ":2: unexpected 'x'; expected in column 2"},
        {"0,,1\n", true, ERR_SYNTAX, ":1: unexpected ','; expected in column 2"},
        {"0,1,\n", true, ERR_SYNTAX, ":1: the line ends; expected a number after the comma"},
        {"0,1e\n1,0\n", true, ERR_SYNTAX, ":1: the line ends; expected in column 2"},
        {"0,0x1p3\n1,0\n", true, ERR_SYNTAX, ":1: unexpected 'x'; expected in column 2"},
        {"0,\"1,000\"\n1,0\n", true, ERR_SYNTAX, ":1: unexpected ','; expected in column 2"},
        {"0,\"1\n1,0\n", true, ERR_SYNTAX, ":1: the line ends; expected in column 2"},
        {"nan,1\n1,0\n", true, ERR_SYNTAX, ":1: column 1: 'nan' is no number; expected 0 or more"},
        {"INF,1\n1,0\n", true, ERR_SYNTAX, ":1: column 1: 'INF' is no number; expected 0 or more"},
        {"infinity 1\n1 0\n", true, ERR_SYNTAX, ":1: column 1: 'infinity' is no number"},
        {"-inf 1\n1 0\n", true, ERR_SYNTAX, ":1: unexpected 'i'; expected in column 1"},
        {"a,nan\n1,0\n", true, ERR_SYNTAX, ":1: column 2: 'nan' is no number"},
        {"a,0,5\nb,6,0\n", true, ERR_SYNTAX,
         ":1: unexpected '0'; expected a name, as the line begins with one; a header has names"},
        {",a,b\na,0,5\nb,6,0\n", true, ERR_SYNTAX,
         ":1: unexpected ','; expected in column 1 a number or a name; a table with row labels"},
        {"\"a,b\n0,5\n6,0\n", true, ERR_SYNTAX, ":1: the line ends; expected a quotation mark"},
        {"a,b\na,b\n0,5\n", true, ERR_SYNTAX, ":2: unexpected 'a'; expected in column 1"},
        {"a,b\n", true, ERR_CUT, ":2: an empty file; expected a matrix"},
        {"a,b", true, ERR_CUT, ":1: the file is cut off here; expected numbers after the header"},
        {"\xef\xbb", false, ERR_CUT, ":1: the file is cut off here; expected numbers after the"},
        {"0,1\n0,5\n6,0\n", true, ERR_SYNTAX,
         ":3: row 3 of 2 columns; expected a square matrix; a header of numbers must begin with #"},
        {"% c\n0,5\n6,0\n", true, ERR_SYNTAX,
         ":1: unexpected '%'; expected numbers; a comment begins with #"},
        {"\r0\n", true, ERR_SYNTAX, ":1: unexpected '0'; expected a line feed"},
        {"0 1.5 2\n", false, ERR_FIELD_RANGE, ":1: a destination 1.5 is out of range; expected 0"},
        {"0 1e9 2\n", false, ERR_FIELD_RANGE, ":1: a destination 1e9 is out of range; expected 0"},
        {"0,4Kx\n1,0\n", true, ERR_SYNTAX, ":1: unexpected 'x'; expected in column 2"},
        {"0 1 5ee2\n", false, ERR_SYNTAX, ":1: unexpected 'e'; expected a number of 0 or more"},
        {"0,,1 5\n", false, ERR_SYNTAX, ":1: unexpected ','; expected a destination"},
        {"0,1,\n", false, ERR_SYNTAX, ":1: the line ends; expected a number"},
        {"0,1,5,\n", false, ERR_SYNTAX, ":1: unexpected ','; expected the end of the line"},
        {"0,0.5\n1,0\n", true, ERR_FIELD_RANGE,
         ":1: column 2: 0.5 packets; expected a whole number, or packet-bytes or total"},
        {"0,1.00000000000000000000000000001\n1,0\n", true, ERR_FIELD_RANGE,
         ":1: column 2: 1.0000000000000000000000"},
        {"0,1e-400\n1,0\n", true, ERR_FIELD_RANGE, ":1: column 2: 1e-400 packets; expected"},
        {"0,1e400\n1,0\n", true, ERR_FIELD_RANGE,
         ":1: column 2: the number 1e400 is too large; expected less than 10^19"},
        {"0,99999999999999999999999\n1,0\n", true, ERR_FIELD_RANGE,
         ":1: column 2: the number 99999999999999999999999 is too large"},
        {"0,18G\n1,0\n", true, ERR_FIELD_RANGE,
         ":1: column 2: 18000000000 packets; expected at most 4294967295"},
        {"0,1\n5G,0\n", true, ERR_FIELD_RANGE,
         ":2: column 1: 5000000000 packets; expected at most 4294967295"},
        {"# a head\n0 1 1\n1 0 4294967296\n", false, ERR_FIELD_RANGE,
         ":3: 4294967296 packets; expected at most 4294967295"},
        {"0 1\r1 0\n", true, ERR_SYNTAX, ":1: unexpected '1'; expected a line feed"},
        {"0 1\n", false, ERR_SYNTAX, ":1: the line ends; expected a number"},
        {"0 1 2 3\n", false, ERR_SYNTAX, ":1: unexpected '3'; expected the end of the line"},
        {"x 1 2\n", false, ERR_SYNTAX, ":1: unexpected '1'; expected a name, as the line begins"},
        {"0 1 2\nx 1 2\n", false, ERR_SYNTAX, ":2: unexpected 'x'; expected a source"},
        {"0 1 x\n", false, ERR_SYNTAX, ":1: unexpected 'x'; expected a number of 0 or more"},
        {"0 1 99999999T\n", false, ERR_FIELD_RANGE, ":1: the number 99999999T is too large"},
        {"0 1 5\r0\n", false, ERR_SYNTAX, ":1: unexpected '0'; expected a line feed"},
        {"16777216 1 1\n", false, ERR_FIELD_RANGE, ":1: a source 16777216 is out of range"},
        {"0 16777216 1\n", false, ERR_FIELD_RANGE, ":1: a destination 16777216 is out of range"},
        {"1e30 1 5\n", false, ERR_FIELD_RANGE, ":1: a source 1e30 is out of range; expected 0"},
        {"0 1234567890123456789012345678901234567890\n1 0\n", true, ERR_FIELD_RANGE,
         ":1: column 2: the number 123456789012345678901234567890123456789 is too large"},
        {"0 1\n\r1 0\n", true, ERR_SYNTAX, ":2: unexpected '1'; expected a line feed"},
        {"0 1 5\n\r1 0 5\n", false, ERR_SYNTAX, ":2: unexpected '1'; expected a line feed"},
        {"0 1 3000000000\n0 1 3000000000\n", false, ERR_RANGE,
         "more than 4294967295 packets from node 0 to node 1"}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct traffic traffic = {0};
        struct err err = {0};
        assert_false(read_text(cases[which].text, cases[which].matrix, (struct traffic_scale){0},
                               &traffic, &err));
        support_error(&err, cases[which].code, cases[which].message);
        assert_null(traffic.entry);
    }
}

/* Matrices in the formats of users. */
static void users_files(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        struct traffic_scale scale;
        const char *entries;
    } cases[] = {{MATRICES "matrix-20G.txt", {.packet_bytes = 1000000000}, "0>1:20 1>0:30 "},
                 {MATRICES "matrix-20G.txt", {.packet_bytes = 4096}, "0>1:4882813 1>0:7324219 "},
                 {MATRICES "matrix-2G.txt", {.packet_bytes = 1000000000}, "0>1:2 "},
                 {MATRICES "matrix-numpy.txt", {0}, "0>1:5 1>0:1 "}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct traffic traffic = {0};
        struct err err = {0};
        support_true(traffic_read_matrix(cases[k].path, cases[k].scale, &traffic, &err), &err);
        check_entries(&traffic, 2, cases[k].entries);
        traffic_free(&traffic);
    }
}

/* The first field of a header in quotation marks, with block boundaries of the reader at any
 * position. */
static void quotes_at_the_end_of_a_block(void **state)
{
    (void)state;
    char *text = malloc(SCAN_BLOCK + 60);
    assert_non_null(text);
    for (size_t before = SCAN_BLOCK - 4; before < SCAN_BLOCK + 2; before++)
        for (unsigned named = 0; named < 2; named++) {
            struct traffic traffic = {0};
            struct err err = {0};
            memset(text, '#', before);
            strcpy(text + before, named ? "\n\"a\" \"b\"\n0 5\n6 0\n" : "\n\"0\" 5\n6 0\n");
            support_true(read_text(text, true, (struct traffic_scale){0}, &traffic, &err), &err);
            check_entries(&traffic, 2, "0>1:5 1>0:6 ");
            traffic_free(&traffic);
        }
    free(text);
}

static void compressed_files(void **state)
{
    (void)state;
    struct traffic traffic = {0};
    struct err err = {0};
    write_file("0,5\n6,0\n", true);
    support_true(traffic_read_matrix(path, (struct traffic_scale){0}, &traffic, &err), &err);
    check_entries(&traffic, 2, "0>1:5 1>0:6 ");
    traffic_free(&traffic);

    /* Nothing is read from a damaged file. */
    assert_int_equal(truncate(path, 20), 0);
    assert_false(traffic_read_matrix(path, (struct traffic_scale){0}, &traffic, &err));
    support_error(&err, ERR_READ, "cannot read");
    err = (struct err){0};
    assert_false(
        traffic_read_matrix("/nonexistent/m.csv", (struct traffic_scale){0}, &traffic, &err));
    support_error(&err, ERR_READ, "/nonexistent/m.csv: cannot open: No such file");
}

/* A compressed file that ends at any byte after its header is rejected, in all forms: entries, a
 * matrix, a trace. */
static void cut_files(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0 1 5\n1 0 6\n", "0,5\n6,0\n",
        "=== OTF2-PRINT ===\nMPI_SEND 0 5  Receiver: 1 (\"T\" <1>), Communicator: 0, Length: 3\n"};
    for (unsigned which = 0; which < 3; which++) {
        const bool matrix = which == 1;
        write_file(texts[which], true);
        struct stat status;
        assert_int_equal(stat(path, &status), 0);
        for (off_t length = status.st_size; length-- > 10;) {
            struct traffic traffic = {0};
            struct err err = {0};
            assert_int_equal(truncate(path, length), 0);
            assert_false(
                matrix ? traffic_read_matrix(path, (struct traffic_scale){0}, &traffic, &err)
                       : traffic_read_entries(path, (struct traffic_scale){0}, 0, &traffic, &err));
            /* A truncated line may be rejected because a field is missing. */
            assert_true(err.code == ERR_READ || err.code == ERR_SYNTAX);
        }
    }
}

/* Entries with nodes beyond the given number, and more entries than the initial allocation
 * holds. */
static void many_entries(void **state)
{
    (void)state;
    struct traffic traffic = {0};
    struct err err = {0};
    write_file("0 1 5\n", false);
    support_true(traffic_read_entries(path, (struct traffic_scale){0}, 2, &traffic, &err), &err);
    check_entries(&traffic, 2, "0>1:5 ");
    traffic_free(&traffic);
    static const char *const outside[] = {"0 2 5\n", "2 0 5\n"};
    for (unsigned which = 0; which < 2; which++) {
        write_file(outside[which], false);
        assert_false(traffic_read_entries(path, (struct traffic_scale){0}, 2, &traffic, &err));
        support_error(&err, ERR_FIELD_RANGE, "expected 0 … 1");
    }
    char text[5000 * 12], *end = text;
    for (unsigned k = 0; k < 5000; k++)
        end += sprintf(end, "%u %u 1\n", k, k + 1);
    write_file(text, false);
    support_true(traffic_read_entries(path, (struct traffic_scale){0}, 0, &traffic, &err), &err);
    assert_int_equal(traffic.nodes, 5001);
    assert_int_equal(traffic.count, 5000);
    for (unsigned k = 0; k < 5000; k++)
        assert_true(traffic.entry[k].source == k && traffic.entry[k].destination == k + 1);
    traffic_free(&traffic);
}

/* -- Patterns ---------------------------------------------------------------------------------- */

static void check_sums(const struct traffic *traffic, uint64_t sent, uint64_t received)
{
    for (uint32_t node = 0; node < traffic->nodes; node++) {
        uint64_t out = 0, in = 0;
        for (size_t k = 0; k < traffic->count; k++) {
            out += traffic->entry[k].source == node ? traffic->entry[k].packets : 0;
            in += traffic->entry[k].destination == node ? traffic->entry[k].packets : 0;
        }
        assert_true(sent == 0 || out == sent);
        assert_true(received == 0 || in == received);
    }
}

static void patterns(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t nodes;
        uint64_t packets, local, sent, received; /* sums of each node; 0: random */
    } cases[] = {{"uniform:5", 12, 60, 0, 5, 0},   {"permutation:7", 9, 63, 0, 7, 7},
                 {"hot:10,50", 16, 160, 0, 10, 0}, {"zipf:30", 10, 300, 0, 30, 0},
                 {"blocks:2,4", 8, 48, 0, 6, 6},   {"blocks:1,4", 6, 14, 0, 0, 0},
                 {"halo:3", 12, 144, 0, 12, 12},   {"halo:3", 5, 30, 0, 6, 6},
                 {"uniform:1", 2, 2, 0, 1, 1}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct traffic one = {0}, two = {0};
        struct err err = {0};
        support_true(traffic_make(cases[which].text, cases[which].nodes, 3, &one, &err), &err);
        support_true(traffic_make(cases[which].text, cases[which].nodes, 3, &two, &err), &err);
        assert_int_equal(one.packets, cases[which].packets);
        assert_int_equal(one.local, cases[which].local);
        check_sums(&one, cases[which].sent, cases[which].received);
        assert_int_equal(one.count, two.count);
        assert_memory_equal(one.entry, two.entry, one.count * sizeof *one.entry);
        traffic_free(&one);
        traffic_free(&two);
    }
}

static void experts(void **state)
{
    (void)state;
    struct traffic traffic = {0};
    struct err err = {0};
    support_true(traffic_make("moe:100,4", 16, 7, &traffic, &err), &err);
    assert_int_equal(traffic.packets + traffic.local, 6400);
    for (size_t k = 0; k < traffic.count; k++)
        assert_in_range(traffic.entry[k].packets, 1, 100); /* a token goes to an expert once */
    traffic_free(&traffic);
}

static void bad_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum err_code code;
        const char *message;
    } cases[] = {{"uniform", ERR_OPTION, "pattern: 'uniform'; expected one of uniform:K"},
                 {"uniform:", ERR_OPTION, "expected one of"},
                 {"uniform:x", ERR_OPTION, "expected one of"},
                 {"uniform:1,2", ERR_OPTION, "expected one of"},
                 {"uni:1", ERR_OPTION, "expected one of"},
                 {"", ERR_OPTION, "expected one of"},
                 {"uniform:0", ERR_RANGE, "0 of uniform:K is out of range; expected 1 … 16777216"},
                 {"hot:5,101", ERR_RANGE, "101 of hot:K,P is out of range; expected 0 … 100"},
                 {"moe:5,9", ERR_RANGE, "9 experts of 8; expected no more than there are nodes"}};
    for (unsigned which = 0; which < sizeof cases / sizeof *cases; which++) {
        struct traffic traffic = {0};
        struct err err = {0};
        assert_false(traffic_make(cases[which].text, 8, 1, &traffic, &err));
        support_error(&err, cases[which].code, cases[which].message);
        assert_null(traffic.entry);
    }
}

/* Numbers of packets that exceed the range of a schedule, and nodes that do not exist. */
static void entries_have_bounds(void **state)
{
    (void)state;
    struct traffic traffic = {.nodes = 3};
    struct err err = {0};
    support_true(traffic_add(&traffic, 0, 1, UINT32_MAX, &err), &err);
    assert_false(traffic_add(&traffic, 0, 1, UINT64_C(1) << 32, &err));
    support_error(&err, ERR_RANGE, "4294967296 packets from node 0 to node 1",
                  "expected 0 … 4294967295");
    assert_false(traffic_add(&traffic, 3, 1, 1, &err));
    support_error(&err, ERR_RANGE, "traffic from node 3 to node 1", "expected nodes 0 … 2");
    assert_false(traffic_add(&traffic, 1, 3, 1, &err));
    support_error(&err, ERR_RANGE, "traffic from node 1 to node 3", "expected nodes 0 … 2");
    traffic_free(&traffic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(entries_have_bounds),
                                       cmocka_unit_test(all_of_three_nodes),
                                       cmocka_unit_test(drawn_ones),
                                       cmocka_unit_test(many_packets),
                                       cmocka_unit_test(a_moved_packet_is_seen),
                                       cmocka_unit_test(too_many_rounds),
                                       cmocka_unit_test(good_files),
                                       cmocka_unit_test(bad_files),
                                       cmocka_unit_test(users_files),
                                       cmocka_unit_test(quotes_at_the_end_of_a_block),
                                       cmocka_unit_test(compressed_files),
                                       cmocka_unit_test(cut_files),
                                       cmocka_unit_test(many_entries),
                                       cmocka_unit_test(patterns),
                                       cmocka_unit_test(experts),
                                       cmocka_unit_test(bad_patterns)};
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
