import type { DescEnum } from '@bufbuild/protobuf';

/** Gives the documented name of a number on the wire; the protocol and the domain have the same (a test compares). */
export function namesOf<Name extends string>(
  numbers: Readonly<Record<Name, number>>,
): (number: number) => Name {
  const entries = Object.entries(numbers) as [Name, number][];
  const names = new Map(entries.map(([name, number]) => [number, name]));
  return (number) => {
    const name = names.get(number);
    if (name === undefined) throw new Error(`an enumeration has no number ${number}`);
    return name;
  };
}

/** The numbers of an enumeration that only the protocol has, by its names. */
export function numbersOf({ values }: DescEnum): Readonly<Record<string, number>> {
  return Object.fromEntries(values.map(({ name, number }) => [name, number]));
}
