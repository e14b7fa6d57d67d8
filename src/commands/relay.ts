import { type Command, InvalidArgumentError } from 'commander';
import { readBytes } from './arguments.ts';
import { RUNS_UNTIL_STOPPED } from './ending.ts';
import { addExamples } from './help.ts';
import { addLogOptions, type RelayOptions, readServers } from './log.ts';
import { leavingInput, type Run } from './run.ts';

export function addRelay(program: Command, run: Run): void {
  const command = program
    .command('relay')
    .description('put blocks into a log of NATS JetStream, from which any number of databases take them')
    .requiredOption(
      '--from <source>',
      'tcp://host:port, where a core node dials; or a recorded file or one of lines of JSON, - for lines of standard input',
    )
    .requiredOption('--to <servers>', 'the servers of the log: nats://host:port[,host:port]', readServers);
  addLogOptions(command)
    .option(
      '--subject <name>',
      'the subject of its messages; the stream and .blocks where none is given',
      readSubject,
    )
    .option(
      '--replicas <number>',
      'on how many servers the log is kept: 1, 3 or 5; a new one on 1',
      readReplicas,
    )
    .option('--max-age <age>', 'how long a block is kept, as in 12h or 30d; a new log keeps all', readAge)
    .option('--max-bytes <number>', 'how many bytes are kept, the newest; a new log keeps all', readBytes)
    .option('--follow', 'go on with what is added to the file (a plain recorded one), until stopped')
    .action((options: RelayOptions) =>
      run(async (job) => {
        const { relay } = await import('./logs.ts');
        await leavingInput(options.from, relay(job, options));
      }, RUNS_UNTIL_STOPPED),
    );
  addExamples(command, [
    ['periscope relay --from tcp://127.0.0.1:3005 --to nats://127.0.0.1:4222', 'what a core node sends'],
    [
      'periscope relay --from tcp://0.0.0.0:3005 --to nats://one,two,three --replicas 3 --max-age 30d',
      'on three servers, for a month',
    ],
    ['periscope relay --from events.evt.gz --to nats://127.0.0.1:4222', 'a recorded network'],
  ]);
}

function readSubject(text: string): string {
  if (/^[\w-]+(\.[\w-]+)*$/.test(text) && text.length <= 128) return text;
  throw new InvalidArgumentError('It takes words of letters, digits, - and _ with dots between them.');
}

function readReplicas(text: string): number {
  if (/^[135]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes 1, 3 or 5.');
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** As in `90s`, `12h` or `30d`; gives milliseconds. */
function readAge(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const age = Number(number) * (UNITS_MS[unit ?? ''] ?? 0);
  if (age > 0) return age;
  throw new InvalidArgumentError('It takes a number with s, m, h or d, as in 12h or 30d.');
}
