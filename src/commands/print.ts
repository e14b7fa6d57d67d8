import type { Command } from 'commander';
import { addExamples } from './help.ts';
import type { Run } from './run.ts';

export function addOpenapi(program: Command, run: Run): void {
  const command = program
    .command('openapi')
    .description('print the documented REST paths, as OpenAPI')
    .action(() =>
      run(async () => {
        const { describeRest } = await import('../reference/openapi.ts');
        process.stdout.write(`${JSON.stringify(describeRest(), null, 2)}\n`);
      }),
    );
  addExamples(command, [['periscope openapi > openapi.json', 'for generators of clients, and linters']]);
}

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
