/* SPDX-License-Identifier: Apache-2.0 */
/* test_unpack_held: which packets the memories hold from which ports of a node send.
 *
 * State space. Ports 0 … 6 in nodes of 2 and of 3 ports, the last node with fewer; packets 1 … 4.
 * Sampled with a printed seed: circuits of random ports, memories and packets, which a table of one
 * entry for each memory and packet follows beside. A packet that no memory of a node holds is held
 * from its first send by the memory that sent it.
 *
 * Counter-cases. A memory of another node, or of no port, never sends. If no memory is shared,
 * every circuit sends, and nothing is followed.
 */
#include "sched/base/rng.h"
#include "sched/image/unpack.h"
#include "sched/machine/machine_network.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/support.h"

#include <string.h>

#define SEED UINT64_C(20261128)
enum { PORTS = 7, PACKETS = 4, ROWS = 40, CIRCUITS = 3 };

static struct unpacked image_of(uint32_t shared)
{
    struct unpacked unpacked = {.run = {.rows = ROWS}};
    struct err err = {0};
    unpacked.machine = support_machine(3, 1, 0);
    unpacked.machine.log2_packets = 2;
    support_true(machine_parse_network("benes:7", &unpacked.machine, &err), &err);
    unpacked.machine.shared = shared;
    return unpacked;
}

/* The same, by the definition: holds[memory][packet]. */
struct follower {
    uint32_t shared;
    bool holds[PORTS][PACKETS + 1];
};

static bool sends(struct follower *follower, const struct circuit *circuit)
{
    bool held = false;
    if (circuit->memory >= PORTS ||
        circuit->memory / follower->shared != circuit->source / follower->shared)
        return false;
    for (uint32_t port = 0; port < PORTS; port++)
        if (port / follower->shared == circuit->source / follower->shared)
            held = held || follower->holds[port][circuit->sent];
    if (!held)
        follower->holds[circuit->memory][circuit->sent] = true;
    return follower->holds[circuit->memory][circuit->sent];
}

static struct circuit random_circuit(struct rng *rng, uint32_t shared)
{
    struct circuit circuit = {.source = rng_below(rng, PORTS),
                              .destination = rng_below(rng, PORTS),
                              .sent = 1 + rng_below(rng, PACKETS),
                              .received = rng_below(rng, PACKETS + 1)};
    circuit.memory = circuit.source - circuit.source % shared + rng_below(rng, shared);
    return circuit;
}

static void memories_hold_what_arrived(void **state)
{
    (void)state;
    struct rng rng = {SEED};
    unsigned held = 0, missing = 0;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (unsigned trial = 0; trial < 400; trial++) {
        struct follower follower = {.shared = 2 + trial % 2};
        const struct unpacked unpacked = image_of(follower.shared);
        struct unpack_held memories;
        struct err err = {0};
        support_true(unpack_held_new(&unpacked, &memories, &err), &err);
        for (uint32_t row = 0; row < ROWS; row++) {
            struct circuit circuit[CIRCUITS + 1];
            for (unsigned k = 0; k <= CIRCUITS; k++)
                circuit[k] = random_circuit(&rng, follower.shared);
            for (unsigned k = 0; k < CIRCUITS; k++) {
                const bool expected = sends(&follower, &circuit[k]);
                assert_int_equal(unpack_held_sends(&memories, &circuit[k]), expected);
                held += expected;
                missing += !expected;
            }
            unpack_held_receive(&memories, circuit, CIRCUITS);
            for (unsigned k = 0; k < CIRCUITS; k++)
                follower.holds[circuit[k].destination][circuit[k].received] = true;
        }
        unpack_held_free(&memories);
    }
    assert_true(held > 10000 && missing > 3000);
}

static void nothing_is_followed_if_none_is_shared(void **state)
{
    (void)state;
    const struct unpacked unpacked = image_of(0);
    const struct circuit circuit = {
        .source = 1, .destination = 2, .sent = 1, .received = 1, .memory = 6};
    struct unpack_held memories;
    struct err err = {0};
    support_true(unpack_held_new(&unpacked, &memories, &err), &err);
    assert_true(unpack_held_sends(&memories, &circuit));
    unpack_held_receive(&memories, &circuit, 1);
    assert_true(unpack_held_sends(&memories, &circuit));
    unpack_held_free(&memories);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memories_hold_what_arrived),
                                       cmocka_unit_test(nothing_is_followed_if_none_is_shared)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
