import { Earshot } from '@earshot/sdk';
import { answering } from './answer-of-service.ts';

/** The session is an HttpOnly cookie of this origin: no script can read it, this one included. */
export const earshot = new Earshot({
  apiKey: null,
  baseUrl: window.location.origin,
  fetch: answering((input, init) => fetch(input, init)),
});
