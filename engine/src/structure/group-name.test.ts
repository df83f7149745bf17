import { describe, expect, it } from 'vitest';
import { nameGroup } from './group-name.ts';

describe('the name of group', () => {
  it.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [27, 'AB'],
    [51, 'AZ'],
    [52, 'BA'],
    [701, 'ZZ'],
    [702, 'AAA'],
  ])('%d is %s', (group, name) => {
    expect(nameGroup(group)).toBe(name);
  });
});
