/** The kernels as JavaScript calls them. */

/** What is used of a WebAssembly.Memory. By name, its type comes with the DOM, which our declarations must not ask their readers for. */
export type KernelMemory = { readonly buffer: ArrayBuffer };

/** Pointers are byte offsets into the instance's memory. The meaning of each kernel is in engine/wasm/assembly. */
export type KernelExports = {
  memory: KernelMemory;
  allocate(bytes: number): number;
  markMemory(): number;
  releaseMemory(mark: number): void;

  createFftPlan(size: number): number;
  transformReal(plan: number, input: number, window: number, outRe: number, outIm: number): void;

  takeMagnitudes(re: number, im: number, out: number, count: number, scale: number): void;
  addPowers(re: number, im: number, count: number, out: number): void;
  foldPowers(re: number, im: number, classes: number, count: number, out: number): void;
  sumBands(spectrum: number, bands: number, bandCount: number, weights: number, out: number): void;
  analyseFrame(
    plan: number,
    frame: number,
    window: number,
    im: number,
    magnitudes: number,
    scale: number,
    bands: number,
    bandCount: number,
    weights: number,
    out: number,
  ): void;

  takeLogarithms(
    input: number,
    out: number,
    count: number,
    gain: number,
    shift: number,
    floor: number,
    scale: number,
    offset: number,
  ): void;

  convolvePolyphase(
    input: number,
    rows: number,
    taps: number,
    rowCount: number,
    up: number,
    down: number,
    start: number,
    phase: number,
    out: number,
    outCount: number,
  ): void;
  decimateHalfBand(
    even: number,
    odd: number,
    side: number,
    pairs: number,
    centre: number,
    out: number,
    outCount: number,
  ): void;
  splitPairs(input: number, even: number, odd: number, pairCount: number): void;

  mixToMono(channels: number, channelStride: number, channelCount: number, out: number, count: number): void;
  sumSquares(input: number, count: number): number;
  findPeak(input: number, count: number): number;
  silenceDamage(samples: number, count: number, limit: number, peakOut: number): number;

  sumWeightedSquares(left: number, right: number, count: number, coefficients: number, state: number): void;
  findInterpolatedPeak(input: number, count: number, taps: number, gainMax: number, peak: number): number;

  findExtremes(input: number, count: number, out: number): void;
  summariseStretches(input: number, count: number, outStride: number, out: number): void;
  gatherStretches(
    summaries: number,
    stride: number,
    count: number,
    loudest: number,
    squares: number,
    totals: number,
  ): void;
  sumProducts(a: number, b: number, count: number): number;
  findFlatTops(
    input: number,
    count: number,
    levelMin: number,
    ceiling: number,
    tolerance: number,
    stepMin: number,
    lengthMin: number,
    state: number,
    out: number,
    findsMax: number,
  ): number;
  resetFlatTops(input: number, count: number, state: number): void;

  observeLines(
    magnitudes: number,
    lines: number,
    lineCount: number,
    sineGain: number,
    tolerance: number,
    floorDb: number,
    topDb: number,
    counts: number,
  ): void;

  toSixteenBits(input: number, out: number, count: number): void;
  isSixteenBits(input: number, count: number): number;
  roundToSixteenBits(samples: number, count: number): void;
  convolvePolyphaseIntegers(
    input: number,
    rows: number,
    taps: number,
    rowCount: number,
    up: number,
    down: number,
    start: number,
    phase: number,
    out: number,
    outCount: number,
    add: number,
  ): void;

  convolveTaps(
    input: number,
    rowStride: number,
    rowCount: number,
    tapStride: number,
    tapCount: number,
    innerCount: number,
    weights: number,
    bias: number,
    out: number,
    outRowStride: number,
    outBlockCount: number,
  ): void;
  hashBlocks(state: number, constants: number, schedule: number, blocks: number, blockCount: number): void;
  decodeHalves(input: number, out: number, count: number): void;
  packTaps(
    weights: number,
    outStride: number,
    tapStride: number,
    bandStride: number,
    channelStride: number,
    outCount: number,
    tapCount: number,
    bandCount: number,
    channelCount: number,
    innerCount: number,
    bandChannels: number,
    outFactors: number,
    innerFactors: number,
    packed: number,
  ): void;
  packFixed(
    weights: number,
    outStride: number,
    tapStride: number,
    bandStride: number,
    channelStride: number,
    outCount: number,
    tapCount: number,
    bandCount: number,
    channelCount: number,
    bandChannels: number,
    tapMax: number,
    factors: number,
    row: number,
    scales: number,
    packed: number,
  ): void;
  toFixedPoint(input: number, out: number, count: number): void;
  convolveFixed(
    input: number,
    rowStride: number,
    rowCount: number,
    tapStride: number,
    tapCount: number,
    innerCount: number,
    weights: number,
    scales: number,
    bias: number,
    out: number,
    outRowStride: number,
    outBlockCount: number,
  ): void;
  applyElu(input: number, out: number, count: number, repeatedCount: number): void;
  poolThreeAndElu(input: number, out: number, rowCount: number, channelCount: number): void;
  poolTwoAndElu(input: number, out: number, rowCount: number, channelCount: number): void;
  addInto(target: number, addend: number, count: number): void;

  takeBandPowers(
    plan: number,
    samples: number,
    hop: number,
    frameCount: number,
    window: number,
    powers: number,
    im: number,
    bands: number,
    bandCount: number,
    weights: number,
    out: number,
  ): void;
  convolveLargest(
    input: number,
    placeStride: number,
    placeCount: number,
    rowStride: number,
    rowCount: number,
    tapStride: number,
    tapCount: number,
    innerCount: number,
    weights: number,
    scales: number,
    bias: number,
    responses: number,
    out: number,
    outRowStride: number,
    outBlockCount: number,
  ): void;
  rectifyRows(
    input: number,
    inputWidth: number,
    rowCount: number,
    sense: number,
    shift: number,
    count: number,
    out: number,
    outWidth: number,
  ): void;
  rectifyOnto(
    input: number,
    rowCount: number,
    width: number,
    shift: number,
    before: number,
    out: number,
  ): void;
  poolRows(rows: number, width: number, rowCount: number, count: number, maxima: number, means: number): void;
  turnRows(rows: number, rowCount: number, width: number, out: number, lineFloats: number): void;
  averageRows(rows: number, rowCount: number, width: number, out: number): void;

  trackBars(plan: number, observations: number, firstFrame: number, frameCount: number): void;
  tracePath(plan: number, lastFrame: number, meter: number, afterFrame: number, out: number): number;

  sumRowSquares(rows: number, rowCount: number, bandCount: number, out: number): void;
  sumRises(
    rows: number,
    rowCount: number,
    bandCount: number,
    lagRows: number,
    lowEnd: number,
    highStart: number,
    out: number,
  ): void;
  sumCepstra(
    rows: number,
    rowCount: number,
    rowStep: number,
    bandCount: number,
    pauseLevel: number,
    audible: number,
    basis: number,
    size: number,
    cepstrum: number,
    sums: number,
  ): void;
  sumSpectralShapes(
    rows: number,
    logs: number,
    rowCount: number,
    rowStep: number,
    bandCount: number,
    historyRows: number,
    audible: number,
    centres: number,
    widths: number,
    rolloffShare: number,
    sums: number,
    means: number,
  ): void;
  findOctaveEnds(
    rows: number,
    octaveCount: number,
    octaveBands: number,
    endBands: number,
    silence: number,
    sorted: number,
    out: number,
  ): void;

  describeShapes(
    rows: number,
    logs: number,
    rowCount: number,
    bandCount: number,
    floor: number,
    totalBefore: number,
    out: number,
    planeCount: number,
  ): void;
  keepPeaks(rows: number, rowCount: number, bandCount: number, reach: number, out: number): void;
  compareRows(rows: number, rowCount: number, count: number, lagRows: number, out: number): void;
  findStrongest(
    rows: number,
    rowCount: number,
    bandCount: number,
    strongestCount: number,
    strongest: number,
    out: number,
  ): void;
  sumTurns(values: number, count: number, mean: number, turns: number, turnCount: number): number;
  findPeriodicity(
    values: number,
    count: number,
    mean: number,
    power: number,
    lagMin: number,
    lagMax: number,
  ): number;

  addMelFrames(
    frames: number,
    frameCount: number,
    bandCount: number,
    historyBands: number,
    share: number,
    rhythm: number,
    rhythmBands: number,
    sound: number,
    soundBands: number,
    spectrum: number,
  ): void;
  addMeans(
    rows: number,
    frameCount: number,
    rowCount: number,
    first: number,
    count: number,
    divisor: number,
    out: number,
  ): void;
  projectOnto(basis: number, basisCount: number, values: number, size: number, out: number): void;
  centreAndScale(vectors: number, barCount: number, width: number): void;
  addLikenesses(
    vector: number,
    width: number,
    count: number,
    firstWeight: number,
    first: number,
    secondWeight: number,
    second: number,
  ): void;

  takeSemitones(
    bands: number,
    frameCount: number,
    bandCount: number,
    firstBands: number,
    weights: number,
    reach: number,
    gain: number,
    count: number,
    whitenReach: number,
    compressed: number,
    out: number,
  ): void;
  foldOctaves(semitones: number, frameCount: number, count: number, bell: number, out: number): void;
  matchTriads(
    middle: number,
    bass: number,
    rowCount: number,
    middleFloor: number,
    bassFloor: number,
    template: number,
    sharpness: number,
    out: number,
    outCount: number,
  ): void;
  findBandPeaks(
    rows: number,
    rowCount: number,
    bandCount: number,
    firstBand: number,
    share: number,
    out: number,
  ): number;
};
