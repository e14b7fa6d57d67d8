#!/usr/bin/env node
import { Command } from 'commander';
import { addBackup } from './commands/backup.ts';
import { addDemo } from './commands/demo.ts';
import { addDigest } from './commands/digest.ts';
import { addExport } from './commands/export.ts';
import { addExamples, describeEnvironment, describeExitCodes, styleHelp } from './commands/help.ts';
import { addIngest } from './commands/ingest.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOpenapi, addSchema } from './commands/print.ts';
import { addRelay } from './commands/relay.ts';
import { addRestore } from './commands/restore.ts';
import { EXIT_CODES, runWith } from './commands/run.ts';
import { addServe } from './commands/serve.ts';
import { addStatus } from './commands/status.ts';
import { addVerify } from './commands/verify.ts';
import { describeOldNode, describeVersion } from './commands/version.ts';
import { addWorker } from './commands/worker.ts';

// Older ones lack what is loaded later, and would say so in their own words.
const oldNode = describeOldNode(process.versions.node);
if (oldNode !== null) {
  process.stderr.write(`periscope: ${oldNode}\n`);
  process.exit(EXIT_CODES.failure);
}

const program = styleHelp(new Command('periscope'))
  .description('A read-only query gateway for a trading network: GraphQL and REST over PostgreSQL.')
  .version(
    describeVersion(process.argv.slice(2)),
    '-v, --version',
    'print the version; with --json an object, which has the newest release of the network that it knows',
  )
  .showHelpAfterError('(--help says what there is)')
  // What commander ends with an error is a command line that cannot be taken.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage));

addExamples(program, [
  ['periscope demo', 'a simulated network, with nothing to prepare'],
  ['periscope ingest file events.evt.gz', 'take in a recorded network'],
  ['periscope serve', 'serve it on http://127.0.0.1:3008'],
])
  .addHelpText('after', describeExitCodes)
  .addHelpText('after', describeEnvironment);

const run = runWith(process.env);
const commands = [
  addServe,
  addIngest,
  addRelay,
  addMigrate,
  addDemo,
  addStatus,
  addDigest,
  addVerify,
  addBackup,
  addRestore,
  addExport,
  addSchema,
  addOpenapi,
  addWorker,
];
for (const add of commands) add(program, run);

await program.parseAsync();
