import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Status } from '../ui/status.tsx';

type Endpoint = RequestOutput<'listWebhookEndpoints'>[number];
type Props = {
  endpoints: Endpoint[];
  busy: boolean;
  change: (work: () => Promise<unknown>) => void;
  onSecret: (secret: string) => void;
};

export function WebhookEndpoints({ endpoints, busy, change, onSecret }: Props) {
  const confirm = useConfirm();
  const ask = async (url: string, name: string, work: () => Promise<unknown>) => {
    if (name !== 'Delete' && name !== 'Rotate secret') return change(work);
    const yes = await confirm(
      name === 'Delete'
        ? {
            title: 'Delete this endpoint?',
            text: `${url} is no longer called. Its deliveries stay in the log.`,
            action: 'Delete',
          }
        : {
            title: 'Rotate the signing secret?',
            text: 'The old secret stays good for a while, so that you can change it in your receiver.',
            action: 'Rotate',
          },
    );
    if (yes) change(work);
  };
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
      cell: ({ id, status, url }) => {
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
                onClick={() => void ask(url, name, work)}
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
