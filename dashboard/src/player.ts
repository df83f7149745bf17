import WaveSurfer from 'wavesurfer.js';
import { groupColour, type Result } from './result.ts';

/** Fine enough for the closest zoom of a song, and few enough to draw the whole of a long recording at once. */
const PEAKS_MAX = 60_000;

/** The waveform from our own peaks, so that the browser decodes nothing to draw it. */
export function createPlayer(container: HTMLElement, media: HTMLMediaElement, result: Result): WaveSurfer {
  const levels = result.waveform?.levels ?? [];
  const level = levels.find(({ length }) => length <= PEAKS_MAX) ?? levels.at(-1);
  const player = WaveSurfer.create({
    container,
    media,
    peaks: level ? [mergeChannels(level)] : [[0]],
    duration: result.duration_seconds,
    height: 120,
    waveColor: '#7c8794',
    progressColor: '#2563eb',
    cursorColor: '#e8590c',
    dragToSeek: true,
    hideScrollbar: false,
    cspNonce: document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content,
  });
  makeScrollable(player);
  paintSections(player, result);
  return player;
}

type Level = NonNullable<Result['waveform']>['levels'][number];

function mergeChannels(level: Level): number[] {
  const peaks = new Array<number>(level.length * 2);
  for (let pixel = 0; pixel < level.length; pixel++) {
    let [low, high] = [0, 0];
    for (let channel = 0; channel < level.channels; channel++) {
      low = Math.min(low, level.data[2 * (pixel * level.channels + channel)]!);
      high = Math.max(high, level.data[2 * (pixel * level.channels + channel) + 1]!);
    }
    peaks[2 * pixel] = low / 128;
    peaks[2 * pixel + 1] = high / 128;
  }
  return peaks;
}

/** The zoomed waveform scrolls by keyboard too. */
function makeScrollable(player: WaveSurfer): void {
  const scroll = player.getWrapper().parentElement;
  if (!scroll) return;
  scroll.tabIndex = 0;
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', 'Waveform');
}

/** A tint of the section's colour behind its part of the waveform, which it follows through zoom and scroll. */
function paintSections(player: WaveSurfer, result: Result): void {
  const percent = (seconds: number) => `${(100 * seconds) / result.duration_seconds}%`;
  for (const { start_seconds, end_seconds, group } of result.structure?.sections ?? []) {
    const tint = document.createElement('div');
    Object.assign(tint.style, {
      position: 'absolute',
      insetBlock: '0',
      left: percent(start_seconds),
      width: percent(end_seconds - start_seconds),
      background: groupColour(group),
      opacity: '0.14',
      pointerEvents: 'none',
    });
    player.getWrapper().prepend(tint);
  }
}
