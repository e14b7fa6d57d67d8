import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import type { Block } from '../data/generated/prisma/client.ts';
import { invalidArgument } from '../errors.ts';
import type { GatewayContext } from './context.ts';
import { readNodeId, writeNodeId } from './node-ids.ts';
import { keysBelow } from './selected.ts';

/** Has graphql-js resolve what stands below a field as of a block in that block's context. */
export function resolveInPasts(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || type === schema.getQueryType()) continue;
    for (const field of Object.values(type.getFields()))
      if (field.resolve !== defaultFieldResolver) scope(field);
  }
  return schema;
}

function scope(field: GraphQLField<unknown, GatewayContext>): void {
  const { resolve } = field;
  if (resolve === undefined) return;
  const isNodeId = field.name === 'nodeId';
  field.resolve = (parent, args, context, info) => {
    const at = contextAt(context, info);
    const value = resolve(parent, args, at, info);
    // The plugin knows the row alone, and not as of which block it is.
    return isNodeId && at?.past ? nodeIdAt(value, at.past.height) : value;
  };
}

async function nodeIdAt(nodeId: unknown, asOf: bigint): Promise<string> {
  const node = readNodeId(String(await nodeId));
  if (node === null) throw new TypeError('no global ID was written');
  return writeNodeId({ ...node, asOf });
}

function contextAt(context: GatewayContext, info: GraphQLResolveInfo): GatewayContext {
  // What is no query has none.
  if (context?.pastAt?.isEmpty !== false) return context;
  return findPast(context, info.path) ?? context;
}

type Path = GraphQLResolveInfo['path'];

/** The context of the nearest place above, or of the place itself, that has one of its own. */
function findPast(context: GatewayContext, path: Path | undefined): GatewayContext | null {
  if (path === undefined) return null;
  const known = found.get(path);
  if (known !== undefined) return known;
  const past = context.pastAt.at(writePath(path)) ?? findPast(context, path.prev);
  found.set(path, past);
  return past;
}

/** Each place of an execution has a path of its own, and gets its context before anything below it is resolved. */
const found = new WeakMap<Path, GatewayContext | null>();

/** The place of a field in the answer, or of a part of its value. */
export function placeOf({ path }: GraphQLResolveInfo, ...part: readonly (string | number)[]): string {
  return [writePath(path), ...part].join('.');
}

/** Has what stands in each edge or node of a page be as of a block of its own. */
export function placePageInPasts(
  blocks: readonly Block[],
  context: GatewayContext,
  info: GraphQLResolveInfo,
): void {
  const places = [['edges', 'node'], ['nodes']].flatMap((path) => keysBelow(info, path));
  for (const [index, past] of context.pastsOf(blocks).entries())
    for (const [list = '', ...node] of places)
      context.pastAt.begin(placeOf(info, list, index, ...node), past);
}

function writePath({ prev, key }: Path): string {
  return prev === undefined ? `${key}` : `${writePath(prev)}.${key}`;
}

/** The contexts that nodes are read in. Throws INVALID_ARGUMENT for one of another block than is asked about. */
export async function pastOfNode(
  context: GatewayContext,
  argument: string,
  asOf: bigint | undefined,
): Promise<GatewayContext> {
  if (asOf === undefined || asOf === context.past?.height) return context;
  if (context.past === null) {
    const [past] = await context.asOf([{ height: asOf }]);
    return past ?? context;
  }
  const { height } = context.past;
  throw invalidArgument(
    argument,
    `${argument} is of block ${asOf}; everything is as of block ${height} here.`,
  );
}
