/* SPDX-License-Identifier: Apache-2.0 */
/* birkhoff: compares the number of permutations in decompositions of matrices with equal row and
 * column sums with the best known numbers in a list.
 *
 *     birkhoff FOLDER [SECONDS [SEED [PART]]]     default: 10 seconds of CPU for each matrix,
 *                                                 seed 1
 *
 * FOLDER has best.csv, with a header and lines `instance,n,density,best_known,optimal`, and
 * INSTANCE.csv for each. PART: only instances whose names begin with it. Each decomposition is
 * checked in integers by its definition: permutations whose durations add up to each entry.
 */
#include "bench/measure.h"
#include "sched/base/text.h"
#include "sched/decompose/beam.h"

#include <inttypes.h>
#include <string.h>

#define LINE 4096

struct instance {
    char name[64], density[16];
    uint32_t nodes;
    size_t listed;
    bool optimal;
};

/* Reads nodes² comma-separated numbers. */
static bool read_table(const char *folder, const struct instance *instance, uint32_t table[],
                       struct err *err)
{
    char path[LINE];
    snprintf(path, sizeof path, "%s/%s.csv", folder, instance->name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return err_set(err, ERR_READ, "%.400s: cannot open", path);
    size_t entries = (size_t)instance->nodes * instance->nodes, count = 0;
    while (count < entries &&
           fscanf(file, count == 0 ? "%" SCNu32 : "%*[, \t\r\n]%" SCNu32, &table[count]) == 1)
        count++;
    fclose(file);
    return count == entries || err_set(err, ERR_SYNTAX, "%.400s: %zu number%s; expected %zu", path,
                                       count, text_s(count), entries);
}

/* Returns whether all rows and columns have the same sum, not 0. */
static bool check_sums(const struct instance *instance, const uint32_t table[], struct err *err)
{
    uint64_t sum = 0;
    for (uint32_t b = 0; b < instance->nodes; b++)
        sum += table[b];
    for (uint32_t a = 0; a < instance->nodes; a++) {
        uint64_t row = 0, column = 0;
        for (uint32_t b = 0; b < instance->nodes; b++) {
            row += table[a * instance->nodes + b];
            column += table[b * instance->nodes + a];
        }
        if (row != sum || column != sum || sum == 0)
            return err_set(err, ERR_FIELD_RANGE,
                           "%s.csv: row or column %" PRIu32 " has the sum %" PRIu64
                           "; expected %" PRIu64 ", not 0",
                           instance->name, a, row != sum ? row : column, sum);
    }
    return true;
}

/* Returns the violated condition of a decomposition, or NULL. */
static const char *wrong(const uint32_t table[], const struct decomposition *made)
{
    size_t nodes = made->nodes;
    uint64_t *sum = measure_allocate(nodes * nodes, sizeof *sum);
    const char *what = NULL;
    for (size_t k = 0; k < made->count; k++) {
        bool taken[BEAM_MAX_NODES] = {false};
        for (size_t row = 0; row < nodes; row++) {
            uint32_t column = made->to[k * nodes + row];
            if (column >= nodes || taken[column])
                what = "no permutation";
            else
                sum[row * nodes + column] += made->duration[k];
            taken[column < nodes ? column : 0] = true;
        }
    }
    for (size_t k = 0; k < nodes * nodes; k++)
        if (sum[k] != table[k])
            what = "another sum";
    free(sum);
    return what;
}

/* Number of better, equal and worse results. */
struct score {
    unsigned better, equal, worse;
};

static bool measure(const char *folder, const struct instance *instance, double seconds,
                    uint64_t seed, struct score *score, struct err *err)
{
    uint32_t *table = measure_allocate((size_t)instance->nodes * instance->nodes, sizeof *table);
    struct decomposition made = {0};
    double begin = measure_cpu_seconds();
    bool held = read_table(folder, instance, table, err) && check_sums(instance, table, err) &&
                minimum_search(table, instance->nodes, seconds, seed, &made, err);
    const char *what = held ? wrong(table, &made) : NULL;
    if (what != NULL)
        held = err_set(err, ERR_BUG, "%s: %s", instance->name, what);
    if (held) {
        const char *verdict = made.count < instance->listed   ? "better"
                              : made.count > instance->listed ? "worse"
                                                              : "equal";
        score->better += made.count < instance->listed;
        score->equal += made.count == instance->listed;
        score->worse += made.count > instance->listed;
        printf("%-12s  %2" PRIu32 "  %-6s  %4zu%s  %4zu  %-6s  %6.1f\n", instance->name,
               instance->nodes, instance->density, instance->listed, instance->optimal ? "*" : " ",
               made.count, verdict, measure_cpu_seconds() - begin);
        fflush(stdout);
    }
    decomposition_free(&made);
    free(table);
    return held;
}

static bool parse(const char *line, struct instance *instance)
{
    char optimal[8] = "";
    int fields = sscanf(line, "%63[^,],%" SCNu32 ",%15[^,],%zu,%7s", instance->name,
                        &instance->nodes, instance->density, &instance->listed, optimal);
    instance->optimal = strcmp(optimal, "yes") == 0;
    return fields >= 4 && instance->nodes >= 2 && instance->nodes <= BEAM_MAX_NODES;
}

static bool measure_all(FILE *list, char **argv, int argc, struct err *err)
{
    char line[LINE];
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 10;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    const char *part = argc > 4 ? argv[4] : "";
    struct score score = {0};
    struct instance instance;
    printf("%-12s   n  %-6s  listed  ours  %-6s  %6s\n", "instance", "", "", "s");
    while (fgets(line, sizeof line, list) != NULL)
        if (parse(line, &instance) && strncmp(instance.name, part, strlen(part)) == 0 &&
            !measure(argv[1], &instance, seconds, seed, &score, err))
            return false;
    printf("\n%u better, %u equal, %u worse (* proved optimal)\n", score.better, score.equal,
           score.worse);
    return score.better + score.equal + score.worse > 0 ||
           err_set(err, ERR_READ, "no instance; expected lines of best.csv");
}

int main(int argc, char **argv)
{
    char path[LINE];
    struct err err = {0};
    snprintf(path, sizeof path, "%s/best.csv", argc > 1 ? argv[1] : ".");
    FILE *list = argc > 1 ? fopen(path, "r") : NULL;
    bool held = list != NULL ? measure_all(list, argv, argc, &err)
                             : err_set(&err, ERR_READ,
                                       "%.400s: cannot open; expected a folder with it", path);
    if (list != NULL)
        fclose(list);
    if (!held)
        err_print(stderr, &err, NULL);
    return held ? 0 : err_exit_status(err.code);
}
