/* SPDX-License-Identifier: Apache-2.0 */
/* pty: connects a simulated chip to a pseudo-terminal, in place of a board.
 *
 *     pty CHIP.so
 *
 * Prints the name of the terminal, then clocks the chip, whether or not a program has the terminal
 * open, until it is terminated.
 */
#include "testbench/board/chip.h"
#include "testbench/board/serial.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#define CYCLES 1000 /* cycles between two polls of the terminal */
#define QUIET 10    /* polls without any activity before polling waits */
#define QUIET_MILLISECONDS 10

/* The master end of a raw terminal. The slave end is kept open, so that programs can connect
 * repeatedly. */
static int open_terminal(void)
{
    struct termios how;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        return -1;
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (slave < 0 || tcgetattr(slave, &how) != 0)
        return -1;
    cfmakeraw(&how);
    return tcsetattr(slave, TCSANOW, &how) == 0 ? master : -1;
}

/* Clocks the chip and passes bytes between it and the terminal, which is polled every CYCLES
 * cycles. Waits for input while nothing happens. */
static void serve(const struct chip_library *library, void *chip, int terminal)
{
    struct serial_sender sender = {0};
    struct serial_receiver receiver = {0};
    struct chip_pins pins;
    uint8_t in[64], byte;
    for (unsigned quiet = 0;; quiet++) {
        struct pollfd wait = {.fd = terminal, .events = POLLIN};
        if (sender.left + sender.bits == 0 &&
            poll(&wait, 1, quiet > QUIET ? QUIET_MILLISECONDS : 0) == 1) {
            ssize_t got = read(terminal, in, sizeof in);
            sender = (struct serial_sender){.next = in, .left = got > 0 ? (size_t)got : 0};
        }
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            library->step(chip, serial_level(&sender), &pins);
            if (serial_hear(&receiver, pins.tx, &byte) && write(terminal, &byte, 1) != 1)
                return;
            if (pins.run || sender.bits + receiver.bits > 0)
                quiet = 0;
        }
    }
}

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    const struct chip_library *entry = library == NULL ? NULL : dlsym(library, "chip_entry");
    if (entry == NULL) {
        fprintf(stderr, "pty: %s; usage: pty CHIP.so\n", argc == 2 ? dlerror() : "no chip");
        return 2;
    }
    int terminal = open_terminal();
    void *chip = entry->create();
    if (terminal < 0 || chip == NULL) {
        perror("pty");
        return 2;
    }
    printf("%s\n", ptsname(terminal));
    fflush(stdout);
    serve(entry, chip, terminal);
    return 1;
}
