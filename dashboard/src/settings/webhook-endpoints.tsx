import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { type Question, useConfirm } from '../ui/confirm.tsx';
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
  const perform = async ({ work, question }: Action) => {
    if (question === null || (await confirm(question))) change(work);
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
      cell: (endpoint) => (
        <span className="row">
          {actionsOf(endpoint, onSecret).map((action) => (
            <button
              key={action.name}
              type="button"
              className={action.danger ? 'danger' : undefined}
              disabled={busy}
              onClick={() => void perform(action)}
            >
              {action.name}
            </button>
          ))}
        </span>
      ),
    },
  ];
  return (
    <DataTable
      label="Endpoints"
      columns={columns}
      rows={endpoints}
      rowKey={({ id }) => id}
      empty="No endpoints yet. Add one to be notified when an analysis ends."
    />
  );
}

type Action = {
  name: string;
  danger?: boolean;
  /** Null for actions that need no confirmation. */
  question: Question | null;
  work: () => Promise<unknown>;
};

function actionsOf({ id, status, url }: Endpoint, onSecret: Props['onSecret']): Action[] {
  const params = { endpoint_id: id };
  const isActive = status === 'active';
  return [
    {
      name: 'Send a test',
      question: null,
      work: () => earshot.request('testWebhookEndpoint', { params }),
    },
    {
      name: 'Rotate secret',
      question: {
        title: 'Rotate the signing secret?',
        text: 'The old secret stays valid for a while, so that you can update your receiver.',
        action: 'Rotate',
      },
      work: async () => onSecret((await earshot.request('rotateWebhookSecret', { params })).signing_secret),
    },
    {
      name: isActive ? 'Disable' : 'Enable',
      question: null,
      work: () =>
        earshot.request('updateWebhookEndpoint', {
          params,
          body: { status: isActive ? 'disabled' : 'active' },
        }),
    },
    {
      name: 'Delete',
      danger: true,
      question: {
        title: 'Delete this endpoint?',
        text: `${url} is no longer called. Its deliveries stay in the log.`,
        action: 'Delete',
      },
      work: () => earshot.request('deleteWebhookEndpoint', { params }),
    },
  ];
}
