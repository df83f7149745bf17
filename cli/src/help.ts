export const HELP = `earshot: what is in a song

  earshot analyze FILE...      tempo, key, loudness and more, on this machine, without a server
  earshot all                  the whole service: API and worker (what npm start runs)
  earshot serve | work         one of the two
  earshot migrate              bring the database up to date and exit
  earshot --help               this page

Options of analyze:
  FILE                audio files, or folders to search for them
  --json              print the whole result as JSON (one line per file when there are several)
  --out DIR           write one NAME.json per input into DIR
  --report FILE       write a report a person can read, as .html or .pdf (one song)
  --bpm N             the tempo you know, in beats per minute
  --bpm-min N, --bpm-max N
                      the range to look in
  --key KEY           the key you know: "A", "F# minor", "Bb:min"
  --meter N           beats in a bar
  --no-progress       no progress bar

Exit codes: 0 all analysed, 1 at least one file failed, 2 wrong usage.`;
