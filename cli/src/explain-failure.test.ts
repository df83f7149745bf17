import { readFileSync } from 'node:fs';
import { ParameterError } from '@earshot/engine';
import { ExportUnavailable } from '@earshot/exports';
import { ApiError, ConnectionError } from '@earshot/sdk';
import { describe, expect, it } from 'vitest';
import { NotSignedIn } from './account/connect.ts';
import { explainFailure } from './explain-failure.ts';
import { UsageError } from './usage-error.ts';

describe('explainFailure', () => {
  it.each([
    [new UsageError('which key?'), 2, 'which key?'],
    [new UsageError("'--out' is ambiguous.\nDid you forget"), 2, "'--out' is ambiguous.\nDid you forget"],
    [new ParameterError('bpm is from 20 to 400'), 2, 'bpm is from 20 to 400'],
    [new NotSignedIn('nobody is signed in'), 3, 'nobody is signed in'],
    [new ConnectionError('no answer'), 3, 'no answer'],
    [new ApiError(404, { detail: 'Not found' }, 'req_1'), 3, 'Not found (request req_1)'],
    [new ExportUnavailable('No chords.'), 1, 'No chords.'],
    [
      Object.assign(new Error('ENOSPC: no space left on device, write'), {
        code: 'ENOSPC',
        syscall: 'write',
      }),
      1,
      'ENOSPC: no space left on device, write',
    ],
    // A file name and an answer of another program, both with control characters.
    [
      errorOfPath('/no/such/\u001b[2J.csv'),
      1,
      "ENOENT: no such file or directory, open '/no/such/\ufffd[2J.csv'",
    ],
    [new ApiError(404, { detail: '\u009b2J' }, null), 3, '\ufffd2J'],
    [errorOfPath('/no/such/x.csv'), 1, "ENOENT: no such file or directory, open '/no/such/x.csv'"],
  ])('%s', (error, exitCode, message) => {
    expect(explainFailure(error)).toEqual({ message, exitCode });
  });

  it('shows no control characters of a bug or of a request id', () => {
    expect(explainFailure(new TypeError('a\u001b[2Jb')).message).toContain('a\ufffd[2Jb\n');
    const refused = new ApiError(404, { detail: 'Not found' }, 'req\u001b[2J');
    expect(explainFailure(refused).message).toBe('Not found (request req\ufffd[2J)');
  });

  it.each([
    ['an unexpected error', new TypeError('x is not a function', { cause: new Error('the reason') })],
    // Not about a file: a socket has no path.
    [
      'a system error without a path',
      Object.assign(new Error('x is not a function, the reason'), { syscall: 'read' }),
    ],
  ])('reports %s as a bug, with its cause and stack trace', (_, error) => {
    const { message, exitCode } = explainFailure(error);
    expect(exitCode).toBe(70);
    expect(message).toContain('x is not a function');
    expect(message).toContain('the reason');
    expect(message).toContain('explain-failure.test.ts');
  });
});

function errorOfPath(path: string): unknown {
  try {
    return readFileSync(path);
  } catch (error) {
    return error;
  }
}
