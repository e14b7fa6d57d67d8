/* What commands do with parts, in one piece, which is loaded when one of them is asked for. */

export { exportParts } from './export.ts';
export { ingestBase } from './ingest-base.ts';
export { openSource } from './part-source.ts';
