import type { RequestOutput } from '@earshot/sdk';
import { useState } from 'react';
import { earshot } from '../api.ts';
import { formatMoment } from '../format.ts';
import { readAllPages } from '../list-all.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';

type Share = RequestOutput<'listShares'>[number];

/** Links that let anyone read the report until they are revoked. */
export function ShareTab({ jobId }: { jobId: string }) {
  const params = { job_id: jobId };
  const [shares, reload] = useLoad(
    () => readAllPages((query) => earshot.request('listShares', { params, query })),
    jobId,
  );
  const [newShare, setNewShare] = useState<RequestOutput<'createShare'> | null>(null);
  const confirm = useConfirm();
  const { busy, problem, run } = useAction();
  const create = () =>
    void run(async () => setNewShare(await earshot.request('createShare', { params }))).then(reload);
  const revoke = async (id: string) => {
    const text = 'Whoever has the link can no longer read the report. This cannot be undone.';
    if (!(await confirm({ title: 'Revoke this link?', text, action: 'Revoke' }))) return;
    const revoked = await run(() => earshot.request('revokeShare', { params: { ...params, share_id: id } }));
    if (revoked) setNewShare((share) => (share?.id === id ? null : share));
    reload();
  };
  const columns: Column<Share>[] = [
    { title: 'Link', cell: ({ id }) => <code>{id}</code> },
    { title: 'Created', cell: ({ created_at }) => formatMoment(created_at) },
    {
      title: 'Actions',
      titleHidden: true,
      cell: ({ id, revoked_at }) =>
        revoked_at ? (
          <span className="soft">revoked {formatMoment(revoked_at)}</span>
        ) : (
          <button type="button" className="danger" disabled={busy} onClick={() => void revoke(id)}>
            Revoke
          </button>
        ),
    },
  ];
  return (
    <section className="card">
      <div className="spread">
        <h2>Share the report</h2>
        <button type="button" disabled={busy} onClick={create}>
          Make a link
        </button>
      </div>
      <p className="soft">
        Whoever has the link can read the report, without an account, until you revoke it.
      </p>
      <Problem text={problem} />
      <ShownOnce message="The link, shown once:" secret={newShare?.url ?? null} />
      <LoadedView loaded={shares} reload={reload}>
        {(list) =>
          list.length > 0 && (
            <DataTable label="Links" columns={columns} rows={list} rowKey={({ id }) => id} empty="" />
          )
        }
      </LoadedView>
    </section>
  );
}
