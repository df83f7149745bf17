import { z } from 'zod';
import { defineOperation, json } from '../operation.ts';
import {
  EmailVerification,
  EmailVerificationRequest,
  Registration,
  RegistrationRequest,
  Revoked,
  Session,
  SignedInSession,
  SignInChallenge,
  SignInStart,
  SignInVerification,
  verificationToken,
} from '../resources/account.ts';

const shared = { tag: 'Authentication' } as const;
const anyone = { access: 'public' } as const;
const signedIn = { access: 'workspace', scope: null, role: 'viewer' } as const;

export const startSignIn = defineOperation({
  ...shared,
  id: 'startSignIn',
  method: 'POST',
  path: '/v1/auth/email/start',
  summary: 'Request a sign-in code by e-mail',
  description:
    'Known and unknown addresses get the same response. A new challenge replaces the previous one of the same IP address.',
  surface: 'workspace',
  policy: anyone,
  body: SignInStart,
  responses: { 200: json('The challenge', SignInChallenge) },
});

export const verifySignIn = defineOperation({
  ...shared,
  id: 'verifySignIn',
  method: 'POST',
  path: '/v1/auth/email/verify',
  summary: 'Exchange a code for a session',
  description:
    'The token is returned in `access_token` and set as an HttpOnly cookie. The first sign-in with an address creates its account.',
  surface: 'workspace',
  policy: anyone,
  body: SignInVerification,
  responses: { 200: json('The session', SignedInSession) },
  errors: ['unauthorized', 'too_many_attempts'],
});

export const getSession = defineOperation({
  ...shared,
  id: 'getSession',
  method: 'GET',
  path: '/v1/auth/session',
  summary: 'Read the current session',
  surface: 'workspace',
  policy: signedIn,
  responses: { 200: json('The session', Session) },
});

export const signOut = defineOperation({
  ...shared,
  id: 'signOut',
  method: 'POST',
  path: '/v1/auth/logout',
  summary: 'Revoke the current session',
  surface: 'workspace',
  policy: signedIn,
  responses: { 200: json('Revoked', Revoked) },
});

export const registerAccount = defineOperation({
  ...shared,
  id: 'registerAccount',
  method: 'POST',
  path: '/v1/auth/register',
  summary: 'Create an account with an API key',
  surface: 'key',
  policy: anyone,
  body: RegistrationRequest,
  idempotent: true,
  responses: { 201: json('The account and its API key, which is not shown again', Registration) },
  errors: ['email_exists', 'payment_provider_failed'],
});

export const verifyEmail = defineOperation({
  ...shared,
  id: 'verifyEmail',
  method: 'POST',
  path: '/v1/auth/verify-email',
  summary: 'Verify an e-mail address with the token that was sent to it',
  surface: 'key',
  policy: anyone,
  body: EmailVerificationRequest,
  responses: { 200: json('Verified', EmailVerification) },
  errors: ['not_found', 'gone'],
});

const page = { description: 'An HTML page', schema: null, contentType: 'text/html' } as const;

export const getEmailVerificationPage = defineOperation({
  ...shared,
  id: 'getEmailVerificationPage',
  method: 'GET',
  path: '/verify-email',
  summary: 'The page that the link in the verification mail opens',
  surface: 'operational',
  policy: anyone,
  query: z.object({ token: verificationToken.optional() }),
  responses: { 200: page },
});

export const submitEmailVerificationPage = defineOperation({
  ...shared,
  id: 'submitEmailVerificationPage',
  method: 'POST',
  path: '/verify-email',
  summary: 'The button on that page',
  surface: 'operational',
  policy: anyone,
  rawBody: {
    contentType: 'application/x-www-form-urlencoded',
    description: 'The token',
    as: 'bytes',
    schema: { type: 'object', required: ['token'], properties: { token: { type: 'string' } } },
  },
  responses: { 200: page, 410: { ...page, description: 'A page: the token is unknown, used or expired' } },
  errors: ['unavailable'],
});
