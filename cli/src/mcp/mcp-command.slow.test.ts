import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, expect, it, onTestFinished } from 'vitest';

/** The protocol's reference client starts and drives `earshot mcp` as an assistant would. */

const program = fileURLToPath(new URL('../../bin/earshot.mjs', import.meta.url));
const song = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'earshot-mcp-test-'));
const client = new Client({ name: 'test', version: '1' });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'] }));
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(name: string, args: Record<string, unknown>) {
  const { content, isError, structuredContent } = await client.callTool(
    { name, arguments: args },
    undefined,
    {
      timeout: 60_000,
    },
  );
  const [{ text }] = content as [{ text: string }];
  // The answer comes twice: as text, and as structured content, which the client checks against the tool's schema.
  if (!isError) expect(structuredContent).toEqual(JSON.parse(text));
  return { failed: isError === true, text, answer: isError ? null : JSON.parse(text) };
}

it('lists its tools and their schemas', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    'analyze_file',
    'analyze_url',
    'compare',
    'get_export',
    'get_result',
    'list_analyses',
    'list_exports',
  ]);
  expect(tools.find(({ name }) => name === 'get_result')?.inputSchema.required).toEqual(['id']);
  for (const { name, outputSchema } of tools) expect(outputSchema?.type, name).toBe('object');
});

it('analyses a file, opens its groups, exports and compares it', { timeout: 180_000 }, async () => {
  const progress: number[] = [];
  // Longer than the default, after which the tool answers "processing": on a busy machine the analysis takes longer.
  const request = { name: 'analyze_file', arguments: { path: song, wait_seconds: 120 } };
  const first = await client.callTool(request, undefined, {
    onprogress: (step) => progress.push(step.progress),
    timeout: 150_000,
  });
  const [{ text }] = first.content as [{ text: string }];
  const result = JSON.parse(text);
  expect(result).toMatchObject({
    name: 'two-doors-down.mp3',
    status: 'completed',
    key: 'G',
    beats_in_a_bar: 4,
  });
  // Composed at exactly 112 BPM; a deviation of 0.1 is half a beat in five minutes.
  expect(Math.abs(result.bpm - 112)).toBeLessThan(0.1);
  // About a page; the full result has more than a hundred thousand characters.
  expect(text.length).toBeLessThan(4_000);
  expect(progress.length).toBeGreaterThan(0);

  const rhythm = await call('get_result', { id: result.id, group: 'rhythm' });
  expect(rhythm.answer.rhythm.beats).toMatchObject({ count: result.beats });
  const full = await call('get_result', { id: result.id, group: 'rhythm', full: true });
  expect(full.answer.rhythm.beats).toHaveLength(result.beats);

  const beats = await call('get_export', { id: result.id, format: 'lab-beats' });
  expect(beats.answer).toMatchObject({ encoding: 'text' });
  expect(beats.answer.content.trim().split('\n')).toHaveLength(result.beats);
  const midi = await call('get_export', { id: result.id, format: 'midi' });
  expect(Buffer.from(midi.answer.content, 'base64').toString('latin1', 0, 4)).toBe('MThd');

  const same = await call('compare', { first_id: result.id, second_id: result.id });
  expect(same.answer).toMatchObject({
    tempo: { change_percent: 0 },
    key: { relation: 'same key', mixes: true },
  });
  const { resources } = await client.listResources();
  expect(resources).toEqual([
    expect.objectContaining({ uri: `earshot://analyses/${result.id}`, name: 'two-doors-down.mp3' }),
  ]);
  const read = async (path: string) => {
    const { contents } = await client.readResource({ uri: `earshot://analyses/${path}` });
    return contents[0] as { text?: string; blob?: string };
  };
  expect(JSON.parse(String((await read(result.id)).text))).toEqual(result);
  const loudness = JSON.parse(String((await read(`${result.id}/groups/loudness`)).text));
  // The summary has five significant digits.
  expect(loudness.integrated_lufs).toBeCloseTo(result.loudness_lufs, 2);
  expect((await read(`${result.id}/exports/lab-beats`)).text).toBe(beats.answer.content);
  expect((await read(`${result.id}/exports/midi`)).blob).toBe(midi.answer.content);
  await expect(read(`${result.id}/groups/colour`)).rejects.toThrow(/There is no "colour"/);

  const { answer: list } = await call('list_analyses', {});
  expect(list.analyses).toEqual([expect.objectContaining({ id: result.id, status: 'completed' })]);
});

it('offers prompts, and templates of its resources', async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name).sort()).toEqual(['check_master', 'describe_song', 'mix_songs']);
  const { messages } = await client.getPrompt({
    name: 'mix_songs',
    arguments: { first: 'local_1', second: 'b.mp3' },
  });
  expect(messages).toHaveLength(1);
  expect(messages[0]?.content).toMatchObject({
    type: 'text',
    text: expect.stringMatching(/local_1 to b\.mp3.*compare/s),
  });
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'earshot://analyses/{id}',
    'earshot://analyses/{id}/groups/{group}',
    'earshot://analyses/{id}/exports/{format}',
  ]);
});

it('reports failures as sentences', { timeout: 120_000 }, async () => {
  writeFileSync(join(folder, 'letter.mp3'), readFileSync(program));
  expect(await call('analyze_file', { path: join(folder, 'letter.mp3') })).toMatchObject({
    failed: true,
    text: expect.stringMatching(/not an audio file/),
  });
  expect(await call('analyze_file', { path: join(folder, 'nowhere.mp3') })).toMatchObject({
    failed: true,
    text: `There is no file ${join(folder, 'nowhere.mp3')}.`,
  });
  expect((await call('analyze_file', { path: folder })).text).toBe('This is not a file.');
  expect(await call('get_result', { id: 'local_none' })).toMatchObject({
    failed: true,
    text: 'There is no analysis local_none here: the newest 100 are kept while the server runs. Analyse the song again.',
  });
  expect((await call('get_export', { id: 'x', format: 'mp3' })).text).toMatch(/format/);
});

it.each(['SIGINT', 'SIGTERM'] as const)('removes a partial download at %s', async (signal) => {
  const temporary = join(folder, signal);
  mkdirSync(temporary);
  /** Sends the beginning of a song, and nothing more. */
  const web = createServer((_, response) => response.write('begun'));
  await once(web.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    web.closeAllConnections();
    web.close();
  });
  const serving = spawn(process.execPath, [program, 'mcp'], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  onTestFinished(() => void serving.kill('SIGKILL'));
  const ended = once(serving, 'exit');
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/song.mp3`;
  for (const message of [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'analyze_url', arguments: { url } } },
  ])
    serving.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await expect.poll(() => readdirSync(temporary, { recursive: true }), { timeout: 20_000 }).toHaveLength(2);
  serving.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect(readdirSync(temporary)).toEqual([]);
});
