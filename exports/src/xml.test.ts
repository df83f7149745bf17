import { expect, it } from 'vitest';
import { attributes, escapeXml } from './xml.ts';

it('escapes markup and white space, and drops characters that XML 1.0 cannot hold', () => {
  expect(escapeXml('a & b < c > "d"')).toBe('a &amp; b &lt; c &gt; &quot;d&quot;');
  // A parser would turn a plain line break in an attribute into a space.
  expect(escapeXml('a\tb\nc\rd')).toBe('a&#9;b&#10;c&#13;d');
  expect(escapeXml('a\0b\u001bc\uffffd')).toBe('abcd');
});

it('writes attributes in their order', () => {
  expect(attributes({ Name: 'A "B"', Num: '1' })).toBe(' Name="A &quot;B&quot;" Num="1"');
});
