import { FOLDER, ON_OFF, option, whole } from './option.ts';

export const ingest = {
  historyBlocks: option(
    'HISTORY_BLOCKS',
    'how many blocks a stream can resume from, counted back from the newest; what is older is packed for questions about the past',
    '250000',
    whole(100, 1e12),
  ),
  pastBlocks: option(
    'PAST_BLOCKS',
    'how many blocks questions about the past reach back, counted from the newest; not set: all of them',
    null,
    whole(100, 1e12),
  ),
  spoolDir: option(
    'SPOOL_DIR',
    "the folder where a core node's events wait for the database; not set: beside DATA_DIR, named like it with -spool",
    null,
    FOLDER,
  ),
  spoolLimit: option(
    'SPOOL_LIMIT',
    'how many bytes may wait there; beyond it the core node has to wait',
    '17179869184',
    whole(64 * 2 ** 20, 2 ** 49),
  ),
  skipDamaged: option(
    'SKIP_DAMAGED',
    'how an event is met that cannot be taken: ingest is held up at it, or (on) passes over it, as with --skip-damaged',
    'off',
    ON_OFF,
  ),
  readyWhileHeldUp: option(
    'READY_WHILE_HELD_UP',
    'how a gateway stands while ingest is held up at what it cannot take: not ready (503 at /health/ready), or (on) ready to be read; its answer says so either way',
    'off',
    ON_OFF,
  ),
} as const;
