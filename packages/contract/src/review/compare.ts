/** Compares two versions of the contract, and rates the changes for the clients of each operation. */
import { Changes, type Reach } from './changes.ts';
import { type Direction, type Finding, told } from './finding.ts';
import { MessageComparison } from './message.ts';
import { compareIdentity, type Operation, operationsIn } from './operations.ts';
import { type Place, paired, pairedEntries } from './place.ts';
import { compareSecurity } from './security.ts';
import { comparePlans, compareServers, serversOf } from './servers.ts';
import { wordsOf } from './words.ts';

type Kind = 'operation' | 'webhook' | 'callback';
type Operations = Map<string, Operation>;

export class Comparison {
  readonly changes = new Changes();
  readonly messages: Record<Direction, MessageComparison>;

  /** @param gone - findings for removed component schemas, by the id of their place in base */
  constructor(base: Place, head: Place, gone: ReadonlyMap<string, Finding>) {
    this.messages = {
      request: new MessageComparison('request', gone),
      response: new MessageComparison('response', gone),
    };
    const operations = (section: string) =>
      [operationsIn(base.at(section), base), operationsIn(head.at(section), head)] as const;
    this.#operations(...operations('paths'), 'operation', false);
    this.#operations(...operations('webhooks'), 'webhook', true);
    this.#add([...comparePlans(base, head), ...documentWords(base, head)]);
    const { request, response } = this.messages;
    // The SDK exports unused schemas, too. A new one is no change by itself.
    const [schemas, newSchemas] = [base, head].map((root) => root.at('components', 'schemas')) as [Place, Place];
    for (const [, old, now] of pairedEntries(schemas, newSchemas)) {
      if (!old || !now || [request, response].some((one) => one.schemas.has([old], [now]))) continue;
      this.#add(response.schemas.findings([old], [now]), { message: 'component-schema', direction: 'response' });
    }
  }

  #add(findings: Iterable<Finding>, reach?: Reach): void {
    for (const one of findings) this.changes.add(one, reach);
  }

  #operations(before: Operations, after: Operations, kind: Kind, isReversed: boolean): void {
    for (const [, old, now] of paired(before, after)) {
      const operation = (old ?? now) as Operation;
      const reach = { operation, head: (now ?? operation).place };
      const subject = `${kind === 'operation' ? '' : `The ${kind} `}\`${operation.title}\``;
      const { deprecated, 'x-sunset': sunset } = operation.place.value;
      const announced = deprecated === true && sunset && !now;
      const text = announced ? `${subject} was removed, as announced for ${sunset}.` : undefined;
      this.#add(told(kind, subject, old?.place, now?.place, { added: 'compatible', removed: 'changed' }, text), reach);
      if (old && now) this.#operation(old, now, kind, isReversed, reach);
    }
  }

  #operation(old: Operation, now: Operation, kind: Kind, isReversed: boolean, reach: Reach): void {
    const [before, after] = [old.place, now.place];
    const [sent, received] = isReversed ? (['response', 'request'] as const) : (['request', 'response'] as const);
    const responses = this.messages[received].responses(before.at('responses'), after.at('responses'));
    this.#add(compareIdentity(old, now, kind === 'callback'), reach);
    this.#add([...wordsOf([before], [after]), ...wordsOf([old.item], [now.item])], reach);
    const reachOf = (message: Direction, direction: Direction) =>
      ({ ...reach, message, direction, label: `${old.name} (${message})` }) as const;
    this.#add(this.messages[sent].request(old, now), reachOf('request', sent));
    this.#add(responses, reachOf('response', received));
    if (!isReversed) this.#add([...compareSecurity(before, after), ...compareServers(old, now)], reach);
    const [callbacks, newCallbacks] = [before.at('callbacks'), after.at('callbacks')];
    for (const [name] of pairedEntries(callbacks, newCallbacks)) {
      const operations = operationsIn(callbacks.at(name).follow(), old.root);
      const newOperations = operationsIn(newCallbacks.at(name).follow(), now.root);
      this.#operations(operations, newOperations, 'callback', !isReversed);
    }
  }
}

function* documentWords(base: Place, head: Place): Generator<Finding> {
  for (const [, old, now] of paired(describedIn(base), describedIn(head))) if (old && now) yield* wordsOf([old], [now]);
}

/** The places with documentation outside operations: by pointer, servers by URL. */
function describedIn(root: Place): Map<string, Place> {
  const components = root
    .at('components')
    .entries()
    .filter(([section]) => section !== 'schemas');
  const servers = [...serversOf({ root })].flatMap(([url, server]) => {
    const variables = server.at('variables').entries();
    return [[url, server] as const, ...variables.map(([name, variable]) => [`${url} ${name}`, variable] as const)];
  });
  const places = [
    root,
    root.at('info'),
    ...components.flatMap(([, section]) => section.entries().map(([, one]) => one)),
  ];
  return new Map([...servers, ...places.map((place) => [place.pointer, place] as const)]);
}
