import { type ExecutionResult, type GraphQLError, locatedError } from 'graphql';
import { isUnavailable } from '../../data/servers/unavailable.ts';
import { GatewayError, Rejection } from '../../errors.ts';
import type { GatewayContext } from '../../graphql/context.ts';
import { type NodeId, nameGroup } from '../../graphql/node-ids.ts';
import { refuseNodeId } from '../../graphql/nodes.ts';
import { pastOfNode } from '../../graphql/pasts.ts';
import type { JsonText } from '../../http/write/json.ts';
import type { Given, GivenNodes } from './arguments.ts';
import type { ResolvedField, RootField, RowRead } from './plan.ts';
import { FieldFailed, type FieldResolver } from './resolve.ts';
import { TextWriter } from './writer.ts';

/** A field of the query as text, and what is wrong in it. */
export interface RootAnswer {
  readonly text: JsonText;
  /** How many rows its page has, where it is a list of which a page was read. */
  readonly rows?: number | null | undefined;
  readonly errors?: readonly GraphQLError[];
  /** Whether nothing of the answer is left, since the field failed and cannot be null. */
  readonly leavesNothing?: boolean;
}

/** What a plan is run with. */
export interface Run {
  readonly context: GatewayContext;
  readonly given: Given;
  readonly resolver: FieldResolver;
}

/** Reads a field of the query and writes it. Never rejects. */
export async function answerField(field: RootField, run: Run): Promise<RootAnswer> {
  try {
    return await write(field, run);
  } catch (error) {
    return fail(field, run, error);
  }
}

async function write(field: RootField, { context, given, resolver }: Run): Promise<RootAnswer> {
  switch (field.kind) {
    case 'constant':
      return { text: [field.text] };
    case 'resolved':
      return answerOf(field.resolved, await resolver.resolve(field.resolved));
    case 'computed': {
      const { definition, asked } = field;
      // Such a resolver looks neither at what is above it nor at what is selected.
      const value = await definition.resolve?.({}, given[asked] as never, context, NO_INFO);
      return { text: [field.write(Array.isArray(value) ? await Promise.all(value) : value)] };
    }
    case 'list':
      return new TextWriter(context, given, resolver).writeList(field.list);
    case 'row': {
      const key = String((given[field.asked] as Readonly<Record<string, unknown>>)[field.argument]);
      const texts = await new TextWriter(context, given, resolver).writeRowsByKey(field.row, [key]);
      return { text: [texts.get(key) ?? 'null'] };
    }
    case 'nodes':
      return writeNodes(field, given[field.asked] as GivenNodes, { context, given, resolver });
    case 'asOf':
      return writePasts(field, { context, given, resolver });
  }
}

const NO_INFO = undefined as never;

function answerOf(field: ResolvedField, { data, errors }: ExecutionResult): RootAnswer {
  const value = data?.[field.name] ?? null;
  const text = [JSON.stringify(value)];
  return errors === undefined ? { text, rows: rowsIn(value) } : { text, errors, leavesNothing: data == null };
}

/** How many rows a page has; undefined for what is no page, or whose edges are not asked for. */
function rowsIn(value: unknown): number | undefined {
  const { edges } = Object(value) as { readonly edges?: unknown };
  return Array.isArray(edges) ? edges.length : undefined;
}

/**
 * Where a field below failed, arguments of one were refused when its block was known, or the block of one of several nodes is not
 * kept, graphql-js says how much of the answer it leaves; not where that would wait in vain once more.
 */
async function fail(field: RootField, { resolver }: Run, error: unknown): Promise<RootAnswer> {
  const { name, nodes, isNullable, resolved } = field;
  if (error instanceof GatewayError && OF_A_PART.includes(error.code))
    return answerOf(resolved, await resolver.resolve(resolved));
  if (error instanceof FieldFailed) {
    const lost = lossIn(error.errors);
    if (lost === undefined) return answerOf(resolved, await resolver.resolveAgain(resolved));
    return fail(field, { resolver } as Run, lost);
  }
  return { text: ['null'], errors: [locatedError(error, nodes, [name])], leavesNothing: !isNullable };
}

/** What says that there is no database, or no room for what is asked of it: to ask again would wait for that again. */
function lossIn(errors: readonly GraphQLError[]): Error | undefined {
  const causes = errors.map(({ originalError }) => originalError);
  return causes.find((cause) => cause instanceof Rejection || isUnavailable(cause));
}

/** What may be wrong of a part of a field alone. */
const OF_A_PART: readonly string[] = ['INVALID_ARGUMENT', 'OUT_OF_RANGE'];

async function writeNodes(
  { name, nodes: places, isList, rowOf }: Extract<RootField, { readonly kind: 'nodes' }>,
  { nodeIds, nodes }: GivenNodes,
  run: Run,
): Promise<RootAnswer> {
  const nameOf = (index: number) => (isList ? `nodeIds[${index}]` : 'nodeId');
  const textOf = await writeGroups(run, groupByType(nodes, rowOf), nameOf);
  const texts = nodes.map((node) => (node === null ? 'null' : textOf(node)));
  if (!isList) return { text: texts };
  const refused = nodes.flatMap((node, index) => (node === null ? [index] : []));
  return {
    text: [`[${texts.join(',')}]`],
    errors: refused.map((index) => locatedError(refuseNodeId(nodeIds, index), places, [name, index])),
  };
}

/** Answers the queries as of each block that is asked about, side by side. */
async function writePasts(
  field: Extract<RootField, { readonly kind: 'asOf' }>,
  { context, given, resolver }: Run,
): Promise<RootAnswer> {
  const blocks = field.readAll(given[field.asked] as never);
  const pasts = await context.asOf(blocks);
  const written = await Promise.all(
    pasts.map((past) => {
      const run = { context: past, given, resolver: resolver.in(past) };
      return Promise.all(field.fields.map((one) => answerField(one, run)));
    }),
  );
  const wrong = written.flatMap((answers) => answers.flatMap(({ errors = [] }) => errors));
  const lost = lossIn(wrong);
  if (lost !== undefined) throw lost;
  // How much is left of the answer where a field failed, graphql-js says.
  if (wrong.length > 0) return answerOf(field.resolved, await resolver.resolveAgain(field.resolved));
  const texts = written.flatMap((answers, index) => [
    index === 0 ? '{' : ',{',
    ...field.fields.flatMap(({ before }, place) => [before, ...(answers[place]?.text ?? [])]),
    '}',
  ]);
  return { text: field.isList ? ['[', ...texts, ']'] : texts };
}

/** The nodes of one type as of one block, which are read at once. */
interface Group {
  readonly name: string;
  readonly asOf: bigint | undefined;
  /** The place of the first of them among all that are asked for. */
  readonly first: number;
  readonly row: RowRead;
  readonly keys: ReadonlySet<string>;
}

function groupByType(
  nodes: readonly (NodeId | null)[],
  rowOf: (typename: string) => RowRead,
): readonly Group[] {
  const groups = new Map<string, Group & { readonly keys: Set<string> }>();
  for (const [first, node] of nodes.entries()) {
    if (node === null) continue;
    const [name, row] = [nameGroup(node), rowOf(node.typename)];
    const group = groups.get(name) ?? { name, asOf: node.asOf, first, row, keys: new Set<string>() };
    group.keys.add(keyOf(node, row));
    groups.set(name, group);
  }
  return [...groups.values()];
}

async function writeGroups(
  { context, given, resolver }: Run,
  groups: readonly Group[],
  nameOf: (index: number) => string,
): Promise<(node: NodeId) => string> {
  // All of them first: where one is not kept, nothing has been read that all are read for again.
  const placed = await Promise.all(
    groups.map(async (group) => ({
      ...group,
      past: await pastOfNode(context, nameOf(group.first), group.asOf),
    })),
  );
  const written = await Promise.all(
    placed.map(async ({ name, past, row, keys }) => {
      const writer = new TextWriter(past, given, resolver.in(past));
      return [name, { row, texts: await writer.writeRowsByKey(row, [...keys]) }] as const;
    }),
  );
  const byName = new Map(written);
  return (node) => {
    const group = byName.get(nameGroup(node));
    return group?.texts.get(keyOf(node, group.row)) ?? 'null';
  };
}

/** Positions can be given with zeros before them. */
function keyOf({ id }: NodeId, { key }: RowRead): string {
  return key === 'createdPosition' ? `${BigInt(id)}` : id;
}
