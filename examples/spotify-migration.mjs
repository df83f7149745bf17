/**
 * A program written for Spotify's audio features and audio analysis, which new applications can no longer use, ported to Earshot:
 * the same fields on the same scales, from your own audio.
 *
 *   EARSHOT_API_KEY=es_live_… node examples/spotify-migration.mjs http://localhost:8080 [SONG]
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const SAMPLE = fileURLToPath(new URL('./sample-song/two-doors-down.mp3', import.meta.url));
const [baseUrl = 'http://localhost:8080', file = SAMPLE] = process.argv.slice(2);
const headers = { 'X-API-Key': process.env.EARSHOT_API_KEY };

const id = await analyse(file);
printTrack(await getAudioFeatures(id), await getAudioAnalysis(id));

/** Before: GET https://api.spotify.com/v1/audio-features/{id} */
async function getAudioFeatures(trackId) {
  return getJson(`/v1/analyses/${trackId}/exports/spotify-audio-features`);
}

/** Before: GET https://api.spotify.com/v1/audio-analysis/{id} */
async function getAudioAnalysis(trackId) {
  return getJson(`/v1/analyses/${trackId}/exports/spotify-audio-analysis`);
}

/** The old program with one change: a missing value is null. (For the key, Spotify itself uses -1.) */
function printTrack(features, analysis) {
  const pitches = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
  const key =
    features.key === -1 ? 'no key' : `${pitches[features.key]} ${features.mode === 1 ? 'major' : 'minor'}`;
  const tempo = features.tempo === null ? 'no tempo' : `${features.tempo.toFixed(1)} BPM`;
  const meter = features.time_signature === null ? 'no meter' : `${features.time_signature}/4`;
  console.log(`${tempo}, ${key}, ${meter}, ${format(features.loudness, 1)} dB`);
  console.log(
    `danceability ${format(features.danceability)}, energy ${format(features.energy)}, valence ${format(features.valence)}`,
  );
  console.log(
    `${analysis.bars.length} bars, ${analysis.beats.length} beats, ${analysis.sections.length} sections, ${analysis.segments.length} segments`,
  );
}

function format(value, decimals = 2) {
  return value === null ? 'unknown' : value.toFixed(decimals);
}

/** New: a track is analysed once, from its audio; the job id replaces the Spotify id. */
async function analyse(file) {
  const form = new FormData();
  form.set('file', new Blob([readFileSync(file)]), basename(file));
  const accepted = await fetch(`${baseUrl}/v1/analyze/upload`, { method: 'POST', headers, body: form });
  const { job_id: jobId, detail } = await accepted.json();
  if (accepted.status !== 202) throw new Error(`The upload was refused: ${JSON.stringify(detail)}`);
  for (;;) {
    // Answered when the job ends, or after 30 seconds.
    const { status, error } = await getJson(`/v1/analyses/${jobId}`, { prefer: 'wait=30' });
    if (status === 'completed') return jobId;
    if (status === 'failed' || status === 'canceled')
      throw new Error(error?.message ?? `The analysis is ${status}`);
  }
}

async function getJson(path, moreHeaders = {}) {
  const response = await fetch(baseUrl + path, { headers: { ...headers, ...moreHeaders } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}
