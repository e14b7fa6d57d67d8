import { READERS, type Row } from './recorded-readers.ts';
import { Walked } from './wire-walker.ts';

/** The rows of each table by their key, as PostgreSQL's driver gives them: wide integers as text. */
export type Tables = Readonly<Record<string, ReadonlyMap<string, Row>>>;

/**
 * What a recording (unpacked, with sequence numbers) must leave behind, by the facts of the network's protocol alone:
 * the last event of each key, created at the position of its first.
 */
export function reduceRecording(recording: Uint8Array): Tables {
  const tables = new Map<string, Map<string, Row>>();
  let block = { height: 0n, hash: '', timestamp: '' };
  let index = -1n;
  let balances = new Map<unknown, Row>();

  const put = (table: string, key: readonly unknown[], row: Row): Row => {
    const rows = tables.get(table) ?? new Map<string, Row>();
    const first = rows.get(key.join(' '));
    const kept =
      first && 'created_position' in row ? { ...row, created_position: first['created_position'] } : row;
    tables.set(table, rows.set(key.join(' '), kept));
    return kept;
  };

  for (const event of readEvents(recording)) {
    if (event.has(BEGIN_BLOCK)) {
      const begin = event.message(BEGIN_BLOCK);
      if (begin.unsigned(1) !== block.height) index = -1n;
      block = { height: begin.unsigned(1), hash: begin.text(3), timestamp: String(begin.signed(2)) };
    }
    index += 1n;
    const position = String(block.height * 2n ** 20n + index);
    put('blocks', [block.height], { ...block, height: String(block.height), last_position: position });
    if (event.has(END_BLOCK)) {
      for (const row of balances.values()) put('balance_changes', [row['position']], row);
      balances = new Map();
    }
    const reader = READERS.find(({ field }) => event.has(field));
    if (!reader) continue;

    const { table, key } = reader;
    const row = reader.read(event.message(reader.field), block.timestamp);
    const named =
      table === 'parties' ? [row['id']] : [row['party_id'] ?? row['owner'], row['buyer'], row['seller']];
    for (const party of named)
      if (party !== undefined) put('parties', [party], { id: party, created_position: position });
    if (table === 'parties') continue;
    const kept = put(table, key.length === 0 ? [position] : key.map((column) => row[column]), {
      ...row,
      ...(table === 'risk_factors' ? {} : { created_position: position }),
      ...(['rewards', 'trades'].includes(table) ? {} : { updated_position: position }),
    });
    if (table === 'accounts') {
      const account = kept['created_position'];
      balances.set(account, { position, account_position: account, balance: row['balance'] });
    }
  }
  return Object.fromEntries(tables);
}

const BEGIN_BLOCK = 148;
const END_BLOCK = 149;
const LENGTH_AND_SEQUENCE = 12;

/** Cuts a recording into its events, each after its length and its sequence number. */
export function* readEvents(recording: Uint8Array): Generator<Walked> {
  const view = new DataView(recording.buffer, recording.byteOffset, recording.byteLength);
  for (let at = 0; at < recording.length; ) {
    const end = at + 4 + view.getUint32(at);
    yield new Walked(recording.subarray(at + LENGTH_AND_SEQUENCE, end));
    at = end;
  }
}
