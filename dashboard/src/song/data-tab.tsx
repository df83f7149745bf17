import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useLoad } from '../use-load.ts';
import { EXPORT_FORMATS } from './export-formats.ts';
import { loadGroups } from './load-groups.ts';

const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
type Language = (typeof LANGUAGES)[number];

/** Code that fetches the result, the exports of a single song, and the summary as JSON. */
export function DataTab({ jobId }: { jobId: string }) {
  const [language, setLanguage] = useState<Language>('curl');
  const code = codeFor(language, jobId, window.location.origin);
  const [summary, reload] = useLoad(() => loadGroups(jobId, 'file'), `data ${jobId}`);
  return (
    <div className="stack">
      <section className="card">
        <div className="spread">
          <h2>Fetch it</h2>
          <fieldset className="row">
            <legend className="visually-hidden">Language</legend>
            {LANGUAGES.map((name) => (
              <button
                key={name}
                type="button"
                className="quiet small"
                aria-pressed={name === language}
                onClick={() => setLanguage(name)}
              >
                {name}
              </button>
            ))}
          </fieldset>
        </div>
        <pre>
          <code>{code}</code>
        </pre>
        <CopyButton text={code} />
      </section>
      <section className="card">
        <h2>Export</h2>
        <p className="row">
          {EXPORT_FORMATS.map(([format, name]) => (
            <a key={format} className="button" href={`/v1/analyses/${jobId}/exports/${format}`} download>
              {name}
            </a>
          ))}
        </p>
      </section>
      <section className="card">
        <h2>Summary</h2>
        <LoadedView loaded={summary} reload={reload}>
          {(result) => (
            <section className="tall" aria-label="Summary as JSON">
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the text. */}
              <pre tabIndex={0}>
                <code>{JSON.stringify(result, null, 2)}</code>
              </pre>
            </section>
          )}
        </LoadedView>
      </section>
    </div>
  );
}

function codeFor(language: Language, jobId: string, baseUrl: string): string {
  switch (language) {
    case 'curl':
      return `curl -s ${baseUrl}/v1/analyses/${jobId}/result \\
  -H "Authorization: Bearer $EARSHOT_API_KEY"`;
    case 'TypeScript':
      return `import { Earshot } from '@earshot/sdk';

const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: '${baseUrl}' });
const { result } = await earshot.request('getAnalysisResult', { params: { job_id: '${jobId}' } });
console.log(result?.bpm, result?.key_notation);`;
    case 'Python':
      return `import os
from earshot import Earshot

earshot = Earshot(api_key=os.environ["EARSHOT_API_KEY"], base_url="${baseUrl}")
result = earshot.analyses.result("${jobId}")["result"]
print(result["bpm"], result["key_notation"])`;
  }
}
