import { activeWalls, missingWalls, type SandboxWall, WALL_MEANINGS } from '@earshot/decode';
import type { Config } from './config.ts';
import { StartError } from './errors.ts';
import type { Logger } from './platform/log.ts';

/**
 * Starts a decoder that tests its sandbox walls and reports which of them hold. In production, a worker without a required wall does not
 * start, unless DECODER_WALLS_OPTIONAL names it; elsewhere the lack is logged as a warning.
 */
export async function checkDecoderWalls(
  config: Pick<Config, 'production' | 'decoderWallsOptional'>,
  log: Logger,
  findWalls: () => Promise<SandboxWall[]> = activeWalls,
): Promise<void> {
  const optional = config.decoderWallsOptional;
  const walls = await findWalls();
  const missing = missingWalls(walls, optional);
  if (missing.length === 0) return log.info({ walls }, 'These sandbox walls of the decoder hold');
  const list = missing.map((wall) => `  ${wall}: ${WALL_MEANINGS[wall]}`).join('\n');
  if (!config.production)
    return log.warn({ walls, missing }, 'The decoder runs with fewer sandbox walls than it should');
  throw new StartError(
    `The decoder would read strangers' files without these walls:\n${list}\n` +
      `To do without: DECODER_WALLS_OPTIONAL=${[...optional, ...missing]}. docs/formats-supported.md says what each needs.`,
  );
}
