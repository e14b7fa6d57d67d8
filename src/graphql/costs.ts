import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page-sizes.ts';

/** The unit of cost is the time that a plain field takes: about a microsecond. */
export const COST_OF = {
  field: 1,
  /** An edge, or an object within a row. */
  part: 2,
  /** A row of a page that is read is read whether anything of it is selected or not. */
  row: 5,
  /** Global IDs are made asynchronously. */
  nodeId: 8,
  /** An object that another links to. */
  object: 10,
  /** Each object of many asks for its own number. */
  totalCount: 10,
  /** A row that PostgreSQL reads to count it; charged once it is counted. */
  countedRow: 0.2,
  /** A list, besides its rows, for the same reason. */
  list: 40,
  /** One of `nodes`. */
  node: 100,
  /** Each object of many has its versions read by statements of its own. */
  history: 400,
} as const;

/** How much more everything costs as of a block: a row of the past is looked up among its versions, too. */
export const COST_OF_THE_PAST = 2;

/** What one operation may have at most. It is checked before anything is read. */
export const OPERATION_LIMITS = {
  /** Of its document. The longest that GraphiQL itself sends has about 300. */
  tokens: 1000,
  /**
   * In characters: comments and spaces are no tokens. A document of 1000 tokens that a tool laid out has about 15000, the
   * introspection of tools 2000.
   */
  length: 32_768,
  /**
   * In `COST_OF`, about a second. The dearest of a dozen kinds that are let through took 0.8 to 2 s on two busy cores;
   * 5000 accounts with all the fields and links that release 0.71 of the network fills cost 770000 and took 1.1 s, 5000
   * market data 950000 and 1.7 s.
   */
  cost: 1_000_000,
  /**
   * In `COST_OF`, of each row of blocks, which are told whole, where that is more than `cost`: all that the dearest row has of
   * its own, so that whoever selects that can always go on, however many of them a block changes.
   */
  toldRow: 300,
  /** How many operations a batch has; Apollo's BatchHttpLink sends no more unless told. Together they cost at most `cost`. */
  batch: 10,
  /** Of lists and objects in a value: what can be asked takes three. Whatever walks through values calls itself. */
  levels: 32,
  /** Counts read all rows of their lists. */
  counts: 20,
  /**
   * Of `cost`, what may be asked of the schema itself: graphql-js answers that in one piece, which others wait for. Tools ask
   * for 75000 at most.
   */
  introspection: 110_000,
  /**
   * Of fields, those of a fragment once for each place that it is spread in: each is prepared in its place before anything is
   * read, also where no row will be, in one piece that others wait for: 10 µs and up to 1 kB for each. What is asked honestly
   * has hundreds; 1000 tokens without fragments have 500.
   */
  places: 10_000,
  /**
   * How many times one place may have one name: graphql-js compares each with each of the others, 50 ms for 250 of them. What is put together
   * of fragments has a few; a plain field, as `id`, may be there as often as there is room for it.
   */
  repeats: 50,
} as const;

/** What a field costs; declared on a type, what every field of that type costs. */
export interface Cost {
  /** Of each value of the field, without what is selected of it. */
  readonly each: number;
  /** How many values the field has, or one for each row of its page. A list has five where nothing is declared. */
  readonly values?: number | 'rows' | ((argument: Argument) => number);
  /** Of a field that reads a page, or does so where a field is selected that shows it: how many rows it asks for, and what each costs. */
  readonly page?: {
    readonly rows: (argument: Argument) => number;
    readonly row: number;
    readonly isReadIfShown?: true;
  };
  /** Of a field of a page that is read if shown: whether it shows that. */
  readonly showsPage?: true;
  /** Of a field within a page: what is below it has the rows of the page. */
  readonly hasPageRows?: true;
  /** Of a field of whole blocks, or of messages: how many values it has is known once they are read, and is told by its name. */
  readonly isTold?: true;
  /** How many whole lists each value counts. */
  readonly counts?: number;
  /** Of a field of a page: whether the filter of its list is looked into for it, besides for the page. */
  readonly looksIntoFilter?: true;
}

/** What blocks and messages tell, which are told whole: known once it is read, when nothing below it is read yet. */
export interface Told {
  readonly rows: number;
  /** By the names of the fields that have it (`isTold`): how many values one object has, on average. */
  readonly lengths: Pick<ReadonlyMap<string, number>, 'get'>;
}

/** Gives an argument as the document or the variables have it, a list as an array of its length; undefined for none, or null. */
export type Argument = (name: string) => unknown;

/** The options of a field or a type that declare its cost. */
export function costs(cost: Cost) {
  return { extensions: { cost } };
}

/** The cost that a field or a type declares. */
export function declaredCost({ extensions }: Declaring): Cost | undefined {
  return extensions['cost'] as Cost | undefined;
}

interface Declaring {
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** How many elements an argument has: one where a single value stands for a list. */
export function lengthOf(given: unknown): number {
  if (given === undefined) return 0;
  return Array.isArray(given) ? given.length : 1;
}

/** A size that no list takes counts 1: it is refused when the page is asked for. */
export function rowsOfPage(argument: Argument): number {
  const sizes = ['first', 'last'].map(argument).filter((size) => size !== undefined);
  const size = sizes.length === 0 ? DEFAULT_PAGE_SIZE : Math.max(...sizes.map(Number));
  return size >= 0 && size <= MAX_PAGE_SIZE ? size : 1;
}
