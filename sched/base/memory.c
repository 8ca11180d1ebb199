/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/base/memory.h"

#include <stdint.h>
#include <unistd.h>

size_t memory_most(size_t entry)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return (pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX) / entry;
}
