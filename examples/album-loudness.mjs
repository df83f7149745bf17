/**
 * Is this album ready for release? Prints loudness and true peak of every track, the loudness of the album, and how a streaming
 * service will change it.
 *
 *   node examples/album-loudness.mjs FOLDER      (without a folder, a small album is synthesised)
 */
import { basename } from 'node:path';
import { analyzeFolder } from './analyze-here.mjs';

/** The playback loudness of Spotify, YouTube, Tidal and others, and the peak Spotify recommends so that lossy codecs do not clip. */
const TARGET_LUFS = -14;
const TRUE_PEAK_DBTP_MAX = -1;

const [folder] = process.argv.slice(2);
const tracks = analyzeFolder(folder)
  .map(({ path, result }) => ({
    name: basename(path),
    seconds: result.duration_seconds,
    lufs: result.loudness_lufs,
    dbtp: result.true_peak_dbtp,
  }))
  .filter(({ lufs }) => lufs !== null);
if (tracks.length === 0) console.log('There is nothing here that could be heard.');
else printAlbum(tracks);

function printAlbum(tracks) {
  for (const { name, lufs, dbtp } of tracks) {
    const warning = dbtp > TRUE_PEAK_DBTP_MAX ? `  peaks above ${TRUE_PEAK_DBTP_MAX} dBTP` : '';
    console.log(
      `${name.padEnd(24)} ${lufs.toFixed(1).padStart(6)} LUFS ${dbtp.toFixed(1).padStart(6)} dBTP${warning}`,
    );
  }
  const albumLufs = albumLoudness(tracks);
  const gainDb = TARGET_LUFS - albumLufs;
  const loudestLufs = Math.max(...tracks.map(({ lufs }) => lufs));
  const softestLufs = Math.min(...tracks.map(({ lufs }) => lufs));
  console.log(
    `album ${albumLufs.toFixed(1)} LUFS, tracks within ${(loudestLufs - softestLufs).toFixed(1)} LU`,
  );
  console.log(
    gainDb < 0
      ? `a service at ${TARGET_LUFS} LUFS turns it down by ${(-gainDb).toFixed(1)} dB: it need not be this loud`
      : `a service at ${TARGET_LUFS} LUFS would turn it up by ${gainDb.toFixed(1)} dB, if it does that at all`,
  );
}

/** The mean over time of the energy, not of the decibels; an approximation without the gate of ITU-R BS.1770. */
function albumLoudness(tracks) {
  const seconds = tracks.reduce((sum, track) => sum + track.seconds, 0);
  const energy = tracks.reduce((sum, { lufs, seconds: length }) => sum + length * 10 ** (lufs / 10), 0);
  return 10 * Math.log10(energy / seconds);
}
