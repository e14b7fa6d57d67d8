import { GatewayError } from '../../errors.ts';

/**
 * Throws UNAVAILABLE in the place of what the system says of a file or a folder of parts: it may be away for a while, as a server may, where it
 * is mounted, or moved. What is no word of the system is thrown as it is.
 */
export function failInput(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.syscall === undefined) throw error;
    throw new GatewayError('UNAVAILABLE', `${path} cannot be read: ${error.message}.`);
  };
}
