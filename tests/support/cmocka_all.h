/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka_all: cmocka, after the headers that it requires and does not include. */
#ifndef ROUNDCAST_CMOCKA_ALL_H
#define ROUNDCAST_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
