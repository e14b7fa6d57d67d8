// @ts-check
import { Marked } from 'marked';
import { escapeHtml } from './escape-html.mjs';

/**
 * A part of a guide, below one heading.
 *
 * @typedef {{ address: string, title: string, heading: string, start: string, text: string }} Section
 */

/** @typedef {import('marked').Token} Token */

/** Addresses below /docs/ that are the reference's, and where the guides are that are called so. */
const TAKEN = /** @type {Readonly<Record<string, string>>} */ ({ streams: 'streams-guide' });

/** How much of a section a result of the search shows. */
const SHOWN = 140;

/**
 * Where a guide is served.
 *
 * @param {string} name
 */
const addressOf = (name) => `/docs/${TAKEN[name] ?? name}`;

/**
 * A guide as HTML, with what is said of it elsewhere. Its links lead to guides that are served; to what is not, there are none.
 *
 * @param {string} name
 * @param {string} text
 */
export function readGuide(name, text) {
  const address = addressOf(name);
  const anchors = new Map();
  const marked = createMarked();
  const tokens = marked.lexer(text);
  const headings = tokens.flatMap((token) => {
    if (token.type !== 'heading') return [];
    const heading = plain(token.tokens);
    const anchor = anchorOf(heading, anchors);
    Object.assign(token, { anchor });
    return [{ depth: token.depth, text: heading, anchor }];
  });
  const [first] = tokens;
  if (first?.type !== 'heading') throw new Error(`${name}.md does not begin with a heading.`);
  const title = plain(first.tokens);
  return {
    ...{ name, address, title, images: imagesOf(text) },
    parts: headings.filter(({ depth }) => depth === 2).map(({ text, anchor }) => ({ text, anchor })),
    sections: readSections(tokens, address, title),
    html: marked.parser(tokens),
  };
}

function createMarked() {
  const marked = new Marked();
  marked.use({
    renderer: {
      heading(token) {
        const { anchor } = /** @type {{ anchor?: string }} */ (/** @type {unknown} */ (token));
        const inner = this.parser.parseInline(token.tokens);
        if (token.depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`;
        return `<h${token.depth} id="${anchor}"><a class="anchor" href="#${anchor}">${inner}</a></h${token.depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = linkOf(href);
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image({ href, text }) {
        return `<img src="/docs/${escapeHtml(href)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      // A place of its own to scroll, which the keyboard reaches.
      code({ text }) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`;
      },
      table({ header, rows }) {
        /** @param {'th' | 'td'} tag @param {import('marked').Tokens.TableCell[]} cells */
        const row = (tag, cells) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>\n`;
        const body = rows.map((cells) => row('td', cells)).join('');
        return `<div class="wide" tabindex="0"><table>\n<thead>${row('th', header)}</thead>\n<tbody>${body}</tbody></table></div>\n`;
      },
      // Marks are for those who write; a guide has no HTML besides.
      html: ({ text }) => (/^<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
    },
  });
  return marked;
}

/**
 * Where a link of a guide leads here; null for a file of the checkout, which is not served.
 *
 * @param {string} href
 */
function linkOf(href) {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name === undefined ? null : addressOf(name) + anchor;
}

/**
 * The text below each heading but that of the whole, which has what comes before the others.
 *
 * @param {readonly Token[]} tokens
 * @param {string} address
 * @param {string} title
 * @returns {readonly Section[]}
 */
function readSections(tokens, address, title) {
  const sections = /** @type {Section[]} */ ([]);
  for (const token of tokens) {
    if (token.type === 'heading') {
      const isWhole = sections.length === 0;
      const { anchor } = /** @type {{ anchor?: string }} */ (/** @type {unknown} */ (token));
      const heading = isWhole ? '' : plain(token.tokens);
      sections.push({
        address: isWhole ? address : `${address}#${anchor}`,
        title,
        heading,
        start: '',
        text: '',
      });
    } else {
      const section = sections.at(-1);
      if (section !== undefined) section.text += ` ${textOf(token)}`;
    }
  }
  return sections.map((section) => {
    const text = section.text.replace(/\s+/g, ' ').trim();
    const start = text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/\s\S*$/, '')} …` : text;
    return { ...section, text, start };
  });
}

/**
 * @param {Token} token
 * @returns {string}
 */
function textOf(token) {
  if (token.type === 'html' || token.type === 'space') return ' ';
  if (token.type === 'table')
    return [token.header, ...token.rows]
      .flatMap((cells) => cells.map((/** @type {{ tokens: Token[] }} */ cell) => plain(cell.tokens)))
      .join(' ');
  if (token.type === 'list') return token.items.map(textOf).join(' ');
  if ('tokens' in token && token.tokens !== undefined) return plain(token.tokens);
  return 'text' in token ? token.text : token.raw;
}

/**
 * The text of a line without its marks.
 *
 * @param {readonly Token[] | undefined} tokens
 * @returns {string}
 */
function plain(tokens = []) {
  return tokens.map(textOf).join('');
}

/** @param {string} text */
function imagesOf(text) {
  return [...text.matchAll(/!\[[^\]]*\]\(([\w/.-]+)\)/g)].map(([, file]) => /** @type {string} */ (file));
}

/**
 * The anchor of a heading, as those who show Markdown make them: links name these.
 *
 * @param {string} heading
 * @param {Map<string, number>} seen
 */
export function anchorOf(heading, seen) {
  const name = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  const before = seen.get(name) ?? 0;
  seen.set(name, before + 1);
  return before === 0 ? name : `${name}-${before}`;
}
