export type { Operation } from './document.ts';
export { type Environment, type Socket, system } from './environment.ts';
export { type ErrorDetail, RefusedError, type SentError } from './errors.ts';
export {
  amount,
  compareDecimals,
  type Decimal,
  decimal,
  isoTime,
  shift,
  type Time,
  time,
  toDateLosingNanoseconds,
} from './exact.ts';
export { type Following, type FollowOptions, follow, followOver, type MakeTransport } from './follow.ts';
export type { Block, FollowedBlock } from './messages.ts';
export { type OperationsOptions, operationsOf } from './operations.ts';
export { type Connection, pages, type QueryBounds, type QueryOptions, query } from './query.ts';
export { keep, type LiveRows, type OneKind, type RowsOptions, rows, type Snapshot } from './rows.ts';
export type { State } from './states.ts';
export type { Change, Kept, OpenStorage, Storage, Stored } from './storage/storage.ts';
export type { Fields, Subscription } from './subscription.ts';
export * from './subscriptions.generated.ts';
export { jsonLines } from './transports/json-lines.ts';
export { serverSentEvents } from './transports/server-sent-events.ts';
export type { Receiver, Request, Result, Transport } from './transports/transport.ts';
export { webSocket } from './transports/web-socket.ts';
export { type FormatOptions, format, parse, type Unit } from './units.ts';
export type { Verification } from './verify.ts';
