# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What .ci/run and .ci/full share: sections, and the table of their times.

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit
exec </dev/null
logs=$(mktemp -d)
trap 'rm -rf -- "$logs"' EXIT
summary=()
failed=()

section() { # section NAME BUDGET COMMAND...: runs it; BUDGET is in seconds, 0 for none
    local name=$1 budget=$2 start=$SECONDS status=0 result mark=''
    shift 2
    printf '\n=== %s\n' "$name"
    "$@" 2>&1 | tee "$logs/log" || status=$?
    local took=$((SECONDS - start))
    if [[ $status -ne 0 ]]; then
        printf '\n=== %s: FAILED after %s s (status %s)\n' "$name" "$took" "$status"
        failed+=("$name")
        result=FAILED
    else
        printf '=== %s: %s s\n' "$name" "$took"
        result=$(grep -E '^[0-9]+% tests passed' "$logs/log" | tail -n 1) || result=$(tail -n 1 "$logs/log" | cut -c 1-60)
    fi
    [[ $budget -eq 0 || $took -le $budget ]] || mark='  OVER BUDGET'
    [[ $budget -ne 0 ]] || budget=-
    summary+=("$(printf '%-18s %5s s of %5s  %s%s' "$name" "$took" "$budget" "$result" "$mark")")
    return "$status"
}

table() { # table BUDGET: the sections and their times
    local mark=''
    [[ $1 -eq 0 || $SECONDS -le $1 ]] || mark="  OVER BUDGET ($1 s)"
    printf '\n=== all sections: %s s%s\n' "$SECONDS" "$mark"
    printf '%s\n' "${summary[@]}"
}

# Configures and builds with a preset: everything, or these targets.
build() { # build PRESET [TARGET...]
    local preset=$1
    shift
    cmake --preset "$preset" && cmake --build "build/$preset" ${1:+--target "$@"}
}

# Runs tests of the build with a preset: all of them, or those that the options of ctest select.
run_tests() { # run_tests PRESET [OPTION...]
    local preset=$1 left_out=()
    shift
    case $preset in
        # The longest history takes minutes under ThreadSanitizer, and its steps are counted in every other run.
        tsan) left_out=(-E '100 000') ;;
        # The largest inputs take minutes under qemu, and no code is reached on another processor by them alone.
        aarch64 | s390x)
            left_out=(-E 'linear time|hundred thousand|million|many keys|giant|tens of megabytes|random bytes')
            left_out[1]+='|parsing a printed call|at every place'
            ;;
    esac
    UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1 ctest --test-dir "build/$preset" \
        --output-on-failure --no-tests=error --timeout 300 --parallel 4 "${left_out[@]}" "$@"
}

# Builds with a preset and runs the tests of all components, without those of headers, documents and packages.
all_component_tests() { # all_component_tests PRESET
    build "$1" && run_tests "$1" -LE '^(project|ci|full)$'
}

# Builds and runs the tests of these components with a preset.
component_tests() { # component_tests PRESET COMPONENT...
    local preset=$1 component targets=()
    shift
    for component in "$@"; do targets+=("acta_${component}_tests"); done
    build "$preset" "${targets[@]}" && run_tests "$preset" -L "^($(IFS='|' && printf '%s' "$*"))\$"
}

fuzz() { # fuzz SECONDS: each target
    build fuzz && tests/fuzz/run.sh "$1"
}
