/* SPDX-License-Identifier: Apache-2.0 */
/* systemc: the machine of a Beneš network as a SystemC model. A process can have only one, because
 * SystemC elaborates once. */
#ifndef ROUNDCAST_SYSTEMC_H
#define ROUNDCAST_SYSTEMC_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of an image, in arrays with the given shapes. A row takes `row_cycles` cycles; the
 * first `flits` of them carry flits. A run changes `packet`, the memory of the nodes. */
struct systemc_work {
    uint32_t ports; /* 8, 64 or 256 */
    uint32_t stages, rows, flits, row_cycles, slots, columns;
    uint32_t *setting; /* [stages][rows][columns]: a bit per switch, 32 per word */
    uint32_t *send;    /* [ports][rows]: MACHINE_VALID and the slot of a packet */
    uint32_t *receive; /* [ports][rows]: the same */
    uint32_t *packet;  /* [ports][slots][flits]: MACHINE_VALID and the word */
};

enum systemc_form {
    SYSTEMC_SWITCHES, /* a module for each switch, a signal for each lane, as in typical RTL */
    SYSTEMC_STAGES    /* a module for each stage, a signal for all its lanes, as in csim */
};

/* Builds the model of `work`, which must outlive it. Returns false for an unsupported number of
 * ports. */
bool systemc_build(const struct systemc_work *work, enum systemc_form form);

/* Runs all rows once. Returns the number of cycles. */
uint64_t systemc_run(void);

/* The program's own main, which SystemC's main calls. */
int network_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
