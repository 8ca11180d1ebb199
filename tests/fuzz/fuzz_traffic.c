/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_traffic: traffic that can be read is unchanged after writing it as a matrix and as entries;
 * its rounds, and its settings by any method, carry all of it, and no node sends or receives two
 * packets at once. Three bytes select the format and the decomposition; the others are the file,
 * plain or compressed.
 */
#include "sched/decompose/decompose.h"
#include "sched/traffic/traffic_read.h"
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_NODES 40 /* maximum for writing a matrix */
#define MOST_PACKETS 5000
#define MOST_SETTLED 8 /* maximum number of nodes for decomposing the traffic */

static const struct traffic_scale packets = {0};

static bool take(bool matrix, struct traffic_scale scale, uint32_t nodes, const void *bytes,
                 size_t size, struct traffic *traffic, struct err *err)
{
    char path[40];
    int file = memfd_create("input", 0);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size)
        fuzz_fail("no file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    bool read = matrix ? traffic_read_matrix(path, scale, traffic, err)
                       : traffic_read_entries(path, scale, nodes, traffic, err);
    close(file);
    return read;
}

/* -- Written and read again -------------------------------------------------------------------- */

static void write_matrix(FILE *to, const struct traffic *traffic)
{
    size_t next = 0;
    for (uint32_t source = 0; source < traffic->nodes; source++)
        for (uint32_t other = 0; other < traffic->nodes; other++) {
            bool has = next < traffic->count && traffic->entry[next].source == source &&
                       traffic->entry[next].destination == other;
            fprintf(to, "%" PRIu32 "%c", has ? traffic->entry[next].packets : 0,
                    other + 1 == traffic->nodes ? '\n' : ',');
            next += has;
        }
}

static void write_entries(FILE *to, const struct traffic *traffic)
{
    for (size_t which = 0; which < traffic->count; which++)
        fprintf(to, "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", traffic->entry[which].source,
                traffic->entry[which].destination, traffic->entry[which].packets);
}

static void check_again(bool matrix, const struct traffic *traffic)
{
    struct err err = {0};
    struct traffic again = {0};
    size_t size;
    char *text;
    FILE *to = open_memstream(&text, &size);
    (matrix ? write_matrix : write_entries)(to, traffic);
    fclose(to);
    fuzz_holds(take(matrix, packets, traffic->nodes, text, size, &again, &err), &err,
               "reading it again");
    if (again.nodes != traffic->nodes || again.count != traffic->count ||
        again.packets != traffic->packets ||
        (again.count > 0 &&
         memcmp(again.entry, traffic->entry, again.count * sizeof *again.entry) != 0))
        fuzz_fail("%zu entries of %" PRIu32 " nodes, and again %zu of %" PRIu32, traffic->count,
                  traffic->nodes, again.count, again.nodes);
    traffic_free(&again);
    free(text);
}

/* -- Rounds and settings ----------------------------------------------------------------------- */

/* The nodes that have sent and received in a round. */
struct busy {
    bool sends[MOST_NODES], receives[MOST_NODES];
};

static void check_circuit(struct busy *busy, uint32_t source, uint32_t destination)
{
    if (source == destination || busy->sends[source] || busy->receives[destination])
        fuzz_fail("%" PRIu32 " to %" PRIu32 ": one of them is busy", source, destination);
    busy->sends[source] = busy->receives[destination] = true;
}

static void check_rounds(const struct traffic *traffic, const struct traffic_load *load)
{
    struct err err = {0};
    uint32_t *round_of = NULL;
    fuzz_holds(traffic_rounds(traffic, load->degree, &round_of, &err), &err, "rounds");
    struct busy *busy = calloc(load->degree + 1, sizeof *busy);
    size_t packet = 0;
    for (size_t which = 0; which < traffic->count; which++)
        for (uint32_t k = 0; k < traffic->entry[which].packets; k++, packet++) {
            if (round_of[packet] >= load->degree)
                fuzz_fail("round %" PRIu32 " of %" PRIu64, round_of[packet], load->degree);
            check_circuit(&busy[round_of[packet]], traffic->entry[which].source,
                          traffic->entry[which].destination);
        }
    free(busy);
    free(round_of);
}

/* Checks that the settings carry all traffic, and take at least the time of the bound. */
static void check_settings(const struct traffic *traffic, const struct traffic_load *load,
                           uint64_t price, const struct decomposition *settings)
{
    uint64_t carried[MOST_SETTLED][MOST_SETTLED] = {0}, makespan = 0;
    for (size_t which = 0; which < settings->count; which++) {
        struct busy busy = {0};
        makespan += price + settings->duration[which];
        for (uint32_t source = 0; source < traffic->nodes; source++) {
            uint32_t to = settings->to[which * traffic->nodes + source];
            if (to == DECOMPOSE_IDLE)
                continue;
            if (to >= traffic->nodes)
                fuzz_fail("a circuit to node %" PRIu32, to);
            check_circuit(&busy, source, to);
            carried[source][to] += settings->duration[which];
        }
    }
    for (size_t which = 0; which < traffic->count; which++) {
        struct traffic_entry entry = traffic->entry[which];
        if (carried[entry.source][entry.destination] < entry.packets || FUZZ_FAULT)
            fuzz_fail("%" PRIu32 " to %" PRIu32 ": %" PRIu32 " packets do not fit", entry.source,
                      entry.destination, entry.packets);
    }
    if (makespan < traffic_makespan(load, (struct traffic_cost){1, price}))
        fuzz_fail("%" PRIu64 " rounds, fewer than the bound", makespan);
}

/* Decomposes the traffic by a method that requires no other program and is quick. */
static void decompose_it(const struct traffic *traffic, struct traffic_load *load, unsigned choice,
                         uint64_t price)
{
    struct err err = {0};
    struct decomposition settings = {0};
    const struct decompose_method *method = NULL;
    for (unsigned which = 0; decompose_methods[which] != NULL && which <= choice; which++)
        if (decompose_methods[which]->solver == NULL && decompose_methods[which]->fits(traffic))
            method = decompose_methods[which];
    if (method == NULL)
        return;
    fuzz_holds(traffic_load_settings(traffic, load, &err), &err, "the bound");
    fuzz_holds(decompose(method, traffic, (struct traffic_cost){1, price}, 1, &settings, &err),
               &err, method->name);
    check_settings(traffic, load, price, &settings);
    decomposition_free(&settings);
}

/* ---------------------------------------------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, data + size};
    struct err err = {0};
    struct traffic traffic = {0};
    struct traffic_load load;
    uint32_t choice = fuzz_take(&bytes, 256);
    uint64_t amount = fuzz_take(&bytes, 256), price = fuzz_take(&bytes, 256);
    struct traffic_scale scale = {0};
    *(choice & 2 ? &scale.packet_bytes : &scale.total) = choice & 4 ? amount : 0;
    if (!take(choice & 1, scale, 0, bytes.at, (size_t)(bytes.end - bytes.at), &traffic, &err)) {
        fuzz_refused(&err);
        return 0;
    }
    check_again(false, &traffic);
    if (traffic.nodes > 0 && traffic.nodes <= MOST_NODES) {
        check_again(true, &traffic);
        fuzz_holds(traffic_load(&traffic, &load, &err), &err, "the load");
        if (traffic.packets <= MOST_PACKETS)
            check_rounds(&traffic, &load);
        if (traffic.nodes <= MOST_SETTLED && traffic.count > 0 && traffic.packets <= MOST_PACKETS)
            decompose_it(&traffic, &load, choice >> 3, price);
    }
    traffic_free(&traffic);
    return 0;
}
