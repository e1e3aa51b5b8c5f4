import { type Completion, marks } from "./completions.js";

/** Returns a script for zsh, either sourced or stored as `_service` in a folder of `fpath`. */
export function zshScript(completions: readonly Completion[]): string {
  const cases = completions.map(
    ({ command, place, words }) => `    '${command}|${place}') echo '${words.join(" ")}' ;;`,
  );
  return `#compdef service
# Completions of service for zsh. In ~/.zshrc: source <(npx service completion zsh)

_service_at() {
  case "$1|$2" in
${cases.join("\n")}
  esac
}

_service_resources() {
  local file name
  for file in "$1"/resources/*.(yaml|yml|json)(N); do
    name=\${file:t:r}
    if [[ $name != *[^a-z0-9-]* ]]; then echo "$name"; fi
  done
}

_service() {
  local current=\${words[CURRENT]} command='' folder=. option='' found='' word
  local -i at=2 place=0
  if [[ \${words[1]} == npx ]]; then
    if (( CURRENT < 3 )) || [[ \${words[2]} != service ]]; then _default; return; fi
    at=3
  fi
  for (( ; at < CURRENT; at++ )); do
    word=\${words[at]}
    if [[ -n $option ]]; then
      if [[ $option == -C ]]; then folder=\${word/#\\~/$HOME}; fi
      option=''
    elif [[ $word == -* ]]; then
      if [[ $word == -C || -n "$(_service_at "$command" "$word")" ]]; then option=$word; fi
    elif [[ " $(_service_at "$command" commands) " == *" $word "* ]]; then
      command=\${command:+$command }$word
    else
      (( place += 1 ))
    fi
  done
  if [[ -z $option && $current == --*=* ]]; then
    option=\${current%%=*}
    compset -P 1 '*='
  fi
  if [[ $option == -C ]]; then
    found=${marks.files}
  elif [[ -n $option ]]; then
    found=$(_service_at "$command" "$option")
  elif [[ $current == -* ]]; then
    found=$(_service_at "$command" options)
  else
    found="$(_service_at "$command" commands) $(_service_at "$command" "$place")"
    if [[ $found == ' ' ]]; then found=$(_service_at "$command" '*'); fi
  fi
  if [[ $found == *${marks.files}* ]]; then _files; return; fi
  found=\${found//${marks.nothing}/}
  if [[ $found == *${marks.resources}* ]]; then
    found="\${found//${marks.resources}/} $(_service_resources "$folder")"
  fi
  local -a list
  list=(\${=found})
  compadd -a list
}

if ! (( $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
if [[ \${funcstack[1]} == _service ]]; then
  _service "$@"
else
  compdef _service service
  if ! (( $+_comps[npx] )); then compdef _service npx; fi
fi
`;
}
