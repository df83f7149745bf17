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
  'engine/src/structure/section-facts.ts': {
    'level !== undefined → true': 'the loop ends with the curve',
  },
  'engine/src/structure/section-labels.ts': {
    'voice !== null → true': 'null is compared as 0',
    'chorus === null || verse === null → chorus === null && verse === null': 'nothing leads into no chorus',
    'chorus === null → false': 'nothing leads into no chorus',
    'verse === null → false': 'without a verse there is no chorus',
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
    '/^whsec_/ → /whsec_/': 'an underscore elsewhere is no base64',
    'false → true': 'nobody exports the key',
  },
  'server/src/usage/plans.ts': {
    'subscription.graceUntil === null → false': 'null is compared as 0, which is before now',
  },
};
