import { createHash } from 'node:crypto';
import {
  createShare as createOperation,
  getSharedReport,
  listShares as listOperation,
  revokeShare as revokeOperation,
  type Share,
} from '@earshot/contract';
import type { z } from 'zod';
import { htmlPage } from '../http/html.ts';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { answerPage } from '../http/page.ts';
import { createShare, listShares, openShare, revokeShare } from './shares.ts';
import type { ShareRow } from './store.ts';

export const shareRoutes: Implementation[] = [
  implement(createOperation, (ctx, { params }, raw) =>
    withIdempotency(ctx, requestOf(createOperation, raw), async (tx) => {
      const { share, url } = await createShare(ctx, tx, params.job_id);
      return { status: 201, body: { ...presentShare(share), url } };
    }),
  ),

  implement(listOperation, (ctx, { params, query }, raw) =>
    answerPage(raw, query, (page) => listShares(ctx, params.job_id, page), presentShare),
  ),

  implement(revokeOperation, async (ctx, { params }) => {
    await revokeShare(ctx, { analysisId: params.job_id, shareId: params.share_id });
    return { status: 200, body: { revoked: true } };
  }),

  implement(getSharedReport, async (ctx, { params }) => {
    const page = await openShare(ctx, params.token);
    return page === null
      ? { status: 404, body: NO_SUCH_LINK, headers: headersOf(NO_SUCH_LINK) }
      : { status: 200, body: page, headers: headersOf(page) };
  }),
];

function presentShare(row: ShareRow): z.input<typeof Share> {
  return {
    id: row.id,
    job_id: row.analysis_id,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

const NO_SUCH_LINK = htmlPage({
  title: 'This link leads nowhere',
  body: '<p>It was revoked, or it is not complete. Ask whoever sent it for a new one.</p>',
});

/** The report contains texts of somebody else's file: the browser may load its one style sheet, by hash, and its pictures, nothing else. */
function headersOf(page: string): Record<string, string> {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src data: 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'X-Robots-Tag': 'noindex, nofollow, noarchive',
    'Cache-Control': 'private, no-store',
  };
}
