/** Rows of the declaring domain's own tables that a sweeper may delete. Never customer data. */
export type Expiry = { table: string; where: string };
