/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/rc_mmio.h"

/* Returns the place of a word: the highest four bits of its address follow the field. */
static volatile uint32_t *place_of(const struct rc_mmio *mmio, uint32_t address)
{
    const uint32_t field = address & UINT32_C(0x0fffffff);
    return mmio->base + ((address >> 28) << mmio->field_bits | field);
}

static bool write_pairs(void *self, const uint32_t pair[][2], size_t count)
{
    const struct rc_mmio *mmio = self;
    for (size_t k = 0; k < count; k++)
        *place_of(mmio, pair[k][0]) = pair[k][1];
    return true;
}

static bool read_words(void *self, uint32_t address, uint32_t word[], size_t count)
{
    const struct rc_mmio *mmio = self;
    const volatile uint32_t *at = place_of(mmio, address);
    for (size_t k = 0; k < count; k++)
        word[k] = at[k];
    return true;
}

static void wait_for_interrupt(void *self)
{
    const struct rc_mmio *mmio = self;
    if (mmio->wait != NULL)
        mmio->wait();
}

/* Registers are at the same place for any number of field bits. */
enum rc_result rc_mmio_open(struct rc_mmio *mmio, struct rc_driver *driver, volatile uint32_t *base,
                            void (*wait)(void))
{
    mmio->base = base;
    mmio->field_bits = RC_REGISTER_BITS;
    mmio->wait = wait;
    mmio->bus.self = mmio;
    mmio->bus.write = write_pairs;
    mmio->bus.read = read_words;
    mmio->bus.wait = wait_for_interrupt;
    enum rc_result result = rc_driver_discover(driver, &mmio->bus);
    if (result == RC_OK)
        mmio->field_bits = driver->field_bits;
    return result;
}
