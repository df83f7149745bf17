import { designHalfBand, designPolyphaseBank, type PolyphaseBank } from './resample.ts';

/** Twin of `convolvePolyphase`, `splitPairs` and `decimateHalfBand`: the whole signal at once, from the definition, in double precision. */
export function resampleTwin(
  input: ArrayLike<number>,
  inputRateHz: number,
  outputRateHz: number,
): Float64Array {
  const bank =
    inputRateHz === 2 * outputRateHz ? halfBandAsBank() : designPolyphaseBank(inputRateHz, outputRateHz);
  const { up, down, tapCount, rowCount, rows } = bank;
  return Float64Array.from({ length: Math.ceil((input.length * up) / down) }, (_, n) => {
    const phase = (n * down) % up;
    const first = Math.floor((n * down) / up) - (tapCount / 2 - 1);
    const row = Math.floor((phase * rowCount) / up) * tapCount;
    let sum = 0;
    for (let tap = 0; tap < tapCount; tap++) sum += rows[row + tap]! * (input[first + tap] ?? 0);
    return sum;
  });
}

function halfBandAsBank(): PolyphaseBank {
  const side = designHalfBand();
  const tapCount = 4 * side.length;
  const rows = new Float32Array(tapCount);
  const centre = tapCount / 2 - 1;
  rows[centre] = 0.5;
  side.forEach((value, k) => {
    const distance = 2 * (side.length - k) - 1;
    rows[centre - distance] = value;
    rows[centre + distance] = value;
  });
  return { up: 1, down: 2, tapCount, rowCount: 1, rows };
}
