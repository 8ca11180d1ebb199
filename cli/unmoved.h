/* SPDX-License-Identifier: Apache-2.0 */
/* unmoved: lets files of this folder include internal headers until all have moved to roundcast.h:
 * functions of internal headers fill the public error, which has the same members. */
#include "lib/roundcast/error.h"

#define err err_inside
#include "sched/base/err.h"
#undef err
#define err roundcast_error
