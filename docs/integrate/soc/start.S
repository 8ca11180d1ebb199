/* SPDX-License-Identifier: Apache-2.0 */
/* Begins at address 0: sets the stack to the end of the memory, and calls main. */
    .section .start, "ax"
    .globl start
start:
    lui sp, 0x10
    call main
    lui t0, 0x20000
    sw a0, 4(t0)
