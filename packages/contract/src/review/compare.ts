/** Compares two versions of the contract, and rates the changes for the clients of each operation. */
import { compareBumps, type Impact } from './bump.ts';
import { compareDocumentation } from './documentation.ts';
import { compareEntry, compareUnsupported, type Direction, type Effect, type Finding, finding } from './finding.ts';
import { compareRequests, compareResponses } from './message.ts';
import { compareIdentity, type Endpoint, operationsIn } from './operations.ts';
import { MOST_TRIALS, SchemaComparison } from './schema/schema.ts';
import { compareSecurity } from './security.ts';
import { comparePlans, compareServers, serversOf } from './servers.ts';
import { type Place, paired, pairedEntries } from './source.ts';

export interface Change extends Pick<Finding, 'rule' | 'place' | 'message'> {
  impact: Impact;
  /** The affected operations; none for a change of the whole document. */
  operations: Reach[];
}

const BOTH = { changed: 'major', compatible: 'minor', documentation: 'patch', gone: 'major' } as const;

const IMPACTS: Record<Direction, Record<Effect, Impact>> = {
  request: { ...BOTH, narrower: 'major', wider: 'minor', guarantee: 'major' },
  response: { ...BOTH, narrower: 'minor', wider: 'major', guarantee: 'patch' },
};

/** An operation or one of its messages. One object for all of its findings, of which there may be millions. */
export interface Reach {
  name: string;
  /** Such as `GET /orders`, unless it is the name. */
  title?: string | undefined;
  /** `experimental` or `beta` in base, or in head if it is new. */
  stability?: string | undefined;
  message?: Direction;
  /** Whether it breaks as its `x-stability` allows. */
  mayBreak?: boolean;
}

/**
 * Collects changes. A finding in a shared place is one change for all its operations, with the largest impact. Only this
 * class assigns operations to changes and applies the exemptions of `x-stability`.
 */
class Changes {
  readonly #changes = new Map<string, Change>();

  all(): Change[] {
    return [...this.#changes.values()];
  }

  /**
   * @param reach - without one, changes that an operation already has are ignored
   * @param message - the prefix of the rules
   */
  add(findings: Iterable<Finding>, reach?: Reach, message: string | undefined = reach?.message): void {
    for (const { key, rule, effect, place, message: text } of findings) {
      const known = this.#changes.get(key);
      if (known && !reach) continue;
      const change: Change = known ?? { impact: 'patch', rule: '', place, message: '', operations: [] };
      if (!known) this.#changes.set(key, change);
      if (reach && change.operations.at(-1) !== reach) change.operations.push(reach);
      const usual = IMPACTS[reach?.message ?? 'response'][effect];
      // Exported types may not break.
      const isExempt = reach?.mayBreak && effect !== 'gone';
      const impact = usual === 'major' && isExempt ? 'minor' : usual;
      const fullRule = message && effect !== 'documentation' && effect !== 'gone' ? `${message}-${rule}` : rule;
      // The largest impact applies; of equal ones, the first rule by name.
      if (known && (compareBumps(change.impact, impact) || (fullRule < change.rule ? -1 : 1)) >= 0) continue;
      Object.assign(change, { impact, rule: fullRule, message: text.charAt(0).toUpperCase() + text.slice(1) });
    }
  }
}

const TOO_MANY =
  'The alternatives of `oneOf` and `anyOf` have too many combinations to compare. Changes of some may be rated as breaking that are not.';

export class Comparison {
  readonly changes = new Changes();
  readonly schemas: Record<Direction, SchemaComparison>;

  /** @param gone - findings for removed component schemas, by the id of their place in base */
  constructor(base: Place, head: Place, gone: ReadonlyMap<string, Finding>) {
    // A large contract needs more: each schema needs a few, also without combinations.
    const trials = Math.max(MOST_TRIALS, JSON.stringify([base.value, head.value]).length / 8);
    const schemasIn = (direction: Direction) => new SchemaComparison(direction, gone, trials);
    const [request, response] = [schemasIn('request'), schemasIn('response')];
    this.schemas = { request, response };
    for (const [, old, now] of paired(operationsIn(base), operationsIn(head))) this.#operation(old, now);
    this.changes.add(compareUnsupported('webhooks', [base], [head]));
    this.changes.add(comparePlans(base, head));
    for (const [, old, now] of paired(describedIn(base), describedIn(head)))
      if (old && now) this.changes.add(compareDocumentation([old], [now]));
    // The SDK exports unused schemas, too. A new one is no change by itself.
    for (const [, old, now] of pairedEntries(base.at('components', 'schemas'), head.at('components', 'schemas'))) {
      if (!old || !now || request.has([old], [now]) || response.has([old], [now])) continue;
      this.changes.add(response.findings([old], [now]), undefined, 'component-schema');
    }
    if (request.isCut || response.isCut)
      this.changes.add([finding('comparison-incomplete', 'changed', head, TOO_MANY)]);
  }

  #operation(old: Endpoint | undefined, now: Endpoint | undefined): void {
    const operation = (old ?? now) as Endpoint;
    const { deprecated, 'x-sunset': sunset, 'x-stability': stability } = operation.place.value;
    const title = operation.title === operation.name ? undefined : operation.title;
    const announced = deprecated === true && sunset && !now;
    const mayBreak = stability === 'experimental' || (stability === 'beta' && announced);
    const reach = { name: operation.name, title, stability, mayBreak };
    const subject = `\`${operation.title}\``;
    const text = announced ? `${subject} was removed; its sunset is ${sunset}.` : undefined;
    this.changes.add(compareEntry('operation', subject, old?.place, now?.place, undefined, text), reach);
    if (!old || !now) return;
    const [before, after] = [old.place, now.place];
    const whole = [
      ...compareIdentity(old, now),
      ...compareDocumentation([before], [after]),
      ...compareDocumentation([old.item], [now.item]),
      ...compareSecurity(before, after),
      ...compareServers(old, now),
      ...compareUnsupported('callbacks', [before], [after]),
    ];
    this.changes.add(whole, reach);
    const { request, response } = this.schemas;
    this.changes.add(compareRequests(request, old, now), { ...reach, message: 'request' });
    const responses = compareResponses(response, before.at('responses'), after.at('responses'));
    this.changes.add(responses, { ...reach, message: 'response' });
  }
}

/** The places with documentation outside operations: by pointer, servers by URL. */
function describedIn(root: Place): Map<string, Place> {
  const sections = root.at('components').without('schemas').entries();
  const components = sections.flatMap(([, section]) => section.entries());
  const places = [root, root.at('info'), ...components.map(([, component]) => component)];
  return new Map([...serversOf(root), ...places.map((place) => [place.pointer, place] as const)]);
}
