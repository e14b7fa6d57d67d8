import type { AnyNoun } from '../data/noun.ts';
import { invalidArgument } from '../errors.ts';
import type { builder } from './builder.ts';

/**
 * What the arguments of a list and its `filter` ask of rows together: both are one thing in two styles. Throws INVALID_ARGUMENT
 * for what both name.
 */
export function joinFilter<Args extends object, Filter>(
  { by }: Pick<AnyNoun, 'by'>,
  { filter, ...args }: Args & { readonly filter?: Filter | null | undefined },
): Omit<Args, 'filter'> & Filter {
  if (filter === null || filter === undefined) return args as Omit<Args, 'filter'> & Filter;
  const named = new Map(given(args).map((part) => [by[part] ?? part, part]));
  const parts = given(filter);
  for (const part of parts) {
    const other = named.get(by[part] ?? part);
    if (other === undefined) continue;
    throw invalidArgument(
      `filter.${part}`,
      `filter.${part} does not go with ${other}, which says the same: give one of them.`,
    );
  }
  // A null in the filter, as clients write what is not set, leaves the argument of the same name as it is.
  const chosen = Object.fromEntries(parts.map((part) => [part, filter[part as keyof Filter]]));
  return { ...args, ...chosen } as Omit<Args, 'filter'> & Filter;
}

/** The parts of a filter that choose by amounts. */
export function amountRange(
  t: PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>,
  rows: string,
) {
  const withOrder = 'With orderBy AMOUNT_DESC or AMOUNT_ASC alone: no other order has an index of it.';
  return {
    amountFrom: t.field({
      type: 'Integer',
      description: `Only ${rows} of at least this amount, in the asset's smallest unit. ${withOrder}`,
    }),
    amountTo: t.field({
      type: 'Integer',
      description: `Only ${rows} of at most this amount. ${withOrder}`,
    }),
  };
}

function given(parts: object): readonly string[] {
  return Object.entries(parts).flatMap(([part, value]) =>
    value === null || value === undefined ? [] : [part],
  );
}
