import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type NameNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { Engine } from '../engine/engine.ts';
import type { Page, PagedList } from '../engine/page-walk.ts';
import type { Operation, QueryOutcome } from '../engine/question.ts';
import { jsonOfData } from '../engine/run/json-result.ts';
import { valueAt } from '../http/write/csv.ts';
import type { PagedField } from './table-columns.ts';

type Values = Readonly<Record<string, unknown>>;

/** So many rows at a time, or as many as the operation may cost with. */
const SIZES = [1000, 100, 10, 1];

/** A query whose list is read to its end, page by page, whatever else it selects. Its pages are whole answers. */
export class WholeList implements PagedList<Values> {
  readonly most = null;
  readonly #operation: Operation;
  readonly #field: PagedField;
  readonly #engine: Engine;

  constructor(operation: Operation, field: PagedField, engine: Engine) {
    this.#operation = operation;
    this.#field = field;
    this.#engine = engine;
  }

  ask(after: string | undefined, most: number, asOf: Operation['asOf']): Operation {
    const { variables, protocol, operationName: name } = this.#operation;
    const given = { ...variables, [AFTER]: after ?? null };
    const sizes = SIZES.filter((size) => size <= most);
    for (const [index, size] of sizes.entries()) {
      try {
        return this.#engine.price(pageOf(this.#operation, this.#field, size), given, protocol, {
          name,
          asOf,
        });
      } catch (error) {
        if (index === sizes.length - 1) throw error;
      }
    }
    throw new TypeError(`there is no page of ${most} rows`);
  }

  read(outcome: QueryOutcome): Page<Values> {
    const data: Values = JSON.parse(jsonOfData(outcome));
    return { rows: [data], next: this.#nextOf(valueAt(data, this.#field.path)) };
  }

  #nextOf(found: unknown): string | null {
    const page = (Array.isArray(found) ? found.at(-1) : found) as Values | null | undefined;
    const info = (this.#field.kind === 'groups' ? page : page?.[PAGE_INFO]) as Values | null | undefined;
    return info?.[HAS_NEXT] === true ? String(info[CURSOR]) : null;
  }
}

/** Names that no document can have, so that they are none of the client's. */
const [AFTER, CURSOR, HAS_NEXT, PAGE_INFO] = ['@after', '@cursor', '@hasNextPage', '@pageInfo'] as const;

/** How each kind of list says how its walk goes on. */
const ENDS: Readonly<Record<PagedField['kind'], readonly FieldNode[]>> = {
  groups: [fieldNode('cursor', CURSOR), fieldNode('hasNextPage', HAS_NEXT)],
  connection: [
    fieldNode('pageInfo', PAGE_INFO, [fieldNode('endCursor', CURSOR), fieldNode('hasNextPage', HAS_NEXT)]),
  ],
};

/** An operation that asks for a page of its list, of so many rows; made once for each size while its document is kept. */
function pageOf({ document, node }: Operation, field: PagedField, size: number): DocumentNode {
  const known = made.get(node) ?? new Map<string, DocumentNode>();
  made.set(node, known);
  const key = `${size} ${field.path.join('.')}`;
  const page = known.get(key) ?? new PageDocument(document, field, size).of(node);
  known.set(key, page);
  return page;
}

const made = new WeakMap<Operation['node'], Map<string, DocumentNode>>();

/** Rewrites the selections on the way to a list. A fragment on that way has a copy for each place of the way that it is at. */
class PageDocument {
  readonly #field: PagedField;
  readonly #arguments: readonly ArgumentNode[];
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #copies = new Map<string, FragmentDefinitionNode>();

  constructor({ definitions }: DocumentNode, field: PagedField, size: number) {
    this.#field = field;
    this.#arguments = [
      argumentNode('first', { kind: Kind.INT, value: `${size}` }),
      argumentNode('after', { kind: Kind.VARIABLE, name: nameNode(AFTER) }),
    ];
    for (const one of definitions)
      if (one.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(one.name.value, one);
  }

  of(node: Operation['node']): DocumentNode {
    const selectionSet = this.#selections(node.selectionSet, 0);
    const variableDefinitions = [...(node.variableDefinitions ?? []), ...AFTER_DEFINITION];
    return {
      kind: Kind.DOCUMENT,
      definitions: [
        { ...node, variableDefinitions, selectionSet },
        ...this.#fragments.values(),
        ...this.#copies.values(),
      ],
    };
  }

  #selections(of: SelectionSetNode, place: number): SelectionSetNode {
    return { ...of, selections: of.selections.map((one) => this.#selection(one, place)) };
  }

  #selection(one: SelectionNode, place: number): SelectionNode {
    if (one.kind === Kind.INLINE_FRAGMENT)
      return { ...one, selectionSet: this.#selections(one.selectionSet, place) };
    if (one.kind === Kind.FRAGMENT_SPREAD)
      return { ...one, name: nameNode(this.#copy(one.name.value, place)) };
    const { path } = this.#field;
    const { alias, name, selectionSet } = one;
    if ((alias ?? name).value !== path[place] || selectionSet === undefined) return one;
    if (place < path.length - 1) return { ...one, selectionSet: this.#selections(selectionSet, place + 1) };
    const own = one.arguments?.filter((argument) => !this.#sets(argument)) ?? [];
    return {
      ...one,
      arguments: [...own, ...this.#arguments],
      selectionSet: {
        ...selectionSet,
        selections: [...selectionSet.selections, ...ENDS[this.#field.kind]],
      },
    };
  }

  #sets({ name: { value } }: ArgumentNode): boolean {
    return this.#arguments.some(({ name }) => name.value === value);
  }

  #copy(name: string, place: number): string {
    const copied = `${name}@${place}`;
    const fragment = this.#fragments.get(name);
    if (fragment === undefined || this.#copies.has(copied)) return copied;
    const selectionSet = this.#selections(fragment.selectionSet, place);
    this.#copies.set(copied, { ...fragment, name: nameNode(copied), selectionSet });
    return copied;
  }
}

const AFTER_DEFINITION: readonly VariableDefinitionNode[] = [
  {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: nameNode(AFTER) },
    type: { kind: Kind.NAMED_TYPE, name: nameNode('String') },
  },
];

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

function argumentNode(name: string, value: ArgumentNode['value']): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: nameNode(name), value };
}

function fieldNode(name: string, alias: string, selections?: readonly FieldNode[]): FieldNode {
  return {
    ...{ kind: Kind.FIELD, name: nameNode(name), alias: nameNode(alias) },
    ...(selections !== undefined && { selectionSet: { kind: Kind.SELECTION_SET, selections } }),
  };
}
