/** Why no test can or should detect a mutation, by file and by its text before and after. */
export const REASONS = {
  'dashboard/src/format.ts': {
    'value < 0 → value <= 0': 'a value rounded to zero has no sign',
    'value > 0 → value >= 0': 'a value rounded to zero has both signs',
  },
  'dashboard/src/music/chords.ts': {
    'bass === undefined → false': 'a missing bass is not a degree either',
    '/^maj$/ → /maj$/': 'no other Harte quality ends in maj',
    '/^maj6$/ → /maj6$/': 'no other Harte quality ends in maj6',
    '/^min/ → /min/': 'every quality with min begins with it',
    '/^(min|dim|hdim)/ → /(min|dim|hdim)/': 'every quality with one of them begins with it',
    'placeOf(bass!) - placeOf(root!) + UNISON → placeOf(bass!) - placeOf(root!) - UNISON':
      'twelve fifths lead back to the same pitch class',
  },
  'dashboard/src/music/spelling.ts': {
    'place - LINE_START → place + LINE_START': 'twelve fifths lead back to the same pitch class',
  },
  'dashboard/src/song-names.ts': {
    'url.split(/[?#]/)[0]?.split → url.split(/[?#]/)[0].split': 'split always returns a first element',
  },
  'engine/src/structure/fades.ts': {
    'value < SILENCE_LUFS → false': 'below the silence threshold both values count as silence',
    'value < SILENCE_LUFS → value <= SILENCE_LUFS':
      'below the silence threshold both values count as silence',
    'end > 0 → true': 'there is nothing before the first value',
    'end > 0 → end >= 0': 'there is nothing before the first value',
    'end <= 0 → false': 'a single value is not a fade',
    'end <= 0 → end < 0': 'a single value is not a fade',
    'index <= end → index < end': 'the last value of a fade is far below its first',
    'index <= end → true': 'the silence after a fade is far below its first value',
    'index > first → index >= first': 'the first value is not below itself',
  },
  'engine/src/structure/grouping.ts': {
    'bounds[b]! - bounds[a + 1]! + 1 → bounds[b]! - bounds[a + 1]! - 1':
      'segments beyond the comparison have no sum anyway; the loop only ends sooner',
    'closestBars >= similarity.content.lagCount → false':
      'segments beyond the comparison have no sum anyway; the loop only ends sooner',
    'closestBars >= similarity.content.lagCount → closestBars > similarity.content.lagCount':
      'segments beyond the comparison have no sum anyway; the loop only ends sooner',
    'a < count → a <= count': 'there is no segment after the last',
    'b < count → b <= count': 'there is no segment after the last',
    'i < count → i <= count': 'there is no segment after the last',
    'best[i]!.mean > best[a]!.mean → best[i]!.mean >= best[a]!.mean':
      'equally similar pairs may come in either order',
    'best[a]!.mean < SAME_SECTION_MIN → best[a]!.mean <= SAME_SECTION_MIN':
      'no mean equals the threshold exactly',
    'mean > best.mean → mean >= best.mean': 'equally similar pairs may come in either order',
    'mean === null → false': 'a pair out of range is less similar than any pair that is merged',
    'startB - endA + 1 → startB - endA - 1': 'too few bars are adjacent there',
    'lag < endB - startA → lag <= endB - startA': 'too few bars are adjacent there',
    'endB - startA → endB + startA': 'too few bars are adjacent there',
    'sum / (to - from) > best → sum / (to - from) >= best': 'the values are equal',
    'value === null → false': 'bars out of range, 256 bars away, count as dissimilar',
    'value > CONTINUATION_MIN → value >= CONTINUATION_MIN': 'no mean equals the threshold exactly',
    'value > best.value → value >= best.value': 'equally similar ones may come in either order',
    'occurrences.get(right.group)! > occurrences.get(left.group)! → occurrences.get(right.group)! >= occurrences.get(left.group)!':
      'groups that occur once have no name to lose',
  },
  'engine/src/structure/segmentation.ts': {
    'startBar < barCount → startBar <= barCount': 'no segment starts after the last bar',
    'startBar > 0 → true': 'every segmentation pays the same cost',
    'startBar > 0 → startBar >= 0': 'every segmentation pays the same cost',
    'bars <= SEGMENT_BARS_MAX && startBar + bars <= barCount → bars <= SEGMENT_BARS_MAX || startBar + bars <= barCount':
      'values beyond the end never compare as better',
    'bars <= SEGMENT_BARS_MAX → true': 'values beyond the end never compare as better',
    'startBar + bars <= barCount → true': 'values beyond the end never compare as better',
    'startBar + bars → startBar - bars': 'values beyond the end never compare as better',
    'usual === null → false': 'without a median there is no pair of bars to compare',
  },
  'engine/src/structure/section-facts.ts': {
    'value !== null → true': 'null compares as 0',
  },
  'engine/src/structure/self-similarity.ts': {
    'bar < barCount → bar <= barCount': 'there is nothing to compare after the last bar',
  },
  'engine/src/structure/band-sums.ts': {
    'lag < lagCount → lag <= lagCount': 'there is nothing beyond the last lag',
    'i < band.barCount → i <= band.barCount': 'there is nothing to add after the last bar',
    'i - k >= 0 → true': 'there is nothing to add before the first bar',
    'i - k → i + k': 'there is nothing to add before the first bar',
    'i < barCount → i <= barCount': 'there is nothing to add after the last bar',
  },
  'engine/src/tonal/chord-list.ts': {
    'beats[index + 1]!.timeSeconds <= seconds + BEAT_TOLERANCE_SECONDS → beats[index + 1]!.timeSeconds < seconds + BEAT_TOLERANCE_SECONDS':
      'no time differs by exactly the tolerance',
    'index + 1 < spans.length → index + 1 <= spans.length': 'the last key lasts to the end',
  },
  'engine/src/structure/section-labels.ts': {
    'voiceShare !== null → true': 'null compares as 0',
    'chorus === null || verse === null → chorus === null && verse === null':
      'without a chorus, nothing leads into it',
    'chorus === null → false': 'without a chorus, nothing leads into it',
    'verse === null → false': 'without a verse there is no chorus',
    'first === undefined → false': 'no group is undefined',
  },
  'server/src/billing/expiry.ts': {
    '[ → []': 'a table of SQL conditions, tested with PostgreSQL',
    "{ table: 'plan_changes', where: `expires_at < now() - ${KEPT_AFTER_EXP → {}":
      'a table of SQL conditions, tested with PostgreSQL',
    "{ table: 'sandbox_sessions', where: `expires_at < now() - ${KEPT_AFTER → {}":
      'a table of SQL conditions, tested with PostgreSQL',
    '{ → {}': 'a table of SQL conditions, tested with PostgreSQL',
  },
  'server/src/billing/invoices.ts': {
    '{ → {}': 'queries PostgreSQL, which its own tests cover',
  },
  'server/src/billing/sandbox-provider.ts': {
    '[] → ["Stryker was here"]': 'no signature uses that secret',
    'clock().getTime() + SESSION_LIFETIME_MS → clock().getTime() - SESSION_LIFETIME_MS':
      'sessions are stored in PostgreSQL, and tested there',
    '{ id, kind, ...fields, expiresAt } → {}': 'sessions are stored in PostgreSQL, and tested there',
    '{ id, url: `${config.baseUrl}/sandbox/${kind}/${id}` } → {}':
      'sessions are stored in PostgreSQL, and tested there',
    '!config.payments.sandbox → true': 'sessions are stored in PostgreSQL, and tested there',
    '{ workspaceId, plan, successUrl, cancelUrl } → {}':
      'sessions are stored in PostgreSQL, and tested there',
    '{ workspaceId, plan: null, successUrl: returnUrl, cancelUrl: returnUrl → {}':
      'sessions are stored in PostgreSQL, and tested there',
    'async ({ workspaceId }) => ({ → () => undefined': 'the tests create the provider once, while they load',
    '({ workspaceId, plan, successUrl, cancelUrl }, tx) => → () => undefined':
      'the tests create the provider once, while they load',
    '({ workspaceId, returnUrl }, tx) => → () => undefined':
      'the tests create the provider once, while they load',
    'async (plan) => (config.payments.sandbox ? sandboxPrice(plan) : null) → () => undefined':
      'the tests create the provider once, while they load',
    '(rawBody, signatureHeader, now) => → () => undefined':
      'the tests create the provider once, while they load',
  },
  'sdk/src/deadline.ts': {
    '{ once: true } → {}': 'the listener is removed after the call anyway',
    'true → false': 'the listener is removed after the call anyway',
  },
  'sdk/src/event-stream.ts': {
    'response.status === 204 || !response.body → response.status === 204 && !response.body':
      'a 204 response has no body',
    'response.status === 204 → false': 'a 204 response has no body',
    '{ → {}': 'the pause that follows is aborted as well',
    "line.slice('data:'.length).trimStart() → line.slice('data:'.length).trimEnd()":
      'JSON ignores whitespace',
  },
  'sdk/src/paginate.ts': {
    'target === undefined → false': 'the address "undefined" has no cursor either',
  },
  'sdk/src/request.ts': {
    'given.params?.[name] → given.params[name]': 'a call without them does not compile',
  },
  'sdk/src/transport.ts': {
    'signal?.reason → signal.reason': 'only a signal can abort it',
    '{ once: true } → {}': 'a signal fires once',
    'true → false': 'a signal fires once',
  },
  'sdk/src/webhooks.ts': {
    '/^whsec_/ → /whsec_/': 'an underscore elsewhere is not base64',
    'false → true': 'the key is never exported',
  },
  'server/src/billing/create-provider.ts': {
    'stripeApiBase === null → true': 'the tests with PostgreSQL replace the address of Stripe',
  },
  'server/src/billing/read-provider-event.ts': {
    '/^customer\\.\\w+$/ → /customer\\.\\w+$/': 'no other type of event ends in customer and a word',
    "case 'checkout.session.completed': → // Only subscription events state what was bought and whether it is pa":
      'a checkout session has no items, and a subscription without items is noted as well',
    '[] → ["Stryker was here"]': 'a string has no price',
  },
  'server/src/billing/stripe-provider.ts': {
    "error instanceof Error && 'type' in error → true":
      'only errors are thrown there, and one without a type matches none of the cases',
    "error instanceof Error && 'type' in error → error instanceof Error || 'type' in error":
      'only errors are thrown there, and one without a type matches none of the cases',
  },
  'server/src/billing/subscription-state.ts': {
    'failed > version → failed >= version': 'no two events have the same version',
    'one.plan !== null → true': 'a subscription without a plan ranks last anyway',
    'one.version > one.endedVersion → one.version >= one.endedVersion': 'no two events have the same version',
    'version > endedVersion → version >= endedVersion': 'no two events have the same version',
    'a.id < b.id → a.id <= b.id': 'ids are unique',
    '[] → ["Stryker was here"]': 'a string compares as later than no payment',
  },
  'server/src/usage/plans.ts': {
    'subscription.graceUntil === null → false': 'null compares as 0, which is in the past',
  },
  'engine/src/structure/bar-line-salience.ts': {
    'usual === null → false': 'without a median there is no pair of bars to compare',
    'bar < barCount → bar <= barCount': 'nothing starts after the last bar line',
    'bar + lag < barCount → bar + lag <= barCount':
      'bars beyond the end contribute nothing, and negative values are dropped',
    'deviation > DEVIATION_MIN → deviation >= DEVIATION_MIN': 'no deviation equals the threshold exactly',
  },
  'engine/src/tonal/analyse-tonal.ts': {
    'tuning?.referenceHz → tuning.referenceHz': 'without a tuning there is no pitch and no result',
    'tuning?.cents → tuning.cents': 'without a tuning there is no pitch and no result',
    'largest > 0 → true': 'anything with a pitch has a pitch class',
    'largest > 0 → largest >= 0': 'anything with a pitch has a pitch class',
  },
  'engine/src/tonal/chroma.ts': {
    'p < PITCH_CLASS_COUNT → p <= PITCH_CLASS_COUNT': 'the extra write has no effect',
  },
  'engine/src/tonal/chord-decoder.ts': {
    'c < CHORD_CLASS_COUNT → c <= CHORD_CLASS_COUNT': 'a write beyond the row is overwritten by the next row',
    'best[c]! >= afterChange → best[c]! > afterChange': 'equally probable paths are interchangeable',
    'cell > 0 → cell >= 0': 'there is no cell before the first',
    'end < cells.length → true': 'there is no chord after the last cell',
    'end < cells.length → end <= cells.length': 'there is no chord after the last cell',
    'i < values.length → i <= values.length': 'undefined is never larger',
  },
  'engine/src/tonal/key-changes.ts': {
    'blockCount < 2 * REACH_BLOCKS → false':
      'with so few blocks every window covers the whole piece, and the key never changes',
    'blockCount < 2 * REACH_BLOCKS → blockCount <= 2 * REACH_BLOCKS':
      'with so few blocks every window covers the whole piece, and the key never changes',
    '2 * REACH_BLOCKS → 2 / REACH_BLOCKS':
      'a change within so few blocks, or so near the end, costs too much either way',
    'value > best[leader]! → value >= best[leader]!': 'equally good paths are interchangeable',
    'key < KEY_COUNT → key <= KEY_COUNT': 'the extra write has no effect',
    'changed > value → changed >= value': 'equally good paths are interchangeable',
    'blocks.blockCount - 2 * REACH_BLOCKS → blocks.blockCount + 2 * REACH_BLOCKS':
      'a change so near the end costs too much, with a whole window or part of one',
    'Math.max(before.from + 1, after.from - REACH_BLOCKS) → Math.min(before.from + 1, after.from - REACH_BLOCKS)':
      'a wider search finds the same position',
    'before.from + 1 → before.from - 1': 'a key without blocks has no evidence',
    'Math.min(after.to - 1, after.from + REACH_BLOCKS) → Math.max(after.to - 1, after.from + REACH_BLOCKS)':
      'a wider search finds the same position',
    'after.to - 1 → after.to + 1': 'a key without blocks has no evidence',
    'block <= last → block < last': 'no change is six blocks from its place on the path',
    'value > best.value → value >= best.value': 'equally good positions are interchangeable',
    'block + 1 → block - 1':
      'the next block of the key determines its end, and a key of one block is too short to be kept',
    'other < KEY_COUNT → other <= KEY_COUNT': 'the value of a missing key never compares as better',
    'Math.min(after.to, block + REACH_BLOCKS) → Math.max(after.to, block + REACH_BLOCKS)':
      'a longer look-ahead finds the same position',
  },
  'engine/src/tonal/key-evidence.ts': {
    'key < KEY_COUNT → key <= KEY_COUNT': 'the extra write has no effect',
    'i < width → i <= width': 'the extra write has no effect',
  },
  'engine/src/tonal/key-head.ts': {
    'view[out]! > 0 → view[out]! >= 0': 'both branches map 0 to 0',
    'out < channels → out <= channels': 'a write beyond the row is overwritten by the next row',
    'ahead < PITCH_CLASS_COUNT → ahead <= PITCH_CLASS_COUNT':
      'a write beyond the row is overwritten by the next row',
    'c < channels → c <= channels': 'a write beyond the row is overwritten by the next row',
  },
  'engine/src/tonal/key-name.ts': {
    'key === null → false': 'null counts as 0, which is C major',
  },
  'engine/src/tonal/pitchedness.ts': {
    'certainty !== null → true': 'null compares as 0',
    'certainty >= CERTAINTY_CLEAR → certainty > CERTAINTY_CLEAR': 'no mean equals the threshold exactly',
    'certainty >= CERTAINTY_MIN → certainty > CERTAINTY_MIN': 'no mean equals the threshold exactly',
    'crest !== null → true': 'null compares as 0',
    'crest >= CREST_MIN → crest > CREST_MIN': 'no mean equals the threshold exactly',
    'style.hipHop >= HIP_HOP_STANDING_MIN → style.hipHop > HIP_HOP_STANDING_MIN':
      'no standing equals the threshold exactly',
    'certainty >= MASKED_CERTAINTY_MIN → certainty > MASKED_CERTAINTY_MIN':
      'no mean equals the threshold exactly',
    'count === 0 → false': 'NaN reaches no threshold, and neither does null',
  },
  'engine/src/tonal/semitones.ts': {
    'windowRows(0) * SEMITONE_COUNT → windowRows(0) / SEMITONE_COUNT':
      'rows of semitones then overlap the bands they were made from, which are of the same length and not read again',
    's < SEMITONE_COUNT → s <= SEMITONE_COUNT': 'the extra write has no effect',
    'k < WEIGHT_REACH_BANDS → k <= WEIGHT_REACH_BANDS':
      'a write beyond the row is overwritten by the next row',
  },
  'engine/src/tonal/template-chords.ts': {
    'frame < middle.frameCount → frame <= middle.frameCount':
      'there is nothing to score after the last frame',
    'row < out.length → row <= out.length': 'the extra write has no effect',
    'data.length === 0 → false': 'without frames the floor is never used',
    'LEVEL_FLOOR_SHARE * length + Number.EPSILON → LEVEL_FLOOR_SHARE * length - Number.EPSILON':
      'in silence the divisor only has to differ from 0',
  },
  'engine/src/tonal/chord-activation.ts': {
    'i < both.logProbabilities.length → i <= both.logProbabilities.length': 'the extra write has no effect',
  },
  'engine/src/structure/analyse-structure.ts': {
    '[] → ["Stryker was here"]': 'a string has no duration',
  },
  'engine/src/structure/bar-features.ts': {
    'vectors.view.slice() → vectors.view': 'the same numbers; the copy only lets the kernel memory be freed',
  },
  'engine/src/tonal/pitch-class-layers.ts': {
    'OCTAVE_COUNT * octaveFloats → OCTAVE_COUNT / octaveFloats':
      'what then lies in the same memory is written after the octaves were read',
    'PITCH_CLASS_COUNT * channels → PITCH_CLASS_COUNT / channels':
      'it then overlaps the first row of input, which has been read already',
    'octave < OCTAVE_COUNT → octave <= OCTAVE_COUNT': 'the seventh octave is where the fold is written next',
  },
  'engine/src/tonal/chord-network.ts': {
    'frame < 0 → false': 'nothing is read before the first frame, and the row is still zero',
    'first < pitch.frameCount → first <= pitch.frameCount': 'zero rows produce nothing',
    'rms + RMS_FLOOR → rms - RMS_FLOOR':
      'silence has been rejected before, and the floor is negligible against any other level',
    'Math.abs(tuningCents) <= TUNING_CENTS_MAX → Math.abs(tuningCents) < TUNING_CENTS_MAX':
      'no tuning equals the threshold exactly',
    'frame < pitch.frameCount → frame <= pitch.frameCount': 'an extra frame is never read',
    'band < PITCH_BAND_COUNT → band <= PITCH_BAND_COUNT': 'the extra write has no effect',
  },
};
