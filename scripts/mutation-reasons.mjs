/** Why no test notices a change: by file, and what is written there before and after. */
export const REASONS = {
  'dashboard/src/result.ts': {
    "group.charCodeAt(0) - 'A'.charCodeAt(0) → group.charCodeAt(0) + 'A'.charCodeAt(0)":
      'the same colours, turned by one step',
  },
  'dashboard/src/song-names.ts': {
    'url.split(/[?#]/)[0]?.split → url.split(/[?#]/)[0].split': 'what is split has a first part',
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
