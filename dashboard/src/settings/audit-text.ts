import type { RequestOutput } from '@earshot/sdk';

type Actor = Pick<RequestOutput<'listAuditEvents'>[number], 'actor_kind' | 'actor_id'>;

/** By id: members by their e-mail address, API keys by their name. */
export type ActorNames = ReadonlyMap<string, string>;

/** Former members are not in `names` and appear with their id. */
export function actorLabel({ actor_kind, actor_id }: Actor, names: ActorNames): string {
  const name = actor_id === null ? null : (names.get(actor_id) ?? actor_id);
  if (actor_kind === 'api_key') return name === null ? 'a key' : `key ${name}`;
  return name ?? actor_kind.replaceAll('_', ' ');
}

export function metadataText(value: unknown): string {
  if (Array.isArray(value)) return value.map(metadataText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
