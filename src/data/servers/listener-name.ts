import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';

/** Of a machine's name so much is shown, from its end: pods of one deployment differ there. */
const SHOWN = 24;

/**
 * What a gateway's listeners are called at a server, which holds 63 bytes with the `periscope` before it: one name for the workers of
 * a gateway, and another for each gateway, in containers too, where every process is number 1.
 */
export function nameListener(machine: string, process: number, processes: string): string {
  const apart = createHash('sha256').update(`${machine}\n${processes}`).digest('hex').slice(0, 8);
  return `listener ${machine.slice(-SHOWN)}:${process}:${apart}`;
}

/** What numbers processes here, where each container has its own: those that share the network of a machine share its name, too. */
export function readProcessSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
