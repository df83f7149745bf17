import { expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { ENGINE_VERSION } from './version.ts';

it('is the version in package.json', () => {
  expect(ENGINE_VERSION).toBe(packageJson.version);
});
