#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pair.sh: prints the pace of csim and of compiled RTL on the tree of 64 leaves (bench_tree.c), and
# its ratio to that of an earlier commit.
#
#     pair.sh [COMMIT]    default: the last tag with this script, or the commit that added it
#
# Both programs run in turn on the same machine, so the ratio holds although its speed varies. The
# earlier commit is built in build/pair, once, within PAIR_SECONDS (default: 45), which also limits
# the compilation of an engine; a build that takes longer continues in the next call. Nothing fails
# if it cannot be built or measured, or if the history is too short to contain it: a line states the
# reason in place of the ratio.
set -euo pipefail
cd "$(dirname "$0")/.."

# Prints the commit to compare with: earlier versions measure no engine alone. Prints nothing if the
# history does not contain it.
default_commit() {
    local tag
    tag=$(git describe --tags --abbrev=0 2>/dev/null || true)
    if [ -n "$tag" ] && git cat-file -e "$tag:bench/pair.sh" 2>/dev/null; then
        echo "$tag"
    elif [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
        git log --diff-filter=A --format=%H -- bench/pair.sh | tail -n 1
    fi
}

seconds=${PAIR_SECONDS:-45}
pairs=5
new=build/bench/bench_tree
commit=${1:-$(default_commit)}
commit=$(git rev-parse --verify --quiet --short "$commit^{commit}" 2>/dev/null || true)
folder=build/pair/$commit
old=$folder/$new

# Builds the program of the earlier commit; prints the reason if it cannot be measured.
build_old() {
    [ -n "$commit" ] || { echo "not in the history"; return; }
    if [ ! -d "$folder" ]; then
        mkdir -p "$folder"
        git archive "$commit" | tar -x -C "$folder"
    fi
    grep -q 'bench_tree SECONDS ENGINE' "$folder/bench/bench_tree.c" 2>/dev/null ||
        { echo "its bench_tree measures no engine alone"; return; }
    timeout "$seconds" make -s -C "$folder" -j"$(nproc)" "$new" >"$folder/build.log" 2>&1 ||
        echo "not built within $seconds s"
}

# pace PROGRAM ENGINE SECONDS: prints 10^6 flit-hops per CPU-second with packets of one flit.
pace() {
    timeout "$seconds" "$1" "$3" "$2" 1 | awk -v engine="$2" '$2 == engine { print $NF }'
}

# Prints the median of the numbers on standard input.
median() {
    sort -n | awk '{ number[NR] = $1 } END { print number[int((NR + 1) / 2)] }'
}

without=$(build_old)
for engine in csim rtl; do
    # The first run compiles the engine.
    pace $new $engine 0 >/dev/null || { echo "pace of $engine: not measured in $seconds s"; continue; }
    [ -n "$without" ] || pace "$old" $engine 0 >/dev/null || without="$engine: not measured"
    paces='' ratios=''
    for ((pair = 0; pair < pairs; pair++)); do
        tip=$(pace $new $engine 0.5)
        paces+=$tip$'\n'
        [ -n "$without" ] || ratios+=$(awk -v a="$tip" -v b="$(pace "$old" $engine 0.5)" \
            'BEGIN { printf "%.3f", a / b }')$'\n'
    done
    ratio="no ratio to ${commit:-an earlier one}: $without"
    [ -n "$without" ] || ratio="$(median <<<"${ratios%?}") times that of $commit"
    echo "pace of $engine: $(median <<<"${paces%?}") M flit-hops per CPU-second, $ratio"
done
