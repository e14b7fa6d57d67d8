import type { Cell } from '../model/cell.ts';
import type { Load, Taken } from './site.ts';

/** What each kind of work costs alone, in whole nanoseconds. */
export interface UnitCosts {
  readonly kept: { readonly processNs: number; readonly besidesNs: number };
  readonly row: { readonly processNs: number; readonly databaseNs: number; readonly besidesNs: number };
  readonly block: {
    readonly writeNs: number;
    readonly noticeNs: number;
    readonly makeNs: number;
    readonly readNs: number;
    readonly messageNs: number;
  };
}

/** What was measured alone: kept answers, rows, and blocks with few and with many followers. */
export interface Alone {
  readonly kept: Taken;
  readonly rows: Taken;
  readonly few: Taken;
  readonly many: Taken;
}

/** Takes the costs of one of each from what was measured alone; those of a block and of a message by the two numbers of followers. */
export function unitCostsOf(
  { kept, rows, few, many }: Alone,
  followers: { few: number; many: number },
): UnitCosts {
  const keptNs = Math.round(kept.gatewayNs / kept.keptCount);
  const rowNs = Math.round(rows.gatewayNs / rows.rowCount);
  const rowDatabaseNs = Math.round(rows.databaseNs / rows.rowCount);
  const perBlock = ({ gatewayNs, blockCount }: Taken) => gatewayNs / blockCount;
  const messageNs = Math.max(
    1,
    Math.round((perBlock(many) - perBlock(few)) / (followers.many - followers.few)),
  );
  const makeNs = Math.max(0, Math.round(perBlock(few) - followers.few * messageNs));
  const readNs = Math.round((few.databaseNs + many.databaseNs) / (few.blockCount + many.blockCount));
  const besides = (whole: number, service: number) => Math.max(0, Math.round(whole - service));
  return {
    kept: { processNs: keptNs, besidesNs: besides(kept.kept.p50, keptNs) },
    row: {
      processNs: rowNs,
      databaseNs: rowDatabaseNs,
      besidesNs: besides(rows.rows.p50, rowNs + rowDatabaseNs),
    },
    block: {
      writeNs: Math.round((few.writerNs + many.writerNs) / (few.blockCount + many.blockCount)),
      noticeNs: besides(few.first.p50, makeNs + readNs + messageNs),
      ...{ makeNs, readNs, messageNs },
    },
  };
}

/** The same site as the model has it: one process, and the processors of this machine for the database. */
export function cellOf(load: Load, { kept, row, block }: UnitCosts, cores: number): Cell {
  return {
    ...{ seed: 'check', seconds: load.seconds, processes: 1, databaseCores: cores },
    blocks: {
      ...block,
      everyNs: Math.round(1e9 / load.blocksPerSecond),
      ...{ logNs: 0, logBesidesNs: 0, messagesPerProcess: load.followers },
    },
    asked: [
      { name: 'kept', perSecond: load.keptPerSecond, databaseNs: 0, ...kept },
      { name: 'rows', perSecond: load.rowsPerSecond, ...row },
    ],
  };
}
