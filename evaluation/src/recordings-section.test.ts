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

  it('lists each genre, the answers withheld, and the worst songs with their remarks', () => {
    const text = formatRecordings([ours], remarks);
    expect(text).toContain('| blues (1) | .000 (.000–.000) | –');
    expect(text).toContain('| jazz (2) | .900 (.800–1.000) | –');
    expect(text).toContain('tempo: 1 of 3 (blues.1)');
    expect(text).toContain('| blues.1 | 0.00 | 100.0 | withheld | no onsets |');
  });

  it('rejects a song without a remark, and a remark without a song', () => {
    const { 'jazz.1': _, ...rest } = remarks;
    expect(() => formatRecordings([ours], rest)).toThrow('lacks jazz.1, and has unused none');
    expect(() => formatRecordings([ours], { ...remarks, 'rock.9': 'old' })).toThrow(
      'recording-remarks.ts lacks none, and has unused rock.9',
    );
  });

  it('has a row for the engine without networks, and a table for the earlier version', () => {
    const classical = makeFile('classical', { 'jazz.1': { beat_f: 0.4 } });
    const before = makeFile('earshot-before', { 'blues.1': { beat_f: 0.2 } });
    const text = formatRecordings([ours, classical, before], remarks);
    expect(text).toContain('| all, classical | .400 (.400–.400) |');
    expect(text).toContain('### Before and after');
    expect(text).toContain('on 1 clips of blues\n');
    expect(text).toContain('| earshot-before | .200 (.200–.200) |');
    expect(text).not.toContain('### Beside');
  });

  it('is empty without a run of the networks', () => {
    expect(formatRecordings([{ ...ours, ears: 'classical' }], remarks)).toBe('');
  });

  it('lists the twenty worst of those with annotated beats, the worst first', () => {
    const songs = Array.from({ length: 21 }, (_, index) => [`pop.${index}`, { beat_f: 1 - index / 100 }]);
    const many = makeFile('learned', Object.fromEntries([['pop.21', { key_exact: 0 }], ...songs]));
    const known = Object.fromEntries(songs.slice(1).map(([id]) => [id, 'early']));
    const rows = formatRecordings([many], known)
      .split('\n')
      .filter((line) => line.endsWith('| early |'));
    expect(rows).toHaveLength(20);
    expect(rows[0]).toBe('| pop.20 | 0.80 | 100.0 | 100.0 at 0.80 | early |');
  });

  it('compares with a peer on the clips it was run on, and leaves out metrics it never answers', () => {
    const peer = makeFile('librosa', { 'jazz.1': { beat_f: 0.6, downbeat_f: 0 }, 'rock.1': { beat_f: 0 } });
    const [, table] = formatRecordings([ours, peer], remarks).split('### Beside librosa');
    expect(table).toContain('on the 1 clips');
    expect(table).toContain('| Earshot | 1.000');
    expect(table).toContain('| librosa | .600 (.600–.600) | – | – | –');
  });
});
