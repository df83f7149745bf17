import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { openSecret, rotateSecret, sealSecret, validSecrets } from './secrets.ts';

const SECRET_KEY = 'a secret key that is long enough for tests';
const ctx = { config: readConfig({ SECRET_KEY }, () => SECRET_KEY) };
const now = new Date('2026-03-01T12:00:00Z');
const seal = (secret: string) => sealSecret(ctx, 'whe_1', secret);

describe('a sealed secret', () => {
  it('opens for its holder only, and does not contain the secret', () => {
    const sealed = seal('whsec_plain');
    expect(sealed).not.toContain('whsec_plain');
    expect(openSecret(ctx, 'whe_1', sealed)).toBe('whsec_plain');
    expect(() => openSecret(ctx, 'whe_2', sealed)).toThrow('authenticate');
  });
});

it('sealed by any version before opens, so that receivers keep their secrets', () => {
  // Computed with Python: HKDF by the steps of RFC 5869, then AESGCM of `cryptography`.
  expect(openSecret(ctx, 'whe_1', 'v1.AAECAwQFBgcICQoL0JFx-Y9OFGFTGmBlKqCnZz97tHLpdiavpT9B')).toBe(
    'whsec_plain',
  );
});

describe('a rotation', () => {
  it('keeps the previous secret valid for exactly a day, after the new one', () => {
    const before = {
      signingSecret: seal('whsec_old'),
      previousSigningSecret: seal('whsec_older'),
      previousSecretExpiresAt: now,
    };
    const { secret, sealed } = rotateSecret(ctx, 'whe_1', before, now);
    expect(sealed.previousSecretExpiresAt).toEqual(new Date('2026-03-02T12:00:00Z'));
    const lastMoment = new Date('2026-03-02T11:59:59.999Z');
    expect(validSecrets(ctx, 'whe_1', sealed, lastMoment)).toEqual([secret, 'whsec_old']);
    expect(validSecrets(ctx, 'whe_1', sealed, sealed.previousSecretExpiresAt)).toEqual([secret]);
  });

  it('has one valid secret before the first', () => {
    const unrotated = {
      signingSecret: seal('whsec_first'),
      previousSigningSecret: null,
      previousSecretExpiresAt: null,
    };
    expect(validSecrets(ctx, 'whe_1', unrotated, now)).toEqual(['whsec_first']);
  });
});
