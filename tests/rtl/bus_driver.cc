/* SPDX-License-Identifier: Apache-2.0 */
/* bus_driver: the driver of driver/ on a machine behind each of the buses of rtl/bus
 * (bus_driver_top.sv, which Verilator compiles).
 *
 *     bus_driver IMAGE PACKETS FLITS
 *
 * IMAGE is an image of the form `writes` for a broadcast to all nodes. Over each bus, in this
 * order: the image is loaded and run; loaded with the parts of flits in reverse order; loaded with
 * a reset between two parts of a flit; loaded without one part, which so keeps an earlier word; run
 * slowly, while accesses of packets are rejected; and loaded without the held bit of a flit, which
 * a flag reports. Prints the packets of all nodes after each run, a line per part; the output is
 * the same for each bus. tests/cli/bus_driver.sh compares it with the payload.
 */
#include <Vbus_driver_top.h>
#include <verilated.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
#include "driver/rc_driver.h"
}

typedef std::vector<uint32_t> words;

struct pair {
    uint32_t at[2]; /* address, word */
};

static const char *const bus_names[] = {"Wishbone", "Wishbone, pipelined", "AXI4-Lite", "APB",
                                        "UART"};
enum { PATIENCE = 100000 };
static const uint32_t OLD = 0x93579bdf; /* of a part that is replaced, or not */

static Vbus_driver_top *top;

static void cycle(void)
{
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void fail(const char *what)
{
    printf("FAIL: %s\n", what);
    exit(1);
}

/* Executes an access; false if the bus reports an error. */
static bool access_machine(bool write, uint32_t address, uint32_t word, uint32_t *answer)
{
    top->req_i = 1;
    top->we_i = write;
    top->addr_i = address;
    top->wdata_i = word;
    top->eval();
    unsigned age = 0;
    for (; !top->done_o && age < PATIENCE; age++)
        cycle();
    if (age == PATIENCE)
        fail("an access without an answer");
    bool right = !top->refused_o;
    *answer = top->word_o;
    cycle();
    top->req_i = 0;
    cycle();
    return right;
}

static bool write_pairs(void *, const uint32_t pair[][2], size_t count)
{
    uint32_t none;
    for (size_t k = 0; k < count; k++)
        if (!access_machine(true, pair[k][0], pair[k][1], &none))
            return false;
    return true;
}

static bool read_words(void *, uint32_t address, uint32_t word[], size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!access_machine(false, address + (uint32_t)k, 0, &word[k]))
            return false;
    return true;
}

static void wait_for_interrupt(void *)
{
    for (unsigned k = 0; k < PATIENCE && !top->irq_o; k++)
        cycle();
}

static void reset(void)
{
    top->rst_i = 1;
    cycle();
    top->rst_i = 0;
    cycle();
    while (top->busy_o)
        cycle();
}

static void expect(rc_result result, rc_result expected, const char *what)
{
    if (result != expected) {
        printf("FAIL: %s: %s; expected: %s\n", what, rc_driver_text(result),
               rc_driver_text(expected));
        exit(1);
    }
}

/* A word of a packet of one node. */
static bool is_part(const pair &one)
{
    return one.at[0] >> 28 == 4;
}

static void load(const rc_driver *driver, const std::vector<pair> &image, const char *what)
{
    expect(rc_driver_load(driver, (const uint32_t(*)[2])image.data(), image.size()), RC_OK, what);
}

static void print_packets(const rc_driver *driver, uint32_t packets, uint32_t flits,
                          const char *what)
{
    printf("%s\n", what);
    words word(flits * driver->parts);
    for (uint32_t node = 0; node < driver->ports; node++)
        for (uint32_t slot = 0; slot < packets; slot++) {
            expect(rc_driver_read_packet(driver, node, slot, word.data(), flits), RC_OK, what);
            for (uint32_t k = 0; k < flits * driver->parts; k++)
                printf("word %08x\n", word[k]);
        }
}

/* Loads an image, runs it, waits for its end by polling, and prints the packets. */
static void run(const rc_driver *driver, const std::vector<pair> &image, uint32_t packets,
                uint32_t flits, const char *what)
{
    load(driver, image, what);
    expect(rc_driver_start(driver), RC_OK, what);
    expect(rc_driver_poll(driver, PATIENCE), RC_OK, what);
    print_packets(driver, packets, flits, what);
}

static std::vector<pair> reversed(const std::vector<pair> &image)
{
    std::vector<pair> parts, result;
    for (const pair &one : image)
        (is_part(one) ? parts : result).push_back(one);
    result.insert(result.end(), parts.rbegin(), parts.rend());
    return result;
}

/* Returns the index of the pair of part 1 of the first flit of several parts. */
static size_t second_part(const std::vector<pair> &image)
{
    for (size_t k = 1; k < image.size(); k++)
        if (is_part(image[k]) && image[k].at[0] == 0x40000001)
            return k;
    fail("an image whose source is not node 0");
    return 0;
}

/* A run of rows of 20000 cycles, in which accesses of packets are rejected. */
static void run_slowly(const rc_driver *driver, std::vector<pair> image, uint32_t packets,
                       uint32_t flits)
{
    uint32_t word;
    for (pair &one : image)
        if (one.at[0] == RC_RUN_ROW_CYCLES)
            one.at[1] = 20000;
    load(driver, image, "slowly");
    expect(rc_driver_interrupts(driver, true), RC_OK, "slowly");
    expect(rc_driver_start(driver), RC_OK, "slowly");
    for (uint32_t part = 0; part < driver->parts; part++) {
        const uint32_t address = UINT32_C(0x40000000) | part;
        if (access_machine(true, address, OLD, &word) || access_machine(false, address, 0, &word))
            fail("a part that is accessed during a run");
    }
    words packet(driver->parts);
    expect(rc_driver_read_packet(driver, 0, 0, packet.data(), 1), RC_BUS, "slowly");
    expect(rc_driver_load(driver, (const uint32_t(*)[2])image.data(), 1), RC_BUSY, "slowly");
    expect(rc_driver_wait(driver, 2), RC_OK, "slowly");
    print_packets(driver, packets, flits, "slowly");
}

/* A flit whose last part has no held bit is not sent. */
static void run_unheld(const rc_driver *driver, std::vector<pair> image)
{
    rc_error error;
    for (pair &one : image)
        if (is_part(one) && one.at[0] == (UINT32_C(0x40000000) | (driver->parts - 1)))
            one.at[1] &= 0x7fffffff;
    load(driver, image, "not held");
    expect(rc_driver_start(driver), RC_OK, "not held");
    expect(rc_driver_poll(driver, PATIENCE), RC_FLAGS, "not held");
    expect(rc_driver_error(driver, &error), RC_OK, "not held");
    printf("node %u: %s\n", error.number, rc_driver_flag(&error));
}

static void drive(uint32_t bus_number, const std::vector<pair> &image, uint32_t packets,
                  uint32_t flits)
{
    const rc_bus bus = {NULL, write_pairs, read_words, wait_for_interrupt};
    rc_driver driver;
    top->bus_i = bus_number;
    reset();
    expect(rc_driver_discover(&driver, &bus), RC_OK, "the machine");
    printf("%u ports, flits of %u bits in %u parts\n", driver.ports, driver.width, driver.parts);
    run(&driver, image, packets, flits, "in order");
    std::vector<pair> other = reversed(image);
    const size_t second = second_part(image);
    run(&driver, other, packets, flits, "in reverse order");

    /* Memories survive a reset, registers do not. */
    const std::vector<pair> first(image.begin(), image.begin() + (long)second);
    load(&driver, first, "before a reset");
    reset();
    other.assign(image.begin() + (long)second, image.end());
    for (const pair &one : image)
        if (one.at[0] >> 28 == 0)
            other.push_back(one);
    run(&driver, other, packets, flits, "with a reset between parts");

    const pair old = {{0x40000001, OLD}};
    load(&driver, std::vector<pair>(1, old), "an old part");
    other.clear();
    for (const pair &one : image)
        if ((one.at[0] & 0x7fffffff) != old.at[0])
            other.push_back(one);
    run(&driver, other, packets, flits, "without a part");
    run_slowly(&driver, image, packets, flits);
    run_unheld(&driver, image);
}

int main(int argc, char **argv)
{
    std::vector<pair> image;
    pair next;
    FILE *file = argc == 4 ? fopen(argv[1], "r") : NULL;
    if (file == NULL)
        fail("no image; expected: bus_driver IMAGE PACKETS FLITS");
    char line[256];
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%8x%8x", &next.at[0], &next.at[1]) == 2 &&
            (next.at[0] != UINT32_MAX || next.at[1] != UINT32_MAX))
            image.push_back(next);
    fclose(file);
    top = new Vbus_driver_top;
    for (uint32_t bus = 0; bus < sizeof bus_names / sizeof *bus_names; bus++) {
        printf("bus %s\n", bus_names[bus]);
        drive(bus, image, (uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]));
    }
    top->final();
    delete top;
}
