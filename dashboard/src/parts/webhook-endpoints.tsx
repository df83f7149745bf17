import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Status } from './status.tsx';

type Endpoint = RequestOutput<'listWebhookEndpoints'>[number];
type Props = {
  endpoints: Endpoint[];
  busy: boolean;
  change: (work: () => Promise<unknown>) => void;
  onSecret: (secret: string) => void;
};

export function WebhookEndpoints({ endpoints, busy, change, onSecret }: Props) {
  const columns: Column<Endpoint>[] = [
    { title: 'Address', cell: ({ url }) => <code>{url}</code> },
    {
      title: 'Status',
      cell: ({ status, disabled_reason }) => (
        <>
          <Status value={status} /> {disabled_reason && <span className="soft">{disabled_reason}</span>}
        </>
      ),
    },
    {
      title: 'Actions',
      titleHidden: true,
      cell: ({ id, status }) => {
        const params = { endpoint_id: id };
        const actions: [string, () => Promise<unknown>][] = [
          ['Send a test', () => earshot.request('testWebhookEndpoint', { params })],
          [
            'Rotate secret',
            async () => onSecret((await earshot.request('rotateWebhookSecret', { params })).signing_secret),
          ],
          [
            status === 'active' ? 'Disable' : 'Enable',
            () =>
              earshot.request('updateWebhookEndpoint', {
                params,
                body: { status: status === 'active' ? 'disabled' : 'active' },
              }),
          ],
          ['Delete', () => earshot.request('deleteWebhookEndpoint', { params })],
        ];
        return (
          <span className="row">
            {actions.map(([name, work]) => (
              <button
                key={name}
                type="button"
                className={name === 'Delete' ? 'danger' : undefined}
                disabled={busy}
                onClick={() => change(work)}
              >
                {name}
              </button>
            ))}
          </span>
        );
      },
    },
  ];
  return (
    <DataTable
      label="Endpoints"
      columns={columns}
      rows={endpoints}
      rowKey={({ id }) => id}
      empty="No endpoint yet: nobody is told when an analysis ends."
    />
  );
}
