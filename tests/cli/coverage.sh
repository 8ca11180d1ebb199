#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# coverage: the coverage table of the C tests, its limits and its exclusions, on a small source with
# known coverage.
#
# Counter-cases: an exclusion of a line that was reached, of a line that no longer exists, without a
# reason, of another number of outcomes; a pattern that excludes nothing; limits above the coverage.
# If clang is installed, the counts of a program that runs are checked, too.
#
# tags: tooling
. "$(dirname "$0")/tap.sh"
judge=$PWD/qa/coverage/coverage.awk
mkdir "$TMP/sched" && cd "$TMP" || exit

# b was never positive when a was, and no value exceeds 5, so no condition decided alone.
cat >sched/small.c <<'C'
int fails(void);
int small(int a, int b)
{
    if (a > 0 && b > 0)
        return 1;
    if (b > 5 || fails())
        return 2;
    return 3;
}
C
counts() {
    printf '%s\n' line:sched/small.c:{3:2,4:2,5:0,6:2,7:0,8:2,9:2} \
        branch:sched/small.c:{4:9:4:14:1:1:6,4:18:4:23:0:1:6,6:9:6:14:0:2:6,6:18:6:25:0:2:6} \
        mcdc:sched/small.c:{4:9:4:23:0:0,4:9:4:23:1:0,6:9:6:25:0:0,6:9:6:25:1:0} | tr : '\t'
}
counts >counts

# judged LIMITS: judges with the exclusions on standard input; sets $status.
judged() {
    status=0
    cat >exclusions
    awk -f "$judge" -v gaps=1 -v limits="$1" exclusions counts >out 2>err || status=$?
}

# holds PART TEXT, fails PART TEXT: checks the result of the last call of judged.
holds() {
    part=$1
    check "$2" eval '[ "$status" -eq 0 ] && [ ! -s err ] && grep -qF -e "$part" out'
}
fails() {
    part=$1
    check "$2" eval '[ "$status" -eq 1 ] && grep -qF -e "$part" err'
}

reason='nothing can make it so, and a test would see it'
judged '' </dev/null
holds '| `sched` | 7 | 71.43 % | 8 | 62.50 % | 0 | 3 | 4 | 0.00 % | 0 | 4 |' "the counts of a folder"
holds 'sched/small.c:4: b > 0: never true' "an outcome that was not met is reported with its text"
holds 'sched/small.c:4: a > 0: never alone' "a condition that never decided alone is reported"
judged '' <<<"sched/small.c :: b > 0 :: true :: 1 :: $reason"
holds '| 8 | 62.50 % | 1 | 2 | 4 | 0.00 % | 1 | 3 |' "an exclusion counts, of the condition too"
holds 'excluded: lines 71.43 %, outcomes 71.43 %, conditions that decide alone 0.00 %.' \
    "… in the sum"
check "… and is not reported any more" eval '! grep -q "b > 0" out'
judged '' <<<"* :: /^fails\\(/ :: true :: any :: $reason"
holds '| 8 | 62.50 % | 1 | 2 |' "a pattern excludes"
judged 'lines 71 outcomes 75 alone 25' <<<"sched/small.c :: b > 0 :: true :: 1 :: $reason"
holds 'sched' "limits that are kept"
for limit in 'lines 72' 'outcomes 76' 'alone 26'; do
    judged "$limit" <<<"sched/small.c :: b > 0 :: true :: 1 :: $reason"
    fails "of ${limit% *}; expected at least ${limit#* } %" "a limit that is not kept: $limit"
done

judged '' <<<"sched/small.c :: a > 0 :: true :: 1 :: $reason"
fails 'exclusions:1: excludes 0 outcomes; expected 1' "what is reached after all"
counts | sed 's/\t14\t1\t1\t/\t14\t1\t100\t/' >counts.once
mv counts.once counts
judged '' <<<"sched/small.c :: a > 0 :: true :: 1 :: $reason"
holds '| 8 | 50.00 % | 1 | 3 |' "… but not if it was once among a hundred"
judged '' </dev/null
holds '| 8 | 62.50 % | 0 | 3 |' "… which is met where nothing excludes it"
counts >counts
judged '' <<<"sched/small.c :: c > 0 :: true :: 1 :: $reason"
fails 'exclusions:1: excludes 0 outcomes; expected 1' "a text that is not there"
judged '' <<<"sched/other.c :: b > 0 :: true :: 1 :: $reason"
fails 'exclusions:1: excludes 0 outcomes' "a file that is not there"
judged '' <<<"sched/small.c :: b > 0 :: true :: 2 :: $reason"
fails 'exclusions:1: excludes 1 outcomes; expected 2' "fewer outcomes than are said"
judged '' <<<"* :: /^hails\\(/ :: true :: any :: $reason"
fails 'exclusions:1: excludes no outcome' "a pattern that excludes nothing"
judged '' <<<"sched/small.c :: /^b >/ :: true :: processor :: $reason"
holds '| 8 | 62.50 % | 2 | 1 |' "what only another processor meets"
judged '' <<<"sched/small.c :: /^a >/ :: true :: processor :: $reason"
holds '| 8 | 62.50 % | 0 | 3 |' "… or this one"
judged '' <<<"sched/other.c :: /^b >/ :: true :: processor :: $reason"
holds '| 8 | 62.50 % | 0 | 3 |' "… in that file only"
judged '' <<<'sched/small.c :: b > 0 :: true :: 1 :: no'
fails 'exclusions:1: not FILE :: TEXT' "no reason"
judged '' <<<"sched/small.c :: b > 0 :: sometimes :: 1 :: $reason"
fails 'exclusions:1: not FILE :: TEXT' "neither true nor false"
printf '%s\n' "sched/small.c :: b > 0 :: true :: 1 :: $reason"{,} >twice
judged '' <twice
fails 'exclusions:2: stands there twice' "an exclusion that stands there twice"

# The counts of a compiled program.
if command -v clang-19 >/dev/null && command -v llvm-cov-19 >/dev/null && command -v jq >/dev/null; then
    printf '%s\n' 'int fails(void) { return 0; }' 'int small(int a, int b);' \
        'int main(void) { return small(1, 0) + small(0, 1); }' >main.c
    clang-19 -w -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -o small sched/small.c main.c
    LLVM_PROFILE_FILE=raw ./small
    llvm-profdata-19 merge -o profile raw
    LLVM=-19 "${judge%.awk}.sh" profile '^sched/' small >seen
    check "the counts that clang makes" diff <(counts | sort) <(sort seen)
else
    skip "the counts that clang makes" "no clang-19, llvm-cov-19 or jq"
fi
finish
