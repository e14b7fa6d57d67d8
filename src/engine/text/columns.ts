import { LONGEST_NAME, type Member, type TextColumn } from '../../data/queries/text-rows.ts';
import { exposedColumn } from '../../graphql/exposed-columns.ts';
import { type Field, NotInText, type Placed, type RowField, type WriteValue } from './plan.ts';
import type { FieldNodes } from './selections.ts';
import { columnOfType } from './values.ts';

/** The columns that are read of rows. */
export class Columns {
  readonly all: TextColumn[];
  /** How many stand first whatever is selected: they are another in another order of the list. */
  readonly #apart: number;

  constructor(...first: readonly TextColumn[]) {
    this.all = [...first];
    this.#apart = first.length;
  }

  /** The number of the column of a field, which is read from now on; each is read once. */
  place(field: string, form: Member['form'] = 'text'): number {
    const known = this.all.findIndex(
      (one, place) => place >= this.#apart && one.form === form && one.field === field,
    );
    return known === -1 ? this.all.push({ field, form }) - 1 : known;
  }

  placeObject(members: readonly Member[]): number {
    return this.all.push({ form: 'object', members }) - 1;
  }
}

/** A field that gives a column as it is, before it is known how that is read. */
export interface PlainField extends Placed {
  readonly kind: 'plain';
  readonly member: Member;
  readonly write: WriteValue;
}

export function compilePlain(definition: Field, [node]: FieldNodes): Omit<PlainField, 'before'> {
  const field = exposedColumn(definition);
  const read = columnOfType(definition.type);
  if (field === undefined || read === undefined) throw new NotInText(definition.name);
  const member = { name: (node.alias ?? node.name).value, field, form: read.form };
  return { kind: 'plain', member, write: read.write };
}

/**
 * Settles how plain fields are read: several that follow on each other as one object. PostgreSQL writes it for less
 * than it takes to send each value, and here to read it, quote it and join it.
 */
export function placeFields(
  fields: readonly (RowField | PlainField)[],
  columns: Columns,
): readonly RowField[] {
  return groupRuns(fields).map(([first, ...rest]) => {
    if (first.kind !== 'plain') return first;
    const { before, member, write } = first;
    if (rest.length === 0)
      return { before, kind: 'column', column: columns.place(member.field, member.form), write };
    const members = [member, ...rest.map((field) => field.member)];
    return { before: first === fields[0] ? '' : ',', kind: 'object', column: columns.placeObject(members) };
  });
}

/** A field, or several that can be members of one object. */
type Run = [RowField | PlainField, ...PlainField[]];

function groupRuns(fields: readonly (RowField | PlainField)[]): readonly Run[] {
  const runs: Run[] = [];
  for (const field of fields) {
    const run = runs.at(-1);
    if (run !== undefined && isMember(run[0]) && isMember(field)) run.push(field);
    else runs.push([field]);
  }
  return runs;
}

function isMember(field: RowField | PlainField): field is PlainField {
  return field.kind === 'plain' && field.member.name.length <= LONGEST_NAME;
}
