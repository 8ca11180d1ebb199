/* SPDX-License-Identifier: Apache-2.0 */
/* serial: the frames and answers of a machine's serial line (rtl/bus/rc_uart.sv), and the levels of
 * the line itself. */
#ifndef ROUNDCAST_SERIAL_H
#define ROUNDCAST_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIAL_FRAME 10 /* bytes */
#define SERIAL_ANSWER 6
#define SERIAL_BAUD 1000000
#define SERIAL_DIVIDER 12 /* cycles of a bit, of a clock of 12 MHz */

enum serial_what { SERIAL_READ = 'R', SERIAL_WRITE = 'W', SERIAL_RESET = 'X' };

/* The CRC-8 of the bytes; that of a whole frame or answer is 0. */
uint8_t serial_check(const uint8_t bytes[], size_t count);

void serial_frame(enum serial_what what, uint32_t address, uint32_t word,
                  uint8_t frame[SERIAL_FRAME]);

/* Was it done? *word is what was read. */
bool serial_answer(const uint8_t answer[SERIAL_ANSWER], uint32_t *word);

/* Bytes on their way out: serial_level is the line in a cycle. */
struct serial_sender {
    const uint8_t *next;
    size_t left; /* bytes behind the one that goes */
    unsigned bits, cycle;
    uint16_t levels; /* of the byte that goes, the next bit first */
};

bool serial_level(struct serial_sender *sender);

/* Bytes on their way in: true when one is whole, with its stop bit. */
struct serial_receiver {
    unsigned bits, cycle;
    uint16_t levels;
};

bool serial_hear(struct serial_receiver *receiver, bool level, uint8_t *byte);

#endif
