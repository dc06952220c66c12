/** Compares two versions of the contract, and rates the changes for the clients of each operation. */

import { type Place, paired, pairedEntries } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { compareBumps, type Impact } from './bump.ts';
import { compareErrors, compareExtensions } from './extensions.ts';
import { compareEntry, compareFlag, type Direction, type Effect, type Finding, finding } from './finding.ts';
import { compareRequests, compareResponses } from './message.ts';
import { compareIdentity, type Endpoint, type Endpoints, endpointsIn, movesIn, operationsIn } from './operations.ts';
import { compareRest, type JUDGED } from './rest.ts';
import { MOST_TRIALS, SchemaComparison } from './schema/schema.ts';
import { compareReadOnly } from './schema/values.ts';
import { compareScheme, compareSecurity } from './security.ts';
import { comparePlans, compareServers } from './servers.ts';
import { isAdded, located, type Version, written } from './version.ts';
import { code } from './words.ts';

const idsOf = (operations: Endpoints) => new Set([...operations.values()].map(({ place }) => place.value.operationId));

export interface Change extends Pick<Finding, 'rule' | 'place' | 'message' | 'detail' | 'covers'> {
  impact: Impact;
  operations: Affected[];
}

const BOTH = { changed: 'major', fewer: 'major', compatible: 'minor', documentation: 'patch', gone: 'major' } as const;

const IMPACTS: Record<Direction, Record<Effect, Impact>> = {
  request: { ...BOTH, narrower: 'major', wider: 'minor', guarantee: 'major' },
  response: { ...BOTH, narrower: 'minor', wider: 'major', guarantee: 'patch' },
};

/** An operation or one of its messages. One object for all of its findings, of which there may be millions. */
export interface Affected {
  name: string;
  /** The method and path, such as `GET /orders`, unless they are the name. */
  title?: string | undefined;
  /** The stability, `experimental` or `beta`, in base, or in head if the operation is new. */
  stability?: string | undefined;
  message?: Direction;
  /** Whether its `x-stability` allows it to break. */
  mayBreak?: boolean;
}

const TOO_MANY =
  'The alternatives of `oneOf` and `anyOf` have too many combinations to compare. Changes of some may be rated as breaking that are not.';

/**
 * Compares two versions, and collects the changes. A finding in a shared place is one change for all its operations, with the
 * largest impact. Only this class assigns operations to changes and applies the exemptions of `x-stability`.
 */
export class Comparison {
  readonly schemas: Record<Direction, SchemaComparison>;
  readonly #changes = new Map<string, Change>();
  /** The callbacks that were compared. Callbacks may have callbacks, and so form cycles. */
  readonly #seen = new Set<string>();
  readonly #ids: readonly [Set<unknown>, Set<unknown>];

  constructor(before: Version, after: Version) {
    const { root: base, schemas: was } = before;
    const { root: head, schemas: is } = after;
    const gone = goneSchemas(was, is);
    // A large contract needs more trials, because each schema takes a few even without combinations.
    const trials = Math.max(MOST_TRIALS, `${stringify([base.value, head.value])}`.length / 8);
    const request = new SchemaComparison('request', gone, trials);
    const response = new SchemaComparison('response', gone, trials);
    this.schemas = { request, response };
    if (before.added === after.added)
      for (const each of [request, response]) each.isImplied = (...places) => places.every(isAdded);
    const [former, current] = [operationsIn(base), operationsIn(head)];
    this.#ids = [idsOf(former), idsOf(current)];
    const moves = movesIn(former, current);
    const moved = new Set(moves.values());
    for (const [key, old, now] of paired(former, current))
      if (!moved.has(key)) {
        const { file, line } = written((now ?? old)?.place ?? head);
        const compare = () => this.#operation(old, now ?? current.get(moves.get(key) ?? ''), moves.has(key));
        located(`${after.nameOf(file)}:${line}`, compare);
      }
    const webhooksIn = (root: Place) => endpointsIn(root.at('webhooks'), 'webhook');
    for (const [, old, now] of paired(webhooksIn(base), webhooksIn(head))) this.#hook('webhook', old, now);
    this.#add([...comparePlans(base, head), ...compareReadOnly([base], [head]), ...compareErrors(before, after)]);
    for (const [kind, old, now] of describedIn(base, head)) {
      this.#add(compareRest(kind, [old], [now]));
      if (kind === 'scheme')
        this.#add([...compareFlag('deprecated', [old], [now], 'security-scheme-'), ...compareScheme(old, now)]);
    }
    // Unused schemas are compared, because the SDK exports them, too. A new one is no change by itself.
    for (const [, [old] = [], [now] = []] of paired(was, is)) {
      if (!old || !now || request.has([old], [now]) || response.has([old], [now])) continue;
      this.#add(response.findings([old], [now]), undefined, 'component-schema');
    }
    if (request.isCut || response.isCut) this.#add([finding('comparison-incomplete', 'changed', head, TOO_MANY)]);
    this.#add(gone.values());
  }

  get changes(): Change[] {
    return [...this.#changes.values()];
  }

  /**
   * @param reach - without one, changes that an operation already has are ignored
   * @param message - the prefix of the rules
   */
  #add(findings: Iterable<Finding>, reach?: Affected, message: string | undefined = reach?.message): void {
    for (const { key, rule, effect, place, message: text, detail, covers } of findings) {
      const entry = this.#changes.get(key);
      if (entry && !reach) continue;
      const change: Change = entry ?? { impact: 'patch', rule: '', place, message: '', detail, covers, operations: [] };
      if (!entry) this.#changes.set(key, change);
      if (reach && change.operations.at(-1) !== reach) change.operations.push(reach);
      const usual = IMPACTS[reach?.message ?? 'response'][effect];
      // `x-stability` does not exempt the removal of an exported type.
      const impact = usual === 'major' && reach?.mayBreak && effect !== 'gone' ? 'minor' : usual;
      const fullRule = message && effect !== 'documentation' && effect !== 'gone' ? `${message}-${rule}` : rule;
      // The largest impact applies. If several rules have it, the first by name does.
      if (entry && (compareBumps(change.impact, impact) || (fullRule < change.rule ? -1 : 1)) >= 0) continue;
      Object.assign(change, { impact, rule: fullRule, message: text.charAt(0).toUpperCase() + text.slice(1) });
    }
  }

  #operation(old: Endpoint | undefined, now: Endpoint | undefined, isMoved = false): void {
    const operation = (old ?? now) as Endpoint;
    const { deprecated, 'x-sunset': sunset, 'x-stability': stability } = operation.place.value;
    const title = operation.title === operation.name ? undefined : operation.title;
    const announced = deprecated === true && sunset && (isMoved || !now);
    const mayBreak = stability === 'experimental' || (stability === 'beta' && announced);
    const reach = { name: operation.name, title, stability, mayBreak };
    const subject = code(operation.title);
    const text = announced ? `${subject} was removed; its sunset is ${code(sunset)}.` : undefined;
    this.#add(compareEntry('operation', subject, old?.place, now?.place, undefined, text), reach);
    if (!old || !now) return;
    const [before, after] = [old.place, now.place];
    if (isMoved) {
      const message = `${subject} moved to ${code(now.title)}.`;
      this.#add([{ ...finding('operation-moved', 'changed', after, message), covers: [before] }], reach);
    }
    this.#add(compareIdentity(old, now, this.#ids), reach);
    this.#add(compareSecurity(before, after), reach);
    this.#add(compareServers(old, now), reach);
    this.#add(compareExtensions(old, now), reach);
    this.#parts('operation', old, now, reach);
  }

  #parts(kind: 'operation' | 'webhook', old: Endpoint, now: Endpoint, reach: Affected): void {
    const [before, after] = [old.place, now.place];
    this.#add([...compareRest(kind, [before], [after]), ...compareRest('path', [old.item], [now.item])], reach);
    // Webhooks and callbacks are reversed: the client receives their requests and sends their responses.
    const [first, second] =
      kind === 'operation' ? (['request', 'response'] as const) : (['response', 'request'] as const);
    this.#add(compareRequests(this.schemas[first], old, now), { ...reach, message: first });
    const responses = compareResponses(this.schemas[second], before.at('responses'), after.at('responses'));
    this.#add(responses, { ...reach, message: second });
    for (const [name] of pairedEntries(before.at('callbacks'), after.at('callbacks'))) {
      const [was, is] = [before.at('callbacks', name).follow(), after.at('callbacks', name).follow()];
      if (was.exists && is.exists) this.#add(compareRest('map', [was], [is]), reach);
      const pairs = paired(endpointsIn(was, name), endpointsIn(is, name));
      for (const [, from, to] of pairs) this.#hook('callback', from, to, reach);
    }
  }

  /** Compares a webhook or a callback, which the service calls. */
  #hook(rule: string, old: Endpoint | undefined, now: Endpoint | undefined, owner?: Affected): void {
    const { name, place } = (old ?? now) as Endpoint;
    const reach: Affected = owner ?? { name, stability: place.value['x-stability'] };
    this.#add(compareEntry(rule, `The ${rule} ${code(name)}`, old?.place, now?.place), reach);
    const key = `${reach.name} ${old?.place.id} ${now?.place.id}`;
    if (!old || !now || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#add(compareFlag('deprecated', [old.place], [now.place], `${rule}-`), reach);
    this.#parts('webhook', old, now, reach);
  }
}

/** The objects outside of operations that have fields of their own. They are paired by pointer. */
function* describedIn(base: Place, head: Place): Generator<[kind: keyof typeof JUDGED, old: Place, now: Place]> {
  yield ['document', base, head];
  yield ['info', base.at('info'), head.at('info')];
  for (const key of ['paths', 'webhooks', 'components']) yield ['map', base.at(key), head.at(key)];
  const schemesIn = (root: Place) => root.at('components', 'securitySchemes');
  for (const [, old, now] of pairedEntries(schemesIn(base), schemesIn(head)))
    if (old && now) yield ['scheme', old.follow(), now.follow()];
}

/**
 * The component schemas that head no longer has. An SDK exports each as a type, so a removal breaks imports even if nothing
 * changed on the wire.
 */
function goneSchemas(before: Version['schemas'], after: Version['schemas']): Map<string, Finding> {
  const gone = new Map<string, Finding>();
  for (const [name, views] of before) {
    const message = `The schema ${code(name)} was removed, and the SDK's type with it.`;
    for (const place of after.has(name) ? [] : views)
      gone.set(place.id, finding('component-schema-removed', 'gone', place, message));
  }
  return gone;
}

export const diffContracts = (base: Version, head: Version): Change[] => new Comparison(base, head).changes;
