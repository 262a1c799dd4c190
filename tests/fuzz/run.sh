#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh SECONDS [TARGET...] - runs the fuzz targets, two at a time, SECONDS each; all of them where none is named.
# FUZZ_BUILD is the folder of the build (build/fuzz), FUZZ_SEED libFuzzer's seed (1). Inputs that reach something new are
# kept in <build>/tests/fuzz/grown/<target> and taken up by the next run. Fails where there is a finding, and prints it.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || {
    sed -n '3,5s/^# //p' -- "${BASH_SOURCE[0]}" >&2
    exit 2
}
seconds=$1
shift
built=$(cd -- "${FUZZ_BUILD:-$here/../../build/fuzz}/tests/fuzz" && pwd)
all=(json history runs tool_response calls trajectory messages text prompts mcp recording yaml sqlite)
[[ $# -eq 0 ]] || all=("$@")
targets=()
for name in "${all[@]}"; do
    if [[ -x $built/fuzz_$name ]]; then
        targets+=("$name")
    elif [[ ($name == yaml || $name == sqlite) && $# -eq 0 ]]; then
        echo "$name: skipped, not built: its library is not here"
    else
        echo "$name: there is no $built/fuzz_$name" >&2
        exit 2
    fi
done

run() { # run TARGET: its log is in <build>/tests/fuzz/logs
    local name=$1
    mkdir -p "$built/grown/$name" "$built/findings/$name" "$built/logs" "$built/corpus/$name"
    "$built/fuzz_$name" -seed="${FUZZ_SEED:-1}" -max_total_time="$seconds" -max_len=4096 -timeout=25 \
        -rss_limit_mb=2048 -dict="$here/dict/$name.dict" -artifact_prefix="$built/findings/$name/" \
        -print_final_stats=1 "$built/grown/$name" "$built/corpus/$name" >"$built/logs/$name" 2>&1
}

report() { # report TARGET STATUS
    local name=$1 status=$2 log=$built/logs/$1 input
    if [[ $status -eq 0 ]]; then
        printf '%-14s no finding: %s runs, coverage %s\n' "$name" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
            "$(sed -n 's/.*DONE  *cov: \([0-9]*\).*/\1/p' "$log")"
        return
    fi
    echo "=== $name: a finding (status $status)"
    grep -avE '^(INFO|#[0-9]+|Running|Dictionary|DICT|###)' "$log" | head -n 60 || true
    input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
    [[ -z $input ]] || printf 'Again: %q %q\nor: base64 -d <<<%s >input\n' "$built/fuzz_$name" "$input" \
        "$(base64 -w 0 "$input")"
}

declare -A names=() # by process
failed=0
finish_one() {
    local pid status=0
    wait -n -p pid || status=$?
    report "${names[$pid]}" "$status"
    unset "names[$pid]"
    [[ $status -eq 0 ]] || failed=1
}
for name in "${targets[@]}"; do
    [[ ${#names[@]} -lt 2 ]] || finish_one
    run "$name" &
    names[$!]=$name
done
while [[ ${#names[@]} -gt 0 ]]; do finish_one; done
exit "$failed"
