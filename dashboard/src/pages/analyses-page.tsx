import { earshot } from '../api.ts';
import { useLoad } from '../use-load.ts';

export function AnalysesPage() {
  const [jobs] = useLoad(() => earshot.request('listAnalyses', { query: {} }), 'analyses');
  return (
    <>
      <h1>Analyses</h1>
      {jobs.state === 'loading' && (
        <p className="page-state" aria-busy="true">
          Loading…
        </p>
      )}
      {jobs.state === 'failed' && (
        <p className="error" role="alert">
          {jobs.error.message}
        </p>
      )}
      {jobs.state === 'ready' && (
        <table>
          <thead>
            <tr>
              <th>Source</th>
              <th>Status</th>
              <th>Submitted</th>
            </tr>
          </thead>
          <tbody>
            {jobs.value.map((job) => (
              <tr key={job.id}>
                <td>{job.source_url}</td>
                <td>
                  <span className="status" data-status={job.status}>
                    {job.status}
                  </span>
                </td>
                <td>{new Date(job.created_at).toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
