/* SPDX-License-Identifier: Apache-2.0 */
/* benes_any: settings of a Beneš or Waksman network of any number of ports for any partial
 * permutation.
 *
 * multistage.h draws the network and numbers its stages, lanes and switches. Powers of two may be
 * routed here, too; benes.h is faster.
 */
#ifndef ROUNDCAST_BENES_ANY_H
#define ROUNDCAST_BENES_ANY_H

#include "sched/base/err.h"
#include "sched/shape/multistage.h"

#include <stdbool.h>
#include <stdint.h>

/* Working memory of benes_any_route; opaque, reused from call to call, one per thread. */
struct benes_any;

/* Precondition: a shape of multistage_benes or multistage_waksman. E104. */
struct benes_any *benes_any_new(const struct multistage *net, struct err *err);
void benes_any_free(struct benes_any *router);

/* Set every switch so that input i reaches output to[i]; MULTISTAGE_IDLE inputs are free. Switches
 * that no circuit passes are straight, and equal rounds get equal rows, on every processor and
 * whatever the router did before.
 *     to[ports], row[stages][multistage_row_words]
 * Errors: E403 if two inputs want one output or an output is out of range (row is then undefined).
 * O(ports · log ports); no allocation. Chang and Melhem (1997). */
bool benes_any_route(struct benes_any *router, const uint32_t to[], uint32_t *row, struct err *err);

#endif
