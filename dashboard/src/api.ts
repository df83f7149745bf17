import { Earshot } from '@earshot/sdk';
import { networkFailureAs503 } from './network-failure.ts';

/** Needs no key: requests carry the session cookie, which is HttpOnly so that no script can read it. */
export const earshot = new Earshot({
  apiKey: null,
  baseUrl: window.location.origin,
  // Looked up at each call, because tests replace the global fetch.
  fetch: networkFailureAs503((input, init) => fetch(input, init)),
});
