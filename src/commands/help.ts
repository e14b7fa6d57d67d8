import type { Command } from 'commander';
import { configOptions } from '../config.ts';
import { EXIT_CODE_MEANINGS } from './run.ts';

/** Ends the help of a command with lines that can be typed, each with what it does. */
export function addExamples(command: Command, examples: readonly (readonly [line: string, what: string])[]) {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  $ ${line.padEnd(width)}  # ${what}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** The headings of help in bold and its words in colour; commander leaves both out where there is no terminal. */
export function styleHelp(program: Command): Command {
  return program.configureHelp({
    styleTitle: (text) => `\u001b[1m${text}\u001b[22m`,
    styleCommandText: (text) => `\u001b[36m${text}\u001b[39m`,
    styleOptionTerm: (text) => `\u001b[36m${text}\u001b[39m`,
    styleSubcommandTerm: (text) => `\u001b[36m${text}\u001b[39m`,
  });
}

export function describeExitCodes(): string {
  const lines = EXIT_CODE_MEANINGS.map(([code, meaning]) => `  ${code.padEnd(8)}  ${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}

export function describeEnvironment(): string {
  const options = Object.values(configOptions).flatMap((group) => Object.values(group));
  const width = Math.max(...options.map(({ name }) => name.length));
  const lines = options.map(({ name, what, takes, default: initial }) => {
    const preset = initial === null ? '' : ` (${initial})`;
    return `  ${name.padEnd(width)}  ${what}${preset}; takes ${takes}`;
  });
  return `\nEnvironment:\n${lines.join('\n')}`;
}
