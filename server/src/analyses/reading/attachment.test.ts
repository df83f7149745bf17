import { describe, expect, it } from 'vitest';
import { attachmentHeaders, inlineHeaders } from './attachment.ts';

describe('file headers', () => {
  it.each([
    ['song.csv', `attachment; filename="song.csv"; filename*=UTF-8''song.csv`],
    ['Für Elise.csv', `attachment; filename="F_r Elise.csv"; filename*=UTF-8''F%C3%BCr%20Elise.csv`],
    [
      'a"; filename="b.csv',
      `attachment; filename="a__ filename__b.csv"; filename*=UTF-8''a%22%3B%20filename%3D%22b.csv`,
    ],
    [
      'a\r\nSet-Cookie: x.csv',
      `attachment; filename="a__Set-Cookie_ x.csv"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x.csv`,
    ],
    [
      "it's (live)*.csv",
      `attachment; filename="it_s (live)_.csv"; filename*=UTF-8''it%27s%20%28live%29%2A.csv`,
    ],
  ])('escape the name %j', (name, expected) => {
    expect(attachmentHeaders(name, 'text/csv')['Content-Disposition']).toBe(expected);
  });

  it('deny a displayed page scripts, network and origin', () => {
    expect(inlineHeaders('report.html', 'text/html')).toEqual({
      'Content-Type': 'text/html',
      'Content-Disposition': `inline; filename="report.html"; filename*=UTF-8''report.html`,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'Cache-Control': 'private, no-store',
    });
  });
});
