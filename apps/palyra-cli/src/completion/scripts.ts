/**
 * Each script only asks `palyra complete` what could come next, so none of them goes stale when
 * commands change. They ask the program that was typed: `./palyra` completes as well as `palyra`.
 */
const SCRIPTS = {
  bash: `# completion of palyra for bash
_palyra() {
  local word candidate
  word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    if [[ "$candidate" == ':files' ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$word")
    else
      COMPREPLY+=("$candidate")
    fi
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _palyra palyra
`,
  zsh: `#compdef palyra
# completion of palyra for zsh
_palyra() {
  local line
  local -a candidates
  while IFS= read -r line; do
    if [[ "$line" == ':files'* ]]; then
      _files
    else
      candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#candidates} )) && _describe palyra candidates
}
compdef _palyra palyra
`,
  fish: `# completion of palyra for fish
function __palyra_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  for line in ($words[1] complete -- $words[2..-1] "$last" 2>/dev/null)
    if string match -q ':files*' -- $line
      __fish_complete_path "$last"
    else
      echo $line
    end
  end
end
complete -c palyra -f -a '(__palyra_complete)'
`,
} as const;

export type ShellName = keyof typeof SCRIPTS;

export function isShellName(text: string): text is ShellName {
  return Object.hasOwn(SCRIPTS, text);
}

export function scriptFor(shell: ShellName): string {
  return SCRIPTS[shell];
}
