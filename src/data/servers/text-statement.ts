import pg from 'pg';

/** The columns of a row in their order, each as the text that PostgreSQL wrote. */
export type TextColumns = readonly (string | null)[];

/** What a statement came to; without an error its rows are there. */
export type Answered<Result> = (error: Error | null | undefined, result?: Result) => void;

/**
 * A statement of which the texts alone are wanted, as the driver takes statements of others' making. Its own describes
 * each result anew, which PostgreSQL has to write, and makes an emitter, a promise and a parser for each column.
 */
export class TextStatement implements pg.Submittable {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Under which it is prepared; empty where it is not. The driver reads it. */
  readonly name: string;
  /** Called once. The driver puts its own around it, for the time limit. */
  callback: Answered<readonly TextColumns[]>;
  readonly #rows: TextColumns[] = [];

  constructor(
    text: string,
    values: readonly unknown[],
    name: string,
    callback: Answered<readonly TextColumns[]>,
  ) {
    this.text = text;
    this.values = values;
    this.name = name;
    this.callback = callback;
  }

  submit(given: object): void {
    const connection = given as Wire;
    const { parsedStatements, submittedNamedStatements, stream } = connection;
    const { name, text } = this;
    const values = this.values.map(prepareValue);
    // All of it goes out at once.
    stream.cork();
    if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      connection.parse({ name, text });
      if (name !== '') submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values });
    connection.execute();
    connection.sync();
    stream.uncork();
  }

  handleDataRow({ fields }: { readonly fields: TextColumns }): void {
    this.#rows.push(fields);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows);
  }

  // What else the driver tells of.
  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}

/** In a pipeline the driver refuses what may keep a portal open, and takes for that whatever is not of its own class. */
Object.setPrototypeOf(TextStatement.prototype, pg.Query.prototype);

/** How the driver writes a value. */
const { prepareValue } = (pg as unknown as Driver).utils;

interface Driver {
  readonly utils: { readonly prepareValue: (value: unknown) => string | Buffer | null };
}

/** What the driver has of a connection for those who submit, and its types do not know. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** The texts by the names that the server has prepared them under, or was asked to. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(values: { readonly statement: string; readonly values: readonly unknown[] }): void;
  execute(): void;
  sync(): void;
}
