import { readdirSync, readFileSync } from 'node:fs';
import {
  type DescField,
  type DescFile,
  type DescMessage,
  type DescOneof,
  ScalarType,
} from '@bufbuild/protobuf';
import { expect, test } from 'vitest';

const FOLDER = 'src/ingest/protocol';
const INDENT = '  ';
/** The largest number that a field can have. */
const MOST_FIELDS = 2 ** 29 - 1;

const sources = readdirSync(FOLDER).filter((name) => name.endsWith('.proto'));

test.each(sources)(
  'the code generated from %s is that of its present text (npm run protocol)',
  async (name) => {
    const source = readFileSync(`${FOLDER}/${name}`, 'utf8');
    const declared = source
      .split('\n')
      .map((line) => line.replace(/ \/\/ since [\d.]+$/, ''))
      .filter((line) => line !== '' && !line.trimStart().startsWith('//'));
    const file = await readGenerated(name.replace(/\.proto$/, ''));
    expect(printFile(file)).toEqual(declared);
  },
);

test('every generated file has its source', () => {
  const generated = readdirSync(`${FOLDER}/generated`).map((name) => name.replace(/_pb\.ts$/, '.proto'));
  expect(generated.sort()).toEqual(sources.sort());
});

async function readGenerated(name: string): Promise<DescFile> {
  const code: Readonly<Record<string, unknown>> = await import(
    `../../src/ingest/protocol/generated/${name}_pb.ts`
  );
  return code[`file_${name.replaceAll('-', '_')}`] as DescFile;
}

/** The lines that declare what a file of generated code describes. Enumerations are numbers, and none is declared. */
function printFile(file: DescFile): readonly string[] {
  return [
    'syntax = "proto3";',
    `package ${file.proto.package};`,
    ...file.proto.dependency.map((path) => `import "${path}";`),
    ...file.messages.flatMap(printMessage),
  ];
}

function printMessage(message: DescMessage): readonly string[] {
  const members = message.members.flatMap((member) =>
    member.kind === 'oneof' ? printOneof(member, message) : [printField(member, message)],
  );
  const body = [...printReserved(message), ...members];
  return [`message ${message.name} {`, ...body.map((line) => INDENT + line), '}'];
}

/** The numbers of fields that known releases have and nobody reads. */
function printReserved({ proto: { reservedRange } }: DescMessage): readonly string[] {
  const ranges = reservedRange.map(({ start, end }) => {
    const last = end > MOST_FIELDS ? 'max' : end - 1;
    return last === start ? `${start}` : `${start} to ${last}`;
  });
  return ranges.length === 0 ? [] : [`reserved ${ranges.join(', ')};`];
}

function printOneof({ name, fields }: DescOneof, message: DescMessage): readonly string[] {
  return [`oneof ${name} {`, ...fields.map((field) => INDENT + printField(field, message)), '}'];
}

function printField(field: DescField, message: DescMessage): string {
  const label = field.fieldKind === 'list' ? 'repeated ' : field.proto.proto3Optional ? 'optional ' : '';
  const declared = field.message ?? field.enum;
  const scope = [`${message.typeName}.`, 'network.'].find((one) => declared?.typeName.startsWith(one));
  const type = declared
    ? declared.typeName.slice(scope?.length)
    : ScalarType[field.scalar as ScalarType].toLowerCase();
  return `${label}${type} ${field.name} = ${field.number};`;
}
