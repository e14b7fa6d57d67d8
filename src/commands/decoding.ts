import type { Command } from 'commander';
import type { DecodeEvent } from '../ingest/decode.ts';
import type { Job } from './run.ts';

/** What passes over events that cannot be taken, on the command line. */
export interface SkipOptions {
  readonly skipDamaged?: true;
}

export function addSkipDamaged(command: Command): Command {
  return command.option(
    '--skip-damaged',
    'pass over events that cannot be taken: what they change is lost (docs/operating.md)',
  );
}

/** Whether that is asked for, here or by the setting. */
export function skipsDamaged({ config }: Job, { skipDamaged }: SkipOptions): boolean {
  return skipDamaged ?? config.ingest.skipDamaged === 'on';
}

/** How events are read then. */
export async function findDecode(skipsDamaged: boolean): Promise<DecodeEvent> {
  const [{ decodeEvent }, { skippingDamaged }] = await Promise.all([
    import('../ingest/decode.ts'),
    import('../ingest/skip-damaged.ts'),
  ]);
  return skipsDamaged ? skippingDamaged(decodeEvent) : decodeEvent;
}
