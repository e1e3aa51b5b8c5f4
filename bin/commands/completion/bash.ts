import { type Completion, marks } from "./completions.js";

/** Returns a script for bash 3.2, which macOS ships, and later versions. */
export function bashScript(completions: readonly Completion[]): string {
  const cases = completions.map(
    ({ command, place, words }) => `    '${command}|${place}') echo '${words.join(" ")}' ;;`,
  );
  return `# Completions of service for bash. In ~/.bashrc: source <(npx service completion bash)

_service_at() {
  case "$1|$2" in
${cases.join("\n")}
  esac
}

_service_resources() {
  local file name
  for file in "$1"/resources/*.yaml "$1"/resources/*.yml "$1"/resources/*.json; do
    name=\${file##*/}
    name=\${name%.*}
    if [[ -e $file && $name =~ ^[a-z][a-z0-9-]*$ ]]; then echo "$name"; fi
  done
}

_service() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' folder=. option='' found='' word
  local -i at=1 place=0
  COMPREPLY=()
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    if [[ $COMP_CWORD -lt 2 || \${COMP_WORDS[1]} != service ]]; then return; fi
    at=2
  fi
  for ((; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $option ]]; then
      if [[ $option == -C ]]; then folder=\${word/#\\~/$HOME}; fi
      option=''
    elif [[ $word == -* ]]; then
      if [[ $word == -C || -n $(_service_at "$command" "$word") ]]; then option=$word; fi
    elif [[ " $(_service_at "$command" commands) " == *" $word "* ]]; then
      command=\${command:+$command }$word
    else
      place+=1
    fi
  done
  if [[ $current == '=' ]]; then current=''; fi
  if [[ $option == -C ]]; then
    found=${marks.files}
  elif [[ -n $option ]]; then
    found=$(_service_at "$command" "$option")
  elif [[ $current == -* ]]; then
    found=$(_service_at "$command" options)
  else
    found=$(_service_at "$command" commands)
    found="$found $(_service_at "$command" "$place")"
    if [[ $found == ' ' ]]; then found=$(_service_at "$command" '*'); fi
  fi
  if [[ $found == *${marks.files}* ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  found=\${found//${marks.nothing}/}
  if [[ $found == *${marks.resources}* ]]; then
    found=\${found//${marks.resources}/}' '$(_service_resources "$folder")
  fi
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}

complete -F _service service
if ! complete -p npx >/dev/null 2>&1; then complete -o default -F _service npx; fi
`;
}
