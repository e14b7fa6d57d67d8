import { GatewayError } from '../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its user may fill no more of the disk',
  EROFS: 'its file system is read-only',
  EPIPE: 'whoever read it is gone',
};

/** Where what is written to cannot take it: a file, a folder or standard output. The database has no part in that. */
export class OutputError extends GatewayError {
  /** The output as a person calls it, and what the system says. */
  constructor(output: string, { code, message }: NodeJS.ErrnoException) {
    super('UNAVAILABLE', `${output} cannot be written: ${REASONS[code ?? ''] ?? message}.`);
  }
}

/** Throws an OutputError in the place of what the system says of an output. */
export function failOutput(output: string): (error: Error) => never {
  return (error) => {
    throw new OutputError(output, error);
  };
}
