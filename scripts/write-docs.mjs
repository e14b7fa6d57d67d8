// Writes the tables in docs/ that the program itself has, each between its marks; with --check says which are stale.
// It prints what is compiled in dist/, and works on the docs/ of the current folder.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildSchema, getNamedType, isObjectType } from 'graphql';

/** From the compiled program: a file of src without its ending. */
const load = (file) => import(new URL(`../dist/${file}.js`, import.meta.url).href);

const TABLES = [
  { file: 'docs/running.md', mark: 'settings', write: writeSettings },
  { file: 'docs/asking.md', mark: 'paths', write: writePaths },
  { file: 'docs/mcp.md', mark: 'tools', write: writeTools },
  { file: 'docs/digests.md', mark: 'digested', write: writeDigested },
  { file: 'docs/feeding.md', mark: 'releases', write: writeReleases },
  { file: 'docs/quantities.md', mark: 'quantities', write: writeQuantities },
];

/** The scalars that hold a quantity; a text that does is named. */
const QUANTITIES = ['Decimal', 'Integer', 'Int64', 'Uint64', 'Timestamp', 'Int'];
const QUANTITIES_AS_TEXT = ['Reward.percentageOfTotal'];

/** Parameters that stand before the table of paths once, as nearly every path has them, and groups that do. */
const COMMON = ['format', 'units', 'asOf', 'asOfTime'];
const GROUPED = /^(pagination|dateRange)\..*/;

for (const { file, mark, write } of TABLES) {
  const text = readFileSync(file, 'utf8');
  const written = replaceBlock(text, file, mark, await write());
  if (written === text) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${file} is stale: run npm run docs, and commit what it writes\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, written);
  }
}

async function writeSettings() {
  const { configOptions } = await load('config');
  const options = Object.values(configOptions).flatMap((group) => Object.values(group));
  const rows = options.map(({ name, what, takes, default: initial }) => [
    `\`${name}\``,
    what,
    takes,
    initial === null ? '' : `\`${initial}\``,
  ]);
  return table(['Variable', 'What it is', 'What it takes', 'Default'], rows);
}

async function writeDigested() {
  const { digestedNouns } = await load('data/digests/digested');
  return table(
    ['Kind', 'Columns'],
    digestedNouns.map(({ kind, fields }) => [
      `\`${kind}\``,
      fields.map((field) => `\`${field}\``).join(', '),
    ]),
  );
}

async function writePaths() {
  const { routes, furtherRoutes, streamRoutes } = await load('rest/index');
  const { writePath } = await load('rest/route');
  const documented = routes.filter((route) => !furtherRoutes.includes(route));
  const all = [...documented, ...streamRoutes, ...furtherRoutes];
  const rows = all.map((route) => {
    const { path, summary, parameters } = route;
    const names = Object.entries(parameters)
      .filter(([name]) => !COMMON.includes(name))
      .map(([name, { required }]) => `\`${name.replace(GROUPED, '$1.*')}\`${required ? ' (required)' : ''}`);
    const mark = furtherRoutes.includes(route) ? ' (further)' : '';
    return [`\`${writePath(path)}\`${mark}`, summary, [...new Set(names)].join(', ')];
  });
  return table(['Path', 'What it gives', 'Parameters'], rows);
}

async function writeTools() {
  const { tools } = await load('mcp/tools');
  const rows = tools.map(({ name, title, arguments: given, required }) => {
    const names = Object.keys(given).map((one) => `\`${one}\`${required.includes(one) ? ' (required)' : ''}`);
    return [`\`${name}\``, title, names.join(', ')];
  });
  return table(['Tool', 'What it answers', 'Arguments'], rows);
}

/** What each release of the network brings, from where it is written: enumerations, and fields of the protocol. */
async function writeReleases() {
  const { KNOWN_RELEASES } = await load('domain/releases');
  const { enumerations } = await load('domain/enumerations');
  const fields = readProtocolFields();
  const rows = KNOWN_RELEASES.map(({ release, from, passesOver }, index) => {
    const names = Object.values(enumerations).flatMap(({ values }) =>
      Object.entries(values).flatMap(([name, [, since]]) => (since === release ? [`\`${name}\``] : [])),
    );
    const brought = fields.flatMap(({ field, since }) => (since === release ? [`\`${field}\``] : []));
    const isFirst = index === 0;
    return [
      from === undefined ? release : `${from} to ${release}`,
      passesOver === '' ? 'whole' : `whole, but for this: ${passesOver}`,
      isFirst ? '' : names.join(', '),
      isFirst ? '' : brought.join(', '),
    ];
  });
  const older = ['older', 'not known: the products of markets had other fields', '', ''];
  const newer = ['newer', 'whole, but for what nobody knows yet (below)', '', ''];
  const others = ['another version of the envelope', 'refused', '', ''];
  return table(
    ['Release', 'Taken in', 'Names that it brings', 'Fields that it brings'],
    [older, ...rows, newer, others],
  );
}

/** The fields whose lines in the protocol say since when the network sends them. */
function readProtocolFields() {
  const folder = new URL('../src/ingest/protocol/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.proto'));
  return files.sort().flatMap((file) => {
    let message = '';
    return readFileSync(new URL(file, folder), 'utf8')
      .split('\n')
      .flatMap((line) => {
        message = /^message (\w+)/.exec(line)?.[1] ?? message;
        const [, name, since] = /(\w+) = \d+; \/\/ since (\S+)$/.exec(line) ?? [];
        return name === undefined ? [] : [{ field: `${message}.${name}`, since }];
      });
  });
}

/** A table for each type, in the order of the alphabet. */
function writeQuantities() {
  const schema = buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !/^__|Connection$/.test(type.name),
  );
  return types
    .map((type) => ({ type, fields: Object.values(type.getFields()).filter(isQuantity(type)) }))
    .filter(({ fields }) => fields.length > 0)
    .map(
      ({ type, fields }) => `### ${type.name}\n\n${table(['Field', 'Type', 'What it is'], fields.map(row))}`,
    )
    .join('\n\n');
}

function isQuantity(type) {
  return ({ name, type: of }) =>
    QUANTITIES.includes(getNamedType(of).name) || QUANTITIES_AS_TEXT.includes(`${type.name}.${name}`);
}

function row({ name, type, description }) {
  return [`\`${name}\``, `\`${getNamedType(type).name}\``, description.replaceAll('\n', ' ')];
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function replaceBlock(text, file, mark, block) {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no block between ${begin} and ${end}.`);
  return `${text.slice(0, from)}${begin}\n\n${block}\n\n${text.slice(to)}`;
}
