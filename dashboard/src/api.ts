import { Earshot } from '@earshot/sdk';

/** The session is an HttpOnly cookie of this origin: no script can read it, this one included. */
export const earshot = new Earshot({ apiKey: null, baseUrl: window.location.origin });
