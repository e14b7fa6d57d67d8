/** How often each text stands in a list, the most frequent first. */
export function countEach(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([text, count]) => `${count} ${text}`);
}

/** What a gateway says of itself, asked without anything between. */
export async function describeGateway(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) });
    const lines = (await answer.text()).split('\n');
    return [url, ...lines.filter((line) => SAID_OF_FEEDS.test(line))].join('\n  ');
  } catch (error) {
    return `${url}: ${error}`;
  }
}

const SAID_OF_FEEDS =
  /^periscope_(readers_cut|websockets|block_height|database_up|feed_|streams|subscriptions|workers)/;
