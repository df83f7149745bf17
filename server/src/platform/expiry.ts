/** Rows that a sweeper may delete, of a table of the domain that declares them. Never data of a customer. */
export type Expiry = { table: string; where: string };
