/* SPDX-License-Identifier: Apache-2.0 */
/* test_exchange_chakra_et: execution traces of Chakra in their binary form.
 *
 * The bytes are written by hand from the encoding of protobuf: a key is the number of a field times
 * 8 plus its wire type, numbers have 7 bits a byte, and bytes follow their length. They have the
 * transfers of the same traces as JSON (test_exchange_chakra.c). Counter-cases: every file that is
 * cut off, and every file with one byte changed, is read or rejected without an error of memory.
 */
#include "sched/exchange/exchange.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/exchange_lab.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define META       \
    "\x07\x0a\x05" \
    "0.0.4"
/* attributes: field 10 of a node; int32_val is field 7 (0x38), int64_val field 9 (0x48), bool_val
 * field 27 (0xd8 0x01); a doc_string, field 2, is skipped */
#define DST(rank)      \
    "\x52\x0c\x0a\x08" \
    "comm_dst"         \
    "\x38" rank
#define SRC(rank)      \
    "\x52\x0c\x0a\x08" \
    "comm_src"         \
    "\x38" rank
#define SIZE           \
    "\x52\x0e\x0a\x09" \
    "comm_size"        \
    "\x48\x80"         \
    "\x01"
#define CPU            \
    "\x52\x11\x0a\x09" \
    "is_cpu_op"        \
    "\x12\x01x"        \
    "\xd8\x01\x00"
/* node: id 1 (field 1), name "n" (field 2), type (field 3) */
#define HEAD(id, type) "\x08" id "\x12\x01n\x18" type

/* rank 0 sends to rank 1, which sends on after a calculation; dependencies packed and not */
#define SEND0 HEAD("\x01", "\x05") SIZE DST("\x01") CPU
#define RECV1 HEAD("\x01", "\x06") SIZE SRC("\x00")
#define COMP1 HEAD("\x02", "\x04") "\x2a\x01\x01" /* data_deps, packed: 1 */
#define SEND1 HEAD("\x03", "\x05") "\x20\x02" /* ctrl_deps: 2 */ SIZE DST("\x02")
#define RECV2 HEAD("\x90\x01", "\x06") SIZE SRC("\x01") /* id 144 */

struct bytes {
    unsigned char at[512];
    size_t size;
};

static void add(struct bytes *bytes, const char *text, size_t size)
{
    memcpy(bytes->at + bytes->size, text, size);
    bytes->size += size;
}

/* Adds a message of a node after its length. */
#define NODE(bytes, text)                                                \
    do {                                                                 \
        assert_true(sizeof text - 1 < 128);                              \
        (bytes)->at[(bytes)->size++] = (unsigned char)(sizeof text - 1); \
        add((bytes), (text), sizeof text - 1);                           \
    } while (0)
#define TRACE(bytes) add((bytes), META, sizeof META - 1)

static void make(struct bytes *bytes)
{
    TRACE(bytes);
    NODE(bytes, SEND0);
    TRACE(bytes);
    NODE(bytes, RECV1);
    NODE(bytes, COMP1);
    NODE(bytes, SEND1);
    TRACE(bytes);
    NODE(bytes, RECV2);
}

static bool read_bytes(const struct bytes *bytes, const struct exchange_format **format,
                       struct schedule *schedule, struct err *err)
{
    FILE *file = fmemopen((void *)(uintptr_t)bytes->at, bytes->size, "rb");
    assert_non_null(file);
    const struct exchange_reading how = {.model = MODEL_SEND_RECEIVE};
    bool read = exchange_load_from(file, "file", &how, format, schedule, err);
    fclose(file);
    return read;
}

static void test_by_hand(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0};
    struct schedule schedule = {0};
    struct err err = {0};
    const struct exchange_format *format = NULL;
    make(&bytes);
    support_true(read_bytes(&bytes, &format, &schedule, &err), &err);
    assert_string_equal(format->name, "chakra-et");
    char *found = exchange_lab_write("csv", &schedule, NULL);
    assert_string_equal(found, "round,source,destination,packet\n1,0,1,1\n2,1,2,1\n");
    free(found);
    schedule_free(&schedule);
}

/* Metadata without a version, and metadata whose length is a blank, 32. */
static void test_metadata(void **state)
{
    (void)state;
    static const char *const heads[] = {"\x0f\x12\x0d\x0a\x06"
                                        "schema"
                                        "\xea\x01\x02"
                                        "v1",
                                        " \x12\x1e\x0a\x06"
                                        "schema"
                                        "\xea\x01\x13"
                                        "1.0.2-chakra.0.0.42"};
    for (unsigned which = 0; which < 2; which++) {
        struct bytes bytes = {.size = 0};
        struct schedule schedule = {0};
        struct err err = {0};
        const struct exchange_format *format = NULL;
        add(&bytes, heads[which], strlen(heads[which]));
        NODE(&bytes, SEND0);
        TRACE(&bytes);
        NODE(&bytes, RECV1);
        support_true(read_bytes(&bytes, &format, &schedule, &err), &err);
        assert_string_equal(format->name, "chakra-et");
        assert_int_equal(schedule.transfer_count, 1);
        schedule_free(&schedule);
    }
}

static void refuses(const struct bytes *bytes, enum err_code code, const char *part)
{
    struct schedule schedule = {0};
    struct err err = {0};
    const struct exchange_format *format = &exchange_chakra_et;
    assert_false(read_bytes(bytes, &format, &schedule, &err));
    assert_int_equal(err.code, code);
    assert_non_null(strstr(err.text, part));
}

static void test_refused(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0};
    TRACE(&bytes);
    NODE(&bytes, HEAD("\x01", "\x07"));
    refuses(&bytes, ERR_UNSUPPORTED, "file: byte 8: a collective, of which the trace has no");
    bytes.size = 0;
    TRACE(&bytes);
    NODE(&bytes, HEAD("\x01", "\x05") SIZE);
    refuses(&bytes, ERR_SYNTAX, "file: byte 8: no attribute comm_dst");
    bytes.size = 0;
    TRACE(&bytes);
    NODE(&bytes, HEAD("\x01", "\x05") "\x52\x15\x0a\x08"
                                      "comm_dst"
                                      "\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    refuses(&bytes, ERR_UNSUPPORTED, "file: byte 8: a negative comm_dst");
    bytes.size = 0;
    TRACE(&bytes);
    NODE(&bytes, HEAD("\x01", "\x05") "\x52\x04\x08\x05\x38\x01"); /* its name is a number */
    refuses(&bytes, ERR_SYNTAX, "file: byte 8: no attribute comm_dst");
    bytes.size = 0;
    TRACE(&bytes);
    NODE(&bytes, HEAD("\x01", "\x05") "\x2a\x01\x80"); /* a number without its end */
    refuses(&bytes, ERR_SYNTAX, "file: byte 8: a message that is no node");
    bytes.size = 0;
    make(&bytes);
    bytes.size--;
    refuses(&bytes, ERR_CUT, "the file ends in a message; expected its length and its bytes");
}

static void test_changed(void **state)
{
    (void)state;
    struct bytes whole = {.size = 0};
    make(&whole);
    size_t rejected = 0;
    for (size_t k = 0; k < 2 * whole.size; k++) {
        struct bytes bytes = whole;
        struct schedule schedule = {0};
        struct err err = {0};
        const struct exchange_format *format = &exchange_chakra_et;
        if (k < whole.size)
            bytes.size = k + 1;
        else
            bytes.at[k - whole.size] ^= 0xff;
        if (read_bytes(&bytes, &format, &schedule, &err))
            schedule_free(&schedule);
        else
            rejected++;
    }
    /* all that are cut off, and most of the others */
    assert_true(rejected > whole.size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
