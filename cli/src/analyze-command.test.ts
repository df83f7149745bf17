import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../bin/earshot.mjs', import.meta.url));
const song = fileURLToPath(new URL('../../examples/sample-song/two-doors-down.mp3', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function earshot(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('earshot analyze', () => {
  it('prints the true tempo, key and loudness of the sample song, and the whole result as JSON', () => {
    const { status, stdout, stderr } = earshot('analyze', '--json', '--out', join(folder, 'results'), song);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const result = JSON.parse(stdout);
    // Composed at exactly 112 BPM in G major; -16.1 LUFS by ffmpeg's ebur128.
    expect(Math.abs(result.bpm - 112)).toBeLessThan(0.1);
    expect(result.key_notation).toBe('G');
    expect(result.time_signature).toBe(4);
    expect(Math.abs(result.loudness_lufs + 16.1)).toBeLessThan(0.1);
    expect(result.schema_version).toBe('1');
    expect(result.file.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(readFileSync(join(folder, 'results', 'two-doors-down.json'), 'utf8'))).toEqual(result);
  });

  it('goes on after a file that is no audio, says which, and exits with 1', () => {
    mkdirSync(join(folder, 'crate'));
    writeFileSync(join(folder, 'crate', 'letter.mp3'), 'Dear friend, this is not a song.');
    const { status, stdout } = earshot('analyze', join(folder, 'crate'));
    expect(status).toBe(1);
    expect(stdout).toMatch(/letter\.mp3: .*not an audio file/);
  });

  it.each([
    [['analyze'], /name at least one audio file/],
    [['analyze', 'nowhere.mp3'], /there is no file or folder nowhere\.mp3/],
    [['analyze', '--bpm', 'fast', song], /--bpm wants a number above 0, not "fast"/],
    [['analyze', '--loud', song], /Unknown option '--loud'/],
    [['sing'], /there is no command "sing"/],
  ])('%j exits with 2 and a sentence', (args, sentence) => {
    const { status, stderr } = earshot(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(sentence);
  });

  it('explains itself', () => {
    expect(earshot('--help').stdout).toContain('earshot analyze FILE...');
  });
});
