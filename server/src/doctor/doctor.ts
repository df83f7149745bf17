/** `earshot doctor`: checks everything the service needs, with the settings it would start with. */

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { checkModels, checkSandbox } from './audio-checks.ts';
import { type Check, type Finding, failed, formatFinding, ok, runCheck } from './check.ts';
import { checkDataFolder, checkDisk, checkNode, checkPort } from './machine-checks.ts';
import { checkDatabase, checkMail, checkStorage } from './service-checks.ts';

/** Instead of the key that a first start would write to the data folder; the checks encrypt nothing. */
const NO_SECRET = () => 'x'.repeat(32);

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
  if (existsSync('.env')) process.loadEnvFile();
  const findings: Finding[] = [];
  for (const check of listChecks()) {
    const finding = await runCheck(check);
    findings.push(finding);
    if (!values.json) console.log(formatFinding(finding));
  }
  if (values.json) console.log(JSON.stringify(findings, null, 2));
  process.exitCode = findings.some(({ status }) => status === 'failed') ? 1 : 0;
}

function* listChecks(): Generator<Check> {
  yield checkNode();
  yield checkModels();
  let config: ReturnType<typeof readConfig>;
  try {
    config = readConfig(process.env, NO_SECRET);
  } catch (error) {
    yield { name: 'settings', run: async () => failed((error as Error).message) };
    return;
  }
  yield {
    name: 'settings',
    run: async () => ok(config.production ? 'production' : 'no NODE_ENV=production'),
  };
  yield checkSandbox(config.decoderWallsOptional);
  yield checkDataFolder(config.dataDir);
  yield checkDisk(config.dataDir);
  yield checkPort(config.host, config.port);
  yield checkDatabase(config);
  yield checkStorage(config);
  yield checkMail(config);
}

const [, , ...args] = process.argv;
await main(args[0] === 'doctor' ? args.slice(1) : args).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 2;
});
