/* SPDX-License-Identifier: Apache-2.0 */
/* test_image: the image's text, written, read and written again, and every text that a reader
 * rejects.
 *
 * State space. An image is a machine, a run and a list of (address, word). The round trip is
 * sampled over real images (every algorithm, two machines) and over random words at random legal
 * addresses, so that lines break and addresses jump in all ways; for the line breaks runs of 1 … 40
 * consecutive words are exhaustive.
 *
 * The forms with pairs are round trips of the same images; their contents other than pairs are
 * compared with texts in this file.
 *
 * Counter-cases. One valid text of each form, and texts that differ from it by one edit, which
 * cover every code that image_read can return, with the file's name and the line in the message,
 * and nothing left allocated (sanitizers). Every proper prefix of a good text is rejected.
 */
#include "sched/base/compare.h"
#include "sched/base/memory.h"
#include "sched/base/rng.h"
#include "sched/base/text.h"
#include "sched/machine/machine_address.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/image_lab.h"
#include "tests/support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED UINT64_C(20240608)

static const char good[] = "// roundcast-image 1\n"
                           "// machine benes:8,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64\n"
                           "// run rows=5 flits=4 row-cycles=9\n"
                           "@00000008\n"
                           "00000005 00000004 00000009\n"
                           "// a comment\n"
                           "@10000000 0000000f // and one more\n"
                           "@c0000000\n"
                           "80001234\n"
                           "// end 5\n";

static void routed_images_survive(void **state)
{
    (void)state;
    const struct machine machines[] = {support_machine(3, 1, 0), support_machine(7, 3, 2)};
    for (size_t which = 0; which < 2; which++)
        for (const struct algorithm *const *algorithm = algorithm_table; *algorithm; algorithm++) {
            struct collective collective = {
                .n = 7, .m = 3, .source = 2, .model = algorithm_model(*algorithm)};
            struct support_job job;
            if ((*algorithm)->kind != COLLECTIVE_BROADCAST ||
                !algorithm_check(*algorithm, &collective, NULL))
                continue;
            struct machine machine = machines[which];
            machine.network = support_network(collective.model, machine.network.levels);
            support_job(*algorithm, &collective, &machine, 4, SEED, &job);
            image_lab_round_trip(&job.image);
            support_job_free(&job);
        }
}

static void random_words_survive(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    struct err err = {0};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned trial = 0; trial < 50; trial++) {
        struct image image = {.machine = support_machine(1 + rng_below(&rng, 10), 1, 0),
                              .run = {.rows = 3, .flits = 2, .row_cycles = 40}};
        image_lab_run(&image);
        while (image.count < 300) {
            uint32_t address = (uint32_t)rng_next(&rng) & UINT32_C(0xf000ffff);
            for (uint32_t length = rng_below(&rng, 20);
                 length-- > 0 && address > MACHINE_RUN_PACKETS &&
                 machine_has_address(&image.machine, address);
                 address++)
                assert_true(image_append(&image, address, (uint32_t)rng_next(&rng), &err));
        }
        image_lab_round_trip(&image);
        image_free(&image);
    }
}

/* Counts the addresses in the text of an image. */
static unsigned count_addresses(const struct image *image)
{
    size_t size;
    unsigned count = 0;
    char *text = image_lab_write(image, IMAGE_HEX, &size);
    for (size_t k = 0; k < size; k++)
        count += text[k] == '@';
    free(text);
    return count;
}

/* Returns the number of words in the longest line of words of the text of an image. */
static uint32_t longest_line(const struct image *image)
{
    size_t size;
    uint32_t longest = 0, words = 0;
    char *text = image_lab_write(image, IMAGE_HEX, &size);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        words = strchr("/@", *line) == NULL;
        for (const char *at = line; words > 0 && at < end; at++)
            words += *at == ' ';
        longest = MAX(longest, words);
    }
    free(text);
    return longest;
}

/* Checks that the registers in a file of memories are those that the words of the image set. */
static void check_registers(const struct image *image)
{
    uint32_t value[MACHINE_RUN_REGISTERS] = {0};
    char expected[9 * MACHINE_RUN_REGISTERS + 1] = "";
    size_t size;
    for (size_t k = 0; k < image->count; k++)
        if (image->word[k].address < MACHINE_RUN_REGISTERS)
            value[image->word[k].address] = image->word[k].word;
    for (uint32_t which = 0; which < MACHINE_RUN_REGISTERS; which++)
        text_append(expected, sizeof expected, "%08" PRIx32 "\n", value[which]);
    char *text = image_lab_write(image, IMAGE_MEM, &size);
    assert_non_null(strstr(text, expected));
    free(text);
}

/* Every field at the end of a header's lines is read as it was written. */
static void every_field_of_a_header_survives(void **state)
{
    (void)state;
    const struct {
        struct machine with; /* what differs from the usual machine */
        struct run run;
    } cases[] = {
        {{.ranges = true, .log2_splits = 3}, {.packets = 5}},
        {{.combines = true}, {.operation = 0}},
        {{.combines = true}, {.operation = 6}},
        {{.combines = true, .operators = 5}, {.operation = 2}},
        {{.combines = true, .keeps_own = true, .operators = 64}, {.operation = 6}},
        {{.shared = 2}, {0}},
        {{.shared = 2, .settings = MACHINE_TAGS, .log2_period = 5}, {.period = 7, .first = 3}},
        {{.settings = MACHINE_INDEXED, .log2_settings = 4, .log2_period = 5},
         {.period = 7, .first = 3, .packets = 4}},
        {{.settings = MACHINE_TAGS, .log2_period = 5, .computed = true},
         {.period = 7, .first = 3, .packets = 4}},
        {{.settings = MACHINE_TAGS, .log2_period = 5, .computed = true},
         {.period = 7, .first = 3, .packets = 3, .stream = 1}}};
    for (size_t which = 0; which < sizeof cases / sizeof *cases; which++) {
        const struct machine *with = &cases[which].with;
        struct image image = {.machine = support_machine(3, 1, 0), .run = cases[which].run}, again;
        struct machine *machine = &image.machine;
        struct err err = {0};
        size_t size;
        machine->ranges = with->ranges;
        machine->log2_splits = with->log2_splits;
        machine->combines = with->combines;
        machine->keeps_own = with->keeps_own;
        machine->operators = with->operators;
        machine->shared = with->shared;
        machine->settings = with->settings;
        machine->log2_settings = with->log2_settings;
        machine->log2_period = with->log2_period;
        machine->computed = with->computed;
        support_true(machine_check(machine, &err), &err);
        image.run.rows = 3;
        image.run.flits = 2;
        image.run.row_cycles = 40;
        image_lab_run(&image);
        char *text = image_lab_write(&image, IMAGE_HEX, &size);
        support_true(image_lab_read(text, size, &again, &err), &err);
        image_lab_same_machine(&again.machine, machine);
        assert_memory_equal(&again.run, &image.run, sizeof image.run);
        free(text);
        check_registers(&image);
        image_free(&again);
        image_free(&image);
    }
}

/* A run whose operator does not exist is written without one, which readers reject. */
static void an_operator_that_does_not_exist_is_refused(void **state)
{
    (void)state;
    struct image image = {.machine = support_machine(3, 1, 0),
                          .run = {.rows = 3, .flits = 2, .row_cycles = 40}},
                 again;
    struct err err = {0};
    size_t size;
    image.machine.combines = true;
    for (image.run.operation = 6; image.run.operation < 9; image.run.operation++) {
        char *text = image_lab_write(&image, IMAGE_HEX, &size);
        const bool exists = strstr(text, " row-cycles=40 operator=xor\n") != NULL;
        assert_int_equal(exists, image.run.operation == 6);
        if (!exists) {
            assert_non_null(strstr(text, " row-cycles=40 operator=\n"));
            assert_false(image_lab_read(text, size, &again, &err));
            support_error(&err, ERR_SYNTAX, "t.hex:3: not a run; expected '// run rows=R");
        }
        free(text);
    }
}

static void every_length_of_a_line_survives(void **state)
{
    (void)state;
    struct err err = {0};
    for (uint32_t length = 0; length <= 40; length++) {
        struct image image = {.machine = support_machine(3, 1, 0),
                              .run = {.rows = 0, .flits = 1, .row_cycles = 65535}};
        image_lab_run(&image);
        for (uint32_t piece = 0; piece < 2; piece++)
            for (uint32_t k = 0; k < length; k++)
                assert_true(image_append(
                    &image, machine_program_address(&image.machine, MACHINE_SEND, piece, k), k,
                    &err));
        image_lab_round_trip(&image);
        assert_int_equal(count_addresses(&image), length ? 3 : 1);
        assert_int_equal(longest_line(&image), length < 3 ? 3 : MIN(length, 8));
        image_free(&image);
    }
}

static void the_good_text_reads(void **state)
{
    (void)state;
    struct image image;
    struct err err = {0};
    support_true(image_lab_read(good, strlen(good), &image, &err), &err);
    assert_int_equal(image.count, 5);
    assert_int_equal(image.word[2].address, MACHINE_RUN_ROW_CYCLES);
    assert_int_equal(image.word[3].word, 15);
    assert_int_equal(image.word[4].address,
                     MACHINE_ALL_NODES | machine_region_address(MACHINE_PACKET));
    image_free(&image);
}

#define BAD_MACHINE ERR_SYNTAX, "t.hex:2: ", "not a machine; expected '// machine NETWORK width=W"
#define BAD_RUN ERR_SYNTAX, "t.hex:3: ", "not a run; expected '// run rows=R"
#define BAD_RANGE ERR_FIELD_RANGE, "t.hex:3: ", "expected at most 64 rows, 1 … 8 flits"
#define BAD_WORD ERR_SYNTAX, "t.hex:5: ", "expected 8 hexadecimal digits, or @ and 8"

static const struct image_lab_bad bad_texts[] = {
    {"", "", ERR_VERSION,
     "t.hex:1: ", "not an image of this version; expected '// roundcast-image 1'"},
    {"image 1", "image 2", ERR_VERSION, "t.hex:1: ", "expected '// roundcast-image 1'"},
    {"// roundcast-image 1\n", "", ERR_VERSION, "t.hex:1: ", "expected"},
    {"image 1\n", "image 1 \n", ERR_VERSION, "t.hex:1: ", "expected"},
    {" rows=64\n", " rows=64 programs=ranges\n", BAD_MACHINE},
    {" rows=64\n", " rows=64 splits=8\n", BAD_MACHINE},
    {" rows=64\n", " rows=64 combine=1 operators=sum,saturating-sum,min,max,and,or,xor\n",
     BAD_MACHINE},
    {" rows=64\n", " rows=64 combine=1 operators=plus\n", BAD_MACHINE},
    {"// machine", "// engine", BAD_MACHINE},
    {"benes:8,pipe=1,pad=0 ", "", BAD_MACHINE},
    {"width=16", "width=0x10", BAD_MACHINE},
    {"width=16", "width=+16", BAD_MACHINE},
    {"width=16", "width=4294967312", BAD_MACHINE},
    {"packets=16", "packets=12", BAD_MACHINE},
    {"packets=16", "packets=0", BAD_MACHINE},
    {"packets=16", "packets=1", BAD_MACHINE},
    {"flits=8", "flits=7", BAD_MACHINE},
    {"rows=64", "rows=65", BAD_MACHINE},
    {"rows=64", "rows=64 depth=2", BAD_MACHINE},
    {"benes:8,pipe=1,pad=0", "benes:8", BAD_MACHINE},
    {"benes:8,pipe=1,pad=0", "benes:8,pad=0,pipe=1", BAD_MACHINE},
    {"benes:8", "omega:12", ERR_NETWORK, "t.hex:2: ", "omega:12; expected a power of two"},
    {"benes:8", "torus:8", ERR_NETWORK,
     "t.hex:2: ", "expected benes:N, omega:N, multicast:N, combine:N, all-reduce:N, clos:m,n,r"},
    {"pipe=1", "pipe=6", ERR_NETWORK, "t.hex:2: ", "pipe=6; expected at most the 5 stages"},
    {"width=16", "width=513", ERR_NETWORK, "t.hex:2: ", "width: 513 bits; expected 1 … 512"},
    {"width=16", "width=0", ERR_NETWORK, "t.hex:2: ", "width: 0 bits; expected 1 … 512"},
    {"rows=64", "rows=67108864", ERR_NETWORK, "t.hex:2: ", "more than 28 bits"},
    {"// run", "// runs", BAD_RUN},
    {"row-cycles=9", "", BAD_RUN},
    {"rows=5", "rows=05", BAD_RUN},
    {"row-cycles=9", "row-cycles=9.5", BAD_RUN},
    {" rows=64\n// run rows=5 flits=4 row-cycles=9",
     " rows=64 combine=1\n// run rows=5 flits=4 row-cycles=9", BAD_RUN},
    {" rows=64\n// run rows=5 flits=4 row-cycles=9",
     " rows=64 combine=1\n// run rows=5 flits=4 row-cycles=9 operator=", BAD_RUN},
    {" rows=64\n// run rows=5 flits=4 row-cycles=9",
     " rows=64 combine=1\n// run rows=5 flits=4 row-cycles=9 operator=plus", BAD_RUN},
    {"rows=5", "rows=65", BAD_RANGE},
    {"run rows=5 flits=4", "run rows=5 flits=0", BAD_RANGE},
    {"run rows=5 flits=4", "run rows=5 flits=9", BAD_RANGE},
    {"row-cycles=9", "row-cycles=8", BAD_RANGE},
    {"row-cycles=9", "row-cycles=65536", BAD_RANGE},
    {"00000004", "4", BAD_WORD},
    {"00000004", "000000004", BAD_WORD},
    {"00000004", "0000000g", BAD_WORD},
    {"00000004", "-0000004", BAD_WORD},
    {"00000004", "@0000004", BAD_WORD},
    {"@00000008\n", "@00000007\n", ERR_IMAGE,
     "t.hex:5: ", "address 00000007; expected one that the"},
    {"@00000008\n", "@00000009\n", ERR_IMAGE,
     "t.hex:5: ", "register 9 gets 00000005; expected 00000004"},
    {"00000009\n", "00000009 00000000\n", ERR_IMAGE,
     "t.hex:5: ", "address 0000000b; expected one that the"},
    {"@00000008\n", "", ERR_IMAGE, "t.hex:4: ", "address 00000000; expected one that the"},
    {"@10000000", "@10000140", ERR_IMAGE, "t.hex:7: ", "address 10000140; expected one that the"},
    {"@c0000000", "@40000400", ERR_IMAGE, "t.hex:9: ", "address 40000400; expected one that the"},
    {"@c0000000", "@d0000000", ERR_IMAGE, "t.hex:9: ", "address d0000000; expected one that the"},
    {"00000005 0", "00000006 0", ERR_IMAGE,
     "t.hex:5: ", "register 8 gets 00000006; expected 00000005, which the header"},
    {"00000005 0", "ffffffff 0", ERR_IMAGE,
     "t.hex:5: ", "register 8 gets ffffffff; expected 00000005"},
    {"00000004", "00010004", ERR_IMAGE, "t.hex:5: ", "register 9 gets 00010004; expected 00000004"},
    {"00000009", "0000000a", ERR_IMAGE,
     "t.hex:5: ", "register 10 gets 0000000a; expected 00000009"},
    {"rows=5", "rows=6", ERR_IMAGE, "t.hex:5: ", "register 8 gets 00000005; expected 00000006"},
    {"// a comment\n", "@00000009 00000003 // again\n", ERR_IMAGE,
     "t.hex:6: ", "register 9 gets 00000003; expected"},
    {"00000009\n// a comment\n@10000000 0000000f // and one more\n@c0000000\n80001234\n// end 5",
     "\n// end 2", ERR_IMAGE,
     "t.hex:6: ", "no word for register 10; expected 00000009, which the header"},
    {"@00000008\n00000005 00000004 00000009\n// a comment\n@10000000 0000000f // and one "
     "more\n@c0000000\n"
     "80001234\n// end 5",
     "// end 0", ERR_IMAGE, "t.hex:4: ", "no word for register 8; expected 00000005"},
    {"// end 5\n", "", ERR_CUT, "t.hex:10: ", "the image ends after 5 words; expected '// end'"},
    {"// end 5\n", "// end 5", ERR_CUT, "t.hex:10: ", "a line that is cut or too long"},
    {"// end 5\n", "// end 6\n", ERR_CUT, "t.hex:10: ", "5 words before the end; expected 6"},
    {"80001234\n", "", ERR_CUT, "t.hex:9: ", "4 words before the end; expected 5"},
    {"// end 5\n", "// end 5\n00000000\n", ERR_SYNTAX, "t.hex:11: ", "something after the end"},
};

static void bad_texts_are_refused(void **state)
{
    (void)state;
    image_lab_refused(good, bad_texts, sizeof bad_texts / sizeof *bad_texts);
}

/* A word may appear twice if both are equal. */
static void a_register_may_be_reported_again(void **state)
{
    (void)state;
    static const char again[] =
        "// roundcast-image 1\n"
        "// machine benes:8,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64\n"
        "// run rows=5 flits=4 row-cycles=9\n"
        "@00000009 00000004 00000009\n"
        "@00000008 00000005 00000004\n"
        "// end 4\n";
    struct image image;
    struct err err = {0};
    support_true(image_lab_read(again, strlen(again), &image, &err), &err);
    assert_int_equal(image.count, 4);
    image_free(&image);
}

static void a_line_too_long_is_refused(void **state)
{
    (void)state;
    char text[sizeof good + 1300];
    snprintf(text, sizeof text, "%.*s// %01200d\n", (int)(strstr(good, "// end") - good), good, 0);
    struct image image;
    struct err err = {0};
    assert_false(image_lab_read(text, strlen(text), &image, &err));
    support_error(&err, ERR_CUT,
                  "t.hex:10: ", "a line that is cut or too long; expected at most 1022 bytes");
}

#define HEADER                                                              \
    "// machine benes:8,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64\n" \
    "// run rows=5 flits=4 row-cycles=9\n"

static const char good_writes[] = "// roundcast-image 1 writes\n" HEADER "0000000800000005\n"
                                  "0000000900000004\n"
                                  "0000000a00000009\n"
                                  "100000000000000f\n"
                                  "c000000080001234\n"
                                  "ffffffffffffffff\n"
                                  "// end 5\n";

static const char good_c[] =
    "// roundcast-image 1 c\n" HEADER "#include <stdint.h>\n"
    "\n"
    "extern const uint32_t roundcast_image[][2]; // {address, word}\n"
    "extern const uint32_t roundcast_image_words;\n"
    "\n"
    "const uint32_t roundcast_image[][2] = {\n"
    "    {0x00000008, 0x00000005},\n"
    "    {0x00000009, 0x00000004},\n"
    "    {0x0000000a, 0x00000009},\n"
    "    {0x10000000, 0x0000000f},\n"
    "    {0xc0000000, 0x80001234},\n"
    "};\n"
    "const uint32_t roundcast_image_words = sizeof roundcast_image / sizeof *roundcast_image;\n"
    "// end 5\n";

/* The three texts describe the same image, and each is written exactly as it is given here. */
static void forms_are_equal(void **state)
{
    (void)state;
    static const char *const texts[] = {
        [IMAGE_HEX] = good, [IMAGE_WRITES] = good_writes, [IMAGE_C] = good_c};
    for (enum image_form form = 0; form < IMAGE_MEM; form++) {
        struct image image;
        struct err err = {0};
        support_true(image_lab_read(texts[form], strlen(texts[form]), &image, &err), &err);
        for (enum image_form as = IMAGE_HEX + 1; as < IMAGE_MEM; as++) {
            size_t size;
            char *text = image_lab_write(&image, as, &size);
            assert_string_equal(text, texts[as]);
            free(text);
        }
        image_free(&image);
    }
}

#define BAD_PAIR(line) ERR_SYNTAX, "t.hex:" #line ": ", "hexadecimal digits"

static const struct image_lab_bad bad_writes[] = {
    {"writes", "write", ERR_VERSION, "t.hex:1: ", "expected '// roundcast-image 1', and ' writes'"},
    {"writes", "c", BAD_PAIR(4)},
    {" writes", "", ERR_SYNTAX, "t.hex:4: ", "expected 8 hexadecimal digits, or @ and 8"},
    {"0000000800000005", "@0000000800000005", BAD_PAIR(4)},
    {"0000000800000005", "000000080000000", BAD_PAIR(4)},
    {"0000000800000005", "00000008 00000005", BAD_PAIR(4)},
    {"0000000800000005", "0000000800000005 ", BAD_PAIR(4)},
    {"0000000800000005", "000000080000000g", BAD_PAIR(4)},
    {"0000000800000005", "0000000700000005", ERR_IMAGE,
     "t.hex:4: ", "address 00000007; expected one that the"},
    {"0000000800000005", "0000000800000006", ERR_IMAGE,
     "t.hex:4: ", "register 8 gets 00000006; expected 00000005"},
    {"c000000080001234\nffffffffffffffff", "ffffffffffffffff\nc000000080001234", BAD_PAIR(9)},
    {"ffffffffffffffff\n", "", ERR_CUT, "t.hex:9: ", "no line after the last pair"},
    {"ffffffffffffffff\n", "ffffffffffffffff\nffffffffffffffff\n", BAD_PAIR(10)},
    {"// end 5\n", "// end 4\n", ERR_CUT, "t.hex:10: ", "5 words before the end; expected 4"},
};

static const struct image_lab_bad bad_c[] = {
    {" c\n", " C\n", ERR_VERSION, "t.hex:1: ", "and ' writes', ' c' or ' mem' in those forms"},
    {"#include <stdint.h>\n", "", BAD_PAIR(4)},
    {"[][2]; //", "[][3]; //", BAD_PAIR(6)},
    {"    {0x00000008", "    {0x0000000", BAD_PAIR(10)},
    {"    {0x00000008, 0", "  {0x00000008, 0", BAD_PAIR(10)},
    {"0x00000005},", "0x00000005}", BAD_PAIR(10)},
    {"};\n", "", BAD_PAIR(15)},
    {"= sizeof roundcast_image", "= 4 + sizeof roundcast_image", BAD_PAIR(16)},
    {"const uint32_t roundcast_image_words = sizeof roundcast_image / sizeof *roundcast_image;\n",
     "", ERR_CUT, "t.hex:16: ", "no line after the last pair"},
    {"0x10000000", "0x10000140", ERR_IMAGE, "t.hex:13: ", "address 10000140; expected one that"},
};

static void bad_pairs_are_refused(void **state)
{
    (void)state;
    image_lab_refused(good_writes, bad_writes, sizeof bad_writes / sizeof *bad_writes);
    image_lab_refused(good_c, bad_c, sizeof bad_c / sizeof *bad_c);
}

static void every_prefix_is_refused(void **state)
{
    (void)state;
    image_lab_prefixes(good, strlen(good));
    image_lab_prefixes(good_writes, strlen(good_writes));
    image_lab_prefixes(good_c, strlen(good_c));
}

static void files_that_cannot_be_used(void **state)
{
    (void)state;
    struct image image;
    struct err err = {0};
    FILE *folder = fopen(".", "r");
    assert_non_null(folder);
    assert_false(image_read(folder, "folder", &image, &err));
    support_error(&err, ERR_READ, "folder: ", "expected a readable file");
    fclose(folder);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    setbuf(full, NULL);
    support_true(image_lab_read(good, strlen(good), &image, &err), &err);
    assert_false(image_write(full, "full", &image, IMAGE_HEX, &err));
    support_error(&err, ERR_WRITE, "full: ", "expected a file that can be written");
    image_free(&image);
    fclose(full);
}

/* Memory is allocated before the words are read; if this fails, the image is rejected at once. */
static void room_is_made_or_refused(void **state)
{
    (void)state;
    struct image image = {0};
    struct err err = {0};
    support_true(image_append(&image, 0, 7, &err) && image_reserve(&image, 5000, &err), &err);
    const struct image_word *there = image.word;
    for (uint32_t word = 0; word < 5000; word++)
        support_true(image_append(&image, word, word, &err), &err);
    assert_ptr_equal(image.word, there);
    assert_int_equal(image.count, 5001);
    assert_int_equal(image.word[0].word, 7);
    const uint64_t refused[] = {UINT64_MAX, UINT64_MAX / sizeof *image.word, UINT64_C(1) << 60,
                                memory_most(sizeof *image.word)};
    for (size_t which = 0; which < 4; which++) {
        assert_false(image_reserve(&image, refused[which], &err));
        support_error(&err, ERR_TOO_BIG, "image: 5001 + ",
                      "words do not fit in memory; expected at most");
        assert_ptr_equal(image.word, there);
    }
    image_free(&image);
    assert_null(image.word);
    image_free(&image);
}

/* Numbers of words that together exceed any memory are refused, and the message states them. */
static void too_many_words(void **state)
{
    (void)state;
    struct image most = {.count = SIZE_MAX - 2};
    struct err err = {0};
    assert_false(image_reserve(&most, 2, &err));
    support_error(&err, ERR_TOO_BIG, "+ 2 words do not fit in memory");
    assert_null(most.word);
#ifndef __SANITIZE_ADDRESS__ /* its allocator ends the program */
    struct image full = {.count = SIZE_MAX / 4};
    char text[80];
    assert_false(image_append(&full, MACHINE_RUN_ROWS, 1, &err));
    snprintf(text, sizeof text, "%zu words", SIZE_MAX / 4 + 1);
    support_error(&err, ERR_TOO_BIG, text);
    assert_null(full.word);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routed_images_survive),
        cmocka_unit_test(random_words_survive),
        cmocka_unit_test(every_field_of_a_header_survives),
        cmocka_unit_test(an_operator_that_does_not_exist_is_refused),
        cmocka_unit_test(every_length_of_a_line_survives),
        cmocka_unit_test(the_good_text_reads),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(a_register_may_be_reported_again),
        cmocka_unit_test(a_line_too_long_is_refused),
        cmocka_unit_test(forms_are_equal),
        cmocka_unit_test(bad_pairs_are_refused),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(files_that_cannot_be_used),
        cmocka_unit_test(room_is_made_or_refused),
        cmocka_unit_test(too_many_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
