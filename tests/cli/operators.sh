#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# operators: machines that are built with some of the operators. Each operator alone, a pair and all
# run in csim; a pair without the sum runs in RTL, too, and the netlist of one operator. Reports,
# images and names of engines have the operators.
#
# Counter-cases: an operator that is not built is rejected by the command line and in an image; sets
# that are no sets, and sets for machines that do not combine, are rejected.
. "$(dirname "$0")/tap.sh"

all="Every packet arrived in its predicted cycle"
names=(sum saturating-sum min max and or xor)

for operator in "${names[@]}"; do
    accepts "$all" "a network that is built for $operator" \
        run fabric-reduce -n 4 -m 3 --engine csim --operators "$operator"
    accepts "combined by $operator" "… combines by it unless said otherwise" \
        run fabric-reduce -n 4 -m 3 --engine csim --operators "$operator"
    for other in "${names[@]}"; do
        if [ "$other" = "$operator" ]; then continue; fi
        refuses 2 E101 \
            "--combine: $other is not built; expected $operator, as in --operators, or" \
            "… rejects $other" run fabric-reduce -n 4 -m 3 --engine csim --combine "$other" \
            --operators "$operator"
    done
done
accepts "combine:4 that combines by min,or only, 5 stages" "a pair, in any order" \
    run fabric-reduce -n 4 -m 3 --engine csim --operators or,min
accepts "combined by or" "… combines by its second one" \
    run fabric-reduce -n 4 -m 3 --engine csim --operators or,min --combine or
accepts "combine:4 that combines, 5 stages" "all of them are as none" run fabric-reduce -n 4 -m 3 \
    --engine csim --operators sum,saturating-sum,min,max,and,or,xor
accepts "$all" "endpoints" run all-reduce -n 8 -m 4 --engine csim --operators max
accepts "$all" "endpoints that keep their own packets" run exclusive-scan -n 4 -m 2 \
    --engine csim --operators xor
accepts "$all" "routers" run reduce --tree 2,2 -m 2 --engine csim --operators min
accepts "$all" "nodes of a cube" run all-reduce --dim 2 -m 2 --engine csim --operators and

accepts "$all" "csim and RTL in lockstep" \
    run fabric-reduce -n 4 -m 8 --operators min,max --combine max
accepts "$all" "… routers" run reduce --tree 2,2 -m 2 --operators sum
if [ -n "${ROUNDCAST_EXHAUSTIVE:-}" ]; then
    accepts "$all" "… endpoints" run all-reduce -n 4 -m 2 --network benes:4 --operators or
    accepts "$all" "… nodes of a cube" run all-reduce --dim 2 -m 2 --operators sum
    accepts "$all" "… a netlist" run fabric-reduce -n 4 -m 8 --operators sum --engine netlist
fi

accepts '"operators": "sum,max"' "a report in JSON" \
    run reduce -n 4 -m 1 --engine csim --operators max,sum --json
accepts '"operators": null' "… without reductions" run path -n 4 -m 1 --engine csim --json
"$ROUNDCAST" schedule reduce -n 4 -m 1 -o "$TMP/r.sched" >/dev/null
accepts '"operators": "sum,max"' "route reports them in JSON" \
    route "$TMP/r.sched" -o "$TMP/folder" --operators sum,max --json
accepts '"BuiltOperators": 9' "… as a register" route "$TMP/r.sched" -o "$TMP/folder" \
    --operators sum,max --json
check "the header has them" grep -q ' combine=1 operators=sum,max$' "$TMP/folder/image.hex"
accepts "-combine1-operators9-" "the name of the engine has them" engines --names "$TMP/folder"
accepts "$all" "the folder runs" simulate "$TMP/folder" --engine csim

# edited SED: a copy of the folder with another image, $TMP/edited.
edited() {
    rm -rf "$TMP/edited"
    cp -r "$TMP/folder" "$TMP/edited"
    sed "$1" "$TMP/folder/image.hex" >"$TMP/edited/image.hex"
}
edited 's/operator=sum/operator=min/'
refuses 2 E205 "image.hex:3: operator min is not built in this machine; expected sum,max" \
    "an image whose operator is not built" simulate "$TMP/edited" --engine csim
for set in max,sum sum,sum 'sum,' '' mean sum,saturating-sum,min,max,and,or,xor; do
    edited "s/operators=sum,max/operators=$set/"
    refuses 2 E204 "image.hex:2: not a machine" "an image with the set '$set'" \
        simulate "$TMP/edited" --engine csim
done

for set in '' sum,sum sum, ,sum mean 'sum max' 7; do
    refuses 2 E101 "--operators: '$set'; expected a list such as sum,max, of sum,saturating-sum," \
        "no set: '$set'" run reduce -n 4 -m 1 --engine csim --operators "$set"
done
refuses 2 E101 "--operators: broadcast combines no packets; expected a reduction, such as all-reduce" \
    "a broadcast" run path -n 4 -m 1 --engine csim --operators sum
finish
