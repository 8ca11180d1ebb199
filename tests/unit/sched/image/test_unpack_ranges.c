/* SPDX-License-Identifier: Apache-2.0 */
/* test_unpack_ranges: programs that endpoints follow, from images that no compiler writes.
 *
 * Images by hand: sources, splits of ranges in two, and the circuits of each row. Every entry of
 * the receive programs is compared with the rule of unpack_ranges.c: the node at which the range of
 * a packet begins takes it, unless it is still receiving another one. test_range_unpacked compares
 * such programs with machines.
 *
 * Counter-cases: a packet that its network leads nowhere; a range that ends after the last port; a
 * packet that arrives while another one is still arriving.
 */
#include "sched/image/unpack.h"
#include "sched/machine/machine_address.h"
#include "sched/machine/machine_run.h"
#include "sched/network/network_router.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/range_lab.h"

#define NO MULTISTAGE_IDLE

static void put(struct image *image, uint32_t address, uint32_t word)
{
    struct err err = {0};
    support_true(image_append(image, address, word, &err), &err);
}

/* Starts an image of so many rows. Of a range with up to `largest` further nodes a node keeps
 * itself and the next one, if there are several; it sends to the first node after them. */
static struct image image_of(const struct machine *machine, uint32_t rows, uint32_t packets,
                             uint32_t largest)
{
    struct image image = {.machine = *machine,
                          .run = {.rows = rows, .flits = 8, .row_cycles = 4, .packets = packets}};
    struct err err = {0};
    support_true(machine_check(machine, &err), &err);
    support_true(machine_check_run(machine, &image.run, "by hand", &err), &err);
    put(&image, machine_table_address(machine, machine_splits_bank(machine), 0, 0),
        machine_split_word(false, largest, 2));
    return image;
}

static void put_source(struct image *image, uint32_t port, uint32_t last)
{
    put(image, machine_program_address(&image->machine, MACHINE_SEND, port, 0),
        MACHINE_VALID | last);
}

/* Sets the switches of a row so that each input reaches an output, or none. */
static void put_circuits(struct image *image, uint32_t row, const uint32_t to[])
{
    const struct multistage *net = &image->machine.network;
    uint32_t setting[64];
    struct err err = {0};
    struct network_router *router = network_router_new(net, &err);
    const uint32_t words = multistage_row_words(net);
    assert_non_null(router);
    assert_true(words * multistage_stages(net) <= 64);
    support_true(network_route(router, to, setting, &err), &err);
    for (uint32_t k = 0; k < words * multistage_stages(net); k++)
        put(image, machine_table_address(&image->machine, k / words, row, k % words), setting[k]);
    network_router_free(router);
}

/* A packet that a node receives in a row and the next one. */
struct taken {
    uint32_t row, node, packet;
};

/* Checks that the nodes take these packets, and no others. */
static void takes(const struct image *image, const struct taken taken[], unsigned count)
{
    const uint32_t ports = machine_ports(&image->machine), rows = image->run.rows;
    struct unpacked unpacked;
    struct err err = {0};
    support_true(unpack_image(image, &unpacked, &err), &err);
    for (uint32_t row = 0; row < rows; row++) {
        unpack_row(&unpacked, row);
        for (uint32_t node = 0; node < ports; node++) {
            uint32_t expected = 0;
            for (unsigned k = 0; k < count; k++)
                if (taken[k].node == node && (row == taken[k].row || row == taken[k].row + 1))
                    expected =
                        MACHINE_VALID | (row == taken[k].row ? MACHINE_MORE : 0) | taken[k].packet;
            assert_int_equal(unpacked.receive[node], expected);
        }
    }
    unpack_free(&unpacked);
}

/* Crossbars need not connect an input. */
static void packets_that_are_led_nowhere(void **state)
{
    (void)state;
    struct machine machine = range_lab_machine(4);
    machine.network = multistage_clos(2, 2, 2);
    for (unsigned led = 0; led < 2; led++) {
        struct image image = image_of(&machine, 4, 1, 3);
        put_source(&image, 0, 3);
        put_circuits(&image, 0, (const uint32_t[]){led ? 2 : NO, NO, NO, NO});
        takes(&image, &(struct taken){0, 2, 0}, led);
        image_free(&image);
    }
}

/* Nodes 0 … 4 have numbers of three bits. */
static void ranges_that_end_after_the_last_port(void **state)
{
    (void)state;
    struct machine machine = range_lab_machine(5);
    machine.pipe = 5; /* one register and 3 more: 4 cycles, as long as a row */
    machine.pad = 3;
    for (uint32_t last = 2; last < 8; last++) {
        struct image image = image_of(&machine, 4, 1, 7);
        put_source(&image, 0, last);
        put_circuits(&image, 0, (const uint32_t[]){2, NO, NO, NO, NO});
        takes(&image, &(struct taken){0, 2, 0}, last < 5);
        image_free(&image);
    }
}

/* A packet takes two rows, and the relay, node 2, can send what it has received from row 3 on, in
 * odd rows. The sources send in even rows. Node 3 takes the second packet of node 1 in rows 2 and
 * 3. What the relay sends in row 3 meets a node that is still receiving; in row 5 node 3 takes it.
 */
static void packets_that_meet_another(void **state)
{
    (void)state;
    const struct machine machine = range_lab_machine(4);
    for (uint32_t row = 3; row <= 5; row += 2) {
        struct image image = image_of(&machine, 8, 3, 3);
        assert_int_equal(machine_packet_rows(&image.run), 2);
        assert_int_equal(machine_latency(&machine) / image.run.row_cycles, 1);
        put_source(&image, 0, 3);
        put_source(&image, 1, 3);
        for (uint32_t other = 0; other < 8; other++)
            put_circuits(&image, other, (const uint32_t[]){0, 1, 2, 3});
        put_circuits(&image, 0, (const uint32_t[]){2, 0, 1, 3});
        put_circuits(&image, 2, (const uint32_t[]){2, 3, 0, 1});
        put_circuits(&image, row, (const uint32_t[]){0, 1, 3, 2});
        takes(&image, (const struct taken[]){{0, 2, 0}, {2, 2, 1}, {2, 3, 0}, {5, 3, 1}},
              row == 3 ? 3 : 4);
        image_free(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_that_are_led_nowhere),
        cmocka_unit_test(ranges_that_end_after_the_last_port),
        cmocka_unit_test(packets_that_meet_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
