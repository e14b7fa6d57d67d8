import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  print,
} from 'graphql';
import { schema } from '../graphql/index.ts';
import { INFO, QUANTITIES } from './about.ts';
import { type Definition, escapeHtml, renderDefinitions, renderText } from './html.ts';
import { renderReference } from './pages.ts';

/* The schema of GraphQL, for people: each query and subscription with its arguments, and each type once. */

const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
const subscriptions = Object.values(schema.getSubscriptionType()?.getFields() ?? {});

export function renderGraphql(): string {
  const roots = [schema.getQueryType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !roots.some((root) => root === type),
  );
  const kinds = KINDS.map(([name, is]) => ({ name, anchor: name.toLowerCase(), types: types.filter(is) }));
  const content = `<p>Programs read the same as <a href="/schema.graphql">its SDL</a>; <a href="/graphql">GraphiQL</a> asks.</p>
<h2 id="queries">Queries</h2>
${queries.map((field) => renderRoot('query', field)).join('\n')}
<h2 id="subscriptions">Subscriptions</h2>
${subscriptions.map((field) => renderRoot('subscription', field)).join('\n')}
${kinds.map(({ name, anchor, types }) => `<h2 id="${anchor}">${name}</h2>\n${types.map(renderNamed).join('\n')}`).join('\n')}`;
  const rootLinks = (sort: string, fields: readonly { readonly name: string }[]) =>
    fields.map(({ name }) => [`${sort}-${name}`, name] as const);
  return renderReference({
    title: 'GraphQL reference',
    path: '/docs/graphql',
    document: '/schema.graphql',
    summary: `${INFO.title} by GraphQL: each query, subscription and type.`,
    description: QUANTITIES,
    content,
    all: {
      name: 'Fields and types',
      groups: [
        { name: 'Queries', anchor: 'queries', links: rootLinks('query', queries) },
        { name: 'Subscriptions', anchor: 'subscriptions', links: rootLinks('subscription', subscriptions) },
        ...kinds.map(({ name, anchor, types }) => ({
          ...{ name, anchor },
          links: types.map((type) => [anchorOf(type), type.name] as const),
        })),
      ],
    },
  });
}

const KINDS: readonly (readonly [string, (type: GraphQLNamedType) => boolean])[] = [
  ['Objects', isObjectType],
  ['Interfaces', isInterfaceType],
  ['Inputs', isInputObjectType],
  ['Enumerations', isEnumType],
  ['Scalars', isScalarType],
];

type Field = GraphQLField<unknown, unknown>;

function renderRoot(sort: string, { name, type, description, args }: Field): string {
  const anchor = `${sort}-${name}`;
  return `<section id="${anchor}">
<h3><a class="anchor" href="#${anchor}"><code>${name}</code></a> <small>${renderTypeName(type)}</small></h3>
${renderText(description ?? '')}
${args.length === 0 ? '' : renderDefinitions(args.map(defineInput))}
</section>`;
}

function renderNamed(type: GraphQLNamedType): string {
  const anchor = anchorOf(type);
  return `<section id="${anchor}">
<h3><a class="anchor" href="#${anchor}">${type.name}</a></h3>
<div class="type">
${renderText(type.description ?? '')}
${renderBody(type)}
</div></section>`;
}

function renderBody(type: GraphQLNamedType): string {
  if (isEnumType(type))
    return renderDefinitions(
      type.getValues().map(({ name, description }) => ({ name, note: '', description: description ?? '' })),
    );
  if (isInputObjectType(type)) return renderDefinitions(Object.values(type.getFields()).map(defineInput));
  if (isObjectType(type) || isInterfaceType(type))
    return renderDefinitions(Object.values(type.getFields()).map(defineField));
  return '';
}

/** A field that asks what a query asks has the query's arguments. */
function defineField(field: Field): Definition {
  const { name, type, description, args } = field;
  const isOfQuery = args.length > 0 && queries.some((query) => query.name === name && haveSame(query, field));
  const below = isOfQuery
    ? ` <a href="#query-${name}">Its arguments</a> are those of the query.`
    : args.length > 0
      ? renderDefinitions(args.map(defineInput))
      : '';
  return { name, note: renderTypeName(type), description: description ?? '', below };
}

function haveSame(one: Field, other: Field): boolean {
  const [args, others] = [one, other].map((field) =>
    field.args.map(({ name, type }) => `${name}: ${type}`).join(),
  );
  return args === others;
}

function defineInput(input: GraphQLArgument | GraphQLInputField): Definition {
  const { name, type, description, defaultValue } = input;
  const initial = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  const note = `${renderTypeName(type)}${initial == null ? '' : ` = <code>${escapeHtml(print(initial))}</code>`}`;
  return { name, note, description: description ?? '' };
}

/** As the schema has it, with a link to the type that it is of. */
function renderTypeName(type: GraphQLType): string {
  const named = getNamedType(type);
  return String(type).replace(named.name, `<a href="#${anchorOf(named)}">${named.name}</a>`);
}

function anchorOf({ name }: GraphQLNamedType): string {
  return `type-${name}`;
}
