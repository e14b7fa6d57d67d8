import { type Accepted, ON_OFF, option, whole } from './option.ts';

const WORKERS: Accepted<number | 'auto'> = {
  takes:
    'a whole number from 1 to 256, or auto for as many as there are cores, though no more than POOL_SIZE',
  read: (text) => (text === 'auto' ? text : whole(1, 256).read(text)),
};

const FILE: Accepted<string> = { takes: 'the path of a file', read: (text) => text };

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

export const graphql = {
  introspection: option(
    'INTROSPECTION',
    'the introspection of the schema, which GraphiQL and other tools ask for',
    'on',
    ON_OFF,
  ),
  operationList: option(
    'OPERATION_LIST',
    'the only operations that GraphQL takes: a JSON file of documents by their SHA-256; not set: any',
    null,
    FILE,
  ),
} as const;

export const mcp = {
  serve: option(
    'MCP',
    'the Model Context Protocol at /mcp, by which programs of language models ask a few fixed operations',
    'on',
    ON_OFF,
  ),
} as const;

export const answers = {
  keptMegabytes: option(
    'KEPT_ANSWERS_MB',
    'how many megabytes of answers that are asked for again are kept by each process that serves, each until a block changes what it read; 0 keeps none',
    '64',
    whole(0, 65_536),
  ),
} as const;
