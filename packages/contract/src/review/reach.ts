import { operationsIn } from './operations.ts';
import type { Place, Source } from './source.ts';

/** Values in which a `$ref` is no reference, unless it is only the name of a response or of a property. */
const DATA = /^(example|examples|default|enum|const)$/;
const NAMES = /^(responses|properties|patternProperties|dependentSchemas|\$defs)$/;

/** Which operation a place is in, or which lead to it and in which message: `listPets (response)`. */
export class Reach {
  readonly #labels = new Map<string, Set<string>>();

  constructor({ root }: Source) {
    for (const section of ['paths', 'webhooks']) this.#operations(root.at(section), root);
  }

  /** The operation that has a place, or those with a `$ref` to it or to what it is in. */
  operations(place: Place): string[] {
    const above = place.keys.map((_, index) => place.in(place.file).at(...place.keys.slice(0, index + 1)).id);
    return [...new Set([place.in(place.file).id, ...above].flatMap((id) => [...(this.#labels.get(id) ?? [])]))];
  }

  #operations(items: Place, root: Place): void {
    for (const { name, item, place } of operationsIn(items, root).values()) {
      this.#labels.set(place.id, new Set([name]));
      for (const sent of [item.at('parameters'), place.at('parameters'), place.at('requestBody')])
        this.#visit(sent, `${name} (request)`);
      this.#visit(place.at('responses'), `${name} (response)`);
      for (const [, callback] of place.at('callbacks').entries()) this.#operations(callback.follow(), root);
    }
  }

  #visit(place: Place, label: string): void {
    const isNamed = NAMES.test(String(place.keys.at(-1)));
    for (const [key, child] of place.entries()) if (isNamed || !DATA.test(key)) this.#visit(child, label);
    for (const item of place.items()) this.#visit(item, label);
    if (typeof place.value?.$ref !== 'string') return;
    const target = place.target();
    const labels = this.#labels.get(target.id) ?? new Set();
    if (labels.has(label)) return;
    this.#labels.set(target.id, labels.add(label));
    this.#visit(target, label);
  }
}
