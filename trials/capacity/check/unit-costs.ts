import { type Cell, simulate } from '../model/cell.ts';
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

/** The loads that were measured alone. */
export type AloneLoads = Readonly<Record<keyof Alone, Load>>;

/** As `load/open-loop.ts` looks at its clock. */
const TICK_NS = 1_000_000;

/**
 * Takes the costs of one of each from what was measured alone: of a message by the two numbers of followers. What a median has beyond
 * the model's own answer to the same load is the wire's, the kernel's, and that of who asks.
 */
export function unitCostsOf(alone: Alone, loads: AloneLoads, cores: number): UnitCosts {
  const service = serviceOf(alone, loads);
  const modelOf = (name: keyof Alone) => simulate(cellOf(loads[name], service, cores));
  const besides = (measured: number, model: number | null | undefined) =>
    Math.max(0, Math.round(measured - (model ?? 0)));
  const { kept, row, block } = service;
  return {
    kept: {
      ...kept,
      besidesNs: besides(alone.kept.kept.p50, modelOf('kept').answered.get('kept')?.permille(500)),
    },
    row: {
      ...row,
      besidesNs: besides(alone.rows.rows.p50, modelOf('rows').answered.get('rows')?.permille(500)),
    },
    block: { ...block, noticeNs: besides(alone.few.first.p50, modelOf('few').firstFromCommit.permille(500)) },
  };
}

/** The processor time of each alone. */
function serviceOf({ kept, rows, few, many }: Alone, loads: AloneLoads): UnitCosts {
  const perBlock = ({ gatewayNs, blockCount }: Taken) => gatewayNs / blockCount;
  const apart = loads.many.followers - loads.few.followers;
  const messageNs = Math.max(1, Math.round((perBlock(many) - perBlock(few)) / apart));
  const blocks = few.blockCount + many.blockCount;
  return {
    kept: { processNs: Math.round(kept.gatewayNs / kept.keptCount), besidesNs: 0 },
    row: {
      processNs: Math.round(rows.gatewayNs / rows.rowCount),
      databaseNs: Math.round(rows.databaseNs / rows.rowCount),
      besidesNs: 0,
    },
    block: {
      writeNs: Math.round((few.writerNs + many.writerNs) / blocks),
      noticeNs: 0,
      makeNs: Math.max(0, Math.round(perBlock(few) - loads.few.followers * messageNs)),
      readNs: Math.round((few.databaseNs + many.databaseNs) / blocks),
      messageNs,
    },
  };
}

/** The same site as the model has it: one process, and the processors of this machine for the database. */
export function cellOf(load: Load, { kept, row, block }: UnitCosts, cores: number): Cell {
  const asked = [
    { name: 'kept', perSecond: load.keptPerSecond, databaseNs: 0, tickNs: TICK_NS, ...kept },
    { name: 'rows', perSecond: load.rowsPerSecond, tickNs: TICK_NS, ...row },
  ];
  const never = (load.seconds + 1) * 1_000_000_000;
  return {
    ...{ seed: 'check', seconds: load.seconds, processes: 1, databaseCores: cores },
    blocks: {
      ...block,
      everyNs: load.blocksPerSecond === 0 ? never : Math.round(1e9 / load.blocksPerSecond),
      ...{ logNs: 0, logBesidesNs: 0, messagesPerProcess: load.followers },
    },
    asked: asked.filter(({ perSecond }) => perSecond > 0),
  };
}
