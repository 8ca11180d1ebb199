/* SPDX-License-Identifier: Apache-2.0 */
/* masks: settings of a Beneš network of N = 2^K ports that are affine in the number of the switch,
 * found for a round.
 *
 * A round that is a part of an affine map (affine.h) has settings of which those of each stage
 * follow from a mask of K bits; expand_masks.h has the rule.
 *
 * How masks are found (the derivation is our own). Let a block of 2^m lanes, number b of its level,
 * have to take lane r to A r + C b + c: A is the same for all blocks, what is added to it affine in
 * b. With m = K and b = 0 that is the map. Let r = {t, s}, where t is the top bit.
 *
 *     In      The word goes to half h = t + f(s), with a linear f, the same for all blocks. So half
 *             h is to take s to the lower bits of A {f(s), s} + h A {1, 0} + C b + c: that is of
 *             the form from which we began, with {b, h} in place of b, if the lower bits of A
 *             {f(s), s} are a bijection of s. Let a column mean its lower bits. The m columns of A
 *             have rank m - 1. If those of s alone have, f = 0. If not, one of them, i, is a sum of
 *             those before it, and the column of t is no sum of those of s: then f(s) = s_i, which
 *             adds the column of t to column i.
 *     Out     The top bit of where the word on lane q of half h goes is affine in {b, h, s}, hence
 *             in {b, h, q}. Of two words with the same b and q one goes to either half, so it is h
 *             + g(b, q): the switch is crossed by g. Each bit of q, each column of C, and c, less
 *             the sum of columns of A {f(s), s} that has the same lower bits, has its part of g in
 *             the top bit.
 *
 * A block of two lanes, m = 1, is a switch: A = 1, and it is crossed by C b + c. For example N = 4
 * and {x1, x0} → {x0, x1}: column 0 has no lower bit, so f = x0, mask 01; columns of s and t are
 * then 11 and 01. To bit 0 of q belongs the top bit of 01 + 11, which is set: g = q, mask 01. The
 * halves are switches, crossed by h: mask 01.
 */
#ifndef ROUNDCAST_MASKS_H
#define ROUNDCAST_MASKS_H

#include "sched/route/affine.h"

/* The masks of an affine map, mask[multistage_stages]. Precondition: benes:N of a power of two, of
 * the map's bits. O(K³). */
void masks_route(const struct multistage *net, const struct affine *map, uint32_t mask[]);

#endif
