/* SPDX-License-Identifier: Apache-2.0 */
/* test_payload: bytes cut into packets of flits, and put together again from the words alone.
 *
 * State space. The cut is a function of width (1 … 67, exhaustive, and some up to 512), flits of a
 * packet (sampled: 1 … 9 and 64), packets (1 … 9, 16) and size (for each: 1 byte, one byte more
 * than fills all packets but the last, one less than full, full). The inverse is written here bit
 * by bit from the words' definition in payload.h and shares no code with payload_bits. The bits
 * after the last byte must be zero, and so must the bits of a part above the width.
 *
 * Counter-cases. Files that are empty, unreadable, or one byte too large for the given flits or for
 * the maximum number of flits; each by code and text.
 */
#include "sched/base/rng.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_round_trips),
        cmocka_unit_test(flits_are_as_few_as_hold_it),
        cmocka_unit_test(random_bytes_depend_on_the_seed_alone),
        cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(unusable_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
