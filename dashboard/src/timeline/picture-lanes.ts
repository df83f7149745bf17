import { PITCH_CLASSES } from '../music/spelling.ts';
import { FONT, type LaneContext } from './drawing.ts';
import { spanOf } from './viewport.ts';

/** Spectrogram and chromagram: pictures drawn by the service, with a frequency or pitch axis. */

export type PictureName = 'spectrogram' | 'chromagram';

/** The range of the engine's spectrogram, whose rows are evenly spaced on Slaney's mel scale. */
const SPECTROGRAM_LOWEST_HZ = 30;
const SPECTROGRAM_HIGHEST_HZ = 10_000;
const SPECTROGRAM_TICKS: [hz: number, label: string][] = [
  [200, '200 Hz'],
  [500, '500 Hz'],
  [1_000, '1 kHz'],
  [2_000, '2 kHz'],
  [5_000, '5 kHz'],
];
/** Labels the seven naturals: twelve labels would not fit. */
const NATURAL = /^[A-G]$/;
/** On each side of a label. */
const LABEL_MARGIN_PX = 3;
/** Of the strip behind the labels, in the background colour because the picture may have any brightness. */
const STRIP_ALPHA = 0.82;

type Tick = {
  label: string;
  /** 0 at the bottom of the picture, 1 at its top. */
  heightFraction: number;
};

export function ticksOf(name: PictureName): Tick[] {
  if (name === 'chromagram') {
    return PITCH_CLASSES.map((label, row) => ({
      label,
      heightFraction: (row + 0.5) / PITCH_CLASSES.length,
    })).filter(({ label }) => NATURAL.test(label));
  }
  const [low, high] = [melOf(SPECTROGRAM_LOWEST_HZ), melOf(SPECTROGRAM_HIGHEST_HZ)];
  return SPECTROGRAM_TICKS.map(([hz, label]) => ({
    label,
    heightFraction: (melOf(hz) - low) / (high - low),
  }));
}

/** Linear below 1 kHz, logarithmic above: Slaney, "Auditory Toolbox, Version 2", Interval Research TR 1998-010. */
function melOf(hz: number): number {
  return hz < 1_000 ? (3 * hz) / 200 : 15 + (27 * Math.log(hz / 1_000)) / Math.log(6.4);
}

export function drawPicture(
  { pen, view, widthPx, topPx, heightPx, colours }: LaneContext,
  { name, image, durationSeconds }: { name: PictureName; image: HTMLImageElement; durationSeconds: number },
): void {
  const pxPerSecond = image.naturalWidth / durationSeconds;
  pen.imageSmoothingEnabled = true;
  const leftPx = view.startSeconds * pxPerSecond;
  const sourceWidthPx = spanOf(view) * pxPerSecond;
  pen.drawImage(image, leftPx, 0, sourceWidthPx, image.naturalHeight, 0, topPx, widthPx, heightPx);
  pen.font = FONT;
  pen.textBaseline = 'middle';
  const ticks = ticksOf(name);
  pen.globalAlpha = STRIP_ALPHA;
  pen.fillStyle = colours.paper;
  const labelPx = Math.max(...ticks.map(({ label }) => pen.measureText(label).width));
  pen.fillRect(0, topPx, labelPx + 2 * LABEL_MARGIN_PX, heightPx);
  pen.globalAlpha = 1;
  pen.fillStyle = colours.ink;
  for (const { label, heightFraction } of ticks)
    pen.fillText(label, LABEL_MARGIN_PX, topPx + (1 - heightFraction) * heightPx);
}
