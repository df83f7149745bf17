import { readdirSync, readFileSync } from 'node:fs';
import { ERROR_MEANINGS, REFUSAL_MEANINGS } from '@earshot/contract';
import { expect, it } from 'vitest';

/** The examples in docs/errors.md and the OpenAPI document are sentences of the service, so that a reader can search for what they got. */

const SOURCE = 'server/src/';
const LITERAL = /'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\]|\\.)+)`/g;
const SUBSTITUTION = /\$\{[^}]*\}/;
/** What remains of shorter literals without their substitutions, such as `${name}: ${reason}`, would match nearly any sentence. */
const FIXED_CHARACTERS_MIN = 10;

const escapeText = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const sentences = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .flatMap((path) => [...readFileSync(`${SOURCE}${path}`, 'utf8').matchAll(LITERAL)])
  .map(([, text, template]) => (text === undefined ? template!.split(SUBSTITUTION) : [text]))
  .filter((parts) => parts.join('').length >= FIXED_CHARACTERS_MIN)
  .map((parts) => new RegExp(`^${parts.map(escapeText).join('.+')}$`));

it.each(
  Object.entries({ ...ERROR_MEANINGS, ...REFUSAL_MEANINGS }).map(([code, { example }]) => [code, example]),
)('the example of %s is a sentence of the service: %s', (_, example) => {
  expect(sentences.some((sentence) => sentence.test(example))).toBe(true);
});
