import { z } from 'zod';

export const analysisId = z.string().describe('The id of an analysis');

/** Annotations of a tool that changes nothing. */
export const READS = { readOnlyHint: true, openWorldHint: false };
