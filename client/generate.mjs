// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/*
 * Writes what the client knows of the gateway's subscriptions, out of its schema: npm run generate. A noun that the gateway gets is
 * here by that alone.
 */

const schema = buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));
const file = new URL('./src/subscriptions.generated.ts', import.meta.url);
const isCheck = process.argv.includes('--check');

/** What of a message is its own; of a subscription, what the follower says. */
const OF_MESSAGE = ['lastPage', 'block'];
const OF_FOLLOWER = ['after', 'progress'];

/** @type {Map<string, import('graphql').GraphQLObjectType>} */
const rowTypes = new Map();
/** @type {Map<string, import('graphql').GraphQLInputObjectType>} */
const inputTypes = new Map();
const found = Object.values(schema.getSubscriptionType()?.getFields() ?? {}).flatMap((field) => {
  const message = getNamedType(field.type);
  const updates = isObjectType(message) ? getNamedType(message.getFields()['updates']?.type) : undefined;
  // A series has its buckets in the message itself, and each message has those that may have changed.
  const told = isObjectType(updates) ? updates : message;
  if (!isObjectType(told)) return [];
  const lists = Object.values(told.getFields()).flatMap(({ name, type }) => {
    const row = getNamedType(type);
    if (OF_MESSAGE.includes(name) || !isObjectType(row)) return [];
    const sum = sumOf(row);
    if (sum === undefined && keyOf(row) === undefined) return [];
    if (sum === undefined) rowTypes.set(row.name, row);
    return [{ name, row: sum?.row ?? row, sum }];
  });
  const args = field.args.filter(({ name }) => !OF_FOLLOWER.includes(name));
  // Blocks alone have no rows; what else has none that can be told apart is not followed.
  if (lists.length === 0 && field.name !== 'blocks') return [];
  const isSeries = told === message;
  const types = [message.name, told.name];
  return [{ name: field.name, description: field.description, args, lists, types, isSeries }];
});

/** @param {import('graphql').GraphQLObjectType} row */
function ownFields(row) {
  return Object.values(row.getFields()).filter(
    ({ name, type, args }) => isLeafType(getNamedType(type)) && args.length === 0 && name !== 'nodeId',
  );
}

/** @param {import('graphql').GraphQLObjectType} row */
function keyOf(row) {
  const own = ownFields(row);
  // A bucket is told apart by its begin.
  const key =
    own.find(({ name }) => name === 'id') ??
    own.find(({ type }) => getNamedType(type).name === 'ID') ??
    own.find(({ name }) => name === 'start');
  return key?.name;
}

/**
 * What a sum over time is: what it is told apart by, and its buckets, each of which is a row with that.
 * @param {import('graphql').GraphQLNamedType} type
 */
function sumOf(type) {
  if (!isObjectType(type)) return undefined;
  const { key, buckets } = type.getFields();
  const [keyType, row] = [key, buckets].map((field) => getNamedType(field?.type));
  if (!isObjectType(keyType) || !isObjectType(row)) return undefined;
  const fields = [keyType, row].map((one) =>
    ownFields(one)
      .map(({ name }) => name)
      .join(' '),
  );
  rowTypes.set(keyType.name, keyType);
  rowTypes.set(row.name, row);
  return { type, row, keyType, fields: `key { ${fields[0]} } buckets { ${fields[1]} }` };
}

/**
 * @param {import('graphql').GraphQLType} type
 * @returns {string}
 */
function typeText(type) {
  if (isNonNullType(type)) return typeText(type.ofType).replace(/ \| null$/, '');
  if (isListType(type)) return `readonly (${typeText(type.ofType)})[] | null`;
  const { name } = getNamedType(type);
  if (isInputObjectType(type)) inputTypes.set(name, type);
  if (isInputObjectType(type)) return `${name} | null`;
  if (isEnumType(type))
    return `${type
      .getValues()
      .map((value) => `'${value.name}'`)
      .join(' | ')} | null`;
  const plain = { Boolean: 'boolean', Int: 'number', Float: 'number' };
  return `${plain[/** @type {keyof typeof plain} */ (name)] ?? 'string'} | null`;
}

/** @param {string | null | undefined} description */
const doc = (description, indent = '') =>
  description == null ? '' : `${indent}/** ${description.replaceAll('\n', ' ').replaceAll('*/', '* /')} */\n`;

/** @param {{ name: string, type: import('graphql').GraphQLType, description?: string | null | undefined }} field */
const argument = ({ name, type, description }, indent = '  ') =>
  `${doc(description, indent)}${indent}readonly ${name}${isNonNullType(type) ? '' : '?'}: ${typeText(type)};\n`;

const rows = [...rowTypes.values()].map(
  (row) =>
    `${doc(row.description)}export interface ${row.name} {\n${ownFields(row)
      .map(
        ({ name, type, description }) => `${doc(description, '  ')}  readonly ${name}: ${typeText(type)};\n`,
      )
      .join('')}}\n`,
);
const byList = new Map(found.flatMap(({ lists }) => lists.map((list) => [list.name, list])));
const listed = [...byList.values()].map(({ name, row, sum }) => {
  const fields =
    sum?.fields ??
    ownFields(row)
      .map((field) => field.name)
      .join(' ');
  const key = sum === undefined ? keyOf(row) : 'id';
  return `const ${name}List = { type: '${(sum?.type ?? row).name}', key: '${key}', fields: '${fields}' };\n`;
});
const described = found.map(({ name, description, args, lists, types: [message, updates], isSeries }) => {
  const types = args.map((one) => ` ${one.name}: '${one.type}'`).join(',');
  /** @param {typeof lists[number]} list */
  const rowOf = ({ row, sum }) =>
    sum === undefined ? row.name : `BucketOf<${sum.keyType.name}, ${row.name}>`;
  const rowsOf = lists.map((list) => `readonly ${list.name}: readonly ${rowOf(list)}[];`).join(' ');
  const [sums] = lists.filter(({ sum }) => sum !== undefined);
  const rowsType = lists.length === 0 ? 'Readonly<Record<never, never>>' : `{ ${rowsOf} }`;
  const taken =
    args.length === 0 ? 'Readonly<Record<never, never>>' : `{\n${args.map((one) => argument(one)).join('')}}`;
  return `${doc(description)}export const ${name}: Subscription<${taken}, ${rowsType}> = {
  name: '${name}',
  types: { message: '${message}', updates: '${updates}' },
  args: {${types} },
  lists: {${lists.map((list) => ` ${list.name}: ${list.name}List`).join(',')} },
${isSeries ? '  isSeries: true,\n' : ''}${sums === undefined ? '' : `  rowsOf: ({ ${sums.name} }) => ({ ${sums.name}: bucketsOf(${sums.name} as never) }),\n`}};
`;
});
/** Inputs can have inputs. */
let inputs = '';
for (const type of inputTypes.values())
  inputs += `${doc(type.description)}export interface ${type.name} {\n${Object.values(type.getFields())
    .map((field) => argument(field))
    .join('')}}\n\n`;

const text = `// Made from schema.graphql by generate.mjs.

import type { Subscription } from './subscription.ts';
import { type BucketOf, bucketsOf } from './sums.ts';

/* Of each list of rows what they are told apart by, and what they have by themselves. */
${listed.join('')}
${described.join('\n')}
${inputs}${rows.join('\n')}`;

if (!isCheck) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text)
  throw new Error(
    'src/subscriptions.generated.ts is not what schema.graphql says: npm run generate --workspace client',
  );
