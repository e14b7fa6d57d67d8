import { LONGEST_NAME, type Member, type TextColumn } from '../../data/text-rows.ts';
import { exposedColumn } from '../../graphql/sources.ts';
import {
  type Field,
  type FieldNodes,
  NotInText,
  type Placed,
  type RowField,
  type WriteValue,
} from './plan.ts';
import { columnOfType } from './values.ts';

/** The columns that are read of rows. */
export class Columns {
  readonly all: TextColumn[];

  constructor(...first: readonly TextColumn[]) {
    this.all = [...first];
  }

  /** The number of the column of a field, which is read from now on; each is read once. */
  place(field: string, form: Member['form'] = 'text'): number {
    const known = this.all.findIndex((one) => one.form === form && one.field === field);
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
 * than it takes to send each value, and here to read and to write it.
 */
export function placeRuns(fields: readonly (RowField | PlainField)[], columns: Columns): readonly RowField[] {
  const placed: RowField[] = [];
  let run: PlainField[] = [];
  const placeRun = () => {
    const [first, ...rest] = run;
    run = [];
    if (first === undefined) return;
    if (rest.length > 0) {
      const members = [first, ...rest].map(({ member }) => member);
      const before = placed.length === 0 ? '' : ',';
      placed.push({ before, kind: 'object', column: columns.placeObject(members) });
      return;
    }
    const { before, member, write } = first;
    placed.push({ before, kind: 'column', column: columns.place(member.field, member.form), write });
  };
  for (const field of fields) {
    if (field.kind === 'plain' && field.member.name.length <= LONGEST_NAME) {
      run.push(field);
      continue;
    }
    placeRun();
    if (field.kind !== 'plain') placed.push(field);
    else {
      run.push(field);
      placeRun();
    }
  }
  placeRun();
  return placed;
}
