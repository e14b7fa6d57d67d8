/** A bucket of a sum over time as a row of its own: with what the sum is of, and an id made of that and of its begin. */
export type BucketOf<Key, Bucket> = Key & Bucket & { readonly id: string };

interface Sum {
  readonly key: object;
  readonly buckets: readonly { readonly start: string }[];
}

/** The buckets of all sums as rows. */
export function bucketsOf(sums: readonly Sum[]): readonly object[] {
  return sums.flatMap(({ key, buckets }) =>
    buckets.map((bucket) => ({ id: [...Object.values(key), bucket.start].join(' '), ...key, ...bucket })),
  );
}
