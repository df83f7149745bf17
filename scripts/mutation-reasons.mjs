/** Why no test notices a change: by file, and what is written there before and after. */
export const REASONS = {
  'dashboard/src/result.ts': {
    "group.charCodeAt(0) - 'A'.charCodeAt(0) → group.charCodeAt(0) + 'A'.charCodeAt(0)":
      'the same colours, turned by one step',
  },
  'dashboard/src/song-names.ts': {
    'url.split(/[?#]/)[0]?.split → url.split(/[?#]/)[0].split': 'what is split has a first part',
  },
  'server/src/usage/plans.ts': {
    'subscription.graceUntil === null → false': 'null is compared as 0, which is before now',
  },
};
