import { type Accepted, ON_OFF, option, whole } from './option.ts';

const FILE: Accepted<string> = { takes: 'the path of a file', read: (text) => text };

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

export const answers = {
  keptMegabytes: option(
    'KEPT_ANSWERS_MB',
    'how many megabytes of answers that are asked for again are kept by each process that serves, each until a block changes what it read; 0 keeps none',
    '64',
    whole(0, 65_536),
  ),
} as const;
