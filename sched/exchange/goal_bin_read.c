/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/exchange/goal_bin.h"

#include "sched/base/text.h"
#include "sched/exchange/goal_program.h"

#include <endian.h>
#include <inttypes.h>
#include <string.h>

/* The offsets in an operation. */
enum { AT_KIND = 4, AT_PEER = 5, AT_BYTES = 9, AT_TAG = 17, AT_ENDED = 23, AT_BEGUN = 31 };

static const enum goal_kind kinds[] = {GOAL_SEND, GOAL_RECV, GOAL_CALC};

/* The section of a rank. */
struct section {
    const char *root, *operation, *appendix;
    uint32_t operations, roots;
    uint64_t entries;
    size_t first; /* its first operation in the program */
};

struct binary {
    const struct document *document;
    struct goal *goal;
    struct section section; /* of `rank` */
    uint32_t rank;
};

static uint32_t get_u32(const char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return le32toh(word);
}

static uint64_t get_u64(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return le64toh(word);
}

/* Checks the header, up to the table of sections, and takes the number of ranks. */
static bool read_header(struct binary *binary, struct err *err)
{
    const struct document *document = binary->document;
    const char *text = document->text;
    if (document->size < GOAL_BIN_HEAD)
        return document_wrong(document, text + document->size, err, ERR_CUT,
                              "the file ends in its header; expected %d bytes", GOAL_BIN_HEAD);
    if (get_u64(text) == GOAL_BIN_USED_UP)
        return document_wrong(document, text, err, ERR_VERSION,
                              "a run of LogGOPSim that saves memory has used up the file; expected "
                              "a new one of txt2bin");
    if (get_u64(text) != GOAL_BIN_MAGIC)
        return document_wrong(document, text, err, ERR_VERSION,
                              "%" PRIu64 "; expected %u, which begins binary GOAL", get_u64(text),
                              GOAL_BIN_MAGIC);
    const uint32_t ranks = get_u32(text + GOAL_BIN_BASE);
    if (ranks < 2 || ranks > SCHEDULE_MAX_NODES)
        return document_wrong(document, text + GOAL_BIN_BASE, err, ERR_FIELD_RANGE,
                              "%" PRIu32 " ranks; expected 2 … %" PRIu32, ranks,
                              SCHEDULE_MAX_NODES);
    binary->goal->ranks = ranks;
    return document->size - GOAL_BIN_HEAD >= (size_t)GOAL_BIN_ENTRY * ranks ||
           document_wrong(document, text + document->size, err, ERR_CUT,
                          "the file ends in the table of %" PRIu32 " sections", ranks);
}

/* Finds the section of the rank, which must begin at `begin`, and checks its size. Sets *begin to
 * its end. */
static bool find_section(struct binary *binary, uint64_t *begin, struct err *err)
{
    const struct document *document = binary->document;
    struct section *section = &binary->section;
    const char *base = document->text + GOAL_BIN_BASE;
    const char *entry = document->text + GOAL_BIN_HEAD + (size_t)GOAL_BIN_ENTRY * binary->rank;
    const uint64_t end = get_u64(entry + 8), most = document->size - GOAL_BIN_BASE;
    if (get_u64(entry) != *begin)
        return document_wrong(document, entry, err, ERR_ORDER,
                              "the section of rank %" PRIu32 " begins at %" PRIu64
                              "; expected %" PRIu64 ", the end of the previous one",
                              binary->rank, get_u64(entry), *begin);
    if (end > most)
        return document_wrong(document, entry + 8, err, ERR_CUT,
                              "the section of rank %" PRIu32 " ends at %" PRIu64
                              "; expected at most %" PRIu64 ", the end of the file",
                              binary->rank, end, most);
    if (end < *begin || end - *begin < GOAL_BIN_COUNTS)
        return document_wrong(document, entry + 8, err, ERR_FIELD_RANGE,
                              "the section of rank %" PRIu32 " ends at %" PRIu64
                              "; expected at least %" PRIu64,
                              binary->rank, end, *begin + GOAL_BIN_COUNTS);
    const char *at = base + *begin;
    section->operations = get_u32(at);
    section->roots = get_u32(at + 4);
    const uint64_t size = GOAL_BIN_COUNTS + (uint64_t)GOAL_BIN_INDEX * section->roots +
                          (uint64_t)GOAL_BIN_OPERATION * section->operations;
    if (size > end - *begin || (end - *begin - size) % GOAL_BIN_INDEX != 0)
        return document_wrong(document, at, err, ERR_FIELD_RANGE,
                              "%" PRIu32 " operations and %" PRIu32
                              " roots, which do not fit a section of %" PRIu64 " bytes",
                              section->operations, section->roots, end - *begin);
    section->root = at + GOAL_BIN_COUNTS;
    section->operation = section->root + (size_t)GOAL_BIN_INDEX * section->roots;
    section->appendix = section->operation + (size_t)GOAL_BIN_OPERATION * section->operations;
    section->entries = (end - *begin - size) / GOAL_BIN_INDEX;
    section->first = binary->goal->operations;
    *begin = end;
    return true;
}

/* Checks the peer and the tag of a send or a receipt. */
static bool check_message(const struct binary *binary, const struct goal_operation *operation,
                          struct err *err)
{
    const struct document *document = binary->document;
    const char *at = operation->at;
    if (operation->peer == UINT32_MAX || operation->tag == UINT32_MAX)
        return document_wrong(document, at + (operation->peer == UINT32_MAX ? AT_PEER : AT_TAG),
                              err, ERR_UNSUPPORTED,
                              "-1; expected one rank and one tag, which decide the message");
    if (operation->peer >= binary->goal->ranks)
        return document_wrong(document, at + AT_PEER, err, ERR_FIELD_RANGE,
                              "rank %" PRIu32 "; expected 0 … %" PRIu32, operation->peer,
                              binary->goal->ranks - 1);
    return operation->peer != operation->rank ||
           document_wrong(document, at + AT_PEER, err, ERR_SELF_SEND,
                          "rank %" PRIu32 " is its own peer; expected another rank",
                          operation->rank);
}

static bool read_operations(struct binary *binary, struct err *err)
{
    struct goal *goal = binary->goal;
    const struct section *section = &binary->section;
    for (uint32_t k = 0; k < section->operations; k++) {
        const char *at = section->operation + (size_t)GOAL_BIN_OPERATION * k;
        const unsigned kind = (unsigned char)at[AT_KIND];
        if (kind < 1 || kind > sizeof kinds / sizeof *kinds)
            return document_wrong(
                binary->document, at + AT_KIND, err, ERR_SYNTAX,
                "an operation of kind %u; expected 1 (send), 2 (recv) or 3 (calc)", kind);
        const struct goal_operation operation = {.kind = kinds[kind - 1],
                                                 .rank = binary->rank,
                                                 .peer = get_u32(at + AT_PEER),
                                                 .tag = get_u32(at + AT_TAG),
                                                 .bytes = get_u64(at + AT_BYTES),
                                                 .at = at,
                                                 .line = (uint32_t)goal->operations + 1};
        if ((operation.kind != GOAL_CALC && !check_message(binary, &operation, err)) ||
            !goal_add_operation(goal, &operation, err))
            return false;
    }
    return true;
}

/* Lets the operations that the appendix lists require operation k, at `at` its number of entries
 * and its first one; *sum counts the entries of all operations. */
static bool read_entries(struct binary *binary, uint32_t k, const char *at, bool immediate,
                         uint64_t *sum, struct err *err)
{
    const struct section *section = &binary->section;
    const uint32_t count = get_u32(at), first = count > 0 ? get_u32(at + GOAL_BIN_INDEX) : 0;
    *sum += count;
    if (*sum > section->entries || first > section->entries - count)
        return document_wrong(binary->document, at, err, ERR_FIELD_RANGE,
                              "%" PRIu32 " requirements from %" PRIu32
                              " on; expected an appendix of %" PRIu64,
                              count, first, section->entries);
    for (uint32_t e = 0; e < count; e++) {
        const char *entry = section->appendix + (size_t)GOAL_BIN_INDEX * (first + e);
        if (get_u32(entry) >= section->operations)
            return document_wrong(binary->document, entry, err, ERR_FIELD_RANGE,
                                  "operation %" PRIu32 "; expected one of the %" PRIu32
                                  " of rank %" PRIu32,
                                  get_u32(entry), section->operations, binary->rank);
        if (!goal_add_edge(binary->goal, section->first + get_u32(entry), section->first + k,
                           immediate, err))
            return false;
    }
    return true;
}

/* Reads the requirements of a section, and checks the number of those that each operation has. */
static bool read_requirements(struct binary *binary, struct err *err)
{
    const struct section *section = &binary->section;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < section->operations; k++) {
        const char *at = section->operation + (size_t)GOAL_BIN_OPERATION * k;
        if (!read_entries(binary, k, at + AT_ENDED, false, &sum, err) ||
            !read_entries(binary, k, at + AT_BEGUN, true, &sum, err))
            return false;
    }
    if (sum < section->entries)
        return document_wrong(binary->document, section->appendix, err, ERR_FIELD_RANGE,
                              "an appendix of %" PRIu64 " requirements; expected %" PRIu64
                              ", which the operations have",
                              section->entries, sum);
    for (uint32_t k = 0; k < section->operations; k++) {
        const struct goal_operation *operation = &binary->goal->operation[section->first + k];
        if (get_u32(operation->at) != operation->missing)
            return document_wrong(binary->document, operation->at, err, ERR_FIELD_RANGE,
                                  "an operation that waits for %" PRIu32 "; expected %" PRIu32
                                  ", as in the appendix",
                                  get_u32(operation->at), operation->missing);
    }
    return true;
}

/* Checks that the roots are the operations that require nothing, which LogGOPSim begins. */
static bool check_roots(const struct binary *binary, struct err *err)
{
    const struct section *section = &binary->section;
    uint32_t root = 0;
    for (uint32_t k = 0; k < section->operations; k++) {
        if (binary->goal->operation[section->first + k].missing > 0)
            continue;
        const char *at = section->root + (size_t)GOAL_BIN_INDEX * root;
        if (root == section->roots || get_u32(at) != k)
            return document_wrong(
                binary->document, at, err, ERR_ORDER,
                "operation %" PRIu32
                ", which requires nothing, is missing; expected it here, as a root",
                k);
        root++;
    }
    return root == section->roots ||
           document_wrong(binary->document, section->root + (size_t)GOAL_BIN_INDEX * root, err,
                          ERR_ORDER, "a root that requires others; expected %" PRIu32 " roots",
                          root);
}

static bool read_binary(struct binary *binary, struct err *err)
{
    if (!read_header(binary, err))
        return false;
    const uint64_t size = binary->document->size - GOAL_BIN_BASE;
    uint64_t end = GOAL_BIN_HEAD - GOAL_BIN_BASE + (uint64_t)GOAL_BIN_ENTRY * binary->goal->ranks;
    for (binary->rank = 0; binary->rank < binary->goal->ranks; binary->rank++)
        if (!find_section(binary, &end, err) || !read_operations(binary, err) ||
            !read_requirements(binary, err) || !check_roots(binary, err))
            return false;
    return end == size ||
           document_wrong(binary->document, binary->document->text + GOAL_BIN_BASE + end, err,
                          ERR_SYNTAX, "%" PRIu64 " byte%s after the last section; expected none",
                          size - end, text_s(size - end));
}

bool goal_bin_list(const struct document *document, struct transfers *transfers, struct err *err)
{
    struct goal goal = {.document = document};
    struct binary binary = {.document = document, .goal = &goal};
    bool read = read_binary(&binary, err) && goal_list_program(&goal, transfers, err);
    goal_free(&goal);
    return read;
}
