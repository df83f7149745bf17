import type { IncomingMessage } from 'node:http';
import { randomBase62 } from '../platform/crypto.ts';

/** The id sent by the client if it is safe in a log line, otherwise a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9_.:-]{8,128}$/.test(given) ? given : newRequestId();
}

/** 119 bits, so that no two requests share an id. */
const RANDOM_CHARACTERS = 20;

export function newRequestId(): string {
  return `req_${randomBase62(RANDOM_CHARACTERS)}`;
}
