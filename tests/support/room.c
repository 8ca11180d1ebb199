/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/room.h"

#include "tests/support/cmocka_all.h"

#include <stdlib.h>

void *room_of(size_t count, size_t size)
{
    void *memory = count == 0 ? malloc(1) : calloc(count, size);
    assert_non_null(memory);
    return memory;
}

uint32_t *room_words(size_t count)
{
    return room_of(count, sizeof(uint32_t));
}
