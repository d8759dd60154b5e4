import { CONFIG_KEYS, flagName } from '../kernel/config/index.ts'
import type { Command } from './command.types.ts'
import { EXIT } from './exit-codes.ts'

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish, powershell }

export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print the completion script of a shell: bash, zsh, fish or powershell',
    positionals: ['SHELL'],
    options: {},
    examples: ['godwit completion bash > /etc/bash_completion.d/godwit', 'godwit completion fish | source'],
    run: (call) => {
      const script = SHELLS[call.positionals[0] ?? '']
      if (script === undefined) {
        call.io.stderr(`godwit: the shells are ${Object.keys(SHELLS).join(', ')}\n`)
        return Promise.resolve(EXIT.usage)
      }
      call.io.stdout(script(commands()))
      return Promise.resolve(EXIT.ok)
    },
  }
}

function globalFlags(): string[] {
  const settings = Object.entries(CONFIG_KEYS).filter(([, { secret }]) => secret !== 'all')
  return [...settings.map(([name]) => flagName(name)), 'config', 'json', 'help'].map((name) => `--${name}`)
}

function wordsOf(commands: readonly Command[]): string[] {
  return [...new Set(commands.flatMap(({ name }) => name.split(' ')))]
}

function flagsOf(commands: readonly Command[]): string[] {
  return [
    ...new Set([
      ...commands.flatMap(({ options }) => Object.keys(options).map((name) => `--${name}`)),
      ...globalFlags(),
    ]),
  ]
}

function bash(commands: readonly Command[]): string {
  return `_godwit() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W '${flagsOf(commands).join(' ')}' -- "$word"))
  elif [[ "\${COMP_WORDS[COMP_CWORD-1]}" == -* ]]; then COMPREPLY=($(compgen -f -- "$word"))
  else COMPREPLY=($(compgen -W '${wordsOf(commands).join(' ')}' -- "$word")); fi
}
complete -o default -F _godwit godwit
`
}

function zsh(commands: readonly Command[]): string {
  return `#compdef godwit
_godwit() {
  if [[ "$words[CURRENT]" == -* ]]; then compadd -- ${flagsOf(commands).join(' ')}
  elif [[ "$words[CURRENT-1]" == -* ]]; then _files
  else compadd -- ${wordsOf(commands).join(' ')}; fi
}
compdef _godwit godwit
`
}

function fish(commands: readonly Command[]): string {
  const lines = commands.map(({ name, summary }) => {
    const [first = '', second] = name.split(' ')
    const condition = second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`
    return `complete -c godwit -n '${condition}' -a '${second ?? first}' -d '${summary.replaceAll("'", '')}'`
  })
  const groups = [...new Set(commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0]))]
  return [
    ...lines,
    `complete -c godwit -n '__fish_use_subcommand' -a '${groups.join(' ')}'`,
    ...flagsOf(commands).map((flag) => `complete -c godwit -l ${flag.slice(2)}`),
    '',
  ].join('\n')
}

function powershell(commands: readonly Command[]): string {
  const words = [...wordsOf(commands), ...flagsOf(commands)].map((word) => `'${word}'`).join(', ')
  return `Register-ArgumentCompleter -Native -CommandName godwit -ScriptBlock {
  param($word)
  @(${words}) | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`
}
