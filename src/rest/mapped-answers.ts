import { notFound } from '../errors.ts';
import type { JsonText } from '../http/write/json.ts';
import type { JsonSchema } from './json-schema.ts';
import { has, listOf, object, type Shape, text } from './shape.ts';

/** What a route declares whose answer has another shape than GraphQL's: the body, and its schema. */
interface Mapped<Data, Given> {
  readonly body: (data: Data, given: Given) => JsonText;
  readonly schema: JsonSchema;
}

interface Connection<Row> {
  readonly edges: readonly { readonly node: Row; readonly cursor: string }[];
  readonly pageInfo: PageInfo;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** An answer of one member, which is always there. */
export function answerOf<const Field extends string, Value>(
  field: Field,
  { schema, write }: Shape<Value>,
): Mapped<{ readonly [F in Field]: Value }, unknown> {
  return { schema: answerSchema(field, schema), body: (data) => [`{"${field}":${write(data[field])}}`] };
}

/** An answer of one member, which is a page of rows. */
export function pageAnswer<const Field extends string, Row>(field: Field, name: string, row: Shape<Row>) {
  return answerOf(field, pageOf(name, row));
}

/** An answer of one member, which is one thing. Throws NOT_FOUND where it is not there. */
export function oneAnswer<const Field extends string, Row, Given>(
  field: Field,
  { schema, write }: Shape<Row>,
  idOf: (given: Given) => string,
): Mapped<{ readonly [F in Field]: Row | null }, Given> {
  return {
    schema: answerSchema(field, schema),
    body(data, given) {
      const row: Row | null = data[field];
      if (row === null) throw notFound(field, idOf(given));
      return [`{"${field}":${write(row)}}`];
    },
  };
}

function pageOf<Row>(name: string, row: Shape<Row>): Shape<Connection<Row>> {
  const edge = object<Connection<Row>['edges'][number]>(`${name}Edge`, 'A row in a page.', {
    node: has('The row.', row, ({ node }) => node),
    cursor: has('The cursor of the row.', text, ({ cursor }) => cursor),
  });
  return object<Connection<Row>>(`${name}Connection`, 'A page of rows.', {
    edges: has('A list of the rows in the page, each with its cursor.', listOf(edge), ({ edges }) => edges),
    pageInfo: has('Information about the page.', PAGE_INFO, ({ pageInfo }) => pageInfo),
  });
}

/** The cursors of a page without rows are empty text. */
const PAGE_INFO: Shape<PageInfo> = {
  schema: { $ref: '#/components/schemas/PageInfo' },
  write: ({ hasNextPage, hasPreviousPage, startCursor, endCursor }) =>
    JSON.stringify({
      hasNextPage,
      hasPreviousPage,
      startCursor: startCursor ?? '',
      endCursor: endCursor ?? '',
    }),
};

function answerSchema(field: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [field]: schema }, required: [field] };
}
