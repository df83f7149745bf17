import { generateCorpus } from '../corpus/corpus.ts';
import { type Outcome, runScenario } from '../scenario.ts';
import { makeTone } from '../tone.ts';
import { uploadFile } from '../upload.ts';

/** File names that are dangerous in a shell, path, header, database or page, or that mislead a reader. */
const NAMES = [
  '../../etc/passwd',
  '..\\..\\boot.ini',
  'a\0.mp3',
  `${'x'.repeat(4096)}.wav`,
  '\u202egnp.exe.wav',
  'caf\u00e9.wav',
  'cafe\u0301.wav',
  '🎧🔥.wav',
  'a\r\nSet-Cookie: x=1.wav',
  'CON',
  '"; filename="b.exe',
  '%2e%2e%2fetc%2fpasswd',
  '-i',
  '--help.wav',
  '$(id).wav',
  '`id`.wav',
  "'; drop table analyses; --.wav",
  '=cmd|calc.wav',
  '<script>alert(1)</script>.wav',
  '\ud800.wav',
  '',
  '.',
  '..',
  '/',
];

/** Uploads files with hostile names and every n-th hostile file: each gets a definite answer, and a failed job is not charged. */
export function runHostileUploads(seed: string, options: { everyNth: number }): Promise<Outcome> {
  return runScenario({ name: 'hostile uploads', seed, tenantCount: 1 }, async ({ world, problems }) => {
    const restarted = world.fleet.watchRestarts();
    const answers: Record<string, number> = {};
    const url = await world.fleet.anyUrl();
    const [tenant] = world.tenants;
    const upload = async (bytes: Buffer, name: string, what: string) => {
      const response = await uploadFile(url, tenant, { name, bytes });
      const body = (await response.json()) as { job_id?: string };
      answers[response.status] = (answers[response.status] ?? 0) + 1;
      if (![202, 400, 413, 415, 422].includes(response.status)) problems.push(`${what}: ${response.status}`);
      if (response.status === 202)
        await checkReturnedName(
          `${url}/v1/analyses/${body.job_id}`,
          { 'x-api-key': tenant.apiKey },
          what,
          problems,
        );
    };
    for (const name of NAMES)
      await upload(makeTone({ toneHz: 500 }), name, `the name ${JSON.stringify(name.slice(0, 40))}`);
    let fileCount = 0;
    for await (const file of generateCorpus(world.random, '/nonexistent/canary.wav')) {
      fileCount += 1;
      if (fileCount % options.everyNth === 0) await upload(file.bytes, 'corpus.bin', file.name);
    }
    for (const { name } of restarted()) problems.push(`${name} exited`);
    return { names: NAMES.length, answers: JSON.stringify(answers) };
  });
}

/** The returned name must not contain control characters or path separators, or exceed 255 characters. */
async function checkReturnedName(
  url: string,
  headers: Record<string, string>,
  what: string,
  problems: string[],
): Promise<void> {
  const { file_name } = (await (await fetch(url, { headers })).json()) as { file_name: string | null };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the name must not contain these.
  if (file_name !== null && (/[\u0000-\u001f\u007f/\\]/.test(file_name) || file_name.length > 255))
    problems.push(`${what} came back as ${JSON.stringify(file_name)}`);
}
