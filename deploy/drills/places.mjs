import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where everything of the drills is: one address, a port each. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const FOLDER = join(tmpdir(), 'earshot-drills');
export const HERE = '127.0.0.1';
export const POSTGRES_PORT = 5439;
/** The customers' APIs; a third one, for the drill of the sandbox, is nobody's. */
export const API_PORTS = [28191, 28192];
export const SANDBOX_PORT = 28196;
/** Of each role, before the first of its processes. */
export const METRICS_PORTS = { api: 29470, work: 29480 };
export const RECEIVER_PORT = 28193;
export const STRIPE_PORT = 28194;
export const MAIL_PORT = 28195;
export const ACOUSTID_PORT = 28197;

export const urlOf = (port, path = '') => `http://${HERE}:${port}${path}`;

export const databaseUrl = (role, password, database = 'earshot') =>
  `postgres://${role}:${password}@${HERE}:${POSTGRES_PORT}/${database}`;
