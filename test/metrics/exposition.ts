import { HANG_MS } from '../support/limits.ts';

/** A metric as it is told, with its samples. */
export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Families = ReadonlyMap<string, Family>;

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};

/** Asks for the metrics at an address, and reads them. */
export async function readMetrics(url: string | null): Promise<Families> {
  const answer = await fetch(url ?? 'no metrics', { signal: AbortSignal.timeout(HANG_MS) });
  if (answer.status !== 200) throw new Error(`metrics are answered with ${answer.status}`);
  return parseMetrics(await answer.text());
}

/** The value of a metric, of all its samples with these labels together; 0 where there are none. */
export function sumOf(
  families: Families,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(?:count|sum|bucket)$/, ''));
  if (family === undefined) throw new Error(`there is no metric ${name}`);
  return family.samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/**
 * Reads the text of Prometheus (or of OpenMetrics, which ends with `# EOF`), and throws for whatever is not as the formats
 * have it: the order of lines, names, labels, a sample twice, buckets that fall.
 */
export function parseMetrics(text: string): Families {
  const isOpen = text.endsWith('# EOF\n');
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current: { readonly name: string; readonly family: Family } | null = null;
  let help: { readonly name: string; readonly text: string } | null = null;
  for (const line of text
    .slice(0, isOpen ? -'# EOF\n'.length : undefined)
    .split('\n')
    .slice(0, -1)) {
    const fail = (what: string) => new Error(`${what}: ${line}`);
    if (line === '') {
      if (isOpen) throw fail('OpenMetrics has no empty line');
      continue;
    }
    const told = /^# HELP (\S+) (.+)$/.exec(line);
    if (told) {
      help = { name: told[1] as string, text: told[2] as string };
      continue;
    }
    const typed = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (typed) {
      const [, name = '', type = ''] = typed;
      if (help?.name !== name) throw fail('a type follows its help');
      if (families.has(name)) throw fail('a metric is told once');
      if ((type === 'counter') !== name.endsWith('_total') && !(isOpen && type === 'counter'))
        throw fail('what ends in _total is a counter');
      if (isOpen && name.endsWith('_total')) throw fail('in OpenMetrics a counter has no _total');
      current = { name, family: { type, help: help.text, samples: [] } };
      families.set(name, current.family);
      continue;
    }
    const [, name = '', list = '', number = ''] =
      /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(line) ?? [];
    if (name === '' || current === null) throw fail('no sample');
    const { family } = current;
    const endings = isOpen && family.type === 'counter' ? ['_total'] : (SUFFIXES[family.type] ?? []);
    if (!endings.some((ending) => name === current?.name + ending)) throw fail('a sample of another metric');
    const labels = readLabels(list, fail);
    const key = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    if (seen.has(key)) throw fail('a sample comes once');
    seen.add(key);
    family.samples.push({ name, labels, value: Number(number) });
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkBuckets(name, family);
  return families;
}

function readLabels(list: string, fail: (what: string) => Error): Record<string, string> {
  const labels: Record<string, string> = {};
  const rest = list.replace(
    /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/g,
    (_, label: string, value: string) => {
      if (label in labels) throw fail('a label comes once');
      labels[label] = value;
      return '';
    },
  );
  if (rest !== '') throw fail('labels that are none');
  return labels;
}

function checkBuckets(name: string, { samples }: Family): void {
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(Object.entries(labels).sort());
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [key, all] of series) {
    const buckets = all.filter((sample) => sample.name.endsWith('_bucket'));
    const ends = buckets.map(({ labels }) =>
      labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']),
    );
    const values = buckets.map(({ value }) => value);
    const isRising = (list: readonly number[]) =>
      list.every((one, at) => at === 0 || one >= (list[at - 1] as number));
    const count = all.find((sample) => sample.name === `${name}_count`)?.value;
    const isWhole = ends.at(-1) === Number.POSITIVE_INFINITY && values.at(-1) === count;
    if (!isRising(ends) || !isRising(values) || !isWhole) throw new Error(`no histogram: ${name} ${key}`);
  }
}
