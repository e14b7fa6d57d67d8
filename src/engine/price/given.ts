import type { ExecutionArgs, OperationDefinitionNode } from 'graphql';
import { isObject } from '../../domain/objects.ts';
import { type Lists, listsIn, listsOfLiteral, NO_LISTS } from './lists.ts';

/** What a price looks at of an operation's variables. */
export interface Given {
  /** A value, as a size; undefined where none is given. */
  readonly size: (name: string) => unknown;
  /** The lists of a value, or of its default. */
  readonly lists: (name: string) => Lists;
}

type Variables = ExecutionArgs['variableValues'];

export function createGiven(operation: OperationDefinitionNode, variables: Variables): Given {
  // Lists can be long, and are looked at for each field that has them.
  const known = new Map<string, Lists>();
  return {
    size: (name) => sizeIn(variables, name),
    lists: (name) => {
      const lists = known.get(name) ?? readLists(operation, variables, name);
      known.set(name, lists);
      return lists;
    },
  };
}

/** As execution takes it: `$constructor` that is not given is not what every object has. */
function valueIn(variables: Variables, name: string): unknown {
  return variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** What is in lists and objects may be no text. */
function sizeIn(variables: Variables, name: string): unknown {
  const value = valueIn(variables, name);
  if (Array.isArray(value)) return new Array(value.length);
  return isObject(value) ? Number.NaN : value;
}

function readLists(
  { variableDefinitions }: OperationDefinitionNode,
  variables: Variables,
  name: string,
): Lists {
  const value = valueIn(variables, name);
  if (value !== undefined) return listsIn(value);
  const definition = variableDefinitions?.find(({ variable }) => variable.name.value === name);
  return definition?.defaultValue ? listsOfLiteral(definition.defaultValue, () => NO_LISTS) : NO_LISTS;
}

const LONGEST_SIZE = 64;

/** What a price has looked at, by which it is known again. */
export class Seen implements Given {
  readonly #given: Given;
  readonly #sizes = new Map<string, unknown>();
  readonly #lists = new Map<string, Lists>();

  constructor(given: Given) {
    this.#given = given;
  }

  readonly size = (name: string): unknown => {
    const size = this.#given.size(name);
    this.#sizes.set(name, size);
    return size;
  };

  readonly lists = (name: string): Lists => {
    const lists = this.#given.lists(name);
    this.#lists.set(name, lists);
    return lists;
  };

  /** Nobody counts what is remembered, and a list or an object that is a size is another at each request. */
  get isSmall(): boolean {
    return [...this.#sizes.values()].every((size) =>
      typeof size === 'string' ? size.length <= LONGEST_SIZE : typeof size !== 'object' || size === null,
    );
  }

  /** What was looked at, without what it was looked up in. */
  kept(): SeenBefore {
    return { sizes: [...this.#sizes], lists: [...this.#lists] };
  }
}

export interface SeenBefore {
  readonly sizes: readonly (readonly [variable: string, size: unknown])[];
  readonly lists: readonly (readonly [variable: string, lists: Lists])[];
}

export function isSame({ sizes, lists }: SeenBefore, given: Given): boolean {
  for (const [name, size] of sizes) if (!Object.is(given.size(name), size)) return false;
  for (const [name, { values, ways }] of lists) {
    const now = given.lists(name);
    if (now.values !== values || now.ways !== ways) return false;
  }
  return true;
}
