import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { schema } from '../graphql/index.ts';
import { renderFrame } from './pages.ts';
import { schemaOfScalar } from './scalar-schemas.ts';

/** The page that says how each scalar of GraphQL is written: `/docs/scalars#Timestamp`. */
export function renderScalars(): string {
  const scalars = Object.values(schema.getTypeMap()).filter(isScalarType);
  const own = scalars.filter((scalar) => !isSpecifiedScalarType(scalar));
  const sections = own.map((scalar) => {
    const { pattern = '' } = writtenAs(scalar);
    return `<section id="${scalar.name}"><h2>${scalar.name}</h2><p>${escapeHtml(scalar.description ?? '')}</p>
<p>It is written as text that matches <code>${escapeHtml(pattern)}</code>.</p></section>`;
  });
  return renderFrame(
    'Scalars',
    '/docs/scalars',
    `<main class="text"><h1>Scalars</h1>\n${sections.join('\n')}\n</main>`,
  );
}

function writtenAs(scalar: Parameters<typeof schemaOfScalar>[0]) {
  let written: ReturnType<typeof schemaOfScalar> = {};
  schemaOfScalar(scalar, (_, schema) => {
    written = schema;
    return schema;
  });
  return written;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
