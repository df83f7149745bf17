/** `earshot completion bash|zsh|fish`: a script for the shell, made from the help, so that both name the same options. */

import { EXPORTS } from '@earshot/exports';
import { EXIT } from './exit-codes.ts';
import { COMMAND_NAMES, helpOf } from './help.ts';
import { UsageError } from './usage-error.ts';

/** What may follow an option, where it is one of a few. */
const VALUES: Record<string, readonly string[]> = { '--format': Object.keys(EXPORTS) };
const VERBS: Record<string, readonly string[]> = {
  keys: ['list', 'create', 'revoke'],
  completion: ['bash', 'zsh', 'fish'],
};

export async function runCompletion([shell]: readonly string[]): Promise<number> {
  const write = { bash: writeBash, zsh: writeZsh, fish: writeFish }[shell ?? ''];
  if (!write) throw new UsageError('for which shell? earshot completion bash, zsh or fish');
  console.log(write());
  return EXIT.ok;
}

function wordsOf(command: string): string[] {
  return [...(VERBS[command] ?? []), ...new Set(helpOf(command).match(/--[a-z][a-z-]*/g) ?? []), '--help'];
}

function writeBash(): string {
  const options = COMMAND_NAMES.map((command) => `    ${command}) words="${wordsOf(command).join(' ')}" ;;`);
  const values = Object.entries(VALUES).map(
    ([option, words]) =>
      `    ${option}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word")); return ;;`,
  );
  return `# eval "$(earshot completion bash)"
_earshot() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${COMMAND_NAMES.join(' ')} --help --version" -- "$word"))
    return
  fi
  case "$before" in
${values.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${options.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}
complete -o filenames -F _earshot earshot`;
}

/** zsh runs the completions of bash. */
function writeZsh(): string {
  return `# eval "$(earshot completion zsh)"
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${writeBash().split('\n').slice(1).join('\n')}`;
}

function writeFish(): string {
  const commands = `complete -c earshot -n __fish_use_subcommand -f -a '${COMMAND_NAMES.join(' ')}'`;
  const options = COMMAND_NAMES.flatMap((command) =>
    wordsOf(command).map((word) => {
      const seen = `complete -c earshot -n '__fish_seen_subcommand_from ${command}'`;
      if (!word.startsWith('--')) return `${seen} -f -a ${word}`;
      const values = VALUES[word] ? ` -x -a '${VALUES[word].join(' ')}'` : '';
      return `${seen} -l ${word.slice(2)}${values}`;
    }),
  );
  return [`# earshot completion fish | source`, commands, ...options].join('\n');
}
