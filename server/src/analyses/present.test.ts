import { expect, it } from 'vitest';
import { makeDocument } from '../library/test-songs.ts';
import { pickParts } from './present.ts';

const VOICE_CURVE = { start_seconds: 0.05, hop_seconds: 0.1, values: [0.2, 0.9] };
const song = makeDocument({});
const content = {
  regions: [],
  voice_presence: 0.5,
  voice_presence_confidence: 0.8,
  voice_spans: [],
  voice_curve: VOICE_CURVE,
};
const sung = { ...song, content };

it('omits an unwanted part and reports it as not requested', () => {
  const piece = pickParts(sung, { without: 'content.voice_curve' });
  expect(piece.content).toEqual({ ...content, voice_curve: null });
  expect(piece.unavailable).toEqual({ ...sung.unavailable, 'content.voice_curve': 'not_requested' });
  expect(sung.content.voice_curve).toBe(VOICE_CURVE);
});

it('reports nothing about a part whose group is absent', () => {
  const piece = pickParts(sung, { groups: 'file', without: 'content.voice_curve' });
  expect(piece.content).toBeNull();
  expect(piece.unavailable).toEqual(sung.unavailable);
});
