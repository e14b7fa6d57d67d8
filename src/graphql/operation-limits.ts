import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  getNamedType,
  getOperationAST,
  isCompositeType,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../domain/page-sizes.ts';
import { GatewayError } from '../errors.ts';

/** How long a document may be. The longest that GraphiQL itself sends has about 300 tokens. */
const MAX_TOKENS = 1000;
/** How many objects an operation may ask for, were every page full. The largest page of a list has 5000. */
const MAX_OBJECTS = 200_000;
/** A count reads all rows of its list; so many objects it counts as. */
const COUNT_COST = 100;

/**
 * Bounds what one operation can cost, before anything is read: the length of its document (and with it its depth and
 * its aliases), and the objects it can ask for, pages below pages multiplied.
 */
export function useOperationLimits(): Plugin {
  return {
    onParse({ parseFn, setParseFn }) {
      setParseFn((source, options) => parseFn(source, { ...options, maxTokens: MAX_TOKENS }));
    },
    onExecute({ args, setResultAndStopExecution }) {
      const refusal = refuseExcess(args);
      if (refusal !== null) setResultAndStopExecution({ errors: [refusal] });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const refusal = refuseExcess(args);
      if (refusal !== null) setResultAndStopExecution({ errors: [refusal] });
    },
  };
}

/** What is wrong with an operation that could ask for too much; null for others. */
function refuseExcess(args: ExecutionArgs): GatewayError | null {
  const objects = countObjects(args);
  if (objects <= MAX_OBJECTS) return null;
  return new GatewayError(
    'INVALID_ARGUMENT',
    `The operation can ask for ${Number.isSafeInteger(objects) ? objects : 'countless'} objects, as pages below pages multiply; the most is ${MAX_OBJECTS}. Give the lists in it a smaller first or last.`,
  );
}

function countObjects({ schema, document, operationName, variableValues }: ExecutionArgs): number {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return 0;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const defaults = new Map(
    operation.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
  );
  const counted = new Map<string, number>();

  /** The objects below one object of a type; `rows` is how many a page has, within its connection. */
  function ofSelections(type: GraphQLCompositeType, { selections }: SelectionSetNode, rows: number): number {
    let sum = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) sum += ofField(type, selection, rows);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) sum += ofFragment(selection.name.value, rows);
      else {
        const narrowed = typeNamed(selection.typeCondition?.name.value) ?? type;
        sum += ofSelections(narrowed, selection.selectionSet, rows);
      }
    }
    return sum;
  }

  /** Each fragment is counted once, however often it is spread: fragments can multiply as well. */
  function ofFragment(name: string, rows: number): number {
    const key = `${name} ${rows}`;
    const known = counted.get(key);
    const fragment = fragments.get(name);
    const type = typeNamed(fragment?.typeCondition.name.value);
    if (known !== undefined || fragment === undefined || type === undefined) return known ?? 0;
    const sum = ofSelections(type, fragment.selectionSet, rows);
    counted.set(key, sum);
    return sum;
  }

  function ofField(parent: GraphQLCompositeType, field: FieldNode, rows: number): number {
    const name = field.name.value;
    if (name === 'totalCount') return COUNT_COST;
    const definition = 'getFields' in parent ? parent.getFields()[name] : undefined;
    const type = definition && getNamedType(definition.type);
    if (!isCompositeType(type) || field.selectionSet === undefined) return 0;
    if (type.name.endsWith('Connection')) return ofSelections(type, field.selectionSet, sizeOf(field));
    const below = ofSelections(type, field.selectionSet, 0);
    if (type.name.endsWith('Edge')) return rows * (1 + below);
    // An edge stands for its row.
    if (parent.name.endsWith('Edge')) return below;
    const nodeIds = field.arguments?.find((argument) => argument.name.value === 'nodeIds');
    return (nodeIds === undefined ? 1 : lengthOf(nodeIds.value)) * (1 + below);
  }

  function sizeOf(field: FieldNode): number {
    const given = field.arguments?.filter(({ name }) => ['first', 'last'].includes(name.value)) ?? [];
    const sizes = given.map(({ value }) => Number(givenAs(value) ?? DEFAULT_PAGE_SIZE));
    const size = sizes.length === 0 ? DEFAULT_PAGE_SIZE : Math.max(...sizes);
    // Sizes that are none are refused when the page is asked for.
    return size >= 1 && size <= MAX_PAGE_SIZE ? size : 1;
  }

  function lengthOf(value: ValueNode): number {
    if (value.kind === Kind.LIST) return value.values.length;
    const given = givenAs(value);
    return Array.isArray(given) ? given.length : 1;
  }

  function givenAs(value: ValueNode | undefined): unknown {
    if (value?.kind === Kind.VARIABLE) {
      const name = value.name.value;
      return variableValues?.[name] !== undefined ? variableValues[name] : givenAs(defaults.get(name));
    }
    return value !== undefined && 'value' in value ? value.value : undefined;
  }

  function typeNamed(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }

  return ofSelections(root, operation.selectionSet, 0);
}
