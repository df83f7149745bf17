import { z } from 'zod';
import { ROLES } from '../operation.ts';
import {
  emailAddress,
  emailText,
  identifier,
  label,
  refuseValue,
  timestamp,
  wireBoolean,
} from '../wire-values.ts';
import { PLANS } from './billing.ts';

export const WorkspaceRole = z.enum(ROLES).meta({ id: 'WorkspaceRole' });

/** The role `owner` is not granted but transferred. */
const GRANTABLE_ROLES = ['viewer', 'member', 'admin'] as const;
export type GrantableRole = (typeof GRANTABLE_ROLES)[number];

export const NotificationPreferences = z
  .object({ analysis_complete: z.boolean(), billing_updates: z.boolean(), product_updates: z.boolean() })
  .meta({ id: 'NotificationPreferences' });
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

const sessionFields = {
  user_id: identifier('usr'),
  email: emailText,
  expires_at: timestamp,
  workspace_id: identifier('ws'),
};

export const Session = z.object({ ...sessionFields, workspace_role: WorkspaceRole }).meta({ id: 'Session' });

export const SetAsideWorkspace = z
  .object({
    workspace_id: identifier('ws'),
    registered_at: timestamp,
    api_keys: z.int(),
    webhook_endpoints: z.int(),
    analyses: z.int(),
    erased_at: timestamp.meta({ description: 'When it is erased unless it is claimed before' }),
  })
  .meta({
    id: 'SetAsideWorkspace',
    description:
      'A workspace that was registered with this e-mail address before the address was verified. You are not a member, and its API keys do not work.',
  });

export const SignedInSession = z
  .object({
    ...sessionFields,
    access_token: z
      .string()
      .meta({ description: 'Send it as `Authorization: Bearer …`; also set as a cookie' }),
    token_type: z.literal('bearer'),
    set_aside: SetAsideWorkspace.nullable().meta({
      description:
        'Set if this sign-in was the first to verify an address that had already been registered; otherwise null',
    }),
  })
  .meta({ id: 'SignedInSession' });

export const Profile = z
  .object({
    ...sessionFields,
    workspace_name: z.string(),
    workspace_role: WorkspaceRole,
    notification_preferences: NotificationPreferences,
    name: z.string().nullable(),
    email_verified: z.boolean(),
  })
  .meta({ id: 'Profile' });

export const ProfileUpdate = z
  .strictObject({
    name: label(100).nullish(),
    workspace_name: label(100).optional().meta({ description: 'Admins and the owner only' }),
    notification_preferences: z
      .strictObject({
        analysis_complete: wireBoolean().optional(),
        billing_updates: wireBoolean().optional(),
        product_updates: wireBoolean().optional(),
      })
      .optional(),
  })
  .meta({ id: 'ProfileUpdate', examples: [{ notification_preferences: { product_updates: true } }] });

export const TeamMember = z
  .object({
    user_id: identifier('usr'),
    email: emailText,
    role: WorkspaceRole,
    status: z.enum(['active', 'removed']),
    name: z.string().nullable(),
  })
  .meta({ id: 'TeamMember' });

const INVITATION_STATUSES = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;

const invitationFields = {
  id: identifier('inv'),
  email: emailText,
  role: WorkspaceRole,
  status: z.enum(INVITATION_STATUSES),
  created_at: timestamp,
  expires_at: timestamp,
  accepted_at: timestamp.optional().meta({ description: 'Present once accepted' }),
  revoked_at: timestamp.optional().meta({ description: 'Present once revoked' }),
  declined_at: timestamp.optional().meta({ description: 'Present once declined' }),
};

export const Invitation = z.object(invitationFields).meta({ id: 'Invitation' });

/** An invitation as the invited person sees it. */
export const ReceivedInvitation = z
  .object({ ...invitationFields, workspace_id: identifier('ws'), workspace_name: z.string() })
  .meta({ id: 'ReceivedInvitation' });

export const InvitationRequest = z
  .strictObject({
    email: emailAddress(),
    role: z.enum(GRANTABLE_ROLES).optional().meta({ default: 'member' }),
  })
  .meta({ id: 'InvitationRequest', examples: [{ email: 'grace@example.com', role: 'member' }] });

export const Team = z
  .object({ invitations: z.array(Invitation), members: z.array(TeamMember) })
  .meta({ id: 'Team' });

export const RoleUpdate = z
  .strictObject({ role: z.enum(GRANTABLE_ROLES) })
  .meta({ id: 'RoleUpdate', examples: [{ role: 'admin' }] });

/** A hundred years. A longer time is a slip of the keyboard: there are words for keeping things as long as the service does. */
const RETENTION_DAYS_MAX = 36_500;
const SOURCE_RETENTION_WORDS = ['as_asked', 'never', 'forever'] as const;
export type SourceRetention = (typeof SOURCE_RETENTION_WORDS)[number] | number;
// Not wireInteger, which reads `true` as 1.
const sourceRetention = z.union([z.enum(SOURCE_RETENTION_WORDS), z.int().min(1).max(RETENTION_DAYS_MAX)], {
  error: `say as_asked, never, forever, or a number of days from 1 to ${RETENTION_DAYS_MAX}`,
});

export const WorkspaceEntry = z
  .object({
    workspace_id: identifier('ws'),
    workspace_name: z.string(),
    role: WorkspaceRole,
    current: z.boolean(),
    retention_days: z.int().nullable().meta({
      description: 'How many days finished analyses are kept; null for as long as the service keeps them',
    }),
    retain_source: sourceRetention.meta({
      description:
        'How long audio is kept: `as_asked` (each submission decides with its own `retain_source`), `never`, a number of days after the analysis, or `forever`',
    }),
  })
  .meta({ id: 'WorkspaceEntry' });

export const WorkspaceUpdate = z
  .strictObject({
    retention_days: z.int().min(1).max(RETENTION_DAYS_MAX).nullable().optional(),
    retain_source: sourceRetention.optional(),
  })
  .superRefine((value, context) => {
    if (value.retention_days === undefined && value.retain_source === undefined)
      refuseValue(context, 'say what is to change');
  })
  .meta({
    id: 'WorkspaceUpdate',
    minProperties: 1,
    description: 'Omitted fields keep their value',
    examples: [{ retention_days: 90 }, { retain_source: 30 }],
  });

export const SignInStart = z
  .strictObject({ email: emailAddress() })
  .meta({ id: 'SignInStart', examples: [{ email: 'ada@example.com' }] });

export const SignInChallenge = z
  .object({
    challenge_id: identifier('chl'),
    dev_code: z
      .string()
      .nullable()
      .meta({ description: 'The code itself; null unless the service runs without a mail transport' }),
    expires_at: timestamp,
  })
  .meta({ id: 'SignInChallenge' });

export const SignInVerification = z
  .strictObject({
    challenge_id: z.string().min(1).max(64),
    code: z.string().min(1).max(16).meta({ description: 'The six-digit code' }),
  })
  .meta({
    id: 'SignInVerification',
    examples: [{ challenge_id: 'chl_01k0f8yq3m7t9w2x4z6b8c0d1e', code: '042817' }],
  });

export const RegistrationRequest = z
  .strictObject({ email: emailAddress(), name: label(100).nullish() })
  .meta({ id: 'RegistrationRequest', examples: [{ email: 'ada@example.com' }] });

export const Registration = z
  .object({
    user_id: identifier('usr'),
    workspace_id: identifier('ws'),
    email: emailText,
    api_key: z.string().meta({ description: 'The API key; it is not shown again' }),
    api_key_id: identifier('key'),
    prefix: z.string(),
    tier: z.enum(PLANS),
    email_verified: z.boolean(),
    verification_required: z.boolean(),
    webhook_signing_secret: z
      .string()
      .meta({ description: 'Signs the calls to the `webhook_url` of a job (`whsec_…`)' }),
    dev_verification_token: z.string().nullable().meta({
      description:
        'The token of the verification mail; null unless the service runs without a mail transport',
    }),
  })
  .meta({ id: 'Registration' });

export const verificationToken = z.string().max(256);

export const EmailVerificationRequest = z
  .strictObject({ token: verificationToken.min(1) })
  .meta({ id: 'EmailVerificationRequest' });

export const EmailVerification = z
  .object({ verified: z.boolean(), email: emailText })
  .meta({ id: 'EmailVerification' });

export const WorkspaceDeletion = z
  .object({ workspace_id: identifier('ws'), status: z.literal('deleting'), deleted_at: timestamp })
  .meta({ id: 'WorkspaceDeletion' });

export const Revoked = z
  .object({ revoked: z.boolean() })
  .meta({ id: 'Revoked', examples: [{ revoked: true }] });
