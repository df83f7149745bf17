import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import {
  Invitation,
  InvitationRequest,
  Profile,
  ProfileUpdate,
  ReceivedInvitation,
  Revoked,
  RoleUpdate,
  SetAsideWorkspace,
  Team,
  TeamMember,
  WorkspaceDeletion,
  WorkspaceEntry,
  WorkspaceUpdate,
} from '../resources/account.ts';
import { cursor, pageLimit, pageQuery, pathIds } from '../wire-values.ts';

const account = { tag: 'Account and team', surface: 'workspace' } as const;
const anyone = { access: 'workspace', scope: null, role: 'viewer' } as const;
const admins = { access: 'workspace', scope: null, role: 'admin' } as const;
const owners = { access: 'workspace', scope: null, role: 'owner' } as const;

export const getProfile = defineOperation({
  ...account,
  id: 'getProfile',
  method: 'GET',
  path: '/v1/account/profile',
  summary: 'Read your profile and the current workspace',
  policy: anyone,
  responses: { 200: json('The profile', Profile) },
});

export const updateProfile = defineOperation({
  ...account,
  id: 'updateProfile',
  method: 'PATCH',
  path: '/v1/account/profile',
  summary: 'Change your name, notification preferences or the name of the workspace',
  policy: anyone,
  body: ProfileUpdate,
  responses: { 200: json('The profile', Profile) },
});

export const getTeam = defineOperation({
  ...account,
  id: 'getTeam',
  method: 'GET',
  path: '/v1/account/team',
  summary: 'Members and invitations of the workspace',
  description: 'Members in the order of joining, invitations newest first; each list has its own cursor.',
  policy: anyone,
  query: z.object({ limit: pageLimit, after: cursor('usr'), invitations_after: cursor('inv') }),
  responses: { 200: pageOf('A page of the team', Team) },
});

export const createInvitation = defineOperation({
  ...account,
  id: 'createInvitation',
  method: 'POST',
  path: '/v1/account/team/invitations',
  summary: 'Invite someone by e-mail',
  policy: admins,
  body: InvitationRequest,
  idempotent: true,
  responses: { 201: json('The invitation', Invitation) },
  errors: ['already_member', 'already_invited'],
});

export const revokeInvitation = defineOperation({
  ...account,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/v1/account/team/invitations/{invitation_id}',
  summary: 'Revoke an invitation',
  policy: admins,
  params: pathIds('invitation_id'),
  responses: { 200: json('Revoked', Revoked) },
  errors: ['conflict'],
});

export const listReceivedInvitations = defineOperation({
  ...account,
  id: 'listReceivedInvitations',
  method: 'GET',
  path: '/v1/account/invitations',
  summary: 'List pending invitations to your own address',
  policy: anyone,
  query: pageQuery('inv'),
  responses: {
    200: pageOf(
      'A page of invitations, newest first',
      z.object({ invitations: z.array(ReceivedInvitation) }).meta({ id: 'ReceivedInvitations' }),
    ),
  },
});

const answerInvitation = {
  ...account,
  method: 'POST',
  policy: anyone,
  params: pathIds('invitation_id'),
  responses: { 200: json('The invitation', ReceivedInvitation) },
  errors: ['conflict'],
} as const;

export const acceptInvitation = defineOperation({
  ...answerInvitation,
  id: 'acceptInvitation',
  path: '/v1/account/invitations/{invitation_id}/accept',
  summary: 'Accept an invitation and join its workspace',
});

export const declineInvitation = defineOperation({
  ...answerInvitation,
  id: 'declineInvitation',
  path: '/v1/account/invitations/{invitation_id}/decline',
  summary: 'Decline an invitation',
});

export const updateMemberRole = defineOperation({
  ...account,
  id: 'updateMemberRole',
  method: 'PATCH',
  path: '/v1/account/team/members/{user_id}',
  summary: 'Change the role of a member',
  policy: admins,
  params: pathIds('user_id'),
  body: RoleUpdate,
  responses: {
    200: json(
      'The member',
      z.object({ member: TeamMember, updated: z.boolean() }).meta({ id: 'UpdatedMember' }),
    ),
  },
  errors: ['owner_required'],
});

export const removeMember = defineOperation({
  ...account,
  id: 'removeMember',
  method: 'DELETE',
  path: '/v1/account/team/members/{user_id}',
  summary: 'Remove a member, or leave the workspace yourself',
  policy: anyone,
  params: pathIds('user_id'),
  responses: { 200: json('Removed', z.object({ removed: z.boolean() }).meta({ id: 'RemovedMember' })) },
  errors: ['owner_required'],
});

export const transferOwnership = defineOperation({
  ...account,
  id: 'transferOwnership',
  method: 'POST',
  path: '/v1/account/team/members/{user_id}/transfer-ownership',
  summary: 'Make another member the owner; you become an admin',
  policy: owners,
  params: pathIds('user_id'),
  responses: {
    200: json(
      'Both members',
      z
        .object({ owner: TeamMember, previous_owner: TeamMember, transferred: z.boolean() })
        .meta({ id: 'OwnershipTransfer' }),
    ),
  },
  errors: ['conflict'],
});

export const listWorkspaces = defineOperation({
  ...account,
  id: 'listWorkspaces',
  method: 'GET',
  path: '/v1/account/workspaces',
  summary: 'List the workspaces you belong to',
  description: 'Your own first, then in the order of joining.',
  policy: anyone,
  query: pageQuery('ws'),
  responses: {
    200: pageOf(
      'A page of workspaces',
      z
        .object({ workspaces: z.array(WorkspaceEntry), set_aside: z.array(SetAsideWorkspace) })
        .meta({ id: 'WorkspaceList' }),
    ),
  },
});

export const switchWorkspace = defineOperation({
  ...account,
  id: 'switchWorkspace',
  method: 'POST',
  path: '/v1/account/workspaces/{workspace_id}/session',
  summary: 'Move this session to another workspace',
  policy: anyone,
  params: pathIds('workspace_id'),
  responses: { 200: json('The profile, in that workspace', Profile) },
});

export const claimWorkspace = defineOperation({
  ...account,
  id: 'claimWorkspace',
  method: 'POST',
  path: '/v1/account/workspaces/{workspace_id}/claim',
  summary: 'Claim a workspace that was registered with your address before you verified it',
  description:
    'Claim it only if you registered it yourself: its API keys and webhook endpoints work again, and this session switches to it. A workspace that is not claimed within 30 days is erased.',
  policy: anyone,
  params: pathIds('workspace_id'),
  responses: { 200: json('The profile, in that workspace', Profile) },
});

export const updateWorkspace = defineOperation({
  ...account,
  id: 'updateWorkspace',
  method: 'PATCH',
  path: '/v1/account/workspaces/{workspace_id}',
  summary: 'Set how long the workspace keeps finished analyses and their audio',
  description:
    'Results, events and audio of analyses that finished longer ago are erased within minutes. The service may have a shorter limit of its own. `retain_source` does the same for audio alone: audio past its time is deleted within minutes, and the result stays. Only for the workspace of this session, and only for its owner.',
  policy: owners,
  params: pathIds('workspace_id'),
  body: WorkspaceUpdate,
  responses: { 200: json('The workspace', WorkspaceEntry) },
});

const jsonLines = {
  description: 'JSON lines',
  schema: null,
  contentType: 'application/x-ndjson',
  streamed: true,
} as const;

export const exportWorkspace = defineOperation({
  ...account,
  id: 'exportWorkspace',
  method: 'GET',
  path: '/v1/account/workspaces/{workspace_id}/export',
  summary: 'Export everything in the workspace as JSON lines',
  description:
    'One `{"type", "data"}` per line: the workspace, its members, analyses with results and events, webhooks, credits and audit. The last line, of type `end`, counts the others. Secrets, hashes of secrets and audio are not included. Only for the workspace of this session, and only for its owner.',
  policy: owners,
  params: pathIds('workspace_id'),
  responses: { 200: jsonLines },
});

export const exportAccount = defineOperation({
  ...account,
  id: 'exportAccount',
  method: 'GET',
  path: '/v1/account/export',
  summary: 'Export everything in the workspace of this session as JSON lines',
  description: 'Same as `/v1/account/workspaces/{workspace_id}/export`, without needing the id.',
  policy: owners,
  responses: { 200: jsonLines },
});

export const deleteWorkspace = defineOperation({
  ...account,
  id: 'deleteWorkspace',
  method: 'DELETE',
  path: '/v1/account/workspaces/{workspace_id}',
  summary: 'Delete the workspace and everything in it',
  description:
    'The workspace is closed at once: sessions, API keys, invitations and shared links stop working, running analyses stop, and nothing more is sent. Its data is erased within minutes, including audio, results, the audit log and the accounts of people who belong to no other workspace; within 80 minutes if an upload slot was still open. This cannot be undone. Only for the workspace of this session, and only for its owner; cancel a paid plan first.',
  policy: owners,
  params: pathIds('workspace_id'),
  query: z.object({
    confirm: z.string().max(200).optional().meta({ description: 'The name of the workspace' }),
  }),
  responses: { 202: json('Closed; its data is being erased', WorkspaceDeletion) },
  errors: ['conflict', 'subscription_exists'],
});
