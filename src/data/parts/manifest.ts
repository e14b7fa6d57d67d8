import { GatewayError } from '../../errors.ts';

/*
 * The manifest names all files of a folder of parts, with what is in each. It is the one file that is ever replaced, and written last:
 * what it does not name is not there.
 */

export const MANIFEST_NAME = 'manifest.json';
const FORMAT = 'periscope parts';
/** It rises with what an older reader would misread. */
const VERSION = 1;

export interface Manifest {
  readonly chain: string;
  /** As of this position and all behind it the past is known: what was before was forgotten when the first part was written. */
  readonly pastFrom: bigint;
  /** In the order of blocks, each beginning where the one before it ends. */
  readonly parts: readonly Part[];
  /** The newest last. */
  readonly bases: readonly Base[];
}

/** What came within a range of blocks that never changes. */
export interface Part {
  /** The heights, both included. */
  readonly from: bigint;
  readonly to: bigint;
  /** The position that it begins behind, and the one that it ends with. */
  readonly after: bigint;
  readonly upTo: bigint;
  /** Of its last block; null where an older version wrote that. */
  readonly digest: string | null;
  /** The newest migration of the tables that it was read from. */
  readonly schema: string;
  readonly files: readonly PartFile[];
}

/** The rows that there are at the end of a part, as far as parts do not have them: with the parts up to there the present. */
export interface Base {
  readonly height: bigint;
  readonly position: bigint;
  readonly digest: string | null;
  readonly schema: string;
  /** How many events the network's database had passed over as damaged. */
  readonly skippedEvents: bigint;
  /** From which positions on rows are kept, and sums count, by those tables of which older rows were dropped. */
  readonly keptFromOf: PositionsOf;
  readonly summedFromOf: PositionsOf;
  readonly files: readonly PartFile[];
}

/** Positions by tables. */
export type PositionsOf = Readonly<Record<string, bigint>>;

export interface PartFile {
  readonly table: string;
  /** Its address from the manifest's. */
  readonly name: string;
  /** Of its bytes; its name has it. */
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
}

export function writeManifest({ chain, pastFrom, parts, bases }: Manifest): string {
  const whole = { format: FORMAT, version: VERSION, chain, pastFrom, parts, bases };
  const text = JSON.stringify(
    whole,
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
    1,
  );
  return `${text}\n`;
}

/** Reads a manifest that anybody may have written. Throws INVALID_ARGUMENT, naming what in it cannot be. */
export function readManifest(text: string, place: string): Manifest {
  const fault = (what: string) => new GatewayError('INVALID_ARGUMENT', `${place} cannot be read: ${what}.`);
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch (error) {
    throw fault((error as Error).message);
  }
  const read = new Reader('the manifest', whole, fault);
  if (read.get('format') !== FORMAT) throw fault('it is no manifest of parts');
  const version = read.get('version');
  if (version !== VERSION)
    throw fault(`its version is ${JSON.stringify(version)}, and this Periscope reads ${VERSION}`);
  return {
    chain: read.text('chain'),
    pastFrom: read.bigint('pastFrom'),
    parts: read.list('parts').map(readPart),
    bases: read.list('bases').map(readBase),
  };
}

function readPart(part: Reader): Part {
  return {
    ...{
      from: part.bigint('from'),
      to: part.bigint('to'),
      after: part.bigint('after'),
      upTo: part.bigint('upTo'),
    },
    ...{
      digest: part.digest('digest'),
      schema: part.text('schema'),
      files: part.list('files').map(readFile),
    },
  };
}

function readBase(base: Reader): Base {
  return {
    ...{ height: base.bigint('height'), position: base.bigint('position'), digest: base.digest('digest') },
    ...{ schema: base.text('schema'), skippedEvents: base.bigint('skippedEvents') },
    ...{ keptFromOf: base.positionsOf('keptFromOf'), summedFromOf: base.positionsOf('summedFromOf') },
    files: base.list('files').map(readFile),
  };
}

/** Names stay within the folder. */
const NAME = /^(?:[a-z0-9_-]+\/){1,3}[0-9a-f]{64}\.parquet$/;
const TABLE = /^[a-z0-9_]{1,63}$/;

function readFile(file: Reader): PartFile {
  return {
    table: file.text('table', TABLE),
    name: file.text('name', NAME),
    sha256: file.text('sha256', DIGEST),
    bytes: file.count('bytes'),
    rows: file.count('rows'),
  };
}

const DIGEST = /^[0-9a-f]{64}$/;
const ANY_TEXT = /^[\s\S]{0,1000}$/;

/** Reads an object of the manifest, member by member. */
class Reader {
  readonly #name: string;
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #fault: (what: string) => GatewayError;

  constructor(name: string, value: unknown, fault: (what: string) => GatewayError) {
    this.#name = name;
    this.#fault = fault;
    if (typeof value !== 'object' || value === null) throw fault(`${name} is no object`);
    this.#members = value as Readonly<Record<string, unknown>>;
  }

  get(member: string): unknown {
    return this.#members[member];
  }

  text(member: string, pattern = ANY_TEXT): string {
    const value = this.get(member);
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw this.#wrong(member);
  }

  /** -1 stands before all positions. */
  bigint(member: string): bigint {
    return BigInt(this.text(member, /^(-1|\d{1,18})$/));
  }

  /** None where the manifest is of an older version. */
  positionsOf(member: string): PositionsOf {
    const value = this.get(member) ?? {};
    const tables = new Reader(`${member} of ${this.#name}`, value, this.#fault);
    return Object.fromEntries(Object.keys(value).map((table) => [table, tables.bigint(table)]));
  }

  count(member: string): number {
    const value = this.get(member);
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    throw this.#wrong(member);
  }

  digest(member: string): string | null {
    return this.get(member) === null ? null : this.text(member, DIGEST);
  }

  list(member: string): readonly Reader[] {
    const value = this.get(member);
    if (!Array.isArray(value)) throw this.#wrong(member);
    return value.map((one, index) => new Reader(`${member}[${index}]`, one, this.#fault));
  }

  #wrong(member: string): GatewayError {
    const value = JSON.stringify(this.get(member))?.slice(0, 80) ?? 'missing';
    return this.#fault(`${member} of ${this.#name} is ${value}`);
  }
}

/** The names of all files that a manifest names. */
export function filesOf({ parts, bases }: Pick<Manifest, 'parts' | 'bases'>): ReadonlySet<string> {
  return new Set([...parts, ...bases].flatMap(({ files }) => files.map(({ name }) => name)));
}
