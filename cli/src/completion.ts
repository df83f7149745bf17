/** `earshot completion bash|zsh|fish`: prints a completion script. Its options come from the help pages and the filters. */

import { COLLECTION_EXPORTS, EXPORTS } from '@earshot/exports';
import { EXIT } from './exit-codes.ts';
import { COMMAND_NAMES, paragraphsOf } from './help.ts';
import { BULK_FILTERS, FILTERS } from './library/filters.ts';
import { refuseWords } from './read-args.ts';
import { UsageError } from './usage-error.ts';

const VALUES_OF_FILTERS = {
  '--voice': ['yes', 'no'],
  '--duplicates': ['only', 'hide'],
  '--status': ['queued', 'processing', 'completed', 'failed', 'canceled'],
};
/** For options that take one of a few values. */
const VALUES: Record<string, Record<string, readonly string[]>> = {
  analyze: { '--format': Object.keys(EXPORTS) },
  library: { ...VALUES_OF_FILTERS, '--export': Object.keys(COLLECTION_EXPORTS) },
  bulk: VALUES_OF_FILTERS,
  correct: { '--tempo': ['double', 'half', 'triple', 'third'] },
  similar: { '--by': ['sound', 'harmony', 'rhythm', 'all'] },
  crate: { '--format': Object.keys(COLLECTION_EXPORTS), '--by': ['harmonic', 'energy', 'bpm'] },
};
const VERBS: Record<string, readonly string[]> = {
  keys: ['list', 'create', 'revoke'],
  crate: ['list', 'create', 'show', 'add', 'delete', 'order', 'export'],
  bulk: ['tag', 'untag', 'delete', 'add-to-collection', 'analyse-again'],
  corrections: ['export'],
  completion: ['bash', 'zsh', 'fish'],
};
/** Options that the help abbreviates. */
const FILTERS_OF: Record<string, object> = { library: FILTERS, bulk: BULK_FILTERS };

/** All other commands take --service, which the help lists once; `logout` signs out of the service one is signed in to. */
const WITHOUT_SERVICE = new Set(['logout', 'doctor', 'completion']);

export async function runCompletion([shell, ...words]: readonly string[]): Promise<number> {
  const write = new Map([
    ['bash', writeBash],
    ['zsh', writeZsh],
    ['fish', writeFish],
  ]).get(shell ?? '');
  if (!write) throw new UsageError('for which shell? earshot completion bash, zsh or fish');
  refuseWords(words);
  console.log(write());
  return EXIT.ok;
}

function wordsOf(command: string): string[] {
  const options = paragraphsOf(command).match(/--[a-z][a-z-]*/g) ?? [];
  const filters = Object.keys(FILTERS_OF[command] ?? {}).map((name) => `--${name}`);
  const service = WITHOUT_SERVICE.has(command) ? [] : ['--service'];
  return [...(VERBS[command] ?? []), ...new Set([...options, ...filters, ...service, '--help'])];
}

function writeBash(): string {
  const options = COMMAND_NAMES.map((command) => `    ${command}) words="${wordsOf(command).join(' ')}" ;;`);
  const values = Object.entries(VALUES).flatMap(([command, byOption]) =>
    Object.entries(byOption).map(
      ([option, words]) =>
        `    "${command} ${option}") COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word")); return ;;`,
    ),
  );
  return `# eval "$(earshot completion bash)"
_earshot() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${COMMAND_NAMES.join(' ')} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${values.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${options.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$word"))
}
complete -o filenames -F _earshot earshot`;
}

/** zsh can run bash completions. */
function writeZsh(): string {
  return `# eval "$(earshot completion zsh)"
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${writeBash().split('\n').slice(1).join('\n')}`;
}

function writeFish(): string {
  const commands = `complete -c earshot -n __fish_use_subcommand -f -a '${COMMAND_NAMES.join(' ')} --help --version'`;
  const options = COMMAND_NAMES.flatMap((command) =>
    wordsOf(command).map((word) => {
      const seen = `complete -c earshot -n '__fish_seen_subcommand_from ${command}'`;
      if (!word.startsWith('--')) return `${seen} -f -a ${word}`;
      const choices = VALUES[command]?.[word];
      const values = choices ? ` -x -a '${choices.join(' ')}'` : '';
      return `${seen} -l ${word.slice(2)}${values}`;
    }),
  );
  return [`# earshot completion fish | source`, commands, ...options].join('\n');
}
