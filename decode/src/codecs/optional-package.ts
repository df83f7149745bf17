import { unsupported } from '../decode-error.ts';

/**
 * Codecs under the GPL or LGPL are optional dependencies: without the package, its format is refused by name. A package that is
 * installed but cannot be loaded is a fault of the installation, so its error is passed on.
 */
export async function importOptional<T>(load: () => Promise<T>, format: string, name: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isAbsent(error, name)) throw error;
    throw unsupported(
      `${format} needs the optional package ${name}, which is not installed here; send MP3, FLAC, Opus or WAV.`,
    );
  }
}

/** Node quotes the name of a missing package; for a missing file inside a package it quotes the path. */
function isAbsent(error: unknown, name: string): boolean {
  return error instanceof Error && isModuleNotFound(error) && error.message.includes(`'${name}'`);
}

export function isModuleNotFound(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
