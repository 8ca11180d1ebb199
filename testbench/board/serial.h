/* SPDX-License-Identifier: Apache-2.0 */
/* serial: the frames and answers on a machine's serial line (rtl/bus/rc_uart.sv), and the levels of
 * the line. */
#ifndef ROUNDCAST_SERIAL_H
#define ROUNDCAST_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIAL_FRAME 10 /* bytes */
#define SERIAL_ANSWER 6
#define SERIAL_BAUD 1000000
#define SERIAL_DIVIDER 12 /* clock cycles per bit, with a clock of 12 MHz */

enum serial_what { SERIAL_READ = 'R', SERIAL_WRITE = 'W', SERIAL_RESET = 'X' };

/* Returns the CRC-8 of the bytes; the CRC-8 of a whole frame or answer is 0. */
uint8_t serial_check(const uint8_t bytes[], size_t count);

void serial_frame(enum serial_what what, uint32_t address, uint32_t word,
                  uint8_t frame[SERIAL_FRAME]);

/* Returns whether the request succeeded. Stores the word that was read in *word. */
bool serial_answer(const uint8_t answer[SERIAL_ANSWER], uint32_t *word);

/* A transmitter; serial_level returns the level of the line in a cycle. */
struct serial_sender {
    const uint8_t *next;
    size_t left; /* bytes after the one being sent */
    unsigned bits, cycle;
    uint16_t levels; /* of the byte being sent, the next bit first */
};

bool serial_level(struct serial_sender *sender);

/* A receiver; serial_hear returns true when a byte is complete, with its stop bit. */
struct serial_receiver {
    unsigned bits, cycle;
    uint16_t levels;
};

bool serial_hear(struct serial_receiver *receiver, bool level, uint8_t *byte);

#endif
