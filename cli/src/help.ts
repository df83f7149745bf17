import { EXPORTS } from '@earshot/exports';

/** Where the text of an option begins on every page. */
const TEXT_INDENT_COLUMNS = 24;
/** Lists wrap at about 108 columns, the indent included. */
const WRAPPED_COLUMNS_MAX = 84;

const ANALYZE = `earshot analyze FILE...       tempo, key, loudness and more, on this machine, without a server

  FILE                  audio files, folders to search, or patterns in quotes ('crate/**/*.{mp3,flac}'); links to files are
                        followed, links to folders below those given are not
  --json                the whole result as JSON (one line per file when there are several)
  --format NAME,...     exports: ${wrap(Object.keys(EXPORTS))}
  --out DIR             write into DIR: NAME.json per song, or what --format and --write-tags make
  --report FILE         a report a person can read, as .html or .pdf (one song)
  --csv FILE            one table with a row per song (- prints it)
  --write-tags          BPM, key and ReplayGain into copies of MP3, FLAC, Ogg, M4A and WAV files (in --out, or ./tagged)
  --genre               with --write-tags: the first genre too, in place of the one that is there
  --watch               keep running: analyse songs as they are added to the folders, until Ctrl+C
  --remote              through the service you are signed in to, not on this machine
  --service URL         with --remote: another service
  --parallel N          songs at a time (one per core; with --remote 4)
  --bpm N, --bpm-min N, --bpm-max N, --key KEY, --meter N
                        what you know already: the tempo or its range, the key ("A", "F# minor", "Bb:min"), beats in a bar
  --no-progress         no progress bars`;

const LOGIN = `earshot login                 sign in by e-mail code; keeps an API key for this machine
  --email ADDRESS       your address; asked for when not given
  --service URL         which service (http://localhost:8080)
earshot logout                revoke that key and forget it`;

const KEYS = `earshot keys                  list the API keys of your workspace
earshot keys create NAME      create a key and print it, once   (--scopes analyses:create,analyses:read)
earshot keys revoke ID        revoke a key immediately
  --json                as JSON`;

const LISTEN = `earshot listen                receive webhooks on this machine and verify them
  --forward URL         forward each verified call, byte for byte, to your program
  --port N              where to listen on 127.0.0.1 (any free port)
  --public-url URL      how the service reaches that port: the address of your tunnel or proxy
  --poll                poll for finished jobs instead of being called; events are signed with a secret of this run
  --secret WHSEC        with --poll: the secret to use instead
A service calls private addresses only with ALLOW_PRIVATE_TARGETS; otherwise --poll is used automatically.`;

const MCP = `earshot mcp                   Model Context Protocol on standard input and output: songs for an assistant
  --remote              through the service you are signed in to, not on this machine
  --service URL         with --remote: another service
The service itself offers the same tools at /mcp, with an API key.`;

const IMPORT = `earshot import FOLDER         upload every song that the service does not have yet; after a crash, run it again to continue
                        (links to files are followed, links to folders are not)
  s3://BUCKET/PREFIX    a bucket instead of a folder, with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL
  --parallel N          songs at a time (4)
  --share 2/8           the second eighth of the songs, to divide them among eight machines
  --no-progress         no output until the end`;

const LIBRARY = `earshot library [WORDS]       find songs of the service you are signed in to
  --bpm-near N, --bpm-min N, --bpm-max N, --key KEY, --compatible-with 8A|ID, --energy-min N, --energy-max N,
  (the same for danceability, valence, loudness, duration), --created-after DATE, --created-before DATE, --status S,
  --genre G, --mood M, --instrument I, --tag T, --voice yes|no, --collection ID, --duplicates only|hide
                        filters are combined; key, genre, mood, instrument and tag can be repeated
  --sort NAME           created_at, title, artist, bpm, key, energy, …; a leading minus reverses it
  --limit N, --json
  --export FORMAT       all songs found as one file, 500 at most: rekordbox|traktor|virtualdj|serato|m3u8|csv|jams|chordpro
                        (--folder PATH-OF-THE-FILES, --out FILE)
earshot similar ID            songs that sound like it   (--by sound|harmony|rhythm|all, --limit N, --json)
earshot similar ID --next     what mixes after it
earshot describe ID           --title T, --artist A, --album A, --note N, --rating 0-5, --tag T (repeatable); an empty value
                        restores what the file says
earshot bulk ACTION [ID...]   tag, untag (--tags T), delete (--yes), add-to-collection (--to ID), analyse-again: those songs, or all that
                        the filters of library find (--with-tag for their tags): all of them or none
earshot correct ID            correct the analysis: --tempo double|half|triple|third|BPM, --key KEY, --beats-per-bar N,
                        --first-downbeat SECONDS, --shift-beats N, --note TEXT; --undo takes it back
earshot corrections export    --out CORPUS: one file per song for npm run evaluate; --audio FOLDER finds their audio by its bytes
earshot crate                 collections: list, create NAME [ID...], show ID, add ID SONG..., delete ID
earshot crate order ID        a proposal with reasons   (--by harmonic|energy|bpm; --apply saves it)
earshot crate export ID       a file for DJ software   (--format rekordbox|traktor|virtualdj|serato|m3u8|csv|jams|chordpro,
                        --folder PATH-OF-THE-FILES, --out FILE)`;

const DOCTOR = `earshot doctor                check that the service has everything it needs; exits with 1 if not   (--json)`;

const COMPLETION = `earshot completion SHELL      Tab completion for bash, zsh or fish: eval "$(earshot completion bash)"`;

const SERVICE = `earshot all                   the whole service: API and worker (what npm start runs)
earshot serve | work          one of the two
earshot migrate               bring the database up to date and exit
earshot reseal                encrypt again what an old SECRET_KEY had encrypted, and exit`;

const SERVICE_COMMANDS = new Set(['all', 'serve', 'work', 'migrate', 'reseal']);

const PAGES = new Map(
  Object.entries({
    analyze: ANALYZE,
    analyse: ANALYZE,
    login: LOGIN,
    logout: LOGIN,
    keys: KEYS,
    listen: LISTEN,
    import: IMPORT,
    library: LIBRARY,
    similar: LIBRARY,
    describe: LIBRARY,
    bulk: LIBRARY,
    correct: LIBRARY,
    corrections: LIBRARY,
    crate: LIBRARY,
    mcp: MCP,
    doctor: DOCTOR,
    completion: COMPLETION,
  }),
);

/** The commands that completion offers: without the second spelling of `analyze` and the roles of the service. */
export const COMMAND_NAMES = [...PAGES.keys()].filter((name) => name !== 'analyse');

const ENDING = `--service URL in every command that uses the service: another one than you are signed in to.
Environment: EARSHOT_API_KEY and EARSHOT_URL have precedence over the sign-in of this machine, in every command.
             earshot --version prints the version.
Exit codes:  0 all well, 1 a file or a check failed, 2 wrong usage, 3 the service refused, cannot be reached, or you are not signed in,
             70 a bug in earshot.`;

export const HELP = [
  'earshot: what is in a song',
  ANALYZE,
  LOGIN,
  KEYS,
  LISTEN,
  IMPORT,
  LIBRARY,
  MCP,
  DOCTOR,
  COMPLETION,
  SERVICE,
  ENDING,
].join('\n\n');

export function helpOf(command: string): string {
  const page = PAGES.get(command) ?? (SERVICE_COMMANDS.has(command) ? SERVICE : undefined);
  return page === undefined ? HELP : `${page}\n\n${ENDING}`;
}

/** The paragraphs of one command on its page, each from a line `earshot COMMAND` to the next line of another command. */
export function paragraphsOf(command: string): string {
  let isInside = false;
  const lines = (PAGES.get(command) ?? '').split('\n').filter((line) => {
    const [, name] = /^earshot (\S+)/.exec(line) ?? [];
    if (name !== undefined) isInside = name === command;
    return isInside;
  });
  return lines.join('\n');
}

/** A list over several lines, all but the first indented. */
function wrap(words: readonly string[]): string {
  const lines: string[] = [''];
  for (const word of words) {
    if (lines.at(-1)!.length + word.length > WRAPPED_COLUMNS_MAX) lines.push('');
    lines.push(`${lines.pop()}${word}, `);
  }
  return lines
    .map((line) => line.trimEnd())
    .join(`\n${' '.repeat(TEXT_INDENT_COLUMNS)}`)
    .replace(/,$/, '');
}
