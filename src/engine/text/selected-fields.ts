import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
} from 'graphql';
import {
  type AskedField,
  type CompileField,
  type Field,
  NotInText,
  type Path,
  type Placed,
  type SelectedField,
  type Unplaced,
} from './plan.ts';
import { type Compilable, type FieldNodes, type Selected, Selections } from './selections.ts';

/** An object that fields are selected of: its type, and where it stands in the answer. */
export interface Place {
  readonly type: GraphQLObjectType;
  readonly path: Path;
}

/** The fields that an operation selects, one object after the other, and those of them that have arguments. */
export class SelectedFields {
  readonly asked: AskedField[] = [];
  /** How many have been compiled. */
  size = 0;
  readonly #schema: GraphQLSchema;
  readonly #selections: Selections;

  constructor(operation: Compilable) {
    this.#schema = operation.schema;
    this.#selections = new Selections(operation);
  }

  /** What each field of the query is compiled to. */
  compileRoot<Compiled extends Placed>(
    type: GraphQLObjectType,
    compile: (nodes: FieldNodes, name: string) => Unplaced<Compiled>,
  ): readonly Compiled[] {
    return this.#place(this.#selections.root(type), compile);
  }

  /** The same of the fields below one of it, which are those of a query as well. */
  compileAt<Compiled extends Placed>(
    type: GraphQLObjectType,
    of: FieldNodes,
    compile: (nodes: FieldNodes, name: string) => Unplaced<Compiled>,
  ): readonly Compiled[] {
    return this.#place(this.#selections.below(type, of), compile);
  }

  /** What each field is compiled to that is selected of an object. */
  compile<Compiled extends Placed>(
    { type, path }: Place,
    of: FieldNodes,
    compile: CompileField<Compiled>,
  ): readonly Compiled[] {
    return this.#place<Compiled>(this.#selections.below(type, of), (nodes, name) => {
      const field = nodes[0].name.value;
      if (field === '__typename') return compile.typename(JSON.stringify(type.name));
      const definition = type.getFields()[field];
      if (definition === undefined) throw new NotInText(field);
      return compile.field({ definition, nodes, name, path: pathOf(path, name, definition) });
    });
  }

  /** The names of the fields that are selected of an object. */
  namesOf(type: GraphQLObjectType, of: FieldNodes): ReadonlySet<string> {
    return new Set(this.#selections.below(type, of).map(([, [node]]) => node.name.value));
  }

  /** What a field is compiled to; where it cannot be written from text, what else stands for it. */
  orElse<Compiled>(field: SelectedField, compile: () => Compiled, leave: () => Compiled): Compiled {
    const asked = this.asked.length;
    try {
      return compile();
    } catch (error) {
      if (!(error instanceof NotInText)) throw error;
      this.asked.length = asked;
      this.#askAll(field);
      return leave();
    }
  }

  /** Has the arguments of a field settled before anything is read. Gives their place among all. */
  ask({ definition, nodes, path }: SelectedField): number {
    // Its arguments are those of the list, and of none of its elements.
    const own = path.at(-1) === 0 ? path.slice(0, -1) : path;
    return this.asked.push({ definition, nodes, path: own }) - 1;
  }

  #place<Compiled extends Placed>(
    selected: Selected,
    compileField: (nodes: FieldNodes, name: string) => Unplaced<Compiled>,
  ): readonly Compiled[] {
    this.size += selected.length;
    return selected.map(([name, nodes], index) => {
      const before = `${index === 0 ? '' : ','}${JSON.stringify(name)}:`;
      return { before, ...compileField(nodes, name) } as unknown as Compiled;
    });
  }

  /** The same of a field and all fields below it, which graphql-js resolves. */
  #askAll(field: SelectedField): void {
    if (field.definition.args.length > 0) this.ask(field);
    const named = getNamedType(field.definition.type);
    const types = isAbstractType(named) ? this.#schema.getPossibleTypes(named) : [named];
    for (const type of types) {
      if (!isObjectType(type)) continue;
      for (const [name, nodes] of this.#selections.below(type, field.nodes)) {
        const definition = type.getFields()[nodes[0].name.value];
        if (definition === undefined) continue;
        this.#askAll({ definition, nodes, name, path: pathOf(field.path, name, definition) });
      }
    }
  }
}

/** Where a field stands: in a list, its first element. */
function pathOf(path: Path, name: string, { type }: Field): Path {
  return isListType(getNullableType(type)) ? [...path, name, 0] : [...path, name];
}
