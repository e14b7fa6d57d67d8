import type { Command } from 'commander';
import { RUNS_UNTIL_STOPPED } from './ending.ts';
import { addExamples } from './help.ts';
import type { Run } from './run.ts';

export function addDemo(program: Command, run: Run): void {
  const command = program
    .command('demo')
    .description('serve a simulated network that goes on producing blocks')
    .action(() =>
      run(async ({ config, stop }) => {
        const { runDemo } = await import('../demo.ts');
        await runDemo(config, stop);
      }, RUNS_UNTIL_STOPPED),
    );
  addExamples(command, [
    ['periscope demo', 'with nothing to prepare; it prints the addresses'],
    ['PORT=0 periscope demo', 'on any free port'],
  ]);
}
