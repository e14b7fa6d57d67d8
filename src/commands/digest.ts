import { type Command, InvalidArgumentError } from 'commander';
import { addExamples } from './help.ts';
import type { Run } from './run.ts';

export function addDigest(program: Command, run: Run): void {
  const command = program
    .command('digest')
    .description('print the digest of a block and of all that the network has as of it; changes nothing')
    .option('--at <height>', 'of the block at a height; of the newest where none is given', readHeight)
    .option('--blocks', 'print the digest of the block alone, not of the rows as of it')
    .option('--json', 'as one object of JSON')
    .action((options: object) =>
      run(async (job) => {
        const { printDigest } = await import('./digests.ts');
        await printDigest(job, options);
      }),
    );
  addExamples(command, [
    ['periscope digest', 'of the newest block'],
    ['periscope digest --at 1087 --json | jq -r .state', 'for a script'],
  ]);
}

export function readHeight(text: string): bigint {
  if (/^\d{1,18}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('It takes the height of a block.');
}
