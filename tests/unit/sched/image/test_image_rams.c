/* SPDX-License-Identifier: Apache-2.0 */
/* test_image_rams: the initial content of each memory, written to files and read back.
 *
 * State space. Machines of every supported kind: all settings and programs, several columns,
 * routers with one read and with two, self-timed routers. Words are random, at random legal
 * addresses, including addresses of all nodes and several words at one address. Written, read and
 * written again, every file is the same; words whose place in a memory is known are compared with
 * lines in this file, derived from the RTL by hand. (tests/cli/init.sh compares machines that are
 * initialised from these files with machines that a host loads.)
 *
 * Counter-cases. A file that is missing, is truncated, has an extra line, lacks a digit or has a
 * character that is not a digit; registers that contradict the header, are truncated, or have an
 * extra line; a self-timed hypercube; a full disk. Addresses without a word contain zeros.
 */
#include "sched/base/rng.h"
#include "sched/image/image_rams.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/image_lab.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED UINT64_C(20240612)
#define WORDS 2000

/* The fields of a header after the version, up to the registers of the run. */
static const char *const headers[] = {
    "// machine benes:8,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64\n"
    "// run rows=5 flits=4 row-cycles=9\n@00000008 00000005 00000004 00000009\n// end 3\n",
    "// machine benes:70,pipe=1,pad=0 width=31 packets=2 flits=2 rows=4\n"
    "// run rows=2 flits=2 row-cycles=15\n@00000008 00000002 00000002 0000000f\n// end 3\n",
    "// machine clos:9,9,8,pipe=1,pad=0 width=1 packets=4 flits=2 rows=8\n"
    "// run rows=2 flits=2 row-cycles=5\n@00000008 00000002 00000002 00000005\n// end 3\n",
    "// machine benes:5,pipe=1,pad=0 width=16 packets=16 flits=4 rows=64 settings=tags tables=0 "
    "programs=computed beats=8\n"
    "// run rows=20 flits=4 row-cycles=9 period=5 first=2 packets=16\n"
    "@00000008 00000014 00000004 00000009 @0000000e 00020005 00000010\n// end 5\n",
    "// machine benes:8,pipe=1,pad=0 width=16 packets=16 flits=4 rows=64 settings=masks tables=8 "
    "programs=stored beats=8\n"
    "// run rows=20 flits=4 row-cycles=9 period=5 first=2 packets=16\n"
    "@00000008 00000014 00000004 00000009 @0000000e 00020005 00000010\n// end 5\n",
    "// machine fat-tree,pad=1 width=16 packets=16 flits=8 rows=64\n"
    "// run rows=5 flits=4 row-cycles=5\n"
    "// tree 2,3 capacity=1,2 depth=4,5 queue=0,0 reads=3 ports=single\n"
    "@00000008 00000005 00000004 00000005 @0000000c 00000001\n// end 4\n",
    "// machine fat-tree-auto,pad=1 width=16 packets=16 flits=8 rows=64\n"
    "// run rows=5 flits=4 row-cycles=17\n"
    "// tree 2,3 capacity=1,2 depth=4,5 queue=6,7 reads=2 ports=multi\n"
    "@00000008 00000005 00000004 00000011 @0000000c 00000000\n// end 4\n",
    "// machine cube,pad=0 width=8 packets=4 flits=2 rows=4\n"
    "// run rows=2 flits=2 row-cycles=2\n"
    "// cube 2 depth=4 reads=2\n"
    "@00000008 00000002 00000002 00000002 @0000000c 00000000\n// end 4\n",
    "// machine cube,pad=0 width=8 packets=4 flits=2 rows=4\n"
    "// run rows=2 flits=2 row-cycles=2\n"
    "// cube 2 depth=4 reads=1\n"
    "@00000008 00000002 00000002 00000002 @0000000c 00000000\n// end 4\n",
    "// machine cube,pad=0 width=8 packets=4 flits=2 rows=4\n"
    "// run rows=2 flits=2 row-cycles=2\n"
    "// cube 2 depth=1 reads=1\n"
    "@00000008 00000002 00000002 00000002 @0000000c 00000000\n// end 4\n",
    "// machine benes:8,pipe=1,pad=0 width=16 packets=16 flits=8 rows=64 combine=2\n"
    "// run rows=6 flits=4 row-cycles=10 operator=sum\n"
    "@00000008 00000006 00000004 0000000a @00000012 00000000\n// end 4\n",
    "// machine fat-tree,pad=0 width=8 packets=4 flits=2 rows=4 combine=1\n"
    "// run rows=2 flits=2 row-cycles=3 operator=max\n"
    "// tree 2 capacity=1 depth=4 queue=0 reads=2 ports=multi\n"
    "@00000008 00000002 00000002 00000003 @0000000c 00000000 @00000012 00000003\n// end 5\n",
};
/* Numbers of memories: three for each endpoint, two if self-timed; the columns of each stage, and
 * one for a setting index; two for each router, one if it has one read, none if self-timed.
 * benes:70 has 13 stages of 35 switches, 32 to a column; clos:9,9,8 has three stages of 72 outputs,
 * 8 to a column. */
static const unsigned memories[] = {
    8 * 3 + 5, 70 * 3 + 13 * 2, 72 * 3 + 3 * 9, 5 * 3 + 1, 8 * 3 + 5 + 1, 6 * 3 + 4 * 2,
    6 * 2,     8 * 3 + 4 * 2,   8 * 3 + 4,      8 * 3 + 4, 8 * 3 + 5,     2 * 3 + 2,
};
#define MACHINES (sizeof headers / sizeof *headers)
enum { BENES, CUBE = 7, APART = 10, COMBINING = 11 };

static void make(size_t which, struct image *image)
{
    char text[2048];
    struct err err = {0};
    snprintf(text, sizeof text, "// roundcast-image 1\n%s", headers[which]);
    support_true(image_lab_read(text, strlen(text), image, &err), &err);
}

static void put(struct image *image, uint32_t address, uint32_t word)
{
    struct err err = {0};
    support_true(image_append(image, address, word, &err), &err);
}

static void put_random(struct rng *rng, struct image *image)
{
    for (unsigned count = 0; count < WORDS;) {
        uint32_t address = ((uint32_t)rng_next(rng) & UINT32_C(0xf0000fff));
        if (address > MACHINE_RUN_PACKETS && machine_has_address(&image->machine, address)) {
            put(image, address, (uint32_t)rng_next(rng));
            count++;
        }
    }
}

static FILE *open_in(const char *folder, const char *name, const char *how)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, how);
    assert_non_null(file);
    return file;
}

/* Writes all files of an image into a folder. */
static void write_files(const char *folder, const struct image *image)
{
    struct err err = {0};
    struct image_rams *rams = image_rams_new(image, &err);
    assert_non_null(rams);
    FILE *file = open_in(folder, "registers.mem", "w");
    support_true(image_write(file, "registers.mem", image, IMAGE_MEM, &err), &err);
    fclose(file);
    for (uint32_t which = 0; which < image_rams_count(&image->machine); which++) {
        struct image_ram ram;
        image_ram(&image->machine, which, &ram);
        file = open_in(folder, ram.name, "w");
        support_true(image_ram_write(file, ram.name, rams, &ram, &err), &err);
        fclose(file);
    }
    free(rams);
}

static bool read_files(const char *folder, struct image *image, struct err *err)
{
    char path[256];
    snprintf(path, sizeof path, "%s/registers.mem", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bool read = image_read(file, path, image, err);
    fclose(file);
    return read;
}

static char *text_of(const char *folder, const char *name)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_in(folder, name, "r");
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

struct folders {
    char a[32], b[32];
};

static int set_up(void **state)
{
    static struct folders folders;
    strcpy(folders.a, "/tmp/rams-a-XXXXXX");
    strcpy(folders.b, "/tmp/rams-b-XXXXXX");
    *state = &folders;
    return mkdtemp(folders.a) == NULL || mkdtemp(folders.b) == NULL;
}

/* Removes the files of one machine. */
static void clear(const char *folder, const struct machine *machine)
{
    char path[256];
    for (uint32_t which = 0; which < image_rams_count(machine); which++) {
        struct image_ram ram;
        image_ram(machine, which, &ram);
        snprintf(path, sizeof path, "%s/%s", folder, ram.name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/registers.mem", folder);
    unlink(path);
}

static int tear_down(void **state)
{
    const struct folders *folders = *state;
    return rmdir(folders->a) != 0 || rmdir(folders->b) != 0;
}

static void files_survive(void **state)
{
    const struct folders *folders = *state;
    struct rng rng = {SEED};
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (size_t which = 0; which < MACHINES; which++) {
        struct image image, again;
        struct err err = {0};
        make(which, &image);
        put_random(&rng, &image);
        write_files(folders->a, &image);
        support_true(read_files(folders->a, &again, &err), &err);
        assert_int_equal(image_rams_count(&image.machine), memories[which]);
        image_lab_same_machine(&again.machine, &image.machine);
        assert_memory_equal(&again.run, &image.run, sizeof again.run);
        write_files(folders->b, &again);
        for (uint32_t k = 0; k < image_rams_count(&image.machine); k++) {
            struct image_ram ram;
            image_ram(&image.machine, k, &ram);
            char *first = text_of(folders->a, ram.name), *second = text_of(folders->b, ram.name);
            assert_string_equal(first, second);
            free(first);
            free(second);
        }
        clear(folders->a, &image.machine);
        clear(folders->b, &image.machine);
        image_free(&image);
        image_free(&again);
    }
}

/* Checks line `line`, from 0, of a file. */
static void has_line(const char *folder, const char *name, unsigned line, const char *expected)
{
    char *text = text_of(folder, name), *at = text;
    while (line-- > 0)
        at = strchr(at, '\n') + 1;
    *strchr(at, '\n') = '\0';
    assert_string_equal(at, expected);
    free(text);
}

static void has_lines(const char *folder, const char *name, unsigned expected)
{
    char *text = text_of(folder, name);
    unsigned lines = 0;
    for (const char *at = text; *at != '\0'; at++)
        lines += *at == '\n';
    assert_int_equal(lines, expected);
    free(text);
}

/* 16 slots are 4 bits; a word of 16 bits and its held bit have 5 digits; a row of 8 ports has 4
 * switches. A later word replaces an earlier one, also if it is for all nodes. */
static void words_stand_where_the_network_has_them(void **state)
{
    const char *folder = ((const struct folders *)*state)->a;
    struct image image;
    make(BENES, &image);
    put(&image, UINT32_C(0x10000000) | 2 << 6 | 3, 0xfffffff5);
    put(&image, UINT32_C(0x20000000) | 1 << 6 | 5, 0x80000003);
    put(&image, UINT32_C(0x30000000) | 7 << 6 | 5, 0xc0000002);
    put(&image, UINT32_C(0x40000000) | 1 << 7 | 2 << 3 | 1, 0x8000be91);
    put(&image, UINT32_C(0xc0000000) | 2 << 3 | 2, 0x80000001);
    put(&image, UINT32_C(0xa0000000) | 5, 0x00000007);
    put(&image, UINT32_C(0x20000000) | 2 << 6 | 5, 0x8000000f);
    write_files(folder, &image);
    has_line(folder, "table-0002-0000.mem", 3, "5");
    has_line(folder, "table-0003-0000.mem", 3, "0");
    has_line(folder, "send-0001.mem", 5, "07");
    has_line(folder, "send-0002.mem", 5, "1f");
    has_line(folder, "send-0002.mem", 6, "00");
    has_line(folder, "receive-0007.mem", 5, "32");
    has_line(folder, "packets-0001.mem", 17, "1be91");
    has_lines(folder, "packets-0001.mem", 16 * 8);
    has_lines(folder, "send-0001.mem", 64);
    has_lines(folder, "table-0002-0000.mem", 64);
    has_line(folder, "packets-0004.mem", 18, "10001");
    clear(folder, &image.machine);
    image_free(&image);
}

/* Two ports with two reads: sources and slots are 2 bits, an entry {valid, source, slot} is 5 bits;
 * the columns are {port, read}; read 1 has a memory of its own, with one slot for each entry. */
static void words_stand_where_a_router_has_them(void **state)
{
    const char *folder = ((const struct folders *)*state)->a;
    struct image image;
    make(CUBE, &image);
    const uint32_t row = UINT32_C(0x10000000) | (1 << 2 | 3) << 2;
    put(&image, row | 0, 0x80030002);
    put(&image, row | 1, 0x00000003);
    put(&image, row | 2, 0x80010001);
    put(&image, row | 3, 0x00000001);
    write_files(folder, &image);
    has_line(folder, "table-0001-0000.mem", 3, "2be");
    has_line(folder, "table-0001-0001.mem", 3, "7");
    has_line(folder, "table-0000-0000.mem", 3, "000");
    clear(folder, &image.machine);
    image_free(&image);
}

/* The same with an entry {valid, result, operand, source, slot} of 7 bits. */
static void words_stand_where_a_combining_router_has_them(void **state)
{
    const char *folder = ((const struct folders *)*state)->a;
    struct image image;
    make(COMBINING, &image);
    const uint32_t row = UINT32_C(0x10000000) | 3 << 2;
    put(&image, row | 0, 0xe0030002);
    put(&image, row | 1, 0x00000003);
    put(&image, row | 2, 0xa0010001);
    put(&image, row | 3, 0x00000001);
    write_files(folder, &image);
    has_line(folder, "table-0000-0000.mem", 3, "2afe");
    has_line(folder, "table-0000-0001.mem", 3, "7");
    has_line(folder, "table-0000-0000.mem", 2, "0000");
    clear(folder, &image.machine);
    image_free(&image);
}

/* An entry of a send program is {valid, received, combine, slot}, one of a receive program {valid,
 * more, combine, own, slot}. */
static void words_of_nodes_that_keep_received_apart(void **state)
{
    const char *folder = ((const struct folders *)*state)->a;
    struct image image;
    make(APART, &image);
    put(&image, UINT32_C(0x20000000) | 1 << 6 | 5, 0xe0000003);
    put(&image, UINT32_C(0x30000000) | 7 << 6 | 5, 0x90000002);
    write_files(folder, &image);
    has_line(folder, "send-0001.mem", 5, "73");
    has_line(folder, "receive-0007.mem", 5, "92");
    clear(folder, &image.machine);
    image_free(&image);
}

/* Replaces the text of one file and checks that it is rejected. */
static void refused(const char *folder, const char *name, const char *text, enum err_code code,
                    const char *where, const char *what)
{
    struct image image;
    struct err err = {0};
    char *good = text_of(folder, name);
    FILE *file = open_in(folder, name, "w");
    fputs(text, file);
    fclose(file);
    if (read_files(folder, &image, &err))
        fail_msg("%s with '%s' was read", name, text);
    support_error(&err, code, where, what);
    assert_null(image.word);
    file = open_in(folder, name, "w");
    fputs(good, file);
    fclose(file);
    free(good);
}

static void bad_files_are_refused(void **state)
{
    const char *folder = ((const struct folders *)*state)->a;
    struct image image, again;
    struct err err = {0};
    char path[256];
    make(CUBE, &image);
    write_files(folder, &image);
    refused(folder, "send-0003.mem", "0\n0\n0\n", ERR_CUT, "send-0003.mem:4: ", "expected 4 lines");
    refused(folder, "send-0003.mem", "0\n0\n0\n0", ERR_SYNTAX, "send-0003.mem:4: ", "expected 1 ");
    refused(folder, "send-0003.mem", "0\n0\n0\n0\n0\n", ERR_SYNTAX, "send-0003.mem:5: ", "nothing");
    refused(folder, "send-0003.mem", "0\n00\n0\n0\n", ERR_SYNTAX,
            "send-0003.mem:2: ", "expected 1 digit in hexadecimal");
    refused(folder, "send-0003.mem", "0\n8\n0\n0\n", ERR_SYNTAX,
            "send-0003.mem:2: ", "expected 1 digit in hexadecimal, of 3 bits");
    refused(folder, "table-0002-0000.mem", "000\n00\n000\n000\n", ERR_SYNTAX,
            "table-0002-0000.mem:2: ", "expected 3 digits in hexadecimal, of 10 bits");
    refused(folder, "table-0002-0000.mem", "000\n00g\n000\n000\n", ERR_SYNTAX,
            "table-0002-0000.mem:2: ", "not a word of the memory");
    char *registers = text_of(folder, "registers.mem");
    *strstr(registers, "00000002\n") = '1';
    refused(folder, "registers.mem", registers, ERR_IMAGE,
            "registers.mem:13: ", "another line; expected '00000002'");
    registers[strlen(registers) - strlen("// end 32\n")] = '\0';
    *strstr(registers, "10000002\n") = '0';
    refused(folder, "registers.mem", registers, ERR_IMAGE, "registers.mem:37: ", "// end 32");
    free(registers);
    registers = text_of(folder, "registers.mem");
    registers = realloc(registers, strlen(registers) + 2);
    assert_non_null(registers);
    strcat(registers, "\n");
    refused(folder, "registers.mem", registers, ERR_SYNTAX,
            "registers.mem:38: ", "something after the end");
    free(registers);
    refused(folder, "registers.mem",
            "// roundcast-image 1 mem\n"
            "// machine cube-auto,pad=0 width=16 packets=32 flits=8 rows=64\n"
            "// run rows=64 flits=4 row-cycles=9\n// cube 3 depth=16 queue=16\n",
            ERR_UNSUPPORTED, "image: mem is not available for cube-auto",
            "expected another network");
    snprintf(path, sizeof path, "%s/packets-0007.mem", folder);
    unlink(path);
    assert_false(read_files(folder, &again, &err));
    support_error(&err, ERR_READ, "packets-0007.mem: cannot open", "expected a file to read");
    clear(folder, &image.machine);
    image.machine.kind = MACHINE_CUBE_AUTO;
    assert_false(image_rams_check(&image.machine, &err));
    support_error(&err, ERR_UNSUPPORTED, "image: mem is not available for cube-auto",
                  "expected another network");
    image_free(&image);
}

/* An image without words gives memories of zeros; a full disk is reported. */
static void memories_are_written_whole(void **state)
{
    const char *folder = ((const struct folders *)*state)->a;
    struct image image;
    struct image_ram ram;
    struct err err = {0};
    make(CUBE, &image);
    image.count = 0;
    write_files(folder, &image);
    has_line(folder, "table-0001-0000.mem", 3, "000");
    clear(folder, &image.machine);
    struct image_rams *rams = image_rams_new(&image, &err);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(rams);
    assert_non_null(full);
    setvbuf(full, NULL, _IONBF, 0);
    image_ram(&image.machine, 0, &ram);
    assert_false(image_ram_write(full, "name", rams, &ram, &err));
    support_error(&err, ERR_WRITE, "name: cannot write", "expected a file that can be written");
    fclose(full);
    free(rams);
    image_free(&image);
}

/* An image may begin with a word of a memory: all 5 bits of the first entry of a row are set. */
static void the_first_word_counts(void **state)
{
    const char *folder = ((const struct folders *)*state)->a;
    struct image image;
    make(CUBE, &image);
    image.count = 0;
    put(&image, machine_table_address(&image.machine, 1, 2, 0), UINT32_MAX);
    write_files(folder, &image);
    has_line(folder, "table-0001-0000.mem", 2, "01f");
    clear(folder, &image.machine);
    image_free(&image);
}

/* The other files are found in the folder of registers.mem, also if registers.mem is given without
 * a folder. */
static void files_stand_beside(void **state)
{
    const char *folder = ((const struct folders *)*state)->a;
    struct image image, again;
    struct err err = {0};
    char here[4096];
    make(CUBE, &image);
    write_files(folder, &image);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    FILE *file = fopen("registers.mem", "r");
    assert_non_null(file);
    support_true(image_read(file, "registers.mem", &again, &err), &err);
    fclose(file);
    assert_int_equal(chdir(here), 0);
    image_lab_same_machine(&again.machine, &image.machine);
    clear(folder, &image.machine);
    image_free(&again);
    image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_survive),
        cmocka_unit_test(words_stand_where_the_network_has_them),
        cmocka_unit_test(words_stand_where_a_router_has_them),
        cmocka_unit_test(words_stand_where_a_combining_router_has_them),
        cmocka_unit_test(words_of_nodes_that_keep_received_apart),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(memories_are_written_whole),
        cmocka_unit_test(the_first_word_counts),
        cmocka_unit_test(files_stand_beside),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
