import { createHash } from 'node:crypto';

/**
 * Statements that nearly every request makes: each connection has PostgreSQL read and plan them once, not every time. Only where the plan is
 * the same whatever the values are: a row by its key, or what settings hold to one way (a test asks for that plan); and only texts that stand
 * in the code, since a connection keeps each for its life.
 */
const names = new Map<string, string>();

export function prepared(sql: string): string {
  if (!names.has(sql)) names.set(sql, createHash('sha256').update(sql).digest('base64url').slice(0, 20));
  return sql;
}

/**
 * What the driver is to be asked. Behind the wall between workspaces another role asks, for which PostgreSQL would plan anew each time the two
 * take turns: there a statement has a name of its own.
 */
export function statementOf(sql: string, values: unknown[], behindWall: boolean) {
  const name = names.get(sql);
  return name === undefined
    ? { text: sql, values }
    : { name: behindWall ? `${name}-tenant` : name, text: sql, values };
}
