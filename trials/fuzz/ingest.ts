import { Readable } from 'node:stream';
import fc from 'fast-check';
import { readBlocks } from '../../src/ingest/blocks.ts';
import { IngestError } from '../../src/ingest/events.ts';
import { openNdjson } from '../../src/ingest/ndjson.ts';
import { openRecording } from '../../src/ingest/recorded-file.ts';
import { readHead } from '../../src/ingest/socket/envelope.ts';
import { frameMessage, GREETING, PairError, PairReader } from '../../src/ingest/socket/pair-protocol.ts';
import { BLOCK, DEPOSIT, NETWORK } from '../../test/ingest/ndjson-lines.ts';
import {
  accountOf,
  beginBlock,
  encodeBlocks,
  encodeEvent,
  endBlock,
  recordingOf,
} from '../../test/support/events.ts';
import type { Finding, Kind } from './campaign.ts';
import { cutAt } from './raw-connection.ts';
import { type Edit, editBytes, editsOf, type Known, textsOf } from './texts.ts';

interface WireInput {
  readonly bytes: Uint8Array;
  readonly edits: readonly Edit[];
  readonly cuts: readonly number[];
}

const show = ({ bytes, edits }: WireInput) => JSON.stringify(editBytes(bytes, edits).toString('latin1'));

/** Errors of the language: what a reader that foresaw the input would not throw. (A RangeError is protobuf's for a cut message.) */
const ACCIDENTS = [TypeError, ReferenceError, URIError, EvalError];

/** Recorded files and what a core node sends: whole blocks, with bytes changed, put in and cut out. */
export function protobufKind(): Kind<WireInput> {
  const events = [
    beginBlock(1),
    accountOf('ann', '5'),
    accountOf('b', '-0x'),
    endBlock(1),
    beginBlock(2, ''),
    endBlock(2),
  ];
  const payloads = [...encodeBlocks(6), ...events.map((event) => encodeEvent(event))];
  const bytes = fc
    .record({
      some: fc.array(fc.constantFrom(...payloads), { maxLength: 8 }),
      form: fc.constantFrom('plain', 'sequenced', 'pair'),
    })
    .map(({ some, form }) => {
      const whole = [encodeEvent(beginBlock(1)), ...some];
      if (form === 'pair') return Buffer.concat([GREETING, ...whole.map(frameMessage)]);
      return recordingOf(whole, form === 'sequenced');
    });
  const pieces = [
    '\0',
    '\x01',
    '\x7f',
    '\x80',
    '\xff',
    '\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01',
    '\0\0\0\0\0',
    '\x0a\x00',
    '\xfa\x06',
    'é',
  ];
  return {
    name: 'protobuf',
    share: 16,
    lanes: 1,
    inputs: inputs(bytes, pieces),
    show,
    async send({ bytes, edits, cuts }) {
      const chunks = cutAt(editBytes(bytes, edits), cuts);
      const file = {
        name: 'a file',
        packed: false,
        chunks: () => Readable.from(chunks),
        progress: () => ({ done: 0, total: null, unit: 'bytes' as const }),
      };
      const { came, fault } = await findingOf(async () => readAll(await openRecording(file)));
      return { came, fault: fault ?? readPair(chunks) };
    },
  };
}

/** What came of a peer's bytes, as far as the spool: messages, and the head of each. */
function readPair(chunks: readonly Uint8Array[]): string | null {
  const reader = new PairReader();
  for (const chunk of chunks) {
    try {
      for (const message of reader.read(chunk)) {
        try {
          readHead(message);
        } catch (error) {
          const fault = accidentIn(error);
          if (fault !== null) return fault;
        }
      }
    } catch (error) {
      return error instanceof PairError ? null : `a peer's bytes: ${error}`;
    }
  }
  return null;
}

/** Lines of JSON, with their fields and bytes bent. */
export function ndjsonKind(known: Known): Kind<WireInput> {
  const value = fc.oneof(textsOf(known), fc.jsonValue({ maxDepth: 2 }));
  const bent = fc
    .tuple(fc.constantFrom(...Object.keys(DEPOSIT), 'no'), value)
    .map(([name, one]) => ({ type: 'deposit', data: { ...DEPOSIT, [name]: one } }));
  const account = fc.tuple(value, value).map(([owner, balance]) => ({
    type: 'account',
    data: { owner, balance, asset: 'usd', type: 'ACCOUNT_TYPE_GENERAL' },
  }));
  const any = fc.record({
    type: fc.constantFrom('block', 'market', 'reward', 'vote', 'network', 'x'),
    data: fc.jsonValue({ maxDepth: 2 }),
  });
  const lines = fc.array(fc.oneof(fc.constant({ type: 'deposit', data: DEPOSIT }), bent, account, any), {
    maxLength: 5,
  });
  const bytes = lines.map((all) =>
    Buffer.from([NETWORK, BLOCK, ...all].map((line) => JSON.stringify(line)).join('\n')),
  );
  const pieces = [
    '\n',
    '\r\n',
    '"',
    '{',
    '}',
    '[',
    ',',
    ':',
    '\\',
    '\\u0000',
    '\0',
    '\xff',
    '\xef\xbb\xbf',
    '1e999',
    '"__proto__":1,',
    '\x1f\x8b',
  ];
  return {
    name: 'ndjson',
    share: 18,
    lanes: 1,
    inputs: inputs(bytes, pieces),
    show,
    send: ({ bytes, edits, cuts }) =>
      findingOf(async () =>
        readAll(await openNdjson('-', Readable.from(cutAt(editBytes(bytes, edits), cuts)))),
      ),
  };
}

function inputs(bytes: fc.Arbitrary<Uint8Array>, pieces: readonly string[]): fc.Arbitrary<WireInput> {
  return fc.record({
    bytes,
    edits: editsOf(pieces, 4, 1),
    cuts: fc.array(fc.nat({ max: 2000 }), { maxLength: 4 }),
  });
}

async function readAll(source: Awaited<ReturnType<typeof openNdjson>>): Promise<void> {
  for await (const _ of readBlocks(source, new AbortController().signal));
}

async function findingOf(read: () => Promise<void>): Promise<Finding> {
  try {
    await read();
    return { came: ['read'], fault: null };
  } catch (error) {
    return { came: ['refused'], fault: findRefusalFault(error) };
  }
}

/** A source that cannot be read says so in words for a person, which name a place. */
function findRefusalFault(error: unknown): string | null {
  if (!(error instanceof IngestError)) return `it throws ${error instanceof Error ? error.stack : error}`;
  if (!/(byte|line) \d+|is empty/.test(error.message)) return `it names no place: ${error.message}`;
  return accidentIn(error.cause);
}

function accidentIn(error: unknown): string | null {
  const isAccident = ACCIDENTS.some((kind) => error instanceof kind);
  // What TextDecoder says of bytes that are not UTF-8.
  const isForeseen =
    (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  return isAccident && !isForeseen && error instanceof Error ? `by accident: ${error.stack}` : null;
}
