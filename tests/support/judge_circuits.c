/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/judge_circuits.h"

#include "sched/base/compare.h"
#include "sched/image/unpack.h"

#include <stdlib.h>

/* Compares by source, then destination, which is the order of unpack_circuits. */
static int compare(const void *left, const void *right)
{
    const struct circuit *a = left, *b = right;
    return compare_then(COMPARE(a->source, b->source), COMPARE(a->destination, b->destination));
}

/* Lists the circuits that a row requires, from the steps from *step on. Round r is row r - 1; in a
 * model with times a transfer occupies the rows of the unit that begins with its tick. Transfers
 * for which a machine has no circuit are strays. */
static uint32_t expected_circuits(const struct schedule *schedule, uint32_t row, size_t *step,
                                  struct circuit circuit[], uint32_t most, uint64_t *strays)
{
    bool times = model_has_times(schedule->model);
    uint64_t last = times ? row : row + UINT64_C(1),
             rows = times ? schedule->lambda.denominator : 1;
    uint32_t count = 0;
    while (*step < schedule->step_count && schedule->step[*step].time + rows <= last)
        ++*step;
    for (size_t k = *step; k < schedule->step_count && schedule->step[k].time <= last; k++)
        for (size_t t = schedule->step[k].first; t < schedule_step_end(schedule, k); t++) {
            const struct transfer *transfer = &schedule->transfer[t];
            if (count == most) {
                ++*strays;
                continue;
            }
            circuit[count++] = (struct circuit){.source = transfer->source,
                                                .destination = transfer->destination,
                                                .sent = transfer->packet,
                                                .received = transfer->packet,
                                                .continues = schedule->step[k].time < last};
        }
    qsort(circuit, count, sizeof *circuit, compare);
    return count;
}

static bool same(const struct circuit *a, const struct circuit *b)
{
    return a->sent == b->sent && a->received == b->received && a->continues == b->continues;
}

/* Returns the number of entries of two sorted lists that are in only one of them. */
static uint64_t differences(const struct circuit a[], uint32_t a_count, const struct circuit b[],
                            uint32_t b_count)
{
    uint64_t different = 0;
    uint32_t i = 0, j = 0;
    while (i < a_count && j < b_count) {
        int order = compare(&a[i], &b[j]);
        different += order != 0 || !same(&a[i], &b[j]);
        i += order <= 0;
        j += order >= 0;
    }
    return different + (a_count - i) + (b_count - j);
}

/* Counts strays over all rows, with room for two lists of `most` circuits. */
static uint64_t count_strays(const struct schedule *schedule, struct unpacked *unpacked,
                             struct circuit circuit[], uint32_t most)
{
    struct circuit *expected = circuit + most;
    uint64_t strays = 0;
    size_t step = 0;
    for (uint32_t row = 0; row < unpacked->run.rows; row++) {
        uint32_t count = expected_circuits(schedule, row, &step, expected, most, &strays);
        unpack_row(unpacked, row);
        strays += differences(circuit, unpack_circuits(unpacked, circuit), expected, count);
    }
    return strays;
}

bool judge_circuits(const struct schedule *schedule, const struct image *image, uint64_t *strays,
                    struct err *err)
{
    struct unpacked unpacked;
    if (!unpack_image(image, &unpacked, err))
        return false;
    uint32_t most = unpack_most_circuits(&unpacked);
    struct circuit *circuit = malloc(2 * (size_t)most * sizeof *circuit);
    bool judged = circuit != NULL || err_no_memory(err, "%u circuits", 2 * most);
    if (judged)
        *strays = count_strays(schedule, &unpacked, circuit, most);
    free(circuit);
    unpack_free(&unpacked);
    return judged;
}
