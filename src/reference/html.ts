/** A text as it stands in HTML, within an attribute too. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A sentence of ours, in which code stands between backticks. */
export function asHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

/** A description of ours: paragraphs, and lists of lines that begin with a dash. */
export function renderText(text: string): string {
  return text.split('\n\n').map(renderPart).join('\n');
}

function renderPart(part: string): string {
  if (!part.startsWith('- ')) return `<p>${asHtml(part)}</p>`;
  const items = part.split('\n').map((line) => `<li>${asHtml(line.slice('- '.length))}</li>`);
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

/** A path or a name, which may go on below behind each of its parts. */
export function breakable(text: string): string {
  return escapeHtml(text).replace(/[/.?]|&amp;/g, '$&<wbr>');
}

/** Something that has a name, and what it is. */
export interface Definition {
  readonly name: string;
  /** What stands beside the name, as HTML. */
  readonly note: string;
  readonly description: string;
  /** What stands below the description, as HTML. */
  readonly below?: string;
}

export function renderDefinitions(definitions: readonly Definition[]): string {
  const rows = definitions.map(
    ({ name, note, description, below = '' }) =>
      `<dt><code>${breakable(name)}</code> <small>${note}</small></dt>\n<dd>${asHtml(description)}${below}</dd>`,
  );
  return `<dl class="fields">\n${rows.join('\n')}\n</dl>`;
}

/** A JSON value that unfolds. */
export function renderExample(summary: string, value: unknown): string {
  return `<details><summary>Example: <code>${breakable(summary)}</code></summary>
<pre tabindex="0"><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre></details>`;
}
