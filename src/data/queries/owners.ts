/** The object that a list hangs off: the field of the list's rows that names it, and its key. */
export interface Owner {
  readonly field: string;
  readonly key: string;
}

/** The objects of which each has a list: the field of the lists' rows that names them, and their keys. */
export interface Owners {
  readonly field: string;
  readonly keys: readonly string[];
}
