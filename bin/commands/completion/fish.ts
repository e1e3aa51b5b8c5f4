import { type Completion, marks } from "./completions.js";

/** Returns a script for fish 3 and later. */
export function fishScript(completions: readonly Completion[]): string {
  const cases = completions.map(({ command, place, words }) => {
    const key = place === "*" ? "others" : place;
    return `        case '${command}|${key}'\n            printf '%s\\n' ${words.join(" ")}`;
  });
  return `# Completions of service for fish. In ~/.config/fish/config.fish: npx service completion fish | source

function __service_at
    switch "$argv[1]|$argv[2]"
${cases.join("\n")}
    end
end

function __service_resources
    for file in $argv[1]/resources/*.yaml $argv[1]/resources/*.yml $argv[1]/resources/*.json
        string match -rq '/(?<name>[a-z][a-z0-9-]*)\\.[a-z]+$' -- $file
        and echo $name
    end
end

function __service_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l command ''
    set -l folder .
    set -l option ''
    set -l place 0
    set -l first 2
    if test "$words[1]" = npx
        test "$words[2]" = service
        or return
        set first 3
    end
    for word in $words[$first..-1]
        if test -n "$option"
            test "$option" = -C
            and set folder (string replace -r '^~' $HOME -- $word)
            set option ''
        else if string match -q -- '-*' $word
            if test "$word" = -C; or test -n "$(__service_at "$command" $word)"
                set option $word
            end
        else if contains -- $word (__service_at "$command" commands)
            set command (string trim -- "$command $word")
        else
            set place (math $place + 1)
        end
    end
    set -l start ''
    if test -z "$option"; and string match -q -- '--*=*' $current
        set option (string split -m 1 = -- $current)[1]
        set start $option=
    end
    set -l found
    if test "$option" = -C
        set found ${marks.files}
    else if test -n "$option"
        set found (__service_at "$command" $option)
    else if string match -q -- '-*' $current
        set found (__service_at "$command" options)
    else
        set found (__service_at "$command" commands) (__service_at "$command" $place)
        test -z "$found"
        and set found (__service_at "$command" others)
    end
    for one in $found
        switch $one
            case ${marks.files}
                __fish_complete_path $current
            case ${marks.resources}
                __service_resources $folder
            case ${marks.nothing}
            case '*'
                echo $start$one
        end
    end
end

complete -c service -f -a '(__service_complete)'
complete -c npx -n 'contains -- service (commandline -opc)[2]' -f -a '(__service_complete)'
`;
}
