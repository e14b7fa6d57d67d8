import type { GatewayContext } from '../../graphql/context.ts';
import { invalidNodeId, type NodeId, readNodeId } from '../../graphql/node-ids.ts';
import { checkNodeIds, refuseNodeId } from '../../graphql/nodes.ts';
import type { JsonText } from '../../http/write/json-text.ts';
import { readArguments, readListArguments, readRowArguments, type Variables } from './arguments.ts';
import type { RootField, RowRead } from './plan.ts';
import { TextWriter } from './writer.ts';

/** A field of the query as text. */
export interface RootText {
  readonly text: JsonText;
  /** How many rows its page has, where it is a list of which a page was read. */
  readonly rows?: number | null;
  /** What is wrong with some elements of it, by their places. */
  readonly errors?: ReadonlyMap<number, Error>;
}

export type Ask = (context: GatewayContext) => Promise<RootText>;

/**
 * Settles what a field of the query asks for. Reads nothing yet: an argument that is refused is thrown, as graphql-js
 * would throw it. Null for a field that is not read as text.
 */
export function bind(field: RootField, variables: Variables): Ask | null {
  const given: Parameters<typeof readListArguments>[2] = new Map();
  switch (field.kind) {
    case 'constant':
      return async () => ({ text: [field.text] });
    case 'resolved':
      return null;
    case 'computed': {
      const { definition, write } = field;
      const args = readArguments(definition, field.nodes, variables);
      // Such a resolver looks neither at what is above it nor at what is selected.
      return async (context) => ({
        text: [write(await definition.resolve?.({}, args, context, NO_INFO))],
      });
    }
    case 'list': {
      readListArguments(field.list, variables, given);
      return (context) => new TextWriter(context, given).writeList(field.list);
    }
    case 'row': {
      const key = String(readArguments(field.definition, field.nodes, variables)[field.argument]);
      readRowArguments(field.row, variables, given);
      return async (context) => {
        const texts = await new TextWriter(context, given).writeRowsByKey(field.row, [key]);
        return { text: [texts.get(key) ?? 'null'] };
      };
    }
    case 'node': {
      const { nodeId } = readArguments(field.definition, field.nodes, variables) as { nodeId: string };
      const node = readNodeId(nodeId);
      if (node === null) throw invalidNodeId('nodeId', nodeId);
      const groups = groupByType([node], field.rowOf);
      for (const { row } of groups) readRowArguments(row, variables, given);
      return async (context) => {
        const textOf = await writeGroups(new TextWriter(context, given), groups);
        return { text: [textOf(node)] };
      };
    }
    case 'nodes': {
      const { nodeIds } = readArguments(field.definition, field.nodes, variables) as { nodeIds: string[] };
      checkNodeIds(nodeIds);
      const read = nodeIds.map(readNodeId);
      const groups = groupByType(read, field.rowOf);
      for (const { row } of groups) readRowArguments(row, variables, given);
      return async (context) => {
        const textOf = await writeGroups(new TextWriter(context, given), groups);
        const refused = read.flatMap((node, index) => (node === null ? [index] : []));
        return {
          text: [`[${read.map((node) => (node === null ? 'null' : textOf(node))).join(',')}]`],
          errors: new Map(refused.map((index) => [index, refuseNodeId(nodeIds, index)])),
        };
      };
    }
  }
}

const NO_INFO = undefined as never;

/** The nodes of one type, which are read at once. */
interface Group {
  readonly typename: string;
  readonly row: RowRead;
  readonly keys: ReadonlySet<string>;
}

function groupByType(
  nodes: readonly (NodeId | null)[],
  rowOf: (typename: string) => RowRead,
): readonly Group[] {
  const keysOf = new Map<string, Set<string>>();
  for (const node of nodes) {
    if (node === null) continue;
    const keys = keysOf.get(node.typename) ?? new Set();
    keysOf.set(node.typename, keys.add(keyOf(node, rowOf(node.typename))));
  }
  return [...keysOf].map(([typename, keys]) => ({ typename, row: rowOf(typename), keys }));
}

async function writeGroups(writer: TextWriter, groups: readonly Group[]): Promise<(node: NodeId) => string> {
  const written = await Promise.all(
    groups.map(async ({ typename, row, keys }) => {
      return [typename, { row, texts: await writer.writeRowsByKey(row, [...keys]) }] as const;
    }),
  );
  const byType = new Map(written);
  return (node) => {
    const group = byType.get(node.typename);
    return group?.texts.get(keyOf(node, group.row)) ?? 'null';
  };
}

/** Positions can be given with zeros before them. */
function keyOf({ id }: NodeId, { key }: RowRead): string {
  return key === 'createdPosition' ? `${BigInt(id)}` : id;
}
