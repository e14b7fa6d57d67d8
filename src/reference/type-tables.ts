import type { JsonSchema } from '../rest/json-schema.ts';
import { escapeHtml, renderDefinitions, renderText } from './html.ts';

/** Each type once, with its fields or values, and links to the types that these have. */
export function renderTypes(types: Readonly<Record<string, JsonSchema>>): string {
  return Object.entries(types)
    .map(
      ([name, type]) => `<section id="${anchorOf(name)}">
<h3><a class="anchor" href="#${anchorOf(name)}">${name}</a></h3>
<div class="type">
${type.description === undefined ? '' : renderText(type.description)}
${renderBody(type)}
</div></section>`,
    )
    .join('\n');
}

/** What a value is, in a few words: its type's name with a link, where it has one. */
export function renderType(schema: JsonSchema): string {
  const { $ref, type, items, anyOf, enum: values, const: only, format, minimum, maximum } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#${anchorOf(name)}">${name}</a>`;
  }
  if (only !== undefined) return `<code>${escapeHtml(JSON.stringify(only))}</code>`;
  if (type === 'array') return `list of ${items === undefined ? 'anything' : renderType(items)}`;
  if (values !== undefined)
    return values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' or ');
  if (anyOf !== undefined) return renderChoice(anyOf);
  const range = minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;
  const name = type === undefined ? 'any JSON' : format === undefined ? type : `${type} (${format})`;
  return `${escapeHtml(name)}${range}`;
}

/** The names of many values unfold. */
function renderChoice(anyOf: readonly JsonSchema[]): string {
  const named = anyOf.find(({ enum: values }) => values !== undefined)?.enum;
  if (named === undefined) return anyOf.map(renderType).join(' or ');
  const list = named.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ');
  return `<details><summary>one of ${named.length} names</summary>${list}</details>`;
}

function renderBody({ properties, anyOf, enum: values, pattern, ...type }: JsonSchema): string {
  if (properties !== undefined) return renderFields(properties);
  const named = values ?? anyOf?.find((one) => one.enum !== undefined)?.enum;
  const meaning = type['x-enumDescriptions'] ?? {};
  if (named !== undefined) {
    const values = named.map(String);
    return renderDefinitions(
      values.map((value) => ({ name: value, note: '', description: meaning[value] ?? '' })),
    );
  }
  if (anyOf !== undefined) return `<p>It is ${anyOf.map(renderType).join(' or ')}.</p>`;
  return pattern === undefined ? '' : `<p>It matches <code>${escapeHtml(pattern)}</code>.</p>`;
}

function renderFields(properties: Readonly<Record<string, JsonSchema>>): string {
  return renderDefinitions(
    Object.entries(properties).map(([name, field]) => ({
      name,
      note: renderType(field),
      description: field.description ?? '',
      below: field.properties === undefined ? '' : renderFields(field.properties),
    })),
  );
}

/** Paths have anchors of their own: a type may be called as one of them is. */
function anchorOf(name: string): string {
  return `type-${name}`;
}
