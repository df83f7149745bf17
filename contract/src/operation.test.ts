import { expect, it } from 'vitest';
import { bodyBytesMaxOf, type Operation } from './operation.ts';

const open: Operation = {
  id: 'getThing',
  method: 'GET',
  path: '/thing',
  summary: '',
  tag: '',
  surface: 'operational',
  policy: { access: 'public' },
  responses: {},
};

it('bodies without credentials may have 4 KiB, those of members 1 MiB, unless the operation says otherwise', () => {
  expect(bodyBytesMaxOf(open)).toBe(4 * 1024);
  expect(bodyBytesMaxOf({ ...open, policy: { access: 'signature' } })).toBe(4 * 1024);
  const members = { access: 'workspace', scope: null, role: 'member' } as const;
  expect(bodyBytesMaxOf({ ...open, policy: members })).toBe(1024 * 1024);
  expect(bodyBytesMaxOf({ ...open, bodyBytesMax: 7 })).toBe(7);
});
