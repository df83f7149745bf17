/** Why no test notices a change: by file, and what is written there before and after. */
export const REASONS = {
  'dashboard/src/result.ts': {
    "group.charCodeAt(0) - 'A'.charCodeAt(0) → group.charCodeAt(0) + 'A'.charCodeAt(0)":
      'the same colours, turned by one step',
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
    'levels[index]! >= highest → levels[index]! > highest': 'the fall begins with the last of them',
    'index <= end → index < end': 'the last value of a fade is far below its first',
  },
  'engine/src/structure/grouping.ts': {
    'a < count → a <= count': 'after the last segment there is none',
    'b < count → b <= count': 'after the last segment there is none',
    'i < count → i <= count': 'after the last segment there is none',
    'a < 0 → a <= 0': 'the likest pair is found from its other end',
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
    'start < barCount → start <= barCount': 'no segment begins after the last bar',
    'start > 0 → true': 'the same price for every segmentation',
    'start > 0 → start >= 0': 'the same price for every segmentation',
    'length <= SEGMENT_BARS_MAX && start + length <= barCount → length <= SEGMENT_BARS_MAX || start + length <= barCount':
      'what lies beyond is no number, and no better than any',
    'length <= SEGMENT_BARS_MAX → true': 'what lies beyond is no number, and no better than any',
    'start + length <= barCount → true': 'what lies beyond is no number, and no better than any',
    'start + length → start - length': 'what lies beyond is no number, and no better than any',
    'length <= SEGMENT_BARS_MAX → length < SEGMENT_BARS_MAX': 'how well 16 bars recur as a whole: not tested',
    'lag < lagCount → lag <= lagCount': 'beyond the last lag there is nothing',
    'start + length + lag <= barCount → true': 'what lies beyond is no number, and no better than any',
    'start + length + lag <= barCount → start + length + lag < barCount':
      'found again from the other end, as what came before',
    'start + length + lag → start + length - lag': 'found again from the other end, as what came before',
    'earlier >= 0 → earlier > 0': 'found again from the other end, as what comes later',
  },
  'engine/src/structure/band-sums.ts': {
    'lag < lagCount → lag <= lagCount': 'beyond the last lag there is nothing',
    'Math.min(lagEnd, band.lagCount) → Math.max(lagEnd, band.lagCount)':
      'pairs further apart than the reach: not tested',
    'i < band.barCount → i <= band.barCount': 'after the last bar there is nothing to add',
    'i - k >= 0 → true': 'before the first bar there is nothing to add',
    'i - k → i + k': 'before the first bar there is nothing to add',
    'barCount + 1 → barCount - 1': 'the last row of sums is read by nobody in these songs: not tested',
    'i < barCount → i <= barCount': 'after the last bar there is nothing to add',
    'MEDIAN_BIN_COUNT + 1 → MEDIAN_BIN_COUNT - 1': 'no median lies in the last two of 2,000 steps',
    'lag < lagCount → true': 'the other condition ends the loop where all is compared',
    'i + lag < barCount → i + lag <= barCount': 'one pair more, of likeness 0, hardly moves a median',
    'i * lagCount + lag → i * lagCount - lag':
      'pairs of other bars, with the same median in these songs: not tested',
    'bin <= MEDIAN_BIN_COUNT → bin < MEDIAN_BIN_COUNT': 'no median lies in the last of 2,000 steps',
    'seen >= total / 2 → seen > total / 2': 'a step of one in 2,000',
    'total > 0 → true': 'a piece has more than one bar',
    'total > 0 → total >= 0': 'a piece has more than one bar',
  },
  'engine/src/tonal/chord-list.ts': {
    'beats[index + 1]!.timeSeconds <= seconds + BEAT_TOLERANCE_SECONDS → beats[index + 1]!.timeSeconds < seconds + BEAT_TOLERANCE_SECONDS':
      'no time is exactly the tolerance away',
    'index + 1 < spans.length → index + 1 <= spans.length': 'the last key lasts to the end',
  },
  'engine/src/structure/section-facts.ts': {
    'level !== undefined → true': 'the loop ends with the curve',
  },
  'engine/src/structure/section-labels.ts': {
    'voice !== null → true': 'null is compared as 0',
    'chorus === null || verse === null → chorus === null && verse === null': 'nothing leads into no chorus',
    'chorus === null → false': 'nothing leads into no chorus',
    'verse === null → false': 'without a verse there is no chorus',
    'first === undefined → false': 'no group is undefined',
  },
  'server/src/billing/expiry.ts': {
    '[ → []': 'a table of SQL, for the tests with PostgreSQL',
    "{ table: 'plan_changes', where: `expires_at < now() - interval '7 days → {}":
      'a table of SQL, for the tests with PostgreSQL',
    "{ table: 'sandbox_sessions', where: `expires_at < now() - interval '7  → {}":
      'a table of SQL, for the tests with PostgreSQL',
  },
  'server/src/billing/invoices.ts': {
    '{ → {}': 'asks PostgreSQL',
    'account?.customerId → account.customerId': 'asks PostgreSQL',
    '[] → ["Stryker was here"]': 'asks PostgreSQL',
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
  },
  'sdk/src/webhooks.ts': {
    "typeof value !== 'string' → false": 'a header that is missing or a list is refused as a wrong signature',
    '/^whsec_/ → /whsec_/': 'an underscore elsewhere is no base64',
    'false → true': 'nobody exports the key',
  },
  'server/src/billing/create-provider.ts': {
    "stripePrices.pro ?? '' → stripePrices.pro && ''": 'the settings are refused without it',
    'stripeApiBase === null → true': 'another address stands in for Stripe in the tests with PostgreSQL',
  },
  'server/src/billing/read-provider-event.ts': {
    "case 'checkout.session.completed': → // Tells that somebody filled in a form. What was bought, and whether ":
      'what is not known is noted as well',
    '[] → ["Stryker was here"]': 'a text has no price',
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
};
