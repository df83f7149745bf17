import { describe, expect, it } from 'vitest';
import { rateRoles, rateVoicedRoles } from './section-roles.ts';

const form = (text: string) =>
  text.split(' ').map((word, index) => ({ start: 10 * index, end: 10 * index + 10, label: word }));

describe('roles of sections', () => {
  it('are scored by time: right where both labels have the same role', () => {
    expect(rateRoles(form('intro A B transition1'), form('intro verse chorus break'))).toBe(1);
    expect(rateRoles(form('intro A B inst-b'), form('verse verse chorus bridge'))).toBe(0.5);
    const sung = form('A A A A');
    expect(rateRoles(sung, form('verse pre-chorus chorus bridge'))).toBe(1);
    expect(rateRoles(form('inst outro transition'), form('instrumental break outro'))).toBe(1);
    expect(rateRoles(form('intro A'), [{ start: 0, end: 20, label: 'verse' }])).toBe(0.5);
  });

  it('are not scored for annotated labels without a role, or without an answer', () => {
    expect(rateRoles(form('other1 A'), form('intro verse'))).toBe(1);
    expect(rateRoles(form('other1'), form('intro'))).toBeNull();
    expect(rateRoles(form('A'), [])).toBeNull();
  });

  it('agree with the singing where verses are sung and instrumentals are not', () => {
    const sung: [number, number][] = [[11, 19]];
    expect(rateVoicedRoles(sung, form('intro verse instrumental'))).toBe(1);
    expect(rateVoicedRoles(sung, form('intro instrumental verse'))).toBe(0);
    expect(rateVoicedRoles(sung, form('intro verse chorus outro'))).toBe(0.5);
    expect(rateVoicedRoles(sung, form('intro'))).toBeNull();
    // Sung for a quarter of its time, and for a little more.
    expect(rateVoicedRoles([[2, 4.5]], form('verse'))).toBe(0);
    expect(rateVoicedRoles([[2, 4.6]], form('verse'))).toBe(1);
  });
});
