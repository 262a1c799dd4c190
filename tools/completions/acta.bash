# SPDX-License-Identifier: MIT
# bash completion for acta. It goes to <prefix>/share/bash-completion/completions/acta.

_acta() {
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' options='' values='' word
    COMPREPLY=()

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $word != -* ]]; then
            command=$word
            break
        fi
    done

    case $previous in
        --color | --colour) values='auto always never' ;;
        --to) [[ $command == convert ]] && values='openai anthropic atif acta' ;;
        --step | --at | --title | --max-output-bytes | --prefix | --label | --before | -n | --lines | --agent | --provider) return ;;
    esac
    if [[ -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
        return
    fi

    case $command in
        '') options='show html convert trace diff replay validate list tail fork prune help --help --version' ;;
        show) options='--errors --step --all --json --color --colour --no-pager --lenient --help' ;;
        html) options='--output --title --max-output-bytes --mask-secrets --lenient --help' ;;
        convert) options='--to --output --lenient --help' ;;
        trace) options='--to --content --agent --provider --lenient --help' ;;
        diff) options='--quiet --color --colour --lenient --help' ;;
        replay) options='--quiet --lenient --help' ;;
        validate) options='--help' ;;
        help) options='show html convert trace diff replay validate list tail fork prune' ;;
        list) options='--prefix --label --json --help' ;;
        tail) options='--lines --follow --json --help' ;;
        fork) options='--at --help' ;;
        prune) options='--before --prefix --label --yes --help' ;;
    esac
    if [[ -z $command || $command == help || $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -F _acta acta
