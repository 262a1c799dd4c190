# SPDX-License-Identifier: MIT
# fish completion for acta. It goes to <prefix>/share/fish/vendor_completions.d/acta.fish.

complete -c acta -n __fish_use_subcommand -f
complete -c acta -n __fish_use_subcommand -a show -d 'Show a run in the terminal'
complete -c acta -n __fish_use_subcommand -a html -d 'Write a run as a page that opens in a browser'
complete -c acta -n __fish_use_subcommand -a convert -d 'Write a run in another format'
complete -c acta -n __fish_use_subcommand -a trace -d 'Write or send a run as spans of OpenTelemetry'
complete -c acta -n __fish_use_subcommand -a diff -d 'Compare two runs, step by step'
complete -c acta -n __fish_use_subcommand -a replay -d 'Make a run again from its record'
complete -c acta -n __fish_use_subcommand -a validate -d 'Check that runs can be read, and print all issues'
complete -c acta -n __fish_use_subcommand -a list -d 'List the histories in a store'
complete -c acta -n __fish_use_subcommand -a tail -d 'Print the newest records of a history'
complete -c acta -n __fish_use_subcommand -a fork -d 'Copy a history, or its beginning, under a new id'
complete -c acta -n __fish_use_subcommand -a prune -d 'Erase histories from a store'
complete -c acta -n __fish_use_subcommand -a help -d 'Print the help of a command'
complete -c acta -n '__fish_seen_subcommand_from help' -x -a 'show html convert trace diff replay validate list tail fork prune'
complete -c acta -n __fish_use_subcommand -l version -d 'Print the version and exit'
complete -c acta -s h -l help -d 'Print the help and exit'

complete -c acta -n '__fish_seen_subcommand_from show html convert trace diff replay' -l lenient -d 'Keep what the strict reader refuses'
complete -c acta -n '__fish_seen_subcommand_from show diff' -l color -x -a 'auto always never' -d 'Use colour'
complete -c acta -n '__fish_seen_subcommand_from show diff' -l colour -x -a 'auto always never' -d 'Use colour'
complete -c acta -n '__fish_seen_subcommand_from show list tail' -l json -d 'As JSON'

complete -c acta -n '__fish_seen_subcommand_from show' -l errors -d 'Only the steps that failed'
complete -c acta -n '__fish_seen_subcommand_from show' -l step -x -d 'Only one step, in full'
complete -c acta -n '__fish_seen_subcommand_from show' -l all -d 'Show long texts in full'
complete -c acta -n '__fish_seen_subcommand_from show' -l no-pager -d 'Do not page'

complete -c acta -n '__fish_seen_subcommand_from html convert' -s o -l output -r -d 'The file to write'
complete -c acta -n '__fish_seen_subcommand_from html' -l title -x -d 'The title of the page'
complete -c acta -n '__fish_seen_subcommand_from html' -l max-output-bytes -x -d 'Cut long texts'
complete -c acta -n '__fish_seen_subcommand_from html' -l mask-secrets -d 'Hide what looks like a key or a password'
complete -c acta -n '__fish_seen_subcommand_from convert' -l to -x -a 'openai anthropic atif acta' -d 'The format'

complete -c acta -n '__fish_seen_subcommand_from trace' -l to -r -d 'A collector, or the file to write'
complete -c acta -n '__fish_seen_subcommand_from trace' -l content -d 'Also messages, arguments, results and errors'
complete -c acta -n '__fish_seen_subcommand_from trace' -l agent -x -d 'The name of the agent'
complete -c acta -n '__fish_seen_subcommand_from trace' -l provider -x -d 'Whose model it is'

complete -c acta -n '__fish_seen_subcommand_from diff replay' -s q -l quiet -d 'Print nothing'

complete -c acta -n '__fish_seen_subcommand_from list prune' -l prefix -x -d 'Only ids that begin with TEXT'
complete -c acta -n '__fish_seen_subcommand_from list prune' -l label -x -d 'Only histories with this label'
complete -c acta -n '__fish_seen_subcommand_from tail' -s n -l lines -x -d 'How many records'
complete -c acta -n '__fish_seen_subcommand_from tail' -s f -l follow -d 'Go on with new records'
complete -c acta -n '__fish_seen_subcommand_from fork' -l at -x -d 'Only up to the end of this step'
complete -c acta -n '__fish_seen_subcommand_from prune' -l before -x -d 'Last updated before a time, or an age'
complete -c acta -n '__fish_seen_subcommand_from prune' -l yes -d 'Erase them'
