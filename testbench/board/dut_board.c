/* SPDX-License-Identifier: Apache-2.0 */
/* dut_board: implements dut.h with a chip, loaded through its serial line and observed at its other
 * pins.
 *
 * An access of the host takes as many cycles of the chip as its frame and its answer; for the
 * testbench they are one cycle, because the machine is idle. There are too few pins for the words
 * of all nodes, which are read sequentially. From the step after start on, which shows the first
 * cycle of the run, a step is a cycle.
 */
#include "testbench/board/chip.h"
#include "testbench/board/serial.h"
#include "testbench/engine/dut.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef BOARD_PORTS /* the parameters of the bitstream */
#define BOARD_PORTS 8
#define BOARD_PACKETS 16
#define BOARD_FLITS 8
#define BOARD_ROWS 64
#endif
#define AWAKE 256        /* cycles from power-up or reset until the machine accepts frames */
#define PATIENCE 100000  /* cycles until a missing answer counts as lost */
#define START_ADDRESS 11 /* the status register */
#define READ_LATENCY 3   /* steps, equal to that of the host port */
#define PACKET_BITS ((unsigned)__builtin_ctz(BOARD_PACKETS))
#define FLIT_BITS ((unsigned)__builtin_ctz(BOARD_FLITS))
#define ROW_BITS ((unsigned)__builtin_ctz(BOARD_ROWS))
#define PIN_BITS (4 + PACKET_BITS) /* of a node: valid, three flags, packet */

struct board {
    void *chip;
    struct chip_pins pins;
    struct serial_sender sender;
    struct serial_receiver receiver;
    uint8_t frame[SERIAL_FRAME], answer[SERIAL_ANSWER];
    unsigned heard;    /* bytes of the answer received */
    bool owed;         /* an answer is outstanding */
    bool reset, shown; /* the testbench holds the chip in reset; the next step shows the pins
                        * without a clock edge */
    uint32_t read[READ_LATENCY]; /* words, the newest first */
    bool asked;                  /* words of all nodes were requested, which the next step shows */
    uint32_t words[BOARD_PORTS];
    uint32_t obs[BOARD_PORTS];
};

static void clock_chip(struct board *board)
{
    uint8_t byte;
    chip_entry.step(board->chip, serial_level(&board->sender), &board->pins);
    if (!serial_hear(&board->receiver, board->pins.tx, &byte) || !board->owed)
        return;
    board->answer[board->heard++] = byte;
    board->owed = board->heard < SERIAL_ANSWER;
}

static void clock_many(struct board *board, unsigned cycles)
{
    for (unsigned k = 0; k < cycles; k++)
        clock_chip(board);
}

/* Steps until all frames are answered. */
static void await_answer(struct board *board)
{
    for (unsigned k = 0; board->owed && k < PATIENCE; k++)
        clock_chip(board);
}

/* Sends a frame when all earlier frames are answered. */
static void put(struct board *board, enum serial_what what, uint32_t address, uint32_t word)
{
    await_answer(board);
    serial_frame(what, address, word, board->frame);
    board->sender = (struct serial_sender){.next = board->frame, .left = SERIAL_FRAME};
    board->heard = 0;
    board->owed = true;
}

static void send_request(struct board *board, enum serial_what what, uint32_t address,
                         uint32_t word)
{
    put(board, what, address, word);
    await_answer(board);
}

static uint32_t read_word(struct board *board, uint32_t address)
{
    uint32_t word;
    send_request(board, SERIAL_READ, address, 0);
    return serial_answer(board->answer, &word) ? word : 0;
}

static void reset(struct board *board)
{
    clock_many(board, AWAKE);
    send_request(board, SERIAL_RESET, 0, 0);
    clock_many(board, AWAKE);
}

/* Starts the run and stops the clock when the pins show its first cycle, which the next step
 * reports. */
static void start(struct board *board)
{
    put(board, SERIAL_WRITE, START_ADDRESS, 1);
    for (unsigned k = 0; !board->pins.run && k < PATIENCE; k++)
        clock_chip(board);
    board->shown = true;
}

static uint32_t pins_of(const struct board *board, uint32_t node)
{
    uint32_t bits = 0;
    for (unsigned k = 0; k < PIN_BITS; k++) {
        uint32_t pin = node * PIN_BITS + k;
        bits |= (board->pins.obs[pin / 32] >> pin % 32 & 1) << k;
    }
    return bits;
}

/* Reads the words of all nodes one by one. The node is the highest field of an address in these
 * regions: programs, packets, flags (docs/machine.md). Flags are shifted to their place in an
 * observation. */
static void read_nodes(struct board *board, uint32_t address)
{
    const unsigned below[] = {ROW_BITS, ROW_BITS, PACKET_BITS + FLIT_BITS, 0};
    const uint32_t region = address >> 28 & 7;
    for (uint32_t node = 0; node < BOARD_PORTS; node++) {
        uint32_t word = read_word(board, (address & 0x7fffffff) | node << below[region - 2]);
        board->words[node] = region == 5 ? word << 28 : word;
    }
}

static bool of_all_nodes(uint32_t address)
{
    return address >> 28 >= 8 + 2 && address >> 28 <= 8 + 5;
}

static void show(struct board *board, bool words, struct dut_outputs *outputs)
{
    for (uint32_t node = 0; node < BOARD_PORTS; node++) {
        uint32_t bits = pins_of(board, node);
        board->obs[node] =
            words ? board->words[node] : bits >> PACKET_BITS << 28 | bits % BOARD_PACKETS;
    }
    *outputs = (struct dut_outputs){.run = board->pins.run,
                                    .done = board->pins.done,
                                    .obs_strobe = words || board->pins.strobe,
                                    .host_rdata = board->read[READ_LATENCY - 1],
                                    .obs = board->obs};
}

static void step(void *self, const struct dut_inputs *inputs, struct dut_outputs *outputs)
{
    struct board *board = self;
    bool words = board->asked;
    if (words)
        show(board, true, outputs);
    board->asked = inputs->host_re && of_all_nodes(inputs->host_addr);
    for (unsigned k = READ_LATENCY - 1; k > 0; k--)
        board->read[k] = board->read[k - 1];
    if (inputs->rst && !board->reset)
        reset(board);
    else if (inputs->host_we)
        send_request(board, SERIAL_WRITE, inputs->host_addr, inputs->host_wdata);
    else if (board->asked)
        read_nodes(board, inputs->host_addr);
    else if (inputs->host_re)
        board->read[0] = read_word(board, inputs->host_addr);
    else if (inputs->start)
        start(board);
    else if (board->shown)
        board->shown = false;
    else
        clock_chip(board);
    board->reset = inputs->rst;
    if (!words)
        show(board, false, outputs);
}

static void destroy(void *self)
{
    struct board *board = self;
    chip_entry.destroy(board->chip);
    free(board);
}

static void *create(void)
{
    struct board *board = calloc(1, sizeof *board);
    if (board == NULL || (board->chip = chip_entry.create()) == NULL) {
        free(board);
        return NULL;
    }
    clock_chip(board);
    return board;
}

static bool trace_open(void *self, const char *file, char *error, unsigned size)
{
    (void)self, (void)file;
    snprintf(error, size, "a bitstream is not traced; expected --engine rtl");
    return false;
}

static void trace_enable(void *self, bool enable)
{
    (void)self, (void)enable;
}

static bool trace_close(void *self, char *error, unsigned size)
{
    (void)self, (void)error, (void)size;
    return true;
}

__attribute__((visibility("default"))) const struct dut_library dut_entry = {
    create, {destroy, step, trace_open, trace_enable, trace_close}};
