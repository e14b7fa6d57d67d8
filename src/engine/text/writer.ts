import type { AnyNoun } from '../../data/noun.ts';
import type { PageRequest } from '../../data/queries/page-statements.ts';
import { readTextPage, readTextPages, readTextRows, type TextRow } from '../../data/queries/text-rows.ts';
import { valueOrderOf } from '../../data/value-orders.ts';
import { nameListAt, nameListBy, writeCursors } from '../../domain/cursors.ts';
import { contextOf, summingContextOf } from '../../graphql/connections.ts';
import type { GatewayContext } from '../../graphql/context.ts';
import { checkWalkKept } from '../../graphql/kept-rows.ts';
import { writeNodeId } from '../../graphql/node-ids.ts';
import type { JsonText } from '../../http/write/json.ts';
import { TimeSlice } from '../../time-slice.ts';
import type { Given, GivenPage } from './arguments.ts';
import type { Connection, ListRead, RelatedField, RowField, RowRead } from './plan.ts';
import { type FieldResolver, takeValue } from './resolve.ts';

/** A text for each key. */
type TextsByKey = ReadonlyMap<string, string>;

/**
 * Reads what a plan asks for and writes it as JSON, level by level: what all rows of a level link to, and the lists of
 * all of them, are one statement each. The rows stay the texts that PostgreSQL sent; nothing is made of them on the way.
 */
export class TextWriter {
  readonly #context: GatewayContext;
  readonly #given: Given;
  readonly #resolver: FieldResolver;
  readonly #slice = new TimeSlice();

  constructor(context: GatewayContext, given: Given, resolver: FieldResolver) {
    this.#context = context;
    this.#given = given;
    this.#resolver = resolver;
  }

  /** The rows of a noun with these keys; none for those that there are not. */
  async writeRowsByKey(row: RowRead, keys: readonly string[], areFixed = false): Promise<TextsByKey> {
    const { noun, key, columns, fields } = row;
    const { statements } = this.#context;
    const found = await readTextRows(statements, noun, columns, key, keys, { areFixed });
    return keyedTexts([...found.keys()], await this.#writeRows(fields, [...found.values()]));
  }

  /** Rows that are there for certain. Where nothing but their keys is wanted there is nothing to read. */
  async #writeCertain(row: RowRead, keys: readonly string[]): Promise<TextsByKey> {
    const { key, columns, fields } = row;
    if (columns.some((column) => column.form !== 'text' || column.field !== key)) {
      return this.writeRowsByKey(row, keys, true);
    }
    const rows = keys.map((one) => columns.map(() => one));
    return keyedTexts(keys, await this.#writeRows(fields, rows));
  }

  /** The connection of a list that hangs off no object, and how many rows its page has where it was read. */
  async writeList(list: ListRead): Promise<{ readonly text: JsonText; readonly rows: number | null }> {
    const { noun } = list.source;
    const { charge } = this.#context;
    const { filter, request } = this.#given[list.asked] as GivenPage;
    const { writer, summing, statements, asked } = await this.#beginWalk(noun, request);
    const [page, count, rest] = await Promise.all([
      list.hasPage ? readTextPage(statements, noun, list.columns, filter, asked, charge) : null,
      list.hasCount ? writer.#context.pages.countAll(noun, filter) : null,
      list.rest && summing.#resolver.resolve(list.rest),
    ]);
    if (list.hasPage && request.cursor !== null) await checkWalkKept(noun, request, statements);
    const rows = page?.rows.length ?? null;
    await this.#slice.before(rows ?? 0);
    const others = list.rest && rest && (takeValue(list.rest, rest) as Connection['rest']);
    const connection = { page, count, rest: others, list: writer.#nameList(noun.name, request) };
    const [text = []] = await writer.#writeConnections(list, [connection]);
    // Whoever sends it copies all of its parts together.
    await this.#slice.before(rows ?? 0);
    return { text, rows };
  }

  /** The connections of a list that hangs off objects with these keys, which are rows of a noun. */
  async #writeLists(list: ListRead, of: AnyNoun, keys: readonly string[]): Promise<TextsByKey> {
    const { noun, owner } = list.source;
    const { charge } = this.#context;
    const { filter, request } = this.#given[list.asked] as GivenPage;
    const { writer, summing, statements, asked } = await this.#beginWalk(noun, request);
    const { pages } = writer.#context;
    const field = (owner?.field ?? '') as never;
    const [found, counts, rests] = await Promise.all([
      list.hasPage
        ? readTextPages(statements, noun, list.columns, { field, keys }, filter, asked, charge)
        : null,
      list.hasCount ? Promise.all(keys.map((key) => pages.count(noun, { field, key }, filter))) : null,
      list.rest && summing.#resolver.resolveOfRows(list.rest, of, keys),
    ]);
    if (list.hasPage && request.cursor !== null) await checkWalkKept(noun, request, statements);
    const connections = keys.map((key, index) => ({
      page: found?.get(key) ?? null,
      count: counts?.[index] ?? null,
      rest: (rests?.get(key) ?? null) as Connection['rest'],
      list: writer.#nameList(noun.name, request),
    }));
    const texts = await writer.#writeConnections(list, connections);
    return keyedTexts(keys, texts.map(concat));
  }

  /**
   * What a page is read by, and who writes it: in another order than that of creation, whoever writes what was at its block. And who
   * says what its list comes to.
   */
  async #beginWalk(noun: Pick<AnyNoun, 'valued' | 'table'>, request: PageRequest) {
    const at = await contextOf(request, this.#context);
    const writer = at === this.#context ? this : new TextWriter(at, this.#given, this.#resolver.in(at));
    const summing = summingContextOf<TextWriter>(request, this, writer);
    if (!request.order || valueOrderOf(noun, request))
      return { writer, summing, statements: at.statements, asked: request };
    const asked = { upTo: at.past?.lastPosition ?? -1n, ...request };
    // Its statement leaves out what is not kept of that block.
    if (at.past !== null) at.pastsOf([at.past], noun.table.name.text);
    return { writer, summing, statements: at.histories, asked };
  }

  async #writeConnections(list: ListRead, connections: readonly Connection[]): Promise<readonly JsonText[]> {
    const rows = ([] as TextRow[]).concat(...connections.map(({ page }) => page?.rows ?? []));
    // Of each time that rows are selected: it is once, but for aliases.
    const written = await Promise.all(
      list.fields.map((field) => (field.kind === 'rows' ? this.#writeRows(field.fields, rows) : null)),
    );
    const texts: JsonText[] = [];
    let first = 0;
    for (const connection of connections) {
      const next = first + (connection.page?.rows.length ?? 0);
      const text: string[] = [];
      let before = '{';
      for (const [place, field] of list.fields.entries()) {
        before += field.before;
        if (field.kind === 'written') before += field.write(connection);
        else {
          for (let index = first; index < next; index += 1) {
            text.push(before + (index === first ? '[' : ',') + written[place]?.[index]);
            before = '';
          }
          before += first === next ? '[]' : ']';
        }
      }
      text.push(`${before}}`);
      texts.push(text);
      first = next;
      if (this.#slice.isOver()) await this.#slice.next();
    }
    return texts;
  }

  async #writeRows(fields: readonly RowField[], rows: readonly TextRow[]): Promise<readonly string[]> {
    if (rows.length === 0) return [];
    // As it came: what is done with most pages.
    const [only] = fields;
    if (fields.length === 1 && only?.kind === 'object') return rows.map((row) => row[only.column] ?? '');
    const related = fields.some(isRelated)
      ? await Promise.all(fields.map((field) => (isRelated(field) ? this.#writeRelated(field, rows) : null)))
      : [];
    const texts: string[] = [];
    for (const row of rows) {
      let text = '{';
      for (let place = 0; place < fields.length; place += 1) {
        const field = fields[place] as RowField;
        text += field.before;
        if (field.kind === 'column') text += field.write(row[field.column] ?? null);
        else if (field.kind === 'nodeId') text += this.#writeNodeId(field.typename, row[field.column] ?? '');
        // The members without the braces around them.
        else if (field.kind === 'object') text += row[field.column]?.slice(1, -1);
        else if (field.kind === 'constant') text += field.text;
        else text += related[place]?.[texts.length];
      }
      texts.push(`${text}}`);
      if (this.#slice.isOver()) await this.#slice.next();
    }
    return texts;
  }

  /** The values of a field of all rows of a level, in the order of the rows. */
  async #writeRelated(field: RelatedField, rows: readonly TextRow[]): Promise<readonly string[]> {
    if (field.kind === 'node') return this.#writeRows(field.fields, rows);
    if (field.kind === 'cursor') {
      const { request } = this.#given[field.asked] as GivenPage;
      return writeCursors(this.#nameList(field.list, request), rows.map(positionOf)).map(quoted);
    }
    const { column } = field;
    const keys = [...new Set(rows.flatMap((row) => row[column] ?? []))];
    if (keys.length === 0) return rows.map(() => 'null');
    const texts = await this.#writeByKey(field, keys);
    return rows.map((row) => texts.get(row[column] ?? '') ?? 'null');
  }

  /** The name that the cursors of a list carry. */
  #nameList(list: string, { order }: PageRequest): string {
    return nameListAt(nameListBy(list, order), this.#context.past?.height ?? null);
  }

  #writeNodeId(typename: string, id: string): string {
    return `"${writeNodeId({ typename, id, asOf: this.#context.past?.height })}"`;
  }

  /** What the rows of a level link to in a field, the lists that hang off them there, or what is resolved of them. */
  async #writeByKey(field: KeyedField, keys: readonly string[]): Promise<TextsByKey> {
    switch (field.kind) {
      case 'link':
        return field.isCertain ? this.#writeCertain(field.row, keys) : this.writeRowsByKey(field.row, keys);
      case 'list':
        return this.#writeLists(field.list, field.noun, keys);
      case 'resolved': {
        const values = await this.#resolver.resolveOfRows(field.field, field.noun, keys);
        return new Map([...values].map(([key, value]) => [key, JSON.stringify(value)]));
      }
    }
  }
}

type KeyedField = Exclude<RelatedField, { readonly kind: 'node' | 'cursor' }>;

function isRelated(field: RowField): field is RelatedField {
  return (
    field.kind !== 'column' && field.kind !== 'object' && field.kind !== 'constant' && field.kind !== 'nodeId'
  );
}

function keyedTexts(keys: readonly string[], texts: readonly string[]): TextsByKey {
  return new Map(keys.map((key, index) => [key, texts[index] ?? '']));
}

/** As one text. Unlike `join`, it leaves the copying of the characters to whoever reads them. */
function concat(pieces: JsonText): string {
  return pieces.reduce((text, piece) => text + piece, '');
}

/** It stands first in a row. */
function positionOf(row: TextRow): string {
  return row[0] ?? '';
}

function quoted(text: string): string {
  return `"${text}"`;
}
