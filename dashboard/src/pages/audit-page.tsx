import { earshot } from '../api.ts';
import { LoadedView } from '../parts/loaded-view.tsx';
import { useLoad } from '../use-load.ts';

export function AuditPage() {
  const [events, reload] = useLoad(
    () => earshot.request('listAuditEvents', { query: { limit: 100 } }),
    'audit',
  );
  return (
    <>
      <h1>Audit log</h1>
      <LoadedView loaded={events} reload={reload}>
        {(list) =>
          list.length === 0 ? (
            <p className="page-state">Nothing has been changed yet.</p>
          ) : (
            <div className="scroll-x">
              <table>
                <thead>
                  <tr>
                    <th>When</th>
                    <th>What</th>
                    <th>On</th>
                    <th>Details</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((event) => (
                    <tr key={event.id}>
                      <td>{new Date(event.created_at).toLocaleString()}</td>
                      <td>{event.action}</td>
                      <td>
                        {event.target_type} <code>{event.target_id}</code>
                      </td>
                      <td>
                        <code>{JSON.stringify(event.metadata)}</code>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </LoadedView>
    </>
  );
}
