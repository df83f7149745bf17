import { describe, expect, it } from 'vitest';
import { formatRecordings } from './recordings-section.ts';
import type { ScoreFile } from './score-file.ts';

function makeFile(ears: string, songs: ScoreFile['songs']): ScoreFile {
  const ids = Object.keys(songs);
  return {
    corpus: 'gtzan',
    ears,
    models: [],
    means: [],
    calibration: {},
    songs,
    answers: Object.fromEntries(
      ids.map((id, index) => [
        id,
        {
          tempo: { truthBpm: 100, bpm: index === 0 ? null : 100, confidence: index === 0 ? null : 0.8 },
          key: { truth: null, key: null, confidence: null, tuningHz: null },
        },
      ]),
    ),
    genres: Object.fromEntries(ids.map((id) => [id, id.split('.')[0]!])),
  };
}

describe('formatRecordings', () => {
  const ours = makeFile('learned', {
    'blues.1': { beat_f: 0 },
    'jazz.1': { beat_f: 1 },
    'jazz.2': { beat_f: 0.8 },
  });

  const remarks = { 'blues.1': 'no onsets', 'jazz.1': 'right', 'jazz.2': 'late' };

  it('has a row for each genre, the answers withheld, and the worst songs with their remarks', () => {
    const text = formatRecordings([ours], remarks);
    expect(text).toContain('| blues (1) | .000 (.000–.000) | –');
    expect(text).toContain('| jazz (2) | .900 (.800–1.000) | –');
    expect(text).toContain('tempo: 1 of 3 (blues.1)');
    expect(text).toContain('| blues.1 | 0.00 | 100.0 | withheld | no onsets |');
  });

  it('names a song without a remark, and a remark without a song', () => {
    const { 'jazz.1': _, ...rest } = remarks;
    expect(() => formatRecordings([ours], { ...rest, 'rock.9': 'old' })).toThrow(
      'recording-remarks.ts lacks jazz.1, and has without need rock.9',
    );
  });

  it('compares with a peer on the clips it was run on, and leaves out metrics it never answers', () => {
    const peer = makeFile('librosa', { 'jazz.1': { beat_f: 0.6, downbeat_f: 0 } });
    const [, table] = formatRecordings([ours, peer], remarks).split('### Beside librosa');
    expect(table).toContain('on the 1 clips');
    expect(table).toContain('| Earshot | 1.000');
    expect(table).toContain('| librosa | .600 (.600–.600) | – | – | –');
  });
});
