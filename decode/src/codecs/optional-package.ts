import { unsupported } from '../decode-error.ts';

/** Codecs under the GPL or LGPL are optional dependencies; without one its format is refused by name. */
export async function importOptional<T>(load: () => Promise<T>, format: string, name: string): Promise<T> {
  try {
    return await load();
  } catch {
    throw unsupported(
      `${format} needs the optional package ${name}, which is not installed here; send MP3, FLAC, Opus or WAV.`,
    );
  }
}
