/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/algorithms/reduce/small_all_reduce.h"

/* Each round ends with '/'. A transfer is three digits, sender, receiver and packet, with `r` if it
 * sends what has been received, and `x` if it replaces the receiver's result. */
static const struct {
    uint32_t n, m;
    uint64_t rounds;
    const char *transfers;
} small[] = {
    {3, 5, 7,
     "012 125/024 101 212/013 122x 201/025 102x 213/021x 103x 214/023x 104x 215x/024x 105x "
     "211x/"},
    {5, 2, 4,
     "042 122x 232 311 401/021 131x 201 342 412/031 101 242 312 422/041x 102x 211 321x 432x/"},
    {5, 3, 6,
     "033 101 242 321 413/041 123x 233 312 401/011x 132x 241 402/032 102 211 343 421x/022x "
     "133 201x 342x 413r/031x 103x 212x 343x 423r/"},
    {5, 4, 7,
     "034 123 212 343 401/043 102 234 321 412x/012 134 201 423/101 243x 312 434/021x 142x "
     "203x 314x 433x/041x 124x 231x 313x 402x/032x 104x 211x 344x 422x/"},
    {5, 6, 10,
     "026 101 241 314 432/044 122 214 302 433/022 144 236 303 416/025 103 232x 341 414x/134x "
     "245 316 401/041x 135 203 424x/023x 104x 212x 345 431x/033x 126x 213x 342x 405x/025x "
     "143x 206x 311x 435x/036x 102x 246x 315x 421x/"},
    {5, 7, 12,
     "036 101 241 313 423/035 144 213 326 402/031 103 216 345 421x/012 146 231 321 404/034 "
     "122 241x 301x 416x/037 245 322/033x 126x 242x 415/043x 105x 234 327 412x/025x 147 202x "
     "314x 436x/013x 135x 247 306x 427/011x 144x 237x 324x 407x/045x 104x 232x 317x 423x/"},
    {6, 2, 4,
     "052 101 232 322 412 541/021 152 241 301 431 512/041 132 252 312 401 522/051x 102x 231 "
     "321 411x 542x/"},
    {6, 4, 7,
     "043 123 201 352 431 511/034 101 212 323 453 544/031 144 253 301 523/021x 102 234 311x "
     "452 543x/022x 151x 213x 344 434 502/052x 133x 241x 314x 403x 522/012x 104x 232x 324x "
     "454x 542x/"},
    {6, 5, 9,
     "033 155 342 423 513/052 142 213 321 434 501/035 201 354 411 525/054 101 245 313 432x "
     "522/031x 153x 202x 345 422 514/021x 133x 212x 341x 455x 503x/032 124 214 351x 402 "
     "543x/042x 134x 204x 352x 425x 515x/044x 105x 254x 323x 411x 535x/"},
    {7, 3, 6,
     "101 262 351 421 513 643/021 102 213 352 561 642/052 261 313 403 621/013 103 452 542 "
     "631x/033x 123x 251x 301x 412x 562x 641x/053x 102x 263x 343x 432x 522x 611x/"},
    {7, 4, 8,
     "022 132 254 314 401 562 644/044 124x 253 362 433 511/011 103 242 363 454 533x 621/043 "
     "154 231 363 412x 504x 622x/024 131 204 311 463r 544x 653x/053 122 264x 341x 434x 514x "
     "603x/043x 161x 232x 301x 451x 523x 612/021x 102x 262x 352x 413x 533x 642/"},
    {8, 3, 6,
     "063 151 242 301 421 573 612 732/052 132 243 373 462x 502 613 721/032 352 472x 501 621 "
     "713/021 143 201 372 413 562 632 752/061x 153x 271x 322x 433x 502x 642x 712x/051x 103x "
     "241x 363x 423x 573x 631x 711x/"},
};

/* Returns the index of an entry; the number of entries if there is none. */
static size_t find(uint32_t n, uint32_t m)
{
    size_t which = 0, count = sizeof small / sizeof *small;
    while (which < count && (small[which].n != n || small[which].m != m))
        which++;
    return which;
}

uint64_t small_all_reduce_rounds(uint32_t n, uint32_t m)
{
    size_t which = find(n, m);
    return which < sizeof small / sizeof *small ? small[which].rounds : 0;
}

/* Appends the transfer at *text, unless its packet is not part, and moves *text after it. */
static bool put_transfer(const struct blocks_part *part, const char **text,
                         struct schedule *schedule, struct err *err)
{
    const char *now = *text;
    uint32_t packet = (uint32_t)(now[2] - '0');
    struct transfer transfer = {(uint32_t)(now[0] - '0'), (uint32_t)(now[1] - '0'),
                                part->before + packet};
    unsigned combining = 0;
    for (now += 3; *now == 'r' || *now == 'x'; now++)
        combining |= *now == 'r' ? COMBINING_RECEIVED : COMBINING_REPLACE;
    *text = *now == ' ' ? now + 1 : now;
    return packet > part->packets ||
           (schedule_set_combining(schedule, schedule->transfer_count, combining, err) &&
            schedule_append(schedule, transfer, err));
}

bool small_all_reduce_build(const struct blocks_part *part, uint64_t round,
                            struct schedule *schedule, struct err *err)
{
    bool put = true;
    for (const char *text = small[find(part->n, part->blocks)].transfers; put && *text != '\0';
         text++) {
        put = schedule_open_step(schedule, ++round, 1, err) != NULL;
        while (put && *text != '/')
            put = put_transfer(part, &text, schedule, err);
        if (put)
            schedule_close_step(schedule, 0);
    }
    return put;
}
