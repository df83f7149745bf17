import { sha256Hex } from './crypto.ts';

const names = new Map<string, string>();
/** 80 bits, which tell our statements apart. PostgreSQL reads at most 63 characters of a name. */
const NAME_HEX_DIGITS = 20;

/**
 * Marks a statement to be prepared, so that each connection parses and plans it only once. For frequent statements whose plan does not
 * depend on the values: a row by its key, or a plan that settings enforce (library/plans.db.test.ts). Only for constant texts, since a
 * connection keeps every prepared statement until it is closed.
 */
export function prepared(sql: string): string {
  if (!names.has(sql)) names.set(sql, sha256Hex(sql).slice(0, NAME_HEX_DIGITS));
  return sql;
}

/**
 * The query for the driver. In a tenant's view statements may run as another role (tenant-view.ts) and have other names, because
 * PostgreSQL would plan a statement again whenever its role changes.
 */
export function toQueryConfig(sql: string, values: unknown[], inTenantView: boolean) {
  const name = names.get(sql);
  return name === undefined
    ? { text: sql, values }
    : { name: inTenantView ? `${name}-tenant` : name, text: sql, values };
}
