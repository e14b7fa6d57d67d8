/** What was sent of one kind, and what came of it. */
export class Figures {
  readonly name: string;
  readonly #start = performance.now();
  readonly #came = new Map<string, number>();
  #end: number | null = null;
  #sent = 0;
  #slowest: Slowest = { ms: 0, input: '' };

  constructor(name: string) {
    this.name = name;
  }

  get sent(): number {
    return this.#sent;
  }

  add(ms: number, came: readonly string[], show: () => string): void {
    this.#sent += 1;
    for (const one of came) this.#came.set(one, (this.#came.get(one) ?? 0) + 1);
    if (ms > this.#slowest.ms) this.#slowest = { ms, input: show().slice(0, SHOWN) };
  }

  finish(): void {
    this.#end = performance.now();
  }

  /** For a person: how many, how fast, what came of them, and the slowest. */
  describe(): string {
    const seconds = ((this.#end ?? performance.now()) - this.#start) / 1000;
    const came = [...this.#came].sort(([, a], [, b]) => b - a).map(([one, count]) => `${one}: ${count}`);
    return [
      `${this.name.padEnd(14)} ${String(this.#sent).padStart(9)} inputs ${seconds.toFixed(1).padStart(8)} s ` +
        `${String(Math.round(this.#sent / seconds)).padStart(7)} a second`,
      `  came of them: ${came.join(', ')}`,
      `  the slowest took ${Math.round(this.#slowest.ms)} ms: ${this.#slowest.input}`,
    ].join('\n');
  }
}

interface Slowest {
  readonly ms: number;
  readonly input: string;
}

const SHOWN = 300;
