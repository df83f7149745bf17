/** Addresses, ports and folders of the drills. The S3 store's are in world.mjs. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const FOLDER = join(tmpdir(), 'earshot-drills');
export const LOOPBACK = '127.0.0.1';
export const POSTGRES_PORT = 5439;
/** Of api-1 and api-2, which the customer calls in turn. */
export const API_PORTS = [28191, 28192];
/** Of api-3, which runs only during the drill of the billing sandbox. */
export const SANDBOX_PORT = 28196;
/** Process n of a role listens on this + n. */
export const METRICS_PORT_BASES = { api: 29470, work: 29480 };
export const RECEIVER_PORT = 28193;
export const STRIPE_PORT = 28194;
export const MAIL_PORT = 28195;
export const ACOUSTID_PORT = 28197;

export const urlOf = (port, path = '') => `http://${LOOPBACK}:${port}${path}`;

export const databaseUrl = (role, password, database = 'earshot') =>
  `postgres://${role}:${password}@${LOOPBACK}:${POSTGRES_PORT}/${database}`;
