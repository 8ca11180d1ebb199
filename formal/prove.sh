#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# prove.sh: runs one proof of proofs.txt, with its witnesses and refutations.
#
#     prove.sh OUT.tap NAME FORMAL_DIRECTORY RTL.sv...
#
# Writes a line "ok - title (seconds)" or "not ok - title (seconds): why" for each; the logs are
# next to OUT.tap. The SAT solver of Yosys uses temporal induction: the assertions hold in the first
# k cycles from any initial state of registers without a reset, and if they hold in k cycles, they
# hold in the next one, for some k up to the depth of the proof. A refutation is a counterexample
# within the first `depth` cycles, without the assertions that only help the induction (`ifndef
# REFUTE`), or in the one cycle that is named. An induction that does not close, or a time-out, is a
# failure in either case.
set -eu
if [ $# -lt 4 ]; then
  echo "usage: prove.sh OUT.tap NAME FORMAL_DIRECTORY RTL.sv..." >&2
  exit 2
fi
out=$1 work=${1%.tap}
rm -rf "$work"
mkdir -p "$work"
. "$(dirname "$0")/proof.sh"
name=$2
choose "$name" "$3"
shift 3
rtl=$(needed "$properties" "$@")
limit=${FORMAL_SECONDS:-120}  # of processor time, which other programs do not use up, for one call

# yosys_within ARGUMENTS: runs Yosys until it ends or has used the limit.
yosys_within() {
  (ulimit -t "$limit" && exec "${YOSYS:-yosys}" "$@") > /dev/null 2>&1
}

# model RTL DEFINE: properties and RTL as one module. The first check rejects a reference to a wire
# of a submodule that does not exist, which the solver would leave unconstrained.
model() {
  elaborate "$1 $properties" "$2"
  echo "flatten; check -assert
    async2sync; opt -full; dffunmap; check -assert"
}

# solve LOG MODEL SAT-ARGUMENTS
solve() {
  yosys_within -q -l "$1" -p "$2
    sat -set-assumes $3"
}

# The proof of x_properties includes the assertions of rc_x and the modules in it
# (rtl/common/rc_assert.svh). A refutation does not, so that the properties have to find the fault.
assertions=
for file in $rtl; do
  case $file in
  */rc_"${module%_properties}".sv) ! grep -q RC_ASSERT "$file" || assertions=-DRC_ASSERTIONS ;;
  esac
done

# One model of the unmodified RTL serves the proof and all witnesses.
prepare() {
  yosys_within -q -l "$1" -p "$(model "$rtl" "$assertions")
    write_rtlil $work/model.il"
}
prepared="read_rtlil $work/model.il"

now() { date +%s%N; }

# verdict TITLE START STATUS WHY
verdict() {
  tenths=$((($(now) - $2) / 100000000))
  seconds=$((tenths / 10)).$((tenths % 10))
  if [ "$3" = 0 ]; then
    echo "ok - $1 ($seconds s)"
  else
    echo "not ok - $1 ($seconds s): $4"
  fi
}

induction="-tempinduct -prove-asserts -seq 1 -maxsteps $depth"
search="-tempinduct-baseonly -prove-asserts -seq 1 -maxsteps $depth"

# search_at CYCLE[:SIGNAL@STEP]: an assertion must fail in that cycle, with the signal 1 in its
# step.
search_at() {
  cycle=${1%%:*} reached=
  case $1 in
  *:*@*)
    reached=${1#*:}
    reached="-set-at ${reached#*@} ${reached%@*} 1" ;;
  esac
  echo "-prove-asserts -seq $cycle -prove-skip $((cycle - 1)) $reached"
}

step=0
title=$name
: > "$out.part"
tail -n +2 "$work/proof" | while read -r verb first second rest; do
  step=$((step + 1))
  log=$work/$step-$verb.log
  start=$(now)
  status=1
  case $verb in
  says)
    title="$first $second $rest"
    prepare "$log" && solve "$log" "$prepared" "$induction" &&
        grep -q 'Induction step proven: SUCCESS!' "$log" && status=0
    verdict "$title" "$start" $status "not proved; see $log" ;;
  reach)
    solve "$log" "$prepared" "-seq $second -set-at $second $first 1 -verify" && status=0
    verdict "${title%%:*} reaches: $rest" "$start" $status "no witness for $first; see $log" ;;
  refute | refute-at)
    where=$search
    if [ "$verb" = refute-at ]; then
      where=$(search_at "$first")
      first=$second rest=${rest#:: }
    fi
    text=${rest#* :: }
    script=${rest%" :: $text"}
    mkdir -p "$work/$step"
    broken=
    for file in $rtl; do
      case $file in
      */"$first")
        sed "$script" "$file" > "$work/$step/$first"
        if cmp -s "$file" "$work/$step/$first"; then
          verdict "${title%%:*} refutes" "$start" 1 "the sed script changes nothing in $first"
          continue 2
        fi
        broken="$broken $work/$step/$first" ;;
      *) broken="$broken $file" ;;
      esac
    done
    solve "$log" "$(model "$broken" -DREFUTE)" "$where" || :
    grep -q ' - model found\( for base case\)*: FAIL!' "$log" && status=0
    verdict "${title%%:*} refutes: $text" "$start" $status "no counterexample; see $log" ;;
  *)
    verdict "$name" "$start" 1 "unknown word '$verb' in proofs.txt" ;;
  esac
done >> "$out.part"
mv "$out.part" "$out"
