import type { Command } from 'commander';
import { readHeight } from './digest.ts';
import { addExamples } from './help.ts';
import type { Run } from './run.ts';

export function addVerify(program: Command, run: Run): void {
  const command = program
    .command('verify')
    .description(
      'compare two by their digests: the first block that differs, and the rows; or read the blocks of one again; changes nothing',
    )
    .argument(
      '[first]',
      'the address of a gateway (http://…), of a database (postgres://…) or of parts (https://…, s3://…), or a folder of parts; none: the blocks of the database of the settings are read again',
    )
    .argument('[second]', 'another; the database of the settings where there is none')
    .option('--at <height>', 'as of a block; of the newest that both have where none is given', readHeight)
    .option('--blocks', 'compare the blocks alone, not the rows as of the last')
    .option('--json', 'as one object of JSON')
    .action((first: string | undefined, second: string | undefined, options: object) =>
      run(async (job) => {
        const { compare, readAgain } = await import('./digests.ts');
        await (first === undefined ? readAgain(job, options) : compare(job, first, second, options));
      }),
    );
  addExamples(command, [
    ['periscope verify http://other:3008', 'a gateway beside the database of the settings'],
    ['periscope verify postgres://primary/periscope postgres://replica/periscope', 'two databases'],
    [
      'periscope verify /srv/parts postgres://primary/periscope',
      'what export wrote, beside the database that it came from',
    ],
    ['periscope verify http://one http://other --at 1087 > /dev/null || echo differ', 'for a script'],
  ]);
}
