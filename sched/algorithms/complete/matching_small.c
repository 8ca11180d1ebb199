/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/complete/matching_small.h"

/* Each round ends with '/'. A transfer is three digits: sender, receiver and packet. */
static const struct {
    uint32_t n, m;
    uint64_t rounds;
    const char *transfers;
} small[] = {
    {5, 5, 7, "011/022 131/043 232 321/034 141 413/015 242 423/145 233 324 412/125 214 344 435/"},
    {7, 2, 4, "011/032 121/062 241 352/131 251 312 461 522 642/"},
    {7, 7, 10,
     "011/032 121/043 151 231 322/034 212 463/055 261 344 433 623/026 152 464 515 641/"
     "067 125 216 454 545/036 165 453 542 617/147 256 366 413 524 635/127 214 362 457 546 637/"},
    {7, 8, 11,
     "011/032 121/053 131 241 312/044 152 362 513/015 251 464 523 642/016 243 361 424 634/"
     "037 126 214 563 654/048 256 367 522 633/165 246 357 428 536 617/"
     "035 258 466 527 647/145 238 325 418 568 655/"},
};

/* Returns the index of a collective's entry; the number of entries if there is none. */
static size_t find(const struct collective *collective)
{
    size_t which = 0, count = sizeof small / sizeof *small;
    while (which < count && (small[which].n != collective->n || small[which].m != collective->m))
        which++;
    return which;
}

uint64_t matching_small_end(const struct collective *collective)
{
    size_t which = find(collective);
    return which < sizeof small / sizeof *small ? small[which].rounds : 0;
}

bool matching_small_build(const struct collective *collective, struct schedule *schedule,
                          struct err *err)
{
    const char *text = small[find(collective)].transfers;
    uint64_t round = 0;
    while (*text != '\0') {
        if (schedule_open_step(schedule, ++round, 1, err) == NULL)
            return false;
        for (; *text != '/'; text += text[3] == ' ' ? 4 : 3) {
            const struct transfer transfer = {(uint32_t)(text[0] - '0'), (uint32_t)(text[1] - '0'),
                                              (uint32_t)(text[2] - '0')};
            if (!schedule_append(schedule, transfer, err))
                return false;
        }
        schedule_close_step(schedule, 0);
        text++;
    }
    return true;
}
