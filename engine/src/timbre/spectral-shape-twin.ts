import { type BandGeometry, locateMelBands, ROLLOFF_SHARE } from './spectral-shape.ts';

/** The twin of the kernel `sumSpectralShapes`, for one row and the one before: centroid, roll-off, flux, mean logarithm and mean of the bands. */
export function describeRowTwin(bands: Float32Array, before: Float32Array, logs: Float32Array): number[] {
  const geometry = locateMelBands();
  const meanOf = (values: Float32Array): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    findCentroid(bands, geometry),
    findRolloff(bands, geometry),
    measureFlux(bands, before),
    meanOf(logs),
    meanOf(bands),
  ];
}

function findCentroid(bands: Float32Array, { centresHz, widthsHz }: BandGeometry): number {
  let moment = 0;
  let total = 0;
  for (let band = 0; band < bands.length; band++) {
    const weight = bands[band]! * widthsHz[band]!;
    moment += weight * centresHz[band]!;
    total += weight;
  }
  return total === 0 ? 0 : moment / total;
}

function findRolloff(bands: Float32Array, { centresHz, widthsHz }: BandGeometry): number {
  let total = 0;
  for (let band = 0; band < bands.length; band++) total += bands[band]! * bands[band]! * widthsHz[band]!;
  let below = 0;
  for (let band = 0; band < bands.length; band++) {
    below += bands[band]! * bands[band]! * widthsHz[band]!;
    if (below >= ROLLOFF_SHARE * total) return centresHz[band]!;
  }
  return centresHz.at(-1)!;
}

function measureFlux(bands: Float32Array, before: Float32Array): number {
  let total = 0;
  let totalBefore = 0;
  for (let band = 0; band < bands.length; band++) {
    total += bands[band]!;
    totalBefore += before[band]!;
  }
  if (total === 0 || totalBefore === 0) return 0;
  let risen = 0;
  for (let band = 0; band < bands.length; band++) {
    risen += Math.max(0, bands[band]! / total - before[band]! / totalBefore);
  }
  return risen;
}
