import type { Evidence } from './evidence.ts';

/** I7: no child process and no temporary folder is left behind, and no process of the service crashes (a log line of level fatal, 60). */
export function checkLeftovers({ decoderFolders, decoderPids, orphanPids, logs }: Evidence): string[] {
  return [
    ...decoderPids.map((pid) => `decoder ${pid} still runs`),
    ...orphanPids.map((pid) => `engine or PDF writer ${pid} outlived its parent`),
    ...decoderFolders.map((name) => `${name} was left behind`),
    ...(/"level":60/.test(logs) ? ['a process crashed; see the logs'] : []),
  ];
}

/** I9: no secret in a log, a row, a delivery or a mail. */
export function checkSecrets({ secretsFound }: Evidence): string[] {
  return secretsFound.map((place) => `a planted secret is in ${place}`);
}
