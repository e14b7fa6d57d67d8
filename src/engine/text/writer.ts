import type { Page } from '../../data/queries/pages.ts';
import { readTextPage, readTextPages, readTextRows, type TextRow } from '../../data/queries/text-rows.ts';
import { writeCursors } from '../../domain/cursors.ts';
import type { GatewayContext } from '../../graphql/context.ts';
import type { JsonText } from '../../http/write/json-text.ts';
import type { GivenPages } from './arguments.ts';
import type { ConnectionField, EdgeField, ListRead, PageInfoField, RowField, RowRead } from './plan.ts';
import { TimeSlice } from './time-slice.ts';

/** A text for each key. */
type TextsByKey = ReadonlyMap<string, string>;

/** A page of a list, its count, or both, as far as they are selected. */
interface Connection {
  readonly page: Page<TextRow> | null;
  readonly count: number | null;
}

/**
 * Reads what a plan asks for and writes it as JSON, level by level: what all rows of a level link to, and the lists of
 * all of them, are one statement each. The rows stay the texts that PostgreSQL sent; nothing is made of them on the way.
 */
export class TextWriter {
  readonly #context: GatewayContext;
  readonly #given: GivenPages;
  readonly #slice = new TimeSlice();

  constructor(context: GatewayContext, given: GivenPages) {
    this.#context = context;
    this.#given = given;
  }

  /** The rows of a noun with these keys; none for those that there are not. */
  writeRowsByKey(row: RowRead, keys: readonly string[]): Promise<TextsByKey> {
    return this.#writeFound(row, keys);
  }

  async #writeFound({ noun, key, columns, fields }: RowRead, keys: readonly string[]): Promise<TextsByKey> {
    const found = await readTextRows(this.#context.statements, noun, columns, key, keys);
    return keyedTexts([...found.keys()], await this.#writeRows(fields, [...found.values()]));
  }

  /** Rows that are there for certain. Where nothing but their keys is wanted there is nothing to read. */
  async #writeCertain(row: RowRead, keys: readonly string[]): Promise<TextsByKey> {
    const { key, columns, fields } = row;
    if (columns.some((column) => column.form !== 'text' || column.field !== key)) {
      return this.#writeFound(row, keys);
    }
    const rows = keys.map((one) => columns.map(() => one));
    return keyedTexts(keys, await this.#writeRows(fields, rows));
  }

  /** The connection of a list that hangs off no object, and how many rows its page has where it was read. */
  async writeList(list: ListRead): Promise<{ readonly text: JsonText; readonly rows: number | null }> {
    const { noun } = list.source;
    const { statements, pages } = this.#context;
    const { filter, request } = this.#givenTo(list);
    const [page, count] = await Promise.all([
      list.hasPage ? readTextPage(statements, noun, list.columns, filter, request) : null,
      list.hasCount ? pages.countAll(noun, filter) : null,
    ]);
    const rows = page?.rows.length ?? null;
    await this.#slice.before(rows ?? 0);
    const [text = []] = await this.#writeConnections(list, [{ page, count }]);
    // Whoever sends it copies all of its parts together.
    await this.#slice.before(rows ?? 0);
    return { text, rows };
  }

  /** The connections of a list that hangs off objects with these keys. */
  async #writeLists(list: ListRead, keys: readonly string[]): Promise<TextsByKey> {
    const { noun, owner } = list.source;
    const { statements, pages } = this.#context;
    const { filter, request } = this.#givenTo(list);
    const field = (owner?.field ?? '') as never;
    const [found, counts] = await Promise.all([
      list.hasPage ? readTextPages(statements, noun, list.columns, { field, keys }, filter, request) : null,
      list.hasCount ? Promise.all(keys.map((key) => pages.count(noun, { field, key }, filter))) : null,
    ]);
    const connections = keys.map((key, index) => ({
      page: found?.get(key) ?? null,
      count: counts?.[index] ?? null,
    }));
    const texts = await this.#writeConnections(list, connections);
    return keyedTexts(keys, texts.map(concat));
  }

  async #writeConnections(list: ListRead, connections: readonly Connection[]): Promise<readonly JsonText[]> {
    const rows = ([] as TextRow[]).concat(...connections.map(({ page }) => page?.rows ?? []));
    const edges = await this.#writeEdges(list, rows);
    const texts: JsonText[] = [];
    let first = 0;
    for (const { page, count } of connections) {
      const next = first + (page?.rows.length ?? 0);
      const text: string[] = [];
      let before = '{';
      for (const field of list.fields) {
        before += field.before;
        if (field.kind === 'constant') before += field.text;
        else if (field.kind === 'totalCount') before += count;
        else if (field.kind === 'pageInfo') before += writePageInfo(field.fields, list, page);
        else {
          const written = edges.get(field) ?? [];
          for (let index = first; index < next; index += 1) {
            text.push(before + (index === first ? '[' : ',') + written[index]);
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

  /** The edges of all rows of a level, for each time that edges are selected: it is once, but for aliases. */
  async #writeEdges(
    { fields, source }: ListRead,
    rows: readonly TextRow[],
  ): Promise<ReadonlyMap<ConnectionField, readonly string[]>> {
    const written = new Map<ConnectionField, readonly string[]>();
    for (const field of fields) {
      if (field.kind === 'edges')
        written.set(field, await this.#writeEdgesOf(field.fields, source.noun.name, rows));
    }
    return written;
  }

  async #writeEdgesOf(
    fields: readonly EdgeField[],
    list: string,
    rows: readonly TextRow[],
  ): Promise<readonly string[]> {
    const nodes = await Promise.all(
      fields.map((field) => (field.kind === 'node' ? this.#writeRows(field.fields, rows) : null)),
    );
    const hasCursor = fields.some(({ kind }) => kind === 'cursor');
    const cursors = hasCursor ? writeCursors(list, rows.map(positionOf)) : [];
    return this.#writeEach(rows, (_, index) => {
      let text = '{';
      for (let place = 0; place < fields.length; place += 1) {
        const field = fields[place] as EdgeField;
        text += field.before;
        if (field.kind === 'constant') text += field.text;
        else if (field.kind === 'cursor') text += `"${cursors[index]}"`;
        else text += nodes[place]?.[index];
      }
      return `${text}}`;
    });
  }

  async #writeRows(fields: readonly RowField[], rows: readonly TextRow[]): Promise<readonly string[]> {
    if (rows.length === 0) return [];
    const below = fields.some(isBelow)
      ? await Promise.all(fields.map((field) => this.#writeBelow(field, rows)))
      : [];
    // As it came: what is done with most pages.
    const [only] = fields;
    if (fields.length === 1 && only?.kind === 'object') return rows.map((row) => row[only.column] ?? '');
    return this.#writeEach(rows, (row) => {
      let text = '{';
      for (let place = 0; place < fields.length; place += 1) {
        const field = fields[place] as RowField;
        text += field.before;
        if (field.kind === 'column') text += field.write(row[field.column] ?? null);
        // The members without the braces around them.
        else if (field.kind === 'object') text += row[field.column]?.slice(1, -1);
        else if (field.kind === 'constant') text += field.text;
        else text += below[place]?.get(row[field.column] ?? '') ?? 'null';
      }
      return `${text}}`;
    });
  }

  /** What the rows of a level link to in a field, or the lists that hang off them there, by the keys. */
  #writeBelow(field: RowField, rows: readonly TextRow[]): Promise<TextsByKey> | null {
    if (!isBelow(field)) return null;
    const keys = [...new Set(rows.flatMap((row) => row[field.column] ?? []))];
    if (keys.length === 0) return null;
    if (field.kind === 'list') return this.#writeLists(field.list, keys);
    return field.isCertain ? this.#writeCertain(field.row, keys) : this.writeRowsByKey(field.row, keys);
  }

  async #writeEach(
    rows: readonly TextRow[],
    write: (row: TextRow, index: number) => string,
  ): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const row of rows) {
      texts.push(write(row, texts.length));
      if (this.#slice.isOver()) await this.#slice.next();
    }
    return texts;
  }

  #givenTo(list: ListRead) {
    const given = this.#given.get(list);
    if (given === undefined) throw new Error(`nothing was given to ${list.source.noun.name}`);
    return given;
  }
}

function isBelow(field: RowField): field is Extract<RowField, { readonly kind: 'link' | 'list' }> {
  return field.kind === 'link' || field.kind === 'list';
}

function keyedTexts(keys: readonly string[], texts: readonly string[]): TextsByKey {
  return new Map(keys.map((key, index) => [key, texts[index] ?? '']));
}

/** As one text. Unlike `join`, it leaves the copying of the characters to whoever reads them. */
function concat(pieces: JsonText): string {
  return pieces.reduce((text, piece) => text + piece, '');
}

function writePageInfo(
  fields: readonly PageInfoField[],
  { source }: ListRead,
  page: Page<TextRow> | null,
): string {
  let text = '{';
  for (const field of fields) {
    text += field.before;
    if (field.kind === 'constant') text += field.text;
    else if (field.kind === 'startCursor') text += writePosition(source.noun.name, page?.rows[0]);
    else if (field.kind === 'endCursor') text += writePosition(source.noun.name, page?.rows.at(-1));
    else text += page?.[field.kind];
  }
  return `${text}}`;
}

function writePosition(list: string, row: TextRow | undefined): string {
  return row === undefined ? 'null' : `"${writeCursors(list, [positionOf(row)])[0]}"`;
}

/** It stands first in a row. */
function positionOf(row: TextRow): string {
  return row[0] ?? '';
}
