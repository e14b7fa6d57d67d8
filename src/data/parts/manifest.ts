import { writeBigint } from '../../domain/bigints.ts';
import { GatewayError } from '../../errors.ts';
import { DIGEST, MemberReader } from './manifest-members.ts';

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
  return `${JSON.stringify(whole, writeBigint, 1)}\n`;
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
  const read = new MemberReader('the manifest', whole, fault);
  if (read.get('format') !== FORMAT) throw fault('it is no manifest of parts');
  const version = read.get('version');
  if (version !== VERSION)
    throw fault(`its version is ${JSON.stringify(version)}, and this Periscope reads ${VERSION}`);
  const parts = read.list('parts').map(readPart);
  checkOrder(parts, fault);
  return {
    chain: read.text('chain'),
    pastFrom: read.bigint('pastFrom'),
    parts,
    bases: read.list('bases').map(readBase),
  };
}

/** Each part goes on where the one before it ends, and the first begins before all positions. */
function checkOrder(parts: readonly Part[], fault: (what: string) => GatewayError): void {
  for (const [index, part] of parts.entries()) {
    const { from, to, after, upTo } = part;
    const before = parts[index - 1];
    if (from > to || after >= upTo) throw fault(`${nameOf(part)} ends before it begins`);
    if (before !== undefined && from > before.to + 1n)
      throw fault(`it lacks the blocks ${before.to + 1n} to ${from - 1n}`);
    const end = before?.upTo ?? -1n;
    if (after !== end || (before !== undefined && from !== before.to + 1n))
      throw fault(
        `${nameOf(part)} begins behind position ${after}, and ${before === undefined ? 'it is the first' : `${nameOf(before)} ends at ${end}`}`,
      );
  }
}

/** How a person calls a part. */
export function nameOf({ from, to }: Pick<Part, 'from' | 'to'>): string {
  return `the part of blocks ${from} to ${to}`;
}

function readPart(part: MemberReader): Part {
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

function readBase(base: MemberReader): Base {
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

function readFile(file: MemberReader): PartFile {
  return {
    table: file.text('table', TABLE),
    name: file.text('name', NAME),
    sha256: file.text('sha256', DIGEST),
    bytes: file.count('bytes'),
    rows: file.count('rows'),
  };
}

/** The names of all files that a manifest names. */
export function filesOf({ parts, bases }: Pick<Manifest, 'parts' | 'bases'>): ReadonlySet<string> {
  return new Set([...parts, ...bases].flatMap(({ files }) => files.map(({ name }) => name)));
}
