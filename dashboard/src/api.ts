import { Earshot } from '@earshot/sdk';
import { networkFailureAs503 } from './network-failure.ts';

/** The session is an HttpOnly cookie of this origin: no script can read it, this one included. */
export const earshot = new Earshot({
  apiKey: null,
  baseUrl: window.location.origin,
  fetch: networkFailureAs503((input, init) => fetch(input, init)),
});
