import { at } from './place.ts';

/** A path that gives a whole list, with the filters of the list that is shown. */
export interface Export {
  readonly path: string;
  /** What is undefined or empty is no filter. */
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** The address of a list as CSV, as of the block that is shown, or that the list is held at. */
export function csvHref({ path, filters }: Export, heldAt: string | null): string {
  const search = new URLSearchParams({ format: 'csv' });
  for (const [name, value] of Object.entries(filters)) if (value) search.set(name, value);
  const height = at.value ?? heldAt;
  if (height !== null) search.set('asOf', height);
  return `${path}?${search}`;
}
