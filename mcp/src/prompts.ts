/** What people ask of a song, ready to be chosen from a menu: each says which tools answer it and how sure to be. */

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const song = z.string().describe('The id of an analysis, a path or an address');
const HONESTLY =
  'Give confidences as they are, in words a musician uses; where a value is missing, say why ("unavailable") instead of guessing.';

export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    'describe_song',
    {
      title: 'Describe a song',
      description: 'Tempo, key, chords, form, loudness: a paragraph a musician can use',
      argsSchema: { song },
    },
    ({ song }) =>
      ask(`Describe the song ${song}. ${obtain(song)} Tell tempo and metre, key and most played chords, the form section by section, how loud \
it is and what is wrong with the recording, if anything. ${HONESTLY}`),
  );
  server.registerPrompt(
    'mix_songs',
    {
      title: 'Mix two songs',
      description: 'Whether one runs into the other: tempo, key, loudness, and where to go over',
      argsSchema: { first: song, second: song },
    },
    ({ first, second }) =>
      ask(`Can a DJ go from ${first} to ${second}? ${obtain(first, second)} Call compare with both ids. Say by how much the second's tempo \
changes and whether that is within a pitch control's reach, whether the keys mix on the Camelot wheel, and the gain that matches loudness. Then \
read the sections of both (get_result, group structure) and name the place to go over. ${HONESTLY}`),
  );
  server.registerPrompt(
    'check_master',
    {
      title: 'Check a master',
      description: 'Loudness, true peak, clipping and what streaming services will do',
      argsSchema: { song },
    },
    ({ song }) =>
      ask(`Check the master of ${song} before it is released. ${obtain(song)} Read the groups loudness and quality with get_result. Tell integrated \
loudness, range and true peak, what each streaming platform will turn it up or down by, and every fault with its time: clipping, clicks, dropouts, \
hum, a lossy source. End with what to mend first, or that nothing needs to be. ${HONESTLY}`),
  );
}

function obtain(...songs: string[]): string {
  return `If ${songs.length > 1 ? 'one of them' : 'it'} is no id of an analysis, analyse it first with analyze_file or analyze_url.`;
}

function ask(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
