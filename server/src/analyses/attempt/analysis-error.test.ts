import { DecodeError, type DecodeErrorCode } from '@earshot/decode';
import { expect, it } from 'vitest';
import { AnalysisError, asAnalysisError } from './analysis-error.ts';

it.each<[DecodeErrorCode, string, boolean]>([
  ['unsupported_format', 'unsupported_format', false],
  ['corrupt_audio', 'corrupt_audio', false],
  ['no_audio', 'no_audio', false],
  ['too_long', 'too_long', false],
  ['too_large', 'too_large', false],
  ['too_many_channels', 'unsupported_format', false],
  ['sample_rate_out_of_range', 'unsupported_format', false],
  ['timed_out', 'timed_out', true],
  ['out_of_memory', 'too_large', false],
  ['decoder_failed', 'corrupt_audio', true],
])('reports the decoder error %s as %s, retryable: %s', (decodeCode, code, retryable) => {
  const error = new DecodeError(decodeCode, 'the sentence of the decoder');
  const message = 'the sentence of the decoder';
  expect(asAnalysisError(error)).toMatchObject({ code, message, retryable, cause: error });
});

it('keeps an analysis error, also as the cause of another error', () => {
  const error = new AnalysisError('download_failed', 'The server answered 503', { retryable: true });
  expect(asAnalysisError(error)).toBe(error);
  expect(asAnalysisError(new Error('retry later', { cause: error }))).toBe(error);
});

it.each([new Error('password=secret'), 'a string'])('hides an unexpected error: %s', (error) => {
  const hidden = asAnalysisError(error);
  expect(hidden).toMatchObject({ code: 'internal', retryable: true, cause: error });
  expect(hidden.message).not.toContain('secret');
});
