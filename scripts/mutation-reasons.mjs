/** Why no test notices a change: by file, and what is written there before and after. */
export const REASONS = {
  'dashboard/src/format.ts': {
    'value < 0 → value <= 0': 'what is rounded to nothing has no sign',
    'value > 0 → value >= 0': 'what is rounded to nothing has both signs',
  },
  'dashboard/src/music/chords.ts': {
    'bass === undefined → false': 'what is missing is no degree either',
    '/^maj$/ → /maj$/': 'no quality of Harte ends in maj but itself',
    '/^maj6$/ → /maj6$/': 'no quality of Harte ends in maj6 but itself',
    '/^min/ → /min/': 'a quality that has min begins with it',
    '/^(min|dim|hdim)/ → /(min|dim|hdim)/': 'a quality that has one of them begins with it',
    'placeOf(bass!) - placeOf(root!) + UNISON → placeOf(bass!) - placeOf(root!) - UNISON':
      'twelve fifths lead back to the same note',
  },
  'dashboard/src/music/spelling.ts': {
    'place - LINE_START → place + LINE_START': 'twelve fifths lead back to the same note',
  },
  'dashboard/src/song-names.ts': {
    'url.split(/[?#]/)[0]?.split → url.split(/[?#]/)[0].split': 'what is split has a first part',
  },
  'engine/src/structure/fades.ts': {
    'value < SILENCE_LUFS → false': 'quieter than silence is silence either way',
    'value < SILENCE_LUFS → value <= SILENCE_LUFS': 'quieter than silence is silence either way',
    'end > 0 → true': 'before the first there is nothing',
    'end > 0 → end >= 0': 'before the first there is nothing',
    'end <= 0 → false': 'one value is no fade',
    'end <= 0 → end < 0': 'one value is no fade',
    'index <= end → index < end': 'the last value of a fade is far below its first',
  },
  'engine/src/structure/grouping.ts': {
    'a < count → a <= count': 'after the last segment there is none',
    'b < count → b <= count': 'after the last segment there is none',
    'i < count → i <= count': 'after the last segment there is none',
    'best[i]!.mean > best[a]!.mean → best[i]!.mean >= best[a]!.mean':
      'of two pairs as like, either may come first',
    'best[a]!.mean < SAME_SECTION_MIN → best[a]!.mean <= SAME_SECTION_MIN': 'no mean is exactly the limit',
    'mean > best.mean → mean >= best.mean': 'of two pairs as like, either may come first',
    'mean === null → false': 'a pair out of reach would be less alike than any that is joined',
    'startB - endA + 1 → startB - endA - 1': 'too few bars lie side by side there',
    'lag < endB - startA → lag <= endB - startA': 'too few bars lie side by side there',
    'endB - startA → endB + startA': 'too few bars lie side by side there',
    'lag >= content.lagCount → lag > content.lagCount':
      'one lag at the edge of what was compared, 256 bars away',
    'lag < 1 → false': 'a later segment begins at least a bar later',
    'lag < 1 → lag <= 1': 'too few bars lie side by side there',
    'sum / (to - from) > best → sum / (to - from) >= best': 'the same value',
    'value === null → false': 'bars out of reach, 256 bars away, would count as nothing alike',
    'value > CONTINUATION_MIN → value >= CONTINUATION_MIN': 'no mean is exactly the limit',
    'value > best.value → value >= best.value': 'of two as like, either may come first',
    'occurrences.get(right.group)! > occurrences.get(left.group)! → occurrences.get(right.group)! >= occurrences.get(left.group)!':
      'two that are found once have no name to lose',
  },
  'engine/src/structure/segmentation.ts': {
    'startBar < barCount → startBar <= barCount': 'no segment begins after the last bar',
    'startBar > 0 → true': 'the same price for every segmentation',
    'startBar > 0 → startBar >= 0': 'the same price for every segmentation',
    'bars <= SEGMENT_BARS_MAX && startBar + bars <= barCount → bars <= SEGMENT_BARS_MAX || startBar + bars <= barCount':
      'what lies beyond is no number, and no better than any',
    'bars <= SEGMENT_BARS_MAX → true': 'what lies beyond is no number, and no better than any',
    'startBar + bars <= barCount → true': 'what lies beyond is no number, and no better than any',
    'startBar + bars → startBar - bars': 'what lies beyond is no number, and no better than any',
  },
  'engine/src/structure/band-sums.ts': {
    'lag < lagCount → lag <= lagCount': 'beyond the last lag there is nothing',
    'i < band.barCount → i <= band.barCount': 'after the last bar there is nothing to add',
    'i - k >= 0 → true': 'before the first bar there is nothing to add',
    'i - k → i + k': 'before the first bar there is nothing to add',
    'i < barCount → i <= barCount': 'after the last bar there is nothing to add',
  },
  'engine/src/tonal/chord-list.ts': {
    'beats[index + 1]!.timeSeconds <= seconds + BEAT_TOLERANCE_SECONDS → beats[index + 1]!.timeSeconds < seconds + BEAT_TOLERANCE_SECONDS':
      'no time is exactly the tolerance away',
    'index + 1 < spans.length → index + 1 <= spans.length': 'the last key lasts to the end',
  },
  'engine/src/structure/section-labels.ts': {
    'voiceShare !== null → true': 'null is compared as 0',
    'chorus === null || verse === null → chorus === null && verse === null': 'nothing leads into no chorus',
    'chorus === null → false': 'nothing leads into no chorus',
    'verse === null → false': 'without a verse there is no chorus',
    'first === undefined → false': 'no group is undefined',
  },
  'server/src/billing/expiry.ts': {
    '[ → []': 'a table of SQL, for the tests with PostgreSQL',
    "{ table: 'plan_changes', where: `expires_at < now() - ${KEPT_AFTER_EXP → {}":
      'a table of SQL, for the tests with PostgreSQL',
    "{ table: 'sandbox_sessions', where: `expires_at < now() - ${KEPT_AFTER → {}":
      'a table of SQL, for the tests with PostgreSQL',
    '{ → {}': 'a table of SQL, for the tests with PostgreSQL',
  },
  'server/src/billing/invoices.ts': {
    '{ → {}': 'asks PostgreSQL',
  },
  'server/src/billing/sandbox-provider.ts': {
    '[] → ["Stryker was here"]': 'a secret that nobody signs with',
    'clock().getTime() + SESSION_LIFETIME_MS → clock().getTime() - SESSION_LIFETIME_MS':
      'sessions are kept in PostgreSQL',
    '{ id, kind, ...fields, expiresAt } → {}': 'sessions are kept in PostgreSQL',
    '{ id, url: `${config.baseUrl}/sandbox/${kind}/${id}` } → {}': 'sessions are kept in PostgreSQL',
    '!config.payments.sandbox → true': 'sessions are kept in PostgreSQL',
    '{ workspaceId, plan, successUrl, cancelUrl } → {}': 'sessions are kept in PostgreSQL',
    '{ workspaceId, plan: null, successUrl: returnUrl, cancelUrl: returnUrl → {}':
      'sessions are kept in PostgreSQL',
    'async ({ workspaceId }) => ({ → () => undefined': 'the tests make the provider once, while they load',
    '({ workspaceId, plan, successUrl, cancelUrl }) => → () => undefined':
      'the tests make the provider once, while they load',
    '({ workspaceId, returnUrl }) => → () => undefined': 'the tests make the provider once, while they load',
    'async (plan) => (config.payments.sandbox ? sandboxPrice(plan) : null) → () => undefined':
      'the tests make the provider once, while they load',
    '(rawBody, signatureHeader, now) => → () => undefined':
      'the tests make the provider once, while they load',
  },
  'sdk/src/deadline.ts': {
    '{ once: true } → {}': 'the listener is removed when it was called',
    'true → false': 'the listener is removed when it was called',
  },
  'sdk/src/event-stream.ts': {
    'response.status === 204 || !response.body → response.status === 204 && !response.body':
      'an answer of 204 has no body',
    'response.status === 204 → false': 'an answer of 204 has no body',
    '{ → {}': 'the pause that follows stops too',
    'Date.now() - openedMs >= HEALTHY_MS → Date.now() - openedMs > HEALTHY_MS': 'a moment more or less',
    "line.slice('data:'.length).trimStart() → line.slice('data:'.length).trimEnd()":
      'JSON does not mind white space',
  },
  'sdk/src/request.ts': {
    'given.params?.[name] → given.params[name]': 'without them the call does not compile',
  },
  'sdk/src/transport.ts': {
    'signal?.reason → signal.reason': 'only a signal stops it',
    '{ once: true } → {}': 'a signal fires once',
    'true → false': 'a signal fires once',
    'askedSeconds !== null → true': 'null is compared as 0',
  },
  'sdk/src/webhooks.ts': {
    "typeof value !== 'string' → false": 'a header that is missing or a list is refused as a wrong signature',
    '/^whsec_/ → /whsec_/': 'an underscore elsewhere is no base64',
    'false → true': 'nobody exports the key',
  },
  'server/src/billing/create-provider.ts': {
    'stripeApiBase === null → true': 'another address stands in for Stripe in the tests with PostgreSQL',
  },
  'server/src/billing/read-provider-event.ts': {
    "case 'checkout.session.completed': → // Tells that somebody filled in a form. What was bought, and whether ":
      'what is not known is noted as well',
    '[] → ["Stryker was here"]': 'a text has no price',
  },
  'server/src/billing/stripe-provider.ts': {
    "error instanceof Error && 'type' in error → true":
      'what is thrown there is an error, and without a type it is none of these',
    "error instanceof Error && 'type' in error → error instanceof Error || 'type' in error":
      'what is thrown there is an error, and without a type it is none of these',
  },
  'server/src/billing/subscription-state.ts': {
    'failed > version → failed >= version': 'no event has the version of another',
    'one.plan !== null → true': 'one without a plan stands behind all others',
    'one.version > one.endedVersion → one.version >= one.endedVersion': 'no event has the version of another',
    'version > endedVersion → version >= endedVersion': 'no event has the version of another',
    'a.id < b.id → a.id <= b.id': 'no two have one id',
    '[] → ["Stryker was here"]': 'a text is later than no payment',
  },
  'server/src/usage/plans.ts': {
    'subscription.graceUntil === null → false': 'null is compared as 0, which is before now',
  },
  'engine/src/structure/bar-line-salience.ts': {
    'bar < barCount → bar <= barCount': 'after the last bar line nothing begins',
    'bar + lag < barCount → bar + lag <= barCount':
      'of bars behind the end nothing comes back, and less than nothing is not kept',
    'deviation > DEVIATION_MIN → deviation >= DEVIATION_MIN': 'no deviation is exactly the limit',
  },
  'engine/src/tonal/analyse-tonal.ts': {
    'tuning?.referenceHz → tuning.referenceHz': 'without a tuning there is no pitch, and no result',
    'tuning?.cents → tuning.cents': 'without a tuning there is no pitch, and no result',
    'largest > 0 → true': 'what has a pitch has a pitch class',
    'largest > 0 → largest >= 0': 'what has a pitch has a pitch class',
  },
  'engine/src/tonal/chroma.ts': {
    'p < PITCH_CLASS_COUNT → p <= PITCH_CLASS_COUNT': 'there is no thirteenth pitch class to write to',
  },
  'engine/src/tonal/chord-decoder.ts': {
    'c < CHORD_CLASS_COUNT → c <= CHORD_CLASS_COUNT':
      'what is written behind a row is written over by the next one',
    'best[c]! >= afterChange → best[c]! > afterChange': 'of two ways as probable, either may be taken',
    'cell > 0 → cell >= 0': 'before the first cell there is none',
    'end < cells.length → true': 'after the last cell there is no chord',
    'end < cells.length → end <= cells.length': 'after the last cell there is no chord',
    'i < values.length → i <= values.length': 'nothing is no larger than any',
    'values[i]! > values[index]! → values[i]! >= values[index]!': 'of two as probable, either may come first',
  },
  'engine/src/tonal/key-changes.ts': {
    'blockCount < 2 * REACH_BLOCKS → false':
      'in so few blocks every window is the whole piece, and no key changes',
    'blockCount < 2 * REACH_BLOCKS → blockCount <= 2 * REACH_BLOCKS':
      'in so few blocks every window is the whole piece, and no key changes',
    '2 * REACH_BLOCKS → 2 / REACH_BLOCKS':
      'a change in so few blocks, or so near to the end, is too dear either way',
    'value > best[leader]! → value >= best[leader]!': 'of two paths as good, either may be taken',
    'key < KEY_COUNT → key <= KEY_COUNT': 'there is no key behind the last to write to',
    'changed > value → changed >= value': 'of two paths as good, either may be taken',
    'blocks.blockCount - 2 * REACH_BLOCKS → blocks.blockCount + 2 * REACH_BLOCKS':
      'a change so near to the end is too dear, with a whole window or with part of one',
    'Math.max(before.from + 1, after.from - REACH_BLOCKS) → Math.min(before.from + 1, after.from - REACH_BLOCKS)':
      'a wider search finds the same place',
    'before.from + 1 → before.from - 1': 'a key without blocks has nothing to say for itself',
    'Math.min(after.to - 1, after.from + REACH_BLOCKS) → Math.max(after.to - 1, after.from + REACH_BLOCKS)':
      'a wider search finds the same place',
    'after.to - 1 → after.to + 1': 'a key without blocks has nothing to say for itself',
    'block <= last → block < last': 'no change lies six blocks from where the path has it',
    'value > best.value → value >= best.value': 'of two places as good, either may be taken',
    'block + 1 → block - 1':
      'the next block of the key says where it ends, and a key of one block is too short to stay',
    'other < KEY_COUNT → other <= KEY_COUNT': 'a key that is not there is no better than any',
    'Math.min(after.to, block + REACH_BLOCKS) → Math.max(after.to, block + REACH_BLOCKS)':
      'a longer look ahead finds the same place',
  },
  'engine/src/tonal/key-evidence.ts': {
    'key < KEY_COUNT → key <= KEY_COUNT': 'there is no key behind the last to write to',
    'i < width → i <= width': 'there is no column behind the last to write to',
  },
  'engine/src/tonal/key-head.ts': {
    'view[out]! > 0 → view[out]! >= 0': 'both sides give 0 for 0',
    'out < channels → out <= channels': 'what is written behind a row is written over by the next one',
    'ahead < PITCH_CLASS_COUNT → ahead <= PITCH_CLASS_COUNT':
      'what is written behind a row is written over by the next one',
    'c < channels → c <= channels': 'what is written behind a row is written over by the next one',
  },
  'engine/src/tonal/key-name.ts': {
    'key === null → false': 'null counts as 0, which is C major',
  },
  'engine/src/tonal/pitchedness.ts': {
    'certainty !== null → true': 'null is compared as 0',
    'certainty >= CERTAINTY_CLEAR → certainty > CERTAINTY_CLEAR': 'no mean is exactly the limit',
    'certainty >= CERTAINTY_MIN → certainty > CERTAINTY_MIN': 'no mean is exactly the limit',
    'crest !== null → true': 'null is compared as 0',
    'crest >= CREST_MIN → crest > CREST_MIN': 'no mean is exactly the limit',
    'style.hipHop >= HIP_HOP_STANDING_MIN → style.hipHop > HIP_HOP_STANDING_MIN':
      'no standing is exactly the limit',
    'certainty >= MASKED_CERTAINTY_MIN → certainty > MASKED_CERTAINTY_MIN': 'no mean is exactly the limit',
    'count === 0 → false': 'what is no number reaches no limit, and neither does null',
  },
  'engine/src/tonal/semitones.ts': {
    'windowRows(0) * SEMITONE_COUNT → windowRows(0) / SEMITONE_COUNT':
      'rows of semitones then lie over the bands they were made of, which are as long and not read again',
    's < SEMITONE_COUNT → s <= SEMITONE_COUNT': 'there is no semitone behind the last to write to',
    'k < WEIGHT_REACH_BANDS → k <= WEIGHT_REACH_BANDS':
      'what is written behind a row is written over by the next one',
  },
  'engine/src/tonal/template-chords.ts': {
    'frame < middle.frameCount → frame <= middle.frameCount':
      'after the last frame there is nothing to score',
    'row < out.length → row <= out.length': 'there is no row behind the last to write to',
    'data.length === 0 → false': 'without frames nobody asks for the floor',
    'LEVEL_FLOOR_SHARE * length + Number.EPSILON → LEVEL_FLOOR_SHARE * length - Number.EPSILON':
      'in silence it is enough that the divisor is not 0',
  },
  'engine/src/tonal/chord-activation.ts': {
    'i < both.logProbabilities.length → i <= both.logProbabilities.length':
      'there is no value behind the last to write to',
  },
  'engine/src/structure/analyse-structure.ts': {
    '[] → ["Stryker was here"]': 'a text lasts for no time',
  },
  'engine/src/structure/bar-features.ts': {
    'vectors.view.slice() → vectors.view': 'the same numbers; a copy lets the memory of the kernels go',
    'rms > 0 → true': 'silence is refused before',
    'rms > 0 → rms >= 0': 'silence is refused before',
  },
  'engine/src/tonal/pitch-class-layers.ts': {
    'PITCH_CLASS_COUNT * channels → PITCH_CLASS_COUNT / channels':
      'it then lies over the first row of input, which was read before',
    'octave < OCTAVE_COUNT → octave <= OCTAVE_COUNT': 'a seventh octave lies where the fold is written next',
  },
  'engine/src/tonal/chord-network.ts': {
    'frame < 0 → false': 'nothing is read before the first frame, and its row is still zero',
    'first < pitch.frameCount → first <= pitch.frameCount': 'of no rows nothing is made',
    'rms + RMS_FLOOR → rms - RMS_FLOOR':
      'silence is refused before, and beside any other level it is next to nothing',
    'PITCH_BAND_COUNT + 2 * BAND_REACH + INNER_COUNT - BAND_TAPS → PITCH_BAND_COUNT + 2 * BAND_REACH + INNER_COUNT + BAND_TAPS':
      'longer rows, of more zeros',
    '2 * BAND_REACH → 2 / BAND_REACH': 'what is read beyond the zeros of a row has no weight',
    'Math.abs(tuningCents) <= TUNING_CENTS_MAX → Math.abs(tuningCents) < TUNING_CENTS_MAX':
      'no tuning is exactly the limit',
    'frame < pitch.frameCount → frame <= pitch.frameCount': 'a frame too many is never read',
    'band < PITCH_BAND_COUNT → band <= PITCH_BAND_COUNT': 'there is no band behind the last to write to',
    'BAND_TAPS / 4 → BAND_TAPS * 4': 'more weights, all of them 0',
  },
};
