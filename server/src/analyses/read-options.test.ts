import { expect, it } from 'vitest';
import { readOptions } from './read-options.ts';

it('leaves to the service whatever a submission does not say', () => {
  expect(readOptions({})).toEqual({
    webhookUrl: null,
    features: null,
    hints: {},
    metadata: {},
    enrich: [],
    retainSource: null,
  });
});

it('translates every option', () => {
  const options = {
    webhook_url: 'https://example.com/hook',
    hints: { bpm: 120, bpm_min: 100, bpm_max: 140, key: 'Am', time_signature: 3 },
    metadata: { album: 'one' },
    enrich: ['acoustid'],
    retain_source: false,
  } as Parameters<typeof readOptions>[0];
  expect(readOptions(options)).toEqual({
    webhookUrl: 'https://example.com/hook',
    features: null,
    hints: { bpm: 120, bpmMin: 100, bpmMax: 140, key: 'Am', timeSignature: 3 },
    metadata: { album: 'one' },
    enrich: ['acoustid'],
    retainSource: false,
  });
});

it('keeps the groups that are computed, each once and in the order of the result', () => {
  const features = ['provenance', 'tonal', 'file', 'rhythm', 'tonal'];
  const options = { features } as Parameters<typeof readOptions>[0];
  expect(readOptions(options).features).toEqual(['rhythm', 'tonal']);
});
