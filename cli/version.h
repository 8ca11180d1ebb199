/* SPDX-License-Identifier: Apache-2.0 */
/* version: of all of Roundcast, here alone. The makefiles read it from this file. */
#ifndef ROUNDCAST_VERSION
#define ROUNDCAST_VERSION "0.2.0"
#endif
