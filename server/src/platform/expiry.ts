/** Rows of one's own tables that a sweeper may delete. What belongs to a customer is not among them. */
export type Expiry = { table: string; where: string };
