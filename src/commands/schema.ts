import type { Command } from 'commander';
import { addExamples } from './help.ts';
import type { Run } from './run.ts';

export function addSchema(program: Command, run: Run): void {
  const command = program
    .command('schema')
    .description('print the GraphQL schema, as SDL')
    .action(() =>
      run(async () => {
        const { printSdl } = await import('../graphql/sdl.ts');
        process.stdout.write(printSdl());
      }),
    );
  addExamples(command, [['periscope schema > schema.graphql', 'for editors and code generators']]);
}
