/* SPDX-License-Identifier: Apache-2.0 */
/* test_payload: bytes cut into packets of flits, and put together again from the words alone.
 *
 * State space. The cut is a function of width (1 … 67, exhaustive, and some up to 512), flits of a
 * packet (sampled: 1 … 9 and 64), packets (1 … 9, 16) and size (for each: 1 byte, one byte more
 * than fills all packets but the last, one less than full, full). The inverse is written here bit
 * by bit from the words' definition in payload.h and shares no code with payload_bits. The bits
 * after the last byte must be zero, and so must the bits of a part above the width.
 *
 * A folder has a file of each node: for some sizes, packets and widths each node must begin with
 * the bytes of its own file, and with zeros after them. Headers of two flits, wider than a word, by
 * hand.
 *
 * Counter-cases. A folder whose file is missing, empty, shorter, longer, too long, or of a node
 * that does not exist, and a folder for packets that are the same at all nodes. Files that are
 * empty, unreadable, or one byte too large for the given flits or for the maximum number of flits;
 * each by code and text.
 */
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED UINT64_C(20240609)

/* Widths: all up to 67, which have one to three parts, then those around further parts. */
#define WIDTHS 73
static unsigned width_of(unsigned which)
{
    static const unsigned others[WIDTHS - 67] = {95, 96, 127, 128, 511, 512};
    return which < 67 ? which + 1 : others[which - 67];
}

/* Reassembles the bytes of the packets from their words, one bit at a time, and compares them. */
static void assert_words_hold_the_bytes(const struct payload *payload)
{
    size_t packet_bytes = payload_packet_bytes(payload), at = 0;
    assert_int_equal(packet_bytes, (size_t)payload->flits * payload->width / 8);
    for (uint32_t packet = 1; packet <= payload->packets; packet++) {
        size_t bits = (size_t)payload->flits * payload->width;
        unsigned byte = 0;
        for (size_t bit = 0; bit < bits; bit++) {
            const uint32_t in_flit = (uint32_t)(bit % payload->width), part = in_flit / 32;
            uint32_t word = payload_bits(
                payload, packet,
                (struct payload_part){.flit = (uint32_t)(bit / payload->width), .part = part});
            if (payload->width - 32 * part < 32)
                assert_int_equal(word >> (payload->width - 32 * part), 0);
            byte |= (word >> (in_flit % 32) & 1) << (bit % 8);
            if (bit % 8 != 7)
                continue;
            assert_int_equal(byte, at < payload->size ? payload->bytes[at] : 0);
            at++;
            byte = 0;
        }
        assert_int_equal(byte, 0); /* the last bits, which form no whole byte */
    }
    assert_int_equal(at, packet_bytes * payload->packets);
    assert_true(at >= payload->size);
}

static void every_width_round_trips(void **state)
{
    (void)state;
    static const uint32_t flit_counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 64},
                          packet_counts[] = {1, 2, 3, 9, 16};
    unsigned cuts = 0;
    for (unsigned which = 0; which < WIDTHS; which++)
        for (size_t f = 0; f < sizeof flit_counts / sizeof *flit_counts; f++)
            for (size_t p = 0; p < sizeof packet_counts / sizeof *packet_counts; p++) {
                const unsigned width = width_of(which);
                uint32_t flits = flit_counts[f], packets = packet_counts[p];
                size_t of_packet = (size_t)flits * width / 8, full = of_packet * packets;
                const size_t sizes[] = {1, full - of_packet + 1, full - 1, full};
                for (size_t k = 0; k < 4 && full > 0; k++) {
                    struct payload payload;
                    struct err err = {0};
                    if (sizes[k] == 0)
                        continue;
                    support_true(payload_random(SEED + k, sizes[k], &payload, &err), &err);
                    support_true(payload_cut(&payload, packets, flits, flits, width, &err), &err);
                    assert_int_equal(payload.flits, flits);
                    assert_words_hold_the_bytes(&payload);
                    payload_free(&payload);
                    cuts++;
                }
            }
    print_message("%u cuts\n", cuts);
    assert_true(cuts > 10000);
}

static void flits_are_as_few_as_hold_it(void **state)
{
    (void)state;
    for (unsigned which = 0; which < WIDTHS; which++)
        for (size_t size = 1; size <= 100; size++)
            for (uint32_t packets = 1; packets <= 5; packets++) {
                const unsigned width = width_of(which);
                struct payload payload;
                struct err err = {0};
                support_true(payload_random(SEED, size, &payload, &err), &err);
                support_true(payload_cut(&payload, packets, 0, 1000, width, &err), &err);
                assert_true(payload_packet_bytes(&payload) * packets >= size);
                assert_true((size_t)(payload.flits - 1) * width / 8 * packets < size);
                assert_words_hold_the_bytes(&payload);
                uint32_t flits = payload.flits;
                support_true(payload_cut(&payload, packets, 0, flits, width, &err), &err);
                if (flits > 1) {
                    assert_false(payload_cut(&payload, packets, 0, flits - 1, width, &err));
                    support_error(&err, ERR_PAYLOAD, "payload: ", "expected at most");
                    assert_false(payload_cut(&payload, packets, flits - 1, 1000, width, &err));
                    support_error(&err, ERR_PAYLOAD,
                                  "payload: ", "so a smaller payload or more packets");
                }
                payload_free(&payload);
            }
}

static void random_bytes_depend_on_the_seed_alone(void **state)
{
    (void)state;
    struct payload first, again, other;
    struct err err = {0};
    assert_true(payload_random(1, 1000, &first, &err) && payload_random(1, 1000, &again, &err) &&
                payload_random(2, 1000, &other, &err));
    assert_memory_equal(first.bytes, again.bytes, 1000);
    assert_memory_not_equal(first.bytes, other.bytes, 1000);
    payload_free(&first);
    payload_free(&again);
    payload_free(&other);
}

/* Writes a file of `size` pseudo-random bytes at `path`, a template of mkstemp, and returns its
 * payload. */
static struct payload write_file(char *path, size_t size)
{
    struct payload bytes;
    struct err err = {0};
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    support_true(payload_random(SEED, size ? size : 1, &bytes, &err), &err);
    FILE *file = fdopen(descriptor, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.bytes, 1, size, file), size);
    fclose(file);
    return bytes;
}

static void files_are_read_whole(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 65535, 65536, 65537, 200000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char path[] = "/tmp/roundcast-payload-XXXXXX";
        struct payload bytes = write_file(path, sizes[k]), payload;
        struct err err = {0};
        support_true(payload_read(path, sizes[k], &payload, &err), &err);
        assert_int_equal(payload.size, sizes[k]);
        assert_memory_equal(payload.bytes, bytes.bytes, sizes[k]);
        payload_free(&payload);
        if (sizes[k] > 1) {
            assert_false(payload_read(path, sizes[k] - 1, &payload, &err));
            support_error(&err, ERR_PAYLOAD, path,
                          "more bytes than the packet memory takes; expected at most");
            assert_null(payload.bytes);
        }
        unlink(path);
        payload_free(&bytes);
    }
}

static void unusable_files_are_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/roundcast-payload-XXXXXX";
    struct payload bytes = write_file(path, 0), payload;
    struct err err = {0};
    assert_false(payload_read(path, 100, &payload, &err));
    support_error(&err, ERR_PAYLOAD, "payload: ", path,
                  "the file is empty; expected at least 1 byte");
    unlink(path);
    assert_false(payload_read(path, 100, &payload, &err));
    support_error(&err, ERR_READ, "payload: ", path, "No such file", "expected a readable file");
    assert_false(payload_read("/", 100, &payload, &err));
    support_error(&err, ERR_READ, "payload: /: Is a directory; expected a readable file");
    assert_null(payload.bytes);
    payload_free(&bytes);
}

#define NODES 3

/* Writes the file of a node, whose byte k is 16 · node + k + 1. */
static void write_node(const char *folder, uint32_t node, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%u.bin", folder, (unsigned)node);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t k = 0; k < size; k++)
        assert_true(fputc((int)(16 * node + k + 1), file) != EOF);
    fclose(file);
}

static void remove_node(const char *folder, uint32_t node)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%u.bin", folder, (unsigned)node);
    unlink(path);
}

static void nodes_begin_with_their_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/roundcast-payload-XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (size_t size = 1; size <= 15; size++)
        for (uint32_t m = 1; m <= 4; m++)
            for (unsigned width = 8; width <= 24; width += 8) {
                struct payload payload;
                struct err err = {0};
                for (uint32_t node = 0; node < NODES; node++)
                    write_node(folder, node, size);
                assert_int_equal(payload_size_at(folder, NODES), NODES * size);
                support_true(payload_load(folder, NODES, NODES * size, &payload, &err), &err);
                payload.node_packets = m;
                support_true(payload_cut(&payload, NODES * m, 16, 16, width, &err), &err);
                support_true(payload_spread(&payload, &err), &err);
                support_true(payload_spread(&payload, &err), &err); /* nothing is left to do */
                const size_t of_packet = 16 * width / 8, of_flit = width / 8;
                assert_int_equal(payload.size, NODES * m * of_packet);
                for (uint32_t node = 0; node < NODES; node++)
                    for (size_t k = 0; k < m * of_packet; k++) {
                        const uint32_t packet = (uint32_t)(k / of_packet) + 1;
                        const uint32_t flit = (uint32_t)(k % of_packet / of_flit);
                        const uint32_t word = payload_word_at(&payload, node, packet, flit);
                        assert_int_equal(word >> (k % of_flit * 8) & 255,
                                         k < size ? 16 * node + k + 1 : 0);
                    }
                payload_free(&payload);
            }
    for (uint32_t node = 0; node < NODES; node++)
        remove_node(folder, node);
    rmdir(folder);
}

/* A header of two flits of 40 bits: their words are the lowest 32 bits of the flits, and the higher
 * bits are 0. The bytes follow, five in each flit. In reductions the packets of the payload are
 * those of the schedule once for each node. */
static void headers_precede_the_bytes(void **state)
{
    (void)state;
    struct payload payload;
    struct err err = {0};
    support_true(payload_random(SEED, 18, &payload, &err), &err);
    payload.header_flits = 2;
    support_true(payload_cut(&payload, 2, 4, 4, 40, &err), &err);
    payload.header = malloc(4 * sizeof *payload.header);
    assert_non_null(payload.header);
    for (uint32_t k = 0; k < 4; k++)
        payload.header[k] = 0xf0000001 + k;
    for (uint32_t packet = 1; packet <= 2; packet++)
        for (uint32_t flit = 0; flit < 4; flit++) {
            const uint32_t low = payload_bits(&payload, packet, (struct payload_part){flit, 0}),
                           high = payload_bits(&payload, packet, (struct payload_part){flit, 1});
            if (flit < 2) {
                assert_int_equal(low, 0xf0000001 + 2 * (packet - 1) + flit);
                assert_int_equal(high, 0);
                continue;
            }
            const size_t first = 10 * (packet - 1) + 5 * (flit - 2);
            for (size_t k = 0; k < 5; k++)
                assert_int_equal(k < 4 ? low >> 8 * k & 255 : high,
                                 first + k < 18 ? payload.bytes[first + k] : 0);
        }
    payload_free(&payload);
}

static void packets_of_nodes_are_packets_of_the_schedule(void **state)
{
    (void)state;
    struct payload payload = {.packets = 9};
    for (uint32_t packet = 1; packet <= 9; packet++)
        assert_int_equal(payload_schedule_packet(&payload, packet), packet);
    payload.node_packets = 3;
    static const uint32_t expected[] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
    for (uint32_t packet = 1; packet <= 9; packet++)
        assert_int_equal(payload_schedule_packet(&payload, packet), expected[packet - 1]);
}

/* Checks that the folder cannot be loaded, with a code and a part of the text. */
static void refuse_folder(const char *folder, uint32_t nodes, size_t most, enum err_code code,
                          const char *part)
{
    struct payload payload;
    struct err err = {0};
    assert_false(payload_load(folder, nodes, most, &payload, &err));
    support_error(&err, code, "payload: ", folder, part);
    assert_null(payload.bytes);
}

static void unusable_folders_are_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/roundcast-payload-XXXXXX";
    struct payload payload;
    struct err err = {0};
    assert_non_null(mkdtemp(folder));
    refuse_folder(folder, NODES, 100, ERR_READ, "/0.bin: No such file or directory");
    assert_int_equal(payload_size_at(folder, NODES), 0);
    for (uint32_t node = 0; node < NODES; node++)
        write_node(folder, node, 5);
    support_true(payload_load(folder, NODES, 15, &payload, &err), &err);
    payload_free(&payload);
    refuse_folder(folder, NODES, 14, ERR_PAYLOAD,
                  "/0.bin: more bytes than the packet memory takes");
    refuse_folder(folder, 1, 100, ERR_READ, "only in reductions; expected a file");
    refuse_folder(folder, NODES - 1, 100, ERR_PAYLOAD,
                  "/2.bin: node 2 does not exist; expected files of nodes 0 … 1");
    refuse_folder(folder, NODES + 1, 100, ERR_READ, "/3.bin: No such file or directory");
    write_node(folder, 2, 4);
    refuse_folder(folder, NODES, 100, ERR_PAYLOAD,
                  "/2.bin: 4 bytes; expected 5, the size of 0.bin");
    write_node(folder, 2, 6);
    refuse_folder(folder, NODES, 100, ERR_PAYLOAD,
                  "/2.bin: 6 bytes; expected 5, the size of 0.bin");
    write_node(folder, 1, 0);
    refuse_folder(folder, NODES, 100, ERR_PAYLOAD, "/1.bin: the file is empty");
    for (uint32_t node = 0; node < NODES; node++)
        remove_node(folder, node);
    rmdir(folder);
}

/* The system takes names of up to 4095 bytes, to which slashes lengthen the name of a folder. The
 * longest file of a node that is asked for has one byte more. */
static void long_folders_are_refused(void **state)
{
    (void)state;
    static char folder[4096];
    struct payload payload = {0};
    struct err err = {0};
    memset(folder, '/', 4090); /* and "/0.bin" */
    assert_false(payload_load(folder, 2, 100, &payload, &err));
    support_error(&err, ERR_READ, "the name is too long; expected less than 4096 bytes");
    assert_null(payload.bytes);
    assert_int_equal(payload_size_at(folder, 2), 0);
    char name[] = "/tmp/roundcast-payload-XXXXXX";
    assert_non_null(mkdtemp(name));
    memcpy(folder, name, strlen(name));
    folder[4089] = '\0'; /* "/9.bin" fits, and "/10.bin" does not */
    for (uint32_t node = 0; node < 10; node++)
        write_node(name, node, 1);
    assert_false(payload_load(folder, 9, 100, &payload, &err));
    support_error(&err, ERR_PAYLOAD, "node 9 does not exist; expected files of nodes 0 … 8");
    assert_false(payload_load(folder, 10, 100, &payload, &err));
    support_error(&err, ERR_READ, "the name is too long; expected less than 4096 bytes");
    assert_null(payload.bytes);
    for (uint32_t node = 0; node < 10; node++)
        remove_node(name, node);
    rmdir(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_begin_with_their_files),
        cmocka_unit_test(headers_precede_the_bytes),
        cmocka_unit_test(packets_of_nodes_are_packets_of_the_schedule),
        cmocka_unit_test(long_folders_are_refused),
        cmocka_unit_test(unusable_folders_are_refused),
        cmocka_unit_test(every_width_round_trips),
        cmocka_unit_test(flits_are_as_few_as_hold_it),
        cmocka_unit_test(random_bytes_depend_on_the_seed_alone),
        cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(unusable_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
