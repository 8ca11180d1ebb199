/* SPDX-License-Identifier: Apache-2.0 */
/* rc_mmio: the accesses of rc_driver.h to a machine that is mapped into the memory of a processor,
 * through a bus wrapper of rtl/bus.
 *
 *     struct rc_mmio mmio;
 *     struct rc_driver driver;
 *     enum rc_result result = rc_mmio_open(&mmio, &driver, (volatile uint32_t *)0x40000000, wait);
 *
 * Freestanding C11, as rc_driver.h.
 */
#ifndef RC_MMIO_H
#define RC_MMIO_H

#include "driver/rc_driver.h"

struct rc_mmio {
    struct rc_bus bus;
    volatile uint32_t *base; /* of the wrapper */
    uint32_t field_bits;     /* FieldBits of the wrapper */
    void (*wait)(void);      /* waits for an interrupt, as `wfi` does; NULL: none */
};

/* Discovers a machine at `base`, whose FieldBits it reads from the machine. Results as those of
 * rc_driver_discover. `mmio` must exist as long as the driver. */
enum rc_result rc_mmio_open(struct rc_mmio *mmio, struct rc_driver *driver, volatile uint32_t *base,
                            void (*wait)(void));

#endif
