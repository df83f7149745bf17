import { expect, it } from 'vitest';
import { type RetentionSettings, retentionWarning } from './retention-warning.ts';

const SONGS = /^Songs that were analysed longer ago are deleted/;
const AUDIO = /^Audio that is older than this is deleted/;
const settings = (
  retain_source: RetentionSettings['retain_source'],
  retention_days: number | null,
): RetentionSettings => ({ retain_source, retention_days });

it.each<[current: RetentionSettings, change: Partial<RetentionSettings>, warning: RegExp]>([
  [settings('as_asked', null), { retention_days: 365 }, SONGS],
  [settings('as_asked', 30), { retention_days: 7 }, SONGS],
  [settings('as_asked', null), { retain_source: 'never' }, AUDIO],
  [settings('forever', null), { retain_source: 90 }, AUDIO],
  [settings(30, null), { retain_source: 7 }, AUDIO],
  [settings(7, 30), { retain_source: 'never' }, AUDIO],
])('from %j to %j deletes, and says what', (current, change, warning) => {
  expect(retentionWarning(current, change)).toMatch(warning);
});

it.each<[current: RetentionSettings, change: Partial<RetentionSettings>]>([
  [settings('as_asked', 7), { retention_days: 30 }],
  [settings('as_asked', 7), { retention_days: null }],
  [settings('as_asked', 30), { retention_days: 30 }],
  [settings('never', null), { retain_source: 7 }],
  [settings(7, null), { retain_source: 30 }],
  [settings(30, null), { retain_source: 'as_asked' }],
  [settings('as_asked', null), { retain_source: 'forever' }],
  [settings('forever', null), { retain_source: 'as_asked' }],
  // The audio is deleted with its song, after 7 days.
  [settings('forever', 7), { retain_source: 30 }],
  [settings(30, 7), { retain_source: 7 }],
])('from %j to %j deletes nothing', (current, change) => {
  expect(retentionWarning(current, change)).toBeNull();
});
