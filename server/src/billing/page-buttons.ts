import { AppError } from '../errors.ts';

/** The value of the pressed button, all of which are named `action`; null when the form was sent without one. */
export function readButton(body: Buffer): string | null {
  return new URLSearchParams(body.toString('utf8')).get('action');
}

export function seeOther(location: string) {
  return { status: 303 as const, body: null, headers: { Location: location } };
}

export function unknownButton(): AppError {
  return new AppError('bad_request', 'The form was sent without one of its buttons. Go back and press one.');
}
