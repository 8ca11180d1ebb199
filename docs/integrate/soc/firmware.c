/* SPDX-License-Identifier: Apache-2.0 */
/* firmware: broadcasts the packets of an image, waits for the interrupt, and prints what arrived at
 * the last node. PACKETS and BYTES are those of the payload; a packet has FLITS flits of two bytes.
 */
#include "driver/rc_mmio.h"

#define MACHINE ((volatile uint32_t *)0x40000000)
#define CONSOLE ((volatile uint32_t *)0x20000000)

extern const uint32_t roundcast_image[][2], roundcast_image_words;

static void print(const char *text)
{
    for (; *text != '\0'; text++)
        *CONSOLE = (uint8_t)*text;
}

static void wait(void)
{
    __asm__ volatile("wfi");
}

/* Prints the bytes of a node's packets, the low byte of a flit first. Returns whether all flits are
 * held. */
static bool print_packets(const struct rc_driver *driver, uint32_t node)
{
    uint32_t left = BYTES, word[FLITS];
    for (uint32_t packet = 0; packet < PACKETS; packet++) {
        if (rc_driver_read_packet(driver, node, packet, word, FLITS) != RC_OK)
            return false;
        for (uint32_t flit = 0; flit < FLITS && left > 0; flit++) {
            if (!(word[flit] >> 31))
                return false;
            *CONSOLE = word[flit] & 0xff;
            if (--left > 0) {
                *CONSOLE = word[flit] >> 8 & 0xff;
                left--;
            }
        }
    }
    return true;
}

int main(void)
{
    struct rc_mmio mmio;
    struct rc_driver driver;
    enum rc_result result = rc_mmio_open(&mmio, &driver, MACHINE, wait);
    if (result == RC_OK)
        result = rc_driver_load(&driver, roundcast_image, roundcast_image_words);
    if (result == RC_OK)
        result = rc_driver_interrupts(&driver, true);
    if (result == RC_OK)
        result = rc_driver_start(&driver);
    if (result == RC_OK)
        result = rc_driver_wait(&driver, 100);
    if (result == RC_OK && print_packets(&driver, driver.ports - 1))
        return 0;
    print(rc_driver_text(result));
    print("\n");
    return 1;
}
