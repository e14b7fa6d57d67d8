import type { Command } from 'commander';
import { addExamples } from './help.ts';
import { EXIT_CODES, type Run } from './run.ts';

export function addStatus(program: Command, run: Run): void {
  const command = program
    .command('status')
    .description(
      'what runs, the newest block and how old it is, sizes and versions; starts and changes nothing',
    )
    .option('--json', 'as one object of JSON')
    .option('--demo', "of the demo's database instead")
    .action(({ json, demo }: { json?: true; demo?: true }) =>
      run(async ({ config }) => {
        const { readWholeStatus } = await import('./whole-status.ts');
        const { describeStatus } = await import('./describe-status.ts');
        const status = await readWholeStatus(config, demo ?? false);
        const hasColours = process.stdout.isTTY && process.stdout.hasColors();
        const text = json ? JSON.stringify(status, null, 1) : describeStatus(status, hasColours);
        process.stdout.write(`${text}\n`);
        if (status.heldUp !== null) process.exitCode = EXIT_CODES.heldUp;
        else if (status.gateway.state !== 'ready') process.exitCode = EXIT_CODES.notReady;
      }),
    );
  addExamples(command, [
    ['periscope status', 'of the gateway at PORT and its database'],
    ['periscope status --json | jq -r .block.ageMilliseconds', 'for a script'],
    ['periscope status > /dev/null || echo "not ready"', 'by its exit code: 0, 3 or 4'],
  ]);
}
