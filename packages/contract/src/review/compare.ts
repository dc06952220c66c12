/** Compares two versions of the contract, and rates the changes for the clients of each operation. */
import { Changes, type Reach } from './changes.ts';
import { type Direction, type Finding, told } from './finding.ts';
import { compareRequests, compareResponses } from './message.ts';
import { compareIdentity, type Operation, operationsIn } from './operations.ts';
import { type Place, paired, pairedEntries } from './place.ts';
import { SchemaComparison } from './schema/schema.ts';
import { compareSecurity } from './security.ts';
import { comparePlans, compareServers, serversOf } from './servers.ts';
import { wordsOf } from './words.ts';

type Kind = 'operation' | 'webhook' | 'callback';

export class Comparison {
  readonly changes = new Changes();
  readonly schemas: Record<Direction, SchemaComparison>;

  /** @param gone - findings for removed component schemas, by the id of their place in base */
  constructor(base: Place, head: Place, gone: ReadonlyMap<string, Finding>) {
    const [request, response] = [new SchemaComparison('request', gone), new SchemaComparison('response', gone)];
    this.schemas = { request, response };
    this.#operations('operation', base.at('paths'), head.at('paths'), false);
    this.#operations('webhook', base.at('webhooks'), head.at('webhooks'), true);
    this.changes.add([...comparePlans(base, head), ...documentWords(base, head)]);
    // The SDK exports unused schemas, too. A new one is no change by itself.
    for (const [, old, now] of pairedEntries(base.at('components', 'schemas'), head.at('components', 'schemas'))) {
      if (!old || !now || request.has([old], [now]) || response.has([old], [now])) continue;
      this.changes.add(response.findings([old], [now]), undefined, 'component-schema');
    }
  }

  #operations(kind: Kind, before: Place, after: Place, isReversed: boolean): void {
    for (const [, old, now] of paired(operationsIn(before), operationsIn(after))) {
      const operation = (old ?? now) as Operation;
      const { deprecated, 'x-sunset': sunset, 'x-stability': stability } = operation.place.value;
      const title = kind === 'operation' && operation.title !== operation.name ? operation.title : undefined;
      const reach = { name: operation.name, title, isExperimental: stability === 'experimental' };
      const subject = `${kind === 'operation' ? '' : `The ${kind} `}\`${operation.title}\``;
      const announced = deprecated === true && sunset && !now;
      const text = announced ? `${subject} was removed; its sunset is ${sunset}.` : undefined;
      this.changes.add(told(kind, subject, old?.place, now?.place, undefined, text), reach);
      if (old && now) this.#operation(old, now, kind, isReversed, reach);
    }
  }

  #operation(old: Operation, now: Operation, kind: Kind, isReversed: boolean, reach: Reach): void {
    const [before, after] = [old.place, now.place];
    const [sent, received] = isReversed ? (['response', 'request'] as const) : (['request', 'response'] as const);
    this.changes.add(compareIdentity(old, now, kind === 'callback'), reach);
    this.changes.add([...wordsOf([before], [after]), ...wordsOf([old.item], [now.item])], reach);
    this.changes.add(compareRequests(this.schemas[sent], old, now), { ...reach, message: 'request', direction: sent });
    const responses = compareResponses(this.schemas[received], before.at('responses'), after.at('responses'));
    this.changes.add(responses, { ...reach, message: 'response', direction: received });
    if (!isReversed) this.changes.add([...compareSecurity(before, after), ...compareServers(old, now)], reach);
    const [callbacks, newCallbacks] = [before.at('callbacks'), after.at('callbacks')];
    for (const [name] of pairedEntries(callbacks, newCallbacks))
      this.#operations('callback', callbacks.at(name).follow(), newCallbacks.at(name).follow(), !isReversed);
  }
}

function* documentWords(base: Place, head: Place): Generator<Finding> {
  for (const [, old, now] of paired(describedIn(base), describedIn(head))) if (old && now) yield* wordsOf([old], [now]);
}

/** The places with documentation outside operations: by pointer, servers by URL. */
function describedIn(root: Place): Map<string, Place> {
  const sections = root.at('components').without('schemas').entries();
  const components = sections.flatMap(([, section]) => section.entries());
  const places = [root, root.at('info'), ...components.map(([, component]) => component)];
  return new Map([...serversOf(root), ...places.map((place) => [place.pointer, place] as const)]);
}
