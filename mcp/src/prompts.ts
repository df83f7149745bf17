/** Common questions about songs, for the prompt menu of a client: each names the tools to use and asks for the confidences. */

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Backend } from './backend.ts';

const CONFIDENCE_RULE =
  'Give confidences as they are, in words a musician uses; where a value is missing, say why ("unavailable") instead of guessing.';

export function addPrompts(server: McpServer, { analyseFile, analyseUrl }: Backend): void {
  const sources = [
    ...(analyseFile ? [{ name: 'path', tool: 'analyze_file' }] : []),
    ...(analyseUrl ? [{ name: 'URL', tool: 'analyze_url' }] : []),
  ];
  const song = z
    .string()
    .describe(['The id of an analysis', ...sources.map(({ name }) => name)].join(' or '));
  const tools = sources.map(({ tool }) => tool).join(' or ');
  const analyseFirst = (songs: 'it' | 'one of them') =>
    `If ${songs} is not the id of an analysis, analyse it first with ${tools}.`;

  server.registerPrompt(
    'describe_song',
    {
      title: 'Describe a song',
      description: 'Tempo, key, chords, form, loudness: a paragraph for musicians',
      argsSchema: { song },
    },
    ({ song }) =>
      ask(`Describe the song ${song}. ${analyseFirst('it')} Read it with get_result. Give tempo and metre, key and most played chords, the form section by section, how loud \
it is and what is wrong with the recording, if anything. ${CONFIDENCE_RULE}`),
  );
  server.registerPrompt(
    'mix_songs',
    {
      title: 'Mix two songs',
      description:
        'Whether one song mixes into the other: tempo, key, loudness, and where to make the transition',
      argsSchema: { first: song, second: song },
    },
    ({ first, second }) =>
      ask(`Can a DJ go from ${first} to ${second}? ${analyseFirst('one of them')} Call compare with both ids. Say by how much the second's tempo \
changes and whether that is within a pitch control's reach, whether the keys mix on the Camelot wheel, and the gain that matches loudness. Then \
read the sections of both (get_result, group structure) and name the best place for the transition. ${CONFIDENCE_RULE}`),
  );
  server.registerPrompt(
    'check_master',
    {
      title: 'Check a master',
      description: 'Loudness, true peak, clipping and what streaming services will do',
      argsSchema: { song },
    },
    ({ song }) =>
      ask(`Check the master of ${song} before it is released. ${analyseFirst('it')} Read the groups loudness and quality with get_result. Give integrated \
loudness, range and true peak, by how much each streaming platform will turn it up or down, and every fault with its time: clipping, clicks, dropouts, \
hum, a lossy source. End with what to fix first, or that nothing needs fixing. ${CONFIDENCE_RULE}`),
  );
}

function ask(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
