import { type Accepted, option, whole } from './option.ts';

const WORKERS: Accepted<number | 'auto'> = {
  takes:
    'a whole number from 1 to 256, or auto for as many as there are cores, though no more than POOL_SIZE',
  read: (text) => (text === 'auto' ? text : whole(1, 256).read(text)),
};

export const workers = {
  count: option(
    'WORKERS',
    'how many processes serve, on one port; what is limited is limited for all of them together',
    '1',
    WORKERS,
  ),
  stallMs: option(
    'WORKER_STALL_MS',
    'how long one of several may show no sign of life before another takes its place',
    '10000',
    whole(200, 600_000),
  ),
} as const;
