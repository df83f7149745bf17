import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startTestService } from '../test-service.ts';
import { runCrate } from './crate-command.ts';

const EMPTY = { id: 'col_1', name: 'Friday', item_count: 0, version: 7, items: [] };
const songOf = (job_id: string, bpm: number | null) => ({
  job_id,
  title: 'Blue Hour',
  artist: null,
  bpm,
  camelot: '8A',
});
const STEPS = [
  { ...songOf('job_2', 124.04), reason: 'the slowest' },
  { ...songOf('job_1', null), reason: 'the same key' },
];
let crates: object[] = [];
let crate: object = EMPTY;
/** No text: 0xff occurs in no UTF-8. */
const EXPORTED = Buffer.from([0x00, 0x53, 0xff, 0x0a]);
const service = await startTestService(({ method, path }) => {
  if (method === 'GET' && path === '/v1/collections') return { body: crates };
  if (path.endsWith('/export')) return { body: EXPORTED };
  return { body: path.endsWith('/order') ? { steps: STEPS } : crate };
});

it.each([
  [[], [], '0 crates'],
  [[EMPTY], ['col_1  0 songs  Friday'], '1 crate'],
])('lists the crates %j, with their count on standard error', async (all, printed, counted) => {
  crates = all;
  await runCrate([]);
  expect([service.printed, service.errorLines]).toEqual([printed, [counted]]);
});

it('counts the songs of an empty crate', async () => {
  await runCrate(['show', 'col_1']);
  expect([service.printed, service.errorLines]).toEqual([[], ['0 songs']]);
});

it('proposes an order with its reasons, and saves it only with --apply', async () => {
  await runCrate(['order', 'col_1', '--by', 'energy']);
  expect(service.printed).toEqual([
    'job_2  124.0 BPM  8A  Blue Hour\n      the slowest',
    'job_1  –  8A  Blue Hour\n      the same key',
  ]);
  expect(service.requests.at(-1)!.query.get('by')).toBe('energy');
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await runCrate(['order', 'col_1', '--apply']);
  expect(service.requests.at(-2)!.query.get('by')).toBe('harmonic');
  expect(service.requests.at(-1)).toMatchObject({
    method: 'PUT',
    path: '/v1/collections/col_1/items',
    body: { items: ['job_2', 'job_1'] },
    // Songs that somebody adds in the meantime are not lost.
    headers: { 'if-match': '"7"' },
  });
});

it('creates a crate with songs and prints its id, adds songs to one, and deletes one', async () => {
  await runCrate(['create', 'Friday', 'job_1', 'job_2']);
  await runCrate(['add', 'col_1', 'job_3', 'job_4']);
  await runCrate(['delete', 'col_1']);
  expect(service.requests).toMatchObject([
    { method: 'POST', path: '/v1/collections', body: { name: 'Friday', items: ['job_1', 'job_2'] } },
    { method: 'POST', path: '/v1/collections/col_1/items', body: { items: ['job_3', 'job_4'] } },
    { method: 'DELETE', path: '/v1/collections/col_1' },
  ]);
  expect(service.printed).toEqual(['col_1', '0 songs', 'col_1 is deleted; its songs stay.']);
});

it('writes an export to a file unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-crate-'));
  const path = join(folder, 'friday.xml');
  await runCrate(['export', 'col_1', '--folder', 'C:/Music', '--out', path]);
  expect(Object.fromEntries(service.requests[0]!.query)).toEqual({ format: 'rekordbox', folder: 'C:/Music' });
  expect(readFileSync(path)).toEqual(EXPORTED);
  rmSync(folder, { recursive: true });
});

it('prints an export without --out', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await runCrate(['export', 'col_1', '--format', 'm3u8']);
  expect(Object.fromEntries(service.requests[0]!.query)).toEqual({ format: 'm3u8' });
  expect(write.mock.calls.map(([bytes]) => Buffer.from(bytes))).toEqual([EXPORTED]);
});

it('replaces control characters', async () => {
  const name = '\u001b[2J\n\u009b31m';
  crates = [{ ...EMPTY, name }];
  await runCrate([]);
  crate = { ...EMPTY, items: [{ ...songOf('job_1', 120), title: name, artist: name }] };
  await runCrate(['show', 'col_1']);
  crate = EMPTY;
  const shown = '\ufffd[2J\ufffd\ufffd31m';
  expect(service.printed).toEqual([`col_1  0 songs  ${shown}`, `job_1  120.0 BPM  8A  ${shown} – ${shown}`]);
});
