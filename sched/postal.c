#include "postal.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_ENTRIES (UINT64_C(1) << 26) /* of a table: half a gigabyte */

bool postal_init(struct postal *postal, uint64_t a, uint64_t b, uint64_t reach, struct err *err)
{
    *postal = (struct postal){.a = a, .b = b};
    uint64_t room = 0;
    for (uint64_t tick = 0;; tick++) {
        if (tick == room) {
            room = room == 0 ? 64 : 2 * room;
            uint64_t *larger =
                room > MAX_ENTRIES ? NULL : realloc(postal->value, room * sizeof *postal->value);
            if (larger == NULL) {
                postal_free(postal);
                return err_set(err, ERR_TOO_BIG,
                               "postal: λ = %" PRIu64 "/%" PRIu64 " needs a table of more than %" PRIu64
                               " times to reach %" PRIu64 " nodes; expected fewer",
                               a, b, room / 2, reach);
            }
            postal->value = larger;
        }
        uint64_t now = tick < a ? 1 : postal->value[tick - b] + postal->value[tick - a];
        postal->value[tick] = now;
        if (now >= reach) {
            postal->index = tick;
            return true;
        }
    }
}

void postal_free(struct postal *postal)
{
    free(postal->value);
    *postal = (struct postal){0};
}

uint64_t postal_index(const struct postal *postal, uint64_t n)
{
    uint64_t low = 0, high = postal->index; /* value[high] ≥ n */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (postal->value[middle] >= n)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
