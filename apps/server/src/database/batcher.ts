/**
 * Natural batching: one run at a time, and everything that is submitted meanwhile goes together into the next. Under no
 * load an item waits for nothing; under load the cost grows with the runs, not with the items. There is no timer.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #maxSize: number;
  #waiting: { item: Item; resolve(result: Result): void; reject(error: unknown): void }[] = [];
  #running = false;

  /**
   * @param run - answers a batch: one result for each item, in their order. When it throws, every item of it fails.
   * @param maxSize - items in one run at most
   */
  constructor(run: (items: Item[]) => Promise<Result[]>, maxSize = 1_000) {
    this.#run = run;
    this.#maxSize = maxSize;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxSize);
      try {
        const results = await this.#run(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
  }
}
