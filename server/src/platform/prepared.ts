import { createHash } from 'node:crypto';

/**
 * Marks a statement to be prepared: each connection parses and plans it once. For frequent statements whose plan does not depend on the
 * values: a row by its key, or a plan that settings enforce (a test checks it). Only for constant texts, since a connection keeps each
 * prepared statement for its life.
 */
const names = new Map<string, string>();

export function prepared(sql: string): string {
  if (!names.has(sql)) names.set(sql, createHash('sha256').update(sql).digest('base64url').slice(0, 20));
  return sql;
}

/**
 * The query for the driver. In a tenant's view the statements run as another role; they have names of their own there, because PostgreSQL
 * would plan one statement again each time its role changes.
 */
export function statementOf(sql: string, values: unknown[], behindWall: boolean) {
  const name = names.get(sql);
  return name === undefined
    ? { text: sql, values }
    : { name: behindWall ? `${name}-tenant` : name, text: sql, values };
}
